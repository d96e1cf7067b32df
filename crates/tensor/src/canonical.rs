//! The canonical (8, 8, 18) tensor of chess: own men in planes 0–5, the enemy's in 6–11, repetition in 12, the target of a
//! legal en-passant capture in 13, rights to castle in 14–17. Ranks are flipped for Black, files never.

#[cfg(target_arch = "x86_64")]
mod avx512;

use std::fmt;

use tabiya_engine::blueprint::{Condition, Effect, MovePlan};
use tabiya_engine::mechanics::Mechanics;
use tabiya_engine::{Kind, Move, Offset, Orientation, Player, Rules, Square};
use tabiya_notation::castling_rights;

use crate::encoding::{Plane, Sight, Unfit};
use crate::paint::{Backgrounds, paint};

const PLANES: usize = 18;
const CELLS: usize = 64;
const REPETITION: usize = 12;
const PASSING: usize = 13;
const RIGHTS: usize = 14;

/// What the canonical tensor must know about the rules.
#[derive(Debug)]
pub(crate) struct Canonical18 {
    /// Pawn, knight, bishop, rook, queen, king.
    kinds: [Kind; 6],
    /// By player, king's side before queen's side.
    rights: [[Right; 2]; 2],
    /// The moves that capture beside their target, in passing.
    passing: Vec<(Kind, u8)>,
}

/// A right to castle: two squares as bits, and the partner's kind by its plane. One that is not there has no squares.
#[derive(Clone, Copy, Debug, Default)]
struct Right {
    leader: u64,
    partner: u64,
    kind: usize,
}

impl Canonical18 {
    pub(crate) fn new(rules: &Rules) -> Result<Self, Unfit> {
        let blueprint = rules.blueprint();
        let flat = Orientation::new([[1, 0], [0, -1]]);
        let is_opposite = |index: usize, orientation| blueprint.players()[index].orientation == orientation;
        if blueprint.size() != (8, 8) || !blueprint.disabled().is_empty() {
            return Err(Unfit("the board has eight files and ranks"));
        }
        if rules.players().len() != 2 || rules.order() != [Player(0), Player(1)] {
            return Err(Unfit("two players move in turn"));
        }
        if !is_opposite(0, Orientation::UP) || !flat.is_some_and(|down| is_opposite(1, down)) {
            return Err(Unfit("the first player moves up, the second down"));
        }
        if *rules.mechanics() != Mechanics::default() {
            return Err(Unfit("men move and capture, and nothing else happens"));
        }
        let by_letter = |letter| rules.kinds().find(|kind| rules.kind(*kind).letter == letter);
        let kinds: Vec<Kind> = ['P', 'N', 'B', 'R', 'Q', 'K'].into_iter().filter_map(by_letter).collect();
        let kinds: [Kind; 6] = kinds.try_into().map_err(|_| Unfit("the men are P, N, B, R, Q and K"))?;
        if rules.kinds().count() != kinds.len() || rules.leader() != Some(kinds[5]) {
            return Err(Unfit("the men are P, N, B, R, Q and K, and K leads"));
        }
        let mut rights = [[Right::default(); 2]; 2];
        for right in castling_rights(rules) {
            let partner = blueprint.start().iter().find(|placed| placed.square == right.partner);
            let kind = partner.and_then(|placed| kinds.iter().position(|kind| *kind == placed.kind));
            let entry = &mut rights[right.player.index()][usize::from(!right.is_kingside())];
            if entry.leader != 0 {
                return Err(Unfit("a king castles once to each side"));
            }
            let bit = |square: Square| 1 << square.index();
            let squares = Right { leader: bit(right.leader), partner: bit(right.partner), kind: 0 };
            *entry = kind.map_or(Right::default(), |kind| Right { kind, ..squares });
        }
        let passing = rules.kinds().flat_map(|kind| {
            let moves = (0u8..).zip(&rules.kind(kind).moves);
            moves.filter(|(_, plan)| is_passing(plan)).map(move |(index, _)| (kind, index))
        });
        Ok(Canonical18 { kinds, rights, passing: passing.collect() })
    }

    /// What the planes are.
    pub(crate) fn planes() -> Vec<Plane> {
        let men = ["pawns", "knights", "bishops", "rooks", "queens", "king"];
        let cells = |name: String| Plane { meaning: "1 where one stands".into(), name, is_filled: false };
        let fill =
            |name: &str, meaning: &str| Plane { name: name.into(), meaning: meaning.into(), is_filled: true };
        let own = men.map(|man| cells(format!("own {man}")));
        let enemy = men.map(|man| cells(format!("enemy {man}")));
        let passing = Plane {
            name: "en passant".into(),
            meaning: "1 on the target of a legal en-passant capture".into(),
            is_filled: false,
        };
        let rights = ["own king's side", "own queen's side", "enemy king's side", "enemy queen's side"]
            .map(|side| fill(&format!("castling, {side}"), "1 if the right to castle is there"));
        let repetition = fill("repetition", "how often the position has been there, up to 3, divided by 3");
        own.into_iter().chain(enemy).chain([repetition, passing]).chain(rights).collect()
    }

    /// The position as sets of cells.
    pub(crate) fn compact(&self, sight: &Sight<'_>, seat: Player) -> Compact {
        let position = sight.position;
        let (unmoved, players, all) = position.planes64().expect("the board has 64 squares");
        let is_white = seat.0 == 0;
        let [own, enemy] = if is_white { [0, 1] } else { [1, 0] };
        let kinds: [u64; 6] = self.kinds.map(|kind| all[kind.index()]);
        let mut planes = [0; PLANES];
        for (index, kind) in kinds.into_iter().enumerate() {
            planes[index] = players[own] & kind;
            planes[6 + index] = players[enemy] & kind;
        }
        if !position.marks().is_empty() {
            let is_passing = |played: &&Move| {
                let mut ways = self.passing.iter().filter(|(_, pattern)| *pattern == played.pattern);
                ways.any(|(kind, _)| all[kind.index()] >> played.from.index() & 1 == 1)
            };
            let targets = sight.moves.iter().filter(is_passing).map(|played| 1 << played.to.index());
            // The same step also captures whoever stands on its target; that is not in passing.
            let men = players[0] | players[1];
            planes[PASSING] = targets.fold(0u64, |set, bit| set | bit) & !men;
        }
        if is_white {
            // Cells count from the top: for White the ranks change places, for Black they lie so already.
            for plane in &mut planes[..RIGHTS] {
                *plane = plane.swap_bytes();
            }
        }
        planes[REPETITION] = u64::MAX;
        for (side, player) in [own, enemy].into_iter().enumerate() {
            let still = unmoved & players[player];
            for (wing, right) in self.rights[player].iter().enumerate() {
                // Each of the two is a piece that has never moved, so it stands where it stood at the start.
                let holds =
                    still & right.leader & kinds[5] != 0 && still & right.partner & kinds[right.kind] != 0;
                planes[RIGHTS + 2 * side + wing] = if holds { u64::MAX } else { 0 };
            }
        }
        Compact { planes, repetitions: sight.tally.repetitions.clamp(1, 3) as u8 }
    }
}

/// Whether a move captures beside its target, a piece that carries a flag.
fn is_passing(plan: &MovePlan) -> bool {
    let conditions = plan.conditions.iter().chain(plan.actions.iter().flat_map(|it| &it.conditions));
    let mut effects = plan.effects.iter().chain(plan.actions.iter().flat_map(|it| &it.effects));
    let beside = |effect: &Effect| matches!(effect, Effect::Capture(offset) if *offset != Offset::new(0, 0));
    conditions.into_iter().any(|it| matches!(it, Condition::HasFlag(..))) && effects.any(beside)
}

/// The canonical tensor as 18 sets of cells and a number: 145 bytes instead of 4,608.
///
/// Bit `8 * row + column` of set `plane` is the tensor's `[row, column, plane]`, but for plane 12, whose bits are all set
/// and mean `repetitions / 3`. So `tensor[r, c, p] = (planes[p] >> (8 * r + c) & 1) * (p == 12 ? repetitions / 3 : 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compact {
    planes: [u64; PLANES],
    repetitions: u8,
}

/// Why sets and a number are no canonical tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompactError {
    /// A plane that is the same everywhere is not, by its number.
    Uneven(usize),
    /// Two planes of men, or one and the target of a capture, share a cell: the second of them, by its number.
    Overlap(usize),
    /// The count of repetitions is not 1, 2 or 3.
    Repetitions(u8),
}

impl fmt::Display for CompactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompactError::Uneven(plane) if *plane == REPETITION => {
                write!(f, "plane {plane} has all bits set: it is the same everywhere")
            }
            CompactError::Uneven(plane) => {
                write!(f, "plane {plane} has all bits set or none: it is the same everywhere")
            }
            CompactError::Overlap(plane) => {
                write!(f, "plane {plane} shares a cell with an earlier one, where one man stands at most")
            }
            CompactError::Repetitions(count) => write!(f, "repetitions are 1, 2 or 3, not {count}"),
        }
    }
}

impl std::error::Error for CompactError {}

impl Compact {
    /// The tensor that these sets and this number are.
    pub fn new(planes: [u64; PLANES], repetitions: u8) -> Result<Self, CompactError> {
        if !(1..=3).contains(&repetitions) {
            return Err(CompactError::Repetitions(repetitions));
        }
        let mut taken = 0;
        for (plane, bits) in planes.iter().copied().enumerate() {
            if plane == REPETITION || plane >= RIGHTS {
                let is_even = bits == u64::MAX || bits == 0 && plane != REPETITION;
                is_even.then_some(()).ok_or(CompactError::Uneven(plane))?;
            } else {
                (taken & bits == 0).then_some(()).ok_or(CompactError::Overlap(plane))?;
                taken |= bits;
            }
        }
        Ok(Compact { planes, repetitions })
    }

    /// The sets, by plane.
    pub fn planes(&self) -> &[u64; PLANES] {
        &self.planes
    }

    /// How often the position has been there, up to 3.
    pub fn repetitions(&self) -> u8 {
        self.repetitions
    }

    /// Writes the tensor: `out[(8 * row + column) * 18 + plane]`.
    pub fn expand(&self, out: &mut [f32; CELLS * PLANES]) {
        #[cfg(target_arch = "x86_64")]
        if avx512::detected() {
            avx512::expand(self, out);
            return;
        }
        self.expand_plainly(out);
    }

    /// The same on every machine.
    fn expand_plainly(&self, out: &mut [f32; CELLS * PLANES]) {
        BACKGROUNDS.of(self.background()).cover(out);
        // One loop over all men: a loop for each plane would be mispredicted again and again.
        let mut digits = [0; 4];
        let mut men = 0;
        for (plane, bits) in self.planes.iter().copied().enumerate().filter(|(plane, _)| is_of_cells(*plane))
        {
            men |= bits;
            for (digit, set) in digits.iter_mut().enumerate() {
                if plane >> digit & 1 == 1 {
                    *set |= bits;
                }
            }
        }
        let plane_at = |cell: u32| {
            let digit = |index: usize| (digits[index] >> cell & 1) << index;
            (digit(0) | digit(1) | digit(2) | digit(3)) as usize
        };
        while men != 0 {
            let cell = men.trailing_zeros();
            men &= men - 1;
            paint(out, cell as usize * PLANES + plane_at(cell));
        }
    }

    /// Which background it has: what is the same everywhere.
    fn background(&self) -> usize {
        let rights =
            (0..4).fold(0, |set, right| set | usize::from(self.planes[RIGHTS + right] != 0) << right);
        rights * 3 + usize::from(self.repetitions) - 1
    }
}

/// Whether a plane differs from cell to cell.
const fn is_of_cells(plane: usize) -> bool {
    plane < RIGHTS && plane != REPETITION
}

/// Writes many tensors, one after the other.
///
/// # Panics
/// If `out` does not have 1,152 numbers for each.
pub fn expand(tensors: &[Compact], out: &mut [f32]) {
    let (cells, rest) = out.as_chunks_mut::<{ CELLS * PLANES }>();
    assert!(rest.is_empty() && cells.len() == tensors.len(), "a canonical tensor has 1,152 numbers");
    for (tensor, out) in tensors.iter().zip(cells) {
        tensor.expand(out);
    }
}

/// Everything that is the same on all cells, in every combination.
static BACKGROUNDS: Backgrounds<PLANES, 48> = backgrounds();

#[allow(clippy::cast_precision_loss, reason = "numbers up to three")]
const fn backgrounds() -> Backgrounds<PLANES, 48> {
    let mut cells = [[0.0; PLANES]; 48];
    let mut index = 0;
    while index < 48 {
        // 1/3, 2/3 and 1 as the nearest numbers of 32 bits: counts divided, as everybody divides them.
        cells[index][REPETITION] = (index % 3 + 1) as f32 / 3.0;
        let mut right = 0;
        while right < 4 {
            cells[index][RIGHTS + right] = ((index / 3) >> right & 1) as f32;
            right += 1;
        }
        index += 1;
    }
    Backgrounds::new(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(seed: u64) -> Compact {
        let mut dice = tabiya_engine::SplitMix::new(seed);
        let mut planes = [0u64; PLANES];
        planes[REPETITION] = u64::MAX;
        for cell in 0..CELLS {
            let plane = dice.below(30);
            if plane < RIGHTS && is_of_cells(plane) {
                planes[plane] |= 1 << cell;
            }
        }
        for right in &mut planes[RIGHTS..] {
            *right = if dice.below(2) == 1 { u64::MAX } else { 0 };
        }
        Compact::new(planes, 1 + dice.below(3) as u8).unwrap()
    }

    #[test]
    fn expansion_is_what_the_paper_says_at_every_alignment() {
        for seed in 0..200 {
            let compact = some(seed);
            let mut room = vec![7.0f32; CELLS * PLANES + 40];
            let shift = seed as usize % 20;
            let (before, rest) = room.split_at_mut(shift);
            let (out, after) = rest.split_first_chunk_mut().unwrap();
            for plainly in [false, true] {
                out.fill(7.0);
                if plainly {
                    compact.expand_plainly(out);
                } else {
                    compact.expand(out);
                }
                for (index, number) in out.iter().enumerate() {
                    let (cell, plane) = (index / PLANES, index % PLANES);
                    let whole = if plane == REPETITION { f32::from(compact.repetitions) / 3.0 } else { 1.0 };
                    let is_set = compact.planes[plane] >> cell & 1 == 1;
                    let wanted = if is_set { whole } else { 0.0 };
                    assert_eq!(number.to_bits(), wanted.to_bits(), "seed {seed}, cell {cell}, plane {plane}");
                }
                assert!(
                    before.iter().chain(after.iter()).all(|number| number.to_bits() == 7f32.to_bits()),
                    "seed {seed}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_tensor_is_told() {
        let good = *some(3).planes();
        let with = |plane: usize, bits: u64| {
            let mut planes = good;
            planes[plane] = bits;
            Compact::new(planes, 1)
        };
        assert_eq!(Compact::new(good, 0), Err(CompactError::Repetitions(0)));
        assert_eq!(with(12, 5), Err(CompactError::Uneven(12)));
        assert_eq!(with(16, 1), Err(CompactError::Uneven(16)));
        assert_eq!(with(1, u64::MAX), Err(CompactError::Overlap(1)));
    }
}
