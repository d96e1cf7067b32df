//! One game of a session: the referee's game, what has been played, and what is forgiven.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use serde_json::Value;
use tabiya_engine::{Move, Player, Rules};
use tabiya_notation::{State, san, uci};
use tabiya_players::{Chooser, Limits, by_name};
use tabiya_referee::protocol::{Finding, Protocol, Scribe, Strictness, Verdict};
use tabiya_referee::{Act, Dice, Game, bargain};

use super::source::Source;

/// Longer games are broken off, so that a session stays small.
pub(super) const MOST_TURNS: usize = 1000;

/// However many positions a player may look at, it answers after this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// A game that is being played, or was.
pub(super) struct Table {
    /// What is played.
    pub(super) source: Source,
    /// The game.
    pub(super) game: Game,
    /// Where it began.
    pub(super) start: State,
    /// The moves, oldest first.
    pub(super) turns: Vec<Turn>,
    /// How many outputs have been forgiven on this move.
    pub(super) forgiven: u32,
    protocol: Protocol,
    scribe: Scribe,
    seed: u64,
    /// The players who have been asked. They are kept, for each has its own chance.
    players: BTreeMap<String, Box<dyn Chooser + Send>>,
}

/// A move that was made.
#[derive(Debug)]
pub(super) struct Turn {
    /// By whom.
    pub(super) player: Player,
    /// As it is written between squares.
    pub(super) text: String,
    /// As people write it.
    pub(super) san: String,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("game", &self.source.label)
            .field("turns", &self.turns)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// A game from its own start, or from another.
    pub(super) fn new(source: Source, start: Option<State>, seed: u64) -> Self {
        let rules = source.game.rules.clone();
        let start = start.unwrap_or_else(|| State::new(rules.start()));
        let protocol = Protocol::new(&rules);
        Table {
            scribe: protocol.scribe(),
            protocol,
            game: Game::resume(rules, start.clone(), &[], Dice::seeded(seed)),
            source,
            start,
            turns: Vec::new(),
            forgiven: 0,
            seed,
            players: BTreeMap::new(),
        }
    }

    /// The rules.
    pub(super) fn rules(&self) -> &Rules {
        self.game.rules()
    }

    /// Whether nothing can happen any more.
    pub(super) fn is_over(&self) -> bool {
        self.game.end().is_some() || self.is_too_long()
    }

    /// Whether it is broken off.
    pub(super) fn is_too_long(&self) -> bool {
        self.turns.len() >= MOST_TURNS
    }

    /// The state as the agent protocol sends it.
    pub(super) fn state(&mut self) -> Value {
        serde_json::from_str(&self.scribe.state_line(&self.game)).unwrap_or_default()
    }

    /// A legal move as the agent protocol takes it.
    pub(super) fn output(&self, played: Move) -> Value {
        self.protocol.act_json(&self.game, &Act::Move(played))
    }

    /// A verdict as the agent protocol tells it.
    pub(super) fn verdict_json(&self, verdict: &Verdict) -> Value {
        self.protocol.verdict_json(verdict)
    }

    /// Judges an output of the player to move. So many that are not accepted are forgiven on each move; one more loses.
    pub(super) fn judge(&mut self, output: &str, retries: u32) -> Verdict {
        let actor = self.game.actor();
        let turn = match self.protocol.understand(&self.game, output, Strictness::Strict) {
            Ok((Act::Move(played), _)) => Some(self.turn(played)),
            _ => None,
        };
        let mut verdict = self.protocol.judge(&mut self.game, output, Strictness::Strict);
        match (&verdict.refused, &verdict.end) {
            (Some(_), _) if self.forgiven < retries => {
                self.forgiven += 1;
                verdict.end = None;
            }
            (Some(_), Some(end)) => self.game.forfeit(actor, &end.reason),
            _ => {}
        }
        if let Some(turn) = turn.filter(|_| verdict.finding == Finding::Move) {
            self.made(turn);
        }
        verdict
    }

    fn made(&mut self, turn: Turn) {
        self.forgiven = 0;
        self.turns.push(turn);
    }

    /// How a move of this position is written, before it is made.
    fn turn(&self, played: Move) -> Turn {
        let (rules, position) = (self.rules(), &self.game.state().position);
        Turn {
            player: self.game.mover(),
            text: uci(rules, position, played),
            san: san(rules, position, played),
        }
    }

    /// A built-in player answers a proposal that stands.
    pub(super) fn answer_proposal(&mut self) -> Option<Act> {
        self.game.proposal()?;
        let act = bargain(&self.game)?;
        self.game.submit(&act).ok()?;
        Some(act)
    }

    /// A built-in player makes the move, within so many positions. `None` if there is nothing to move.
    pub(super) fn reply(&mut self, name: &str, nodes: u64) -> Option<&Turn> {
        let until = Instant::now() + PATIENCE;
        let stop = || Instant::now() >= until;
        let limits = Limits { nodes: Some(nodes), stop: Some(&stop), ..Limits::default() };
        if !self.players.contains_key(name) {
            self.players.insert(name.to_owned(), by_name(name, self.seed)?);
        }
        if self.game.awaits_throw() {
            self.game.submit(&Act::Throw).ok()?;
        }
        let player = self.players.get_mut(name)?;
        let played = player.choose_within(self.game.rules(), &self.game.state().position, &limits)?;
        let turn = self.turn(played);
        self.game.submit(&Act::Move(played)).ok()?;
        self.made(turn);
        self.turns.last()
    }
}
