//! `tabiya moves`: lists the legal moves.

use std::io::Write as _;

use crate::args::GameAndState;
use crate::error::CommandResult;
use crate::move_list;
use crate::output::Output;

/// List the legal moves.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya moves chess
  tabiya moves chess --state '8/P7/8/8/8/8/8/k1K5 w - - 0 1' --format json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (loaded, state) = args.game.open()?;
    let (rules, position) = (&loaded.game.rules, &state.position);
    let is_over = rules.outcome_with_quiet(position, state.quiet).is_some();
    let moves = if is_over { Vec::new() } else { rules.legal_moves(position) };
    let json = || move_list::to_json(rules, position, &moves).into();
    out.answer(json, |out| write!(out, "{}", move_list::to_text(rules, &state, &moves)))
}
