//! How the game ends: the leader, players without a legal move, players who are out, and the listed endings.
//!
//! The rules differ for two and for more players that have turns.

use tabiya_engine::{Player, PlayerSet, Rules};

use super::page::{Page, article, join};
use super::{clauses, counts, leader};

/// Writes the section.
pub(super) fn write(rules: &Rules, page: &mut Page) {
    let seated: PlayerSet = rules.order().iter().copied().collect();
    page.heading("How the game ends");
    leader(rules, page);
    let mechanics = rules.mechanics();
    match seated.len() {
        1 => alone(rules, seated, page),
        2 if !mechanics.stuck_passes && !mechanics.leadership.freezes => two(rules, page),
        _ if mechanics.stuck_passes || mechanics.leadership.freezes => leader::armies(rules, page),
        _ => more(rules, seated, page),
    }
    leader::hold(rules, page);
    if seated.len() > 1 {
        agreement(rules, page);
    }
    clauses::write(rules, page);
}

/// Returns the code of the leader.
pub(super) fn leader_code(rules: &Rules) -> Option<&str> {
    rules.leader().map(|kind| rules.kind(kind).code.as_str())
}

fn leader(rules: &Rules, page: &mut Page) {
    let Some(code) = leader_code(rules) else {
        page.item("There is no leader: no piece is royal, there is no check, and any piece may be captured.");
        return;
    };
    page.item(&leader::exposure(rules, code));
    leader::rest(rules, code, page);
    if !each_has_one(rules) {
        page.item(&format!(
            "A player with several {code} pieces is in check if any of them is attacked, and is out if any of them \
             is captured. A player with none is never in check."
        ));
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
        page.item("The game is a draw if all remaining players agree.");
    } else {
        page.item("Draws by agreement are not allowed.");
    }
}

fn alone(rules: &Rules, seated: PlayerSet, page: &mut Page) {
    let name = seated.iter().next().map_or("", |player| rules.player(player).name.as_str());
    page.item(&format!("{name} plays alone. When {name} has no legal move, the game ends without a winner."));
}

fn two(rules: &Rules, page: &mut Page) {
    match leader_code(rules) {
        Some(code) => {
            page.item(&format!(
                "A player without a legal move whose {code} is attacked is checkmated: the other player wins."
            ));
            page.item(&format!("A player without a legal move whose {code} is not attacked is stalemated: the game is a draw."));
            page.item(&format!(
                "If {} is captured nevertheless, its owner is out and the other player wins.",
                article(code)
            ));
        }
        None => page.item(
            "A player without a legal move (for example, without pieces) is stalemated: the game is a draw.",
        ),
    }
}

fn more(rules: &Rules, seated: PlayerSet, page: &mut Page) {
    let names: Vec<&str> = seated.iter().map(|player| rules.player(player).name.as_str()).collect();
    let names = join(&names, "and");
    if counts::has_teams(rules) {
        page.item(&format!(
            "{names} play in teams. The last team with a player still in the game wins; all its players win."
        ));
    } else {
        page.item(&format!("{names} play against each other. The last player still in the game wins."));
    }
    let leader = leader_code(rules);
    let no_move = match leader {
        Some(code) => format!("whether the {code} is attacked (checkmate) or not (stalemate)"),
        None => "for example because no piece is left (stalemate)".into(),
    };
    page.item(&format!(
        "While more than two players are in the game, a player without a legal move is out, {no_move}. This is \
         decided when the player's own turn comes, so earlier moves of other players may still help. It does not \
         count as a turn, and no flag counts down."
    ));
    if let Some(code) = leader {
        page.item(&format!("A player whose {code} is captured is out at once."));
        page.item(&format!(
            "When two players remain, a player without a legal move is checkmated if the {code} is attacked, and the \
             other player wins. Otherwise it is stalemate: the game is a draw."
        ));
    } else {
        page.item(
            "When two players remain, a player without a legal move is stalemated: the game is a draw.",
        );
    }
    page.item(
        "Players who are out are skipped. Their pieces stay on the board as obstacles: they can be captured like \
         enemy pieces, but neither move nor attack.",
    );
}
