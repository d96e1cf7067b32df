//! Copying and pickling. A pickle holds the start and the actions; everything else follows.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tabiya_spec::Choices;

use super::Game;
use crate::chess::ChessGame;
use crate::errors::IllegalMove;
use crate::loading;

/// The pickled form: label, JSON text (unless it is a library game), choices, start state, seed, actions, and the `__dict__`
/// of a subclass.
type Pickled<'py> = (
    Option<String>,
    Option<String>,
    (Option<String>, Option<String>, Vec<(String, String)>),
    Option<String>,
    u64,
    Vec<String>,
    Option<Bound<'py, PyDict>>,
);

#[pymethods]
impl Game {
    /// Returns an independent copy of the game.
    ///
    /// >>> game = Game("chess")
    /// >>> other = game.copy()
    /// >>> other.push("e2e4")
    /// >>> game.history, other.history
    /// ([], ['e2e4'])
    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let game = slf.borrow().clone();
        let class = slf.get_type();
        if class.is(slf.py().get_type::<Game>()) {
            return Bound::new(slf.py(), game);
        }
        if class.is(slf.py().get_type::<ChessGame>()) {
            return Ok(Bound::new(slf.py(), ChessGame::of(game))?.into_super());
        }
        // A subclass creates its own object, which then becomes this game.
        let arguments = slf.call_method0("__getnewargs__")?.cast_into::<PyTuple>()?;
        let mut all = vec![class.clone().into_any()];
        all.extend(arguments.iter());
        let other = class.call_method1("__new__", PyTuple::new(slf.py(), all)?)?.cast_into::<Game>()?;
        *other.borrow_mut() = game;
        if let Some(attributes) = attributes(slf)? {
            other.getattr("__dict__")?.call_method1("update", (attributes,))?;
        }
        Ok(other)
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        Game::copy(slf)
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__<'py>(slf: &Bound<'py, Self>, memo: &Bound<'_, PyAny>) -> PyResult<Bound<'py, Self>> {
        let _ = memo;
        Game::copy(slf)
    }

    /// Arguments for a placeholder game, which `__setstate__` replaces.
    fn __getnewargs__(slf: &Bound<'_, Self>) -> PyResult<Py<PyTuple>> {
        Ok(PyTuple::new(slf.py(), ["chess"])?.unbind())
    }

    fn __getstate__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let game = slf.borrow();
        let Choices { layout, preset, options } = game.source.spec.choices.requested.clone();
        let pickled: Pickled<'_> = (
            game.source.label.clone(),
            game.source.text.clone(),
            (layout, preset, options),
            game.state.clone(),
            game.seed,
            game.history(),
            attributes(slf)?,
        );
        pickled.into_pyobject(slf.py())
    }

    #[pyo3(signature = (state, /))]
    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let pickled: Pickled<'_> = state.extract()?;
        let (label, text, (layout, preset, options), start, seed, history, attributes) = pickled;
        let choices = Choices { layout, preset, options };
        let source = match (text, label) {
            (Some(text), label) => loading::from_json(slf.py(), label, &text, &choices)?,
            (None, label) => loading::named(slf.py(), &label.unwrap_or_default(), &choices)?,
        };
        let mut game = Game::start(source, start.as_deref(), seed)?;
        for text in history {
            let act =
                game.referee.parse_action(&text).map_err(|error| IllegalMove::new_err(error.to_string()))?;
            game.act(act)?;
        }
        *slf.borrow_mut() = game;
        if let Some(attributes) = attributes {
            slf.getattr("__dict__")?.call_method1("update", (attributes,))?;
        }
        Ok(())
    }
}

/// Returns the attributes that a subclass has added.
fn attributes<'py>(game: &Bound<'py, Game>) -> PyResult<Option<Bound<'py, PyDict>>> {
    let attributes = game.getattr_opt("__dict__")?;
    Ok(attributes.map(Bound::cast_into).transpose()?)
}
