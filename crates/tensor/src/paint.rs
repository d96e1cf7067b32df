//! Numbers into memory: what is the same on all cells first, as one long copy, then the few cells that differ.

/// How many numbers lie between two beginnings of a cache line, for numbers of four bytes.
const LINE: usize = 16;

/// Cells that are the same everywhere, ready to be copied in blocks: for each choice, two blocks of eight cells.
///
/// Eight cells are whole cache lines, whatever the number of planes; and from the second block on a copy can begin at any
/// number, so that lines are written whole although the caller's memory begins in the middle of one.
#[derive(Debug)]
pub(crate) struct Backgrounds<const PLANES: usize, const CHOICES: usize> {
    cells: [Background<PLANES>; CHOICES],
}

/// One choice of a background.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Background<const PLANES: usize>([[f32; PLANES]; 16]);

impl<const PLANES: usize, const CHOICES: usize> Backgrounds<PLANES, CHOICES> {
    pub(crate) const fn new(cells: [[f32; PLANES]; CHOICES]) -> Self {
        let mut all = [Background([[0.0; PLANES]; 16]); CHOICES];
        let mut choice = 0;
        while choice < CHOICES {
            all[choice] = Background([cells[choice]; 16]);
            choice += 1;
        }
        Backgrounds { cells: all }
    }

    pub(crate) fn of(&self, choice: usize) -> &Background<PLANES> {
        &self.cells[choice]
    }
}

impl<const PLANES: usize> Background<PLANES> {
    /// The two blocks as numbers.
    pub(crate) fn numbers(&self) -> &[f32] {
        self.0.as_flattened()
    }

    /// Writes it over whole cells.
    pub(crate) fn cover(&self, out: &mut [f32]) {
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

/// How many numbers lie before the first whole cache line.
pub(crate) fn head(out: &[f32]) -> usize {
    out.as_ptr().addr().wrapping_neg() / size_of::<f32>() % LINE
}

/// Writes a one, where there is room for it.
pub(crate) fn paint(out: &mut [f32], index: usize) {
    if let Some(number) = out.get_mut(index) {
        *number = 1.0;
    }
}
