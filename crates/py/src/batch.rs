//! The `BatchEnv` class.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_engine::SplitMix;
use tabiya_learn::{ActionErrorKind, BatchConfig, Episode};
use tabiya_notation::{State, fen, parse_state};
use tabiya_spec::Choices;

use crate::arguments::{max_plies, n, seed, threads, wrong_type};
use crate::buffer::{filled, integers};
use crate::encoding;
use crate::errors::{GameOver, IllegalMove, bad_state};
use crate::game::Game;
use crate::loading::{self, Source};

/// The result of a step: rewards, terminated, truncated.
type Stepped<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

/// Compact observations: planes and repetition counts.
type CompactArrays<'py> = (Bound<'py, PyArray2<u64>>, Bound<'py, PyArray1<u8>>);

/// Many games with the same rules, stepped together.
///
/// `game` is a library name or a `Game`, whose rules and state are used. A game that is over restarts at once unless `autoreset`
/// is false; then its action is -1 until `reset_over`. With `claims`, draws that can be claimed are claimed (in chess, threefold
/// repetition and fifty moves). `max_plies` truncates games. `states` are board texts; each game starts from a random one.
/// `threads` is the number of threads; the default is one per core.
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
    pub(crate) env: tabiya_learn::BatchEnv,
    source: Arc<Source>,
    seeds: SplitMix,
}

impl BatchEnv {
    fn shape(&self) -> [usize; 4] {
        let [rows, columns, planes] = self.env.encoding().shape();
        [self.env.games(), rows, columns, planes]
    }

    /// Parses one state for each game.
    fn parse_states(&self, texts: &[String]) -> PyResult<Vec<State>> {
        if texts.len() != self.env.games() {
            let (games, states) = (self.env.games(), texts.len());
            return Err(PyValueError::new_err(format!("there are {games} games and {states} states")));
        }
        texts.iter().map(|text| parse_state(self.env.rules(), text).map_err(bad_state)).collect()
    }
}

/// Creates a small array without releasing the GIL.
fn array<T: numpy::Element>(py: Python<'_>, numbers: impl Iterator<Item = T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, numbers.collect())
}

#[pymethods]
impl BatchEnv {
    #[new]
    #[pyo3(signature = (game, n, *, seed=0, threads=None, claims=true, max_plies=None, autoreset=true, states=None, encoding=None))]
    #[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 passes strings by value")]
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
            (game.source(), Some(game.current_state()))
        } else {
            return Err(wrong_type("game", game, "a str or a Game"));
        };
        let rules = Arc::clone(&source.spec.rules);
        let parse = |text: &String| parse_state(&rules, text).map_err(bad_state);
        let starts: Vec<State> = match &states {
            Some(states) if states.is_empty() => return Err(PyValueError::new_err("states is empty")),
            Some(states) => states.iter().map(parse).collect::<PyResult<_>>()?,
            None => vec![start.unwrap_or_else(|| State::new(rules.start()))],
        };
        // With autoreset, a start state without legal moves would restart forever.
        let ends_at_once =
            |start: &State| Episode::new(&rules, start, claims, &mut SplitMix::new(seed)).end().is_some();
        if autoreset && py.detach(|| starts.iter().any(ends_at_once)) {
            return Err(PyValueError::new_err("one of the states is over at the start"));
        }
        let config = BatchConfig {
            games: n,
            seed,
            threads: threads.unwrap_or(0),
            claims,
            max_plies,
            autoreset,
            states: starts,
        };
        let encoding = encoding::named(&rules, encoding)?;
        let env = py.detach(|| tabiya_learn::BatchEnv::new(rules, encoding, &config));
        let env = env.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(BatchEnv { env, source, seeds: SplitMix::new(seed) })
    }

    /// The number of games.
    ///
    /// >>> BatchEnv("gardner", 3).n
    /// 3
    #[getter]
    fn n(&self) -> usize {
        self.env.games()
    }

    /// The names of the players in the order of the rewards.
    ///
    /// >>> BatchEnv("gardner", 1).players
    /// ['WHITE', 'BLACK']
    #[getter]
    fn players(&self) -> Vec<&str> {
        let rules = self.env.rules();
        rules.players().map(|player| rules.player(player).name.as_str()).collect()
    }

    /// The name of the encoding: by default `canonical18` for chess and `planes1` for other games.
    ///
    /// >>> BatchEnv("chess", 1).encoding, BatchEnv("gardner", 1).encoding
    /// ('canonical18', 'planes1')
    #[getter]
    fn encoding(&self) -> &str {
        self.env.encoding().name()
    }

    /// The names of the planes in order.
    ///
    /// >>> BatchEnv("chess", 1).planes[:2]
    /// ['own pawns', 'own knights']
    #[getter]
    fn planes(&self) -> Vec<&str> {
        encoding::plane_names(self.env.encoding())
    }

    /// Rows, columns and planes of one game.
    ///
    /// >>> BatchEnv("chess", 5).observation_shape
    /// (8, 8, 18)
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        self.env.encoding().shape().into()
    }

    /// The number of actions.
    ///
    /// >>> BatchEnv("chess", 5).num_actions
    /// 4672
    #[getter]
    fn num_actions(&self) -> usize {
        self.env.encoding().actions()
    }

    /// The player to move in each game, as an index into `players`.
    ///
    /// >>> BatchEnv("chess", 3).to_move
    /// array([0, 0, 0])
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        array(py, self.env.movers().map(|player| i64::from(player.0)))
    }

    /// The number of moves made in each game.
    ///
    /// >>> BatchEnv("chess", 3).plies
    /// array([0, 0, 0])
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        array(py, self.env.plies().map(i64::from))
    }

    /// Which games are over or truncated; none with `autoreset`.
    ///
    /// >>> BatchEnv("chess", 2).over
    /// array([False, False])
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        array(py, self.env.over())
    }

    /// Returns all games as board text, which for chess is FEN. The move number is not counted and always 1.
    ///
    /// >>> BatchEnv("chess", 1).states()
    /// ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1']
    fn states(&self) -> Vec<String> {
        let episodes = (0..self.env.games()).filter_map(|game| self.env.episode(game));
        let text = |episode: &Episode| {
            let quiet = episode.tally().quiet;
            fen(self.env.rules(), &State { quiet, ..State::new(episode.position().clone()) })
        };
        episodes.map(text).collect()
    }

    /// Restarts all games.
    ///
    /// Without a seed the new games differ from the earlier ones. `states` are board texts, one for each game, for this
    /// restart only; the action of a game that is over there is -1.
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
        let starts = states.map(|texts| self.parse_states(&texts)).transpose()?;
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

    /// Restarts the games that are over or truncated. Returns their number.
    ///
    /// >>> BatchEnv("chess", 2, autoreset=False).reset_over()
    /// 0
    fn reset_over(&mut self, py: Python<'_>) -> usize {
        py.detach(|| self.env.reset_over())
    }

    /// Makes one move in every game.
    ///
    /// Returns `rewards` (for each player 1 for a win, -1 for a loss, otherwise 0), `terminated` and `truncated`. If an action
    /// is invalid, no game changes.
    ///
    /// >>> BatchEnv("chess", 2).step([3797, 5])
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: game 1: action 5 is not a legal move
    #[pyo3(signature = (actions, /))]
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let actions = integers(actions, "actions")?;
        let (games, players) = (self.env.games(), self.env.players());
        let mut rewards = vec![0.0; games * players];
        let (mut terminated, mut truncated) = (vec![false; games], vec![false; games]);
        py.detach(|| self.env.step(&actions, &mut rewards, &mut terminated, &mut truncated)).map_err(
            |error| match error.kind {
                ActionErrorKind::GameOver => GameOver::new_err(error.to_string()),
                ActionErrorKind::WrongCount(_) => PyValueError::new_err(error.to_string()),
                ActionErrorKind::OutOfRange(_) | ActionErrorKind::Illegal => {
                    IllegalMove::new_err(error.to_string())
                }
            },
        )?;
        let rewards = PyArray1::from_vec(py, rewards).reshape([games, players])?;
        Ok((rewards, PyArray1::from_vec(py, terminated), PyArray1::from_vec(py, truncated)))
    }

    /// Returns the observation of the player to move in each game.
    ///
    /// It is float32 of shape `(n, rows, columns, planes)`, written into `out` if given.
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

    /// Returns compact observations, which `expand` converts into planes.
    ///
    /// They are 18 bit sets of 64 cells for each game, and the number of occurrences of its position, up to 3. Only the encoding
    /// `canonical18` has them.
    ///
    /// >>> planes, repetitions = BatchEnv("chess", 2).observe_compact()
    /// >>> planes.shape, repetitions
    /// ((2, 18), array([1, 1], dtype=uint8))
    fn observe_compact<'py>(&self, py: Python<'py>) -> PyResult<CompactArrays<'py>> {
        let compact = py
            .detach(|| self.env.compact())
            .ok_or_else(|| PyValueError::new_err("only the encoding canonical18 has compact observations"))?;
        let planes: Vec<u64> = compact.iter().flat_map(|tensor| *tensor.planes()).collect();
        let planes = PyArray1::from_vec(py, planes).reshape([compact.len(), 18])?;
        Ok((planes, array(py, compact.iter().map(tabiya_tensor::Compact::repetitions))))
    }

    /// Returns which actions are legal: bool of shape `(n, num_actions)`, written into `out` if given.
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
        filled(py, out, &shape, |flags| self.env.legal_mask(flags))
    }

    /// Samples a legal action for each game; -1 where it is over.
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
