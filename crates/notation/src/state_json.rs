//! A state as JSON, the form for programs (`docs/board-text.md`).
//!
//! `{"pieces":{"x,y":{"code","player","total_moves","state"}},"turn","player","eliminated","phase","outcome","quiet",
//! "round","text"}`, and [`STATE_KEYS`] for games that have more. When parsing, all keys but `pieces` and `turn` are
//! optional, and `player` and `text` are ignored. The value of a flag is the number of turns it has left, `null` for a
//! permanent flag, or `{"remaining":n,"slot":i}` where the slot that set it matters.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tabiya_engine::{
    Countdown, Die, Flag, Kind, Mark, Piece, Player, PlayerSet, Position, Rules, Setup, Square,
};

use crate::entries::Entries;
use crate::fen::{parse_tag, tag_text};
use crate::hands;
use crate::state::{Draft, State};
use crate::symbols::clip;

/// Writes a state as JSON, outcome included.
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let state = tabiya_notation::State::new(game.rules.start());
/// let json = tabiya_notation::state_json(&game.rules, &state);
/// assert_eq!(json["pieces"]["4,0"]["code"], "KING");
/// assert_eq!(tabiya_notation::parse_state(&game.rules, &json.to_string()).unwrap(), state);
/// ```
pub fn state_json(rules: &Rules, state: &State) -> Value {
    let position = &state.position;
    let mut pieces = Map::new();
    for (square, piece) in position.pieces() {
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
        pieces.insert(square_key(rules, square), entry);
    }
    let names = |players: PlayerSet| -> Vec<&str> {
        players.iter().map(|player| rules.player(player).name.as_str()).collect()
    };
    let outcome = rules.outcome_with_quiet(position, state.quiet);
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
        "text": crate::fen(rules, state),
    });
    if let Some(object) = state.as_object_mut() {
        add_armies(rules, position, object);
    }
    state
}

/// Returns the coordinates of a square: `4,0`, or `4,0,1` on the second level.
fn square_key(rules: &Rules, square: Square) -> String {
    let written = rules.board().written(square).into_iter();
    written.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

/// Adds guests, captive, frozen and controlled armies, the die, hands and counters, where there are any.
fn add_armies(rules: &Rules, position: &Position, state: &mut Map<String, Value>) {
    let setup = rules.setup(position);
    let name = |player: Player| rules.player(player).name.as_str();
    let guests: Map<String, Value> = setup
        .guests
        .iter()
        .map(|(square, piece)| {
            let entry = json!({
                "code": rules.kind(piece.kind).code,
                "player": name(piece.player),
                "total_moves": u8::from(!piece.unmoved),
            });
            (square_key(rules, *square), entry)
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
    let tags: Vec<String> = setup.tags.iter().map(|(spot, tag)| tag_text(rules, *spot, *tag)).collect();
    add("tags", json!(tags), !tags.is_empty());
    add("hands", hands_json(rules, position), rules.mechanics().hands.is_some());
    add("counters", counters_json(rules, position), !rules.mechanics().counters.is_empty());
}

/// Returns the pieces in hand, from players to codes to numbers.
fn hands_json(rules: &Rules, position: &Position) -> Value {
    let hand = |player: Player| -> Map<String, Value> {
        let own = rules.hands(position).filter(|(owner, ..)| *owner == player);
        own.map(|(_, kind, count)| (rules.kind(kind).code.clone(), json!(count))).collect()
    };
    let hands = rules.players().map(|player| (rules.player(player).name.clone(), json!(hand(player))));
    Value::Object(hands.collect())
}

/// Returns the values of the counters: a number, or one for each player.
fn counters_json(rules: &Rules, position: &Position) -> Value {
    let counters = (0u8..).zip(&rules.mechanics().counters).map(|(index, plan)| {
        let value = |player: Player| json!(rules.counter(position, index, player));
        let by_player = || rules.players().map(|player| (rules.player(player).name.clone(), value(player)));
        let value = if plan.per_player { Value::Object(by_player().collect()) } else { value(Player(0)) };
        (plan.code.clone(), value)
    });
    Value::Object(counters.collect())
}

fn countdown_json(rules: &Rules, owner: Player, position: &Position, mark: &Mark) -> Value {
    match mark.countdown {
        None => Value::Null,
        Some(Countdown { slot, remaining }) if slot == default_slot(rules, owner, position.slot()) => {
            json!(remaining)
        }
        Some(Countdown { slot, remaining }) => json!({ "remaining": remaining, "slot": slot }),
    }
}

/// Returns the slot that set a flag if none is given: the owner's last one before this turn.
fn default_slot(rules: &Rules, owner: Player, turn: u16) -> u16 {
    let order = rules.order().len();
    (1..=order)
        .map(|back| ((usize::from(turn) + order - back) % order) as u16)
        .find(|slot| rules.turn_of(*slot) == owner)
        .unwrap_or(turn)
}

/// All keys that a state may have.
pub const STATE_KEYS: [&str; 19] = [
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
    "hands",
    "counters",
];

/// Parses state JSON and collects every problem.
pub(crate) fn draft(rules: &Rules, text: &str) -> Draft {
    let file: Entries<String, Box<RawValue>> = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(error) => return Draft::unreadable(format!("not valid state JSON: {error}")),
    };
    let mut parser = Parser { rules, reasons: Vec::new(), setup: Setup::default() };
    let (mut pieces, mut turn) = (None, None);
    let (mut quiet, mut round) = (0, 1);
    for (key, raw) in file.unique("the state", &mut parser.reasons) {
        let value = if key == "pieces" { Value::Null } else { parse_value(&raw) };
        match key.as_str() {
            "pieces" => pieces = Some(raw),
            "turn" => turn = Some(value),
            "eliminated" => parser.setup.eliminated = parser.names("eliminated", &value),
            "outcome" => parser.outcome(&value),
            "phase" => parser.phase(&value),
            "guests" => parser.guests(&value),
            "captives" => parser.setup.captives = parser.pairs("captives", &value),
            "controlled" => parser.setup.controlled = parser.pairs("controlled", &value),
            "frozen" => parser.setup.frozen = parser.names("frozen", &value),
            "withdrawn" => parser.setup.withdrawn = parser.names("withdrawn", &value),
            "holding" => parser.setup.holding = parser.names("holding", &value),
            "die" => parser.die(&value),
            "tags" => parser.tags(&value),
            "hands" => parser.hands(&value),
            "counters" => parser.counters(&value),
            "quiet" => quiet = parser.counter("quiet", &value, quiet),
            "round" => round = parser.counter("round", &value, round),
            "player" | "text" => {}
            _ => parser.reject(format!("a state has no key `{}`", clip(&key))),
        }
    }
    match turn {
        Some(turn) => parser.turn(&turn),
        None => parser.reject("the key `turn` is missing".into()),
    }
    let before_pieces = parser.reasons.len();
    match pieces {
        Some(pieces) => parser.pieces(&pieces),
        None => parser.reject("the key `pieces` is missing".into()),
    }
    Draft {
        setup: parser.setup,
        quiet,
        round,
        knows_board: parser.reasons.len() == before_pieces,
        knows_turn: before_pieces == 0,
        reasons: parser.reasons,
    }
}

/// Parses a text that is known to be JSON.
fn parse_value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or(Value::Null)
}

struct Parser<'r> {
    rules: &'r Rules,
    reasons: Vec<String>,
    setup: Setup,
}

impl Parser<'_> {
    fn reject(&mut self, reason: String) {
        self.reasons.push(reason);
    }

    fn turn(&mut self, value: &Value) {
        let slots = self.rules.order().len();
        match value.as_u64() {
            Some(slot) if slot < slots as u64 => self.setup.slot = slot as u16,
            _ => self.reject(format!("`turn` is not a number from 0 to {}", slots - 1)),
        }
    }

    fn counter(&mut self, key: &str, value: &Value, default: u32) -> u32 {
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        if number.is_none() {
            self.reject(format!("`{key}` is not a whole number from 0 to {}", u32::MAX));
        }
        number.unwrap_or(default)
    }

    fn tags(&mut self, value: &Value) {
        let Some(items) = value.as_array() else {
            return self.reject("`tags` is not a list".to_owned());
        };
        for item in items {
            if let Some(tag) = item.as_str().and_then(|text| parse_tag(self.rules, text)) {
                self.setup.tags.push(tag);
            } else {
                let shown = clip(&item.to_string()).into_owned();
                self.reject(format!("`tags`: {shown} is not a square and a value of this game's tag"));
            }
        }
    }

    fn hands(&mut self, value: &Value) {
        let Some(hands) = value.as_object() else {
            return self.reject("`hands` is not an object from players to pieces".into());
        };
        if self.rules.mechanics().hands.is_none() {
            return self.reject("`hands`: this game has no hands".into());
        }
        let mut counts = BTreeMap::new();
        for (name, hand) in hands {
            let (Some(player), Some(hand)) = (self.player(name), hand.as_object()) else {
                let name = clip(name);
                self.reject(format!("`hands`: the entry {name} is not a player with an object of pieces"));
                continue;
            };
            for (code, count) in hand {
                match self.kind(code).zip(count.as_u64()) {
                    Some((kind, count)) => {
                        counts.insert((player, kind), count);
                    }
                    None => self.reject(format!(
                        "`hands`: {name}: {} is not a piece of this game with a whole number",
                        clip(code)
                    )),
                }
            }
        }
        self.setup.hands = hands::limited(self.rules, counts, &mut self.reasons);
    }

    fn counters(&mut self, value: &Value) {
        let Some(counters) = value.as_object() else {
            return self.reject("`counters` is not an object".into());
        };
        let rules = self.rules;
        for (code, value) in counters {
            let shown = clip(code);
            let Some((index, plan)) = hands::counter(rules, |plan| plan.code == *code) else {
                self.reject(format!("`counters`: this game has no counter `{shown}`"));
                continue;
            };
            let values: Vec<(Option<Player>, &Value)> = match value.as_object().filter(|_| plan.per_player) {
                Some(values) => values.iter().map(|(name, value)| (self.player(name), value)).collect(),
                None if plan.per_player => {
                    self.reject(format!("`counters`: {shown} is not an object from players to numbers"));
                    continue;
                }
                None => vec![(Some(Player(0)), value)],
            };
            for (player, value) in values {
                let number = value.as_u64().ok_or_else(|| "is not a whole number".to_owned());
                let player = player.ok_or_else(|| "belongs to an unknown player".to_owned());
                match player.and_then(|player| Ok((player, hands::checked_value(plan, number?)?))) {
                    Ok((player, value)) if value != plan.start => {
                        self.setup.counters.push((index, player, value));
                    }
                    Ok(_) => {}
                    Err(why) => {
                        self.reject(format!("`counters`: {shown}: {} {why}", clip(&value.to_string())));
                    }
                }
            }
        }
    }

    fn names(&mut self, key: &str, value: &Value) -> PlayerSet {
        let mut players = PlayerSet::EMPTY;
        let Some(names) = value.as_array() else {
            self.reject(format!("`{key}` is not a list of names"));
            return players;
        };
        for name in names {
            match name.as_str().and_then(|name| self.player(name)) {
                Some(player) => players = players.with(player),
                None => {
                    self.reject(format!("`{key}`: {} is not a player of this game", clip(&name.to_string())));
                }
            }
        }
        players
    }

    fn pairs(&mut self, key: &str, value: &Value) -> Vec<(Player, Player)> {
        let Some(names) = value.as_object() else {
            self.reject(format!("`{key}` is not an object of names"));
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for (one, other) in names {
            let other = other.as_str().and_then(|name| self.player(name));
            match self.player(one).zip(other) {
                Some(pair) => pairs.push(pair),
                None => self.reject(format!("`{key}`: the entry {} is not a pair of players", clip(one))),
            }
        }
        pairs
    }

    fn die(&mut self, value: &Value) {
        let number = |key: &str| value.get(key).and_then(Value::as_u64).and_then(|it| u8::try_from(it).ok());
        self.setup.die = number("shows").map(Die::Shows).or_else(|| number("throws").map(Die::Awaited));
        if self.setup.die.is_none() && !value.is_null() {
            self.reject("`die` is not {shows: n}, {throws: n} or null".into());
        }
        if value.get("shows").is_some() && value.get("throws").is_some() {
            let why = "`shows` and `throws` exclude each other: the die shows a face or has yet to be thrown";
            self.reject(format!("`die`: {why}"));
        }
    }

    fn guests(&mut self, value: &Value) {
        let Some(guests) = value.as_object() else {
            return self.reject("`guests` is not an object".into());
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
                _ => self.reject(format!(
                    "guests: {} is not a piece of this game on a square of its board",
                    clip(key)
                )),
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
            Some(phase @ ("Moving" | "Transforming")) => {
                self.reject(format!(
                    "in the phase {phase} a turn is unfinished: give the position before it"
                ));
            }
            _ => self.reject("`phase` is not Idle, Moving, Transforming or GameOver".into()),
        }
    }

    fn pieces(&mut self, raw: &RawValue) {
        let pieces: Entries<String, Box<RawValue>> = match serde_json::from_str(raw.get()) {
            Ok(pieces) => pieces,
            Err(_) => return self.reject("`pieces` is not an object".into()),
        };
        let mut duplicates = Vec::new();
        for (key, value) in pieces.unique("`pieces`", &mut duplicates) {
            match self.square(&key) {
                Some(square) => self.piece(&key, square, parse_value(&value)),
                None => self.reject(format!("pieces: `{}` is not a square x,y of this board", clip(&key))),
            }
        }
        self.reasons.extend(duplicates);
    }

    fn square(&self, key: &str) -> Option<Square> {
        let number = |text: &str| text.trim().parse::<u16>().ok().map(i32::from);
        let written: Option<Vec<i32>> = key.split(',').map(number).collect();
        self.rules.board().at(&written?)
    }

    fn piece(&mut self, key: &str, square: Square, value: Value) {
        let Value::Object(fields) = value else {
            return self.reject(format!("pieces: {key} is not an object"));
        };
        let (mut kind, mut player, mut unmoved, mut flags) = (None, None, true, None);
        let missing = ["code", "player"].map(|field| (!fields.contains_key(field)).then_some(field));
        for (field, value) in fields {
            match (field.as_str(), value) {
                ("code", Value::String(code)) => {
                    kind = self.kind(&code);
                    if kind.is_none() {
                        self.reject(format!("pieces: {key}: the game has no piece `{}`", clip(&code)));
                    }
                }
                ("player", Value::String(name)) => {
                    player = self.player(&name);
                    if player.is_none() {
                        self.reject(format!("pieces: {key}: the game has no player `{}`", clip(&name)));
                    }
                }
                ("total_moves", Value::Number(moves)) if moves.is_u64() => {
                    unmoved = moves.as_u64() == Some(0);
                }
                ("state", Value::Object(map)) => flags = Some(map),
                ("code" | "player" | "total_moves" | "state", _) => {
                    self.reject(format!("pieces: {key}: `{field}` has the wrong type"));
                }
                _ => self.reject(format!("pieces: {key}: there is no key `{}`", clip(&field))),
            }
        }
        for field in missing.into_iter().flatten() {
            self.reject(format!("pieces: {key}: the key `{field}` is missing"));
        }
        let (Some(kind), Some(player)) = (kind, player) else { return };
        self.setup.pieces.push((square, Piece { player, kind, unmoved }));
        for (name, value) in flags.into_iter().flatten() {
            self.flag(key, square, player, &name, &value);
        }
    }

    fn flag(&mut self, key: &str, square: Square, owner: Player, name: &str, value: &Value) {
        let Some(flag) = self.rules.blueprint().flags().iter().position(|flag| flag == name) else {
            return self.reject(format!("pieces: {key}: the game has no flag `{}`", clip(name)));
        };
        let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
        let default = default_slot(self.rules, owner, self.setup.slot);
        let countdown = match value {
            Value::Null => Some(None),
            Value::Object(map) => map
                .get("remaining")
                .and_then(number)
                .zip(map.get("slot").and_then(number).and_then(|slot| u16::try_from(slot).ok()))
                .map(|(remaining, slot)| Some(Countdown { slot, remaining })),
            value => number(value).map(|remaining| Some(Countdown { slot: default, remaining })),
        };
        match countdown {
            Some(countdown) => {
                self.setup.marks.push(Mark { square, flag: Flag(flag as u8), countdown });
            }
            None => self.reject(format!(
                "pieces: {key}: the flag `{}` is not a number of turns, null, or {{remaining, slot}}",
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
