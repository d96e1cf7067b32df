//! Batched tree search with a Python function as evaluator.

use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabiya_learn::{BatchSearch, Method, SearchConfig};

use crate::arguments::{considered, seed, simulations, wrong_type};
use crate::batch::BatchEnv;
use crate::buffer::{filled, floats};

/// The result of a search in every game.
///
/// `policy` has a probability for each action, `values` the value of the position for each player from -1 to 1, and `actions`
/// the action to play. Games that are over have zeros and -1.
#[pyclass(module = "tabiya", frozen)]
#[derive(Debug)]
pub(crate) struct SearchResult {
    /// The probability of each action in each game.
    #[pyo3(get)]
    policy: Py<PyArray2<f32>>,
    /// The value of the position for each player in each game, from -1 to 1.
    #[pyo3(get)]
    values: Py<PyArray2<f32>>,
    /// The action to play in each game.
    #[pyo3(get)]
    actions: Py<PyArray1<i64>>,
}

#[pymethods]
impl SearchResult {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<SearchResult: {} games>", self.actions.bind(py).len()?))
    }
}

/// Runs Monte Carlo tree search in all games of an environment together.
///
/// In every round each game selects one leaf, and `evaluator` is called once with the planes of all leaves: float32 of shape
/// `(m, rows, columns, planes)`. It returns `(logits, values)`. `logits` has shape `(m, num_actions)`; those of illegal actions
/// are ignored. `values` has shape `(m, players)` and numbers from -1 to 1, for the player to move and the others in turn
/// order; with two players `(m,)` is enough. With `priors="probabilities"` the evaluator returns probabilities instead of
/// logits.
///
/// `method` is `"puct"` (with `c_puct`, and `dirichlet=(alpha, fraction)` for noise at the root) or `"gumbel"` (with at most
/// `considered` moves at the root; `gumbel_scale` is 1 to train, 0 to play at full strength). Random numbers depend on `seed`
/// and on the games, so they differ from move to move, and the same search gives the same result. The environment does not
/// change.
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
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
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
        return Err(wrong_type("evaluator", evaluator, "a callable"));
    }
    let method = method_of(method, c_puct, dirichlet, considered, gumbel_scale)?;
    let evaluator = Evaluator { function: evaluator, are_probabilities: are_probabilities(priors)? };
    let most = MAX_SIMULATIONS;
    let simulations = u32::try_from(simulations).ok().filter(|it| *it <= most).ok_or_else(|| {
        PyValueError::new_err(format!("simulations is {simulations}, expected a number from 1 to {most}"))
    })?;
    let borrowed = env.try_borrow()?;
    let env = &borrowed.env;
    let mut search = py.detach(|| BatchSearch::new(env, SearchConfig { simulations, method }, seed));
    while search.pending() > 0 {
        py.check_signals()?;
        let (logits, values) = evaluator.evaluate(py, env, &search)?;
        py.detach(|| search.submit(env, &logits, &values))
            .map_err(|error| PyValueError::new_err(format!("evaluator: {error}")))?;
    }
    let (games, actions, players) = (env.games(), env.encoding().actions(), env.players());
    let mut policy = vec![0.0; games * actions];
    let (mut values, mut best) = (vec![0.0; games * players], vec![0; games]);
    py.detach(|| search.results(env, &mut policy, &mut values, &mut best));
    Ok(SearchResult {
        policy: PyArray1::from_vec(py, policy).reshape([games, actions])?.unbind(),
        values: PyArray1::from_vec(py, values).reshape([games, players])?.unbind(),
        actions: PyArray1::from_vec(py, best).unbind(),
    })
}

/// The greatest number of simulations: the tree keeps one node for each.
const MAX_SIMULATIONS: u32 = 1_000_000;

fn method_of(
    method: &str,
    c_puct: f32,
    dirichlet: Option<(f32, f32)>,
    considered: usize,
    gumbel_scale: f32,
) -> PyResult<Method> {
    let check = |name: &str, number: f32, most: f32| {
        let error = format!("{name} is {number}, expected a number from 0 to {most}");
        if (0.0..=most).contains(&number) { Ok(()) } else { Err(PyValueError::new_err(error)) }
    };
    check("c_puct", c_puct, 1e6)?;
    check("gumbel_scale", gumbel_scale, 1e6)?;
    if let Some((alpha, fraction)) = dirichlet {
        check("the alpha of dirichlet", alpha, 1e6)?;
        check("the fraction of dirichlet", fraction, 1.0)?;
        if alpha < 1e-3 {
            return Err(PyValueError::new_err("the alpha of dirichlet is below 0.001"));
        }
    }
    match method {
        "puct" => Ok(Method::Puct { c_puct, dirichlet }),
        "gumbel" => Ok(Method::Gumbel { considered, gumbel_scale }),
        other => Err(PyValueError::new_err(format!("method is `{other:.60}`, expected `puct` or `gumbel`"))),
    }
}

fn are_probabilities(priors: &str) -> PyResult<bool> {
    match priors {
        "logits" => Ok(false),
        "probabilities" => Ok(true),
        other => Err(PyValueError::new_err(format!(
            "priors is `{other:.60}`, expected `logits` or `probabilities`"
        ))),
    }
}

/// A Python function that evaluates positions.
struct Evaluator<'a, 'py> {
    function: &'a Bound<'py, PyAny>,
    /// Whether its priors are probabilities instead of logits.
    are_probabilities: bool,
}

impl Evaluator<'_, '_> {
    /// Returns a logit for each action and a value for each player, for all pending leaves.
    fn evaluate(
        &self,
        py: Python<'_>,
        env: &tabiya_learn::BatchEnv,
        search: &BatchSearch,
    ) -> PyResult<(Vec<f32>, Vec<f32>)> {
        let [rows, columns, depth] = env.encoding().shape();
        let leaves = search.pending();
        let planes =
            filled(py, None, &[leaves, rows, columns, depth], |numbers| search.observe(env, numbers))?;
        let answer = self.function.call1((planes,))?;
        let pair = answer.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2).ok_or_else(|| {
            let found = answer.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("evaluator returned {found}, expected a tuple (logits, values)"))
        })?;
        let (actions, players) = (env.encoding().actions(), env.players());
        let [_, _, move_types] = env.encoding().action_shape();
        let flat = [leaves, actions];
        let mut logits =
            floats(&pair.get_item(0)?, "evaluator: logits", &[&flat, &[leaves, rows, columns, move_types]])?;
        if self.are_probabilities {
            if let Some(bad) = logits.iter().position(|it| *it < 0.0) {
                let (leaf, action) = (bad / actions, bad % actions);
                let error = format!("evaluator: probabilities[{leaf}, {action}] is {}, below 0", logits[bad]);
                return Err(PyValueError::new_err(error));
            }
            for logit in &mut logits {
                *logit = logit.ln();
            }
        }
        let each = [leaves, players];
        let alone = [leaves];
        let shapes: &[&[usize]] = if players == 2 { &[&each, &alone] } else { &[&each] };
        let values = floats(&pair.get_item(1)?, "evaluator: values", shapes)?;
        // Two players: the second value is the negative of the first.
        let values = if values.len() == leaves && players == 2 {
            values.iter().flat_map(|value| [*value, -*value]).collect()
        } else {
            values
        };
        Ok((logits, values))
    }
}
