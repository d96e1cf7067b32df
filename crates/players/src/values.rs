//! What our players think that pieces and armies are worth, for those who measure games.

use tabiya_engine::{Kind, Player, Position, Rules};

use crate::worth::{Board, Worth};

/// The values of one game, in hundredths: a pawn of chess is near 100.
#[derive(Clone, Debug)]
pub struct Values(Worth);

impl Values {
    /// Finds them out from the rules; that takes a while.
    pub fn of(rules: &Rules) -> Self {
        Values(Worth::of(rules))
    }

    /// What a piece of the kind is worth. A leader is worth nothing: it is not for exchange.
    pub fn kind(&self, kind: Kind) -> i32 {
        self.0.kind(kind)
    }

    /// How a player and his partners stand: their armies against the mean army of the others.
    pub fn standing(&self, position: &Position, player: Player) -> i32 {
        let mut board = Board::default();
        self.0.look(position, &mut board);
        self.0.standing(&board, player)
    }
}
