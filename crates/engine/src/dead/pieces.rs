//! The pieces of a position as a proof sees them. Each has a number below 64, so that a set of pieces is one word.

use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// A set of pieces, by number.
pub(super) type PieceSet = u64;

/// The maximum number of pieces in a proof.
const MAX_PIECES: usize = PieceSet::BITS as usize;

/// A piece on its current square.
#[derive(Clone, Copy)]
pub(super) struct ListedPiece {
    pub(super) home: Square,
    pub(super) player: Player,
    pub(super) kind: Kind,
    pub(super) unmoved: bool,
}

/// All pieces. Those of eliminated players belong to neither side: they block, and both sides may capture them.
pub(super) struct PieceList {
    list: Vec<ListedPiece>,
    /// The pieces of the player for whom a win is to be ruled out.
    pub(super) attackers: PieceSet,
    /// The pieces of the other player.
    pub(super) defenders: PieceSet,
    /// The leaders of both.
    pub(super) leaders: PieceSet,
}

impl PieceList {
    /// Lists the pieces of a position with two players left. Returns `None` if there are too many, or if some belong
    /// to a player who never moves but attacks.
    pub(super) fn of(rules: &Rules, position: &Position, player: Player) -> Option<PieceList> {
        let mut pieces =
            PieceList { list: Vec::with_capacity(MAX_PIECES), attackers: 0, defenders: 0, leaders: 0 };
        let alive = rules.alive(position);
        for owner in rules.players() {
            for kind in rules.kinds() {
                for home in position.squares_of(owner, kind) {
                    let is_alive = alive.contains(owner);
                    if pieces.list.len() == MAX_PIECES || !is_alive && !position.eliminated().contains(owner)
                    {
                        return None;
                    }
                    let piece = ListedPiece { home, player: owner, kind, unmoved: position.unmoved(home) };
                    pieces.add(piece, owner == player, is_alive, Some(kind) == rules.leader());
                }
            }
        }
        Some(pieces)
    }

    fn add(&mut self, piece: ListedPiece, is_hunter: bool, is_alive: bool, is_leader: bool) {
        let bit = bit(self.list.len());
        self.list.push(piece);
        if is_hunter {
            self.attackers |= bit;
        } else if is_alive {
            self.defenders |= bit;
        }
        if is_alive && is_leader {
            self.leaders |= bit;
        }
    }

    /// Returns a piece by number.
    pub(super) fn piece(&self, piece: usize) -> ListedPiece {
        self.list[piece]
    }

    /// Returns the number of pieces.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Iterates over all pieces with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, ListedPiece)> + '_ {
        self.list.iter().copied().enumerate()
    }

    /// Returns the pieces of the same player, who must still be in the game.
    pub(super) fn side_of(&self, piece: usize) -> PieceSet {
        if self.attackers & bit(piece) == 0 { self.defenders } else { self.attackers }
    }

    /// Returns the pieces that an enemy of the piece could capture without ending the game.
    pub(super) fn capturable_by_enemies_of(&self, piece: usize) -> PieceSet {
        let enemies = if self.attackers & bit(piece) == 0 { self.attackers } else { self.defenders };
        !enemies & !self.leaders
    }

    /// Returns whether the piece is a leader.
    pub(super) fn is_leader(&self, piece: usize) -> bool {
        self.leaders & bit(piece) != 0
    }
}

/// Returns the set of one piece.
pub(super) fn bit(piece: usize) -> PieceSet {
    1 << piece
}

/// Iterates over the pieces of a set, in order.
pub(super) fn members(mut set: PieceSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let piece = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(piece)
    })
}
