//! Parses states strictly. They come from other programs, and all errors are reported at once.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::value::RawValue;
use tabiya_engine::{Player, PlayerSet, Position, Rules};
use tabiya_notation::{State, parse_state_strict};

use super::dialect::Dialect;
use super::object::{Object, read};
use super::{chess, general};
use crate::{Dice, Game};

/// The longest state, in bytes. The longest state of chess is shorter.
pub const STATE_LIMIT: usize = 4 << 20;

/// The most earlier positions.
pub const HISTORY_LIMIT: usize = 20_000;

/// The most errors that are reported.
const MOST_REASONS: usize = 1000;

/// A parsed state.
#[derive(Clone, Debug)]
pub struct ParsedState {
    /// The position, with its counters.
    pub state: State,
    /// All earlier positions, oldest first.
    pub earlier: Vec<Position>,
    /// The player who offers a draw, possibly the player to move.
    pub draw_offer: Option<Player>,
    /// Whether the possible exchange has been proposed and must be answered.
    pub is_proposed: bool,
    /// The partners who want to resign.
    pub resigning: PlayerSet,
    /// The player who must answer, if another army is to move.
    pub asked: Option<Player>,
}

impl ParsedState {
    /// Creates the game that continues from this state.
    pub fn game(self, rules: &Arc<Rules>) -> Game {
        let game = Game::resume(Arc::clone(rules), self.state, &self.earlier, Dice::default());
        let game = if self.is_proposed { game.with_proposal() } else { game };
        let game = match self.draw_offer {
            Some(player) => game.with_offer(player),
            None => game,
        };
        let game = game.with_resigning(self.resigning);
        match self.asked.filter(|_| !self.is_proposed) {
            Some(player) if player != game.actor() => game.with_asked(player),
            _ => game,
        }
    }
}

/// All errors of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadState {
    /// One sentence each.
    pub reasons: Vec<String>,
}

tabiya_engine::error_messages! { BadState:
    BadState { reasons } => "{}", reasons.join("; ");
}

/// A parser of states. It caches earlier positions, because every state of a game repeats them.
#[derive(Debug)]
pub struct StateReader {
    dialect: Dialect,
    rules: Arc<Rules>,
    known: HashMap<String, Position>,
}

impl StateReader {
    pub(super) fn new(dialect: Dialect, rules: Arc<Rules>) -> Self {
        StateReader { dialect, rules, known: HashMap::new() }
    }

    /// Parses a state.
    ///
    /// # Errors
    ///
    /// Returns all errors at once.
    pub fn read(&mut self, text: &str) -> Result<ParsedState, BadState> {
        if text.len() > STATE_LIMIT {
            let reason = format!("the state has more than {STATE_LIMIT} bytes");
            return Err(BadState { reasons: vec![reason] });
        }
        let mut reasons = Vec::new();
        let parsed = self.parsed(text, &mut reasons);
        let left_out = reasons.len().saturating_sub(MOST_REASONS);
        if left_out > 0 {
            reasons.truncate(MOST_REASONS);
            reasons.push(format!("and {left_out} more"));
        }
        parsed.filter(|_| reasons.is_empty()).ok_or(BadState { reasons })
    }

    fn parsed(&mut self, text: &str, reasons: &mut Vec<String>) -> Option<ParsedState> {
        let mut fields = match Object::parse(text) {
            Ok(object) => object.once("the state", reasons),
            Err(why) => {
                reasons.push(format!("the state is not a JSON object: {why}"));
                return None;
            }
        };
        let history = fields.take("position_history");
        let draw_offer = fields.take("draw_offer").and_then(|raw| self.player("draw_offer", raw, reasons));
        let asked = fields.take("asked").and_then(|raw| self.player("asked", raw, reasons));
        let resigning = fields.take("resigning").map(|raw| self.players("resigning", raw, reasons));
        let is_proposed = fields.take("exchange").is_some_and(|raw| proposed(raw, reasons));
        let state = match self.dialect {
            Dialect::Chess => chess::read(&self.rules, fields, reasons),
            Dialect::General => general::read(&self.rules, fields, reasons),
        };
        // The key is optional in the general dialect.
        if history.is_none() && self.dialect == Dialect::Chess {
            reasons.push("the key `position_history` is missing".to_owned());
        }
        let earlier = history.map(|raw| self.history(raw, reasons)).unwrap_or_default();
        let state = state?;
        if is_proposed && self.rules.exchange(&state.position).is_none() {
            reasons.push("`exchange` is proposed, and none is possible".to_owned());
        }
        let earlier = self.without_present(earlier, &state);
        let resigning = resigning.unwrap_or_default();
        Some(ParsedState { state, earlier, draw_offer, is_proposed, resigning, asked })
    }

    /// The player whose name is the value of a key; `null` for none.
    fn player(&self, key: &str, raw: &RawValue, reasons: &mut Vec<String>) -> Option<Player> {
        let name = read::<Option<String>>(raw);
        let player = name.clone().flatten().and_then(|name| self.named(&name));
        if player.is_none() && name != Some(None) {
            reasons.push(format!("`{key}` is none of {}", self.player_names()));
        }
        player
    }

    /// The players in a list of names.
    fn players(&self, key: &str, raw: &RawValue, reasons: &mut Vec<String>) -> PlayerSet {
        let names = read::<Vec<String>>(raw);
        let players = names.and_then(|names| names.iter().map(|name| self.named(name)).collect());
        players.unwrap_or_else(|| {
            reasons.push(format!("`{key}` is not a list of {}", self.player_names()));
            PlayerSet::EMPTY
        })
    }

    fn named(&self, name: &str) -> Option<Player> {
        self.rules.players().find(|player| self.player_name(*player) == name)
    }

    fn player_names(&self) -> String {
        let names: Vec<String> = self.rules.players().map(|player| self.player_name(player)).collect();
        names.join(", ")
    }

    fn player_name(&self, player: Player) -> String {
        player_name(self.dialect, &self.rules, player)
    }

    fn history(&mut self, raw: &RawValue, reasons: &mut Vec<String>) -> Vec<Position> {
        let Ok(entries) = serde_json::from_str::<Vec<&RawValue>>(raw.get()) else {
            reasons.push("`position_history` is not a list".to_owned());
            return Vec::new();
        };
        if entries.len() > HISTORY_LIMIT {
            reasons.push(format!("`position_history` has more than {HISTORY_LIMIT} entries"));
            return Vec::new();
        }
        let mut positions: Vec<Position> = Vec::with_capacity(entries.len());
        // An entry with errors separates its neighbours.
        let mut follows = false;
        for (index, raw) in entries.into_iter().enumerate() {
            let (entry, whys) = match self.earlier(raw) {
                Ok(position)
                    if follows && positions.last().is_some_and(|last| self.is_same(last, &position)) =>
                {
                    (
                        Some(position),
                        vec!["it is the position before it, and none can follow itself".to_owned()],
                    )
                }
                Ok(position) => (Some(position), Vec::new()),
                Err(whys) => (None, whys),
            };
            reasons.extend(whys.into_iter().map(|why| format!("position_history[{index}]: {why}")));
            follows = entry.is_some();
            positions.extend(entry);
        }
        positions
    }

    /// Whether two positions are the same for repetition. Most differ in the turn already.
    fn is_same(&self, one: &Position, other: &Position) -> bool {
        one.slot() == other.slot() && self.rules.identity(one) == self.rules.identity(other)
    }

    /// An earlier position: four fields of board text, without the counters.
    fn earlier(&mut self, raw: &RawValue) -> Result<Position, Vec<String>> {
        let text: String = read(raw).ok_or_else(|| vec!["it is not a string".to_owned()])?;
        if let Some(position) = self.known.get(&text) {
            return Ok(position.clone());
        }
        let words = text.split_whitespace();
        let fields = match self.dialect {
            Dialect::Chess => words.count(),
            Dialect::General => words.take_while(|word| !word.contains('=')).count(),
        };
        if fields != 4 {
            return Err(vec![format!("it has {fields} fields, not the first four of FEN")]);
        }
        let state = parse_state_strict(&self.rules, &text).map_err(|error| error.reasons)?;
        if self.known.len() >= HISTORY_LIMIT {
            self.known.clear();
        }
        self.known.insert(text, state.position.clone());
        Ok(state.position)
    }

    /// Removes the last entry if it is the current position: a position cannot follow itself.
    fn without_present(&self, mut earlier: Vec<Position>, state: &State) -> Vec<Position> {
        if earlier.last().is_some_and(|last| self.is_same(last, &state.position)) {
            earlier.pop();
        }
        earlier
    }
}

/// Whether an exchange is proposed. Everything else about it follows from the position.
fn proposed(raw: &RawValue, reasons: &mut Vec<String>) -> bool {
    let flag = Object::parse(raw.get()).ok().and_then(|mut fields| fields.take("proposed").and_then(read));
    flag.unwrap_or_else(|| {
        reasons.push("`exchange` is not an object with a flag `proposed`".to_owned());
        false
    })
}

/// The name of a player in messages. Chess uses lower case.
pub(super) fn player_name(dialect: Dialect, rules: &Rules, player: Player) -> String {
    let name = &rules.player(player).name;
    match dialect {
        Dialect::Chess => name.to_lowercase(),
        Dialect::General => name.clone(),
    }
}
