//! The state as JSON, the form that programs pass around.
//!
//! `{"pieces":{"x,y":{"code","player","total_moves","state"}},"turn","player","eliminated","phase","outcome","quiet","round",
//! "text"}`.
//! Where a game has them, `guests` (as `pieces`), `captives` and `controlled` (from player to player), `frozen` and `die`
//! are there as well. All but `pieces` and `turn` may be left out when reading; `player` and `text` are for people and not looked at. A
//! flag is the number of turns it has left, `null` for ever, or `{"remaining":n,"slot":i}` where the slot that set it
//! matters.

use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tabiya_engine::{
    Countdown, Die, Flag, Kind, Mark, Piece, Player, PlayerSet, Position, Rules, Setup, Square,
};

use crate::fates;
use crate::letters::clip;
use crate::state::{Draft, State};

/// The state as JSON, outcome included.
pub fn state_json(rules: &Rules, state: &State) -> Value {
    let position = &state.position;
    let mut pieces = Map::new();
    for (square, piece) in position.pieces() {
        let (x, y) = rules.board().coords(square);
        let flags: Map<String, Value> = position
            .marks()
            .iter()
            .filter(|mark| mark.square == square)
            .map(|mark| {
                (rules.flag(mark.flag).to_owned(), countdown_json(rules, piece.player, position, mark))
            })
            .collect();
        let entry = json!({
            "code": rules.kind(piece.kind).code,
            "player": rules.player(piece.player).name,
            "total_moves": u8::from(!piece.unmoved),
            "state": flags,
        });
        pieces.insert(format!("{x},{y}"), entry);
    }
    let names = |players: tabiya_engine::PlayerSet| -> Vec<&str> {
        players.iter().map(|player| rules.player(player).name.as_str()).collect()
    };
    let outcome = rules.outcome(position);
    let mut state = json!({
        "pieces": pieces,
        "turn": position.slot(),
        "player": rules.player(rules.mover(position)).name,
        "eliminated": names(position.eliminated()),
        "phase": if outcome.is_some() { "GameOver" } else { "Idle" },
        "outcome": outcome.map(|outcome| json!({
            "winners": names(outcome.winners),
            "reason": rules.reason(outcome.reason),
        })),
        "quiet": state.quiet,
        "round": state.round,
        "text": crate::state_text(rules, state),
    });
    if let Some(object) = state.as_object_mut() {
        fates(rules, position, object);
    }
    state
}

/// Guests, captives, frozen and controlled armies, and the die: only in games that have them, and only if there are any.
fn fates(rules: &Rules, position: &Position, state: &mut Map<String, Value>) {
    let setup = rules.setup(position);
    let name = |player: Player| rules.player(player).name.as_str();
    let guests: Map<String, Value> = setup
        .guests
        .iter()
        .map(|(square, piece)| {
            let (x, y) = rules.board().coords(*square);
            let entry = json!({
                "code": rules.kind(piece.kind).code,
                "player": name(piece.player),
                "total_moves": u8::from(!piece.unmoved),
            });
            (format!("{x},{y}"), entry)
        })
        .collect();
    let pairs = |pairs: &[(Player, Player)]| -> Map<String, Value> {
        pairs.iter().map(|(one, other)| (name(*one).to_owned(), json!(name(*other)))).collect()
    };
    let mut add = |key: &str, value: Value, is_there: bool| {
        if is_there {
            state.insert(key.to_owned(), value);
        }
    };
    add("guests", json!(guests), !guests.is_empty());
    add("captives", json!(pairs(&setup.captives)), !setup.captives.is_empty());
    let frozen: Vec<&str> = setup.frozen.iter().map(name).collect();
    add("frozen", json!(frozen), !frozen.is_empty());
    add("controlled", json!(pairs(&setup.controlled)), !setup.controlled.is_empty());
    let withdrawn: Vec<&str> = setup.withdrawn.iter().map(name).collect();
    add("withdrawn", json!(withdrawn), !withdrawn.is_empty());
    let holding: Vec<&str> = setup.holding.iter().map(name).collect();
    add("holding", json!(holding), !holding.is_empty());
    let die = match setup.die {
        Some(Die::Shows(face)) => json!({ "shows": face }),
        Some(Die::Awaited(throws)) => json!({ "throws": throws }),
        None => Value::Null,
    };
    add("die", die, setup.die.is_some());
    let tags: Vec<String> =
        setup.tags.iter().map(|(spot, tag)| fates::tag_text(rules, *spot, *tag)).collect();
    add("tags", json!(tags), !tags.is_empty());
}

fn countdown_json(rules: &Rules, owner: Player, position: &Position, mark: &Mark) -> Value {
    match mark.countdown {
        None => Value::Null,
        Some(Countdown { slot, remaining }) if slot == likely_slot(rules, owner, position.slot()) => {
            json!(remaining)
        }
        Some(Countdown { slot, remaining }) => json!({ "remaining": remaining, "slot": slot }),
    }
}

/// The slot that a flag comes from, if it is not said: the owner's last one before the turn.
fn likely_slot(rules: &Rules, owner: Player, turn: u16) -> u16 {
    let order = rules.order().len();
    (1..=order)
        .map(|back| ((usize::from(turn) + order - back) % order) as u16)
        .find(|slot| rules.turn_of(*slot) == owner)
        .unwrap_or(turn)
}

/// Every key that a state may have.
pub const STATE_KEYS: [&str; 17] = [
    "pieces",
    "turn",
    "player",
    "eliminated",
    "phase",
    "outcome",
    "quiet",
    "round",
    "text",
    "guests",
    "captives",
    "controlled",
    "frozen",
    "withdrawn",
    "holding",
    "die",
    "tags",
];

/// Reads a state, with every reason against it.
pub(crate) fn draft(rules: &Rules, text: &str) -> Draft {
    let file: Pairs = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(error) => return Draft::unreadable(format!("not a state as JSON: {error}")),
    };
    let mut reader = Reader { rules, reasons: Vec::new(), setup: Setup::default() };
    let (mut pieces, mut turn) = (None, None);
    let (mut quiet, mut round) = (0, 1);
    for (key, raw) in file.once("the state", &mut reader.reasons) {
        let value = if key == "pieces" { Value::Null } else { read_value(&raw) };
        match key.as_str() {
            "pieces" => pieces = Some(raw),
            "turn" => turn = Some(value),
            "eliminated" => reader.eliminated(&value),
            "outcome" => reader.outcome(&value),
            "phase" => reader.phase(&value),
            "guests" => reader.guests(&value),
            "captives" => reader.setup.captives = reader.pairs("captives", &value),
            "controlled" => reader.setup.controlled = reader.pairs("controlled", &value),
            "frozen" => reader.setup.frozen = reader.names("frozen", &value),
            "withdrawn" => reader.setup.withdrawn = reader.names("withdrawn", &value),
            "holding" => reader.setup.holding = reader.names("holding", &value),
            "die" => reader.die(&value),
            "tags" => reader.tags(&value),
            "quiet" => quiet = reader.counter("quiet", &value, quiet),
            "round" => round = reader.counter("round", &value, round),
            "player" | "text" => {}
            _ => reader.complain(format!("the state has no key `{}`", clip(&key))),
        }
    }
    match turn {
        Some(turn) => reader.turn(&turn),
        None => reader.complain("the key `turn` is missing".into()),
    }
    let before_pieces = reader.reasons.len();
    match pieces {
        Some(pieces) => reader.pieces(&pieces),
        None => reader.complain("the key `pieces` is missing".into()),
    }
    Draft {
        setup: reader.setup,
        quiet,
        round,
        knows_board: reader.reasons.len() == before_pieces,
        knows_turn: before_pieces == 0,
        reasons: reader.reasons,
    }
}

/// The value of a text that is known to be JSON.
fn read_value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or(Value::Null)
}

struct Reader<'r> {
    rules: &'r Rules,
    reasons: Vec<String>,
    setup: Setup,
}

impl Reader<'_> {
    fn complain(&mut self, reason: String) {
        self.reasons.push(reason);
    }

    fn turn(&mut self, value: &Value) {
        let slots = self.rules.order().len();
        match value.as_u64() {
            Some(slot) if slot < slots as u64 => self.setup.slot = slot as u16,
            _ => self.complain(format!("`turn` is not a number from 0 to {}", slots - 1)),
        }
    }

    fn counter(&mut self, key: &str, value: &Value, default: u32) -> u32 {
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        if number.is_none() {
            self.complain(format!("`{key}` is not a whole number from 0 to {}", u32::MAX));
        }
        number.unwrap_or(default)
    }

    fn eliminated(&mut self, value: &Value) {
        self.setup.eliminated = self.names("eliminated", value);
    }

    fn tags(&mut self, value: &Value) {
        let Some(items) = value.as_array() else {
            return self.complain("`tags` is not a list".to_owned());
        };
        for item in items {
            if let Some(tag) = item.as_str().and_then(|text| fates::tag(self.rules, text)) {
                self.setup.tags.push(tag);
            } else {
                let shown = clip(&item.to_string());
                self.complain(format!("`tags` has {shown}, which is no square and value of this game's tag"));
            }
        }
    }

    fn names(&mut self, key: &str, value: &Value) -> PlayerSet {
        let mut players = PlayerSet::EMPTY;
        let Some(names) = value.as_array() else {
            self.complain(format!("`{key}` is not a list of names"));
            return players;
        };
        for name in names {
            match name.as_str().and_then(|name| self.player(name)) {
                Some(player) => players = players.with(player),
                None => {
                    self.complain(format!("`{key}` names {}, who is no player", clip(&name.to_string())));
                }
            }
        }
        players
    }

    fn pairs(&mut self, key: &str, value: &Value) -> Vec<(Player, Player)> {
        let Some(names) = value.as_object() else {
            self.complain(format!("`{key}` is not an object of names"));
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for (one, other) in names {
            let other = other.as_str().and_then(|name| self.player(name));
            match self.player(one).zip(other) {
                Some(pair) => pairs.push(pair),
                None => self.complain(format!("`{key}`: {} is no pair of players", clip(one))),
            }
        }
        pairs
    }

    fn die(&mut self, value: &Value) {
        let number = |key: &str| value.get(key).and_then(Value::as_u64).and_then(|it| u8::try_from(it).ok());
        self.setup.die = number("shows").map(Die::Shows).or_else(|| number("throws").map(Die::Awaited));
        if self.setup.die.is_none() && !value.is_null() {
            self.complain("`die` is none of {shows: n}, {throws: n} and null".into());
        }
        if value.get("shows").is_some() && value.get("throws").is_some() {
            let why = "`shows` and `throws` exclude each other: a die shows a face or is still to be thrown";
            self.complain(format!("`die`: {why}"));
        }
    }

    /// Guests have no flags.
    fn guests(&mut self, value: &Value) {
        let Some(guests) = value.as_object() else {
            return self.complain("`guests` is not an object".into());
        };
        for (key, entry) in guests {
            let text = |field: &str| entry.get(field).and_then(Value::as_str);
            let kind = text("code").and_then(|code| self.kind(code));
            let player = text("player").and_then(|name| self.player(name));
            let unmoved = entry.get("total_moves").and_then(Value::as_u64).unwrap_or(0) == 0;
            match (self.square(key), kind, player) {
                (Some(square), Some(kind), Some(player)) => {
                    self.setup.guests.push((square, Piece { player, kind, unmoved }));
                }
                _ => self.complain(format!("guests: {} is no piece on a square of this game", clip(key))),
            }
        }
    }

    fn outcome(&mut self, value: &Value) {
        let reason = value.get("reason").and_then(Value::as_str);
        self.setup.ended = reason.and_then(|reason| self.rules.termination(reason));
    }

    fn phase(&mut self, value: &Value) {
        match value.as_str() {
            Some("Idle" | "GameOver") => {}
            Some(phase @ ("Moving" | "Transforming")) => self
                .complain(format!("in the phase {phase} a turn is half made: give the position before it")),
            _ => self.complain("`phase` is none of Idle, Moving, Transforming, GameOver".into()),
        }
    }

    fn pieces(&mut self, raw: &RawValue) {
        let pieces: Pairs = match serde_json::from_str(raw.get()) {
            Ok(pieces) => pieces,
            Err(_) => return self.complain("`pieces` is not an object".into()),
        };
        let mut complaints = Vec::new();
        for (key, value) in pieces.once("`pieces`", &mut complaints) {
            match self.square(&key) {
                Some(square) => self.piece(&key, square, read_value(&value)),
                None => self.complain(format!("pieces: `{}` is not a square x,y of this board", clip(&key))),
            }
        }
        self.reasons.extend(complaints);
    }

    fn square(&self, key: &str) -> Option<Square> {
        let (x, y) = key.split_once(',')?;
        let number = |text: &str| text.trim().parse::<u16>().ok().map(i32::from);
        self.rules.board().square(number(x)?, number(y)?)
    }

    fn piece(&mut self, key: &str, square: Square, value: Value) {
        let Value::Object(fields) = value else {
            return self.complain(format!("pieces: {key} is not an object"));
        };
        let (mut kind, mut player, mut unmoved, mut flags) = (None, None, true, None);
        let (mut has_code, mut has_player) = (false, false);
        for (field, value) in fields {
            match (field.as_str(), value) {
                ("code", Value::String(code)) => {
                    kind = self.kind(&code);
                    if kind.is_none() {
                        self.complain(format!("pieces: {key}: the game has no piece `{}`", clip(&code)));
                    }
                    has_code = true;
                }
                ("player", Value::String(name)) => {
                    player = self.player(&name);
                    if player.is_none() {
                        self.complain(format!("pieces: {key}: the game has no player `{}`", clip(&name)));
                    }
                    has_player = true;
                }
                ("total_moves", Value::Number(moves)) if moves.is_u64() => {
                    unmoved = moves.as_u64() == Some(0);
                }
                ("state", Value::Object(map)) => flags = Some(map),
                ("code" | "player" | "total_moves" | "state", _) => {
                    has_code |= field == "code";
                    has_player |= field == "player";
                    self.complain(format!("pieces: {key}: `{field}` is of the wrong type"));
                }
                _ => self.complain(format!("pieces: {key} has no key `{}`", clip(&field))),
            }
        }
        for (found, field) in [(has_code, "code"), (has_player, "player")] {
            if !found {
                self.complain(format!("pieces: {key} lacks the key `{field}`"));
            }
        }
        let (Some(kind), Some(player)) = (kind, player) else { return };
        self.setup.pieces.push((square, Piece { player, kind, unmoved }));
        for (name, value) in flags.into_iter().flatten() {
            self.flag(key, square, player, &name, &value);
        }
    }

    fn flag(&mut self, key: &str, square: Square, owner: Player, name: &str, value: &Value) {
        let Some(flag) = self.rules.blueprint().flags().iter().position(|flag| flag == name) else {
            return self.complain(format!("pieces: {key}: the game has no flag `{}`", clip(name)));
        };
        let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
        let likely = likely_slot(self.rules, owner, self.setup.slot);
        let countdown = match value {
            Value::Null => Some(None),
            Value::Object(map) => map
                .get("remaining")
                .and_then(number)
                .zip(map.get("slot").and_then(number).and_then(|slot| u16::try_from(slot).ok()))
                .map(|(remaining, slot)| Some(Countdown { slot, remaining })),
            value => number(value).map(|remaining| Some(Countdown { slot: likely, remaining })),
        };
        match countdown {
            Some(countdown) => {
                self.setup.marks.push(Mark { square, flag: Flag(flag as u8), countdown });
            }
            None => self.complain(format!(
                "pieces: {key}: the flag `{}` is no number of turns, null, or {{remaining, slot}}",
                clip(name)
            )),
        }
    }

    fn player(&self, name: &str) -> Option<Player> {
        self.rules.players().find(|player| self.rules.player(*player).name == name)
    }

    fn kind(&self, code: &str) -> Option<Kind> {
        self.rules.kinds().find(|kind| self.rules.kind(*kind).code == code)
    }
}

/// An object that keeps keys that stand twice.
struct Pairs(Vec<(String, Box<RawValue>)>);

impl Pairs {
    /// Each key once; a second one is complained about.
    fn once(self, what: &str, reasons: &mut Vec<String>) -> Vec<(String, Box<RawValue>)> {
        let mut seen = std::collections::HashSet::new();
        let mut pairs = self.0;
        pairs.retain(|(key, _)| {
            let is_new = seen.insert(key.clone());
            if !is_new {
                reasons.push(format!("{what} has the key `{}` twice", clip(key)));
            }
            is_new
        });
        pairs
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Pairs;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Keys)
    }
}
