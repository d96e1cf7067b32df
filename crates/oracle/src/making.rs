//! What a move does to the board: the piece goes, and its side effects follow, each where the board then is.

use tabiya_spec::model::{ActionKind, ActionSpec, Coord, Effect};

use crate::pattern::Attempt;
use crate::sharing::may_fall;
use crate::{Mark, Oracle, Piece, Spot, Square, State};

/// The board after a move and its side effects, before promotion and before the turn ends.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The position: nothing but its board has changed yet.
    pub(crate) state: State,
    /// Where the moving piece is now; nowhere, if a side effect removed it.
    pub(crate) mover: Option<Spot>,
    /// All that was removed, whoever owned it.
    pub(crate) captured: Vec<Piece>,
}

/// A side effect that cannot happen: the move is then not offered at all.
struct Blocked;

impl Oracle<'_> {
    /// The board after the move, or nothing if a side effect is blocked. Those of the action come before those of
    /// the move, each list in its order.
    pub(crate) fn make(&self, attempt: &Attempt<'_>, to: Square, action: &ActionSpec) -> Option<Made> {
        let mut made = Made { state: attempt.state.clone(), mover: None, captured: Vec::new() };
        let joins = self.joins(attempt, to);
        made.state.lift(attempt.spot());
        if *action.action == ActionKind::Capture {
            made.capture(to);
        }
        let mut piece = Piece { moved: true, ..attempt.piece.clone() };
        if joins {
            piece.flags.clear();
            made.state.guests.insert(to, piece);
        } else {
            made.state.pieces.insert(to, piece);
        }
        made.mover = Some(Spot { square: to, guest: joins });
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
                match made.state.pieces.get(&at(**from)) {
                    Some(found) if own(found) && meant(found) => self.relocate(made, at(**from), at(**to)),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Moves a piece aside; of two, the host. It may be the moving piece itself, which is then followed.
    fn relocate(&self, made: &mut Made, from: Square, to: Square) -> Result<(), Blocked> {
        if !self.exists(to) || made.state.pieces.contains_key(&to) {
            return Err(Blocked);
        }
        let (host, guest) = (Spot { square: from, guest: false }, Spot { square: from, guest: true });
        if let Some(piece) = made.state.lift(host) {
            made.state.pieces.insert(to, Piece { moved: true, ..piece });
        }
        if made.mover == Some(host) {
            made.mover = Some(Spot { square: to, guest: false });
        } else if made.mover == Some(guest) {
            made.mover = Some(host);
        }
        Ok(())
    }
}

impl Made {
    /// Removes all that stand on the square, if somebody there can be captured; even the moving piece.
    pub(crate) fn capture(&mut self, square: Square) {
        if !self.state.both(square).any(|victim| may_fall(&self.state, victim)) {
            return;
        }
        self.captured.extend(self.state.clear(square));
        self.mover = self.mover.filter(|spot| spot.square != square);
    }

    /// Puts a flag on the moving piece, in place of an equal one; a guest carries none. A flag that stays for ever has
    /// no use for a slot.
    fn mark(&mut self, flag: &str, remaining: Option<u32>, slot: usize) {
        let spot = self.mover.filter(|spot| !spot.guest);
        if let Some(piece) = spot.and_then(|spot| self.state.at_mut(spot)) {
            piece.flags.insert(flag.to_owned(), Mark { remaining, slot: remaining.map(|_| slot) });
        }
    }
}
