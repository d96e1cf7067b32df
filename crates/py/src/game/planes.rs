//! The game as numbers: planes of its position, and moves by their indices.

use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_engine::{Move, Player};
use tabiya_notation::parse_move;
use tabiya_referee::Act;
use tabiya_tensor::Sight;

use super::Game;
use crate::arguments::index;
use crate::buffer::filled;
use crate::errors::IllegalMove;

impl Game {
    /// The legal moves, if it is time to move.
    fn moves(&self) -> Vec<Move> {
        let moves = self.referee.ways_on().into_iter().filter_map(|act| match act {
            Act::Move(played) => Some(played),
            _ => None,
        });
        moves.collect()
    }

    fn action(&self, played: Move) -> u32 {
        self.source.encoding().action(self.rules(), &self.referee.state().position, played)
    }

    /// The legal move with that index.
    fn legal(&self, action: &Bound<'_, PyAny>) -> PyResult<Move> {
        let action = index("action", action, self.source.encoding().actions())?;
        self.going_on()?;
        let found = self.moves().into_iter().find(|played| self.action(*played) as usize == action);
        found.ok_or_else(|| IllegalMove::new_err(format!("the action {action} is no legal move here")))
    }

    fn seat(&self, name: Option<&str>) -> PyResult<Player> {
        let Some(name) = name else { return Ok(self.referee.mover()) };
        let found = self.rules().players().find(|player| self.rules().player(*player).name == name);
        found.ok_or_else(|| {
            let players = self.players().join(", ");
            PyValueError::new_err(format!("seat is `{name:.60}`, wanted one of {players}"))
        })
    }

    /// Writes the planes as somebody sees them.
    pub(crate) fn observed<'py>(
        &self,
        py: Python<'py>,
        seat: Player,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let (rules, encoding) = (self.rules(), self.source.encoding());
        let position = &self.referee.state().position;
        filled(py, out, &encoding.shape(), |planes| {
            // Only captures in passing depend on moves, and they need a flag.
            let moves = if position.marks().is_empty() { Vec::new() } else { rules.legal_moves(position) };
            let sight = Sight { position, tally: self.referee.tally(), moves: &moves };
            encoding.write(rules, &sight, seat, planes);
        })
    }
}

#[pymethods]
impl Game {
    /// The name of the encoding: `canonical18` for chess, `planes1` for what is derived from the rules of any game.
    ///
    /// >>> Game("chess").encoding, Game("capablanca").encoding
    /// ('canonical18', 'planes1')
    #[getter]
    fn encoding(&self) -> &'static str {
        self.source.encoding().name()
    }

    /// The names of the planes, in their order.
    ///
    /// >>> len(Game("chess").planes)
    /// 18
    #[getter]
    fn planes(&self) -> Vec<&str> {
        self.source.encoding().planes().iter().map(|plane| plane.name.as_str()).collect()
    }

    /// Rows, columns and planes.
    ///
    /// >>> Game("chess").observation_shape
    /// (8, 8, 18)
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        self.source.encoding().shape().into()
    }

    /// How many actions there are: every legal move of every position is one of them.
    ///
    /// >>> Game("chess").num_actions
    /// 4672
    #[getter]
    fn num_actions(&self) -> usize {
        self.source.encoding().actions()
    }

    /// The position as planes, as a player sees it: the one in `seat`, or else whose turn it is. They are written into `out`,
    /// if there is one: a C-contiguous array of float32 in the shape of `observation_shape`.
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

    /// The indices of the legal moves, in ascending order; none where something else is to be done before a move.
    ///
    /// >>> Game("chess", state="7k/4Q3/8/8/8/8/8/K7 b - - 0 1").legal_actions()
    /// array([4641])
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut actions: Vec<i64> =
            self.moves().into_iter().map(|played| self.action(played).into()).collect();
        actions.sort_unstable();
        PyArray1::from_vec(py, actions)
    }

    /// For every action, whether it is legal. It is written into `out`, if there is one: an array of bool, as long as there
    /// are actions.
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

    /// Makes the move with this index.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push_action(3797)
    /// >>> game.history
    /// ['e2e4']
    #[pyo3(signature = (action, /))]
    fn push_action(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let played = self.legal(action)?;
        self.act(Act::Move(played))
    }

    /// The index of a legal move.
    ///
    /// >>> Game("chess").action_of("e2e4")
    /// 3797
    #[pyo3(signature = (text, /))]
    fn action_of(&self, text: &str) -> PyResult<u32> {
        self.going_on()?;
        let played = parse_move(self.rules(), &self.referee.state().position, text);
        played.map(|played| self.action(played)).map_err(|error| IllegalMove::new_err(error.to_string()))
    }

    /// The legal move with this index.
    ///
    /// >>> Game("chess").move_of(3797)
    /// 'e2e4'
    /// >>> Game("chess").move_of(0)
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: the action 0 is no legal move here
    #[pyo3(signature = (action, /))]
    fn move_of(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let played = self.legal(action)?;
        Ok(Act::Move(played).text(self.rules(), &self.referee.state().position))
    }
}
