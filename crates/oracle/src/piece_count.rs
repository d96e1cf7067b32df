//! Counting pieces, for moves and endings.

use tabiya_spec::model::Owner;
use tabiya_spec::place::At;

use crate::area::Part;
use crate::{Oracle, Piece, Spot, State};

/// The pieces to count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceFilter<'s> {
    /// Their kinds; by default every kind but the leader.
    pub(crate) kinds: Option<&'s At<Vec<At<String>>>>,
    /// Their owners.
    pub(crate) owner: Owner,
    /// A `POSITION` condition that must list their square for their owner.
    pub(crate) region: Option<&'s At<String>>,
    /// A part of the board that depends on a move.
    pub(crate) area: Option<Part<'s>>,
}

impl Oracle<'_> {
    /// Counts the pieces on the board, guests included.
    pub(crate) fn count(&self, state: &State, own: &str, filter: PieceFilter<'_>) -> i32 {
        self.count_of(&self.owners(state, own, filter.owner), state, filter)
    }

    /// Returns how many more there were at the start, for the owners that count now.
    pub(crate) fn lost(&self, state: &State, own: &str, filter: PieceFilter<'_>) -> i32 {
        let owners = self.owners(state, own, filter.owner);
        self.count_of(&owners, &self.placed(), filter) - self.count_of(&owners, state, filter)
    }

    fn count_of(&self, owners: &[String], state: &State, filter: PieceFilter<'_>) -> i32 {
        let has_kind = |piece: &Piece| match filter.kinds {
            Some(kinds) => kinds.iter().any(|kind| **kind == piece.kind),
            None => !self.is_leader(&piece.kind),
        };
        let counts = |(spot, piece): &(Spot, &Piece)| {
            owners.contains(&piece.player)
                && has_kind(piece)
                && filter.region.is_none_or(|code| self.lists(code, &piece.player, spot.square))
        };
        let meant: Vec<Spot> = state.all_pieces().filter(counts).map(|(spot, _)| spot).collect();
        let is_inside =
            |spot: &&Spot| filter.area.is_none_or(|part| self.has(state, &meant, part, spot.square));
        meant.iter().filter(is_inside).count() as i32
    }
}
