//! Loads games from the library, a file or a text.

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

/// A loaded game, shared by all `Game` objects of it.
#[derive(Debug)]
pub(crate) struct Source {
    /// The library name or the path; `None` for a text.
    pub(crate) label: Option<String>,
    /// The JSON text, if it is not a library game.
    pub(crate) text: Option<String>,
    /// The compiled game.
    pub(crate) spec: Spec,
    /// Created on first use.
    encoding: OnceLock<Encoding>,
}

impl Source {
    /// Whether this is the library's chess.
    pub(crate) fn is_chess(&self) -> bool {
        self.text.is_none() && self.label.as_deref() == Some("chess")
    }

    /// The default encoding of the game.
    pub(crate) fn encoding(&self) -> &Encoding {
        self.encoding.get_or_init(|| Encoding::for_game(&self.spec.rules))
    }
}

/// Library games that were compiled with default choices, so that a thousand games of chess compile the rules once.
static COMPILED: Mutex<BTreeMap<&'static str, Arc<Source>>> = Mutex::new(BTreeMap::new());

/// Returns the names of the library games, which `Game` accepts.
///
/// >>> from tabiya import games
/// >>> "chess" in games()
/// True
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    library::games().into_iter().map(|entry| entry.name).collect()
}

/// Loads a library game.
pub(crate) fn named(py: Python<'_>, name: &str, choices: &Choices) -> PyResult<Arc<Source>> {
    let entry = library::find(name).ok_or_else(|| unknown(name))?;
    let source = || {
        let spec = read(py, entry.name, entry.json.as_bytes(), choices)?;
        let label = Some(entry.name.to_owned());
        Ok(Arc::new(Source { label, text: None, spec, encoding: OnceLock::new() }))
    };
    if *choices != Choices::default() {
        return source();
    }
    let known = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(source) = known().get(entry.name) {
        return Ok(Arc::clone(source));
    }
    // Compile without holding the lock, because it releases the GIL.
    let source = source()?;
    Ok(Arc::clone(known().entry(entry.name).or_insert(source)))
}

/// Loads a file.
pub(crate) fn from_file(py: Python<'_>, path: &Path, choices: &Choices) -> PyResult<Arc<Source>> {
    let bytes = py.detach(|| bytes(path)).map_err(|error| unreadable(&error, path))?;
    let label = path.display().to_string();
    let spec = read(py, &label, &bytes, choices)?;
    // A valid game is UTF-8.
    let text = Some(String::from_utf8_lossy(&bytes).into_owned());
    Ok(Arc::new(Source { label: Some(label), text, spec, encoding: OnceLock::new() }))
}

/// Loads a JSON text.
pub(crate) fn from_json(
    py: Python<'_>,
    label: Option<String>,
    json: &str,
    choices: &Choices,
) -> PyResult<Arc<Source>> {
    let spec = read(py, label.as_deref().unwrap_or("json"), json.as_bytes(), choices)?;
    Ok(Arc::new(Source { label, text: Some(json.to_owned()), spec, encoding: OnceLock::new() }))
}

fn read(py: Python<'_>, label: &str, bytes: &[u8], choices: &Choices) -> PyResult<Spec> {
    let loaded = py.detach(|| {
        let mut loaded = load(bytes);
        if let Some(game) = loaded.game.as_ref().filter(|_| *choices != Choices::default()) {
            // The available choices are known only after the first load.
            let meant = game.choices.normalize(choices);
            loaded = load_with(bytes, &meant);
        }
        loaded
    });
    loaded.game.ok_or_else(|| spec_error(py, label, &loaded.diagnostics, loaded.left_out))
}

/// Reads at most one byte more than the limit: the path may be an endless device.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Creates an `OSError`. Python maps the error number to `FileNotFoundError` and others.
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
        "unknown game `{name:.60}`{hint} The library games are: {games}. To load a file, use `Game.from_spec`."
    ))
}
