//! What the danger of a leader means, in games that say more about it than that it must not stand attacked.

use tabiya_engine::Rules;
use tabiya_engine::mechanics::Exposure;

use super::counts;
use super::ending::leader_code;
use super::page::{Page, article};

/// Whether a leader may be left attacked.
pub(super) fn exposure(rules: &Rules, code: &str) -> String {
    let a_leader = article(code);
    match rules.mechanics().leadership.exposure {
        Exposure::Illegal => format!(
            "The leader is the {code}. No move is legal after which {a_leader} of the player who made it stands attacked, \
             or which removes one; this is judged when everything that belongs to the move is done."
        ),
        Exposure::Allowed => format!(
            "The leader is the {code}. It may be left attacked and may step into an attack; only a move that removes \
             {a_leader} of the player who made it is not legal."
        ),
        Exposure::AllowedInCheck => format!(
            "The leader is the {code}. It may not move so that {a_leader} of its player stands attacked afterwards, unless \
             one was attacked before; moves of other pieces may leave it attacked. A move that removes {a_leader} of the \
             player who made it is not legal. This is judged when everything that belongs to the move is done."
        ),
    }
}

/// What an attacked leader must do, what its capture means, and when a player has no move.
pub(super) fn rest(rules: &Rules, code: &str, page: &mut Page) {
    let leadership = rules.mechanics().leadership;
    let a_leader = article(code);
    if leadership.must_move {
        let text = format!(
            "While {a_leader} of a player is attacked and a {code} of his has a legal move, no other piece of his may move."
        );
        page.item(0, &text);
    }
    if leadership.needs_safe_move {
        let text = format!(
            "If no {code} of a player is attacked, but every move of his would leave one attacked, he has no legal move."
        );
        page.item(0, &text);
    }
    if leadership.freezes {
        let text = format!(
            "Who loses {a_leader} by capture is captive, of the player who chose the capturing move, and his army is \
             frozen: its pieces block, but cannot move, attack or be captured, except with the {code} whose guest they \
             are. He has no turns, and whatever armies he controlled are free."
        );
        page.item(0, &text);
    }
}

/// How a game ends in which armies freeze or who cannot move is passed over.
pub(super) fn armies(rules: &Rules, page: &mut Page) {
    let mechanics = rules.mechanics();
    let (one, all) = if counts::has_teams(rules) {
        ("of one team", "all of that team win")
    } else {
        ("one alone", "he wins")
    };
    if let Some(code) = leader_code(rules) {
        let a_leader = article(code);
        page.item(
            0,
            &if mechanics.leadership.freezes {
                format!("When {a_leader} is captured, and those who are not captive then are {one}, {all}.")
            } else {
                format!(
                    "Whoever loses {a_leader} by capture is out. When those who are left are {one}, {all}."
                )
            },
        );
    }
    if mechanics.stuck_passes {
        page.item(0, "If nobody can move, it is a draw. Having no legal move ends nothing by itself.");
    } else {
        page.item(
            0,
            "While more than two are in the game, who has no legal move is out; when two are, it is checkmate if his leader \
             is attacked, and the other side wins, or else stalemate: a draw.",
        );
    }
}

/// The squares that win for a leader who holds them.
pub(super) fn hold(rules: &Rules, page: &mut Page) {
    let Some(plan) = &rules.mechanics().hold else { return };
    let (region, code) = (&rules.region(plan.region).code, leader_code(rules));
    let wins = if counts::has_teams(rules) { "his team has won" } else { "he has won" };
    let text = format!(
        "{}: whose {} stands on a square of {region} that is listed for him, unattacked, at the end of his turn and of \
         every turn after it until the order comes to him again, {wins} then.",
        plan.code,
        code.unwrap_or("leader")
    );
    page.item(0, &text);
}
