//! From a name, a path or a text to a game that can be played, or to the exception that says why not.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use tabiya_spec::{Choices, Game as Spec, MAX_BYTES, library, load, load_with};
use tabiya_tensor::Encoding;

use crate::errors::spec_error;

/// A game as it was read, shared by all that are played by it.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its name in the library, or its path; `None` for a text.
    pub(crate) label: Option<String>,
    /// The game.
    pub(crate) spec: Spec,
    /// Its usual encoding, once somebody has asked for it.
    usual: OnceLock<Arc<Encoding>>,
}

impl Source {
    /// Its usual encoding.
    pub(crate) fn usual(&self) -> Arc<Encoding> {
        Arc::clone(self.usual.get_or_init(|| Arc::new(Encoding::usual(&self.spec.rules))))
    }
}

/// The games of the library that have been read so far, as they are without any choice: whoever starts a thousand games of
/// chess compiles its rules once.
static READ: Mutex<BTreeMap<&'static str, Arc<Source>>> = Mutex::new(BTreeMap::new());

/// The names of the games of the library, which `Game` takes.
///
/// >>> from tabiya import games
/// >>> "chess" in games()
/// True
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    library::games().into_iter().map(|entry| entry.name).collect()
}

/// The game of the library with this name.
pub(crate) fn named(py: Python<'_>, name: &str, choices: &Choices) -> PyResult<Arc<Source>> {
    let entry = library::find(name).ok_or_else(|| unknown(name))?;
    let label = Some(entry.name.to_owned());
    if *choices != Choices::default() {
        return read(py, label, entry.json.as_bytes(), choices);
    }
    let known = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(source) = known().get(entry.name) {
        return Ok(Arc::clone(source));
    }
    // Not under the lock: reading lets other threads run.
    let source = read(py, label, entry.json.as_bytes(), choices)?;
    Ok(Arc::clone(known().entry(entry.name).or_insert(source)))
}

/// The game of a file.
pub(crate) fn at(py: Python<'_>, path: &Path, choices: &Choices) -> PyResult<Arc<Source>> {
    let bytes = py.detach(|| bytes(path)).map_err(|error| unreadable(&error, path))?;
    read(py, Some(path.display().to_string()), &bytes, choices)
}

/// The game of a text.
pub(crate) fn told(py: Python<'_>, json: &str, choices: &Choices) -> PyResult<Arc<Source>> {
    read(py, None, json.as_bytes(), choices)
}

fn read(py: Python<'_>, label: Option<String>, bytes: &[u8], choices: &Choices) -> PyResult<Arc<Source>> {
    let loaded = py.detach(|| {
        let mut loaded = load(bytes);
        if let Some(game) = loaded.game.as_ref().filter(|_| *choices != Choices::default()) {
            // What a file offers is known once it is read.
            let meant = game.choices.meant(choices);
            loaded = load_with(bytes, &meant);
        }
        loaded
    });
    let Some(spec) = loaded.game else {
        let label = label.as_deref().unwrap_or("json");
        return Err(spec_error(py, label, &loaded.diagnostics, loaded.left_out));
    };
    Ok(Arc::new(Source { label, spec, usual: OnceLock::new() }))
}

/// The bytes of a file, or one more than can be read of a larger one: it may be a device without end.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// With the number of the operating system Python finds the exception that its users know: `FileNotFoundError` and others.
fn unreadable(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let words = text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words).to_owned();
            PyOSError::new_err((number, words, path.display().to_string()))
        }
        None => PyValueError::new_err(format!("`{}` cannot be read: {error}", path.display())),
    }
}

fn unknown(name: &str) -> PyErr {
    let hint = library::nearest(name).map(|near| format!("; did you mean `{near}`?"));
    let hint = hint.unwrap_or_else(|| ".".to_owned());
    let games = games().join(", ");
    PyValueError::new_err(format!(
        "no game of the library is called `{name:.60}`{hint} The games are: {games}. A file is read by `Game.from_spec`."
    ))
}
