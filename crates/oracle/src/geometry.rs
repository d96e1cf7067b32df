//! Squares, directions, and lookups of parts of the spec by name.

use tabiya_spec::model::{CastleSpec, Coord, Direction, GlobalCondition, MoveSpec};
use tabiya_spec::place::At;

use crate::{Oracle, Piece, Square};

impl<'s> Oracle<'s> {
    /// Returns whether the square is on the board and not a hole.
    pub(crate) fn exists(&self, square: Square) -> bool {
        let (x, y) = square;
        let size = &self.spec.board.dimensions;
        let disabled = || self.spec.board.disabled_positions.iter().any(|gap| (gap.x, gap.y) == square);
        (0..size.x).contains(&x) && (0..size.y).contains(&y) && !disabled()
    }

    /// Returns the square at an offset, turned for the player. It need not exist.
    pub(crate) fn offset(&self, origin: Square, player: &str, neutral: Coord) -> Square {
        let spec = self.spec.players.iter().find(|spec| *spec.name == player);
        let direction = spec.map_or_else(Direction::default, |spec| *spec.direction);
        let turned = direction.turn(neutral);
        (origin.0 + turned.x, origin.1 + turned.y)
    }

    /// Returns the move definitions of a kind.
    pub(crate) fn definitions(&self, kind: &str) -> &'s [At<MoveSpec>] {
        self.spec.pieces.iter().find(|spec| *spec.code == kind).map_or(&[], |spec| &spec.moves)
    }

    /// Returns the castling moves of a kind.
    pub(crate) fn castles(&self, kind: &str) -> &'s [At<CastleSpec>] {
        self.spec.pieces.iter().find(|spec| *spec.code == kind).map_or(&[], |spec| &spec.castling)
    }

    /// Returns whether a `POSITION` condition lists the square for the player.
    pub(crate) fn lists(&self, code: &str, player: &str, square: Square) -> bool {
        self.spec.conditions.iter().any(|global| match &**global {
            GlobalCondition::Position { code: name, check } if **name == code => {
                check.get(player).is_some_and(|squares| squares.iter().any(|at| (at.x, at.y) == square))
            }
            _ => false,
        })
    }

    /// Returns whether a kind is the leader.
    pub(crate) fn is_leader(&self, kind: &str) -> bool {
        self.spec.leaders().any(|leader| **leader == kind)
    }

    /// Returns a new piece on a square, with the tag that the square gives.
    pub(crate) fn new_piece(&self, kind: &str, player: &str, square: Square) -> Piece {
        Piece { tag: self.tag_of(kind, square), ..Piece::new(kind, player) }
    }

    /// Returns the tag that a new piece of a kind gets on a square.
    fn tag_of(&self, kind: &str, square: Square) -> Option<String> {
        let tag = self.spec.tag.as_ref()?;
        let carries = tag.pieces.iter().any(|piece| **piece == kind);
        let mut values = tag.values.iter();
        let found = values.find(|(_, squares)| squares.iter().any(|at| (at.x, at.y) == square));
        found.filter(|_| carries).map(|(value, _)| value.clone())
    }
}

/// Returns the squares strictly between two, along the smallest whole step: none for a knight's move, two for a leap of
/// `[3, 0]`. A repeated step follows the same line, so the two ends suffice.
pub(crate) fn between(from: Square, to: Square) -> Vec<Square> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let parts = greatest_common_divisor(dx.abs(), dy.abs());
    (1..parts).map(|part| (from.0 + dx / parts * part, from.1 + dy / parts * part)).collect()
}

fn greatest_common_divisor(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
