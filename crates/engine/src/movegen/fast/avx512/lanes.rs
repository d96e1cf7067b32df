//! The vector operations of both AVX-512 backends.
//!
//! Nothing is looked up: a step is a rotation and a mask of valid targets, and slides are Kogge–Stone fills.
//!
//! # Safety
//!
//! Every function here is compiled for the instructions that [`super::detected`] tests, and called only by functions
//! that are, too. Loads and stores use whole arrays of eight words.
#![allow(unsafe_code, reason = "vectors are loaded from arrays; the machine is tested first")]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_mask_or_epi64, _mm512_or_si512,
    _mm512_popcnt_epi64, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_shuffle_i64x2,
    _mm512_ternarylogic_epi64, _mm512_test_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use crate::movegen::fast::state::{State, UNMOVED};
use crate::rules::Rules;
use crate::square::Offset;

/// The number of words in a vector.
pub(super) const LANES: usize = 8;

/// A position with as many planes as lanes.
pub(super) type Narrow = State<u64, LANES>;

/// A step of whole boards.
#[derive(Clone, Copy, Default)]
pub(super) struct Rotation {
    pub(super) by: i64,
    pub(super) back: i64,
    /// Squares on which the step and the reverse step may end.
    pub(super) valid: u64,
    pub(super) valid_back: u64,
}

impl Rotation {
    pub(super) fn new(rules: &Rules, step: Offset) -> Self {
        let board = rules.board();
        let ends = |step: Offset| {
            let ends = board.squares().filter_map(|square| board.step(square, step));
            ends.fold(0u64, |set, square| set | 1 << square.index())
        };
        let by = i64::from(step.dy * i32::from(board.files()) + step.dx);
        Rotation { by: by & 63, back: -by & 63, valid: ends(step), valid_back: ends(step.reversed()) }
    }
}

/// Returns whether lines have at most eight squares. Then three rounds of doubling suffice; six suffice for any line
/// of 64.
pub(super) fn is_short(rules: &Rules) -> bool {
    rules.board().files().max(rules.board().ranks()) <= 8
}

macro_rules! vector {
    ($($(#[$meta:meta])* fn $name:ident$(<const $parameter:ident: u32>)?($($argument:ident: $ty:ty),*) -> $result:ty $body:block)*) => {
        $($(#[$meta])* #[inline] #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
        pub(super) fn $name$(<const $parameter: u32>)?($($argument: $ty),*) -> $result $body)*
    };
}

pub(super) use vector;

vector! {
    fn load(words: &[u64; LANES]) -> __m512i {
        // SAFETY: both are 64 bytes without padding, and every bit pattern is a valid vector.
        unsafe { std::mem::transmute_copy(words) }
    }
    fn words(vector: __m512i) -> [u64; LANES] {
        // SAFETY: as above.
        unsafe { std::mem::transmute(vector) }
    }
    fn all(word: u64) -> __m512i { _mm512_set1_epi64(word as i64) }
    fn and(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
    fn or(a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
    /// `b & !a`
    fn without(a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(a, b) }
    /// `a | (b & c)`
    fn or_and(a: __m512i, b: __m512i, c: __m512i) -> __m512i { _mm512_ternarylogic_epi64::<0xF8>(a, b, c) }
    /// `a & b & c`
    fn and_and(a: __m512i, b: __m512i, c: __m512i) -> __m512i { _mm512_ternarylogic_epi64::<0x80>(a, b, c) }
    fn rotate(set: __m512i, by: __m512i) -> __m512i { _mm512_rolv_epi64(set, by) }
    fn count(total: __m512i, set: __m512i) -> __m512i { _mm512_add_epi64(total, _mm512_popcnt_epi64(set)) }
    /// Returns the set and all squares that it reaches over `through`.
    fn fill<const ROUNDS: u32>(set: __m512i, through: __m512i, by: __m512i) -> __m512i {
        let (mut set, mut through, mut by) = (set, through, by);
        for round in 0..ROUNDS {
            set = or_and(set, through, rotate(set, by));
            if round + 1 < ROUNDS {
                through = and(through, rotate(through, by));
                by = _mm512_add_epi64(by, by);
            }
        }
        set
    }
    /// Returns the planes after a piece has moved: its column is copied, except that it is now moved.
    fn carried(planes: __m512i, from: usize, to: usize) -> __m512i {
        let (from, to) = (1 << from, 1 << to);
        let column = _mm512_test_epi64_mask(planes, all(from)) & !(1 << UNMOVED);
        let rest = without(all(from | to), planes);
        _mm512_mask_or_epi64(rest, column, rest, all(to))
    }
    /// Transposes eight rows of eight words.
    fn transposed(rows: &[[u64; LANES]; LANES]) -> [__m512i; LANES] {
        let row = |index: usize| load(&rows[index]);
        let low = |index| _mm512_unpacklo_epi64(row(index), row(index + 1));
        let high = |index| _mm512_unpackhi_epi64(row(index), row(index + 1));
        let [k0, k2, k4, k6] = quarters([low(0), low(2), low(4), low(6)]);
        let [k1, k3, k5, k7] = quarters([high(0), high(2), high(4), high(6)]);
        [k0, k1, k2, k3, k4, k5, k6, k7]
    }
    /// Transposes four vectors of four quarters.
    fn quarters(t: [__m512i; 4]) -> [__m512i; 4] {
        let (even, odd) = (_mm512_shuffle_i64x2::<0x88>(t[0], t[1]), _mm512_shuffle_i64x2::<0xDD>(t[0], t[1]));
        let (even_2, odd_2) = (_mm512_shuffle_i64x2::<0x88>(t[2], t[3]), _mm512_shuffle_i64x2::<0xDD>(t[2], t[3]));
        [
            _mm512_shuffle_i64x2::<0x88>(even, even_2),
            _mm512_shuffle_i64x2::<0x88>(odd, odd_2),
            _mm512_shuffle_i64x2::<0xDD>(even, even_2),
            _mm512_shuffle_i64x2::<0xDD>(odd, odd_2),
        ]
    }
}
