//! Expands compact observations into planes.

use numpy::{PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_tensor::Compact;

use crate::buffer::{filled, tuple};

/// Expands compact observations from `BatchEnv.observe_compact` into canonical tensors.
///
/// Returns float32 of shape `(n, 8, 8, 18)`, written into `out` if given.
///
/// >>> import numpy as np, tabiya
/// >>> env = tabiya.BatchEnv("chess", 3)
/// >>> np.array_equal(tabiya.expand(*env.observe_compact()), env.observe())
/// True
#[pyfunction]
#[pyo3(signature = (planes, repetitions, *, out=None))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 passes arrays by value")]
pub(crate) fn expand<'py>(
    py: Python<'py>,
    planes: PyReadonlyArray2<'py, u64>,
    repetitions: PyReadonlyArray1<'py, u8>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let games = repetitions.len();
    if planes.shape() != [games, 18] {
        let (found, expected) = (tuple(planes.shape()), tuple(&[games, 18]));
        return Err(PyValueError::new_err(format!("planes has shape {found}, expected {expected}")));
    }
    let (planes, repetitions) = (planes.as_array(), repetitions.as_array());
    let tensors = planes.rows().into_iter().zip(repetitions).enumerate().map(|(game, (sets, count))| {
        let sets: [u64; 18] = std::array::from_fn(|plane| sets[plane]);
        Compact::new(sets, *count).map_err(|error| PyValueError::new_err(format!("game {game}: {error}")))
    });
    let tensors: Vec<Compact> = tensors.collect::<PyResult<_>>()?;
    filled(py, out, &[games, 8, 8, 18], |numbers| tabiya_tensor::expand(&tensors, numbers))
}
