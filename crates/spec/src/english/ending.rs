//! How the game ends: the leader, players without a legal move, players who are out, and the listed endings.
//!
//! The rules differ for two and for more players that have turns.

use tabiya_engine::ending::Stalemate;
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

/// Returns the code of the leader, or those of several: `KING or QUEEN`.
pub(super) fn leader_code(rules: &Rules) -> Option<String> {
    let leaders = rules.blueprint().leaders();
    (!leaders.is_empty()).then(|| counts::codes(rules, leaders))
}

fn leader(rules: &Rules, page: &mut Page) {
    let Some(code) = leader_code(rules) else {
        page.item("There is no leader: no piece is royal, there is no check, and any piece may be captured.");
        return;
    };
    let code = code.as_str();
    page.item(&leader::exposure(rules, code));
    leader::rest(rules, code, page);
    if !each_has_one(rules) {
        page.item(&format!(
            "A player with several {code} pieces is in check if any of them is attacked, and is out if any of them \
             is captured. A player with none is never in check."
        ));
    }
}

/// Describes what happens to a player without a legal move, if there are more than two players.
pub(super) fn no_legal_move(rules: &Rules, page: &mut Page) {
    let (code, result) = (leader_code(rules), stalemate_result(rules));
    let leader = code.as_deref();
    let stops = rules.blueprint().stalemate().stops();
    let no_move = match leader {
        Some(code) if stops => Some(format!("if the {code} is attacked (checkmate)")),
        Some(code) => Some(format!("whether the {code} is attacked (checkmate) or not (stalemate)")),
        None if stops => None,
        None => Some("for example because no piece is left (stalemate)".into()),
    };
    if let Some(no_move) = no_move {
        page.item(&format!(
            "While more than two players are in the game, a player without a legal move is out, {no_move}. This is \
             decided when the player's own turn comes, so earlier moves of other players may still help. It does not \
             count as a turn, and no flag counts down."
        ));
    }
    if stops {
        let safe = leader.map_or_else(String::new, |code| format!(" whose {code} is not attacked"));
        page.item(&format!(
            "A player without a legal move{safe} is stalemated, however many players are left: {result}."
        ));
    }
    if let Some(code) = leader {
        page.item(&format!("A player whose {code} is captured is out at once."));
        let rest = if stops { String::new() } else { format!(" Otherwise it is stalemate: {result}.") };
        page.item(&format!(
            "When two players remain, a player without a legal move is checkmated if the {code} is attacked, and the \
             other player wins.{rest}"
        ));
    } else if !stops {
        page.item(&format!(
            "When two players remain, a player without a legal move is stalemated: {result}."
        ));
    }
}

/// Whether every player starts with exactly one leader and nothing can become another.
fn each_has_one(rules: &Rules) -> bool {
    let (Some(leader), blueprint) = (rules.leader(), rules.blueprint()) else { return false };
    if blueprint.leaders().len() > 1 || rules.mechanics().leadership.players.is_some() {
        return false;
    }
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
    let result = match rules.blueprint().stalemate() {
        Stalemate::Wins => format!("{name} wins"),
        Stalemate::Ends | Stalemate::Draws | Stalemate::Loses => "the game ends without a winner".into(),
    };
    page.item(&format!("{name} plays alone. When {name} has no legal move, {result}."));
}

fn two(rules: &Rules, page: &mut Page) {
    match leader_code(rules).as_deref() {
        Some(code) => {
            page.item(&format!(
                "A player without a legal move whose {code} is attacked is checkmated: the other player wins."
            ));
            let result = stalemate_result(rules);
            page.item(&format!(
                "A player without a legal move whose {code} is not attacked is stalemated: {result}."
            ));
            page.item(&format!(
                "If {} is captured nevertheless, its owner is out and the other player wins.",
                article(code)
            ));
        }
        None => page.item(&format!(
            "A player without a legal move (for example, without pieces) is stalemated: {}.",
            stalemate_result(rules)
        )),
    }
}

/// Describes the result of a stalemate that ends the game.
pub(super) fn stalemate_result(rules: &Rules) -> &'static str {
    match rules.blueprint().stalemate() {
        Stalemate::Ends | Stalemate::Draws => "the game is a draw",
        Stalemate::Loses => "the other player wins",
        Stalemate::Wins if counts::has_teams(rules) => "the team of that player wins",
        Stalemate::Wins => "that player wins",
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
    no_legal_move(rules, page);
    page.item(
        "Players who are out are skipped. Their pieces stay on the board as obstacles: they can be captured like \
         enemy pieces, but neither move nor attack.",
    );
}
