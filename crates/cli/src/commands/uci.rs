//! `tabiya uci`: a UCI engine for chess programs.

use std::process::ExitCode;

use crate::args::Choice;
use crate::error::{CliError, CommandResult};
use crate::game_source;
use crate::output::Output;
use crate::uci;

/// Run as a UCI engine on standard input and output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya uci
  tabiya uci mygame.json
  printf 'uci\\nposition startpos moves e2e4\\ngo depth 4\\n' | tabiya uci

In a chess program, enter the path of tabiya and the argument uci. The engine plays the game
that is named, and every two-player game of the library (option UCI_Variant).")]
pub(crate) struct Args {
    /// A game for two players: a name of the library, or the path of a JSON file.
    #[arg(value_name = "GAME", default_value = "chess")]
    game: String,
    #[command(flatten)]
    choice: Choice,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let loaded = game_source::load_with(&args.game, &args.choice.choices())?;
    let players = loaded.game.rules.players().count();
    if players != 2 {
        let why = format!("UCI is for games with two players, and `{}` has {players}", args.game);
        return Err(CliError::Usage(why));
    }
    uci::serve(loaded, out)?;
    Ok(ExitCode::SUCCESS)
}
