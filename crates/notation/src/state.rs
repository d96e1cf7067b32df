//! A position as people and programs pass it around, and the one door for reading it.

use std::fmt;

use tabiya_engine::{Position, Rules, Setup, SetupError};

use crate::{contradictions, fen, json};

/// A position with the two counters of board text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The position.
    pub position: Position,
    /// Turns since the last capture or irreversible move, as written; the engine does not count them.
    pub quiet: u32,
    /// Number of the round, from 1, as written.
    pub round: u32,
}

impl State {
    /// A position at the start of its counters.
    pub fn new(position: Position) -> Self {
        State { position, quiet: 0, round: 1 }
    }
}

/// Every reason why a text is no state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateError {
    /// One sentence each.
    pub reasons: Vec<String>,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

impl std::error::Error for StateError {}

/// Reads board text; or the state as JSON, if it starts with a brace. Every reason against it is given at once.
pub fn parse_state(rules: &Rules, text: &str) -> Result<State, StateError> {
    Draft::read(rules, text).finish(rules).map_err(|reasons| StateError { reasons })
}

/// What a text says about a state, and every reason against it so far.
pub(crate) struct Draft {
    pub(crate) setup: Setup,
    pub(crate) quiet: u32,
    pub(crate) round: u32,
    pub(crate) reasons: Vec<String>,
    /// Whether every piece could be read.
    pub(crate) knows_board: bool,
    /// Whether the turn and the players who are out could be read.
    pub(crate) knows_turn: bool,
}

impl Draft {
    /// Of a text that says nothing, for this reason.
    pub(crate) fn unreadable(reason: String) -> Self {
        Draft {
            setup: Setup::default(),
            quiet: 0,
            round: 1,
            reasons: vec![reason],
            knows_board: false,
            knows_turn: false,
        }
    }

    /// Of board text, or of JSON, if it starts with a brace.
    pub(crate) fn read(rules: &Rules, text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.starts_with('{') { json::draft(rules, text) } else { fen::draft(rules, text) }
    }

    /// Through the gate, if nothing speaks against it.
    pub(crate) fn finish(self, rules: &Rules) -> Result<State, Vec<String>> {
        let Draft { setup, quiet, round, mut reasons, .. } = self;
        reasons.extend(contradictions::of(rules, &setup));
        if reasons.is_empty() {
            Ok(State { position: position(rules, &setup)?, quiet, round })
        } else {
            Err(reasons)
        }
    }
}

/// Through the engine's gate, with reasons in words.
fn position(rules: &Rules, setup: &Setup) -> Result<Position, Vec<String>> {
    let name = |square| rules.board().name(square);
    rules.position(setup).map_err(|errors| {
        let reasons = errors.into_iter().map(|error| match error {
            SetupError::NoSuchSquare(square) => format!("{} is not a square of this board", name(square)),
            SetupError::SquareTaken(square) => format!("two pieces stand on {}", name(square)),
            SetupError::NoSuchPiece(square) => format!("the piece on {} is not of this game", name(square)),
            SetupError::BadFlag(square) => {
                format!("the flag on {} lies on no piece, or its countdown is impossible", name(square))
            }
            SetupError::FlagTwice(square) => format!("the piece on {} has a flag twice", name(square)),
            SetupError::BadGuest(square) => format!("no two pieces may stand on {} so", name(square)),
            SetupError::BadTag(square) => format!("the piece on {} cannot have this tag", name(square)),
            SetupError::NoSuchTurn(_)
            | SetupError::NoSuchPlayer
            | SetupError::TurnOfEliminated
            | SetupError::BadArmyState => error.to_string(),
        });
        reasons.collect()
    })
}
