//! Fast tensor writes: first a background that is the same on all cells, as one long copy, then the few ones.

/// The number of `f32` in a cache line.
const LINE: usize = 16;

/// Two blocks of eight equal cells.
///
/// Eight cells fill whole cache lines for any number of planes. With two blocks, a copy can begin at any offset, so that
/// whole cache lines are written even if the caller's memory begins inside one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Background<const PLANES: usize>(pub(crate) [[f32; PLANES]; 16]);

impl<const PLANES: usize> Background<PLANES> {
    /// Returns the two blocks as numbers.
    pub(crate) fn numbers(&self) -> &[f32] {
        self.0.as_flattened()
    }

    /// Fills whole cells.
    pub(crate) fn fill(&self, out: &mut [f32]) {
        let numbers = self.numbers();
        let head = head(out);
        let (first, rest) = out.split_at_mut(head.min(out.len()));
        first.copy_from_slice(&numbers[..first.len()]);
        let block = &numbers[head..][..8 * PLANES];
        for part in rest.chunks_mut(block.len()) {
            part.copy_from_slice(&block[..part.len()]);
        }
    }
}

/// Returns how many numbers lie before the first whole cache line.
pub(crate) fn head(out: &[f32]) -> usize {
    out.as_ptr().addr().wrapping_neg() / size_of::<f32>() % LINE
}

/// Writes a one if the index is in range.
pub(crate) fn set_one(out: &mut [f32], index: usize) {
    if let Some(number) = out.get_mut(index) {
        *number = 1.0;
    }
}
