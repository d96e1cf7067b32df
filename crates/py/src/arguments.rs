//! Readers of Python arguments. Exceptions name the argument and what was expected.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMapping, PyString};

/// Reads a seed: an unsigned 64-bit integer.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    integer("seed", value, u64::MAX)
}

/// Reads an index below `count`.
pub(crate) fn index(what: &str, value: &Bound<'_, PyAny>, count: usize) -> PyResult<usize> {
    integer(what, value, count.saturating_sub(1) as u64).map(|number| number as usize)
}

/// Reads an integer from 0 to `most`, from Python or numpy.
fn integer(what: &str, value: &Bound<'_, PyAny>, most: u64) -> PyResult<u64> {
    match value.extract::<u64>() {
        Ok(number) if number <= most => Ok(number),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(wrong_type(what, value, "int")),
        _ => {
            let shown = shown(value);
            Err(PyValueError::new_err(format!("{what} is {shown}, expected a number from 0 to {most}")))
        }
    }
}

/// Defines readers of positive integers, each named like its argument.
macro_rules! counts {
    ($($name:ident),*) => {$(
        pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<usize> {
            count(stringify!($name), value)
        }
    )*};
}

counts!(n, simulations, considered);

/// Reads the number of threads; `None` means one per core.
pub(crate) fn threads(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if value.is_none() { Ok(None) } else { count("threads", value).map(Some) }
}

/// Reads the number of moves after which a game is truncated.
pub(crate) fn max_plies(value: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    if value.is_none() {
        return Ok(None);
    }
    let plies = count("max_plies", value)?;
    Ok(Some(u32::try_from(plies).unwrap_or(u32::MAX)))
}

fn count(what: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    match value.extract::<i64>() {
        Ok(number @ 1..) => Ok(number as usize),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(wrong_type(what, value, "int")),
        _ => Err(PyValueError::new_err(format!("{what} is {}, expected a number from 1", shown(value)))),
    }
}

/// Reads game options: a dict with values of type str, int or bool.
pub(crate) fn options(value: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let mapping = value.cast::<PyMapping>().map_err(|_| wrong_type("options", value, "dict"))?;
    let mut options = Vec::new();
    for pair in mapping.items()? {
        let (name, setting): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        let name: String = name.extract().map_err(|_| wrong_type("the name of an option", &name, "str"))?;
        let setting = if let Ok(flag) = setting.cast::<PyBool>() {
            flag.is_true().to_string()
        } else if setting.is_instance_of::<PyString>() {
            setting.extract()?
        } else if setting.is_instance_of::<PyInt>() {
            shown(&setting)
        } else {
            return Err(wrong_type(&format!("the option {name:.60}"), &setting, "str, int or bool"));
        };
        options.push((name, setting));
    }
    Ok(options)
}

/// Creates a `TypeError` for an argument.
pub(crate) fn wrong_type(what: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{what} is of type {found}, expected {expected}"))
}

/// Formats a number for a message; a very long one becomes "out of range".
fn shown(value: &Bound<'_, PyAny>) -> String {
    const MAX_LENGTH: usize = 40;
    let text = value.str().map(|text| text.to_string()).unwrap_or_default();
    if text.is_empty() || text.len() > MAX_LENGTH { "out of range".to_owned() } else { text }
}
