//! The rules about attacked and captured leaders, and about squares to hold.

use tabiya_engine::Rules;
use tabiya_engine::mechanics::{Exposure, Lost};

use super::counts;
use super::ending::{leader_code, stalemate_result};
use super::page::{Page, article, join};

/// Describes whether a leader may be left attacked.
pub(super) fn exposure(rules: &Rules, code: &str) -> String {
    let a_leader = article(code);
    match rules.mechanics().leadership.exposure {
        Exposure::Illegal => format!(
            "The leader is the {code}. A move is illegal if it leaves {a_leader} of the moving player attacked, or if it \
             removes one. This is judged after all effects of the move."
        ),
        Exposure::Allowed => format!(
            "The leader is the {code}. It may be left attacked and may move into an attack. Only a move that removes \
             {a_leader} of the moving player is illegal."
        ),
        Exposure::AllowedInCheck => format!(
            "The leader is the {code}. It may not make a move that leaves {a_leader} of its player attacked, unless one is \
             already attacked. Moves of other pieces may leave it attacked. A move that removes {a_leader} of the \
             moving player is illegal. This is judged after all effects of the move."
        ),
    }
}

/// Describes the other rules about leaders.
pub(super) fn rest(rules: &Rules, code: &str, page: &mut Page) {
    let leadership = rules.mechanics().leadership;
    let a_leader = article(code);
    if let Some(players) = leadership.players {
        let names: Vec<&str> = players.iter().map(|player| rules.player(player).name.as_str()).collect();
        page.item(&format!(
            "Only {} has leaders. For others, these are ordinary pieces.",
            join(&names, "and")
        ));
    }
    match leadership.lost {
        Lost::Any => {}
        Lost::Last => page.item(&format!(
            "A player may lose leaders, but not the last one. Rules about an attacked or captured {code} apply only to the \
             last {code} of a player."
        )),
        Lost::LastOfKind => page.item(&format!(
            "A player may lose leaders, but not the last one of a kind. Rules about an attacked or captured {code} apply \
             only to the last one of its kind."
        )),
    }
    if leadership.check_all {
        let which =
            if leadership.lost == Lost::LastOfKind { "all leaders of one kind" } else { "all leaders" };
        page.item(&format!("A player is also in check while {which} are attacked at once."));
    }
    if leadership.must_move {
        let text = format!(
            "While {a_leader} of a player is attacked and a {code} of that player has a legal move, the player's other \
             pieces may not move."
        );
        page.item(&text);
    }
    if leadership.needs_safe_move {
        let text = format!(
            "If no {code} of a player is attacked but every move would leave one attacked, the player has no legal move."
        );
        page.item(&text);
    }
    if leadership.freezes {
        let text = format!(
            "A player whose {code} is captured becomes a captive of the player who chose the capturing move. The \
             captive's army is frozen: its pieces block squares, but cannot move, attack or be captured, except \
             together with a {code} whose guest they are. A captive has no turns and loses control of other armies."
        );
        page.item(&text);
    }
}

/// Describes the end of a game with frozen armies or skipped players.
pub(super) fn armies(rules: &Rules, page: &mut Page) {
    let mechanics = rules.mechanics();
    let has_teams = counts::has_teams(rules);
    if let Some(code) = leader_code(rules).as_deref() {
        let a_leader = article(code);
        page.item(&if mechanics.leadership.freezes {
            let rest = if has_teams {
                "the players who are not captive belong to one team, that team wins"
            } else {
                "only one player is not captive, that player wins"
            };
            format!("When {a_leader} is captured and {rest}.")
        } else {
            let rest = if has_teams {
                "the remaining players belong to one team, that team wins"
            } else {
                "only one player remains, that player wins"
            };
            format!("A player whose {code} is captured is out. When {rest}.")
        });
    }
    if mechanics.stuck_passes {
        page.item("If no player can move, the game is a draw. A single player without a legal move does not end the game.");
    } else if rules.blueprint().stalemate().stops() {
        page.item(&format!(
            "A player without a legal move whose leader is not attacked is stalemated, however many players are left: {}. \
             If the leader is attacked, the player is out, and when two remain, the other side wins.",
            stalemate_result(rules)
        ));
    } else {
        page.item(&format!(
            "While more than two players are in the game, a player without a legal move is out. When two remain, a \
             player without a legal move is checkmated if their leader is attacked, and the other side wins. Otherwise \
             it is stalemate: {}.",
            stalemate_result(rules)
        ));
    }
}

/// Describes the squares that win the game for a leader that holds them.
pub(super) fn hold(rules: &Rules, page: &mut Page) {
    let Some(plan) = &rules.mechanics().hold else { return };
    let (region, code) = (&rules.region(plan.region).code, leader_code(rules));
    let wins = if counts::has_teams(rules) { "a player wins for their team" } else { "a player wins" };
    let text = format!(
        "{}: {wins} if their {} stands unattacked on a square of {region} listed for them at the end of their turn and of \
         every following turn until the order reaches them again.",
        plan.code,
        code.as_deref().unwrap_or("leader")
    );
    page.item(&text);
}
