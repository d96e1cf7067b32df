//! A game in progress, as Python sees it: what it is made of here, how it is made, asked, played, drawn as planes and kept
//! in the files beside.

mod choosing;
mod keeping;
mod making;
mod planes;
mod playing;
mod standing;

use std::sync::Arc;

use pyo3::prelude::*;
use tabiya_engine::{Player, Rules};
use tabiya_notation::{State, parse_state, parse_state_strict};
use tabiya_referee::{Act, Dice, Game as Referee, Illegal, Snapshot};

use crate::errors::{bad_state, illegal};
use crate::loading::Source;

/// What was done, and how the game stood before it.
#[derive(Debug)]
struct Turn {
    before: Snapshot,
    act: Act,
}

/// A game in progress, under the laws of its file.
///
/// `name` is that of a game of the library (`games` lists them). What a game leaves open is chosen by `layout`, `preset` and
/// `options`, as `layouts`, `presets` and `options` list it; `state` is where it starts, as board text, instead of its own
/// start; `seed` is what its die is thrown from, if it has one.
///
/// >>> from tabiya import Game
/// >>> game = Game("capablanca")
/// >>> game.push("e2e4")
/// >>> game.turn
/// 'BLACK'
/// >>> Game("enochian", layout="Fire of Fire", preset="zalewski", options={"SHARING": "NEVER"}).turn
/// 'RED'
#[pyclass(module = "tabiya", subclass)]
#[derive(Clone, Debug)]
pub(crate) struct Game {
    source: Arc<Source>,
    /// Where it started, if not at the game's own start.
    state: Option<String>,
    seed: u64,
    referee: Referee,
    /// Oldest first; shared with copies, which therefore cost little however long the game is.
    past: Vec<Arc<Turn>>,
}

impl Game {
    /// A game at its start, or at another state.
    pub(crate) fn begin(source: Arc<Source>, state: Option<&str>, seed: u64) -> PyResult<Self> {
        let rules = &source.spec.rules;
        let start = match state {
            // Chess knows what a possible position is; other games may be tried out from anything.
            Some(text) if source.is_chess() => {
                parse_state_strict(rules, text).map_err(|error| bad_state(&error))?
            }
            Some(text) => parse_state(rules, text).map_err(|error| bad_state(&error))?,
            None => State::new(rules.start()),
        };
        let referee = Referee::resume(Arc::clone(rules), start, &[], Dice::seeded(seed));
        Ok(Game { source, state: state.map(str::to_owned), seed, referee, past: Vec::new() })
    }

    /// The game as it was read.
    pub(crate) fn source(&self) -> Arc<Source> {
        Arc::clone(&self.source)
    }

    /// How it stands, with its counters.
    pub(crate) fn stands(&self) -> State {
        self.referee.state().clone()
    }

    /// Whose turn it is.
    pub(crate) fn mover(&self) -> Player {
        self.referee.mover()
    }

    fn rules(&self) -> &Rules {
        self.referee.rules()
    }

    fn text(&self, turn: &Turn) -> String {
        turn.act.text(self.rules(), turn.before.position())
    }

    fn going_on(&self) -> PyResult<()> {
        if self.referee.end().is_some() { Err(illegal(&Illegal::GameOver)) } else { Ok(()) }
    }

    /// Does something that the referee may refuse.
    fn act(&mut self, act: Act) -> PyResult<()> {
        let before = self.referee.snapshot();
        self.referee.submit(&act).map_err(|refusal| illegal(&refusal))?;
        self.past.push(Arc::new(Turn { before, act }));
        Ok(())
    }
}
