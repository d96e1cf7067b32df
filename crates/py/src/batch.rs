//! Many games at once, as Python sees them.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use tabiya_engine::SplitMix;
use tabiya_learn::{Course, Env, Settings, Why};
use tabiya_notation::{State, parse_state, state_text};
use tabiya_spec::Choices;

use crate::arguments::{max_plies, n, seed, threads};
use crate::buffer::{filled, whole_numbers};
use crate::encoding;
use crate::errors::{GameOver, IllegalMove, bad_state};
use crate::game::Game;
use crate::loading::{self, Source};

/// What a step brought: rewards, ended, cut off.
type Stepped<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

/// Positions as sets of cells, and how often each has been there.
type Sets<'py> = (Bound<'py, PyArray2<u64>>, Bound<'py, PyArray1<u8>>);

/// Many games of one kind, stepped together.
///
/// `game` is a name of the library or a `Game`, whose rules (and start) are used. A game that is over begins anew at once, unless
/// `autoreset` is false; then its action is -1 until `reset_over`. `claims` ends games by what may be claimed (in chess, threefold
/// repetition and fifty moves), `max_plies` cuts them off. `states` are board texts where games begin: chance takes one.
/// `threads` is how many cores work; all, if it is not given.
///
/// >>> from tabiya import BatchEnv
/// >>> env = BatchEnv("chess", 4, seed=1)
/// >>> env.observe().shape, env.legal_mask().shape
/// ((4, 8, 8, 18), (4, 4672))
/// >>> rewards, terminated, truncated = env.step([3797, 3797, 4589, 3797])
/// >>> rewards.shape, terminated.any(), env.to_move
/// ((4, 2), np.False_, array([1, 1, 1, 1]))
#[pyclass(module = "tabiya", subclass)]
#[derive(Debug)]
pub(crate) struct BatchEnv {
    pub(crate) env: Env,
    source: Arc<Source>,
    seeds: SplitMix,
}

impl BatchEnv {
    fn shape(&self) -> [usize; 4] {
        let [rows, columns, planes] = self.env.encoding().shape();
        [self.env.games(), rows, columns, planes]
    }

    /// One start for each game, as read.
    fn starts(&self, texts: &[String]) -> PyResult<Vec<State>> {
        if texts.len() != self.env.games() {
            let (games, states) = (self.env.games(), texts.len());
            return Err(PyValueError::new_err(format!("there are {games} games and {states} states")));
        }
        let read = |text: &String| parse_state(self.env.rules(), text).map_err(|error| bad_state(&error));
        texts.iter().map(read).collect()
    }
}

/// Numbers that are few enough to be made while Python waits.
fn array<T: numpy::Element>(py: Python<'_>, numbers: impl Iterator<Item = T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, numbers.collect())
}

#[pymethods]
impl BatchEnv {
    #[new]
    #[pyo3(signature = (game, n, *, seed=0, threads=None, claims=true, max_plies=None, autoreset=true, states=None, encoding=None))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    #[expect(clippy::needless_pass_by_value, reason = "texts of Python are handed over")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = n)] n: usize,
        #[pyo3(from_py_with = seed)] seed: u64,
        #[pyo3(from_py_with = threads)] threads: Option<usize>,
        claims: bool,
        #[pyo3(from_py_with = max_plies)] max_plies: Option<u32>,
        autoreset: bool,
        states: Option<Vec<String>>,
        encoding: Option<&str>,
    ) -> PyResult<Self> {
        let (source, start) = if let Ok(name) = game.extract::<&str>() {
            (loading::named(py, name, &Choices::default())?, None)
        } else if let Ok(game) = game.cast::<Game>() {
            let game = game.borrow();
            (game.source(), Some(game.stands()))
        } else {
            let found = game.get_type().name()?;
            return Err(PyTypeError::new_err(format!("game is of type {found}, wanted a str or a Game")));
        };
        let rules = Arc::clone(&source.spec.rules);
        let read = |text: &String| parse_state(&rules, text).map_err(|error| bad_state(&error));
        let starts: Vec<State> = match &states {
            Some(states) if states.is_empty() => return Err(PyValueError::new_err("states is empty")),
            Some(states) => states.iter().map(read).collect::<PyResult<_>>()?,
            None => vec![start.unwrap_or_else(|| State::new(rules.start()))],
        };
        // A game that begins anew where it is over at once would never have an action.
        let ends_at_once =
            |start: &State| Course::new(&rules, start, claims, &mut SplitMix::new(seed)).end().is_some();
        if autoreset && py.detach(|| starts.iter().any(ends_at_once)) {
            return Err(PyValueError::new_err("a game that begins in one of the states is over at once"));
        }
        let settings = Settings {
            games: n,
            seed,
            threads: threads.unwrap_or(0),
            claims,
            longest: max_plies,
            again: autoreset,
            starts,
        };
        let encoding = encoding::named(&rules, encoding)?;
        let env = py.detach(|| Env::new(rules, encoding, &settings));
        let env = env.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(BatchEnv { env, source, seeds: SplitMix::new(seed) })
    }

    /// How many games there are.
    ///
    /// >>> BatchEnv("gardner", 3).n
    /// 3
    #[getter]
    fn n(&self) -> usize {
        self.env.games()
    }

    /// The names of the players, in the order of rewards.
    ///
    /// >>> BatchEnv("gardner", 1).players
    /// ['WHITE', 'BLACK']
    #[getter]
    fn players(&self) -> Vec<&str> {
        let rules = self.env.rules();
        rules.players().map(|player| rules.player(player).name.as_str()).collect()
    }

    /// The name of the encoding: `canonical18` for chess, `planes1` for all others.
    ///
    /// >>> BatchEnv("chess", 1).encoding, BatchEnv("gardner", 1).encoding
    /// ('canonical18', 'planes1')
    #[getter]
    fn encoding(&self) -> &str {
        self.env.encoding().name()
    }

    /// The names of the planes, in their order.
    ///
    /// >>> BatchEnv("chess", 1).planes[:2]
    /// ['own pawns', 'own knights']
    #[getter]
    fn planes(&self) -> Vec<&str> {
        encoding::planes(self.env.encoding())
    }

    /// Rows, columns and planes of one game.
    ///
    /// >>> BatchEnv("chess", 5).observation_shape
    /// (8, 8, 18)
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        self.env.encoding().shape().into()
    }

    /// How many actions there are.
    ///
    /// >>> BatchEnv("chess", 5).num_actions
    /// 4672
    #[getter]
    fn num_actions(&self) -> usize {
        self.env.encoding().actions()
    }

    /// Whose turn it is in each game, as a place in `players`.
    ///
    /// >>> BatchEnv("chess", 3).to_move
    /// array([0, 0, 0])
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        array(py, self.env.movers().map(|player| i64::from(player.0)))
    }

    /// How many moves were made in each game.
    ///
    /// >>> BatchEnv("chess", 3).plies
    /// array([0, 0, 0])
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        array(py, self.env.plies().map(i64::from))
    }

    /// Which games are over or were cut off; none, where games begin anew at once.
    ///
    /// >>> BatchEnv("chess", 2).over
    /// array([False, False])
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        array(py, self.env.over())
    }

    /// All games as board text, which for chess is FEN. The number of the round is not counted, and always 1.
    ///
    /// >>> BatchEnv("chess", 1).states()
    /// ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1']
    fn states(&self) -> Vec<String> {
        let courses = (0..self.env.games()).filter_map(|game| self.env.course(game));
        let text = |course: &Course| {
            let quiet = course.tally().quiet;
            state_text(self.env.rules(), &State { quiet, ..State::new(course.position().clone()) })
        };
        courses.map(text).collect()
    }

    /// Begins all games anew; without a seed, other games than before. `states` are board texts, one for each game, where
    /// they begin this once; a game that is over there at once has -1 as its action.
    ///
    /// >>> env = BatchEnv("chess", 2)
    /// >>> env.reset(seed=7)
    /// >>> env.reset(states=["k7/8/K7/8/8/8/8/7R w - - 0 1", "k7/8/K7/8/8/8/8/7R b - - 0 1"])
    /// >>> env.to_move
    /// array([0, 1])
    #[pyo3(signature = (*, seed=None, states=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        states: Option<Vec<String>>,
    ) -> PyResult<()> {
        let starts = states.map(|texts| self.starts(&texts)).transpose()?;
        let seed = match seed {
            Some(value) => crate::arguments::seed(value)?,
            None => self.seeds.next_u64(),
        };
        self.seeds = SplitMix::new(seed);
        py.detach(|| match starts {
            Some(starts) => self.env.reset_at(seed, &starts),
            None => self.env.reset(seed),
        });
        Ok(())
    }

    /// Begins those games anew that are over or were cut off; how many there were.
    ///
    /// >>> BatchEnv("chess", 2, autoreset=False).reset_over()
    /// 0
    fn reset_over(&mut self, py: Python<'_>) -> usize {
        py.detach(|| self.env.reset_over())
    }

    /// Makes a move in every game. Returns `rewards` (for each player 1 for a win, -1 for a loss, else 0), `terminated` and
    /// `truncated`. If one of the actions is none, nothing is done in any game.
    ///
    /// >>> BatchEnv("chess", 2).step([3797, 5])
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: game 1: action 5 is no legal move
    #[pyo3(signature = (actions, /))]
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let actions = whole_numbers(actions, "actions")?;
        let (games, players) = (self.env.games(), self.env.players());
        let mut rewards = vec![0.0; games * players];
        let (mut ended, mut cut) = (vec![false; games], vec![false; games]);
        py.detach(|| self.env.step(&actions, &mut rewards, &mut ended, &mut cut)).map_err(
            |bad| match bad.why {
                Why::Over => GameOver::new_err(bad.to_string()),
                Why::NotOneEach(_) => PyValueError::new_err(bad.to_string()),
                Why::NoAction(_) | Why::Illegal => IllegalMove::new_err(bad.to_string()),
            },
        )?;
        let rewards = PyArray1::from_vec(py, rewards).reshape([games, players])?;
        Ok((rewards, PyArray1::from_vec(py, ended), PyArray1::from_vec(py, cut)))
    }

    /// What whoever moves in each game sees: float32 of shape `(n, rows, columns, planes)`, into `out` if it is given.
    ///
    /// >>> import numpy as np
    /// >>> env = BatchEnv("chess", 2)
    /// >>> planes = np.empty((2, 8, 8, 18), np.float32)
    /// >>> env.observe(out=planes) is planes
    /// True
    #[pyo3(signature = (*, out=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        filled(py, out, &self.shape(), |numbers| self.env.observe(numbers))
    }

    /// The same as sets of cells: 18 numbers of 64 bits for each game, and how often its position has been there, up to 3.
    /// `expand` makes the planes of them. Only of the encoding `canonical18`.
    ///
    /// >>> planes, repetitions = BatchEnv("chess", 2).observe_compact()
    /// >>> planes.shape, repetitions
    /// ((2, 18), array([1, 1], dtype=uint8))
    fn observe_compact<'py>(&self, py: Python<'py>) -> PyResult<Sets<'py>> {
        let compact = py.detach(|| self.env.compact()).ok_or_else(|| {
            PyValueError::new_err("only the encoding canonical18 is made of sets of 64 cells")
        })?;
        let planes: Vec<u64> = compact.iter().flat_map(|tensor| *tensor.planes()).collect();
        let planes = PyArray1::from_vec(py, planes).reshape([compact.len(), 18])?;
        Ok((planes, array(py, compact.iter().map(tabiya_tensor::Compact::repetitions))))
    }

    /// Which actions are legal: bool of shape `(n, num_actions)`, into `out` if it is given.
    ///
    /// >>> BatchEnv("chess", 2).legal_mask().sum(axis=1)
    /// array([20, 20])
    #[pyo3(signature = (*, out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let shape = [self.env.games(), self.env.encoding().actions()];
        filled(py, out, &shape, |flags| self.env.legal(flags))
    }

    /// A legal action by chance for each game; -1 where it is over.
    ///
    /// >>> BatchEnv("chess", 2).sample().shape
    /// (2,)
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut actions = vec![0; self.env.games()];
        self.env.sample(&mut actions);
        PyArray1::from_vec(py, actions)
    }

    fn __len__(&self) -> usize {
        self.env.games()
    }

    fn __repr__(&self) -> String {
        let name = self.source.label.as_deref().unwrap_or(&self.source.spec.spec.name);
        format!("<BatchEnv {name}: {} games>", self.env.games())
    }
}
