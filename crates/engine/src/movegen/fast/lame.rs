//! Leaps over squares that must be empty, such as those of the horse in xiangqi. The ends are looked up by the pieces in
//! the way.

use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::slide::Group;

/// A leap seen from one of its ends.
#[derive(Clone, Copy)]
pub(super) struct LameLeap<B> {
    /// The squares that must be empty.
    pub(super) way: B,
    /// The other end.
    pub(super) end: B,
}

/// Leaps by square.
pub(crate) struct LameTable<B> {
    leaps: Box<[Box<[LameLeap<B>]>]>,
    /// By square: the other ends if nothing is in the way.
    pub(super) ends: Box<[B]>,
    group: Group<B>,
}

impl<B: Bits> LameTable<B> {
    /// Returns the table, unless the leaps of one square have too many squares in their way.
    pub(super) fn new(leaps: Vec<Vec<LameLeap<B>>>) -> Option<Self> {
        let union = |square: usize, set: fn(&LameLeap<B>) -> B| {
            leaps[square].iter().fold(B::ZERO, |all, leap| all | set(leap))
        };
        let ends = (0..leaps.len()).map(|square| union(square, |leap| leap.end)).collect();
        let group = Group::tabulate(
            leaps.len(),
            |square| union(square, |leap| leap.way),
            |square, occupied| free_ends(&leaps[square], occupied),
        )?;
        Some(LameTable { leaps: leaps.into_iter().map(Vec::into_boxed_slice).collect(), ends, group })
    }

    /// Returns the leaps at a square.
    pub(super) fn at(&self, square: usize) -> &[LameLeap<B>] {
        &self.leaps[square]
    }

    /// Returns the ends of the leaps without a piece in their way, one by one.
    #[inline(always)]
    pub(super) fn one_by_one(&self, square: usize, occupied: B) -> B {
        free_ends(&self.leaps[square], occupied)
    }

    /// Returns the same ends, looked up.
    ///
    /// # Safety
    ///
    /// The machine must have BMI2.
    #[inline(always)]
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    #[allow(unsafe_code, reason = "only some machines have PEXT; the caller tests it")]
    pub(super) unsafe fn by_pext(&self, square: usize, occupied: B) -> B {
        // SAFETY: the caller guarantees BMI2.
        unsafe { self.group.by_pext(square, occupied) }
    }
}

#[inline(always)]
fn free_ends<B: Bits>(leaps: &[LameLeap<B>], occupied: B) -> B {
    let free = leaps.iter().filter(|leap| (leap.way & occupied).is_empty());
    free.fold(B::ZERO, |ends, leap| ends | leap.end)
}
