//! `tabiya export`: writes a game as a variant of Fairy-Stockfish.

use std::io::Write as _;
use std::process::ExitCode;

use serde_json::json;

use crate::args::Choice;
use crate::error::{CliError, CommandResult};
use crate::game_source;
use crate::output::Output;
use crate::text::sanitize;

/// Export a game as a variant of Fairy-Stockfish (variants.ini). What it cannot express is listed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya export knightmate --format ini > knightmate.ini
  tabiya export mygame.json --name mygame > mygame.ini

Exit status: 0, or 1 if the game cannot be expressed.")]
pub(crate) struct Args {
    /// A game of the library, or the path of a JSON file.
    #[arg(value_name = "GAME")]
    game: String,
    /// The name of the variant.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    choice: Choice,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let loaded = game_source::load_with(&args.game, &args.choice.choices())?;
    let source = game_source::source(&args.game, &loaded.game.choices.requested)?;
    let name = args.name.clone().unwrap_or_else(|| loaded.game.spec.name.to_lowercase());
    let exported = tabiya_ini::export(&loaded.game, &source, &name).map_err(|faults| {
        CliError::No(format!("`{}` cannot be exported:\n{}", args.game, faults.join("\n")))
    })?;
    let json = || json!({ "game": loaded.label, "ini": exported.text, "left_out": exported.left_out });
    out.answer(json, |out| write!(out, "{}", exported.text))?;
    if !out.is_json() {
        for line in &exported.left_out {
            writeln!(anstream::stderr().lock(), "{}", sanitize(line))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
