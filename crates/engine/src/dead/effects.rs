//! The effects of a move: pieces that it removes or relocates, and flags.

use crate::compile::jump_table::Jump;
use crate::compile::pattern::{Action, Change, Pattern, Test};
use crate::dead::pieces::{PieceSet, bit, members};
use crate::dead::reachability::{ProofStep, Reachability, Unproven};
use crate::dead::walk::Landing;

impl Reachability<'_> {
    /// Applies one change of a move that may be possible.
    pub(super) fn change(&mut self, landing: &Landing<'_>, action: &Action, change: &Change) -> ProofStep {
        let &Landing { piece, from, .. } = landing;
        let at = |jump| self.rules.jumps.to(jump, from);
        match change {
            Change::SetFlag { flag, .. } => {
                let carriers = &mut self.carriers[flag.index()];
                if *carriers & bit(piece) == 0 {
                    *carriers |= bit(piece);
                    self.requeue(piece)?;
                }
                Ok(())
            }
            Change::Capture(jump) => {
                let Some(square) = at(*jump) else { return Ok(()) };
                self.wait(piece, square);
                self.spend(landing.pattern.tests.len() + action.tests.len())?;
                let victims = self.squares[square.index()].visitors & self.removable(landing, action, *jump);
                // Only captures on a landing square are known as attacks.
                if self.attacks_leader(bit(piece), victims) {
                    return Err(Unproven);
                }
                self.capture(bit(piece), victims)
            }
            // Pieces in hand are not followed, and neither are marked squares.
            Change::Drop { .. } | Change::CaptureMarked(_) => Err(Unproven),
            Change::Relocate { kind, from, to } => {
                let (Some(from), Some(to)) = (at(*from), at(*to)) else { return Ok(()) };
                self.wait(piece, from);
                if self.is_blocked(piece, to) {
                    return Ok(());
                }
                let fitting = match kind {
                    Some(kind) => self.of_kinds(&[*kind])?,
                    None => PieceSet::MAX,
                };
                let taken = self.squares[from.index()].visitors & self.pieces.side_of(piece) & fitting;
                members(taken).try_for_each(|taken| {
                    self.leave_line(taken, None);
                    self.visit(taken, to)
                })
            }
        }
    }

    /// Returns the pieces that can be removed from a square other than the landing. If the move requires a flag
    /// there, only its carriers, unless the removed piece may differ from the tested one.
    fn removable(&self, landing: &Landing<'_>, action: &Action, jump: Jump) -> PieceSet {
        let Pattern { tests, .. } = landing.pattern;
        let is_same = !action.may_block && self.rules.jumps.to(jump, landing.from) != Some(landing.to);
        let asked = tests.iter().chain(&action.tests).filter(|_| is_same).filter_map(|test| match test {
            Test::HasFlag(flag, other) if *other == jump => Some(self.carriers[flag.index()]),
            _ => None,
        });
        asked.fold(PieceSet::MAX, |set, carriers| set & carriers)
    }
}
