//! Finishes a move that was made on the board, in the order of the rules: promotion and replacements, captured leaders,
//! control, figures, reactions, and flag countdowns. Legality is judged afterwards.

use tabiya_spec::model::{ModifierSpec, MoveSpec};

use crate::make_move::MadeMove;
use crate::parts::UnfinishedTurn;
use crate::pattern::Attempt;
use crate::results::Events;
use crate::{Mark, Oracle, Piece, Spot, Square, State};

/// The state after a move, before the turn passes on.
#[derive(Clone, Debug)]
pub(crate) struct FinishedMove {
    pub(crate) state: State,
    /// Whether the move has removed a leader of the mover, which is illegal.
    pub(crate) lost_own: bool,
    /// Whether the move has removed any leader.
    pub(crate) took_leader: bool,
    /// What the move did.
    pub(crate) events: Events,
    /// Who moves next.
    pub(crate) following: Following,
}

/// Who moves next after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Following {
    /// The next slot.
    #[default]
    Next,
    /// The same slot again.
    Same,
    /// The next slot of another player.
    Another,
}

impl Oracle<'_> {
    /// Finishes a move of a piece from a spot to a square, with a choice of promotion. The events lack captures and the
    /// promotion.
    pub(crate) fn finished(
        &self,
        (before, piece, from, to): (&State, &Piece, Spot, Square),
        mut made: MadeMove,
        (promotion, modifier): (Option<&str>, Option<&ModifierSpec>),
        mut events: Events,
    ) -> FinishedMove {
        let player = self.to_move(before);
        // Whether a player has lost is judged before the piece is promoted.
        let mut lost: Vec<Piece> = made.captured.clone();
        lost.retain(|piece| self.is_lost_with(&made.state, piece));
        if let (Some(spot), Some(kind)) = (made.mover, promotion) {
            let replaced = modifier.and_then(|it| it.replaces.as_ref()).and_then(|it| it.get(kind));
            let taken = made.state.turn.clone().unwrap_or_default().taken;
            if let Some(other) = replaced {
                let is_other = |at: Spot, piece: &Piece| {
                    at != spot && piece.player == player && piece.kind == kind && !taken.contains(&at.square)
                };
                self.transform(&mut made.state, other, is_other);
            }
            self.transform(&mut made.state, kind, |at, _| at == spot);
        }
        self.give(&mut made, 0, player);
        events.captured = made.captured.iter().map(|piece| piece.kind.clone()).collect();
        events.entered.clone_from(&made.dropped);
        events.promoted = events.promoted.or(made.mover.and(promotion).map(str::to_owned));
        let took_leader = !lost.is_empty();
        let following = Following::Next;
        let mut so_far = FinishedMove { state: made.state, lost_own: false, took_leader, events, following };
        let definition = &MoveSpec::default();
        let attempt = Attempt {
            state: before,
            from: from.square,
            guest: from.guest,
            piece,
            definition,
            minds_attacks: true,
        };
        let losses = self.fire_triggers(&attempt, &mut so_far, &mut made.mover, to);
        lost.extend(losses.lost);
        made.captured.extend(losses.captured);
        let mut following = so_far.following;
        if self.has_parts() {
            let next = self.next_part(before, &attempt, to, &so_far);
            let earlier = before.turn.clone().unwrap_or_default();
            if following == Following::Next {
                following = crate::parts::following(earlier.following);
            }
            let turn = UnfinishedTurn {
                part: next.unwrap_or(0),
                made: earlier.made + 1,
                mover: made.mover.map(|spot| spot.square),
                taken: so_far.state.turn.take().unwrap_or_default().taken,
                lost: [earlier.lost, lost.clone()].concat(),
                following: following as u8,
            };
            so_far.state.turn = Some(turn);
            if next.is_some() {
                so_far.lost_own = lost.iter().any(|leader| leader.player == player);
                so_far.following = Following::Next;
                return so_far;
            }
            lost = self.remove_taken(&mut so_far.state);
        }
        (made.state, events) = (so_far.state, so_far.events);
        self.end_of_move(before, made, lost, events, following, piece)
    }

    /// Applies the consequences of a whole move: lost leaders, control, figures, reactions and flags that count down.
    pub(crate) fn end_of_move(
        &self,
        before: &State,
        mut made: MadeMove,
        mut lost: Vec<Piece>,
        mut events: Events,
        following: Following,
        piece: &Piece,
    ) -> FinishedMove {
        let player = self.to_move(before);
        let chooser = before.control.get(player).map_or(player, String::as_str);
        let before_figures = made.captured.len();
        self.lose_leaders(&mut made.state, &lost, chooser);
        self.take_control(&mut made, piece);
        self.complete_figures(&mut made, chooser);
        lost.extend(
            made.captured[before_figures..].iter().filter(|it| self.is_lost_with(&made.state, it)).cloned(),
        );
        self.give(&mut made, before_figures, player);
        events.captured.extend(made.captured[before_figures..].iter().map(|piece| piece.kind.clone()));
        self.react(&mut made);
        count_down(&mut made.state, before.slot);
        FinishedMove {
            lost_own: lost.iter().any(|leader| leader.player == player),
            took_leader: !lost.is_empty(),
            events,
            following,
            state: made.state,
        }
    }

    /// Replaces some pieces by new ones of another kind, on the same squares and with the same owners.
    pub(crate) fn transform(&self, state: &mut State, kind: &str, which: impl Fn(Spot, &Piece) -> bool) {
        let chosen = state.all_pieces().filter(|(spot, piece)| which(*spot, piece));
        let changes: Vec<(Spot, Piece)> =
            chosen.map(|(spot, piece)| (spot, self.new_piece(kind, &piece.player, spot.square))).collect();
        for (spot, piece) in changes {
            if let Some(place) = state.at_mut(spot) {
                *place = piece;
            }
        }
    }
}

/// Counts down the flags of other slots after a turn.
pub(crate) fn count_down(state: &mut State, moved: usize) {
    for piece in state.pieces.values_mut() {
        let flags = std::mem::take(&mut piece.flags).into_iter();
        piece.flags = flags.filter_map(|(name, mark)| Some((name, after_turn(mark, moved)?))).collect();
    }
}

/// Returns the mark after a turn of a slot, if it has not expired.
fn after_turn(mark: Mark, moved: usize) -> Option<Mark> {
    match mark.remaining {
        Some(remaining) if mark.slot != Some(moved) => {
            let left = remaining.saturating_sub(1);
            (left > 0).then_some(Mark { remaining: Some(left), ..mark })
        }
        _ => Some(mark),
    }
}
