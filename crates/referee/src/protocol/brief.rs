//! What an agent is told before it answers, read strictly: states come from strangers here, and every reason against one is
//! given at once.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;
use tabiya_engine::{Player, Position, Rules};
use tabiya_notation::{State, parse_state_strict};

use super::form::Form;
use super::object::{Object, read};
use super::{chess, general};
use crate::{Dice, Game};

/// A longer state is not read. The longest of chess that we write ourselves is shorter.
pub const STATE_LIMIT: usize = 4 << 20;

/// So many earlier positions may be told.
pub const HISTORY_LIMIT: usize = 20_000;

/// More reasons against one state help nobody.
const MOST_REASONS: usize = 1000;

/// What a state tells.
#[derive(Clone, Debug)]
pub struct Brief {
    /// The position, with its counters.
    pub state: State,
    /// All earlier positions, oldest first.
    pub earlier: Vec<Position>,
    /// Who offers a draw. The player to move itself, if it has done so on this move.
    pub draw_offer: Option<Player>,
    /// Whether the exchange that is possible has been proposed and must be answered.
    pub is_proposed: bool,
}

impl Brief {
    /// The game that goes on from here. An ending that holds already is found.
    pub fn game(self, rules: &Arc<Rules>) -> Game {
        let game = Game::resume(Arc::clone(rules), self.state, &self.earlier, Dice::default());
        let game = if self.is_proposed { game.with_proposal() } else { game };
        match self.draw_offer {
            Some(player) => game.with_offer(player),
            None => game,
        }
    }
}

/// Every reason why a text is no state that an agent can be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadState {
    /// One sentence each.
    pub reasons: Vec<String>,
}

impl fmt::Display for BadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

impl std::error::Error for BadState {}

/// A reader of states, who remembers earlier positions: in a game most of them come again with every state.
#[derive(Debug)]
pub struct Reader {
    form: Form,
    rules: Arc<Rules>,
    known: HashMap<String, Position>,
}

impl Reader {
    pub(super) fn new(form: Form, rules: Arc<Rules>) -> Self {
        Reader { form, rules, known: HashMap::new() }
    }

    /// Reads a state, or gives every reason against it.
    pub fn read(&mut self, text: &str) -> Result<Brief, BadState> {
        if text.len() > STATE_LIMIT {
            let reason = format!("the state has more than {STATE_LIMIT} bytes");
            return Err(BadState { reasons: vec![reason] });
        }
        let mut reasons = Vec::new();
        let brief = self.brief(text, &mut reasons);
        let left_out = reasons.len().saturating_sub(MOST_REASONS);
        if left_out > 0 {
            reasons.truncate(MOST_REASONS);
            reasons.push(format!("and {left_out} more"));
        }
        brief.filter(|_| reasons.is_empty()).ok_or(BadState { reasons })
    }

    fn brief(&mut self, text: &str, reasons: &mut Vec<String>) -> Option<Brief> {
        let mut fields = match Object::parse(text) {
            Ok(object) => object.once("the state", reasons),
            Err(why) => {
                reasons.push(format!("the state is not a JSON object: {why}"));
                return None;
            }
        };
        let history = fields.take("position_history");
        let draw_offer = fields.take("draw_offer").and_then(|raw| self.offer(raw, reasons));
        let is_proposed = fields.take("exchange").is_some_and(|raw| proposed(raw, reasons));
        let state = match self.form {
            Form::Chess => chess::read(&self.rules, fields, reasons),
            Form::General => general::read(&self.rules, fields, reasons),
        };
        // Only chess has always had it.
        if history.is_none() && self.form == Form::Chess {
            reasons.push("the key `position_history` is missing".to_owned());
        }
        let earlier = history.map(|raw| self.history(raw, reasons)).unwrap_or_default();
        let state = state?;
        if is_proposed && self.rules.exchange(&state.position).is_none() {
            reasons.push("`exchange` is proposed, and none is possible".to_owned());
        }
        Some(Brief { earlier: self.without_present(earlier, &state), state, draw_offer, is_proposed })
    }

    /// Who offers a draw; `null` is nobody.
    fn offer(&self, raw: &RawValue, reasons: &mut Vec<String>) -> Option<Player> {
        let name = read::<Option<String>>(raw);
        let called = |player: &Player| Some(self.player_name(*player)) == name.clone().flatten();
        let player = self.rules.players().find(called);
        if player.is_none() && name != Some(None) {
            let names: Vec<String> = self.rules.players().map(|player| self.player_name(player)).collect();
            reasons.push(format!("`draw_offer` is none of {}", names.join(", ")));
        }
        player
    }

    fn player_name(&self, player: Player) -> String {
        player_name(self.form, &self.rules, player)
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
        // An entry that cannot be read comes between its neighbours.
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

    /// Whether two positions are the same for repetition. After a move it is another's turn, so most are not.
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
        let fields = match self.form {
            Form::Chess => words.count(),
            Form::General => words.take_while(|word| !word.contains('=')).count(),
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

    /// No position can follow itself: if the last entry is the present position, it is not an earlier one.
    fn without_present(&self, mut earlier: Vec<Position>, state: &State) -> Vec<Position> {
        if earlier.last().is_some_and(|last| self.is_same(last, &state.position)) {
            earlier.pop();
        }
        earlier
    }
}

/// Whether an exchange is proposed; all else about it follows from the position.
fn proposed(raw: &RawValue, reasons: &mut Vec<String>) -> bool {
    let flag = Object::parse(raw.get()).ok().and_then(|mut fields| fields.take("proposed").and_then(read));
    flag.unwrap_or_else(|| {
        reasons.push("`exchange` is not an object with a flag `proposed`".to_owned());
        false
    })
}

/// What messages call a player: chess in lower case, any other game as its spec does.
pub(super) fn player_name(form: Form, rules: &Rules, player: Player) -> String {
    let name = &rules.player(player).name;
    match form {
        Form::Chess => name.to_lowercase(),
        Form::General => name.clone(),
    }
}
