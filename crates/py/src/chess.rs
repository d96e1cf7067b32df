//! Chess, by its own name: what most people come for.

use numpy::PyArrayDyn;
use pyo3::PyClassInitializer;
use pyo3::prelude::*;
use tabiya_spec::Choices;

use crate::buffer::fill;
use crate::game::Game;
use crate::loading;

/// A game of chess, from the start or from a FEN.
///
/// >>> from tabiya import ChessGame
/// >>> game = ChessGame()
/// >>> for move in ["f2f3", "e7e5", "g2g4", "d8h4"]:
/// ...     game.push(move)
/// >>> game.outcome, game.result
/// (Outcome(winners=('BLACK',), reason='checkmate'), '0-1')
/// >>> ChessGame("8/8/8/8/8/8/8/9 w - - 0 1")
/// Traceback (most recent call last):
/// tabiya.BadState: rank 1 has 9 squares, the board has 8
#[pyclass(module = "tabiya", extends = Game, subclass)]
#[derive(Debug)]
pub(crate) struct ChessGame;

#[pymethods]
impl ChessGame {
    #[new]
    #[pyo3(signature = (fen=None))]
    fn new(py: Python<'_>, fen: Option<&str>) -> PyResult<PyClassInitializer<Self>> {
        let source = loading::named(py, "chess", &Choices::default())?;
        Ok(ChessGame::of(Game::begin(source, fen, 0, Some("canonical18"))?))
    }

    /// The same game, to be played on by itself.
    ///
    /// >>> ChessGame().copy().fen
    /// 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    fn copy(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        let game = slf.as_super().borrow().clone();
        Py::new(slf.py(), ChessGame::of(game))
    }

    /// The canonical tensor: float32 of shape `(8, 8, 18)`, seen by whoever moves, into `out` if it is given.
    ///
    /// >>> board = ChessGame().get_canonical_board()
    /// >>> board.shape, board[7, 4, 5], board[0, 4, 11]
    /// ((8, 8, 18), np.float32(1.0), np.float32(1.0))
    #[pyo3(signature = (*, out=None))]
    fn get_canonical_board<'py>(
        slf: &Bound<'py, Self>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let game = slf.as_super().borrow();
        let game: &Game = &game;
        fill(slf.py(), out, &[8, 8, 18], |numbers| game.write(game.mover(), numbers))
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        Self::copy(slf)
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__(slf: &Bound<'_, Self>, memo: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let _ = memo;
        Self::copy(slf)
    }
}

impl ChessGame {
    fn of(game: Game) -> PyClassInitializer<Self> {
        PyClassInitializer::from(game).add_subclass(ChessGame)
    }
}
