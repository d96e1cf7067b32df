//! The canonical tensor with AVX-512: the background is stored from registers, and the pieces are listed at once and
//! written without a branch for each. It reaches two thirds of the speed of `memset` in cache; portable code reaches half
//! (`docs/performance.md`).
//!
//! # Safety
//! The caller of [`expand`] checks [`detected`] first. Each write states why it stays within the 1,152 numbers of `out`.
#![allow(unsafe_code, reason = "AVX-512 intrinsics need runtime detection")]

use std::arch::x86_64::{
    __m512, _mm_set1_epi16, _mm_storeu_si128, _mm512_add_epi16, _mm512_castsi512_si256, _mm512_cvtepu8_epi16,
    _mm512_extracti64x4_epi64, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mask_mov_epi8,
    _mm512_maskz_compress_epi16, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_store_ps, _mm512_storeu_ps,
    _mm512_storeu_si512,
};

use super::{BACKGROUNDS, CELLS, Compact, PLANES, varies};
use crate::background::head;

/// The number of vectors in a block of eight cells.
const BLOCK: usize = 9;
const LANES: usize = 16;

/// The index of the first number of each cell.
static CELL_STARTS: [u16; CELLS] = {
    let mut starts = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        starts[cell] = (cell * PLANES) as u16;
        cell += 1;
    }
    starts
};

/// Whether the processor has the instructions that this module uses.
pub(super) fn detected() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("popcnt")
}

/// Writes the tensor. The caller must have checked [`detected`].
pub(super) fn expand(tensor: &Compact, out: &mut [f32; CELLS * PLANES]) {
    debug_assert!(detected());
    // SAFETY: the only caller checks `detected` first.
    unsafe { expand_avx512(tensor, out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn expand_avx512(tensor: &Compact, out: &mut [f32; CELLS * PLANES]) {
    // By cell: the plane of its piece.
    let (mut plane_of, mut occupied) = (_mm512_setzero_si512(), 0u64);
    let mut plane = 0;
    while plane < super::RIGHTS {
        if varies(plane) {
            let bits = tensor.planes[plane];
            occupied |= bits;
            plane_of = _mm512_mask_mov_epi8(plane_of, bits, _mm512_set1_epi8(plane as i8));
        }
        plane += 1;
    }
    // SAFETY: both loads are 64 of the 128 bytes of `CELL_STARTS`.
    let (low, high) = unsafe {
        let starts = CELL_STARTS.as_ptr();
        (_mm512_loadu_si512(starts.cast()), _mm512_loadu_si512(starts.add(32).cast()))
    };
    let low = _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(plane_of)), low);
    let high = _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(plane_of)), high);
    // The indices of the ones, lower cells first.
    let mut indices = [0u16; CELLS + 32];
    let (lower, count) = ((occupied as u32).count_ones() as usize, occupied.count_ones() as usize);
    // SAFETY: each store writes 32 indices, the second from at most 32 on; there is space for 96.
    unsafe {
        let at = indices.as_mut_ptr();
        _mm512_storeu_si512(at.cast(), _mm512_maskz_compress_epi16(occupied as u32, low));
        _mm512_storeu_si512(at.add(lower).cast(), _mm512_maskz_compress_epi16((occupied >> 32) as u32, high));
    }
    fill_background(tensor, out);
    let Some(last) = count.checked_sub(1).map(|last| indices[last]) else { return };
    // Ones are written eight at a time; the last index pads the last group.
    // SAFETY: eight indices from at most 64 on; there is space for 96.
    unsafe { _mm_storeu_si128(indices.as_mut_ptr().add(count).cast(), _mm_set1_epi16(last as i16)) };
    let numbers = out.as_mut_ptr();
    for eight in indices[..count.next_multiple_of(8)].as_chunks::<8>().0 {
        for index in eight {
            // SAFETY: an index is 18 times a cell below 64 and a plane below 14, so it is below 1,152.
            unsafe { *numbers.add(usize::from(*index)) = 1.0 };
        }
    }
}

/// Writes the background, in whole cache lines.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn fill_background(tensor: &Compact, out: &mut [f32; CELLS * PLANES]) {
    let background = BACKGROUNDS[tensor.background()].numbers();
    assert!(background.len() == 2 * BLOCK * LANES);
    let head = head(out);
    let (from, to) = (background.as_ptr(), out.as_mut_ptr());
    // SAFETY: `head` is below 16, so all loads are within the 288 numbers of the background. The 71 aligned lines from
    // `head` end at 1,136 + `head` at most, which is below 1,152. The first and the last vector of `out` cover the rest.
    // Cells repeat every 18 numbers, so the last vector, at 1,136 = 7 * 144 + 128, equals the background at 128.
    unsafe {
        let load = |line: usize| _mm512_loadu_ps(from.add(head + LANES * line));
        _mm512_storeu_ps(to, _mm512_loadu_ps(from));
        let mut at = to.add(head);
        // Written out: from a loop over the lines, the compiler makes slower calls of `memcpy`.
        let (l0, l1, l2, l3) = (load(0), load(1), load(2), load(3));
        let (l4, l5, l6, l7, l8) = (load(4), load(5), load(6), load(7), load(8));
        let store =
            |at: *mut f32, line: usize, numbers: __m512| _mm512_store_ps(at.add(LANES * line), numbers);
        for block in 0..8 {
            store(at, 0, l0);
            store(at, 1, l1);
            store(at, 2, l2);
            store(at, 3, l3);
            store(at, 4, l4);
            store(at, 5, l5);
            store(at, 6, l6);
            store(at, 7, l7);
            if block < 7 {
                store(at, 8, l8);
                at = at.add(LANES * BLOCK);
            }
        }
        _mm512_storeu_ps(to.add(CELLS * PLANES - LANES), _mm512_loadu_ps(from.add(128)));
    }
}
