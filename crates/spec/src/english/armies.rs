//! Rules about armies and other mechanics beyond pieces that move and capture.

use tabiya_engine::mechanics::{ChancePlan, ExchangePlan, FigurePlan, ReactionPlan, TagPlan};
use tabiya_engine::{Kind, Offset, Rules};

use super::ending::leader_code;
use super::page::{Page, article, counted, join};
use super::{counts, squares};

/// Writes the section, if the game has any of these rules.
pub(super) fn write(rules: &Rules, page: &mut Page) {
    let mut items = Vec::new();
    sharing(rules, &mut items);
    items.extend(rules.mechanics().tag.iter().map(|plan| tag(rules, plan)));
    control(rules, &mut items);
    exchange(rules, &mut items);
    let mechanics = rules.mechanics();
    items.extend(mechanics.figures.iter().map(|plan| figure(rules, plan)));
    items.extend(mechanics.reactions.iter().map(|plan| reaction(rules, plan)));
    if let Some(plan) = &mechanics.chance {
        chance(rules, plan, &mut items);
    }
    if !items.is_empty() {
        page.heading("Armies and squares");
        for text in &items {
            page.item(text);
        }
    }
}

fn region(rules: &Rules, region: u16) -> &str {
    &rules.region(region).code
}

fn code(rules: &Rules, kind: Kind) -> &str {
    &rules.kind(kind).code
}

fn leader(rules: &Rules) -> String {
    leader_code(rules).unwrap_or_else(|| "leader".into())
}

fn sharing(rules: &Rules, items: &mut Vec<String>) {
    let Some(plan) = &rules.mechanics().sharing else { return };
    let (region, leader) = (region(rules, plan.region), leader(rules));
    items.push(format!(
        "Any square of {region} can hold two pieces: {} and one other piece of its team, its guest. To all other \
         pieces, only the {leader} stands there. Either piece may leave. A capture on the square takes both, \
         provided that one of them can be captured.",
        article(&leader)
    ));
    items.push(if plan.join {
        format!(
            "A piece may join {} of its team that stands there alone, by any move to an empty square. It then becomes \
             the guest.",
            article(&leader)
        )
    } else {
        "Pieces cannot join later: only pieces that start on the same square share it.".into()
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
        "Every {} carries a permanent {}, determined by the square on which it starts or is created: {}. On other \
         squares it has none.",
        counts::codes(rules, &plan.kinds),
        plan.code,
        values.join("; ")
    )
}

fn control(rules: &Rules, items: &mut Vec<String>) {
    let mechanics = rules.mechanics();
    if let Some(plan) = &mechanics.control {
        let thaws =
            if plan.thaws { " If that army is frozen, it thaws." } else { " A frozen army stays frozen." };
        items.push(format!(
            "When {} moves to a square of {} listed for a partner, its player takes control of that partner's army and \
             chooses its moves until a leader of the controlling player is captured.{thaws}",
            article(&leader(rules)),
            region(rules, plan.region)
        ));
    }
    if mechanics.withdrawal {
        let hands = "On their turn, a player may permanently hand over their army to a partner, who then controls it.";
        let freezes = " The army is frozen while a leader of that partner is captive.";
        let freezes = if mechanics.leadership.freezes { freezes } else { "" };
        items.push(format!("{hands}{freezes}"));
    }
}

fn exchange(rules: &Rules, items: &mut Vec<String>) {
    let Some(ExchangePlan { region: to, by_team, both_took, .. }) = rules.mechanics().exchange else {
        return;
    };
    let captor = if by_team { "the player or a partner" } else { "the player" };
    let answer = match (both_took, by_team) {
        (false, _) => "",
        (true, false) => ", provided that this player captured the first leader",
        (true, true) => ", provided that this player's team captured the first leader",
    };
    items.push(format!(
        "While exactly one leader of a player's team and exactly one leader of another team are captive, the player \
         may propose to exchange them if {captor} captured the second leader. The free player of the other team \
         answers{answer}. If the proposal is accepted, both leaders return, the first one first: each to the first \
         empty square of {} listed for its owner, or else to the nearest empty square that no enemy attacks. Their \
         armies thaw and are no longer controlled by another player. The exchange does not count as a turn.",
        region(rules, to)
    ));
}

fn figure(rules: &Rules, plan: &FigurePlan) -> String {
    let shape: Vec<String> = plan.shape.iter().map(Offset::to_string).collect();
    let anchor = plan
        .anchors
        .as_ref()
        .map_or_else(|| "any square".into(), |list| squares::region(rules.board(), list));
    let kind = code(rules, plan.kind);
    format!(
        "A player who completes the figure {1} by moving {0} captures the enemy pieces in it and takes over those of \
         partners. The figure consists of {kind} pieces of different players, none of them frozen. Its squares are \
         relative to {anchor} and are not rotated.",
        article(kind),
        shape.join(" "),
    )
}

fn reaction(rules: &Rules, plan: &ReactionPlan) -> String {
    let mut places = Vec::new();
    places
        .extend(plan.region.map(|it| format!("on a square of {} listed for its player", region(rules, it))));
    places
        .extend(plan.in_any.map(|it| format!("on a square of {} listed for any player", region(rules, it))));
    places.extend(plan.not_in_any.map(|it| format!("on no square of {}", region(rules, it))));
    let place =
        if places.is_empty() { String::new() } else { format!(" that stands {}", join(&places, "and")) };
    format!(
        "When {} is captured, every {} of the same player{place} becomes {}, unless the army is frozen. The new piece \
         counts as unmoved.",
        article(&counts::codes(rules, &plan.captured)),
        code(rules, plan.kind),
        article(code(rules, plan.to))
    )
}

fn chance(rules: &Rules, plan: &ChancePlan, items: &mut Vec<String>) {
    let again = match plan.throws {
        1 => String::new(),
        throws => format!(
            " If it allows no move, it is thrown again, up to {} in total.",
            counted(throws as usize, "time")
        ),
    };
    items.push(format!(
        "Before every move, a die with {} is thrown.{again} If no throw allows a move, the turn passes.",
        counted(plan.faces.len(), "face")
    ));
    for (face, lists) in (1..).zip(&plan.faces) {
        let lists: Vec<String> = lists.iter().map(|kinds| counts::codes(rules, kinds)).collect();
        let (first, rest) =
            lists.split_first().map_or(("nothing", &[][..]), |(first, rest)| (first.as_str(), rest));
        let rest: Vec<String> = rest.iter().map(|kinds| format!("; if none of these can, {kinds}")).collect();
        items.push(format!("On a {face}, {first} may move{}.", rest.concat()));
    }
}
