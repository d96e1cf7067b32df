//! The lines of a file around a diagnostic. The file may hold anything: lines are found by their number and not searched from
//! the start, control characters are replaced, and very long lines are not shown.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use tabiya_spec::diagnostic::Diagnostic;
use unicode_width::UnicodeWidthChar;

use crate::styles::FAINT;

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
    span: Range<usize>,
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

    /// Renders the lines with their numbers, and a mark under the place.
    pub(super) fn render(&self) -> String {
        let lines: Vec<&str> = self.text.lines().collect();
        let width = (self.first + lines.len()).to_string().len();
        let (line, column) = (self.at.0 + 1, self.at.1 + 1);
        let place = if lines.len() > 1 { format!("[{line}:{column}]") } else { "───".to_owned() };
        let mut rendered = format!("{:width$}  ╭─{place}\n", "");
        let mut start = 0;
        for (number, text) in (self.first + 1..).zip(lines) {
            rendered += &format!(" {FAINT}{number:width$}{FAINT:#} │ {}\n", expand_tabs(text));
            if number == line {
                rendered += &format!(" {:width$} · {}\n", "", self.mark(text, start));
            }
            start += text.len() + 1;
        }
        rendered + &format!("{:width$}  ╰────\n", "")
    }

    /// Returns the mark under a line that begins at this offset.
    fn mark(&self, text: &str, line_start: usize) -> String {
        let columns = |offset: usize| columns(&text[..(offset - line_start).min(text.len())]);
        let (start, end) = (columns(self.span.start), columns(self.span.end));
        let style = Style::new().bold().fg_color(Some(AnsiColor::Magenta.into()));
        let mark = if self.span.is_empty() { "▲".to_owned() } else { "─".repeat((end - start).max(1)) };
        format!("{style}{:start$}{mark}{style:#}", "")
    }
}

const TAB_WIDTH: usize = 4;

/// Replaces tabs by spaces up to the next tab stop.
fn expand_tabs(text: &str) -> String {
    let (mut expanded, mut column) = (String::with_capacity(text.len()), 0);
    for character in text.chars() {
        if character == '\t' {
            let width = TAB_WIDTH - column % TAB_WIDTH;
            expanded.push_str(&" ".repeat(width));
            column += width;
        } else {
            expanded.push(character);
            column += character.width().unwrap_or(0);
        }
    }
    expanded
}

/// Returns the columns that a text takes on the terminal.
fn columns(text: &str) -> usize {
    expand_tabs(text).chars().filter_map(UnicodeWidthChar::width).sum()
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
