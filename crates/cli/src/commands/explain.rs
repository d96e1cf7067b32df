//! `tabiya explain`: the rules as a person would tell them, made from the game file and from nothing else.

use std::io::Write as _;
use std::process::ExitCode;

use serde_json::json;
use tabiya_spec::Game;

use crate::chosen;
use crate::failure::Failure;
use crate::output::Output;

/// Tell the rules of a game in plain English.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya explain chess
  tabiya explain mygame.json")]
pub(crate) struct Args {
    /// A game of the library, or the path of a JSON file.
    #[arg(value_name = "GAME")]
    game: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let chosen = chosen::game(&args.game)?;
    let text = english(&chosen.game);
    if out.is_json() {
        out.json(&json!({ "game": chosen.label, "text": text }))?;
    } else {
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The rules in plain English; the one place where they are asked for.
pub(crate) fn english(game: &Game) -> String {
    // FILL: tabiya_spec::english(game)
    game.spec.about.as_ref().map(|about| about.to_string()).unwrap_or_default()
}
