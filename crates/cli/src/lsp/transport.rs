//! Messages with a `Content-Length` header. What cannot be read is skipped.

use std::io::{self, BufRead, Read as _, Write};

use serde_json::Value;

/// The longest message. A game file of the largest size fits, even if every character is escaped.
const MAX_MESSAGE: u64 = 128 << 20;

/// The longest line of a header.
const MAX_HEADER: u64 = 4096;

/// A message that was read.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    Message(Value),
    /// A message that is not JSON.
    NotJson,
    /// A message over the limit.
    TooLong,
    /// The end of the input.
    End,
}

/// Reads a message. Lines that are not headers are skipped.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Incoming> {
    let mut length: Option<u64> = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(Incoming::End);
        }
        let text = String::from_utf8_lossy(&line);
        match text.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            None if text.trim().is_empty() && length.is_some() => break,
            _ => {}
        }
    }
    let length = length.unwrap_or(0);
    if length > MAX_MESSAGE {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Incoming::TooLong);
    }
    let mut body = Vec::new();
    if input.by_ref().take(length).read_to_end(&mut body)? < length as usize {
        return Ok(Incoming::End);
    }
    Ok(serde_json::from_slice(&body).map_or(Incoming::NotJson, Incoming::Message))
}

/// Writes a message.
pub(super) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn all(bytes: &[u8]) -> Vec<Incoming> {
        let mut input = io::BufReader::with_capacity(5, bytes);
        let mut found = Vec::new();
        loop {
            match read(&mut input).expect("reading from memory") {
                Incoming::End => return found,
                incoming => found.push(incoming),
            }
        }
    }

    #[test]
    fn messages_are_read_after_garbage() {
        let text =
            b"garbage\r\n\r\ncontent-length: 2\r\nContent-Type: x\r\n\r\n{}Content-Length: 3\r\n\r\n{]}\
            Content-Length: many\r\n\r\nContent-Length: 4\r\n\r\ntrue";
        let expected = [Incoming::Message(json!({})), Incoming::NotJson, Incoming::Message(json!(true))];
        assert_eq!(all(text), expected);
        assert_eq!(all(b"Content-Length: 10\r\n\r\n{}"), []);
        assert_eq!(all(b"Content-Length: 99999999999999\r\n\r\n{}"), [Incoming::TooLong]);
        assert_eq!(all("x".repeat(20_000).as_bytes()), []);
    }

    #[test]
    fn messages_are_written_with_their_length() {
        let mut output = Vec::new();
        write(&mut output, &json!({ "é": 1 })).expect("writing to memory");
        assert_eq!(output, "Content-Length: 8\r\n\r\n{\"é\":1}".as_bytes());
    }
}
