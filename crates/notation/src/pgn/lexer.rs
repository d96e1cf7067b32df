//! Splits PGN text into tokens with their places, in one pass without copying.

use super::PgnError;
use crate::symbols::clip;

/// Line and column in characters, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    /// Returns an error at this place.
    pub(super) fn error(self, reason: impl Into<String>) -> PgnError {
        PgnError { line: self.line, column: self.column, reason: reason.into() }
    }
}

/// A token. Move numbers are skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A tag with name and value.
    Tag(&'t str, String),
    /// The text of a comment.
    Comment(&'t str),
    /// A numeric annotation glyph, `$` and a number.
    Nag(u8),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A move, a result, or invalid text.
    Word(&'t str),
}

/// The tokenizer.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    rest: &'t str,
    place: Place,
    /// The number of bytes after the last closing brace of the text, where no comment can end.
    after_braces: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let rest = text.trim_start_matches('\u{feff}');
        let after_braces = rest.rfind('}').map_or(rest.len(), |at| rest.len() - at - 1);
        Lexer { rest, place: Place { line: 1, column: 1 }, after_braces }
    }

    /// Returns the current place.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Returns the next token and its place, or `None` at the end. After an error the lexer stays at the bad token.
    pub(super) fn next(&mut self) -> Option<Result<(Place, Token<'t>), PgnError>> {
        self.skip();
        let place = self.place;
        let first = self.rest.chars().next()?;
        let token = match first {
            '[' => self.tag(),
            '{' => self.comment(),
            ';' => {
                let line = self.line();
                self.advance(line.len());
                Ok(Token::Comment(&line[1..]))
            }
            '(' | ')' => {
                self.advance(1);
                Ok(if first == '(' { Token::Open } else { Token::Close })
            }
            '$' => self.nag(),
            '*' => Ok(Token::Word(self.advance(1))),
            '}' | ']' | '"' | '<' | '>' => Err(format!("`{first}` has no meaning here")),
            _ => Ok(Token::Word(self.advance(word_length(self.rest)))),
        };
        Some(token.map(|token| (place, token)).map_err(|reason| place.error(reason)))
    }

    /// Skips to the first line that begins the tags of a game. A tag line that follows another tag belongs to the failed
    /// game.
    pub(super) fn recover(&mut self, in_tags: bool) {
        let mut was_tag = in_tags || self.rest.starts_with('[');
        loop {
            let length = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
            self.advance(length);
            let line = self.line();
            let is_tag = line.starts_with('[') && line[1..].starts_with(|c: char| c.is_ascii_alphabetic());
            if self.rest.is_empty() || is_tag && !was_tag {
                return;
            }
            was_tag = is_tag;
        }
    }

    /// Returns the rest of the line.
    fn line(&self) -> &'t str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest[..end].trim_end_matches('\r')
    }

    /// Consumes and returns some bytes.
    fn advance(&mut self, bytes: usize) -> &'t str {
        let (done, rest) = self.rest.split_at(bytes);
        for character in done.chars() {
            if character == '\n' {
                self.place = Place { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        self.rest = rest;
        done
    }

    /// Skips white space, lines that begin with `%`, and move numbers.
    fn skip(&mut self) {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.advance(blank);
            let length = match self.rest.chars().next() {
                Some('%') if self.place.column == 1 => self.line().len(),
                Some('0'..='9' | '.') => number_length(self.rest),
                _ => 0,
            };
            if length == 0 {
                return;
            }
            self.advance(length);
        }
    }

    fn comment(&mut self) -> Result<Token<'t>, String> {
        let end = (self.rest.len() > self.after_braces).then(|| self.rest.find('}')).flatten();
        let end = end.ok_or("the comment is not closed")?;
        Ok(Token::Comment(&self.advance(end + 1)[1..end]))
    }

    fn nag(&mut self) -> Result<Token<'t>, String> {
        let digits = self.rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len() - 1);
        let number = &self.rest[1..=digits];
        let nag = number
            .parse()
            .map_err(|_| format!("`${}` is not a NAG: they are numbered from $0 to $255", clip(number)))?;
        self.advance(digits + 1);
        Ok(Token::Nag(nag))
    }

    /// Parses `[Name "value"]` on one line.
    fn tag(&mut self) -> Result<Token<'t>, String> {
        let line = self.line();
        let inside = line[1..].trim_start();
        let name_length =
            inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inside.len());
        let (name, after_name) = inside.split_at(name_length);
        if name.is_empty() {
            return Err("a tag has a name and a value: [Name \"value\"]".into());
        }
        let value = after_name.trim_start().strip_prefix('"');
        let value = value.ok_or_else(|| format!("the tag {} has no value in quotes", clip(name)))?;
        let (value, after_value) =
            unquote(value).ok_or_else(|| format!("the value of the tag {} is not closed", clip(name)))?;
        let after = after_value.trim_start().strip_prefix(']');
        let after = after.ok_or_else(|| format!("the tag {} does not end with `]`", clip(name)))?;
        self.advance(line.len() - after.len());
        Ok(Token::Tag(name, value))
    }
}

/// Returns the length of a leading move number with its dots: `1.`, `12...`, `...`, or `7` alone.
fn number_length(text: &str) -> usize {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let dots = text[digits..].len() - text[digits..].trim_start_matches('.').len();
    if dots > 0 || digits == word_length(text) { digits + dots } else { 0 }
}

fn word_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || "{}()[]<>\";$*".contains(c);
    text.find(ends).unwrap_or(text.len())
}

/// Returns the text up to the next quote, with `\"` and `\\` unescaped, and the rest.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(characters.next()?.1),
            _ => value.push(character),
        }
    }
    None
}
