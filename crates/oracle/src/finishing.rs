//! From a board on which a move has been made to the position that is judged, in the order of the rules: other pieces
//! are replaced, the promotion stands, captured leaders have their fate, leaders take control, figures capture, pieces
//! react, and the flags have counted the turn. Only then is it asked whether the move was legal.

use tabiya_spec::model::ModifierSpec;

use crate::making::Made;
use crate::pattern::Attempt;
use crate::{Mark, Oracle, Piece, Spot, State};

/// The position after a move, with the turn still at the slot that moved.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) state: State,
    /// Whether the move has removed a leader of the mover, which no move may.
    pub(crate) lost_own: bool,
    /// Whether the move has removed a leader.
    pub(crate) took_leader: bool,
}

impl Oracle<'_> {
    /// What comes of a move that was made, with a choice of promotion.
    pub(crate) fn finished(
        &self,
        Attempt { state: before, piece, .. }: &Attempt<'_>,
        mut made: Made,
        promotion: Option<&str>,
        modifier: Option<&ModifierSpec>,
    ) -> Finished {
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
        self.leaders_fall(&mut made.state, &made.captured, chooser);
        self.take_control(&mut made, piece);
        self.complete_figures(&mut made, chooser);
        self.react(&mut made);
        count_down(&mut made.state, before.slot);
        let is_leader = |piece: &&Piece| self.is_leader(&piece.kind);
        let mut leaders = made.captured.iter().filter(is_leader);
        Finished {
            lost_own: leaders.clone().any(|leader| leader.player == player),
            took_leader: leaders.next().is_some(),
            state: made.state,
        }
    }

    /// Some pieces become fresh ones of another kind, each where it stands and of the owner that it has.
    pub(crate) fn transform(&self, state: &mut State, kind: &str, which: impl Fn(Spot, &Piece) -> bool) {
        let meant = state.men().filter(|(spot, piece)| which(*spot, piece));
        let changes: Vec<(Spot, Piece)> =
            meant.map(|(spot, piece)| (spot, self.appearing(kind, &piece.player, spot.square))).collect();
        for (spot, piece) in changes {
            if let Some(place) = state.at_mut(spot) {
                *place = piece;
            }
        }
    }
}

/// One turn of a slot is over: the flags that other slots have set come nearer to their end.
pub(crate) fn count_down(state: &mut State, moved: usize) {
    for piece in state.pieces.values_mut() {
        let flags = std::mem::take(&mut piece.flags).into_iter();
        piece.flags = flags.filter_map(|(name, mark)| Some((name, after_turn(mark, moved)?))).collect();
    }
}

/// The mark after a turn of a slot, if it is still there.
fn after_turn(mark: Mark, moved: usize) -> Option<Mark> {
    match mark.remaining {
        Some(remaining) if mark.slot != Some(moved) => {
            let left = remaining.saturating_sub(1);
            (left > 0).then_some(Mark { remaining: Some(left), ..mark })
        }
        _ => Some(mark),
    }
}
