//! How a player is oriented on the board: a symmetry of its lattice.

use crate::square::Offset;

/// How the squares of a board are arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lattice {
    /// Squares in files and ranks, on one or more levels.
    #[default]
    Square,
    /// Hexagons in files. `[0, 1]` is the next hexagon of a file, `[1, 1]` and `[1, 0]` are those to its right.
    Hex,
}

/// The steps from a hexagon to those with which it shares an edge, in a circle.
const HEX_NEIGHBOURS: [(i32, i32); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

/// A matrix by rows.
type Matrix = [[i32; 3]; 3];

/// A player's orientation: a symmetry of the lattice.
///
/// Moves are written for a player who moves up the board. A step is a row vector: `step' = step · matrix`.
///
/// # Examples
///
/// ```
/// use tabiya_engine::{Offset, Orientation};
///
/// let right = Orientation::new([[0, -1], [1, 0]]).unwrap();
/// assert_eq!(right.turn(Offset::new(0, 1)), Offset::new(1, 0));
/// assert!(Orientation::new([[1, 1], [0, 1]]).is_none(), "a shear is not a symmetry");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orientation(Matrix);

impl Orientation {
    /// The orientation of a player who moves up the board.
    pub const UP: Orientation = Orientation([[1, 0, 0], [0, 1, 0], [0, 0, 1]]);

    /// Returns the symmetry of one level of squares with this matrix, or `None` if the matrix is not a symmetry.
    pub fn new([[a, b], [c, d]]: [[i32; 2]; 2]) -> Option<Self> {
        Orientation::on(Lattice::Square, [[a, b, 0], [c, d, 0], [0, 0, 1]])
    }

    /// Returns the symmetry of a lattice with this matrix, or `None` if the matrix is not a symmetry of it.
    pub fn on(lattice: Lattice, matrix: [[i32; 3]; 3]) -> Option<Self> {
        let orientation = Orientation(matrix);
        orientation.fits(lattice).then_some(orientation)
    }

    /// Iterates over all symmetries of a lattice: 48 of squares on levels, 12 of hexagons.
    pub fn all(lattice: Lattice) -> impl Iterator<Item = Orientation> {
        let units = || (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z])));
        let matrices = units().flat_map(move |a| units().flat_map(move |b| units().map(move |c| [a, b, c])));
        matrices.filter_map(move |matrix| Orientation::on(lattice, matrix))
    }

    /// Returns whether the matrix is a symmetry of a lattice.
    pub(crate) fn fits(self, lattice: Lattice) -> bool {
        let Orientation([first, second, third]) = self;
        match lattice {
            Lattice::Square => {
                let column = |x: usize| [first[x], second[x], third[x]];
                let is_unit = |line: [i32; 3]| {
                    line.iter().all(|it| (-1..=1).contains(it))
                        && line.iter().filter(|it| **it != 0).count() == 1
                };
                let rows = [first, second, third];
                rows.into_iter().chain([0, 1, 2].map(column)).all(is_unit)
            }
            Lattice::Hex => {
                let [[a, b, ab], [c, d, cd]] = [first, second];
                let are_small = [a, b, c, d].iter().all(|it| (-1..=1).contains(it));
                let are_flat = (ab, cd, third) == (0, 0, [0, 0, 1]);
                let is_neighbour = |step| HEX_NEIGHBOURS.contains(&step);
                are_small
                    && are_flat
                    && is_neighbour((a, b))
                    && is_neighbour((c, d))
                    && is_neighbour((a + c, b + d))
            }
        }
    }

    /// Turns a step of the rules into the player's step on the board.
    #[inline]
    pub fn turn(self, step: Offset) -> Offset {
        let Orientation([a, b, c]) = self;
        let Offset { dx, dy, dz } = step;
        let part = |x: usize| dx * a[x] + dy * b[x] + dz * c[x];
        Offset::on_levels(part(0), part(1), part(2))
    }

    /// Turns a step on the board back into a step of the rules; the inverse of [`Orientation::turn`].
    #[inline]
    pub fn back(self, step: Offset) -> Offset {
        self.inverse().turn(step)
    }

    /// Returns 1 for a rotation and -1 for a reflection.
    pub fn determinant(self) -> i32 {
        let Orientation([a, b, c]) = self;
        let cofactors = cross(b, c);
        a[0] * cofactors[0] + a[1] * cofactors[1] + a[2] * cofactors[2]
    }

    fn inverse(self) -> Orientation {
        // The columns of the inverse are the cross products of the rows, divided by the determinant: 1 or -1.
        let Orientation([a, b, c]) = self;
        let sign = self.determinant();
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        Orientation([0, 1, 2].map(|row| columns.map(|column| sign * column[row])))
    }
}

fn cross(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl Lattice {
    /// Iterates over the steps to the squares that touch a square: 8 on one level, 26 on several, 6 for hexagons.
    pub fn neighbours(self, levels: u16) -> impl Iterator<Item = Offset> {
        let around = move |z: i32| match self {
            Lattice::Square => (-1..=1)
                .flat_map(|x| (-1..=1).map(move |y| (x, y)))
                .map(|(x, y)| Offset::on_levels(x, y, z))
                .collect::<Vec<_>>(),
            Lattice::Hex => HEX_NEIGHBOURS.map(|(x, y)| Offset::on_levels(x, y, z)).to_vec(),
        };
        let above = i32::from(levels > 1);
        (-above..=above).flat_map(around).filter(|step| *step != Offset::new(0, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lattices_have_their_symmetries() {
        let flat = |it: &Orientation| it.turn(Offset::on_levels(0, 0, 1)) == Offset::on_levels(0, 0, 1);
        assert_eq!(Orientation::all(Lattice::Square).count(), 48);
        assert_eq!(Orientation::all(Lattice::Square).filter(flat).count(), 8);
        assert_eq!(Orientation::all(Lattice::Hex).count(), 12);
        let rotations = |lattice| Orientation::all(lattice).filter(|it| it.determinant() == 1).count();
        assert_eq!((rotations(Lattice::Square), rotations(Lattice::Hex)), (24, 6));
    }

    #[test]
    fn back_inverts_turn() {
        for lattice in [Lattice::Square, Lattice::Hex] {
            for orientation in Orientation::all(lattice) {
                let step = Offset::on_levels(3, -7, 2);
                assert_eq!(orientation.back(orientation.turn(step)), step, "{orientation:?}");
            }
        }
    }

    #[test]
    fn a_shear_is_a_symmetry_of_hexagons_only() {
        let shear = [[1, 1, 0], [0, -1, 0], [0, 0, 1]];
        assert!(Orientation::on(Lattice::Hex, shear).is_some(), "left stays left, up becomes down");
        assert!(Orientation::on(Lattice::Square, shear).is_none());
        assert!(Orientation::on(Lattice::Hex, [[1, 0, 0], [0, -1, 0], [0, 0, 1]]).is_none());
    }
}
