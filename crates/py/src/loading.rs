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
    /// What was read, if it is not in the library.
    pub(crate) text: Option<String>,
    /// The game.
    pub(crate) spec: Spec,
    /// Made when somebody asks for it.
    encoding: OnceLock<Encoding>,
}

impl Source {
    /// Whether it is chess as the library has it.
    pub(crate) fn is_chess(&self) -> bool {
        self.text.is_none() && self.label.as_deref() == Some("chess")
    }

    /// How its positions and moves are told in numbers.
    pub(crate) fn encoding(&self) -> &Encoding {
        self.encoding.get_or_init(|| Encoding::usual(&self.spec.rules))
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
    let source = || {
        let spec = read(py, entry.name, entry.json.as_bytes(), choices)?;
        let label = Some(entry.name.to_owned());
        Ok(Arc::new(Source { label, text: None, spec, encoding: OnceLock::new() }))
    };
    if *choices != Choices::default() {
        return source();
    }
    let known = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(source) = known().get(entry.name) {
        return Ok(Arc::clone(source));
    }
    // Not under the lock: reading lets other threads run.
    let source = source()?;
    Ok(Arc::clone(known().entry(entry.name).or_insert(source)))
}

/// The game of a file.
pub(crate) fn at(py: Python<'_>, path: &Path, choices: &Choices) -> PyResult<Arc<Source>> {
    let bytes = py.detach(|| bytes(path)).map_err(|error| unreadable(&error, path))?;
    let label = path.display().to_string();
    let spec = read(py, &label, &bytes, choices)?;
    // What could be read as a game is text.
    let text = Some(String::from_utf8_lossy(&bytes).into_owned());
    Ok(Arc::new(Source { label: Some(label), text, spec, encoding: OnceLock::new() }))
}

/// The game of a text.
pub(crate) fn told(
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
            // What a file offers is known once it is read.
            let meant = game.choices.meant(choices);
            loaded = load_with(bytes, &meant);
        }
        loaded
    });
    loaded.game.ok_or_else(|| spec_error(py, label, &loaded.diagnostics, loaded.left_out))
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
