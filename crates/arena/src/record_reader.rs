//! A reader for the lines of a record. It bounds memory, because a file may be of any size and content.

use std::io::{self, BufRead, Read as _};

use tabiya_referee::record::{LINE_LIMIT, Line};

/// A line of a record file.
#[derive(Debug)]
pub struct RecordLine {
    /// The line number, counted from 1.
    pub number: usize,
    /// The offset of its first byte.
    pub offset: u64,
    /// The parsed line, or the reason why it is not a line of a record.
    pub line: Result<Line, String>,
    /// Whether it ends with a line break. An interrupted write leaves the last line without one.
    pub is_whole: bool,
}

/// Iterates over the lines of a record and skips empty ones.
#[derive(Debug)]
pub struct RecordReader<R> {
    reader: R,
    number: usize,
    offset: u64,
    bytes: Vec<u8>,
}

impl<R: BufRead> RecordReader<R> {
    /// Creates a reader for a file from its beginning.
    pub fn new(reader: R) -> Self {
        RecordReader { reader, number: 0, offset: 0, bytes: Vec::new() }
    }

    fn read(&mut self) -> io::Result<Option<RecordLine>> {
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
                self.offset += self.reader.skip_until(b'\n')? as u64;
            }
            self.bytes.pop_if(|byte| *byte == b'\r');
            if is_whole && self.bytes.is_empty() {
                continue;
            }
            return Ok(Some(RecordLine { number: self.number, offset, line: self.parse(is_long), is_whole }));
        }
    }

    fn parse(&self, is_long: bool) -> Result<Line, String> {
        if is_long {
            return Err(format!("it has more than {LINE_LIMIT} bytes"));
        }
        let text = str::from_utf8(&self.bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        Line::parse(text).map_err(|error| error.to_string())
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = io::Result<RecordLine>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<(usize, u64, bool, bool)> {
        let line = |line: io::Result<RecordLine>| {
            let line = line.unwrap();
            (line.number, line.offset, line.line.is_ok(), line.is_whole)
        };
        RecordReader::new(bytes).map(line).collect()
    }

    #[test]
    fn lines_are_numbered_and_torn_lines_are_detected() {
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
    fn long_lines_are_skipped() {
        let mut text = vec![b'x'; 3 * LINE_LIMIT];
        text.extend(b"\n\xff\n{}");
        let read = lines(&text);
        assert_eq!(read.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(read.iter().all(|line| !line.2));
    }
}
