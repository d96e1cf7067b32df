//! Numbers and settings that come from Python, where they may be anything: what does not fit is named in the exception.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMapping, PyString};

/// A seed: any whole number from 0 that 64 bits can hold.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if !value.is_instance_of::<PyInt>() || value.is_instance_of::<PyBool>() {
        return Err(wrong_type("seed", value, "int"));
    }
    value.extract().map_err(|_| {
        let most = u64::MAX;
        PyValueError::new_err(format!("seed is {}, wanted a number from 0 to {most}", shown(value)))
    })
}

/// How many of something: a whole number from 1 on.
pub(crate) fn count(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let number: i64 = value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyTypeError>(value.py()) {
            wrong_type("a count", value, "int")
        } else {
            PyValueError::new_err(format!("a count is {}, wanted a number from 1 on", shown(value)))
        }
    })?;
    let few = || PyValueError::new_err(format!("a count is {number}, wanted a number from 1 on"));
    usize::try_from(number).ok().filter(|count| *count > 0).ok_or_else(few)
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

fn wrong_type(what: &str, value: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let found = value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{what} is of type {found}, wanted {wanted}"))
}

/// A number as it is shown; one of thousands of digits is not.
fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 40;
    let text = value.str().map(|text| text.to_string()).unwrap_or_default();
    if text.is_empty() || text.len() > MOST { "too large".to_owned() } else { text }
}
