//! What becomes of whole armies, and what else a game has beyond pieces that move and capture.

use tabiya_engine::mechanics::{ChancePlan, ExchangePlan, FigurePlan, ReactionPlan, TagPlan};
use tabiya_engine::{Kind, Offset, Rules};

use super::ending::leader_code;
use super::page::{Page, article, counted, join};
use super::{counts, squares};

/// The whole section, for a game that has any of it.
pub(super) fn tell(rules: &Rules, page: &mut Page) {
    let mut told = Vec::new();
    sharing(rules, &mut told);
    told.extend(rules.mechanics().tag.iter().map(|plan| tag(rules, plan)));
    control(rules, &mut told);
    exchange(rules, &mut told);
    let mechanics = rules.mechanics();
    told.extend(mechanics.figures.iter().map(|plan| figure(rules, plan)));
    told.extend(mechanics.reactions.iter().map(|plan| reaction(rules, plan)));
    if let Some(plan) = &mechanics.chance {
        chance(rules, plan, &mut told);
    }
    if !told.is_empty() {
        page.heading("Armies and squares");
        for text in &told {
            page.item(0, text);
        }
    }
}

fn region(rules: &Rules, region: u16) -> &str {
    &rules.region(region).code
}

fn code(rules: &Rules, kind: Kind) -> &str {
    &rules.kind(kind).code
}

fn leader(rules: &Rules) -> &str {
    leader_code(rules).unwrap_or("leader")
}

fn sharing(rules: &Rules, told: &mut Vec<String>) {
    let Some(plan) = &rules.mechanics().sharing else { return };
    let (region, leader) = (region(rules, plan.region), leader(rules));
    told.push(format!(
        "A square of {region}, whoever's it is, may hold two pieces: {} and one other piece of its team, its guest. To \
         all others only the {leader} stands there. Either may leave; a capture there takes both, if one of them could \
         be captured.",
        article(leader)
    ));
    told.push(if plan.join {
        format!("For any other piece such a square is empty if only {} of its team stands there: it may land, and is the guest then.", article(leader))
    } else {
        "Nobody joins later: two share a square only from the start on.".into()
    });
}

fn tag(rules: &Rules, plan: &TagPlan) -> String {
    let values: Vec<String> = plan
        .values
        .iter()
        .zip(&plan.squares)
        .map(|(value, list)| format!("{value} on {}", squares::region(rules.board(), list)))
        .collect();
    format!(
        "Every {} carries a {} for life, which it gets on the square where it starts or comes to be: {}. On other squares \
         it gets none.",
        counts::codes(rules, &plan.kinds),
        plan.code,
        values.join("; ")
    )
}

fn control(rules: &Rules, told: &mut Vec<String>) {
    let mechanics = rules.mechanics();
    if let Some(plan) = &mechanics.control {
        let thaws =
            if plan.thaws { " If that army is frozen, it thaws." } else { " A frozen army stays frozen." };
        told.push(format!(
            "When {} by its own move arrives on a square of {} that is listed for a partner, its player controls that \
             partner's army from then on and chooses its moves, until a leader of his own is captured.{thaws}",
            article(leader(rules)),
            region(rules, plan.region)
        ));
    }
    if mechanics.withdrawal {
        let hands =
            "A player may on his turn hand his army to a partner for good, who controls it from then on.";
        let freezes = " It freezes while a leader of that partner is captive.";
        let freezes = if mechanics.leadership.freezes { freezes } else { "" };
        told.push(format!("{hands}{freezes}"));
    }
}

fn exchange(rules: &Rules, told: &mut Vec<String>) {
    let Some(ExchangePlan { region: to, by_team, both_took, .. }) = rules.mechanics().exchange else {
        return;
    };
    let took = if by_team { "he or a partner took it" } else { "he took it himself" };
    let answer = match (both_took, by_team) {
        (false, _) => "",
        (true, false) => ", who must have taken the other one himself",
        (true, true) => ", whose team must have taken the other one",
    };
    told.push(format!(
        "While exactly one leader of a player's team and exactly one of another team are captive, he may propose to \
         exchange them, if {took}. The player of the other team who is not captive answers{answer}. If he accepts, both \
         return, the one that was asked for first: each to the first empty square of {} that is listed for its owner, or \
         else to the nearest empty square that no enemy attacks. Their armies thaw, nobody controls them, and no turn \
         passes.",
        region(rules, to)
    ));
}

fn figure(rules: &Rules, plan: &FigurePlan) -> String {
    let shape: Vec<String> = plan.shape.iter().map(|Offset { dx, dy }| format!("[{dx},{dy}]")).collect();
    let anchor = plan
        .anchors
        .as_ref()
        .map_or_else(|| "any square".into(), |list| squares::region(rules.board(), list));
    let kind = code(rules, plan.kind);
    format!(
        "Whoever moves {} and so completes the figure {} (counted from {anchor}, not turned) with {kind} pieces each of \
         another player, none of them frozen, captures the enemies' ones and takes over the partners' ones.",
        article(kind),
        shape.join(" "),
    )
}

fn reaction(rules: &Rules, plan: &ReactionPlan) -> String {
    let mut places = Vec::new();
    places.extend(
        plan.region.map(|it| format!("on a square of {} that is listed for its player", region(rules, it))),
    );
    places.extend(
        plan.in_any.map(|it| format!("on a square of {} that is listed for anybody", region(rules, it))),
    );
    places.extend(plan.not_in_any.map(|it| format!("on no square that {} lists", region(rules, it))));
    let place =
        if places.is_empty() { String::new() } else { format!(" that stands {}", join(&places, "and")) };
    format!(
        "When {} is captured, every {} of the same player{place} becomes {}, as a fresh piece, unless his army is frozen.",
        article(&counts::codes(rules, &plan.captured)),
        code(rules, plan.kind),
        article(code(rules, plan.to))
    )
}

fn chance(rules: &Rules, plan: &ChancePlan, told: &mut Vec<String>) {
    let again = match plan.throws {
        1 => String::new(),
        throws => format!(
            " While nothing can be moved by it, it is thrown again, up to {} in all.",
            counted(throws as usize, "time")
        ),
    };
    told.push(format!(
        "Before every move a die with {} is thrown.{again} If no throw helps, the turn passes.",
        counted(plan.faces.len(), "face")
    ));
    for (face, lists) in (1..).zip(&plan.faces) {
        let lists: Vec<String> = lists.iter().map(|kinds| counts::codes(rules, kinds)).collect();
        told.push(format!("On a {face} moves {}.", lists.join("; if none of these can, ")));
    }
}
