//! Numbers and settings that come from Python, where they may be anything: what does not fit is named in the exception.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMapping, PyString};

/// A seed: any whole number from 0 that 64 bits can hold.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("seed", value, u64::MAX)
}

/// A number below another, which counts something.
pub(crate) fn index(what: &str, value: &Bound<'_, PyAny>, count: usize) -> PyResult<usize> {
    whole(what, value, count.saturating_sub(1) as u64).map(|number| number as usize)
}

/// A whole number from 0 to `most`, of Python or of numpy.
fn whole(what: &str, value: &Bound<'_, PyAny>, most: u64) -> PyResult<u64> {
    match value.extract::<u64>() {
        Ok(number) if number <= most => Ok(number),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(wrong_type(what, value, "int")),
        _ => {
            let shown = shown(value);
            Err(PyValueError::new_err(format!("{what} is {shown}, wanted a number from 0 to {most}")))
        }
    }
}

/// How many of something there are to be: readers of arguments by name, each a whole number from 1 on.
macro_rules! counts {
    ($($name:ident),*) => {$(
        pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<usize> {
            count(stringify!($name), value)
        }
    )*};
}

counts!(n, simulations, considered);

/// How many threads work; as many as there are cores, if it is not said.
pub(crate) fn threads(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if value.is_none() { Ok(None) } else { count("threads", value).map(Some) }
}

/// After how many moves a game is cut off, if it is said.
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
        _ => Err(PyValueError::new_err(format!("{what} is {}, wanted a number from 1 on", shown(value)))),
    }
}

/// The options of a game and their values: texts, numbers and truth, as the game file has them.
pub(crate) fn options(value: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let mapping = value.cast::<PyMapping>().map_err(|_| wrong_type("options", value, "dict"))?;
    let mut options = Vec::new();
    for pair in mapping.items()? {
        let (name, setting): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        let name: String = name.extract().map_err(|_| wrong_type("the name of an option", &name, "str"))?;
        let setting = if let Ok(truth) = setting.cast::<PyBool>() {
            truth.is_true().to_string()
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

/// An argument that is of another type than it must be.
pub(crate) fn wrong_type(what: &str, value: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let found = value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{what} is of type {found}, wanted {wanted}"))
}

/// A number as it is shown; one of thousands of digits is not.
fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 40;
    let text = value.str().map(|text| text.to_string()).unwrap_or_default();
    if text.is_empty() || text.len() > MOST { "out of range".to_owned() } else { text }
}
