//! One game that a model plays: its session, and the notation of its moves.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use tabiya_engine::{Move, Player, Position};
use tabiya_notation::{State, parse_uci, san};
use tabiya_players::{Chooser, Limits, by_name};
use tabiya_referee::protocol::{Judgement, StateWriter};
use tabiya_referee::{
    Action, AnswerFormat, Laws, Reply, Ruling, Session, SessionKind, SessionOptions, action_before_moving,
};

use super::source::Source;

/// Games are limited to this many moves, so that the server stays small.
const MAX_PLIES: u32 = 1000;

/// A built-in player answers after this time, no matter how many nodes it may search.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// A game that is being played, or was.
pub(super) struct ModelGame {
    /// Where its rules come from.
    pub(super) source: Source,
    /// The game in progress.
    pub(super) session: Session,
    /// The moves, oldest first.
    pub(super) turns: Vec<Turn>,
    state_writer: StateWriter,
    /// The built-in players that were asked. Each keeps its random numbers.
    players: BTreeMap<String, Box<dyn Chooser + Send>>,
}

/// A move that was made.
#[derive(Debug)]
pub(super) struct Turn {
    /// The player.
    pub(super) player: Player,
    /// The move between squares.
    pub(super) text: String,
    /// The move in algebraic notation.
    pub(super) san: String,
}

impl ModelGame {
    /// Starts a game from its own start or from another state.
    pub(super) fn new(source: Source, start: Option<State>, seed: u64, retries: u32) -> Self {
        let rules = &source.game.rules;
        let laws = Laws::new(rules, &source.game.hash.to_string());
        let defaults = SessionOptions::new(rules);
        let options = SessionOptions {
            start: start.unwrap_or(defaults.start),
            seed,
            kind: SessionKind::Match,
            retries,
            max_plies: MAX_PLIES,
            formats: vec![AnswerFormat::Object; defaults.formats.len()],
            ..SessionOptions::new(rules)
        };
        ModelGame {
            state_writer: laws.protocol().state_writer(),
            session: Session::new(&laws, options),
            source,
            turns: Vec::new(),
            players: BTreeMap::new(),
        }
    }

    /// The state of the agent protocol.
    pub(super) fn state(&mut self) -> Value {
        serde_json::from_str(&self.state_writer.state_line(self.session.game())).unwrap_or_default()
    }

    /// A legal move as the agent protocol writes it.
    pub(super) fn output(&self, played: Move) -> Value {
        self.session.laws().protocol().action_json(self.session.game(), &Action::Move(played))
    }

    /// The referee's judgement as the agent protocol writes it.
    pub(super) fn judgement_json(&self, ruling: &Ruling) -> Value {
        let judgement = Judgement {
            verdict: ruling.verdict,
            uci: ruling.played.clone(),
            end: self.session.end().cloned(),
            rejected: ruling.rejected.clone(),
            lenient: ruling.extracted,
        };
        self.session.laws().protocol().judgement_json(&judgement)
    }

    /// Judges an output of the player to act.
    pub(super) fn judge(&mut self, output: &str) -> Ruling {
        let (mover, before) = (self.session.game().mover(), self.session.position().clone());
        let ruling = self.session.hear(Reply::Output(output), Duration::ZERO);
        self.note_move(mover, &before);
        ruling
    }

    /// Adds the move that was made in a position to the list, if there is a new one.
    fn note_move(&mut self, player: Player, before: &Position) {
        let Some(text) = self.session.moves().get(self.turns.len()) else { return };
        let rules = self.session.rules();
        let san = parse_uci(rules, before, text).map_or_else(|_| text.clone(), |it| san(rules, before, it));
        self.turns.push(Turn { player, text: text.clone(), san });
    }

    /// A built-in player answers a proposed exchange or a question out of turn.
    pub(super) fn answer_proposal(&mut self) -> Option<Action> {
        if !self.session.game().must_answer() {
            return None;
        }
        let action = action_before_moving(self.session.game())?;
        self.session.act(action.clone(), Duration::ZERO).ok()?;
        Some(action)
    }

    /// A built-in player makes a move within this many nodes. `None` if it finds none.
    pub(super) fn reply(&mut self, name: &str, nodes: u64) -> Option<&Turn> {
        let until = Instant::now() + TIME_LIMIT;
        let stop = || Instant::now() >= until;
        let limits = Limits { nodes: Some(nodes), stop: Some(&stop), ..Limits::default() };
        if !self.players.contains_key(name) {
            self.players.insert(name.to_owned(), by_name(name, self.session.options().seed)?);
        }
        if self.session.game().awaits_throw() {
            self.session.act(Action::Throw, Duration::ZERO).ok()?;
        }
        let (mover, before) = (self.session.game().mover(), self.session.position().clone());
        let played = self.players.get_mut(name)?.choose_within(self.session.rules(), &before, &limits)?;
        self.session.act(Action::Move(played), Duration::ZERO).ok()?;
        self.note_move(mover, &before);
        self.turns.last()
    }
}
