//! Memory that Python lends: every way in which it may be unfit is told apart before anything is written.

use numpy::{Element, PyArrayDyn, PyArrayMethods as _, PyUntypedArray, PyUntypedArrayMethods as _, dtype};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Fills an array: the caller's, if there is one, and else a new one. The interpreter runs on meanwhile.
pub(crate) fn fill<'py, T: Element + Send>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]) + Send,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = match out {
        Some(out) => checked(out, shape)?,
        None => PyArrayDyn::zeros(py, shape, false),
    };
    let mut lent = array.try_readwrite().map_err(|error| PyValueError::new_err(format!("out: {error}")))?;
    let numbers = lent.as_slice_mut().map_err(|error| PyValueError::new_err(format!("out: {error}")))?;
    // For little work it does not pay to let go of the interpreter.
    if numbers.len() < 1 << 13 {
        write(numbers);
    } else {
        py.detach(|| write(numbers));
    }
    drop(lent);
    Ok(array)
}

/// The caller's array, if it can be written as it is.
fn checked<'py, T: Element>(out: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let wanted = dtype::<T>(out.py());
    if let Ok(array) = out.cast::<PyArrayDyn<T>>() {
        if array.shape() != shape {
            let found = shown(array.shape());
            return Err(PyValueError::new_err(format!("out has shape {found}, wanted {}", shown(shape))));
        }
        if !array.is_c_contiguous() {
            return Err(PyValueError::new_err("out is not C-contiguous"));
        }
        if array.data().addr() % align_of::<T>() != 0 {
            return Err(PyValueError::new_err("out is not aligned to its numbers"));
        }
        if !array.getattr("flags")?.getattr("writeable")?.is_truthy()? {
            return Err(PyValueError::new_err("out is read-only"));
        }
        return Ok(array.clone());
    }
    let told = match out.cast::<PyUntypedArray>() {
        Ok(array) => format!("out is {}, wanted {wanted}", array.dtype()),
        Err(_) => format!("out is of type {}, wanted a numpy array of {wanted}", out.get_type().name()?),
    };
    Err(PyTypeError::new_err(told))
}

/// A shape as Python writes it.
pub(crate) fn shown(shape: &[usize]) -> String {
    let sides: Vec<String> = shape.iter().map(ToString::to_string).collect();
    match sides.as_slice() {
        [side] => format!("({side},)"),
        sides => format!("({})", sides.join(", ")),
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
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast_into::<PyArrayDyn<i64>>().map_err(PyErr::from)?;
    if array.ndim() != 1 {
        let found = shown(array.shape());
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
        let wanted: Vec<String> = shapes.iter().map(|shape| shown(shape)).collect();
        let found = shown(array.shape());
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
