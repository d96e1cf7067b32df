//! `tabiya show`: draws the board and describes the position.

use std::io::Write as _;

use tabiya_notation::fen;

use crate::args::GameAndState;
use crate::board_drawing::{BoardDrawing, legend_lines};
use crate::error::CommandResult;
use crate::output::Output;
use crate::position_summary;
use crate::text::sanitize;

/// Draw the board and describe the position.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya show chess
  tabiya show chess --state 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
  tabiya show fourplayer --format json > state.json
  tabiya show fourplayer --state @state.json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (loaded, state) = args.game.open()?;
    let rules = &loaded.game.rules;
    let end = position_summary::end_by_state(rules, &state);
    let print = |out: &mut Output| {
        let board = BoardDrawing::new(rules, &state.position, out).board();
        writeln!(out, "{board}")?;
        let legend = legend_lines(rules, &state.position, out.colour);
        for line in position_summary::summary_lines(rules, &state, end.as_ref()).into_iter().chain(legend) {
            out.prose(&line)?;
        }
        writeln!(out, "{}", sanitize(&fen(rules, &state)))
    };
    out.answer(|| position_summary::state_with_end(rules, &state, end.as_ref()), print)
}
