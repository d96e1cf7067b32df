//! Actions and undo.

use pyo3::prelude::*;
use tabiya_referee::IllegalAction;

use super::Game;
use crate::errors::{IllegalMove, illegal};

#[pymethods]
impl Game {
    /// The actions so far, oldest first. Pushing them to a game with the same start and seed reproduces the state.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push("e2 e4")
    /// >>> game.history
    /// ['e2e4']
    #[getter]
    pub(super) fn history(&self) -> Vec<String> {
        self.past.iter().map(|turn| self.text(turn)).collect()
    }

    /// Performs an action.
    ///
    /// It is a move such as `e2e4` or `a7a8q`, one of `claim threefold_repetition`, `draw`, `accept`, `decline` and `resign`, or,
    /// in games that have them, `throw`, `exchange` or `withdraw YELLOW`.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push("e2e4")
    /// >>> game.push("e7e4")
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: the PAWN cannot move from e7 to e4
    #[pyo3(signature = (text, /))]
    fn push(&mut self, text: &str) -> PyResult<()> {
        self.check_not_over()?;
        let act = self.referee.parse_action(text).map_err(|error| IllegalMove::new_err(error.to_string()))?;
        self.act(act)
    }

    /// Takes back the last action and returns it.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push("e2e4")
    /// >>> game.undo()
    /// 'e2e4'
    /// >>> game.undo()
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: there is nothing to take back
    fn undo(&mut self) -> PyResult<String> {
        let turn = self.past.pop().ok_or_else(|| IllegalMove::new_err("there is nothing to take back"))?;
        self.referee.restore(turn.before.clone());
        Ok(self.text(&turn))
    }

    /// Claims an ending, which ends the game.
    ///
    /// >>> Game("chess").claim("threefold_repetition")
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: the claim threefold_repetition does not hold
    #[pyo3(signature = (code, /))]
    fn claim(&mut self, code: &str) -> PyResult<()> {
        self.check_not_over()?;
        let unknown = || illegal(&IllegalAction::NoSuchClaim(code.chars().take(60).collect()));
        let act = self.referee.claim_action(code).ok_or_else(unknown)?;
        self.act(act)
    }
}
