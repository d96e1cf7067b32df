//! A game in progress, as Python sees it.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tabiya_engine::{Move, Player, Rules};
use tabiya_notation::pgn::result_text;
use tabiya_notation::{State, diagram, parse_state, state_text};
use tabiya_referee::{Act, Dice, Game as Referee, Illegal, Snapshot};
use tabiya_spec::Choices;
use tabiya_tensor::{Encoding, Sight};

use crate::arguments::{options, seed};
use crate::buffer::fill;
use crate::encoding;
use crate::errors::{IllegalMove, bad_state, illegal};
use crate::loading::{self, Source};
use crate::outcome::Outcome;

/// What was done, and how the game stood before it.
#[derive(Debug)]
struct Turn {
    before: Snapshot,
    act: Act,
}

/// A game in progress, under the laws of its file.
///
/// `name` is that of a game of the library (`games` lists them). What a game leaves open is chosen by `layout`, `preset` and
/// `options`, as `layouts`, `presets` and `options` list it; `state` is where it starts, as board text, instead of its own
/// start; `seed` is what its die is thrown from, if it has one; `encoding` is how it becomes planes, if not as usual.
///
/// >>> from tabiya import Game
/// >>> game = Game("capablanca")
/// >>> game.push("e2e4")
/// >>> game.turn
/// 'BLACK'
/// >>> Game("enochian", layout="Fire of Fire", preset="zalewski", options={"SHARING": "NEVER"}).turn
/// 'RED'
#[pyclass(module = "tabiya", subclass)]
#[derive(Clone, Debug)]
pub(crate) struct Game {
    source: Arc<Source>,
    referee: Referee,
    encoding: Arc<Encoding>,
    /// Oldest first; shared with copies, which therefore cost little however long the game is.
    past: Vec<Arc<Turn>>,
}

impl Game {
    /// A game at its start, or at another state.
    pub(crate) fn begin(
        source: Arc<Source>,
        state: Option<&str>,
        seed: u64,
        name: Option<&str>,
    ) -> PyResult<Self> {
        let rules = &source.spec.rules;
        let state = match state {
            Some(text) => parse_state(rules, text).map_err(|error| bad_state(&error))?,
            None => State::new(rules.start()),
        };
        let referee = Referee::resume(Arc::clone(rules), state, &[], Dice::seeded(seed));
        let encoding = match name {
            None => source.usual(),
            name => encoding::named(rules, name)?,
        };
        Ok(Game { referee, encoding, past: Vec::new(), source })
    }

    /// The game as it was read.
    pub(crate) fn source(&self) -> Arc<Source> {
        Arc::clone(&self.source)
    }

    /// The state, with its counters.
    pub(crate) fn state(&self) -> State {
        self.referee.state().clone()
    }

    /// Whose turn it is.
    pub(crate) fn mover(&self) -> Player {
        self.referee.mover()
    }

    /// The name of its encoding.
    pub(crate) fn encoding_name(&self) -> &'static str {
        self.encoding.name()
    }

    /// The legal moves; none if the game is over or something else must be done first.
    fn moves(&self) -> Vec<Move> {
        let is_open = self.referee.end().is_none() && self.referee.proposal().is_none();
        if is_open { self.rules().unsorted_moves(&self.referee.state().position) } else { Vec::new() }
    }

    /// The numbers of the legal moves, with them, in their order.
    fn numbered(&self) -> Vec<(u32, Move)> {
        let position = &self.referee.state().position;
        let number = |played: Move| (self.encoding.action(self.rules(), position, played), played);
        let mut all: Vec<(u32, Move)> = self.moves().into_iter().map(number).collect();
        all.sort_unstable_by_key(|(action, _)| *action);
        all
    }

    /// The legal move with a number.
    fn meant(&self, action: &Bound<'_, PyAny>) -> PyResult<Move> {
        let count = self.encoding.actions();
        let number: i64 = action.extract().map_err(|_| {
            let found = action.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
            PyTypeError::new_err(format!(
                "action is {found:.60}, wanted a whole number from 0 to {}",
                count - 1
            ))
        })?;
        if !(0..count as i64).contains(&number) {
            let told = format!("{number} is no action, they are numbered 0 to {}", count - 1);
            return Err(IllegalMove::new_err(told));
        }
        let found = self.numbered().into_iter().find(|(other, _)| i64::from(*other) == number);
        found.map(|(_, played)| played).ok_or_else(|| {
            IllegalMove::new_err(format!("action {number} is no legal move in {}", self.fen()))
        })
    }

    /// Writes the planes as somebody sees them.
    pub(crate) fn write(&self, seat: Player, out: &mut [f32]) {
        let position = &self.referee.state().position;
        // Moves are asked for only where something on the board depends on them.
        let moves = if position.marks().is_empty() { Vec::new() } else { self.moves() };
        let sight = Sight { position, tally: self.referee.tally(), moves: &moves };
        self.encoding.write(self.rules(), &sight, seat, out);
    }

    fn rules(&self) -> &Rules {
        self.referee.rules()
    }

    fn text(&self, turn: &Turn) -> String {
        turn.act.text(self.rules(), turn.before.position())
    }

    fn going_on(&self) -> PyResult<()> {
        if self.referee.end().is_some() { Err(illegal(&Illegal::GameOver)) } else { Ok(()) }
    }

    /// Does something that the referee may refuse.
    fn act(&mut self, act: Act) -> PyResult<()> {
        let before = self.referee.snapshot();
        self.referee.submit(&act).map_err(|refusal| illegal(&refusal))?;
        self.past.push(Arc::new(Turn { before, act }));
        Ok(())
    }
}

/// What somebody chooses of what a game leaves open.
fn choices(
    layout: Option<String>,
    preset: Option<String>,
    settings: Option<&Bound<'_, PyAny>>,
) -> PyResult<Choices> {
    let options = settings.map(options).transpose()?.unwrap_or_default();
    Ok(Choices { layout, preset, options })
}

#[pymethods]
impl Game {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    #[pyo3(signature = (name, *, layout=None, preset=None, options=None, state=None, seed=0, encoding=None))]
    fn new(
        py: Python<'_>,
        name: &str,
        layout: Option<String>,
        preset: Option<String>,
        options: Option<&Bound<'_, PyAny>>,
        state: Option<&str>,
        #[pyo3(from_py_with = seed)] seed: u64,
        encoding: Option<&str>,
    ) -> PyResult<Self> {
        let source = loading::named(py, name, &choices(layout, preset, options)?)?;
        Game::begin(source, state, seed, encoding)
    }

    /// The game of a file.
    ///
    /// >>> Game.from_spec("no-such-file.json")
    /// Traceback (most recent call last):
    /// FileNotFoundError: [Errno 2] No such file or directory: 'no-such-file.json'
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    #[pyo3(signature = (path, *, layout=None, preset=None, options=None, state=None, seed=0, encoding=None))]
    #[expect(clippy::needless_pass_by_value, reason = "a path of Python can only be copied")]
    fn from_spec(
        py: Python<'_>,
        path: PathBuf,
        layout: Option<String>,
        preset: Option<String>,
        options: Option<&Bound<'_, PyAny>>,
        state: Option<&str>,
        #[pyo3(from_py_with = seed)] seed: u64,
        encoding: Option<&str>,
    ) -> PyResult<Self> {
        let source = loading::at(py, &path, &choices(layout, preset, options)?)?;
        Game::begin(source, state, seed, encoding)
    }

    /// The game of a text, which is JSON as a file has it.
    ///
    /// >>> Game.from_json('{ "name": "Nothing" }')
    /// Traceback (most recent call last):
    /// tabiya.SpecError: json:1:1: error[missing-key]: A game needs the key `board`.
    /// json:1:1: error[missing-key]: A game needs the key `players`.
    /// json:1:1: error[missing-key]: A game needs the key `turns`.
    /// json:1:1: error[missing-key]: A game needs the key `pieces`.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    #[pyo3(signature = (text, *, layout=None, preset=None, options=None, state=None, seed=0, encoding=None))]
    fn from_json(
        py: Python<'_>,
        text: &str,
        layout: Option<String>,
        preset: Option<String>,
        options: Option<&Bound<'_, PyAny>>,
        state: Option<&str>,
        #[pyo3(from_py_with = seed)] seed: u64,
        encoding: Option<&str>,
    ) -> PyResult<Self> {
        let source = loading::told(py, text, &choices(layout, preset, options)?)?;
        Game::begin(source, state, seed, encoding)
    }

    /// The name of the game, as its file gives it.
    ///
    /// >>> Game("losalamos").name
    /// 'Los Alamos chess'
    #[getter]
    fn name(&self) -> &str {
        &self.source.spec.spec.name
    }

    /// The names of the players, in the order of the file.
    ///
    /// >>> Game("fourplayer").players
    /// ['RED', 'BLUE', 'YELLOW', 'GREEN']
    #[getter]
    fn players(&self) -> Vec<&str> {
        self.rules().players().map(|player| self.rules().player(player).name.as_str()).collect()
    }

    /// The layouts that can be chosen beside the file's own.
    ///
    /// >>> Game("enochian").layouts[:2]
    /// ['Tablet of Fire (prototype)', 'Tablet of Water']
    #[getter]
    fn layouts(&self) -> Vec<&str> {
        self.source.spec.choices.layouts.iter().map(|layout| layout.name.as_str()).collect()
    }

    /// The presets that can be chosen: sets of options with their values.
    ///
    /// >>> Game("enochian").presets
    /// ['document', 'zalewski']
    #[getter]
    fn presets(&self) -> Vec<&str> {
        self.source.spec.choices.presets.iter().map(|preset| preset.name.as_str()).collect()
    }

    /// The options that can be chosen, each with its values.
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

    /// Whose turn it is.
    ///
    /// >>> Game("chess").turn
    /// 'WHITE'
    #[getter]
    fn turn(&self) -> &str {
        &self.rules().player(self.referee.mover()).name
    }

    /// Who decides what is done: the player whose turn it is, unless somebody else moves that army or must answer first.
    ///
    /// >>> Game("chess").actor
    /// 'WHITE'
    #[getter]
    fn actor(&self) -> &str {
        &self.rules().player(self.referee.actor()).name
    }

    /// The state as board text, which for chess is FEN. It can be given as `state` to a new game.
    ///
    /// >>> Game("chess").fen
    /// 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    #[getter]
    fn fen(&self) -> String {
        state_text(self.rules(), self.referee.state())
    }

    /// What was done so far, oldest first. Pushed to a game with the same start and seed it leads to the same state.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push("e2 e4")
    /// >>> game.history
    /// ['e2e4']
    #[getter]
    fn history(&self) -> Vec<String> {
        self.past.iter().map(|turn| self.text(turn)).collect()
    }

    /// The legal moves, as `push` takes them, in the order of the engine; none once the game is over.
    ///
    /// Whatever the game, pushing one of them again and again brings it on: where the die is to be thrown first there is only
    /// `throw`, and where an exchange is proposed there are `accept` and `decline`.
    ///
    /// >>> Game("chess", state="7k/5Q2/8/8/8/8/8/K7 b - - 0 1").legal_moves
    /// []
    /// >>> Game("chess", state="7k/4Q3/8/8/8/8/8/K7 b - - 0 1").legal_moves
    /// ['h8g8']
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        let position = &self.referee.state().position;
        self.referee.ways_on().iter().map(|act| act.text(self.rules(), position)).collect()
    }

    /// Makes a move: `e2e4`, `a7a8q`. Also `claim threefold_repetition`, `draw`, `accept`, `decline` and `resign`, and in games
    /// that have them `throw`, `exchange` and `withdraw YELLOW`.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push("e2e4")
    /// >>> game.push("e7e4")
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: no move of a PAWN leads from e7 to e4
    #[pyo3(signature = (text, /))]
    fn push(&mut self, text: &str) -> PyResult<()> {
        self.going_on()?;
        let act = self.referee.read_act(text).map_err(IllegalMove::new_err)?;
        self.act(act)
    }

    /// Takes back what was done last, and returns it.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push("e2e4")
    /// >>> game.undo()
    /// 'e2e4'
    /// >>> game.undo()
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: there is nothing to take back
    fn undo(&mut self) -> PyResult<String> {
        let turn = self.past.pop().ok_or_else(|| IllegalMove::new_err("there is nothing to take back"))?;
        self.referee.restore(turn.before.clone());
        Ok(self.text(&turn))
    }

    /// The same game, to be played on by itself.
    ///
    /// >>> game = Game("chess")
    /// >>> other = game.copy()
    /// >>> other.push("e2e4")
    /// >>> game.history, other.history
    /// ([], ['e2e4'])
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__(&self, memo: &Bound<'_, PyAny>) -> Self {
        let _ = memo;
        self.clone()
    }

    /// Whether the game is over.
    ///
    /// >>> Game("chess").is_over
    /// False
    #[getter]
    fn is_over(&self) -> bool {
        self.referee.end().is_some()
    }

    /// How the game ended; `None` while it goes on.
    ///
    /// >>> Game("chess", state="7k/8/8/8/8/8/8/K7 w - - 0 1").outcome
    /// Outcome(winners=(), reason='dead_position')
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.referee.end().map(|end| Outcome::new(self.rules(), end))
    }

    /// The result as it is written under a game: `1-0`, `0-1`, `1/2-1/2`, and for more players `0-1-0-0`; `None` while it goes on.
    ///
    /// >>> Game("chess", state="7k/8/8/8/8/8/8/K7 w - - 0 1").result
    /// '1/2-1/2'
    #[getter]
    fn result(&self) -> Option<String> {
        self.referee.end().map(|end| result_text(self.rules(), Some(end.winners)))
    }

    /// What can be claimed now and holds.
    ///
    /// >>> game = Game("chess")
    /// >>> for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
    /// ...     game.push(move)
    /// >>> game.claims
    /// ['threefold_repetition']
    #[getter]
    fn claims(&self) -> Vec<String> {
        self.referee.holding_claims().into_iter().map(str::to_lowercase).collect()
    }

    /// Claims an ending, and so ends the game.
    ///
    /// >>> Game("chess").claim("threefold_repetition")
    /// Traceback (most recent call last):
    /// tabiya.IllegalMove: the claim threefold_repetition does not hold
    #[pyo3(signature = (code, /))]
    fn claim(&mut self, code: &str) -> PyResult<()> {
        self.going_on()?;
        let unknown = || illegal(&Illegal::NoSuchClaim(code.chars().take(60).collect()));
        let act = self.referee.claim_of(code).ok_or_else(unknown)?;
        self.act(act)
    }

    /// How often the position has been there, this time included.
    ///
    /// >>> Game("chess").repetitions
    /// 1
    #[getter]
    fn repetitions(&self) -> u32 {
        self.referee.tally().repetitions
    }

    /// Turns since the last capture, or other move after which nothing can be as it was.
    ///
    /// >>> Game("chess", state="7k/8/8/8/8/8/8/K6R w - - 12 40").quiet
    /// 12
    #[getter]
    fn quiet(&self) -> u32 {
        self.referee.state().quiet
    }

    /// The name of its encoding: `canonical18` for chess, `planes1` for all others, unless another was asked for.
    ///
    /// >>> Game("chess").encoding, Game("chess", encoding="planes1").encoding
    /// ('canonical18', 'planes1')
    #[getter]
    fn encoding(&self) -> &str {
        self.encoding.name()
    }

    /// The names of the planes, in their order.
    ///
    /// >>> Game("gardner").planes[:2]
    /// ['own PAWN', 'own KNIGHT']
    #[getter]
    fn planes(&self) -> Vec<&str> {
        encoding::planes(&self.encoding)
    }

    /// Rows, columns and planes.
    ///
    /// >>> Game("fourplayer").observation_shape[:2]
    /// (14, 14)
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        self.encoding.shape().into()
    }

    /// How many actions there are.
    ///
    /// >>> Game("chess").num_actions
    /// 4672
    #[getter]
    fn num_actions(&self) -> usize {
        self.encoding.actions()
    }

    /// The position as planes of float32, as a player sees it (whoever moves, if none is named), into `out` if it is given.
    ///
    /// >>> Game("capablanca").observe().shape == Game("capablanca").observation_shape
    /// True
    #[pyo3(signature = (*, seat=None, out=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        seat: Option<&str>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let seat = match seat {
            Some(name) => encoding::player(self.rules(), name)?,
            None => self.referee.mover(),
        };
        fill(py, out, &self.encoding.shape(), |numbers| self.write(seat, numbers))
    }

    /// The numbers of the legal moves, ascending.
    ///
    /// >>> len(Game("chess").legal_actions())
    /// 20
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let numbers = self.numbered().into_iter().map(|(action, _)| i64::from(action));
        PyArray1::from_vec(py, numbers.collect())
    }

    /// Which actions are legal, as bool, into `out` if it is given.
    ///
    /// >>> Game("chess").legal_mask().sum()
    /// np.int64(20)
    #[pyo3(signature = (*, out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let numbered = self.numbered();
        fill(py, out, &[self.encoding.actions()], |flags: &mut [bool]| {
            flags.fill(false);
            for (action, _) in &numbered {
                flags[*action as usize] = true;
            }
        })
    }

    /// The number of a legal move.
    ///
    /// >>> Game("chess").action_of("e2e4")
    /// 3797
    #[pyo3(signature = (text, /))]
    fn action_of(&self, text: &str) -> PyResult<u32> {
        self.going_on()?;
        match self.referee.read_act(text).map_err(IllegalMove::new_err)? {
            Act::Move(played) => {
                Ok(self.encoding.action(self.rules(), &self.referee.state().position, played))
            }
            _ => Err(IllegalMove::new_err(format!("`{text:.60}` is no move, and only moves have numbers"))),
        }
    }

    /// The legal move with a number.
    ///
    /// >>> Game("chess").move_of(3797)
    /// 'e2e4'
    #[pyo3(signature = (action, /))]
    fn move_of(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let played = self.meant(action)?;
        Ok(Act::Move(played).text(self.rules(), &self.referee.state().position))
    }

    /// Makes the legal move with a number.
    ///
    /// >>> game = Game("chess")
    /// >>> game.push_action(3797)
    /// >>> game.history
    /// ['e2e4']
    #[pyo3(signature = (action, /))]
    fn push_action(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.going_on()?;
        let played = self.meant(action)?;
        self.act(Act::Move(played))
    }

    fn __str__(&self) -> String {
        diagram(self.rules(), &self.referee.state().position)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type().name()?;
        let game = slf.borrow();
        let name = game.source.label.as_deref().unwrap_or_else(|| game.name());
        Ok(format!("<{class} {name}: {}>", game.fen()))
    }
}
