//! `tabiya betza`: draws and explains the moves of a word of Betza notation.

use std::io::Write as _;

use serde_json::{Value, json};
use tabiya_spec::betza::{Hop, Leap, Reach, parse};
use tabiya_spec::move_drawing;

use crate::error::{CliError, CommandResult};
use crate::output::Output;
use crate::text::sanitize;

/// Draw and explain the moves of a word of Betza notation.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya betza BN            bishop and knight
  tabiya betza mRcpR         the cannon of xiangqi, which captures over another piece
  tabiya betza fmWfcFifmnD   the pawn of chess, without en passant")]
pub(crate) struct Args {
    /// The word: leaps, slides and their modifiers, as in `\"betza\": \"fmWfcF\"`.
    #[arg(value_name = "WORD")]
    word: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let leaps = parse(&args.word).map_err(|error| {
        let before = sanitize(&args.word);
        let width = |part: Option<&str>| part.map_or(0, |part| part.chars().count());
        let (start, marked) =
            (width(args.word.get(..error.span.start)), width(args.word.get(error.span.clone())));
        let mark = format!("{}{}", " ".repeat(start), "^".repeat(marked.max(1)));
        CliError::No(format!("{}\n  {before}\n  {mark}\n  help: {}", error.message, error.help))
    })?;
    let explanation = move_drawing::describe_word(&args.word);
    let json = || json!({ "word": args.word, "moves": moves(&leaps), "text": explanation });
    out.answer(json, |out| {
        let drawing = move_drawing::of_word(&leaps);
        for line in &drawing {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "\n{}\n", move_drawing::legend(&drawing))?;
        writeln!(out, "{explanation}")
    })
}

fn moves(leaps: &[Leap]) -> Vec<Value> {
    let one = |leap: &Leap, step: &(i32, i32)| {
        let times = match leap.reach {
            Reach::Once => json!(1),
            Reach::Times(times) => json!(times),
            Reach::Unlimited => Value::Null,
        };
        json!({ "step": [step.0, step.1], "times": times, "moves": leap.moves, "captures": leap.captures,
                "initial": leap.initial, "lame": leap.lame, "en_passant": leap.en_passant,
                "hop": leap.hop.map(|hop| if hop == Hop::Over { "OVER" } else { "BEHIND" }) })
    };
    leaps.iter().flat_map(|leap| leap.steps.iter().map(move |step| one(leap, step))).collect()
}
