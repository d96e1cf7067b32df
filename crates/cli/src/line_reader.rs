//! Reads lines from untrusted input: of bounded length, and possibly not UTF-8.

use std::io::{self, BufRead};

/// The usual limit. Longer lines are skipped without being stored.
pub(crate) const MAX_LINE: usize = 64 << 10;

/// A line that was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its line break.
    Text(String),
    /// A line over the limit.
    TooLong,
    /// A line that is not UTF-8.
    NotText,
    /// The end of the input.
    End,
}

/// Reads a line of at most [`MAX_LINE`] bytes.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    read_line_within(input, MAX_LINE)
}

/// Reads a line of at most `max` bytes.
pub(crate) fn read_line_within(input: &mut impl BufRead, max: usize) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut any = false;
    let mut long = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok(if any { finish(line, long) } else { Line::End });
        }
        any = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        long |= line.len() + part.len() > max;
        if !long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(finish(line, long));
        }
    }
}

fn finish(line: Vec<u8>, long: bool) -> Line {
    if long {
        return Line::TooLong;
    }
    String::from_utf8(line).map_or(Line::NotText, Line::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        // A small buffer, so that lines are assembled from parts.
        let mut input = io::BufReader::with_capacity(7, bytes);
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input).expect("reading from memory") {
                Line::End => return lines,
                line => lines.push(line),
            }
        }
    }

    #[test]
    fn lines_are_read_one_by_one() {
        let text = |line: &str| Line::Text(line.to_owned());
        assert_eq!(lines(b"e2e4\n\nlast without end"), [text("e2e4"), text(""), text("last without end")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn too_long_and_invalid_lines_are_skipped() {
        let mut bytes = vec![b'x'; MAX_LINE + 1];
        bytes.extend(b"\n\xff\xfe\ne2e4");
        assert_eq!(lines(&bytes), [Line::TooLong, Line::NotText, Line::Text("e2e4".into())]);
        assert!(matches!(lines(&vec![b'x'; MAX_LINE])[..], [Line::Text(_)]));
    }
}
