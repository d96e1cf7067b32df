//! `tabiya explain`: describes the rules of a game in English, generated from its file.

use std::io::Write as _;

use serde_json::json;
use tabiya_spec::english;

use crate::args::Choice;
use crate::error::CommandResult;
use crate::game_source;
use crate::output::Output;
use crate::text::sanitize_lines;

/// Describe the rules of a game in plain English.
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

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let loaded = game_source::load_with(&args.game, &args.choice.choices())?;
    let text = english(&loaded.game);
    let json = || json!({ "game": loaded.label, "text": text });
    out.answer(json, |out| writeln!(out, "{}", sanitize_lines(&text)))
}
