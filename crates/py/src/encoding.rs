//! Which encoding is meant by a name, and what all that have one can be asked about it.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_engine::Rules;
use tabiya_tensor::Encoding;

/// The encoding of that name; the usual one, if none is given.
pub(crate) fn named(rules: &Rules, name: Option<&str>) -> PyResult<Arc<Encoding>> {
    let encoding = match name {
        None => Encoding::usual(rules),
        Some("planes1") => Encoding::planes1(rules),
        Some("canonical18") => {
            Encoding::canonical18(rules).map_err(|unfit| PyValueError::new_err(unfit.to_string()))?
        }
        Some(other) => {
            let told = format!("no encoding is called `{other:.60}`: there are `canonical18` and `planes1`");
            return Err(PyValueError::new_err(told));
        }
    };
    Ok(Arc::new(encoding))
}

/// Names of planes, in their order.
pub(crate) fn planes(encoding: &Encoding) -> Vec<&str> {
    encoding.planes().iter().map(|plane| plane.name.as_str()).collect()
}
