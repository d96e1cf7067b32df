//! The games for Python: the compiled half of the package `tabiya`, which lies in `python/`.
//!
//! No rule and no decision is here. Each class holds something of another room, asks it, and turns what it answers into
//! what Python knows: values into objects, refusals into exceptions that say what is wrong and where.

#![allow(
    clippy::doc_link_with_quotes,
    reason = "what is written for Python has lists of texts in its examples"
)]

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

/// The compiled half of `tabiya`.
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
