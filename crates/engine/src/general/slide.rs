//! A slide from a square to the first piece in its way.

use crate::general::fan::{Fan, Fans, Way};
use crate::general::set::Set;
use crate::rules::Jump;
use crate::square::{Offset, Square};

/// A direction in which pieces slide until something stands in their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slide {
    jump: Jump,
    ray: Fan,
    /// Whether the numbers of its squares grow.
    rising: bool,
    /// Where on the ray it counts, unless it does everywhere.
    span: Option<Fan>,
}

impl Slide {
    pub(crate) fn new<const W: usize>(fans: &mut Fans<W>, way: Way) -> Self {
        let whole = Way::ray(way.jump);
        Slide {
            jump: way.jump,
            ray: fans.add(vec![whole]),
            rising: is_rising(fans.offset(way.jump)),
            span: (way != whole).then(|| fans.add(vec![way])),
        }
    }

    /// All squares in the direction.
    pub(crate) fn ray<const W: usize>(self, fans: &Fans<W>, from: Square) -> Set<W> {
        fans.from(self.ray, from)
    }

    /// Of some squares in the direction, those at a distance at which it counts.
    pub(crate) fn within<const W: usize>(self, fans: &Fans<W>, from: Square, set: Set<W>) -> Set<W> {
        self.span.map_or(set, |span| set & fans.from(span, from))
    }

    /// Of some squares in the direction, the one that comes first.
    pub(crate) fn first<const W: usize>(self, set: Set<W>) -> Option<Square> {
        if self.rising { set.lowest() } else { set.highest() }
    }

    /// The reach that ends at once, with the neighbour or at the edge. Sets of many words are worth avoiding.
    fn neighbour<const W: usize>(self, fans: &Fans<W>, from: Square, occupied: Set<W>) -> Option<Set<W>> {
        if W < 4 {
            return None;
        }
        match fans.step(self.jump, from) {
            Some(next) => occupied.has(next).then(|| Set::one(next)),
            None => Some(Set::EMPTY),
        }
    }

    /// The squares up to the first piece, which is one of them.
    pub(crate) fn reach<const W: usize>(self, fans: &Fans<W>, from: Square, occupied: Set<W>) -> Set<W> {
        let open = self.neighbour(fans, from, occupied).unwrap_or_else(|| {
            let ray = self.ray(fans, from);
            match self.first(ray & occupied) {
                Some(piece) => ray ^ self.ray(fans, piece),
                None => ray,
            }
        });
        self.within(fans, from, open)
    }
}

/// Whether a step leads to squares with higher numbers. A step sideways stays on its rank.
fn is_rising(step: Offset) -> bool {
    (step.dy, step.dx) > (0, 0)
}
