//! Squares and the offsets between them.

use std::fmt;

pub(crate) use crate::board::Board;
pub(crate) use crate::orientation::Orientation;

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
    /// Levels upwards.
    pub dz: i32,
}

impl Offset {
    /// Returns the offset `[dx, dy]` on one level.
    pub const fn new(dx: i32, dy: i32) -> Self {
        Offset { dx, dy, dz: 0 }
    }

    /// Returns the offset `[dx, dy, dz]`.
    pub const fn on_levels(dx: i32, dy: i32, dz: i32) -> Self {
        Offset { dx, dy, dz }
    }

    /// Returns the shortest offset in the same direction, and how many of them make up this one.
    #[inline]
    pub fn unit(self) -> (Offset, u32) {
        let Offset { dx, dy, dz } = self;
        let divisor = gcd(gcd(dx.unsigned_abs(), dy.unsigned_abs()), dz.unsigned_abs()).max(1);
        let by = divisor as i32;
        (Offset::on_levels(dx / by, dy / by, dz / by), divisor)
    }

    /// Returns the opposite offset.
    #[must_use]
    #[inline]
    pub fn reversed(self) -> Offset {
        self.times(-1)
    }

    /// Returns the offset repeated a number of times.
    #[must_use]
    #[inline]
    pub fn times(self, count: i32) -> Offset {
        Offset::on_levels(self.dx * count, self.dy * count, self.dz * count)
    }
}

impl fmt::Display for Offset {
    /// Writes two numbers, or three if the offset leads to another level.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Offset { dx, dy, dz } = self;
        if *dz == 0 { write!(f, "[{dx},{dy}]") } else { write!(f, "[{dx},{dy},{dz}]") }
    }
}

pub(crate) fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
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
