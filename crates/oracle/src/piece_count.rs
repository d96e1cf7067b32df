//! Counting pieces, for moves and endings.

use tabiya_spec::model::{Anchor, Area, Owner};
use tabiya_spec::place::At;

use crate::{Oracle, Piece, Spot, Square, State};

/// The pieces to count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceFilter<'s> {
    /// Their kinds; by default every kind but the leader.
    pub(crate) kinds: Option<&'s At<Vec<At<String>>>>,
    /// Their owners.
    pub(crate) owner: Owner,
    /// A `POSITION` condition that must list their square for their owner.
    pub(crate) region: Option<&'s At<String>>,
    /// A part of the board that depends on a move, and its source and target.
    pub(crate) area: Option<(Area, Anchor, (Square, Square))>,
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
                && filter.area.is_none_or(|area| self.is_in_area(spot.square, area))
        };
        state.all_pieces().filter(counts).count() as i32
    }
}

impl Oracle<'_> {
    fn is_in_area(
        &self,
        square: Square,
        (area, anchor, (source, target)): (Area, Anchor, (Square, Square)),
    ) -> bool {
        let at = if anchor == Anchor::Source { source } else { target };
        let ((x, y, z), (at_x, at_y, at_z)) = (self.coordinates(square), self.coordinates(at));
        match area {
            Area::File => (x, z) == (at_x, at_z),
            Area::Rank => (y, z) == (at_y, at_z),
            Area::Adjacent => self.neighbours(at).contains(&square),
            Area::Hand => false,
            Area::Between => self.straight(source, target).contains(&square),
        }
    }
}
