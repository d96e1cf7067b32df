//! `tabiya explain`: the rules as a person would tell them, made from the game file and from nothing else.

use std::io::Write as _;
use std::process::ExitCode;

use serde_json::json;
use tabiya_spec::english;

use crate::args::Choice;
use crate::chosen;
use crate::failure::Failure;
use crate::output::Output;
use crate::text::plain_text;

/// Tell the rules of a game in plain English.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya explain chess
  tabiya explain enochian --rules zalewski
  tabiya explain mygame.json")]
pub(crate) struct Args {
    /// A game of the library, or the path of a JSON file.
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    choice: Choice,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let chosen = chosen::game_with(&args.game, &args.choice.choices())?;
    let text = english(&chosen.game);
    if out.is_json() {
        out.json(&json!({ "game": chosen.label, "text": text }))?;
    } else {
        writeln!(out, "{}", plain_text(&text))?;
    }
    Ok(ExitCode::SUCCESS)
}
