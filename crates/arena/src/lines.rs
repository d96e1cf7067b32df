//! The lines of a record from a file that may be of any size, or be something else altogether.

use std::io::{self, BufRead, Read as _};

use tabiya_referee::record::{LINE_LIMIT, Line};

/// A line of a file.
#[derive(Debug)]
pub struct FileLine {
    /// Its number, counted from 1.
    pub number: usize,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// What it says, or why it says nothing.
    pub line: Result<Line, String>,
    /// Whether it has an end. The last line of a file that was being written may have none.
    pub is_whole: bool,
}

/// The lines of a record, one after the other; empty ones are passed over.
#[derive(Debug)]
pub struct FileLines<R> {
    reader: R,
    number: usize,
    offset: u64,
    bytes: Vec<u8>,
}

impl<R: BufRead> FileLines<R> {
    /// Of a reader that is at its beginning.
    pub fn new(reader: R) -> Self {
        FileLines { reader, number: 0, offset: 0, bytes: Vec::new() }
    }

    fn read(&mut self) -> io::Result<Option<FileLine>> {
        loop {
            self.bytes.clear();
            let most = LINE_LIMIT as u64 + 2;
            let count = self.reader.by_ref().take(most).read_until(b'\n', &mut self.bytes)? as u64;
            if count == 0 {
                return Ok(None);
            }
            let offset = self.offset;
            self.offset += count;
            self.number += 1;
            let is_whole = self.bytes.pop_if(|byte| *byte == b'\n').is_some();
            let is_long = !is_whole && count == most;
            if is_long {
                self.skip_line()?;
            }
            self.bytes.pop_if(|byte| *byte == b'\r');
            if is_whole && self.bytes.is_empty() {
                continue;
            }
            return Ok(Some(FileLine { number: self.number, offset, line: self.parse(is_long), is_whole }));
        }
    }

    /// Goes on behind a line that nobody reads.
    fn skip_line(&mut self) -> io::Result<()> {
        self.offset += self.reader.skip_until(b'\n')? as u64;
        Ok(())
    }

    fn parse(&self, is_long: bool) -> Result<Line, String> {
        if is_long {
            return Err(format!("it has more than {LINE_LIMIT} bytes"));
        }
        let text = str::from_utf8(&self.bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        Line::parse(text).map_err(|error| error.to_string())
    }
}

impl<R: BufRead> Iterator for FileLines<R> {
    type Item = io::Result<FileLine>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<(usize, u64, bool, bool)> {
        let line = |line: io::Result<FileLine>| {
            let line = line.unwrap();
            (line.number, line.offset, line.line.is_ok(), line.is_whole)
        };
        FileLines::new(bytes).map(line).collect()
    }

    #[test]
    fn lines_are_counted_and_torn_ones_are_seen() {
        let end = r#"{"line":"end","id":1,"winners":[],"reason":"x","by":null,"plies":0,"state":"","departures":[]}"#;
        let text = format!("{end}\n\n{end}\r\nnonsense\n{end}");
        let length = end.len() as u64;
        assert_eq!(
            lines(text.as_bytes()),
            [
                (1, 0, true, true),
                (3, length + 2, true, true),
                (4, 2 * length + 4, false, true),
                (5, 2 * length + 13, true, false),
            ]
        );
    }

    #[test]
    fn endless_lines_are_passed_over() {
        let mut text = vec![b'x'; 3 * LINE_LIMIT];
        text.extend(b"\n\xff\n{}");
        let read = lines(&text);
        assert_eq!(read.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(read.iter().all(|line| !line.2));
    }
}
