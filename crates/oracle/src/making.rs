//! What a move does to the board: the piece goes, and its side effects follow, each where the board then is.

use std::collections::BTreeMap;

use tabiya_spec::model::{ActionKind, ActionSpec, Coord, Effect};

use crate::pattern::Attempt;
use crate::{Mark, Oracle, Piece, Square};

/// The board after a move and its side effects, before promotion and before the turn ends.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) pieces: BTreeMap<Square, Piece>,
    /// Where the moving piece is now; nowhere, if a side effect removed it.
    pub(crate) mover: Option<Square>,
    /// All that was removed, whoever owned it.
    pub(crate) captured: Vec<Piece>,
}

/// A side effect that cannot happen: the move is then not offered at all.
struct Blocked;

impl Oracle<'_> {
    /// The board after the move, or nothing if a side effect is blocked. Those of the action come before those of
    /// the move, each list in its order.
    pub(crate) fn make(&self, attempt: &Attempt<'_>, to: Square, action: &ActionSpec) -> Option<Made> {
        let mut made = Made { pieces: attempt.state.pieces.clone(), mover: None, captured: Vec::new() };
        made.pieces.remove(&attempt.from);
        if *action.action == ActionKind::Capture {
            made.capture(to);
        }
        made.pieces.insert(to, Piece { moved: true, ..attempt.piece.clone() });
        made.mover = Some(to);
        for effect in action.side_effects.iter().chain(attempt.definition.side_effects.iter()) {
            self.apply(&mut made, attempt, effect).ok()?;
        }
        Some(made)
    }

    fn apply(&self, made: &mut Made, attempt: &Attempt<'_>, effect: &Effect) -> Result<(), Blocked> {
        let player = &attempt.piece.player;
        let at = |offset: Coord| self.offset(attempt.from, player, offset);
        match effect {
            Effect::SetState { state, duration } => {
                made.mark(state, duration.as_ref().map(|turns| **turns as u32), attempt.state.slot);
                Ok(())
            }
            Effect::Capture { target } => {
                made.capture(at(**target));
                Ok(())
            }
            Effect::Move { piece, from, to } => {
                let own = |found: &Piece| found.player == *player;
                let meant = |found: &Piece| piece.as_ref().is_none_or(|kind| **kind == found.kind);
                match made.pieces.get(&at(**from)) {
                    Some(found) if own(found) && meant(found) => self.relocate(made, at(**from), at(**to)),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Moves a piece aside. It may be the moving piece itself, which is then followed.
    fn relocate(&self, made: &mut Made, from: Square, to: Square) -> Result<(), Blocked> {
        if !self.exists(to) || made.pieces.contains_key(&to) {
            return Err(Blocked);
        }
        if let Some(piece) = made.pieces.remove(&from) {
            made.pieces.insert(to, Piece { moved: true, ..piece });
        }
        if made.mover == Some(from) {
            made.mover = Some(to);
        }
        Ok(())
    }
}

impl Made {
    /// Removes what stands on the square, if anything does; even the moving piece.
    fn capture(&mut self, square: Square) {
        self.captured.extend(self.pieces.remove(&square));
        if self.mover == Some(square) {
            self.mover = None;
        }
    }

    /// Puts a flag on the moving piece, in place of an equal one. A flag that stays for ever has no use for a slot.
    fn mark(&mut self, state: &str, remaining: Option<u32>, slot: usize) {
        if let Some(piece) = self.mover.and_then(|square| self.pieces.get_mut(&square)) {
            piece.flags.insert(state.to_owned(), Mark { remaining, slot: remaining.map(|_| slot) });
        }
    }
}
