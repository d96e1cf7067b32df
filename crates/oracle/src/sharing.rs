//! Shared squares, and which pieces can be captured.
//!
//! Some squares may hold a leader, the host, and one other piece of its team, the guest. Rules that look at such a square
//! see the host; a capture there takes both.

use tabiya_spec::model::{ActionKind, ActionSpec, Join, Target};
use tabiya_spec::place::At;

use crate::pattern::Attempt;
use crate::{Oracle, Piece, Square, State};

impl Oracle<'_> {
    /// Returns whether the piece would join a leader on the square.
    pub(crate) fn joins(&self, attempt: &Attempt<'_>, to: Square) -> bool {
        let open =
            self.spec.sharing.as_ref().is_some_and(|sharing| {
                *sharing.join == Join::Allowed && self.lists_for_any(&sharing.region, to)
            });
        let host = attempt.state.pieces.get(&to);
        let can_host = |host: &Piece| {
            self.is_leader(&host.kind)
                && self.same_team(&host.player, &attempt.piece.player)
                && !attempt.state.frozen.contains(&host.player)
        };
        open && !self.is_leader(&attempt.piece.kind)
            && host.is_some_and(can_host)
            && !attempt.state.guests.contains_key(&to)
    }

    /// Returns the occupancy of a landing square. A square with a leader to join counts as empty.
    pub(crate) fn found_on(&self, attempt: &Attempt<'_>, to: Square) -> Target {
        if self.joins(attempt, to) {
            return Target::Empty;
        }
        self.target(attempt.state.pieces.get(&to), &attempt.piece.player)
    }
}

/// Returns whether the action is possible on the square: a capture needs a piece that it may capture.
pub(crate) fn has_victim(attempt: &Attempt<'_>, to: Square, action: &ActionSpec) -> bool {
    let is_victim =
        |victim: &Piece| can_be_captured(attempt.state, victim) && captures(attempt.piece, victim, action);
    let takes_none = *action.action == ActionKind::Move || *action.state == Target::Empty;
    takes_none || !attempt.is_taken(to) && attempt.state.both(to).any(is_victim)
}

/// Returns whether a piece can be captured. Frozen pieces cannot.
pub(crate) fn can_be_captured(state: &State, victim: &Piece) -> bool {
    !state.frozen.contains(&victim.player)
}

/// Returns whether the action captures pieces of that kind and tag.
fn captures(attacker: &Piece, victim: &Piece, action: &ActionSpec) -> bool {
    let is_in = |kinds: &At<Vec<At<String>>>| kinds.iter().any(|kind| **kind == victim.kind);
    let asks_for_tag = action.same_tag.as_ref().is_some_and(|asks| **asks);
    let fits = attacker.tag.is_none() || victim.tag.is_none() || attacker.tag == victim.tag;
    action.piece.as_ref().is_none_or(is_in)
        && !action.not_piece.as_ref().is_some_and(is_in)
        && (!asks_for_tag || fits)
}
