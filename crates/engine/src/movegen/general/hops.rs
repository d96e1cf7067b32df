//! Slides over hurdles, made by all pieces of a kind at once. The pieces advance together, in one front for each number
//! of hurdles that they have jumped over and, if the way beyond the last hurdle is limited, one for each step of it.

use smallvec::SmallVec;

use crate::blueprint::ending::Owner;
use crate::compile::pattern::{Hurdles, Pattern};
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::generator::Generator;

/// The pieces on their way.
pub(crate) struct Hops<const W: usize> {
    /// By number of hurdles jumped over: the pieces that have more before them.
    before: SmallVec<[Bitboard<W>; 2]>,
    /// By number of steps after the last hurdle; only one set if that number is not limited.
    beyond: SmallVec<[Bitboard<W>; 2]>,
    is_limited: bool,
    /// The pieces that can be jumped over.
    fitting: Bitboard<W>,
}

impl<const W: usize> Hops<W> {
    /// Returns the pieces on their squares.
    pub(crate) fn new(generator: &Generator<'_, W>, hurdles: &Hurdles, pieces: Bitboard<W>) -> Self {
        let board = generator.rules.board();
        let longest = u32::from(board.files().max(board.ranks()));
        let is_limited = hurdles.beyond < longest;
        let mut before = SmallVec::from_elem(Bitboard::EMPTY, hurdles.count as usize);
        before[0] = pieces;
        let fronts = if is_limited { hurdles.beyond as usize } else { 1 };
        Hops {
            before,
            beyond: SmallVec::from_elem(Bitboard::EMPTY, fronts),
            is_limited,
            fitting: fitting(generator, hurdles),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.before.iter().chain(&self.beyond).all(|front| front.is_empty())
    }

    /// Advances all pieces by one step and returns the squares on which they may land.
    pub(crate) fn advance(&mut self, generator: &Generator<'_, W>, pattern: &Pattern) -> Bitboard<W> {
        let shift = &generator.tables.shifts[pattern.jump.index()];
        let mut landings = Bitboard::EMPTY;
        for front in &mut self.beyond {
            *front = shift.ahead(*front);
            landings |= *front;
        }
        let ends = generator.ends(pattern.until);
        for front in &mut self.beyond {
            *front = front.without(ends);
        }
        if self.is_limited {
            self.beyond.rotate_right(1);
            self.beyond[0] = Bitboard::EMPTY;
        }
        // From the last hurdle to the first, so that no piece is advanced twice.
        for jumped in (0..self.before.len()).rev() {
            let front = shift.ahead(self.before[jumped]);
            self.before[jumped] = front.without(generator.occupied);
            let over = front & self.fitting;
            match self.before.get_mut(jumped + 1) {
                Some(next) => *next |= over,
                None => self.beyond[0] |= over,
            }
        }
        landings
    }
}

/// Returns the pieces that can be jumped over. Of two pieces on a square, the host counts.
fn fitting<const W: usize>(generator: &Generator<'_, W>, hurdles: &Hurdles) -> Bitboard<W> {
    let of_owner = match hurdles.owner {
        Owner::Any => generator.occupied,
        Owner::Own => generator.own,
        Owner::Enemy => generator.enemies,
        Owner::Partner => generator.partners,
        Owner::Team => generator.own | generator.partners,
        Owner::Neutral => generator.planes.players(generator.rules.mechanics().neutral),
    };
    hurdles.kinds.as_ref().map_or(of_owner, |kinds| of_owner & generator.planes.kinds(kinds))
}
