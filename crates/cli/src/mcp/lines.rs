//! Lines of bytes from an untrusted stream. A line longer than the limit is skipped without being stored.

use std::io::{self, BufRead};

/// What a stream holds next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, without its end. The last line of a stream may lack it.
    Whole(Vec<u8>),
    /// A line over the limit; all of it has been skipped.
    TooLong,
    /// The end of the stream.
    End,
}

/// Reads lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    stream: R,
    bytes_max: usize,
}

impl<R: BufRead> Lines<R> {
    /// Reads lines of at most `bytes_max` bytes.
    pub(super) fn new(stream: R, bytes_max: usize) -> Self {
        Lines { stream, bytes_max }
    }

    /// Reads the next line.
    pub(super) fn next(&mut self) -> io::Result<Line> {
        let (mut line, mut is_too_long) = (Vec::new(), false);
        loop {
            let bytes = match self.stream.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let is_last = bytes.is_empty();
            is_too_long |= line.len() + part.len() > self.bytes_max;
            if is_too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.stream.consume(taken);
            if end.is_some() || is_last {
                return Ok(match is_too_long {
                    true => Line::TooLong,
                    false if is_last && line.is_empty() => Line::End,
                    false => Line::Whole(line),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(text, 5);
        let mut found = Vec::new();
        loop {
            match lines.next().expect("memory can be read") {
                Line::End => return found,
                line => found.push(line),
            }
        }
    }

    #[test]
    fn long_lines_are_skipped() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(read(b""), []);
        assert_eq!(read(b"\n12345\n123456\nab"), [whole(""), whole("12345"), Line::TooLong, whole("ab")]);
        let long = b"x".repeat(100_000);
        assert_eq!(read(&long), [Line::TooLong]);
        assert_eq!(read(&[&long, &b"\nok\n"[..]].concat()), [Line::TooLong, whole("ok")]);
    }
}
