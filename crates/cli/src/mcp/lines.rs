//! Lines of bytes from a stream that may be anything: a line without end costs no memory.

use std::io;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// What a stream says next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, without its end. The last one of a stream may lack it.
    Whole(Vec<u8>),
    /// A line with more bytes than are kept; all of it has been passed over.
    TooLong,
    /// Nothing comes any more.
    End,
}

/// Reads lines. Whoever stops waiting for one loses nothing: what has been read of it is kept for the next time.
#[derive(Debug)]
pub(super) struct Lines<R> {
    stream: BufReader<R>,
    most: usize,
    begun: Vec<u8>,
    /// Whether the line that has begun is already too long.
    passing_over: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of at most so many bytes.
    pub(super) fn new(stream: R, most: usize) -> Self {
        Lines { stream: BufReader::new(stream), most, begun: Vec::new(), passing_over: false }
    }

    /// The next line.
    pub(super) async fn next(&mut self) -> io::Result<Line> {
        loop {
            let bytes = self.stream.fill_buf().await?;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let is_over = end.is_some() || bytes.is_empty();
            let part = &bytes[..end.unwrap_or(bytes.len())];
            self.passing_over |= self.begun.len() + part.len() > self.most;
            if self.passing_over {
                self.begun = Vec::new();
            } else {
                self.begun.extend_from_slice(part);
            }
            let (is_last, taken) = (bytes.is_empty(), part.len() + usize::from(end.is_some()));
            self.stream.consume(taken);
            if is_over {
                return Ok(self.finish(is_last));
            }
        }
    }

    fn finish(&mut self, is_last: bool) -> Line {
        let line = std::mem::take(&mut self.begun);
        match std::mem::take(&mut self.passing_over) {
            true => Line::TooLong,
            false if is_last && line.is_empty() => Line::End,
            false => Line::Whole(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Line> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let mut lines = Lines::new(text, 5);
            let mut found = Vec::new();
            loop {
                match lines.next().await.expect("memory can be read") {
                    Line::End => return found,
                    line => found.push(line),
                }
            }
        })
    }

    #[test]
    fn long_lines_are_passed_over() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(read(b""), []);
        assert_eq!(read(b"\n12345\n123456\nab"), [whole(""), whole("12345"), Line::TooLong, whole("ab")]);
        let long = b"x".repeat(100_000);
        assert_eq!(read(&long), [Line::TooLong]);
        assert_eq!(read(&[&long, &b"\nok\n"[..]].concat()), [Line::TooLong, whole("ok")]);
    }
}
