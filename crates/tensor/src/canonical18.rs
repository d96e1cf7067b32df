//! The canonical (8, 8, 18) tensor of chess: own pieces in planes 0–5, enemy pieces in 6–11, repetition in 12, the target
//! of a legal en-passant capture in 13, castling rights in 14–17. Ranks are flipped for Black; files never are.

#[cfg(target_arch = "x86_64")]
mod avx512;

use tabiya_engine::blueprint::{Condition, Effect, MovePlan};
use tabiya_engine::mechanics::Mechanics;
use tabiya_engine::{Kind, Move, Offset, Orientation, Player, Rules, Square};
use tabiya_notation::castling_rights;

use crate::background::{Background, set_one};
use crate::encoding::{Plane, PositionView, UnsupportedGame, require};

const PLANES: usize = 18;
const CELLS: usize = 64;
const REPETITION: usize = 12;
const EN_PASSANT: usize = 13;
const RIGHTS: usize = 14;

/// The parts of the rules that the tensor needs.
#[derive(Debug)]
pub(crate) struct Canonical18 {
    /// Pawn, knight, bishop, rook, queen, king.
    kinds: [Kind; 6],
    /// By player: king's side, queen's side.
    rights: [[Right; 2]; 2],
    /// The en-passant captures, as kind and number of the move.
    en_passant: Vec<(Kind, u8)>,
}

/// A castling right: the squares of king and partner as bits, and the partner's plane. A missing right has no squares.
#[derive(Clone, Copy, Debug, Default)]
struct Right {
    leader: u64,
    partner: u64,
    kind: usize,
}

impl Canonical18 {
    pub(crate) fn new(rules: &Rules) -> Result<Self, UnsupportedGame> {
        let blueprint = rules.blueprint();
        let flat = Orientation::new([[1, 0], [0, -1]]);
        let is_oriented = |index: usize, orientation| blueprint.players()[index].orientation == orientation;
        let has_board = blueprint.size() == (8, 8) && blueprint.disabled().is_empty();
        require(has_board, "the board has 8 files and 8 ranks")?;
        let board = rules.board();
        require(
            board.is_flat() && board.levels() == 1,
            "the board is flat, without wraps, links and levels",
        )?;
        let has_players = rules.players().len() == 2 && rules.order() == [Player(0), Player(1)];
        require(has_players, "two players move in turn")?;
        let are_opposite = is_oriented(0, Orientation::UP) && flat.is_some_and(|down| is_oriented(1, down));
        require(are_opposite, "the first player moves up, the second down")?;
        let is_plain = *rules.mechanics() == Mechanics::default();
        require(is_plain, "pieces move and capture without further mechanics")?;
        let by_letter =
            |letter| rules.kinds().find(|kind| rules.kind(*kind).symbol.plain_letter() == Some(letter));
        let kinds: Vec<Kind> = ['P', 'N', 'B', 'R', 'Q', 'K'].into_iter().filter_map(by_letter).collect();
        let kinds: [Kind; 6] =
            kinds.try_into().map_err(|_| UnsupportedGame("the pieces are P, N, B, R, Q and K"))?;
        let has_king = rules.kinds().len() == kinds.len() && blueprint.leaders() == [kinds[5]];
        require(has_king, "the pieces are P, N, B, R, Q and K, and K is the leader")?;
        let mut rights = [[Right::default(); 2]; 2];
        for right in castling_rights(rules) {
            let partner = blueprint.start().iter().find(|placed| placed.square == right.partner);
            let kind = partner.and_then(|placed| kinds.iter().position(|kind| *kind == placed.kind));
            let entry = &mut rights[right.player.index()][usize::from(!right.is_kingside())];
            require(entry.leader == 0, "there is one castling move to each side")?;
            let bit = |square: Square| 1 << square.index();
            let squares = Right { leader: bit(right.mover), partner: bit(right.partner), kind: 0 };
            *entry = kind.map_or(Right::default(), |kind| Right { kind, ..squares });
        }
        let en_passant = rules.kinds().flat_map(|kind| {
            let moves = (0u8..).zip(&rules.kind(kind).moves);
            moves.filter(|(_, plan)| is_en_passant(plan)).map(move |(index, _)| (kind, index))
        });
        Ok(Canonical18 { kinds, rights, en_passant: en_passant.collect() })
    }

    /// Describes the planes.
    pub(crate) fn describe() -> Vec<Plane> {
        let pieces = ["pawns", "knights", "bishops", "rooks", "queens", "king"];
        let cells = |name: String| Plane { meaning: "1 where one stands".into(), name, is_filled: false };
        let fill =
            |name: &str, meaning: &str| Plane { name: name.into(), meaning: meaning.into(), is_filled: true };
        let own = pieces.map(|piece| cells(format!("own {piece}")));
        let enemy = pieces.map(|piece| cells(format!("enemy {piece}")));
        let en_passant = Plane {
            name: "en passant".into(),
            meaning: "1 on the target of a legal en-passant capture".into(),
            is_filled: false,
        };
        let rights = ["own king's side", "own queen's side", "enemy king's side", "enemy queen's side"]
            .map(|side| fill(&format!("castling, {side}"), "1 if the castling right exists"));
        let repetition = fill("repetition", "occurrences of the position, up to 3, divided by 3");
        own.into_iter().chain(enemy).chain([repetition, en_passant]).chain(rights).collect()
    }

    /// Returns the position as sets of cells.
    pub(crate) fn compact(&self, view: &PositionView<'_>, seat: Player) -> Compact {
        let position = view.position;
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
            let is_en_passant = |played: &&Move| {
                let mut captures = self.en_passant.iter().filter(|(_, pattern)| *pattern == played.pattern);
                captures.any(|(kind, _)| all[kind.index()] >> played.from.index() & 1 == 1)
            };
            let targets = view.moves.iter().filter(is_en_passant).map(|played| 1 << played.to.index());
            // The same step also captures a piece on its target, which is not en passant.
            let occupied = players[0] | players[1];
            planes[EN_PASSANT] = targets.fold(0u64, |set, bit| set | bit) & !occupied;
        }
        if is_white {
            // Cells count from the top, so White's ranks are flipped.
            for plane in &mut planes[..RIGHTS] {
                *plane = plane.swap_bytes();
            }
        }
        planes[REPETITION] = u64::MAX;
        for (side, player) in [own, enemy].into_iter().enumerate() {
            let still = unmoved & players[player];
            for (wing, right) in self.rights[player].iter().enumerate() {
                // A piece that has never moved is still on its start square.
                let holds =
                    still & right.leader & kinds[5] != 0 && still & right.partner & kinds[right.kind] != 0;
                planes[RIGHTS + 2 * side + wing] = if holds { u64::MAX } else { 0 };
            }
        }
        Compact { planes, repetitions: view.tally.repetitions.clamp(1, 3) as u8 }
    }
}

/// Whether a move captures a flagged piece beside its target.
fn is_en_passant(plan: &MovePlan) -> bool {
    let conditions = plan.conditions.iter().chain(plan.actions.iter().flat_map(|it| &it.conditions));
    let beside = |effect: &Effect| matches!(effect, Effect::Capture(offset) if *offset != Offset::new(0, 0));
    conditions.into_iter().any(|it| matches!(it, Condition::HasFlag(..))) && plan.all_effects().any(beside)
}

/// The canonical tensor as 18 sets of cells and a counter: 145 bytes instead of 4,608.
///
/// Bit `8 * row + column` of set `plane` is the tensor's `[row, column, plane]`, except for plane 12, whose bits are all
/// set and mean `repetitions / 3`. That is, `tensor[r, c, p] = (planes[p] >> (8 * r + c) & 1) * (p == 12 ? repetitions / 3 : 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compact {
    planes: [u64; PLANES],
    repetitions: u8,
}

/// Why a compact tensor is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompactError {
    /// This plane must be the same on all cells and is not.
    Uneven(usize),
    /// This plane shares a cell with an earlier one: two pieces, or a piece and an en-passant target.
    Overlap(usize),
    /// The count of repetitions is not 1, 2 or 3.
    Repetitions(u8),
}

tabiya_engine::error_messages! { CompactError:
    CompactError::Uneven(plane @ REPETITION) => "plane {plane} must have all bits set";
    CompactError::Uneven(plane) => "plane {plane} must have all bits set or none";
    CompactError::Overlap(plane) => "plane {plane} shares a cell with an earlier plane";
    CompactError::Repetitions(count) => "repetitions must be 1, 2 or 3, not {count}";
}

impl Compact {
    /// Creates a tensor from its sets and its repetition count.
    ///
    /// # Errors
    /// Returns [`CompactError`] if a uniform plane is not uniform, two pieces share a cell, or the count is not from 1 to 3.
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

    /// The sets by plane.
    pub fn planes(&self) -> &[u64; PLANES] {
        &self.planes
    }

    /// The number of occurrences of the position, up to 3.
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
        self.expand_portable(out);
    }

    fn expand_portable(&self, out: &mut [f32; CELLS * PLANES]) {
        BACKGROUNDS[self.background()].fill(out);
        // One loop over all pieces: the branches of a loop for each plane would be mispredicted.
        let mut digits = [0; 4];
        let mut occupied = 0;
        for (plane, bits) in self.planes.iter().copied().enumerate().filter(|(plane, _)| varies(*plane)) {
            occupied |= bits;
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
        while occupied != 0 {
            let cell = occupied.trailing_zeros();
            occupied &= occupied - 1;
            set_one(out, cell as usize * PLANES + plane_at(cell));
        }
    }

    /// Returns the index of the background, which holds the uniform planes.
    fn background(&self) -> usize {
        let rights =
            (0..4).fold(0, |set, right| set | usize::from(self.planes[RIGHTS + right] != 0) << right);
        rights * 3 + usize::from(self.repetitions) - 1
    }
}

/// Whether a plane may differ from cell to cell.
const fn varies(plane: usize) -> bool {
    plane < RIGHTS && plane != REPETITION
}

/// Writes many tensors one after the other.
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

/// Every combination of uniform planes.
static BACKGROUNDS: [Background<PLANES>; 48] = backgrounds();

#[allow(clippy::cast_precision_loss, clippy::large_stack_arrays, reason = "computed at compile time")]
const fn backgrounds() -> [Background<PLANES>; 48] {
    let mut all = [Background([[0.0; PLANES]; 16]); 48];
    let mut index = 0;
    while index < 48 {
        let mut cell = [0.0; PLANES];
        // A division gives the nearest f32 to 1/3 and 2/3.
        cell[REPETITION] = (index % 3 + 1) as f32 / 3.0;
        let mut right = 0;
        while right < 4 {
            cell[RIGHTS + right] = ((index / 3) >> right & 1) as f32;
            right += 1;
        }
        all[index] = Background([cell; 16]);
        index += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(seed: u64) -> Compact {
        let mut rng = tabiya_engine::SplitMix::new(seed);
        let mut planes = [0u64; PLANES];
        planes[REPETITION] = u64::MAX;
        for cell in 0..CELLS {
            let plane = rng.below(30);
            if plane < RIGHTS && varies(plane) {
                planes[plane] |= 1 << cell;
            }
        }
        for right in &mut planes[RIGHTS..] {
            *right = if rng.below(2) == 1 { u64::MAX } else { 0 };
        }
        Compact::new(planes, 1 + rng.below(3) as u8).unwrap()
    }

    #[test]
    fn expansion_follows_the_formula_at_every_alignment() {
        for seed in 0..200 {
            let compact = sample(seed);
            let mut memory = vec![7.0f32; CELLS * PLANES + 40];
            let shift = seed as usize % 20;
            let (before, rest) = memory.split_at_mut(shift);
            let (out, after) = rest.split_first_chunk_mut().unwrap();
            for is_portable in [false, true] {
                out.fill(7.0);
                if is_portable {
                    compact.expand_portable(out);
                } else {
                    compact.expand(out);
                }
                for (index, number) in out.iter().enumerate() {
                    let (cell, plane) = (index / PLANES, index % PLANES);
                    let one = if plane == REPETITION { f32::from(compact.repetitions) / 3.0 } else { 1.0 };
                    let is_set = compact.planes[plane] >> cell & 1 == 1;
                    let wanted = if is_set { one } else { 0.0 };
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
    fn invalid_tensors_are_rejected() {
        let good = *sample(3).planes();
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
