//! Makes a move on the board: the piece moves, then its side effects are applied in order.

use tabiya_spec::model::{ActionKind, ActionSpec, Coord, Effect, Target};

use crate::pattern::{Attempt, is_stay};
use crate::sharing::can_be_captured;
use crate::{Mark, Oracle, Piece, Spot, Square, State};

/// The board after a move and its side effects, before promotion and before the turn ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct MadeMove {
    /// The state; only its board has changed.
    pub(crate) state: State,
    /// The spot of the moving piece; `None` if a side effect removed it.
    pub(crate) mover: Option<Spot>,
    /// All removed pieces, of any owner.
    pub(crate) captured: Vec<Piece>,
    /// The kinds that were dropped together with the move.
    pub(crate) dropped: Vec<(String, Square)>,
}

/// A side effect is blocked, so the move is impossible.
struct Blocked;

impl Oracle<'_> {
    /// Makes the move. Returns `None` if a side effect is blocked. Side effects of the action precede those of the move.
    pub(crate) fn make(&self, attempt: &Attempt<'_>, to: Square, action: &ActionSpec) -> Option<MadeMove> {
        let mut made = MadeMove { state: attempt.state.clone(), ..MadeMove::default() };
        let joins = self.joins(attempt, to);
        if is_stay(attempt.definition) {
            if let Some(piece) = made.state.at_mut(attempt.spot()) {
                piece.moved = true;
            }
            made.mover = Some(attempt.spot());
            return self.with_effects(made, attempt, to, action);
        }
        for square in self.passed(attempt, to) {
            if self.delays_removal() {
                made.captured.extend(made.state.pieces.get(&square).cloned());
                made.state.turn.get_or_insert_default().taken.insert(square);
            } else {
                made.capture(square);
            }
        }
        if *action.action == ActionKind::Shoot || to == attempt.from {
            if *action.action == ActionKind::Shoot && *action.state != Target::Empty {
                made.give_back(to);
                made.capture(to);
            }
            if let Some(piece) = made.state.at_mut(attempt.spot()) {
                piece.moved = true;
            }
            made.mover = Some(attempt.spot());
            return self.with_effects(made, attempt, to, action);
        }
        made.state.lift(attempt.spot());
        if *action.action == ActionKind::Capture {
            made.give_back(to);
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
        self.with_effects(made, attempt, to, action)
    }

    /// Applies the side effects.
    fn with_effects(
        &self,
        mut made: MadeMove,
        attempt: &Attempt<'_>,
        to: Square,
        action: &ActionSpec,
    ) -> Option<MadeMove> {
        for effect in action.side_effects.iter().chain(attempt.definition.side_effects.iter()) {
            self.apply(&mut made, attempt, to, effect).ok()?;
        }
        Some(made)
    }

    fn apply(
        &self,
        made: &mut MadeMove,
        attempt: &Attempt<'_>,
        landing: Square,
        effect: &Effect,
    ) -> Result<(), Blocked> {
        let player = &attempt.piece.player;
        let at = |offset: Coord| self.offset(attempt.from, player, offset);
        match effect {
            Effect::CaptureMarked { state } => {
                for square in self.marking(&made.state, player, state, landing) {
                    made.capture(square);
                }
                Ok(())
            }
            Effect::SetState { state, duration, .. } => {
                made.mark(state, duration.as_ref().map(|turns| **turns as u32), attempt.state.slot);
                Ok(())
            }
            Effect::Capture { target } => {
                made.capture(at(**target));
                Ok(())
            }
            Effect::Drop { piece, target } => {
                let square = target.as_ref().map_or(attempt.from, |target| at(**target));
                self.drop_from_hand(made, attempt.state, player, piece, square).then_some(()).ok_or(Blocked)
            }
            Effect::Move { piece, from, to } => {
                let own = |found: &Piece| found.player == *player;
                let has_kind = |found: &Piece| piece.as_ref().is_none_or(|kind| **kind == found.kind);
                match made.state.pieces.get(&at(**from)) {
                    Some(found) if own(found) && has_kind(found) => self.relocate(made, at(**from), at(**to)),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Relocates the piece (of two, the host) of a square. If it is the moving piece, its spot is updated.
    fn relocate(&self, made: &mut MadeMove, from: Square, to: Square) -> Result<(), Blocked> {
        if made.state.is_taken(from) {
            return Ok(());
        }
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

impl MadeMove {
    /// Removes all pieces of the square, even the moving one, if one of them can be captured.
    pub(crate) fn capture(&mut self, square: Square) {
        if self.state.is_taken(square) {
            return;
        }
        if !self.state.both(square).any(|victim| can_be_captured(&self.state, victim)) {
            return;
        }
        self.captured.extend(self.state.clear(square));
        self.mover = self.mover.filter(|spot| spot.square != square);
    }

    /// Puts a piece that was captured on the way back into play, because it is captured again where the move lands.
    fn give_back(&mut self, square: Square) {
        if let Some(turn) = &mut self.state.turn {
            turn.taken.remove(&square);
        }
    }

    /// Sets a flag on the moving piece. Guests have no flags. A permanent flag has no slot.
    fn mark(&mut self, flag: &str, remaining: Option<u32>, slot: usize) {
        let spot = self.mover.filter(|spot| !spot.guest);
        if let Some(piece) = spot.and_then(|spot| self.state.at_mut(spot)) {
            piece.flags.insert(flag.to_owned(), Mark { remaining, slot: remaining.map(|_| slot) });
        }
    }
}
