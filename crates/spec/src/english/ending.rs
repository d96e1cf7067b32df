//! How the game ends: what the leader is, what having no move means, who is out when, and the endings that it lists.
//!
//! Who is *alive* has a slot in the order and is not out; the rules differ for two and for more.

use tabiya_engine::{Player, PlayerSet, Rules};

use super::page::{Page, article, join};
use super::{clauses, counts, royal};

/// The whole section.
pub(super) fn tell(rules: &Rules, page: &mut Page) {
    let seated: PlayerSet = rules.order().iter().copied().collect();
    page.heading("How the game ends");
    leader(rules, page);
    let mechanics = rules.mechanics();
    match seated.len() {
        1 => alone(rules, seated, page),
        2 if !mechanics.stuck_passes && !mechanics.leadership.freezes => two(rules, page),
        _ if mechanics.stuck_passes || mechanics.leadership.freezes => royal::armies(rules, page),
        _ => more(rules, seated, page),
    }
    royal::hold(rules, page);
    if seated.len() > 1 {
        agreement(rules, page);
    }
    clauses::tell(rules, page);
}

/// The code of the leader.
pub(super) fn leader_code(rules: &Rules) -> Option<&str> {
    rules.leader().map(|kind| rules.kind(kind).code.as_str())
}

fn leader(rules: &Rules, page: &mut Page) {
    let Some(code) = leader_code(rules) else {
        page.item(
            0,
            "There is no leader: no piece is royal, nobody is ever in check, and every piece may be lost.",
        );
        return;
    };
    page.item(0, &royal::exposure(rules, code));
    royal::rest(rules, code, page);
    if !each_has_one(rules) {
        page.item(
            0,
            &format!(
                "Whoever has several {code} pieces is in check if any of them is attacked, and loses by any of them; \
                 whoever has none is never in check."
            ),
        );
    }
}

/// Whether every player starts with exactly one leader and nothing can become another.
fn each_has_one(rules: &Rules) -> bool {
    let (Some(leader), blueprint) = (rules.leader(), rules.blueprint()) else { return false };
    let of = |player: Player| {
        blueprint.start().iter().filter(|placed| (placed.player, placed.kind) == (player, leader)).count()
    };
    let modifiers = blueprint.kinds().iter().flat_map(|kind| &kind.moves).flat_map(|plan| &plan.modifiers);
    let arises = modifiers.flat_map(|modifier| &modifier.options).any(|option| *option == leader);
    rules.players().all(|player| of(player) == 1) && !arises
}

fn agreement(rules: &Rules, page: &mut Page) {
    if rules.blueprint().draw_offers() {
        page.item(0, "It is a draw if all who are still in the game agree on one.");
    } else {
        page.item(0, "Nobody may offer a draw.");
    }
}

fn alone(rules: &Rules, seated: PlayerSet, page: &mut Page) {
    let name = seated.iter().next().map_or("", |player| rules.player(player).name.as_str());
    page.item(
        0,
        &format!("{name} plays alone. When {name} has no legal move, the game is over, and nobody wins."),
    );
}

fn two(rules: &Rules, page: &mut Page) {
    match leader_code(rules) {
        Some(code) => {
            page.item(
                0,
                &format!("Who has no legal move on its turn while its {code} is attacked is checkmated: the other player wins."),
            );
            page.item(0, &format!("Who has no legal move on its turn while no {code} of its own is attacked is stalemated: a draw."));
            page.item(
                0,
                &format!(
                    "If {} is captured all the same, its owner is out, and who is left alone wins.",
                    article(code)
                ),
            );
        }
        None => page
            .item(0, "Who has no legal move on its turn (no piece left, for example) is stalemated: a draw."),
    }
}

fn more(rules: &Rules, seated: PlayerSet, page: &mut Page) {
    let names: Vec<&str> = seated.iter().map(|player| rules.player(player).name.as_str()).collect();
    let names = join(&names, "and");
    if counts::has_teams(rules) {
        page.item(
            0,
            &format!("{names} play in teams; the last team that has somebody alive wins, all of it."),
        );
    } else {
        page.item(0, &format!("{names} play, everyone for himself; the last one alive wins."));
    }
    let leader = leader_code(rules);
    let no_move = match leader {
        Some(code) => format!("whether its {code} is attacked (checkmate) or not (stalemate)"),
        None => "for example because it has no piece left (stalemate)".into(),
    };
    page.item(
        0,
        &format!(
            "While more than two are alive, who has no legal move is out, {no_move}. This is judged when its own turn \
             comes, so that what others do before may still help; it is no turn, and no flag counts down."
        ),
    );
    if let Some(code) = leader {
        page.item(0, &format!("Whoever loses {} by capture is out at once.", article(code)));
        page.item(0, &format!("When two are alive: no legal move with the {code} attacked is checkmate, and the other one wins; without, it is stalemate, a draw."));
    } else {
        page.item(0, "When two are alive, no legal move is stalemate: a draw.");
    }
    page.item(
        0,
        "Who is out is skipped. Its pieces stay on the board as obstacles: they can be captured like enemies, but \
         neither move nor attack.",
    );
}
