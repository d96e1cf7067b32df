//! The canonical tensor with vectors of 64 bytes: the background is written line by line from registers, the men are
//! listed at once and written without a branch for each. Two thirds of the speed of `memset` in cache, where plain code
//! has half of it (`docs/performance.md`).
//!
//! # Safety
//! [`expand`] asks [`detected`] first; all writes stay within the 1,152 numbers of `out`, as is argued at each.
#![allow(unsafe_code, reason = "vectors are instructions of some machines only; they are asked before")]

use std::arch::x86_64::{
    __m512, _mm_set1_epi16, _mm_storeu_si128, _mm512_add_epi16, _mm512_castsi512_si256, _mm512_cvtepu8_epi16,
    _mm512_extracti64x4_epi64, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mask_mov_epi8,
    _mm512_maskz_compress_epi16, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_store_ps, _mm512_storeu_ps,
    _mm512_storeu_si512,
};

use super::{BACKGROUNDS, CELLS, Compact, PLANES, is_of_cells};
use crate::paint::head;

/// How many vectors a block of eight cells is.
const BLOCK: usize = 9;
const LANES: usize = 16;

/// The first number of each cell.
static CELL_STARTS: [u16; CELLS] = {
    let mut starts = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        starts[cell] = (cell * PLANES) as u16;
        cell += 1;
    }
    starts
};

/// Whether the machine has what this module is compiled for.
pub(super) fn detected() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("popcnt")
}

/// Writes the tensor; the machine has been asked.
pub(super) fn expand(tensor: &Compact, out: &mut [f32; CELLS * PLANES]) {
    debug_assert!(detected());
    // SAFETY: the only caller asks `detected` before.
    unsafe { by_vectors(tensor, out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn by_vectors(tensor: &Compact, out: &mut [f32; CELLS * PLANES]) {
    // Which plane each cell's man is of.
    let (mut plane_of, mut men) = (_mm512_setzero_si512(), 0u64);
    let mut plane = 0;
    while plane < super::RIGHTS {
        if is_of_cells(plane) {
            let bits = tensor.planes[plane];
            men |= bits;
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
    // Where ones belong: one index for each man, first those of the lower cells.
    let mut indices = [0u16; CELLS + 32];
    let (lower, count) = ((men as u32).count_ones() as usize, men.count_ones() as usize);
    // SAFETY: each store is of 32 indices, the second from at most 32 on: there is room for 96.
    unsafe {
        let at = indices.as_mut_ptr();
        _mm512_storeu_si512(at.cast(), _mm512_maskz_compress_epi16(men as u32, low));
        _mm512_storeu_si512(at.add(lower).cast(), _mm512_maskz_compress_epi16((men >> 32) as u32, high));
    }
    cover(tensor, out);
    let Some(last) = count.checked_sub(1).map(|last| indices[last]) else { return };
    // They are written eight at a time; the last one stands in for those that are missing.
    // SAFETY: eight indices from at most 64 on: there is room for 96.
    unsafe { _mm_storeu_si128(indices.as_mut_ptr().add(count).cast(), _mm_set1_epi16(last as i16)) };
    let numbers = out.as_mut_ptr();
    for eight in indices[..count.next_multiple_of(8)].as_chunks::<8>().0 {
        for index in eight {
            // SAFETY: an index is 18 times a cell below 64 and a plane below 14, so it is below 1,152.
            unsafe { *numbers.add(usize::from(*index)) = 1.0 };
        }
    }
}

/// Writes what is the same on all cells, whole cache lines from the first of them on.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn cover(tensor: &Compact, out: &mut [f32; CELLS * PLANES]) {
    let background = BACKGROUNDS.of(tensor.background()).numbers();
    assert!(background.len() == 2 * BLOCK * LANES);
    let head = head(out);
    let (from, to) = (background.as_ptr(), out.as_mut_ptr());
    // SAFETY: `head` is below 16, so all loads are within the 288 numbers of the background. Stores: 71 lines from `head`
    // on end at 1,136 + `head` at most, which is below 1,152, and begin on a line, as `store` wants; the first and the last
    // vector of `out` cover what is before and after them. Cells repeat every 18 numbers, so the background at a place
    // that is a multiple of 18 later is the same: the last vector begins at 1,136 = 7 * 144 + 128.
    unsafe {
        let lines: [__m512; BLOCK] =
            std::array::from_fn(|line| _mm512_loadu_ps(from.add(head + LANES * line)));
        _mm512_storeu_ps(to, _mm512_loadu_ps(from));
        let first = to.add(head);
        for block in 0..7 {
            for (line, numbers) in lines.iter().enumerate() {
                _mm512_store_ps(first.add((BLOCK * block + line) * LANES), *numbers);
            }
        }
        for (line, numbers) in lines.iter().enumerate().take(BLOCK - 1) {
            _mm512_store_ps(first.add((BLOCK * 7 + line) * LANES), *numbers);
        }
        _mm512_storeu_ps(to.add(CELLS * PLANES - LANES), _mm512_loadu_ps(from.add(128)));
    }
}
