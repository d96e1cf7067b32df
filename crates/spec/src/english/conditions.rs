//! Describes conditions, effects and promotions. "It" is always the moving piece.

use tabiya_engine::blueprint::{
    Anchor, AttackTest, Condition, Effect, Event, EventTest, KindPlan, ModifierPlan, Occupancy, RegionOf,
    SquareTest,
};
use tabiya_engine::{Kind, Rules};

use super::page::article;
use super::{clauses, counts, definitions, steps};

/// Describes a condition, to follow "if".
pub(super) fn condition(rules: &Rules, kind: &KindPlan, condition: &Condition) -> String {
    match condition {
        Condition::FirstMove => "it has never moved".into(),
        Condition::DependsOn(other) => {
            let id = kind.moves[usize::from(*other)].id;
            format!("its move {id} currently has a landing square, disregarding attacks on a leader")
        }
        Condition::PieceUnmoved(offset) => {
            format!("a piece of any player that has never moved stands {}", steps::place(rules, *offset))
        }
        Condition::EmptyOrUnmoved(offset) => {
            format!("there is no piece {}, or it has never moved", steps::place(rules, *offset))
        }
        Condition::HasFlag(flag, steps::HERE) => format!("it carries the flag {}", rules.flag(*flag)),
        Condition::HasFlag(flag, offset) => {
            format!("the piece {} carries the flag {}", steps::place(rules, *offset), rules.flag(*flag))
        }
        Condition::Marked(flag) => {
            format!("an enemy piece with the flag {} marks the square where it lands", rules.flag(*flag))
        }
        Condition::PathEmpty => "every square in between exists and is empty".into(),
        Condition::NotAttacked => "no opponent attacks the square where it lands".into(),
        Condition::PathNotAttacked => {
            "no opponent attacks the square it leaves, the square where it lands or any square in between"
                .into()
        }
        Condition::InRegion(region) => {
            format!("it lands on a square of {}", rules.region(*region).code)
        }
        Condition::Square(test) => square(rules, test),
        Condition::Region { region, of, at } => {
            let verb = if *at == Anchor::Source { "it leaves" } else { "it lands on" };
            let whose = match of {
                RegionOf::Own => "its own player",
                RegionOf::Partner => "a partner",
                RegionOf::Enemy => "a player of another team",
                RegionOf::Any => "any player",
            };
            let code = &rules.region(*region).code;
            format!("{verb} a square of {code} listed for {whose}")
        }
        Condition::Attacked(test) => attacked(rules, test),
        Condition::Event(test) => event(rules, test),
        Condition::After(list) => format!("after the move {}", clauses::inline_list(rules, OWN, list)),
        Condition::Position(clause) => clauses::inline(rules, OWN, clause),
        Condition::Any(lists) => match lists.as_slice() {
            [only] => conditions(rules, kind, only),
            lists => {
                let texts: Vec<String> = lists.iter().map(|list| conditions(rules, kind, list)).collect();
                format!("either {}", texts.join(", or "))
            }
        },
        Condition::Not(list) => format!("it is not the case that {}", conditions(rules, kind, list)),
    }
}

/// The player of the moving piece.
const OWN: &str = "its player";

fn attacked(rules: &Rules, test: &AttackTest) -> String {
    let place = match (test.anchor, test.offset == steps::HERE) {
        (Anchor::Source, true) => "the square it leaves".into(),
        (Anchor::Target, true) => "the square where it lands".into(),
        (Anchor::Source, false) => steps::square(rules, test.offset),
        (Anchor::Target, false) => format!("{} from where it lands", steps::square(rules, test.offset)),
    };
    let pieces = test.by.as_ref().map(|kinds| article(&counts::codes(rules, kinds)));
    match (test.defended, pieces) {
        (false, None) => format!("an opponent attacks {place}"),
        (false, Some(pieces)) => format!("{pieces} of an opponent attacks {place}"),
        (true, None) => format!("another piece of its team defends {place}"),
        (true, Some(pieces)) => format!("{pieces} of its team, other than itself, defends {place}"),
    }
}

pub(super) fn event(rules: &Rules, test: &EventTest) -> String {
    let pieces = test.kinds.as_ref().map(|kinds| article(&counts::codes(rules, kinds)));
    match (test.event, pieces) {
        (Event::Captured, None) => "it captures a piece".into(),
        (Event::Captured, Some(pieces)) => format!("it captures {pieces}"),
        (Event::Promoted, None) => "it is promoted".into(),
        (Event::Promoted, Some(pieces)) => format!("it is promoted to {pieces}"),
        (Event::Moved, None) => "it moves".into(),
        (Event::Moved, Some(pieces)) => format!("it is {pieces}"),
        (Event::Dropped, None) => "it comes from the hand".into(),
        (Event::Dropped, Some(pieces)) => format!("it is {pieces} from the hand"),
        (Event::Stayed, None) => "it stays on its square".into(),
        (Event::Stayed, Some(pieces)) => format!("it is {pieces} that stays on its square"),
        (Event::Shot, None) => "it shoots".into(),
        (Event::Shot, Some(pieces)) => format!("it is {pieces} that shoots"),
        (Event::Check, None) => "it gives check".into(),
        (Event::Check, Some(pieces)) => format!("it is {pieces} that gives check"),
        (Event::Castled, None) => "it castles".into(),
        (Event::Castled, Some(pieces)) => format!("it is {pieces} that castles"),
    }
}

/// Joins conditions to a sentence.
pub(super) fn conditions(rules: &Rules, kind: &KindPlan, list: &[Condition]) -> String {
    let texts: Vec<String> = list.iter().map(|each| condition(rules, kind, each)).collect();
    texts.join(", and ")
}

/// Describes an effect as a main clause.
pub(super) fn effect(rules: &Rules, effect: &Effect) -> String {
    match effect {
        Effect::SetFlag { flag, duration } => {
            format!("this piece gets the flag {} {}", rules.flag(*flag), definitions::duration(*duration))
        }
        Effect::Capture(offset) => {
            format!("the piece {}, of any player, is removed", steps::place(rules, *offset))
        }
        Effect::CaptureMarked(flag) => {
            format!("the enemy pieces whose flag {} marks that square are captured", rules.flag(*flag))
        }
        Effect::Relocate { kind, from, to } => {
            let what = kind.map_or("piece", |kind| rules.kind(kind).code.as_str());
            format!(
                "its player's {what} {} moves to {}",
                steps::place(rules, *from),
                steps::square(rules, *to)
            )
        }
        Effect::Drop { kind, at } => {
            let code = &rules.kind(*kind).code;
            let place =
                if *at == steps::HERE { "the square it left".into() } else { steps::square(rules, *at) };
            format!("its player drops {} from the hand on {place}", article(code))
        }
    }
}

/// Joins effects to a sentence.
pub(super) fn effects(rules: &Rules, list: &[Effect]) -> String {
    list.iter().map(|each| effect(rules, each)).collect::<Vec<_>>().join(", then ")
}

/// Describes a promotion: its conditions and options.
pub(super) fn promotion(rules: &Rules, kind: &KindPlan, modifier: &ModifierPlan, is_first: bool) -> String {
    let when = match (modifier.conditions.as_slice(), is_first) {
        ([], true) => "Promotion, always:".into(),
        ([], false) => "Otherwise".into(),
        (list, true) => format!("Promotion: if {},", conditions(rules, kind, list)),
        (list, false) => format!("Otherwise, if {},", conditions(rules, kind, list)),
    };
    let choice = if modifier.options.len() > 1 { ", as its player chooses" } else { "" };
    let same = modifier.options.iter().any(|option| rules.kind(*option).code == kind.code);
    let stays = if same { format!(" ({0} is then a new {0})", kind.code) } else { String::new() };
    let code = |kind: &Kind| rules.kind(*kind).code.as_str();
    let replaced: Vec<String> = modifier
        .replaces
        .iter()
        .map(|(option, to)| {
            let (option, to) = (code(option), code(to));
            format!(" If it becomes {option}, every other {option} of its player first becomes a new {to}.")
        })
        .collect();
    let options = counts::codes(rules, &modifier.options);
    format!("{when} it becomes {options}{choice}{stays}.{}", replaced.concat())
}

fn square(rules: &Rules, test: &SquareTest) -> String {
    let of_landing = if test.anchor == Anchor::Target { " from where it lands" } else { "" };
    let on_landing = test.anchor == Anchor::Target && test.offset == steps::HERE;
    if test.state == Some(Occupancy::Empty) {
        let square = steps::square(rules, test.offset) + of_landing;
        return format!(
            "{} exists and is empty",
            if on_landing { "the square where it lands" } else { &square }
        );
    }
    let place = steps::place(rules, test.offset) + of_landing;
    let place = if on_landing { "on the square where it lands" } else { &place };
    let noun =
        article(&test.kinds.as_ref().map_or_else(|| "piece".into(), |kinds| counts::codes(rules, kinds)));
    let owner = match test.state {
        Some(Occupancy::Ally) => " of the same player",
        Some(Occupancy::Enemy) if counts::has_teams(rules) => " of another team",
        Some(Occupancy::Enemy) => " of another player",
        Some(Occupancy::Team) => " of a partner",
        Some(Occupancy::Empty | Occupancy::NotEmpty) | None => " of any player",
    };
    let moved = match test.unmoved {
        Some(true) => " that has never moved",
        Some(false) => " that has moved",
        None => "",
    };
    format!("{noun}{owner}{moved} stands {place}")
}
