//! Describes conditions, effects and promotions. "It" is always the moving piece.

use tabiya_engine::blueprint::{
    Anchor, Condition, Effect, KindPlan, ModifierPlan, Occupancy, RegionOf, SquareTest,
};
use tabiya_engine::ending::Census;
use tabiya_engine::{Kind, Rules};

use super::page::article;
use super::{counts, definitions, steps};

/// Describes a condition, to follow "if".
pub(super) fn condition(rules: &Rules, kind: &KindPlan, condition: &Condition) -> String {
    match condition {
        Condition::FirstMove => "it has never moved".into(),
        Condition::DependsOn(other) => {
            let id = kind.moves[usize::from(*other)].id;
            format!("its move {id} currently has a landing square, disregarding attacks on a leader")
        }
        Condition::PieceUnmoved(offset) => {
            format!("a piece of any player that has never moved stands {}", steps::place(*offset))
        }
        Condition::EmptyOrUnmoved(offset) => {
            format!("there is no piece {}, or it has never moved", steps::place(*offset))
        }
        Condition::HasFlag(flag, steps::HERE) => format!("it carries the flag {}", rules.flag(*flag)),
        Condition::HasFlag(flag, offset) => {
            format!("the piece {} carries the flag {}", steps::place(*offset), rules.flag(*flag))
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
        Condition::Count { census, lost } => count(rules, census, *lost),
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
            format!("the piece {}, of any player, is removed", steps::place(*offset))
        }
        Effect::Relocate { kind, from, to } => {
            let what = kind.map_or("piece", |kind| rules.kind(kind).code.as_str());
            format!("its player's {what} {} moves to {}", steps::place(*from), steps::square(*to))
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

/// Describes a count and losses since the start.
fn count(rules: &Rules, census: &Census, lost: u32) -> String {
    const OWN: &str = "its player";
    match (lost, census.min, census.max) {
        (0, _, _) => counts::count(rules, OWN, census),
        (_, 0, None) => counts::lost(rules, OWN, census, lost),
        _ => {
            let now = counts::count(rules, OWN, census);
            format!("{now}, and {}", counts::lost(rules, OWN, census, lost))
        }
    }
}

fn square(rules: &Rules, test: &SquareTest) -> String {
    let of_landing = if test.anchor == Anchor::Target { " from where it lands" } else { "" };
    let on_landing = test.anchor == Anchor::Target && test.offset == steps::HERE;
    if test.state == Some(Occupancy::Empty) {
        let square = steps::square(test.offset) + of_landing;
        return format!(
            "{} exists and is empty",
            if on_landing { "the square where it lands" } else { &square }
        );
    }
    let place = steps::place(test.offset) + of_landing;
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
