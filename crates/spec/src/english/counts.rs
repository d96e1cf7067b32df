//! Describes the counts of pieces in endings and moves.

use tabiya_engine::blueprint::Anchor;
use tabiya_engine::ending::{Area, Census, Lines, Owner};
use tabiya_engine::{Kind, PlayerSet, Rules};

use super::page::join;

/// Describes a count: `BLUE has at least 2 ROOK pieces on THRONE`. `own` is a noun phrase for the own player.
pub(super) fn count(rules: &Rules, own: &str, census: &Census) -> String {
    let (number, is_one) = match (census.min, census.max) {
        (0, None) => ("any number of".into(), false),
        (min, None) => (format!("at least {min}"), min == 1),
        (_, Some(0)) => ("no".into(), true),
        (min, Some(max)) if min == max => (format!("exactly {max}"), max == 1),
        (0, Some(max)) => (format!("at most {max}"), max == 1),
        (min, Some(max)) => (format!("{min} to {max}"), false),
    };
    let whose = whose(rules, own, census.owner);
    format!("{whose} {number} {}{}", noun(rules, &census.kinds, is_one), place(rules, census))
}

/// Describes losses: `BLUE has at least 2 fewer ROOK pieces on THRONE than at the start`.
pub(super) fn lost(rules: &Rules, own: &str, census: &Census, lost: u32) -> String {
    let whose = whose(rules, own, census.owner);
    let noun = noun(rules, &census.kinds, lost == 1);
    format!("{whose} at least {lost} fewer {noun}{} than at the start", place(rules, census))
}

/// Whether exactly two players have turns.
pub(super) fn is_for_two(rules: &Rules) -> bool {
    let seated: PlayerSet = rules.order().iter().copied().collect();
    seated.len() == 2
}

/// Whether the game has teams.
pub(super) fn has_teams(rules: &Rules) -> bool {
    !rules.mechanics().teams.is_empty()
}

/// Lists the codes of pieces: `ROOK or PAWN`.
pub(super) fn codes(rules: &Rules, kinds: &[Kind]) -> String {
    let codes: Vec<&str> = kinds.iter().map(|kind| rules.kind(*kind).code.as_str()).collect();
    join(&codes, "or")
}

fn whose(rules: &Rules, own: &str, owner: Owner) -> String {
    match owner {
        Owner::Own => format!("{own} has"),
        Owner::Enemy if is_for_two(rules) => "the other player has".into(),
        Owner::Enemy if has_teams(rules) => "the remaining players of other teams together have".into(),
        Owner::Enemy => "the other remaining players together have".into(),
        Owner::Any => "the board has".into(),
        Owner::Partner => format!("the partners of {own} together have"),
        Owner::Team => format!("the team of {own} has"),
        Owner::Neutral => "the neutral players have".into(),
    }
}

fn place(rules: &Rules, census: &Census) -> String {
    let regions = rules.blueprint().regions();
    let region =
        census.region.map_or_else(String::new, |region| format!(" on {}", regions[usize::from(region)].code));
    region + &census.area.map_or_else(String::new, area)
}

/// Describes a part of the board.
pub(super) fn area(area: Area) -> String {
    let square = |anchor: Anchor| match anchor {
        Anchor::Source => "the square it leaves",
        Anchor::Target => "the square where it lands",
    };
    match area {
        Area::File(anchor) => format!(" on the file of {}", square(anchor)),
        Area::Rank(anchor) => format!(" on the rank of {}", square(anchor)),
        Area::Adjacent(anchor) => format!(" next to {}", square(anchor)),
        Area::Square(anchor) => format!(" on {}", square(anchor)),
        Area::Flanked(anchor, flanks) => {
            let Lines { files, ranks, diagonals } = flanks.lines;
            let lines = match (files, ranks, diagonals) {
                (true, true, true) => "a line",
                (true, true, false) => "a file or rank",
                (true, false, false) => "a file",
                (false, true, false) => "a rank",
                _ => "a diagonal",
            };
            let length = match flanks.run {
                None => "without a gap".into(),
                Some(1) => "alone".into(),
                Some(run) => format!("at most {run} without a gap"),
            };
            format!(" on {lines}, {length}, between {} and a piece of the player who moves", square(anchor))
        }
        Area::Attacked(anchor) => format!(" that the piece on {} could capture", square(anchor)),
        Area::Behind => " on the square behind the one it leaves".into(),
        Area::Ahead => " on the square ahead of the one where it lands".into(),
        Area::Between => " between the square it leaves and the square where it lands".into(),
        Area::Hand => " in hand".into(),
    }
}

/// Describes the counted pieces.
fn noun(rules: &Rules, kinds: &[Kind], is_one: bool) -> String {
    let piece = if is_one { "piece" } else { "pieces" };
    let others = || rules.kinds().filter(|kind| !rules.is_leader(*kind));
    if others().eq(kinds.iter().copied()) {
        let leaders = rules.blueprint().leaders();
        return match leaders {
            [] => piece.into(),
            _ => format!("{piece} other than the {}", codes(rules, leaders)),
        };
    }
    match (kinds, is_one) {
        (_, true) => codes(rules, kinds),
        ([_], false) => format!("{} pieces", codes(rules, kinds)),
        (_, false) => format!("{} pieces in total", codes(rules, kinds)),
    }
}
