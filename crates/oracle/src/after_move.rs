//! Finishes a move that was made on the board, in the order of the rules: promotion and replacements, captured leaders,
//! control, figures, reactions, and flag countdowns. Legality is judged afterwards.

use tabiya_spec::model::ModifierSpec;

use crate::make_move::MadeMove;
use crate::{Mark, Oracle, Piece, Spot, State};

/// The state after a move, before the turn passes on.
#[derive(Clone, Debug)]
pub(crate) struct FinishedMove {
    pub(crate) state: State,
    /// Whether the move has removed a leader of the mover, which is illegal.
    pub(crate) lost_own: bool,
    /// Whether the move has removed any leader.
    pub(crate) took_leader: bool,
}

impl Oracle<'_> {
    /// Finishes a move with a choice of promotion.
    pub(crate) fn finished(
        &self,
        (before, piece): (&State, &Piece),
        mut made: MadeMove,
        promotion: Option<&str>,
        modifier: Option<&ModifierSpec>,
    ) -> FinishedMove {
        let player = self.to_move(before);
        let chooser = before.control.get(player).map_or(player, String::as_str);
        if let (Some(spot), Some(kind)) = (made.mover, promotion) {
            let replaced = modifier.and_then(|it| it.replaces.as_ref()).and_then(|it| it.get(kind));
            if let Some(other) = replaced {
                let is_other =
                    |at: Spot, piece: &Piece| at != spot && piece.player == player && piece.kind == kind;
                self.transform(&mut made.state, other, is_other);
            }
            self.transform(&mut made.state, kind, |at, _| at == spot);
        }
        self.capture_leaders(&mut made.state, &made.captured, chooser);
        self.take_control(&mut made, piece);
        self.complete_figures(&mut made, chooser);
        self.react(&mut made);
        count_down(&mut made.state, before.slot);
        let is_leader = |piece: &&Piece| self.is_leader(&piece.kind);
        let mut leaders = made.captured.iter().filter(is_leader);
        FinishedMove {
            lost_own: leaders.clone().any(|leader| leader.player == player),
            took_leader: leaders.next().is_some(),
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
