//! `tabiya betza`: draws and explains the moves of a word of Betza notation.

use std::io::Write as _;

use serde_json::{Value, json};
use tabiya_spec::betza::{Leap, Reach, parse};
use tabiya_spec::betza_sample;

use crate::error::{CliError, CommandResult};
use crate::output::Output;
use crate::text::sanitize;

/// Draw and explain the moves of a word of Betza notation.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya betza BN            bishop and knight
  tabiya betza fmWfcFifmnD   the pawn of chess, without en passant")]
pub(crate) struct Args {
    /// The word: leaps, slides and their modifiers, as in `\"betza\": \"fmWfcF\"`.
    #[arg(value_name = "WORD")]
    word: String,
}

/// The squares that are drawn on each side of the piece.
const RADIUS: i32 = 4;

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let leaps = parse(&args.word).map_err(|error| {
        let before = sanitize(&args.word);
        let width = |part: Option<&str>| part.map_or(0, |part| part.chars().count());
        let (start, marked) =
            (width(args.word.get(..error.span.start)), width(args.word.get(error.span.clone())));
        let mark = format!("{}{}", " ".repeat(start), "^".repeat(marked.max(1)));
        CliError::No(format!("{}\n  {before}\n  {mark}\n  help: {}", error.message, error.help))
    })?;
    // A word with too many moves has a drawing, but no text.
    let explanation = betza_sample(&args.word).map(|sample| sample.english).unwrap_or_default();
    let json = || json!({ "word": args.word, "moves": moves(&leaps), "text": explanation });
    out.answer(json, |out| {
        for line in drawing(&leaps) {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "\no moves or captures, m only moves, x only captures, i only if unmoved\n")?;
        writeln!(out, "{explanation}")
    })
}

/// Draws the squares around the piece, from top to bottom.
fn drawing(leaps: &[Leap]) -> Vec<String> {
    let mark = |x: i32, y: i32| {
        if (x, y) == (0, 0) {
            return '@';
        }
        let reaching = || leaps.iter().filter(|leap| reaches(leap, x, y));
        let (moves, captures) = (reaching().any(|leap| leap.moves), reaching().any(|leap| leap.captures));
        let always = reaching().any(|leap| !leap.initial);
        match (moves, captures) {
            (false, false) => '.',
            _ if !always => 'i',
            (true, true) => 'o',
            (true, false) => 'm',
            (false, true) => 'x',
        }
    };
    let rank = |y: i32| (-RADIUS..=RADIUS).map(|x| mark(x, y).to_string()).collect::<Vec<_>>().join(" ");
    (-RADIUS..=RADIUS).rev().map(rank).collect()
}

fn reaches(leap: &Leap, x: i32, y: i32) -> bool {
    let most = match leap.reach {
        Reach::Once => 1,
        Reach::Times(times) => times.min(RADIUS.unsigned_abs()) as i32,
        Reach::Unlimited => RADIUS,
    };
    leap.steps.iter().any(|(dx, dy)| (1..=most).any(|times| (dx * times, dy * times) == (x, y)))
}

fn moves(leaps: &[Leap]) -> Vec<Value> {
    let one = |leap: &Leap, step: &(i32, i32)| {
        let times = match leap.reach {
            Reach::Once => json!(1),
            Reach::Times(times) => json!(times),
            Reach::Unlimited => Value::Null,
        };
        json!({ "step": [step.0, step.1], "times": times, "moves": leap.moves, "captures": leap.captures,
                "initial": leap.initial, "lame": leap.lame, "en_passant": leap.en_passant })
    };
    leaps.iter().flat_map(|leap| leap.steps.iter().map(move |step| one(leap, step))).collect()
}
