//! Lines from standard input, which may be anything: without end, without line breaks, without being text.

use std::io::{self, BufRead};

/// A longer line is refused, and skipped without being kept.
pub(crate) const MAX_LINE: usize = 64 << 10;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, without its end.
    Text(String),
    /// A line that is longer than it may be.
    TooLong,
    /// A line that is not UTF-8.
    NotText,
    /// There are no more lines.
    End,
}

/// The next line, of at most [`MAX_LINE`] bytes.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    read_line_within(input, MAX_LINE)
}

/// The next line, of at most so many bytes.
pub(crate) fn read_line_within(input: &mut impl BufRead, most: usize) -> io::Result<Line> {
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
        long |= line.len() + part.len() > most;
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
        // A small buffer, so that lines are put together from parts.
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
    fn what_is_no_line_is_skipped_and_reading_goes_on() {
        let mut bytes = vec![b'x'; MAX_LINE + 1];
        bytes.extend(b"\n\xff\xfe\ne2e4");
        assert_eq!(lines(&bytes), [Line::TooLong, Line::NotText, Line::Text("e2e4".into())]);
        assert!(matches!(lines(&vec![b'x'; MAX_LINE])[..], [Line::Text(_)]));
    }
}
