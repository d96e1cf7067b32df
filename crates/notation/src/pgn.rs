//! Games as PGN, for every game (`docs/game-record.md`).
//!
//! [`entries`] splits a file into games without knowing any rules. One file may therefore hold games of several variants,
//! named by the tag `Variant`, and a broken game does not affect the next. [`Entry::read`] then parses a game with its
//! rules. [`games`] does both for a file with a single variant.
//!
//! The parser accepts everything that [`crate::parse_san`] does; missing tags; missing or wrong move numbers; `!` and `?`
//! instead of numeric annotation glyphs (NAGs); and comments before the tags. It skips lines that begin with `%`, and
//! variations, whose parentheses must match.

mod entry;
mod lexer;
mod read;
mod result;
mod tags;
mod write;

use tabiya_engine::{Move, PlayerSet, Rules, Step};

pub use entry::{Entries, Entry, entries};
pub use result::result_text;
pub use tags::player_tag;
pub use write::write;

use crate::State;

/// A recorded game.
///
/// Two games are equal if they have the same tags in the same order and the same start, moves, remarks and winners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Names and values, in order. `Result`, `SetUp` and `FEN` are not among them; other fields hold that information.
    pub tags: Vec<(String, String)>,
    /// The starting position.
    pub start: State,
    /// The moves.
    pub moves: Vec<Move>,
    /// Comments, NAGs and steps that are not moves, in order.
    pub remarks: Vec<Remark>,
    /// The winners: an empty set for a draw, `None` for an unfinished game.
    pub winners: Option<PlayerSet>,
}

/// A note with its place among the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The number of moves before the note.
    pub after: usize,
    /// The note.
    pub note: Note,
}

/// What may stand between moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A numeric annotation glyph: `$1`, like `!`, is a good move.
    Nag(u8),
    /// A comment, with single spaces and without a closing brace.
    Comment(String),
    /// A step that is not a move, such as a throw of the die. It is written as a comment: `{[%throw 4]}`.
    Step(Step),
}

impl Game {
    /// Returns an empty game with this starting position.
    pub fn new(start: State) -> Self {
        Game { tags: Vec::new(), start, moves: Vec::new(), remarks: Vec::new(), winners: None }
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tags::find(&self.tags, name)
    }

    /// Sets the value of a tag. A new tag is added at the end.
    pub fn set_tag(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.tags.iter_mut().find(|(other, _)| *other == name) {
            Some(tag) => tag.1 = value,
            None => self.tags.push((name, value)),
        }
    }

    /// Appends a step.
    pub fn push(&mut self, step: Step) {
        match step {
            Step::Move(played) => self.moves.push(played),
            other => self.remark(Note::Step(other)),
        }
    }

    /// Returns all steps in order, moves and others.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let mut remarks = self.remarks.iter().peekable();
        let between = move |index: usize| {
            let mut steps = Vec::new();
            while let Some(remark) = remarks.next_if(|remark| remark.after <= index) {
                steps.extend(match remark.note {
                    Note::Step(step) => Some(step),
                    _ => None,
                });
            }
            steps
        };
        (0..=self.moves.len())
            .scan(between, |between, index| {
                let played = self.moves.get(index).map(|played| Step::Move(*played));
                Some(between(index).into_iter().chain(played))
            })
            .flatten()
    }

    /// Adds a note after the last move.
    pub fn remark(&mut self, note: Note) {
        self.remarks.push(Remark { after: self.moves.len(), note });
    }
}

/// A problem with a game in a file, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The problem, in one sentence.
    pub reason: String,
}

tabiya_engine::error_messages! { PgnError:
    PgnError { line, column, reason } => "line {line}, column {column}: {reason}";
}

/// Parses the games of a file with a single variant. An invalid game yields an error, and parsing continues with the next.
///
/// # Examples
///
/// ```
/// use tabiya_notation::pgn;
///
/// let chess = tabiya_spec::library::load("chess").unwrap();
/// let text = "[White \"Fool\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n\n1. d4 *\n";
/// let games: Vec<_> = pgn::games(&chess.rules, text).collect();
/// assert_eq!(games[0].as_ref().unwrap().moves.len(), 4);
/// assert_eq!(games[1].as_ref().unwrap_err().line, 5, "the king cannot go that far");
/// assert_eq!(games[2].as_ref().unwrap().tag("White"), None);
/// ```
pub fn games<'t>(rules: &'t Rules, text: &'t str) -> impl Iterator<Item = Result<Game, PgnError>> + 't {
    entries(text).map(|entry| entry?.read(rules))
}
