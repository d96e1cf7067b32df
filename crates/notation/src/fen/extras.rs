//! The `key=value` extras of FEN: information that its fields cannot hold.
//!
//! `out=` lists eliminated players, `end=` names the reason why the game is over, `moved=` and `unmoved=` list squares,
//! `flags=` lists `square:FLAG:turns:slot` (or `square:FLAG` for a permanent flag). `captive=`, `frozen=`, `control=`,
//! `withdrawn=` and `holding=` describe whole armies, `die=` and `throws=` the die, `tags=` the tags of pieces,
//! `counters=` the values of counters.

use tabiya_engine::{Countdown, Die, Flag, Mark, Player, PlayerSet, Position, Rules, Setup, Spot, Square};

use crate::hands;
use crate::symbols::{self, clip};

/// Writes the extras about players, armies and the die, each after a space. Defaults are left out.
pub(super) fn write(rules: &Rules, position: &Position) -> String {
    let setup = rules.setup(position);
    let name = |player: Player| symbols::player_text(rules, player);
    let pairs = |pairs: &[(Player, Player)]| {
        let pairs = pairs.iter().map(|(one, other)| format!("{}:{}", name(*one), name(*other)));
        pairs.collect::<Vec<_>>().join(",")
    };
    let names = |players: PlayerSet| players.iter().map(name).collect::<Vec<_>>().join(",");
    let mut text = String::new();
    let mut add = |key: &str, value: String, is_needed: bool| {
        if is_needed {
            text.push_str(&format!(" {key}={value}"));
        }
    };
    add("out", names(position.eliminated()), !position.eliminated().is_empty());
    if let Some(reason) = position.ended() {
        add("end", rules.reason(reason), true);
    }
    let captives: PlayerSet = setup.captives.iter().map(|(player, _)| *player).collect();
    add("captive", pairs(&setup.captives), !setup.captives.is_empty());
    add("frozen", names(setup.frozen), setup.frozen != captives);
    add("control", pairs(&setup.controlled), !setup.controlled.is_empty());
    add("withdrawn", names(setup.withdrawn), !setup.withdrawn.is_empty());
    add("holding", names(setup.holding), !setup.holding.is_empty());
    match setup.die {
        Some(Die::Shows(face)) => add("die", face.to_string(), true),
        Some(Die::Awaited(throws)) => {
            let chance = rules.mechanics().chance.as_ref();
            let is_default = chance.is_some_and(|chance| chance.throws == u32::from(throws));
            add("throws", throws.to_string(), !is_default);
        }
        None => {}
    }
    let tags: Vec<String> = setup.tags.iter().map(|(spot, tag)| tag_text(rules, *spot, *tag)).collect();
    add("tags", tags.join(","), !tags.is_empty());
    let values = setup.counters.iter().filter_map(|counter| hands::counter_text(rules, *counter));
    let values: Vec<String> = values.collect();
    add("counters", values.join(","), !values.is_empty());
    text
}

/// Writes the extras about moved pieces and flags that the text without them gets wrong.
pub(super) fn write_differences(rules: &Rules, position: &Position, read: Option<&Position>) -> String {
    let board = rules.board();
    let unmoved_as_read =
        |square: Square| read.and_then(|read| read.piece(square)).map(|piece| piece.unmoved);
    let mut extras = String::new();
    for (key, unmoved) in [("moved", false), ("unmoved", true)] {
        let squares: Vec<String> = position
            .pieces()
            .filter(|(square, piece)| piece.unmoved == unmoved && unmoved_as_read(*square) != Some(unmoved))
            .map(|(square, _)| board.name(square))
            .collect();
        if !squares.is_empty() {
            extras.push_str(&format!(" {key}={}", squares.join(",")));
        }
    }
    if read.is_none_or(|read| read.marks() != position.marks()) {
        let marks: Vec<String> = position.marks().iter().map(|mark| mark_text(rules, mark)).collect();
        extras.push_str(&format!(" flags={}", marks.join(",")));
    }
    extras
}

fn mark_text(rules: &Rules, mark: &Mark) -> String {
    let name = format!("{}:{}", rules.board().name(mark.square), symbols::escape(rules.flag(mark.flag)));
    match mark.countdown {
        None => name,
        Some(Countdown { slot, remaining }) => format!("{name}:{remaining}:{slot}"),
    }
}

/// Writes the tag of a piece as `square:VALUE`, with a plus before the square of a guest.
pub(crate) fn tag_text(rules: &Rules, spot: Spot, tag: Option<u8>) -> String {
    let plus = if spot.guest { "+" } else { "" };
    let values = rules.mechanics().tag.as_ref().map(|tag| tag.values.as_slice()).unwrap_or_default();
    let value = tag.and_then(|tag| values.get(usize::from(tag)));
    format!("{plus}{}:{}", rules.board().name(spot.square), value.map_or("-", String::as_str))
}

/// The parsed extras.
#[derive(Default)]
pub(super) struct Extras {
    /// The parts of a setup that only extras describe.
    pub(super) armies: Setup,
    pub(super) flags: Option<Vec<Mark>>,
    unmoved: Vec<(Square, bool)>,
    frozen: Option<PlayerSet>,
}

impl Extras {
    /// Parses the words after the fields. Problems are added to `reasons`.
    pub(super) fn parse(rules: &Rules, words: &[&str], reasons: &mut Vec<String>) -> Self {
        let mut extras = Extras::default();
        let mut keys: Vec<&str> = Vec::new();
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                reasons.push(format!("`{}` after the fields is not of the form key=value", clip(word)));
                continue;
            };
            if keys.contains(&key) {
                reasons.push(format!("{}= appears twice: separate its values with commas", clip(key)));
                continue;
            }
            keys.push(key);
            let armies = &mut extras.armies;
            let mut extra = Extra { rules, key, value, reasons };
            match key {
                "out" => armies.eliminated = extra.players(),
                "end" => armies.ended = extra.one("a reason for an end", |text| rules.termination(text)),
                "moved" | "unmoved" => {
                    let squares = extra.list("a square of this board", |text| rules.board().parse(text));
                    extras.unmoved.extend(squares.into_iter().map(|square| (square, key == "unmoved")));
                }
                "flags" => {
                    let form = "a flag of this game in the form square:FLAG:turns:slot";
                    extras.flags = Some(extra.list(form, |text| parse_mark(rules, text)));
                }
                "captive" => armies.captives = extra.pairs(),
                "frozen" => extras.frozen = Some(extra.players()),
                "control" => armies.controlled = extra.pairs(),
                "withdrawn" => armies.withdrawn = extra.players(),
                "holding" => armies.holding = extra.players(),
                "die" => armies.die = extra.number().map(Die::Shows),
                "throws" => armies.die = extra.number().map(Die::Awaited),
                "tags" => {
                    armies.tags =
                        extra.list("a square and a value of this game's tag", |text| parse_tag(rules, text));
                }
                "counters" => armies.counters = extra.counters(),
                _ => reasons.push(format!("`{}` is not a key of a FEN", clip(key))),
            }
        }
        if keys.contains(&"die") && keys.contains(&"throws") {
            reasons.push(
                "die= and throws= exclude each other: the die shows a face or has yet to be thrown".into(),
            );
        }
        extras
    }

    /// Adds the extras to the setup that the fields describe.
    pub(super) fn apply(self, setup: Setup) -> Setup {
        let Setup { slot, mut pieces, guests, marks, hands, .. } = setup;
        for (square, unmoved) in self.unmoved {
            if let Some((_, piece)) = pieces.iter_mut().find(|(other, _)| *other == square) {
                piece.unmoved = unmoved;
            }
        }
        let marks = self.flags.unwrap_or(marks);
        let captives = self.armies.captives.iter().map(|(player, _)| *player).collect();
        let frozen = self.frozen.unwrap_or(captives);
        Setup { slot, pieces, guests, marks, hands, frozen, ..self.armies }
    }
}

/// One `key=value`; its methods parse the value and report what is wrong with it.
struct Extra<'a> {
    rules: &'a Rules,
    key: &'a str,
    value: &'a str,
    reasons: &'a mut Vec<String>,
}

impl Extra<'_> {
    fn reject(&mut self, text: &str, why: &str) {
        self.reasons.push(format!("{}=: `{}` {why}", self.key, clip(text)));
    }

    fn one<T>(&mut self, what: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let found = parse(self.value);
        if found.is_none() {
            self.reject(self.value, &format!("is not {what}"));
        }
        found
    }

    fn list<T>(&mut self, what: &str, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        for item in self.value.split(',').filter(|item| !item.is_empty()) {
            match parse(item) {
                Some(value) => found.push(value),
                None => self.reject(item, &format!("is not {what}")),
            }
        }
        found
    }

    fn number(&mut self) -> Option<u8> {
        self.one("a number of a die", |text| text.parse().ok())
    }

    fn counters(&mut self) -> Vec<(u8, Player, u16)> {
        let mut found: Vec<(u8, Player, u16)> = Vec::new();
        for item in self.value.split(',').filter(|item| !item.is_empty()) {
            match hands::parse_counter(self.rules, item) {
                Ok((index, player, _)) if found.iter().any(|it| (it.0, it.1) == (index, player)) => {
                    self.reject(item, "is a second value of the same counter");
                }
                Ok(counter) => found.push(counter),
                Err(why) => self.reject(item, &why),
            }
        }
        found
    }

    fn players(&mut self) -> PlayerSet {
        let rules = self.rules;
        self.list("a player of this game", |text| symbols::parse_player(rules, text)).into_iter().collect()
    }

    fn pairs(&mut self) -> Vec<(Player, Player)> {
        let rules = self.rules;
        let player = |name: &str| symbols::parse_player(rules, name);
        let pair = |text: &str| {
            let (one, other) = text.split_once(':')?;
            Some(((player(one)?, player(other)?), text.to_owned()))
        };
        let mut found: Vec<(Player, Player)> = Vec::new();
        for (pair, text) in self.list("two players of this game with a colon between them", pair) {
            if found.iter().any(|(known, _)| *known == pair.0) {
                self.reject(&text, "is a second pair for the same player");
            } else {
                found.push(pair);
            }
        }
        found
    }
}

fn parse_mark(rules: &Rules, text: &str) -> Option<Mark> {
    let parts: Vec<&str> = text.split(':').collect();
    let (square, name, countdown) = match parts.as_slice() {
        [square, name] => (square, name, None),
        [square, name, remaining, slot] => {
            (square, name, Some(Countdown { slot: slot.parse().ok()?, remaining: remaining.parse().ok()? }))
        }
        _ => return None,
    };
    let flag = rules.blueprint().flags().iter().position(|flag| symbols::escape(flag) == **name)?;
    Some(Mark { square: rules.board().parse(square)?, flag: Flag(flag as u8), countdown })
}

/// Parses `square:VALUE`, with a plus before the square of a guest. A value of `-` means no tag.
pub(crate) fn parse_tag(rules: &Rules, text: &str) -> Option<(Spot, Option<u8>)> {
    let (place, value) = text.split_once(':')?;
    let (guest, place) = place.strip_prefix('+').map_or((false, place), |place| (true, place));
    let square = rules.board().parse(place)?;
    let values = &rules.mechanics().tag.as_ref()?.values;
    let tag = match value {
        "-" => None,
        value => Some(values.iter().position(|known| known == value)? as u8),
    };
    Some((Spot { square, guest }, tag))
}
