//! Where slides end: tables indexed by the pieces in the way.
//!
//! Directions that the same kinds use form a class: straight lines and diagonals in chess, so that a queen is a rook
//! and a bishop. Two ways to look a class up: by PEXT into tables where the machine has it, by rays and the first
//! piece on them everywhere else.

#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
use crate::fast::bits::look;
use crate::fast::bits::{Bits, squares};
use crate::square::{Board, Offset, Square};

/// Directions that the same kinds use.
pub(crate) struct Class<B> {
    pub(crate) directions: Vec<Offset>,
    rays: Vec<Ray<B>>,
    /// What is looked up: mostly one table.
    first: Group<B>,
    pub(crate) further: Vec<Group<B>>,
}

/// One direction.
struct Ray<B> {
    /// By square: everything ahead.
    ahead: Box<[B]>,
    /// Whether squares ahead have higher numbers.
    ascends: bool,
}

/// Directions that are looked up together.
pub(crate) struct Group<B> {
    /// By square: the squares that matter, and where its part of the table begins.
    entries: Box<[(B, u32)]>,
    table: Box<[B]>,
}

/// How many squares may matter at once; the table of a square has two to that many entries.
fn index_bits<B: Bits>() -> u32 {
    if size_of::<B>() == 8 { 12 } else { 9 }
}

impl<B: Bits> Class<B> {
    pub(crate) fn new(board: &Board, directions: &[Offset]) -> Self {
        let rays: Vec<Ray<B>> = directions.iter().map(|direction| Ray::new(board, *direction)).collect();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        // Opposite directions stand together, so that a line is one look-up at least.
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

    /// Every square that a slide from `square` reaches or captures on, by rays.
    #[inline(always)]
    pub(crate) fn by_rays(&self, square: usize, occupied: B) -> B {
        self.rays.iter().fold(B::ZERO, |reach, ray| reach | ray.reach(square, occupied))
    }

    /// The same, by tables.
    ///
    /// # Safety
    /// The machine must have BMI2.
    #[inline(always)]
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    #[allow(unsafe_code, reason = "PEXT is an instruction of some machines only; the caller has asked")]
    pub(crate) unsafe fn by_pext<const SINGLE: bool>(&self, square: usize, occupied: B) -> B {
        // SAFETY: the caller promises BMI2.
        let mut reach = unsafe { self.first.by_pext(square, occupied) };
        if !SINGLE {
            for group in &self.further {
                // SAFETY: as above.
                reach |= unsafe { group.by_pext(square, occupied) };
            }
        }
        reach
    }

    /// The squares strictly between two squares on a line of the class; nothing if they are on none.
    pub(crate) fn between(&self, from: usize, to: usize) -> B {
        let target = B::bit(to);
        let ray = self.rays.iter().find(|ray| !(ray.ahead[from] & target).is_empty());
        ray.map_or(B::ZERO, |ray| ray.ahead[from] & !ray.ahead[to] & !target)
    }
}

impl<B: Bits> Class<B> {
    /// All squares on the line of the class from one square through another; nothing if they are on none.
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

/// The squares on which a piece changes the reach: all but the last of each ray.
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
    /// # Safety
    /// The machine must have BMI2.
    #[inline(always)]
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    #[allow(unsafe_code, reason = "as above")]
    unsafe fn by_pext(&self, square: usize, occupied: B) -> B {
        let (mask, start) = look(&self.entries, square);
        // SAFETY: the caller promises BMI2.
        let index = unsafe { pext(occupied, mask) };
        look(&self.table, start as usize + index)
    }

    fn new(board: usize, rays: &[Ray<B>], group: &[usize]) -> Self {
        let mut table = Vec::new();
        let entries = (0..board)
            .map(|square| {
                let mask = relevant(rays, group, square);
                let start = table.len() as u32;
                let places: Vec<usize> = squares(mask).collect();
                for index in 0..1usize << places.len() {
                    let occupied = places
                        .iter()
                        .enumerate()
                        .filter(|(bit, _)| index >> bit & 1 == 1)
                        .fold(B::ZERO, |set, (_, place)| set | B::bit(*place));
                    table.push(
                        group.iter().fold(B::ZERO, |reach, it| reach | rays[*it].reach(square, occupied)),
                    );
                }
                (mask, start)
            })
            .collect();
        Group { entries, table: table.into() }
    }
}

#[inline(always)]
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
#[allow(unsafe_code, reason = "as above")]
unsafe fn pext<B: Bits>(set: B, mask: B) -> usize {
    use std::arch::x86_64::_pext_u64;
    let ([low, high], [mask_low, mask_high]) = (set.halves(), mask.halves());
    // SAFETY: the caller promises BMI2.
    unsafe {
        if size_of::<B>() == 8 {
            return _pext_u64(low, mask_low) as usize;
        }
        (_pext_u64(low, mask_low) | _pext_u64(high, mask_high) << mask_low.count_ones()) as usize
    }
}
