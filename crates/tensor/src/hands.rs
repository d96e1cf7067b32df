//! Hands: which kinds can be in one, how many of them at most, and the types of drops.

use tabiya_engine::blueprint::KindPlan;
use tabiya_engine::mechanics::{DropPlan, HandsPlan, Lost};
use tabiya_engine::{Kind, Rules};

/// Returns the kinds that can be in a hand, each with the number of pieces that can become one of them: those of the start that
/// are of the kind, or can be promoted or captured into it. A number above it counts as that number.
pub(crate) fn kinds_in_hand(rules: &Rules) -> Vec<(Kind, u32)> {
    let Some(hands) = &rules.mechanics().hands else { return Vec::new() };
    let of_start = |kind: Kind| hands.start.iter().any(|(_, other, _)| *other == kind);
    let is_captured = |kind: Kind| {
        hands.captured_to.is_some() && rules.kinds().any(|from| can_be_captured(rules, from) == Some(kind))
    };
    let most = |kind: Kind| {
        let becomes = |from: Kind| kinds_after(rules, hands, from)[kind.index()];
        let on_board = rules.blueprint().start().iter().filter(|placed| becomes(placed.kind)).count() as u32;
        let in_hand = hands.start.iter().filter(|(_, from, _)| becomes(*from));
        (on_board + in_hand.map(|(_, _, count)| u32::from(*count)).sum::<u32>()).clamp(1, u32::from(u8::MAX))
    };
    let kinds = rules.kinds().filter(|kind| of_start(*kind) || is_captured(*kind));
    kinds.map(|kind| (kind, most(kind))).collect()
}

/// Returns the types of drops: every kind that may be dropped, with every promotion; `None` means no promotion.
pub(crate) fn drop_types(rules: &Rules) -> Vec<(Kind, Option<Kind>)> {
    let mut types = Vec::new();
    for DropPlan { kinds, modifiers, .. } in rules.mechanics().hands.iter().flat_map(|hands| &hands.drops) {
        // The first promotion whose conditions hold applies.
        let must_promote = modifiers.iter().any(|modifier| modifier.conditions.is_empty());
        let plain = (!must_promote).then_some(None);
        let promotions = modifiers.iter().flat_map(|modifier| &modifier.options).copied().map(Some);
        let promotions: Vec<Option<Kind>> = plain.into_iter().chain(promotions).collect();
        types.extend(kinds.iter().flat_map(|kind| promotions.iter().map(|promotion| (*kind, *promotion))));
    }
    types.sort_unstable();
    types.dedup();
    types
}

/// Returns what goes to a hand when a piece is captured; `None` if its capture ends the game.
fn can_be_captured(rules: &Rules, kind: Kind) -> Option<Kind> {
    let leadership = &rules.mechanics().leadership;
    let decides = leadership.lost == Lost::Any && !leadership.freezes && rules.players().len() == 2;
    let is_final = decides && rules.players().all(|player| rules.leaders_of(player).contains(&kind));
    (!is_final).then(|| rules.kind(kind).reverts_to.unwrap_or(kind))
}

/// Returns by kind whether a piece of a kind can become one of it: by promotion, on the board or when dropped, by reactions,
/// or by being captured to a hand.
fn kinds_after(rules: &Rules, hands: &HandsPlan, kind: Kind) -> Vec<bool> {
    let mut found = vec![false; rules.kinds().len()];
    let mut open = vec![kind];
    while let Some(kind) = open.pop() {
        if std::mem::replace(&mut found[kind.index()], true) {
            continue;
        }
        let KindPlan { moves, reverts_to, .. } = rules.kind(kind);
        let drops = hands.drops.iter().filter(|drop| drop.kinds.contains(&kind));
        let dropped = drops.flat_map(|drop| &drop.modifiers);
        let all = rules.blueprint().kinds().iter().flat_map(|kind| &kind.moves);
        let replaced = all.flat_map(|plan| &plan.modifiers).flat_map(|modifier| &modifier.replaces);
        let reactions = rules.mechanics().reactions.iter().filter(|reaction| reaction.kind == kind);
        open.extend(moves.iter().flat_map(|plan| &plan.modifiers).chain(dropped).flat_map(|it| &it.options));
        open.extend(replaced.filter(|(from, _)| *from == kind).map(|(_, to)| to));
        open.extend(reactions.map(|reaction| reaction.to));
        open.extend(reverts_to.iter());
    }
    found
}
