//! Positions of the protocol: lines, and columns in units of UTF-16, both counted from 0.

use std::ops;

use gen_lsp_types::{Position, Range};

/// The starts of the lines of a text. A line ends with `\n`, `\r\n` or `\r`.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let is_end =
            |at: usize| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let ends = (0..bytes.len()).filter(|at| is_end(*at));
        Lines { text, starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect() }
    }

    /// Returns the position of a byte offset.
    fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let column = self.text[self.starts[line]..offset].chars().map(char::len_utf16).sum::<usize>();
        Position { line: line as u32, character: column as u32 }
    }

    /// Returns the range of a span of bytes.
    pub(super) fn range(&self, span: &ops::Range<usize>) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end.max(span.start)) }
    }

    /// Returns the range of the whole text.
    pub(super) fn whole(&self) -> Range {
        self.range(&(0..self.text.len()))
    }

    /// Returns the byte offset of a position. Columns beyond the end of a line are that end, as the protocol says; lines
    /// beyond the text are its end.
    pub(super) fn offset(&self, position: Position) -> usize {
        let Position { line, character: column } = position;
        let Some(start) = self.starts.get(line as usize).copied() else { return self.text.len() };
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.text.len());
        let content = self.text[start..end].trim_end_matches(['\r', '\n']);
        let mut units = 0;
        for (at, character) in content.char_indices() {
            // A position inside a character is that before it.
            if units + character.len_utf16() > column as usize {
                return start + at;
            }
            units += character.len_utf16();
        }
        start + content.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_utf16() {
        let text = "aé😀b\r\nsecond\rthird\n";
        let lines = Lines::new(text);
        assert_eq!(lines.starts, [0, 10, 17, 23]);
        for (part, line, character) in
            [("a", 0, 0), ("é", 0, 1), ("😀", 0, 2), ("b", 0, 4), ("second", 1, 0), ("ird", 2, 2)]
        {
            let offset = text.find(part).expect(part);
            let position = Position { line, character };
            assert_eq!(lines.position(offset), position, "{part}");
            assert_eq!(lines.offset(position), offset, "{part}");
        }
        assert_eq!(lines.offset(Position { line: 0, character: 3 }), 3, "inside a character");
        assert_eq!(lines.offset(Position { line: 0, character: 99 }), 8, "beyond the line");
        assert_eq!(lines.offset(Position { line: 9, character: 0 }), text.len());
        assert_eq!(lines.whole().end, Position { line: 3, character: 0 });
    }
}
