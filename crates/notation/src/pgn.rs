//! Whole games as text: PGN, for every game (`docs/game-record.md`).
//!
//! A file is first cut into games ([`entries`]), which needs no rules: so one file may hold games of many kinds, the tag
//! `Variant` says which, and a broken game does not take the next one with it. An [`Entry`] is then read with the rules
//! of its game. For a file of one kind, [`games`] does both.
//!
//! Leniencies when reading: everything that [`crate::parse_san`] allows; missing tags; numbers of moves that are missing
//! or wrong; `!` and `?` for numeric glyphs; comments before the tags; lines that begin with `%`, which are skipped.
//! Variations are skipped, too, but their brackets must match.

mod entry;
mod lexer;
mod read;
mod score;
mod tags;
mod write;

use std::fmt;

use tabiya_engine::{Move, PlayerSet, Rules, Step};

pub use entry::{Entries, Entry, entries};
pub use score::result_text;
pub use tags::player_tag;
pub use write::write;

use crate::State;

/// A game as it was played.
///
/// *Equality* is that of what is written: the same tags in the same order, the same start, moves, remarks and winners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Names and values, in order. What the other fields say is not among them: `Result`, `SetUp` and `FEN`.
    pub tags: Vec<(String, String)>,
    /// Where the game started.
    pub start: State,
    /// The moves, each legal in its turn.
    pub moves: Vec<Move>,
    /// What was said about them, in order.
    pub remarks: Vec<Remark>,
    /// Who won: nobody, if it was a draw; `None` while it is open.
    pub winners: Option<PlayerSet>,
}

/// Something said about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// How many moves stand before it: 0 is before the first move.
    pub after: usize,
    /// What is said.
    pub note: Note,
}

/// What may be said about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A numeric glyph: `$1` is a good move, as `!` is.
    Glyph(u8),
    /// A comment. Its white space is single blanks, and it has no closing brace.
    Comment(String),
    /// What happened there that is no move: a throw of the die, an exchange. It is a comment of its own: `{[%throw 4]}`.
    Step(Step),
}

impl Game {
    /// A game that starts there, of which nothing is known yet.
    pub fn new(start: State) -> Self {
        Game { tags: Vec::new(), start, moves: Vec::new(), remarks: Vec::new(), winners: None }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tags::find(&self.tags, name)
    }

    /// Gives a tag its value, in its place if it is there, else at the end.
    pub fn set_tag(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.tags.iter_mut().find(|(other, _)| *other == name) {
            Some(tag) => tag.1 = value,
            None => self.tags.push((name, value)),
        }
    }

    /// Takes a step: a move, or what happens between moves.
    pub fn push(&mut self, step: Step) {
        match step {
            Step::Move(played) => self.moves.push(played),
            other => self.remark(Note::Step(other)),
        }
    }

    /// Everything that happened, in its order.
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

    /// Says something about the last move.
    pub fn remark(&mut self, note: Note) {
        self.remarks.push(Remark { after: self.moves.len(), note });
    }
}

/// What is wrong with a game in a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// One sentence.
    pub reason: String,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason)
    }
}

impl std::error::Error for PgnError {}

/// The games of a text that are all of one kind. After a game that cannot be read comes the next one.
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
