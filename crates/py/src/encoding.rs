//! Encodings by name.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_engine::Rules;
use tabiya_tensor::Encoding;

/// Creates the encoding with a name, or the default one of the game.
pub(crate) fn named(rules: &Rules, name: Option<&str>) -> PyResult<Arc<Encoding>> {
    let encoding = match name {
        None => Encoding::for_game(rules),
        Some("planes1") => Encoding::planes1(rules),
        Some("canonical18") => {
            Encoding::canonical18(rules).map_err(|error| PyValueError::new_err(error.to_string()))?
        }
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "unknown encoding `{other:.60}`; expected `canonical18` or `planes1`"
            )));
        }
    };
    Ok(Arc::new(encoding))
}

/// Returns the names of the planes in order.
pub(crate) fn plane_names(encoding: &Encoding) -> Vec<&str> {
    encoding.planes().iter().map(|plane| plane.name.as_str()).collect()
}
