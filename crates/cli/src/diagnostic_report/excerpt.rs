//! The lines of a file around a diagnostic. The file may hold anything: lines are found by their number and not searched from
//! the start, control characters are replaced, and very long lines are not shown.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use tabiya_spec::diagnostic::Diagnostic;

/// Lines with more characters are not shown.
const MAX_LINE: usize = 300;

/// Returns the offset of each line.
pub(super) fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// The line of a diagnostic and its neighbours.
#[derive(Debug)]
pub(super) struct Excerpt {
    text: String,
    /// Number of the first line, from 0.
    first: usize,
    /// The span of the diagnostic, relative to the excerpt.
    pub(super) span: Range<usize>,
    /// Line and column of the diagnostic, from 0.
    at: (usize, usize),
}

impl Excerpt {
    /// Cuts the excerpt out of the file. Returns `None` if the line is too long.
    pub(super) fn of(diagnostic: &Diagnostic, text: &str, lines: &[usize]) -> Option<Excerpt> {
        let at = (diagnostic.line.checked_sub(1)?, diagnostic.column.checked_sub(1)?);
        let bounds = |line: usize| -> Option<Range<usize>> {
            let start = *lines.get(line)?;
            let end = lines.get(line + 1).map_or(text.len(), |next| next - 1);
            (end - start <= MAX_LINE || text[start..end].chars().count() <= MAX_LINE).then_some(start..end)
        };
        let own = bounds(at.0)?;
        let before = at.0.checked_sub(1).and_then(bounds);
        let after = bounds(at.0 + 1);
        let start = before.as_ref().map_or(own.start, |line| line.start);
        let end = after.map_or(own.end, |line| line.end);
        let span =
            diagnostic.span.start.clamp(own.start, own.end)..diagnostic.span.end.clamp(own.start, own.end);
        Some(Excerpt {
            text: sanitize(&text[start..end]),
            first: at.0 - usize::from(before.is_some()),
            span: span.start - start..span.end.max(span.start) - start,
            at,
        })
    }
}

/// Replaces control characters except line breaks and tabs by as many bytes.
fn sanitize(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => clean.push(character),
            '\r' => clean.push(' '),
            _ if character.is_control() => clean.extend(std::iter::repeat_n('?', character.len_utf8())),
            _ => clean.push(character),
        }
    }
    clean
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Without context, miette asks for the place of the diagnostic; otherwise for the lines around it.
        let contents = if before + after == 0 {
            let data = &self.text.as_bytes()[self.span.clone()];
            MietteSpanContents::new(data, *span, self.at.0, self.at.1, 1)
        } else {
            let whole = SourceSpan::from(0..self.text.len());
            let count = self.text.matches('\n').count() + 1;
            MietteSpanContents::new(self.text.as_bytes(), whole, self.first, 0, count)
        };
        Ok(Box::new(contents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced_without_shifting_offsets() {
        let text = "a\u{1b}[31m\u{9b}\r\n\tä";
        assert_eq!(sanitize(text), "a?[31m?? \n\tä");
        assert_eq!(sanitize(text).len(), text.len());
    }
}
