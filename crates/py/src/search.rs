//! Search in many games at once, with a judge that is a function of Python.

use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabiya_learn::{Env, Forest, Method, Plan};

use crate::arguments::{considered, seed, simulations};
use crate::batch::BatchEnv;
use crate::buffer::{filled, numbers};

/// What a search found in every game.
///
/// `policy`: for each action its share; `values`: for each player what the position is worth to him, from -1 to 1; `actions`: the
/// action to play. Games that are over have zeros and -1.
#[pyclass(module = "tabiya", frozen)]
#[derive(Debug)]
pub(crate) struct SearchResult {
    /// For each game and action its share.
    #[pyo3(get)]
    policy: Py<PyArray2<f32>>,
    /// For each game and player what the position is worth to him, from -1 to 1.
    #[pyo3(get)]
    values: Py<PyArray2<f32>>,
    /// For each game the action to play.
    #[pyo3(get)]
    actions: Py<PyArray1<i64>>,
}

#[pymethods]
impl SearchResult {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<SearchResult: {} games>", self.actions.bind(py).len()?))
    }
}

/// Searches in all games of an environment together.
///
/// In each round every game brings one position, and `evaluator` is called with the planes of all of them, float32 of shape
/// `(m, rows, columns, planes)`. It returns `(logits, values)`: a number for each action, shape `(m, num_actions)`, of which those of
/// illegal actions are ignored; and what the position is worth, from -1 to 1, to whoever moves and to the players after him, in
/// the order of turns, shape `(m, players)`; with two players `(m,)` is enough. With `priors="probabilities"` the numbers are
/// shares instead of logits.
///
/// `method` is `"puct"` (with `c_puct`, and `dirichlet=(concentration, share)` for chance at the root) or `"gumbel"` (with
/// `considered` moves at the root; `gumbel_scale` is 1 to learn, 0 to play as well as it can). Chance comes from `seed` and from
/// the games themselves, so it is another one at every move, and the same search finds the same. The environment is not changed.
///
/// >>> import numpy as np
/// >>> from tabiya import BatchEnv, search
/// >>> env = BatchEnv("chess", 2, states=["6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"])
/// >>> def evaluator(planes):
/// ...     return np.zeros((len(planes), env.num_actions)), np.zeros(len(planes))
/// >>> found = search(env, evaluator, simulations=64, method="gumbel", gumbel_scale=0)
/// >>> rewards, terminated, truncated = env.step(found.actions)
/// >>> rewards
/// array([[ 1., -1.],
///        [ 1., -1.]], dtype=float32)
#[pyfunction]
#[pyo3(signature = (env, evaluator, *, simulations=64, method="puct", c_puct=1.25, dirichlet=None, considered=16,
    gumbel_scale=1.0, priors="logits", seed=0))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn search<'py>(
    py: Python<'py>,
    env: &Bound<'py, BatchEnv>,
    evaluator: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = simulations)] simulations: usize,
    method: &str,
    c_puct: f32,
    dirichlet: Option<(f32, f32)>,
    #[pyo3(from_py_with = considered)] considered: usize,
    gumbel_scale: f32,
    priors: &str,
    #[pyo3(from_py_with = seed)] seed: u64,
) -> PyResult<SearchResult> {
    if !evaluator.is_callable() {
        let found = evaluator.get_type().name()?;
        return Err(PyTypeError::new_err(format!("evaluator is of type {found}, wanted a callable")));
    }
    let method = chosen(method, c_puct, dirichlet, considered, gumbel_scale)?;
    let judge = Judge { evaluator, are_shares: is_shares(priors)? };
    let lines = u32::try_from(simulations).ok().filter(|lines| *lines <= MOST_LINES);
    let lines = lines.ok_or_else(|| {
        PyValueError::new_err(format!("simulations is {simulations}, wanted a number from 1 to {MOST_LINES}"))
    })?;
    let lent = env.try_borrow()?;
    let env = &lent.env;
    let mut forest = py.detach(|| Forest::new(env, Plan { lines, method }, seed));
    while forest.asked() > 0 {
        py.check_signals()?;
        let (logits, values) = judge.ask(py, env, &forest)?;
        let answered = py.detach(|| forest.answer(env, &logits, &values));
        answered.map_err(|bad| PyValueError::new_err(format!("evaluator: {bad}")))?;
    }
    let (games, actions, players) = (env.games(), env.encoding().actions(), env.players());
    let mut shares = vec![0.0; games * actions];
    let (mut values, mut best) = (vec![0.0; games * players], vec![0; games]);
    py.detach(|| forest.found(env, &mut shares, &mut values, &mut best));
    Ok(SearchResult {
        policy: PyArray1::from_vec(py, shares).reshape([games, actions])?.unbind(),
        values: PyArray1::from_vec(py, values).reshape([games, players])?.unbind(),
        actions: PyArray1::from_vec(py, best).unbind(),
    })
}

/// More lines in one search are a mistake: every one is remembered.
const MOST_LINES: u32 = 1_000_000;

fn chosen(
    method: &str,
    c_puct: f32,
    dirichlet: Option<(f32, f32)>,
    considered: usize,
    gumbel_scale: f32,
) -> PyResult<Method> {
    let good = |name: &str, number: f32, most: f32| {
        let told = format!("{name} is {number}, wanted a number from 0 to {most}");
        if (0.0..=most).contains(&number) { Ok(()) } else { Err(PyValueError::new_err(told)) }
    };
    good("c_puct", c_puct, 1e6)?;
    good("gumbel_scale", gumbel_scale, 1e6)?;
    if let Some((concentration, share)) = dirichlet {
        good("the concentration of dirichlet", concentration, 1e6)?;
        good("the share of dirichlet", share, 1.0)?;
        if concentration < 1e-3 {
            return Err(PyValueError::new_err("the concentration of dirichlet is below 0.001"));
        }
    }
    match method {
        "puct" => Ok(Method::Puct { curiosity: c_puct, noise: dirichlet }),
        "gumbel" => Ok(Method::Gumbel { considered, luck: gumbel_scale }),
        other => Err(PyValueError::new_err(format!("method is `{other:.60}`, wanted `puct` or `gumbel`"))),
    }
}

fn is_shares(priors: &str) -> PyResult<bool> {
    match priors {
        "logits" => Ok(false),
        "probabilities" => Ok(true),
        other => {
            Err(PyValueError::new_err(format!("priors is `{other:.60}`, wanted `logits` or `probabilities`")))
        }
    }
}

/// A function of Python that judges positions.
struct Judge<'a, 'py> {
    evaluator: &'a Bound<'py, PyAny>,
    are_shares: bool,
}

impl Judge<'_, '_> {
    /// A logit for each action and a value for each player, for all leaves.
    fn ask(&self, py: Python<'_>, env: &Env, forest: &Forest) -> PyResult<(Vec<f32>, Vec<f32>)> {
        let [rows, columns, depth] = env.encoding().shape();
        let leaves = forest.asked();
        let planes = filled(py, None, &[leaves, rows, columns, depth], |numbers| forest.write(env, numbers))?;
        let answer = self.evaluator.call1((planes,))?;
        let pair = answer.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2).ok_or_else(|| {
            let found = answer.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("evaluator returned {found}, wanted a tuple (logits, values)"))
        })?;
        let (actions, players) = (env.encoding().actions(), env.players());
        let [_, _, deeds] = env.encoding().action_shape();
        let flat = [leaves, actions];
        let mut logits =
            numbers(&pair.get_item(0)?, "evaluator: logits", &[&flat, &[leaves, rows, columns, deeds]])?;
        if self.are_shares {
            if let Some(bad) = logits.iter().position(|share| *share < 0.0) {
                let (leaf, action) = (bad / actions, bad % actions);
                let told = format!("evaluator: probabilities[{leaf}, {action}] is {}, below 0", logits[bad]);
                return Err(PyValueError::new_err(told));
            }
            for share in &mut logits {
                *share = share.ln();
            }
        }
        let each = [leaves, players];
        let alone = [leaves];
        let shapes: &[&[usize]] = if players == 2 { &[&each, &alone] } else { &[&each] };
        let values = numbers(&pair.get_item(1)?, "evaluator: values", shapes)?;
        // What one of two wins the other loses.
        let values = if values.len() == leaves && players == 2 {
            values.iter().flat_map(|value| [*value, -*value]).collect()
        } else {
            values
        };
        Ok((logits, values))
    }
}
