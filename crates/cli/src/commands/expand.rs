//! `tabiya expand`: prints the long form of a game file, with all short forms written out.

use std::io::Write as _;

use serde_json::{Value, json};
use tabiya_spec::expand;

use crate::args::Choice;
use crate::error::{CliError, CommandResult};
use crate::game_source;
use crate::output::Output;
use crate::text::sanitize_lines;

/// Print the long form of a game: short forms written out, choices resolved.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya expand mygame.json
  tabiya expand mygame.json > long.json")]
pub(crate) struct Args {
    /// A game of the library, or the path of a JSON file.
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    choice: Choice,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    // Reports every problem of the file and of the choices.
    let loaded = game_source::load_with(&args.game, &args.choice.choices())?;
    let choices = &loaded.game.choices.requested;
    let bytes = game_source::source(&args.game, choices)?;
    let text = expand(&bytes, choices).map_err(|_| CliError::No("the file has changed meanwhile".into()))?;
    let json = || {
        let rules: Value = serde_json::from_str(&text).unwrap_or_default();
        json!({ "game": loaded.label, "long": rules })
    };
    out.answer(json, |out| writeln!(out, "{}", sanitize_lines(&text)))
}
