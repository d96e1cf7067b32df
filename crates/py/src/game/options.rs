//! The name of a game, its players, and the choices that it offers.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Game;

#[pymethods]
impl Game {
    /// The name of the game in its file.
    ///
    /// >>> Game("losalamos").name
    /// 'Los Alamos chess'
    #[getter]
    pub(super) fn name(&self) -> &str {
        &self.source.spec.spec.name
    }

    /// The names of the players in the order of the file.
    ///
    /// >>> Game("fourplayer").players
    /// ['RED', 'BLUE', 'YELLOW', 'GREEN']
    #[getter]
    pub(super) fn players(&self) -> Vec<&str> {
        self.rules().players().map(|player| self.rules().player(player).name.as_str()).collect()
    }

    /// The alternative layouts.
    ///
    /// >>> Game("enochian").layouts[:2]
    /// ['Tablet of Fire (prototype)', 'Tablet of Water']
    #[getter]
    fn layouts(&self) -> Vec<&str> {
        self.source.spec.choices.layouts.iter().map(|layout| layout.name.as_str()).collect()
    }

    /// The presets: named sets of option values.
    ///
    /// >>> Game("enochian").presets
    /// ['document', 'zalewski']
    #[getter]
    fn presets(&self) -> Vec<&str> {
        self.source.spec.choices.presets.iter().map(|preset| preset.name.as_str()).collect()
    }

    /// The options with their possible values.
    ///
    /// >>> Game("enochian").options["SHARING"]
    /// ['ALLOWED', 'NEVER']
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for option in &self.source.spec.choices.options {
            options.set_item(&option.name, &option.values)?;
        }
        Ok(options)
    }
}
