//! What is known about whole armies, and the die, as extras of board text and as keys of state JSON: `captive=`,
//! `frozen=`, `control=`, `withdrawn=`, `holding=`, `die=`, `throws=` and `tags=`.

use tabiya_engine::{Die, Player, PlayerSet, Position, Rules, Setup, Spot};

use crate::letters;

/// The extras of a position; nothing that goes without saying.
pub(crate) fn write(rules: &Rules, position: &Position) -> String {
    let setup = rules.setup(position);
    let name = |player: Player| letters::player_text(rules, player);
    let pairs = |pairs: &[(Player, Player)]| {
        pairs
            .iter()
            .map(|(one, other)| format!("{}:{}", name(*one), name(*other)))
            .collect::<Vec<_>>()
            .join(",")
    };
    let names = |players: PlayerSet| players.iter().map(name).collect::<Vec<_>>().join(",");
    let mut text = String::new();
    let mut add = |key: &str, value: String, is_needed: bool| {
        if is_needed {
            text.push_str(&format!(" {key}={value}"));
        }
    };
    let captives: PlayerSet = setup.captives.iter().map(|(player, _)| *player).collect();
    add("captive", pairs(&setup.captives), !setup.captives.is_empty());
    add("frozen", names(setup.frozen), setup.frozen != captives);
    add("control", pairs(&setup.controlled), !setup.controlled.is_empty());
    add("withdrawn", names(setup.withdrawn), !setup.withdrawn.is_empty());
    add("holding", names(setup.holding), !setup.holding.is_empty());
    match setup.die {
        Some(Die::Shows(face)) => add("die", face.to_string(), true),
        Some(Die::Awaited(throws)) => add("throws", throws.to_string(), !is_usual(rules, throws)),
        None => {}
    }
    let tags: Vec<String> = setup.tags.iter().map(|(spot, tag)| tag_text(rules, *spot, *tag)).collect();
    add("tags", tags.join(","), !tags.is_empty());
    text
}

/// Whether the die has not been thrown yet.
fn is_usual(rules: &Rules, throws: u8) -> bool {
    let chance = &rules.mechanics().chance;
    chance.as_ref().is_some_and(|chance| chance.throws == u32::from(throws))
}

/// A guest's square is written after a plus.
pub(crate) fn tag_text(rules: &Rules, spot: Spot, tag: Option<u8>) -> String {
    let plus = if spot.guest { "+" } else { "" };
    let values = rules.mechanics().tag.as_ref().map(|tag| tag.values.as_slice()).unwrap_or_default();
    let value = tag.and_then(|tag| values.get(usize::from(tag)));
    format!("{plus}{}:{}", rules.board().name(spot.square), value.map_or("-", String::as_str))
}

/// What the extras say.
#[derive(Default)]
pub(crate) struct Fates {
    captives: Vec<(Player, Player)>,
    frozen: Option<PlayerSet>,
    controlled: Vec<(Player, Player)>,
    withdrawn: PlayerSet,
    holding: PlayerSet,
    die: Option<Die>,
    tags: Vec<(Spot, Option<u8>)>,
}

impl Fates {
    /// Reads an extra, if it is one of these; what is wrong with it is told as (what it should be, the text).
    pub(crate) fn read(
        &mut self,
        rules: &Rules,
        key: &str,
        value: &str,
    ) -> Option<Vec<(&'static str, String)>> {
        let mut wrong = Vec::new();
        let items: Vec<&str> = value.split(',').filter(|item| !item.is_empty()).collect();
        match key {
            "captive" => self.captives = pairs(rules, &items, &mut wrong),
            "control" => self.controlled = pairs(rules, &items, &mut wrong),
            "frozen" => self.frozen = Some(players(rules, &items, &mut wrong)),
            "withdrawn" => self.withdrawn = players(rules, &items, &mut wrong),
            "holding" => self.holding = players(rules, &items, &mut wrong),
            "die" => self.die = number(value, &mut wrong).map(Die::Shows),
            "throws" => self.die = number(value, &mut wrong).map(Die::Awaited),
            "tags" => {
                for item in &items {
                    match tag(rules, item) {
                        Some(tag) => self.tags.push(tag),
                        None => wrong.push(("no square and value of this game's tag", (*item).to_owned())),
                    }
                }
            }
            _ => return None,
        }
        Some(wrong)
    }

    pub(crate) fn apply(self, setup: &mut Setup) {
        let captives = self.captives.iter().map(|(player, _)| *player).collect();
        setup.frozen = self.frozen.unwrap_or(captives);
        setup.captives = self.captives;
        setup.controlled = self.controlled;
        setup.withdrawn = self.withdrawn;
        setup.holding = self.holding;
        setup.die = self.die;
        setup.tags = self.tags;
    }
}

type Wrong = Vec<(&'static str, String)>;

fn players(rules: &Rules, items: &[&str], wrong: &mut Wrong) -> PlayerSet {
    let mut found = PlayerSet::EMPTY;
    for item in items {
        match letters::parse_player(rules, item) {
            Some(player) => found = found.with(player),
            None => wrong.push(("no player of this game", (*item).to_owned())),
        }
    }
    found
}

fn pairs(rules: &Rules, items: &[&str], wrong: &mut Wrong) -> Vec<(Player, Player)> {
    let mut found = Vec::new();
    for item in items {
        let player = |name: &str| letters::parse_player(rules, name);
        let pair = item.split_once(':').and_then(|(one, other)| Some((player(one)?, player(other)?)));
        match pair {
            Some((one, _)) if found.iter().any(|(known, _)| *known == one) => {
                wrong.push(("a second pair of the same player", (*item).to_owned()));
            }
            Some(pair) => found.push(pair),
            None => wrong.push(("no two players of this game with a colon between", (*item).to_owned())),
        }
    }
    found
}

fn number(value: &str, wrong: &mut Wrong) -> Option<u8> {
    let number = value.parse().ok();
    if number.is_none() {
        wrong.push(("no number of a die", value.to_owned()));
    }
    number
}

pub(crate) fn tag(rules: &Rules, item: &str) -> Option<(Spot, Option<u8>)> {
    let (place, value) = item.split_once(':')?;
    let (guest, place) = place.strip_prefix('+').map_or((false, place), |place| (true, place));
    let square = rules.board().parse(place)?;
    let values = &rules.mechanics().tag.as_ref()?.values;
    let tag = match value {
        "-" => None,
        value => Some(values.iter().position(|known| known == value)? as u8),
    };
    Some((Spot { square, guest }, tag))
}
