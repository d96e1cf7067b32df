//! The `ChessGame` class.

use numpy::PyArrayDyn;
use pyo3::PyClassInitializer;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabiya_spec::Choices;

use crate::game::Game;
use crate::loading;

/// A game of chess from the start position or from a FEN.
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
        Ok(ChessGame::of(Game::start(source, fen, 0)?))
    }

    /// Returns the position as planes, from the point of view of the player to move.
    ///
    /// Own pieces are in planes 0 to 5, enemy pieces in 6 to 11, repetition in 12, the en-passant target in 13 and castling
    /// rights in 14 to 17. If `out` is given, it is filled and returned: a C-contiguous float32 array of shape (8, 8, 18).
    ///
    /// >>> board = ChessGame().get_canonical_board()
    /// >>> board.shape, board.dtype
    /// ((8, 8, 18), dtype('float32'))
    /// >>> board[7, 4].tolist().index(1.0), board[0, 4].tolist().index(1.0)
    /// (5, 11)
    #[pyo3(signature = (*, out=None))]
    fn get_canonical_board<'py>(
        slf: &Bound<'py, Self>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let game = slf.as_super().borrow();
        game.observed(slf.py(), game.mover(), out)
    }

    fn __getnewargs__(slf: &Bound<'_, Self>) -> Py<PyTuple> {
        PyTuple::empty(slf.py()).unbind()
    }
}

impl ChessGame {
    /// Wraps a game of chess.
    pub(crate) fn of(game: Game) -> PyClassInitializer<Self> {
        PyClassInitializer::from(game).add_subclass(ChessGame)
    }
}
