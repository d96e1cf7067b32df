//! The compiled part of the Python package `tabiya`, whose other part is in `python/`.
//!
//! This crate contains no game logic. Each class wraps a type of another crate and converts its values into Python objects
//! and its errors into exceptions.

#![allow(clippy::doc_link_with_quotes, reason = "Python docstrings contain lists of strings")]

mod arguments;
mod batch;
mod buffer;
mod chess;
mod compact;
mod diagnostic;
mod encoding;
mod errors;
mod game;
mod loading;
mod outcome;
mod search;

use pyo3::prelude::*;

/// The compiled part of `tabiya`.
#[pymodule(gil_used = false)]
mod _tabiya {
    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_export]
    use super::batch::BatchEnv;
    #[pymodule_export]
    use super::chess::ChessGame;
    #[pymodule_export]
    use super::compact::expand;
    #[pymodule_export]
    use super::diagnostic::Diagnostic;
    #[pymodule_export]
    use super::errors::{BadState, GameOver, IllegalMove, SpecError};
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::loading::games;
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::search::{SearchResult, search};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
