//! Conditions, effects and promotions in words. "It" is always the piece that moves.

use tabiya_engine::blueprint::{Anchor, Condition, Effect, KindPlan, ModifierPlan, Occupancy, SquareTest};
use tabiya_engine::{Kind, Rules};

use super::page::{article, join};
use super::{named, steps};

/// One condition, for a sentence that goes on after "if".
pub(super) fn condition(rules: &Rules, kind: &KindPlan, condition: &Condition) -> String {
    match condition {
        Condition::FirstMove => "it has never moved".into(),
        Condition::DependsOn(other) => {
            let id = kind.moves[usize::from(*other)].id;
            format!("its move {id} has a landing square now (danger to a leader left aside)")
        }
        Condition::PieceFirstMove(offset) => {
            format!("a piece of any player that has never moved stands {}", steps::place(*offset))
        }
        Condition::RookFirstMove(offset) => {
            format!("no piece that has ever moved stands {} (none at all will do)", steps::place(*offset))
        }
        Condition::CheckState(flag, steps::HERE) => format!("it carries the flag {}", rules.flag(*flag)),
        Condition::CheckState(flag, offset) => {
            format!("the piece {} carries the flag {}", steps::place(*offset), rules.flag(*flag))
        }
        Condition::PathEmpty => "every square between is there and empty".into(),
        Condition::NotAttacked => "no opponent attacks the square where it lands".into(),
        Condition::PathNotAttacked => {
            "no opponent attacks the square that it leaves, the one where it lands, or any between".into()
        }
        Condition::InRegion(region) => {
            format!("it lands on a square of {}", rules.blueprint().regions[usize::from(*region)].code)
        }
        Condition::Square(test) => square(rules, test),
    }
}

/// Several conditions in one sentence.
pub(super) fn conditions(rules: &Rules, kind: &KindPlan, list: &[Condition]) -> String {
    let texts: Vec<String> = list.iter().map(|each| condition(rules, kind, each)).collect();
    texts.join(", and ")
}

/// One effect, as a sentence of its own without the full stop.
pub(super) fn effect(rules: &Rules, effect: &Effect) -> String {
    match effect {
        Effect::SetFlag { flag, duration } => {
            format!("this piece gets the flag {} {}", rules.flag(*flag), named::duration(*duration))
        }
        Effect::Capture(offset) => {
            format!("the piece {}, whoever owns it, is removed", steps::place(*offset))
        }
        Effect::Relocate { kind, from, to } => {
            let what = kind.map_or("piece", |kind| rules.kind(kind).code.as_str());
            format!("its player's {what} {} goes to {}", steps::place(*from), steps::square(*to))
        }
    }
}

/// Several effects in one sentence.
pub(super) fn effects(rules: &Rules, list: &[Effect]) -> String {
    list.iter().map(|each| effect(rules, each)).collect::<Vec<_>>().join(", then ")
}

/// A promotion, as a sentence: when it happens, and what the piece becomes.
pub(super) fn promotion(rules: &Rules, kind: &KindPlan, modifier: &ModifierPlan, is_first: bool) -> String {
    let when = match (modifier.conditions.as_slice(), is_first) {
        ([], true) => "Promotion, always:".into(),
        ([], false) => "Otherwise".into(),
        (list, true) => format!("Promotion: if {},", conditions(rules, kind, list)),
        (list, false) => format!("Otherwise, if {},", conditions(rules, kind, list)),
    };
    let choice = if modifier.options.len() > 1 { ", as its player chooses" } else { "" };
    let same = modifier.options.iter().any(|option| rules.kind(*option).code == kind.code);
    let stays =
        if same { format!(" ({} stays what it is, but as a fresh piece)", kind.code) } else { String::new() };
    format!("{when} it becomes {}{choice}{stays}.", codes(rules, &modifier.options))
}

fn codes(rules: &Rules, kinds: &[Kind]) -> String {
    let codes: Vec<&str> = kinds.iter().map(|kind| rules.kind(*kind).code.as_str()).collect();
    join(&codes, "or")
}

fn square(rules: &Rules, test: &SquareTest) -> String {
    let of_landing = if test.anchor == Anchor::Target { " of where it lands" } else { "" };
    let on_landing = test.anchor == Anchor::Target && test.offset == steps::HERE;
    if test.state == Some(Occupancy::Empty) {
        let square = steps::square(test.offset) + of_landing;
        return format!(
            "{} is there and empty",
            if on_landing { "the square where it lands" } else { &square }
        );
    }
    let place = steps::place(test.offset) + of_landing;
    let place = if on_landing { "on the square where it lands" } else { &place };
    let noun = article(&test.kinds.as_ref().map_or_else(|| "piece".into(), |kinds| codes(rules, kinds)));
    let owner = match test.state {
        Some(Occupancy::Ally) => " of its own player",
        Some(Occupancy::Enemy) => " of another player",
        Some(Occupancy::Empty | Occupancy::NotEmpty) | None => " of any player",
    };
    let moved = match test.unmoved {
        Some(true) => " that has never moved",
        Some(false) => " that has moved",
        None => "",
    };
    format!("{noun}{owner}{moved} stands {place}")
}
