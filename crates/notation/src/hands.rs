//! Hands and counters as text: `[QNpp]` after the placement, and `counters=CHECKS:w:2` among the extras.
//!
//! Hands list the pieces of the first player, then those of the next, once for each piece in hand. Counters are
//! written where they differ from their first value.

use std::collections::BTreeMap;

use tabiya_engine::mechanics::{CounterPlan, HandOf, TriggerEffect};
use tabiya_engine::{Kind, Player, Position, Rules, Setup};

use crate::fen::tokens;
use crate::symbols::{self, clip};

/// The largest number of pieces of one kind in a hand.
const MAX_IN_HAND: u64 = u8::MAX as u64;

/// Writes the hands in brackets; nothing in a game without hands.
pub(crate) fn write(rules: &Rules, position: &Position) -> String {
    if rules.mechanics().hands.is_none() {
        return String::new();
    }
    let text = |(player, kind, count): (Player, Kind, u8)| {
        symbols::piece_symbol(rules, player, kind).repeat(usize::from(count))
    };
    let hands: String = rules.hands(position).map(text).collect();
    format!("[{hands}]")
}

/// Splits the hands off a placement field. A missing hand is empty.
pub(crate) fn split<'t>(field: &'t str, reasons: &mut Vec<String>) -> (&'t str, Option<&'t str>) {
    let Some((placement, hands)) = field.split_once('[') else { return (field, None) };
    let inside = hands.strip_suffix(']');
    if inside.is_none() {
        reasons.push("the hands after the placement do not end with `]`".into());
    }
    (placement, inside)
}

/// Parses the pieces in brackets. Problems are added to `reasons`.
pub(crate) fn parse(rules: &Rules, text: &str, reasons: &mut Vec<String>) -> Vec<(Player, Kind, u8)> {
    if rules.mechanics().hands.is_none() {
        reasons.push(format!("this game has no hands: leave out `[{}]`", clip(text)));
        return Vec::new();
    }
    let known = symbols::pieces(rules);
    let mut counts: BTreeMap<(Player, Kind), u64> = BTreeMap::new();
    for token in tokens(text) {
        match known.get(token) {
            Some(piece) => *counts.entry(*piece).or_default() += 1,
            None => reasons.push(format!("hands: `{}` is not a piece of this game", clip(token))),
        }
    }
    limited(rules, counts, reasons)
}

/// Converts counts to the form of a setup and reports those that are too large.
pub(crate) fn limited(
    rules: &Rules,
    counts: BTreeMap<(Player, Kind), u64>,
    reasons: &mut Vec<String>,
) -> Vec<(Player, Kind, u8)> {
    let mut hands = Vec::new();
    for ((player, kind), count) in counts {
        match u8::try_from(count) {
            Ok(0) => {}
            Ok(count) => hands.push((player, kind, count)),
            Err(_) => {
                let (name, code) = (&rules.player(player).name, &rules.kind(kind).code);
                reasons.push(format!(
                    "hands: {name} has {count} {code} in hand; the largest number is {MAX_IN_HAND}"
                ));
            }
        }
    }
    hands
}

/// Returns whether a position has exactly these pieces in hand.
pub(crate) fn are_equal(rules: &Rules, hands: &[(Player, Kind, u8)], position: &Position) -> bool {
    rules.hands(position).count() == hands.len() && rules.hands(position).all(|hand| hands.contains(&hand))
}

/// Returns every reason why no game can reach these hands and counters.
pub(crate) fn impossible(rules: &Rules, setup: &Setup) -> Vec<String> {
    let hands = setup.hands.iter().filter_map(|hand| impossible_hand(rules, *hand));
    let counters = setup.counters.iter().filter_map(|(index, ..)| constant_counter(rules, *index));
    hands.chain(too_many(rules, setup)).chain(counters).collect()
}

/// A hand holds what it held at the start and what captures bring.
fn impossible_hand(rules: &Rules, (player, kind, count): (Player, Kind, u8)) -> Option<String> {
    let hands = rules.mechanics().hands.as_ref()?;
    let (is_player, is_kind) = (player.index() < rules.players().len(), kind.index() < rules.kinds().len());
    if !is_player || !is_kind {
        return None;
    }
    let start = hands.start.iter().find(|(owner, it, _)| (*owner, *it) == (player, kind));
    let start = start.map_or(0, |(_, _, count)| *count);
    let (name, code) = (&rules.player(player).name, &rules.kind(kind).code);
    let arrives = |it: Kind| rules.kind(it).reverts_to.unwrap_or(it) == kind;
    match hands.captured_to {
        None if count > start => Some(format!("{name} starts with {start} {code} in hand but has {count}")),
        Some(HandOf::Captor | HandOf::Owner) if start == 0 && !rules.kinds().any(arrives) => {
            Some(format!("no {code} can be in a hand"))
        }
        _ => None,
    }
}

/// Captures and drops keep the number of pieces on the board and in hand.
fn too_many(rules: &Rules, setup: &Setup) -> Option<String> {
    let hands = rules.mechanics().hands.as_ref()?;
    let count = |hands: &[(Player, Kind, u8)]| hands.iter().map(|it| usize::from(it.2)).sum::<usize>();
    let start = rules.blueprint().start().len() + count(&hands.start);
    let now = setup.pieces.len() + setup.guests.len() + count(&setup.hands);
    (now > start && !setup.hands.is_empty())
        .then(|| format!("there are {now} pieces on the board and in hand, but the game starts with {start}"))
}

/// A counter without a trigger keeps its first value.
fn constant_counter(rules: &Rules, index: u8) -> Option<String> {
    let plan = rules.mechanics().counters.get(usize::from(index))?;
    let mut effects = rules.mechanics().triggers.iter().flat_map(|trigger| &trigger.effects);
    let changes =
        |effect: &TriggerEffect| matches!(effect, TriggerEffect::Counter(it) if it.counter == index);
    let is_constant = !effects.any(changes);
    is_constant.then(|| format!("the counter {} is always {}", plan.code, plan.start))
}

/// Writes a value of a counter: `CHECKS:w:2`, or `ROUNDS:7` if the game has only one.
pub(crate) fn counter_text(rules: &Rules, (index, player, value): (u8, Player, u16)) -> Option<String> {
    let plan = rules.mechanics().counters.get(usize::from(index))?;
    let name = symbols::escape(&plan.code);
    Some(if plan.per_player {
        format!("{name}:{}:{value}", symbols::player_text(rules, player))
    } else {
        format!("{name}:{value}")
    })
}

/// Parses a value of a counter as [`counter_text`] writes it, or explains what is wrong.
pub(crate) fn parse_counter(rules: &Rules, text: &str) -> Result<(u8, Player, u16), String> {
    let form = || "is not a counter of this game in the form NAME:player:value or NAME:value".to_owned();
    let parts: Vec<&str> = text.split(':').collect();
    let name = *parts.first().ok_or_else(form)?;
    let (index, plan) = counter(rules, |plan| symbols::escape(&plan.code) == name).ok_or_else(form)?;
    let (player, value) = match (parts.as_slice(), plan.per_player) {
        ([_, player, value], true) => (symbols::parse_player(rules, player).ok_or_else(form)?, value),
        ([_, value], false) => (Player(0), value),
        ([_, _], true) => return Err("lacks the player: each player has this counter".to_owned()),
        ([_, _, _], false) => return Err("names a player, but the game has only one such counter".to_owned()),
        _ => return Err(form()),
    };
    let value = value.parse().map_err(|_| form())?;
    Ok((index, player, checked_value(plan, value)?))
}

/// Returns a counter of the game with its index.
pub(crate) fn counter(rules: &Rules, is_meant: impl Fn(&CounterPlan) -> bool) -> Option<(u8, &CounterPlan)> {
    (0u8..).zip(&rules.mechanics().counters).find(|(_, plan)| is_meant(plan))
}

/// Returns a value that a counter can have, or what is wrong with it.
pub(crate) fn checked_value(plan: &CounterPlan, value: u64) -> Result<u16, String> {
    let value = u16::try_from(value).ok().filter(|value| *value <= plan.max);
    value.ok_or_else(|| format!("is not possible: {} is a number from 0 to {}", plan.code, plan.max))
}

/// Describes the hands and the counters of a position in words, a line each: `WHITE has in hand: 2 PAWN, KNIGHT`.
pub fn hand_lines(rules: &Rules, position: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    for player in rules.players().filter(|_| rules.mechanics().hands.is_some()) {
        let own = rules.hands(position).filter(|(owner, ..)| *owner == player);
        let pieces: Vec<String> = own
            .map(|(_, kind, count)| {
                let plan = rules.kind(kind);
                let letter = plan.symbol.written(player);
                format!("{count} {} ({letter})", plan.code)
            })
            .collect();
        let pieces = if pieces.is_empty() { "nothing".to_owned() } else { pieces.join(", ") };
        lines.push(format!("{} has in hand: {pieces}", rules.player(player).name));
    }
    for (index, plan) in (0u8..).zip(&rules.mechanics().counters) {
        let value = |player: Player| rules.counter(position, index, player).to_string();
        let values = if plan.per_player {
            let named =
                rules.players().map(|player| format!("{} {}", rules.player(player).name, value(player)));
            named.collect::<Vec<_>>().join(", ")
        } else {
            value(Player(0))
        };
        lines.push(format!("{}: {values} of {}", plan.code, plan.max));
    }
    lines
}
