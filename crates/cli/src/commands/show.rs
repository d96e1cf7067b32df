//! `tabiya show`: the board, whose turn it is, and how things stand.

use std::io::Write as _;
use std::process::ExitCode;

use tabiya_notation::{state_json, state_text};

use crate::args::GameAndState;
use crate::draw::Drawing;
use crate::failure::Failure;
use crate::output::Output;
use crate::standing;
use crate::text::plain;

/// Draw the board of a game.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya show chess
  tabiya show chess --state 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
  tabiya show fourplayer --format json > state.json
  tabiya show fourplayer --state @state.json")]
pub(crate) struct Args {
    #[command(flatten)]
    what: GameAndState,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let (chosen, state) = args.what.open()?;
    let rules = &chosen.game.rules;
    if out.is_json() {
        out.json(&state_json(rules, &state))?;
    } else {
        let board = Drawing::new(rules, &state.position, out).board();
        write!(out, "{board}")?;
        writeln!(out)?;
        for line in standing::lines(rules, &state.position) {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}", plain(&state_text(rules, &state)))?;
    }
    Ok(ExitCode::SUCCESS)
}
