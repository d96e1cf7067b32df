//! Output arrays, new or given by the caller as `out=`, and input arrays. Exceptions name every mismatch.

use numpy::{
    BorrowError, Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arguments::wrong_type;

/// From this many numbers on, writing releases the GIL.
const MIN_DETACHED: usize = 1 << 13;

/// Returns the caller's array or a new one, filled by `write`. `write` is not called if the array does not fit.
pub(crate) fn filled<'py, T: Element + Send>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]) + Send,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let Some(out) = out else { return new(py, shape, write) };
    let array = checked(out, shape)?;
    // A C-contiguous array does not overlap itself; this borrow excludes other users of its memory.
    let mut borrowed = array.try_readwrite().map_err(|error| match error {
        BorrowError::NotWriteable => PyValueError::new_err("out is read-only"),
        _ => PyValueError::new_err("out is in use, or overlaps with an array that is"),
    })?;
    work(py, borrowed.as_slice_mut()?, write);
    drop(borrowed);
    Ok(array)
}

/// Creates and fills an array.
#[expect(unsafe_code, reason = "the borrow check of a new array would take longer than filling it")]
fn new<'py, T: Element + Send>(
    py: Python<'py>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]) + Send,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = PyArrayDyn::zeros(py, shape, false);
    // SAFETY: the array is new, in C order, and has no other reference.
    work(py, unsafe { array.as_slice_mut()? }, write);
    Ok(array)
}

/// Writes, and releases the GIL for large arrays.
fn work<T: Send>(py: Python<'_>, out: &mut [T], write: impl FnOnce(&mut [T]) + Send) {
    if out.len() < MIN_DETACHED {
        write(out);
    } else {
        py.detach(|| write(out));
    }
}

/// Checks type, shape and memory layout of an array.
fn checked<'py, T: Element>(out: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let expected = dtype::<T>(out.py());
    let array = out
        .cast::<PyUntypedArray>()
        .map_err(|_| wrong_type("out", out, &format!("numpy.ndarray of {expected}")))?;
    if !array.dtype().is_equiv_to(&expected) {
        return Err(PyTypeError::new_err(format!("out is {}, expected {expected}", array.dtype())));
    }
    if array.shape() != shape {
        let (found, expected) = (tuple(array.shape()), tuple(shape));
        return Err(PyValueError::new_err(format!("out has shape {found}, expected {expected}")));
    }
    if !array.is_c_contiguous() {
        return Err(PyValueError::new_err("out is not C-contiguous"));
    }
    if !array.is_aligned() {
        return Err(PyValueError::new_err("out is not aligned in memory"));
    }
    Ok(array.cast::<PyArrayDyn<T>>()?.clone())
}

/// Formats a shape as a Python tuple.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Reads a one-dimensional array or sequence of integers.
pub(crate) fn integers(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<i64>> {
    let array = as_array(value)?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        let found = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{what} are {found}, expected integers")));
    }
    if kind == "u" && array.call_method1("__gt__", (i64::MAX,))?.call_method0("any")?.is_truthy()? {
        return Err(PyValueError::new_err(format!("{what} has a number that is too large to be an action")));
    }
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast_into::<PyArrayDyn<i64>>().map_err(PyErr::from)?;
    if array.ndim() != 1 {
        let found = tuple(array.shape());
        return Err(PyValueError::new_err(format!("{what} have shape {found}, expected one dimension")));
    }
    Ok(array.readonly().as_array().iter().copied().collect())
}

/// Reads anything that numpy converts to a float32 array of one of these shapes.
pub(crate) fn floats(value: &Bound<'_, PyAny>, what: &str, shapes: &[&[usize]]) -> PyResult<Vec<f32>> {
    let array = as_array(value)?;
    let array = array
        .call_method1("astype", ("float32",))
        .map_err(|error| PyTypeError::new_err(format!("{what}: {}", error.value(value.py()))))?;
    let array = array.cast_into::<PyArrayDyn<f32>>().map_err(PyErr::from)?;
    if !shapes.contains(&array.shape()) {
        let expected: Vec<String> = shapes.iter().map(|shape| tuple(shape)).collect();
        let found = tuple(array.shape());
        return Err(PyValueError::new_err(format!(
            "{what} has shape {found}, expected {}",
            expected.join(" or ")
        )));
    }
    let borrowed = array.readonly();
    Ok(match borrowed.as_slice() {
        Ok(numbers) => numbers.to_vec(),
        Err(_) => borrowed.as_array().iter().copied().collect(),
    })
}

fn as_array<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if value.is_instance_of::<PyUntypedArray>() {
        return Ok(value.clone());
    }
    value.py().import("numpy")?.call_method1("asarray", (value,))
}
