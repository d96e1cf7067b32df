//! Observations and actions of a game.

use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_engine::{Move, Player};
use tabiya_notation::parse_uci;
use tabiya_referee::Action;
use tabiya_tensor::PositionView;

use super::Game;
use crate::arguments::index;
use crate::buffer::filled;
use crate::errors::IllegalMove;

impl Game {
    /// Returns the legal moves; none if another action comes first.
    fn moves(&self) -> Vec<Move> {
        let moves = self.referee.required_actions().into_iter().filter_map(|act| match act {
            Action::Move(played) => Some(played),
            _ => None,
        });
        moves.collect()
    }

    fn action(&self, played: Move) -> u32 {
        self.source.encoding().action(self.rules(), &self.referee.state().position, played)
    }

    /// Returns the legal move with an action index.
    fn legal(&self, action: &Bound<'_, PyAny>) -> PyResult<Move> {
        let action = index("action", action, self.source.encoding().actions())?;
        self.check_not_over()?;
        let found = self.moves().into_iter().find(|played| self.action(*played) as usize == action);
        found.ok_or_else(|| IllegalMove::new_err(format!("action {action} is not a legal move here")))
    }

    fn seat(&self, name: Option<&str>) -> PyResult<Player> {
        let Some(name) = name else { return Ok(self.referee.mover()) };
        let found = self.rules().players().find(|player| self.rules().player(*player).name == name);
        found.ok_or_else(|| {
            let players = self.players().join(", ");
            PyValueError::new_err(format!("seat is `{name:.60}`, expected one of {players}"))
        })
    }

    /// Returns the observation of a seat.
    pub(crate) fn observed<'py>(
        &self,
        py: Python<'py>,
        seat: Player,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let (rules, encoding) = (self.rules(), self.source.encoding());
        let position = &self.referee.state().position;
        filled(py, out, &encoding.shape(), |planes| {
            // Only en-passant captures depend on legal moves, and they need a flag.
            let moves = if position.marks().is_empty() { Vec::new() } else { rules.legal_moves(position) };
            let view = PositionView { position, tally: self.referee.tally(), moves: &moves };
            encoding.write(rules, &view, seat, planes);
        })
    }
}

#[pymethods]
impl Game {
    /// The name of the encoding: `canonical18` for chess, `planes1` for other games.
    ///
    /// >>> Game("chess").encoding, Game("capablanca").encoding
    /// ('canonical18', 'planes1')
    #[getter]
    fn encoding(&self) -> &'static str {
        self.source.encoding().name()
    }

    /// The names of the planes in order.
    ///
    /// >>> len(Game("chess").planes)
    /// 18
    #[getter]
    fn planes(&self) -> Vec<&str> {
        crate::encoding::plane_names(self.source.encoding())
    }

    /// Rows, columns and planes.
    ///
    /// >>> Game("chess").observation_shape
    /// (8, 8, 18)
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        self.source.encoding().shape().into()
    }

    /// The number of actions. Every legal move of every position is one of them.
    ///
    /// >>> Game("chess").num_actions
    /// 4672
    #[getter]
    fn num_actions(&self) -> usize {
        self.source.encoding().actions()
    }

    /// Returns the position as planes, from the point of view of `seat` or of the player to move.
    ///
    /// If `out` is given, it is filled and returned: a C-contiguous float32 array of shape `observation_shape`.
    ///
    /// >>> game = Game("chess")
    /// >>> game.observe().shape, game.observe("BLACK").dtype
    /// ((8, 8, 18), dtype('float32'))
    #[pyo3(signature = (seat=None, *, out=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        seat: Option<&str>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        self.observed(py, self.seat(seat)?, out)
    }

    /// Returns the indices of the legal moves in ascending order; none if another action comes first.
    ///
    /// >>> Game("chess", state="7k/4Q3/8/8/8/8/8/K7 b - - 0 1").legal_actions()
    /// array([4641])
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut actions: Vec<i64> =
            self.moves().into_iter().map(|played| self.action(played).into()).collect();
        actions.sort_unstable();
        PyArray1::from_vec(py, actions)
    }

    /// Returns for every action whether it is legal.
    ///
    /// If `out` is given, it is filled and returned: a bool array with `num_actions` elements.
    ///
    /// >>> int(Game("chess").legal_mask().sum())
    /// 20
    #[pyo3(signature = (*, out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        filled(py, out, &[self.source.encoding().actions()], |mask| {
            mask.fill(false);
            for played in self.moves() {
                mask[self.action(played) as usize] = true;
            }
        })
    }

    /// Makes the move with an action index.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push_action(3797)
    /// >>> game.history
    /// ['e2e4']
    #[pyo3(signature = (action, /))]
    fn push_action(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let played = self.legal(action)?;
        self.act(Action::Move(played))
    }

    /// Returns the action index of a legal move.
    ///
    /// >>> Game("chess").action_of("e2e4")
    /// 3797
    #[pyo3(signature = (text, /))]
    fn action_of(&self, text: &str) -> PyResult<u32> {
        self.check_not_over()?;
        let played = parse_uci(self.rules(), &self.referee.state().position, text);
        played.map(|played| self.action(played)).map_err(|error| IllegalMove::new_err(error.to_string()))
    }

    /// Returns the legal move with an action index.
    ///
    /// >>> Game("chess").move_of(3797)
    /// 'e2e4'
    /// >>> Game("chess").move_of(0)
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: action 0 is not a legal move here
    #[pyo3(signature = (action, /))]
    fn move_of(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let played = self.legal(action)?;
        Ok(Action::Move(played).text(self.rules(), &self.referee.state().position))
    }
}
