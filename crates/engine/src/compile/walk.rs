//! The squares of a slide, one after the other.

use crate::compile::jump_table::{Jump, JumpTable};
use crate::square::Square;

/// An iterator over the squares that repeated steps lead to.
pub(crate) struct Walk<'j> {
    jumps: &'j JumpTable,
    jump: Jump,
    at: Square,
    source: Square,
    /// The squares entered so far, if links turn slides: only they can lead to one of them before the source.
    entered: Option<Vec<Square>>,
}

impl<'j> Walk<'j> {
    #[inline]
    pub(crate) fn new(jumps: &'j JumpTable, jump: Jump, from: Square) -> Self {
        Walk { jumps, jump, at: from, source: from, entered: None }
    }

    /// Returns whether a slide may go on to a square of a board with wraps or links, and turns it.
    #[cold]
    fn crosses(&mut self, to: Square) -> bool {
        if to == self.source || self.entered.as_ref().is_some_and(|entered| entered.contains(&to)) {
            return false;
        }
        if self.jumps.turns() {
            self.entered.get_or_insert_default().push(to);
            self.jump = self.jumps.onward(self.jump, self.at);
        }
        true
    }
}

impl Iterator for Walk<'_> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let to = self.jumps.to(self.jump, self.at)?;
        if !self.jumps.is_flat && !self.crosses(to) {
            return None;
        }
        self.at = to;
        Some(to)
    }
}
