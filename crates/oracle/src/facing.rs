//! Pieces that face each other on a line.

use tabiya_spec::model::Along;
use tabiya_spec::place::At;

use crate::{Oracle, Square, State};

/// Kinds and owners of a piece.
type Side<'a> = (&'a [At<String>], Vec<String>);

impl Oracle<'_> {
    /// Returns whether two pieces stand on one of the lines with a number of pieces in between.
    pub(crate) fn is_facing(
        &self,
        state: &State,
        one: &Side<'_>,
        other: &Side<'_>,
        along: Along,
        (least, most): (i32, i32),
    ) -> bool {
        let squares = |(kinds, owners): &Side<'_>| -> Vec<Square> {
            let pieces = state.pieces.iter();
            let meant = pieces.filter(|(_, piece)| {
                owners.contains(&piece.player) && kinds.iter().any(|kind| **kind == piece.kind)
            });
            meant.map(|(square, _)| *square).collect()
        };
        let faces = |from: Square, to: Square| {
            let squares = self.straight(from, to);
            let count = squares.iter().filter(|square| state.pieces.contains_key(square)).count() as i32;
            from != to
                && self.is_line(from, to, along)
                && squares.iter().all(|square| self.exists(*square))
                && least <= count
                && count <= most
        };
        let others = squares(other);
        squares(one).into_iter().any(|from| others.iter().any(|to| faces(from, *to)))
    }

    /// Returns whether two squares of one level are on such a line. Hexagons have no diagonals.
    fn is_line(&self, from: Square, to: Square, along: Along) -> bool {
        let ((x, y, z), (to_x, to_y, to_z)) = (self.coordinates(from), self.coordinates(to));
        let (dx, dy) = (to_x - x, to_y - y);
        if self.is_hex() {
            return z == to_z && along != Along::Diagonal && (dx == 0 || dy == 0 || dx == dy);
        }
        z == to_z
            && match along {
                Along::File => dx == 0,
                Along::Rank => dy == 0,
                Along::Straight => dx == 0 || dy == 0,
                Along::Diagonal => dx.abs() == dy.abs(),
                Along::Any => dx == 0 || dy == 0 || dx.abs() == dy.abs(),
            }
    }
}
