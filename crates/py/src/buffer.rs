//! Arrays that are filled: new ones, or those that a caller gives as `out=` so that nothing is allocated. They may be
//! anything, so whatever is wrong with one is named.

use numpy::{
    BorrowError, Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arguments::wrong_type;

/// So many numbers are worth it that others go on meanwhile.
const MUCH: usize = 1 << 13;

/// The caller's array, or a new one, filled by `write`; which is not called if the array does not fit. Other threads of Python run meanwhile,
/// if it is much.
pub(crate) fn filled<'py, T: Element + Send>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]) + Send,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let Some(out) = out else { return new(py, shape, write) };
    let array = checked(out, shape)?;
    // An array that is C-contiguous does not overlap itself; that nobody else of ours uses its memory is found here.
    let mut borrowed = array.try_readwrite().map_err(|error| match error {
        BorrowError::NotWriteable => PyValueError::new_err("out is read-only"),
        _ => PyValueError::new_err("out is in use, or overlaps with an array that is"),
    })?;
    work(py, borrowed.as_slice_mut()?, write);
    drop(borrowed);
    Ok(array)
}

/// A new array, filled.
#[expect(
    unsafe_code,
    reason = "to ask whether anybody else uses an array that nobody knows yet takes longer than to fill it"
)]
fn new<'py, T: Element + Send>(
    py: Python<'py>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]) + Send,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = PyArrayDyn::zeros(py, shape, false);
    // SAFETY: the array was made just now, in C order, and nobody else has it.
    work(py, unsafe { array.as_slice_mut()? }, write);
    Ok(array)
}

/// Writes; other threads of Python run meanwhile, if it is much.
fn work<T: Send>(py: Python<'_>, room: &mut [T], write: impl FnOnce(&mut [T]) + Send) {
    if room.len() < MUCH {
        write(room);
    } else {
        py.detach(|| write(room));
    }
}

/// The same array, if it has the right type, shape and order in memory.
fn checked<'py, T: Element>(out: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let wanted = dtype::<T>(out.py());
    let array = out
        .cast::<PyUntypedArray>()
        .map_err(|_| wrong_type("out", out, &format!("numpy.ndarray of {wanted}")))?;
    if !array.dtype().is_equiv_to(&wanted) {
        return Err(PyTypeError::new_err(format!("out is {}, wanted {wanted}", array.dtype())));
    }
    if array.shape() != shape {
        let (found, wanted) = (tuple(array.shape()), tuple(shape));
        return Err(PyValueError::new_err(format!("out has shape {found}, wanted {wanted}")));
    }
    if !array.is_c_contiguous() {
        return Err(PyValueError::new_err("out is not C-contiguous"));
    }
    if !array.is_aligned() {
        return Err(PyValueError::new_err("out is not aligned in memory"));
    }
    Ok(array.cast::<PyArrayDyn<T>>()?.clone())
}

/// A shape as Python writes it.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Whole numbers, one for each of so many games, from an array or a sequence.
pub(crate) fn whole_numbers(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<i64>> {
    let array = as_array(value)?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        let found = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{what} are {found}, wanted whole numbers")));
    }
    if kind == "u" && array.call_method1("__gt__", (i64::MAX,))?.call_method0("any")?.is_truthy()? {
        return Err(PyValueError::new_err(format!("{what} has a number that is too large to be an action")));
    }
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast_into::<PyArrayDyn<i64>>().map_err(PyErr::from)?;
    if array.ndim() != 1 {
        let found = tuple(array.shape());
        return Err(PyValueError::new_err(format!("{what} have shape {found}, wanted one dimension")));
    }
    Ok(array.readonly().as_array().iter().copied().collect())
}

/// Numbers of 32 bits in C order, from anything that numpy takes for an array, of one of these shapes.
pub(crate) fn numbers(value: &Bound<'_, PyAny>, what: &str, shapes: &[&[usize]]) -> PyResult<Vec<f32>> {
    let array = as_array(value)?;
    let array = array
        .call_method1("astype", ("float32",))
        .map_err(|error| PyTypeError::new_err(format!("{what}: {}", error.value(value.py()))))?;
    let array = array.cast_into::<PyArrayDyn<f32>>().map_err(PyErr::from)?;
    if !shapes.contains(&array.shape()) {
        let wanted: Vec<String> = shapes.iter().map(|shape| tuple(shape)).collect();
        let found = tuple(array.shape());
        return Err(PyValueError::new_err(format!(
            "{what} has shape {found}, wanted {}",
            wanted.join(" or ")
        )));
    }
    let lent = array.readonly();
    Ok(match lent.as_slice() {
        Ok(numbers) => numbers.to_vec(),
        Err(_) => lent.as_array().iter().copied().collect(),
    })
}

fn as_array<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if value.is_instance_of::<PyUntypedArray>() {
        return Ok(value.clone());
    }
    value.py().import("numpy")?.call_method1("asarray", (value,))
}
