//! The targets of slides.
//!
//! Directions used by the same kinds form a class: orthogonal lines and diagonals in chess, so that a queen is a rook
//! plus a bishop. A class is looked up by PEXT where the machine has it, and computed from rays elsewhere.

#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
use crate::movegen::fast::bits::lookup;
use crate::movegen::fast::bits::{Bits, squares};
use crate::square::{Board, Offset, Square};

/// Directions used by the same kinds.
pub(crate) struct Class<B> {
    pub(crate) directions: Vec<Offset>,
    rays: Vec<Ray<B>>,
    /// The tables; usually one is enough.
    first: Group<B>,
    pub(crate) further: Vec<Group<B>>,
}

/// One direction.
struct Ray<B> {
    /// By square: all squares ahead.
    ahead: Box<[B]>,
    /// Whether squares ahead have higher indices.
    ascends: bool,
}

/// Directions that are looked up together.
pub(crate) struct Group<B> {
    /// By square: the relevant squares, and the start of its part of the table.
    entries: Box<[(B, u32)]>,
    table: Box<[B]>,
}

/// Returns the maximum number of relevant squares. The table of a square has two to that power entries.
fn index_bits<B: Bits>() -> u32 {
    if size_of::<B>() == 8 { 12 } else { 9 }
}

impl<B: Bits> Class<B> {
    pub(crate) fn new(board: &Board, directions: &[Offset]) -> Self {
        let rays: Vec<Ray<B>> = directions.iter().map(|direction| Ray::new(board, *direction)).collect();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        // Opposite directions stay together, so that a line is one lookup.
        for (index, direction) in directions.iter().enumerate() {
            let opposite = groups
                .iter_mut()
                .find(|group| group.iter().any(|it| directions[*it] == direction.reversed()));
            match opposite {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        let mut merged: Vec<Vec<usize>> = Vec::new();
        for group in groups {
            let fits = |other: &&mut Vec<usize>| {
                let both: Vec<usize> = other.iter().chain(&group).copied().collect();
                (0..board.len()).all(|square| relevant(&rays, &both, square).count() <= index_bits::<B>())
            };
            match merged.iter_mut().find(fits) {
                Some(other) => other.extend(group),
                None => merged.push(group),
            }
        }
        let mut groups = merged.iter().map(|group| Group::new(board.len(), &rays, group));
        let first = groups.next().unwrap_or_else(|| Group::new(board.len(), &rays, &[]));
        let further = groups.collect();
        Class { directions: directions.to_vec(), rays, first, further }
    }

    /// Returns the squares that a slide from `square` reaches or captures on, computed from rays.
    #[inline(always)]
    pub(crate) fn by_rays(&self, square: usize, occupied: B) -> B {
        self.rays.iter().fold(B::ZERO, |reach, ray| reach | ray.reach(square, occupied))
    }

    /// Returns the same squares, looked up in tables.
    ///
    /// # Safety
    ///
    /// The machine must have BMI2.
    #[inline(always)]
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    #[allow(unsafe_code, reason = "only some machines have PEXT; the caller tests it")]
    pub(crate) unsafe fn by_pext<const SINGLE: bool>(&self, square: usize, occupied: B) -> B {
        // SAFETY: the caller guarantees BMI2.
        let mut reach = unsafe { self.first.by_pext(square, occupied) };
        if !SINGLE {
            for group in &self.further {
                // SAFETY: as above.
                reach |= unsafe { group.by_pext(square, occupied) };
            }
        }
        reach
    }

    /// Returns the squares strictly between two squares on a line of the class; empty if they are not on one.
    pub(crate) fn between(&self, from: usize, to: usize) -> B {
        let target = B::bit(to);
        let ray = self.rays.iter().find(|ray| !(ray.ahead[from] & target).is_empty());
        ray.map_or(B::ZERO, |ray| ray.ahead[from] & !ray.ahead[to] & !target)
    }
}

impl<B: Bits> Class<B> {
    /// Returns all squares on a line of the class from one square through another; empty if they are not on one.
    pub(crate) fn line(&self, from: usize, through: usize) -> B {
        let ray = self.rays.iter().find(|ray| !(ray.ahead[from] & B::bit(through)).is_empty());
        ray.map_or(B::ZERO, |ray| ray.ahead[from])
    }
}

impl<B: Bits> Ray<B> {
    fn new(board: &Board, direction: Offset) -> Self {
        let ahead = (0..board.len() as u16)
            .map(|square| {
                let mut set = B::ZERO;
                let mut at = Square(square);
                while let Some(next) = board.has(at).then(|| board.step(at, direction)).flatten() {
                    set |= B::bit(next.index());
                    at = next;
                }
                set
            })
            .collect();
        let by = direction.dy * i32::from(board.files()) + direction.dx;
        Ray { ahead, ascends: by > 0 }
    }

    #[inline(always)]
    fn reach(&self, square: usize, occupied: B) -> B {
        let ahead = self.ahead[square];
        let blockers = ahead & occupied;
        if blockers.is_empty() {
            return ahead;
        }
        let first = if self.ascends { blockers.lowest() } else { blockers.highest() };
        ahead & !self.ahead[first]
    }
}

/// Returns the squares on which a piece can block: all but the last of each ray.
fn relevant<B: Bits>(rays: &[Ray<B>], group: &[usize], square: usize) -> B {
    group.iter().fold(B::ZERO, |set, index| {
        let ray = &rays[*index];
        let ahead = ray.ahead[square];
        if ahead.is_empty() {
            return set;
        }
        let last = if ray.ascends { ahead.highest() } else { ahead.lowest() };
        set | (ahead & !B::bit(last))
    })
}

impl<B: Bits> Group<B> {
    /// Looks up the targets.
    ///
    /// # Safety
    ///
    /// The machine must have BMI2.
    #[inline(always)]
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    #[allow(unsafe_code, reason = "see above")]
    pub(super) unsafe fn by_pext(&self, square: usize, occupied: B) -> B {
        let (mask, start) = lookup(&self.entries, square);
        // SAFETY: the caller guarantees BMI2.
        let index = unsafe { pext(occupied, mask) };
        lookup(&self.table, start as usize + index)
    }

    fn new(board: usize, rays: &[Ray<B>], group: &[usize]) -> Self {
        let mask = |square| relevant(rays, group, square);
        let reach = |square, occupied| {
            group.iter().fold(B::ZERO, |reach, it| reach | rays[*it].reach(square, occupied))
        };
        Group::filled(board, mask, reach)
    }

    /// Returns the table of sets that depend on a square and on the occupied ones among its relevant squares, unless too
    /// many squares are relevant.
    pub(super) fn tabulate(
        board: usize,
        mask: impl Fn(usize) -> B,
        of: impl Fn(usize, B) -> B,
    ) -> Option<Self> {
        let is_small = (0..board).all(|square| mask(square).count() <= index_bits::<B>());
        is_small.then(|| Group::filled(board, mask, of))
    }

    fn filled(board: usize, mask: impl Fn(usize) -> B, of: impl Fn(usize, B) -> B) -> Self {
        let mut table = Vec::new();
        let entries = (0..board)
            .map(|square| {
                let mask = mask(square);
                let start = table.len() as u32;
                let places: Vec<usize> = squares(mask).collect();
                for index in 0..1usize << places.len() {
                    let occupied = places
                        .iter()
                        .enumerate()
                        .filter(|(bit, _)| index >> bit & 1 == 1)
                        .fold(B::ZERO, |set, (_, place)| set | B::bit(*place));
                    table.push(of(square, occupied));
                }
                (mask, start)
            })
            .collect();
        Group { entries, table: table.into() }
    }
}

#[inline(always)]
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
#[allow(unsafe_code, reason = "see above")]
unsafe fn pext<B: Bits>(set: B, mask: B) -> usize {
    use std::arch::x86_64::_pext_u64;
    let ([low, high], [mask_low, mask_high]) = (set.halves(), mask.halves());
    // SAFETY: the caller guarantees BMI2.
    unsafe {
        if size_of::<B>() == 8 {
            return _pext_u64(low, mask_low) as usize;
        }
        (_pext_u64(low, mask_low) | _pext_u64(high, mask_high) << mask_low.count_ones()) as usize
    }
}
