//! Squares, offsets between them, the shape of a board, and how a player is oriented on it.

use std::fmt;

/// A square of one board: its index, rank by rank from the bottom left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u16);

impl Square {
    /// Returns the index, for tables.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// An offset from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Offset {
    /// Columns to the right.
    pub dx: i32,
    /// Rows upwards.
    pub dy: i32,
}

impl Offset {
    /// Returns the offset `[dx, dy]`.
    pub const fn new(dx: i32, dy: i32) -> Self {
        Offset { dx, dy }
    }

    /// Returns the shortest offset in the same direction, and how many of them make up this one.
    #[inline]
    pub fn unit(self) -> (Offset, u32) {
        let divisor = gcd(self.dx.unsigned_abs(), self.dy.unsigned_abs()).max(1);
        let by = divisor as i32;
        (Offset::new(self.dx / by, self.dy / by), divisor)
    }

    /// Returns the opposite offset.
    #[must_use]
    #[inline]
    pub fn reversed(self) -> Offset {
        Offset::new(-self.dx, -self.dy)
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A player's orientation: one of the 8 symmetries of the square.
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
pub struct Orientation([[i32; 2]; 2]);

impl Orientation {
    /// The orientation of a player who moves up the board.
    pub const UP: Orientation = Orientation([[1, 0], [0, 1]]);

    /// Returns the symmetry with this matrix, or `None` if the matrix is not a symmetry.
    pub fn new(matrix: [[i32; 2]; 2]) -> Option<Self> {
        let [[a, b], [c, d]] = matrix;
        let lines = [[a, b], [c, d], [a, c], [b, d]];
        lines.iter().all(|line| matches!(line, [1 | -1, 0] | [0, 1 | -1])).then_some(Orientation(matrix))
    }

    /// Turns a step of the rules into the player's step on the board.
    #[inline]
    pub fn turn(self, step: Offset) -> Offset {
        let [[a, b], [c, d]] = self.0;
        Offset::new(step.dx * a + step.dy * c, step.dx * b + step.dy * d)
    }

    /// Turns a step on the board back into a step of the rules; the inverse of [`Orientation::turn`].
    #[inline]
    pub fn back(self, step: Offset) -> Offset {
        // The inverse of a symmetry is its transpose.
        let [[a, b], [c, d]] = self.0;
        Orientation([[a, c], [b, d]]).turn(step)
    }
}

/// The shape of a board: a rectangle, possibly with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    files: u16,
    ranks: u16,
    enabled: Box<[bool]>,
}

impl Board {
    /// The maximum number of squares.
    pub const MAX_SQUARES: usize = 1024;

    /// Returns a rectangle without the `disabled` squares, or `None` if it has no squares, more than
    /// [`Board::MAX_SQUARES`], or a hole outside the rectangle.
    pub(crate) fn new(files: u16, ranks: u16, disabled: &[(u16, u16)]) -> Option<Self> {
        let squares = usize::from(files) * usize::from(ranks);
        if !(1..=Self::MAX_SQUARES).contains(&squares) {
            return None;
        }
        let mut enabled = vec![true; squares].into_boxed_slice();
        for &(x, y) in disabled {
            if x >= files || y >= ranks {
                return None;
            }
            enabled[usize::from(y) * usize::from(files) + usize::from(x)] = false;
        }
        Some(Board { files, ranks, enabled })
    }

    /// Returns the number of columns.
    #[inline]
    pub fn files(&self) -> u16 {
        self.files
    }

    /// Returns the number of rows.
    #[inline]
    pub fn ranks(&self) -> u16 {
        self.ranks
    }

    /// Returns the number of squares of the rectangle, including holes.
    #[inline]
    pub fn len(&self) -> usize {
        self.enabled.len()
    }

    /// Returns `false`: a board has at least one square.
    #[inline]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the square in a column and row, unless it is off the board or a hole.
    #[inline]
    pub fn square(&self, x: i32, y: i32) -> Option<Square> {
        let inside = (0..i32::from(self.files)).contains(&x) && (0..i32::from(self.ranks)).contains(&y);
        let square = inside.then(|| Square((y * i32::from(self.files) + x) as u16))?;
        self.enabled[square.index()].then_some(square)
    }

    /// Returns the Chebyshev distance between two squares: the larger of the distances in files and in ranks.
    #[inline]
    pub fn distance(&self, one: Square, other: Square) -> u32 {
        let ((x, y), (to_x, to_y)) = (self.coords(one), self.coords(other));
        (to_x - x).unsigned_abs().max((to_y - y).unsigned_abs())
    }

    /// Returns the column and row of a square.
    #[inline]
    pub fn coords(&self, square: Square) -> (i32, i32) {
        (i32::from(square.0 % self.files), i32::from(square.0 / self.files))
    }

    /// Returns whether the square is inside the rectangle and not a hole.
    #[inline]
    pub fn has(&self, square: Square) -> bool {
        self.enabled.get(square.index()).copied().unwrap_or(false)
    }

    /// Returns the square at an offset, if it exists.
    #[inline]
    pub fn step(&self, from: Square, offset: Offset) -> Option<Square> {
        let (x, y) = self.coords(from);
        self.square(x + offset.dx, y + offset.dy)
    }

    /// Iterates over all squares that exist, rank by rank from the bottom left.
    #[inline]
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        (0..self.len() as u16).map(Square).filter(|square| self.has(*square))
    }

    /// Returns the name of a square: files are a … z, aa, ab …; ranks start at 1.
    pub fn name(&self, square: Square) -> String {
        let (x, y) = self.coords(square);
        format!("{}{}", FileName(x as u32), y + 1)
    }

    /// Returns the square with this name, if it is on the board.
    pub fn parse(&self, name: &str) -> Option<Square> {
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let (file, rank) = name.split_at(digits);
        if file.is_empty() || file.len() > 3 || rank.starts_with('0') || rank.len() > 4 {
            return None;
        }
        let x = file.bytes().try_fold(0u32, |sum, byte| {
            byte.is_ascii_lowercase().then(|| sum * 26 + u32::from(byte - b'a') + 1)
        })?;
        let y = rank.bytes().all(|byte| byte.is_ascii_digit()).then(|| rank.parse::<i32>().ok())??;
        self.square(x as i32 - 1, y - 1)
    }
}

/// Formats a column, counted from 0, as letters.
#[derive(Clone, Copy, Debug)]
pub struct FileName(pub u32);

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 26 {
            FileName(self.0 / 26 - 1).fmt(f)?;
        }
        write!(f, "{}", char::from(b'a' + (self.0 % 26) as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_names_round_trip() {
        let board = Board::new(1024, 1, &[]).unwrap();
        for square in board.squares() {
            assert_eq!(board.parse(&board.name(square)), Some(square));
        }
        assert_eq!(board.name(Square(25)), "z1");
        assert_eq!(board.name(Square(26)), "aa1");
        for nonsense in ["", "a", "1", "a0", "a01", "A1", "a1x", "zzzz1", "a2", "ä1", "a99999"] {
            assert_eq!(board.parse(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn back_inverts_turn() {
        for a in -1..=1 {
            for b in -1..=1 {
                for matrix in [[[a, 0], [0, b]], [[0, a], [b, 0]]] {
                    let Some(orientation) = Orientation::new(matrix) else { continue };
                    let step = Offset::new(3, -7);
                    assert_eq!(orientation.back(orientation.turn(step)), step, "{matrix:?}");
                }
            }
        }
    }

    #[test]
    fn holes_are_not_squares() {
        let board = Board::new(3, 3, &[(1, 1)]).unwrap();
        assert_eq!(board.square(1, 1), None);
        assert_eq!(board.squares().count(), 8);
        assert_eq!(board.parse("b2"), None);
    }

    #[test]
    fn boards_have_limits() {
        assert!(Board::new(32, 32, &[]).is_some());
        assert!(Board::new(33, 32, &[]).is_none());
        assert!(Board::new(0, 8, &[]).is_none());
    }
}
