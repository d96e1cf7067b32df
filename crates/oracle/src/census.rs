//! How many pieces there are: the one word that moves and endings share.

use tabiya_spec::model::Owner;
use tabiya_spec::place::At;

use crate::{Oracle, Piece, Spot, State};

/// Which pieces are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census<'s> {
    /// Their kinds; every kind but the leader if nothing is said.
    pub(crate) kinds: Option<&'s At<Vec<At<String>>>>,
    /// Their owners.
    pub(crate) owner: Owner,
    /// A `POSITION` condition that must list their square for their owner.
    pub(crate) region: Option<&'s At<String>>,
}

impl Oracle<'_> {
    /// How many such pieces are on the board, guests among them.
    pub(crate) fn count(&self, state: &State, own: &str, census: Census<'_>) -> i32 {
        self.count_of(&self.owners(state, own, census.owner), state, census)
    }

    /// How many more there were at the start, of the players who are meant now.
    pub(crate) fn lost(&self, state: &State, own: &str, census: Census<'_>) -> i32 {
        let owners = self.owners(state, own, census.owner);
        self.count_of(&owners, &self.placed(), census) - self.count_of(&owners, state, census)
    }

    fn count_of(&self, owners: &[String], state: &State, census: Census<'_>) -> i32 {
        let is_meant = |piece: &Piece| match census.kinds {
            Some(kinds) => kinds.iter().any(|kind| **kind == piece.kind),
            None => !self.is_leader(&piece.kind),
        };
        let counts = |(spot, piece): &(Spot, &Piece)| {
            owners.contains(&piece.player)
                && is_meant(piece)
                && census.region.is_none_or(|code| self.lists(code, &piece.player, spot.square))
        };
        state.men().filter(counts).count() as i32
    }
}
