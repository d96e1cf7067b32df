//! The `Game` class. Its methods are grouped by topic in the submodules.

mod constructors;
mod options;
mod pickle;
mod play;
mod state;
mod tensor;

use std::sync::Arc;

use pyo3::prelude::*;
use tabiya_engine::{Player, Rules};
use tabiya_notation::{State, parse_state, parse_state_strict};
use tabiya_referee::{Action, Dice, Game as Referee, IllegalAction, Snapshot};

use crate::errors::{bad_state, illegal};
use crate::loading::Source;

/// An action, and the game before it.
#[derive(Debug)]
struct Turn {
    before: Snapshot,
    act: Action,
}

/// A game in progress.
///
/// `name` is a library game (`games` lists them). `layout`, `preset` and `options` select among the choices that the game offers,
/// which are listed by `layouts`, `presets` and `options`. `state` is a board text to start from, and `seed` is the seed of the
/// die.
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
    /// The start state, if it is not that of the rules.
    state: Option<String>,
    seed: u64,
    referee: Referee,
    /// The actions, oldest first. They are shared with copies, so copying a long game is cheap.
    past: Vec<Arc<Turn>>,
}

impl Game {
    /// Starts a game.
    pub(crate) fn start(source: Arc<Source>, state: Option<&str>, seed: u64) -> PyResult<Self> {
        let rules = &source.spec.rules;
        let start = match state {
            // Chess rejects impossible positions; other games accept any.
            Some(text) if source.is_chess() => parse_state_strict(rules, text).map_err(bad_state)?,
            Some(text) => parse_state(rules, text).map_err(bad_state)?,
            None => State::new(rules.start()),
        };
        let referee = Referee::resume(Arc::clone(rules), start, &[], Dice::seeded(seed));
        Ok(Game { source, state: state.map(str::to_owned), seed, referee, past: Vec::new() })
    }

    /// The loaded game.
    pub(crate) fn source(&self) -> Arc<Source> {
        Arc::clone(&self.source)
    }

    /// The current state with its counters.
    pub(crate) fn current_state(&self) -> State {
        self.referee.state().clone()
    }

    /// The player to move.
    pub(crate) fn mover(&self) -> Player {
        self.referee.mover()
    }

    fn rules(&self) -> &Rules {
        self.referee.rules()
    }

    fn text(&self, turn: &Turn) -> String {
        turn.act.text(self.rules(), turn.before.position())
    }

    fn check_not_over(&self) -> PyResult<()> {
        if self.referee.end().is_some() { Err(illegal(&IllegalAction::GameOver)) } else { Ok(()) }
    }

    /// Performs an action that the referee may reject.
    fn act(&mut self, act: Action) -> PyResult<()> {
        let before = self.referee.snapshot();
        self.referee.submit(&act).map_err(|refusal| illegal(&refusal))?;
        self.past.push(Arc::new(Turn { before, act }));
        Ok(())
    }
}
