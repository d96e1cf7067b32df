//! A slide from a square to the first piece in its way.

use crate::compile::jump_table::Jump;
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::ray_table::{Ray, RayTable, RayTables};
use crate::square::{Offset, Square};

/// A direction in which pieces slide until a piece blocks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slide {
    jump: Jump,
    ray: RayTable,
    /// Whether the square indices increase along the ray.
    rising: bool,
    /// The part of the ray on which the move can land, if not all of it.
    span: Option<RayTable>,
}

impl Slide {
    pub(crate) fn new<const W: usize>(ray_tables: &mut RayTables<W>, ray: Ray) -> Self {
        let whole = Ray::full(ray.jump);
        Slide {
            jump: ray.jump,
            ray: ray_tables.add(vec![whole]),
            rising: is_rising(ray_tables.offset(ray.jump)),
            span: (ray != whole).then(|| ray_tables.add(vec![ray])),
        }
    }

    /// Returns all squares in the direction.
    pub(crate) fn ray<const W: usize>(self, ray_tables: &RayTables<W>, from: Square) -> Bitboard<W> {
        ray_tables.from(self.ray, from)
    }

    /// Returns those of some squares in the direction on which the move can land.
    pub(crate) fn within<const W: usize>(
        self,
        ray_tables: &RayTables<W>,
        from: Square,
        set: Bitboard<W>,
    ) -> Bitboard<W> {
        self.span.map_or(set, |span| set & ray_tables.from(span, from))
    }

    /// Returns the first of some squares in the direction.
    pub(crate) fn first<const W: usize>(self, set: Bitboard<W>) -> Option<Square> {
        if self.rising { set.lowest() } else { set.highest() }
    }

    /// Returns the result of a slide that ends at the neighbour or at the edge. Avoids computing wide bitboards.
    fn neighbour<const W: usize>(
        self,
        ray_tables: &RayTables<W>,
        from: Square,
        occupied: Bitboard<W>,
    ) -> Option<Bitboard<W>> {
        if W < 4 {
            return None;
        }
        match ray_tables.step(self.jump, from) {
            Some(next) => occupied.has(next).then(|| Bitboard::one(next)),
            None => Some(Bitboard::EMPTY),
        }
    }

    /// Returns the squares up to and including the first piece.
    pub(crate) fn reach<const W: usize>(
        self,
        ray_tables: &RayTables<W>,
        from: Square,
        occupied: Bitboard<W>,
    ) -> Bitboard<W> {
        let open = self.neighbour(ray_tables, from, occupied).unwrap_or_else(|| {
            let ray = self.ray(ray_tables, from);
            match self.first(ray & occupied) {
                Some(piece) => ray ^ self.ray(ray_tables, piece),
                None => ray,
            }
        });
        self.within(ray_tables, from, open)
    }
}

/// Returns whether a step leads to higher square indices. A step sideways stays on its rank, and a step on a level stays
/// there.
fn is_rising(step: Offset) -> bool {
    (step.dz, step.dy, step.dx) > (0, 0, 0)
}
