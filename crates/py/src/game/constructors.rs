//! Constructors: from the library, a file or a text.

use std::path::PathBuf;

use pyo3::prelude::*;
use tabiya_spec::Choices;

use super::Game;
use crate::arguments::{options, seed};
use crate::loading;

fn choices(
    layout: Option<String>,
    preset: Option<String>,
    settings: Option<&Bound<'_, PyAny>>,
) -> PyResult<Choices> {
    let options = settings.map(options).transpose()?.unwrap_or_default();
    Ok(Choices { layout, preset, options })
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, *, layout=None, preset=None, options=None, state=None, seed=0))]
    fn new(
        py: Python<'_>,
        name: &str,
        layout: Option<String>,
        preset: Option<String>,
        options: Option<&Bound<'_, PyAny>>,
        state: Option<&str>,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Self> {
        let source = loading::named(py, name, &choices(layout, preset, options)?)?;
        Game::start(source, state, seed)
    }

    /// Loads a game file.
    ///
    /// >>> Game.from_spec("no-such-file.json")
    /// Traceback (most recent call last):
    /// FileNotFoundError: [Errno 2] No such file or directory: 'no-such-file.json'
    #[staticmethod]
    #[pyo3(signature = (path, *, layout=None, preset=None, options=None, state=None, seed=0))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 passes paths by value")]
    fn from_spec(
        py: Python<'_>,
        path: PathBuf,
        layout: Option<String>,
        preset: Option<String>,
        options: Option<&Bound<'_, PyAny>>,
        state: Option<&str>,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Self> {
        let source = loading::from_file(py, &path, &choices(layout, preset, options)?)?;
        Game::start(source, state, seed)
    }

    /// Loads a game from the JSON text of a game file.
    ///
    /// >>> Game.from_json('{ "name": "Nothing" }')
    /// Traceback (most recent call last):
    /// tabiya.SpecError: json:1:1: error[missing-key]: A game needs the key `board`.
    /// json:1:1: error[missing-key]: A game needs the key `players`.
    /// json:1:1: error[missing-key]: A game needs the key `turns`.
    /// json:1:1: error[missing-key]: A game needs the key `pieces`.
    #[staticmethod]
    #[pyo3(signature = (text, *, layout=None, preset=None, options=None, state=None, seed=0))]
    fn from_json(
        py: Python<'_>,
        text: &str,
        layout: Option<String>,
        preset: Option<String>,
        options: Option<&Bound<'_, PyAny>>,
        state: Option<&str>,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Self> {
        let source = loading::from_json(py, None, text, &choices(layout, preset, options)?)?;
        Game::start(source, state, seed)
    }
}
