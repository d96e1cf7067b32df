//! How a session is set up.

use serde::{Deserialize, Serialize};
use tabiya_engine::Rules;
use tabiya_notation::State;

use super::{MAX_PLIES, Seating};
use crate::protocol::Strictness;
use crate::{Dice, DiceSecret, TimeControl};

/// How a session is set up.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// The state in which the game starts.
    pub start: State,
    /// The seed of the dice, unless they follow from a secret.
    pub seed: u64,
    /// The secret of the dice, if it was committed to before the game.
    pub secret: Option<DiceSecret>,
    /// Which players are played by the same agent or person.
    pub seating: Seating,
    /// What happens when a player resigns, fails or runs out of time.
    pub kind: SessionKind,
    /// The time control.
    pub time: TimeControl,
    /// How many rejected answers are forgiven on each move.
    pub retries: u32,
    /// The game is a draw after this many moves; [`MAX_PLIES`] at most.
    pub max_plies: u32,
    /// The format in which each player answers.
    pub formats: Vec<AnswerFormat>,
    /// Whether an answer may have other text around it.
    pub strictness: Strictness,
}

/// What happens when a player resigns, fails or runs out of time, and who agrees to a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// A match between agents: the game ends, and the agent loses it at every seat. Every player agrees to a draw
    /// separately.
    Match,
    /// A game among people and programs: among three and more sides the others play on. One seat agrees to a draw for all
    /// of its players.
    Casual,
}

/// The format in which a player answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerFormat {
    /// One object of the agent protocol.
    Object,
    /// A move or another action as text.
    Text,
}

impl SessionOptions {
    /// Returns the dice before the first throw.
    pub fn dice(&self) -> Dice {
        match &self.secret {
            Some(secret) => Dice::Committed(secret.clone(), 0),
            None => Dice::seeded(self.seed),
        }
    }

    /// A casual game from the start of the rules: every player has a seat and answers with text, without clocks or retries.
    pub fn new(rules: &Rules) -> Self {
        let players = rules.players().count();
        SessionOptions {
            start: State::new(rules.start()),
            seed: 0,
            secret: None,
            seating: Seating::single(players),
            kind: SessionKind::Casual,
            time: TimeControl::default(),
            retries: 0,
            max_plies: MAX_PLIES,
            formats: vec![AnswerFormat::Text; players],
            strictness: Strictness::Strict,
        }
    }
}
