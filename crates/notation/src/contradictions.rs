//! Contradictions between the parts of a state, in FEN or JSON, about captive and controlled armies.
//!
//! No game reaches such a state, and reading it would silently ignore one of the parts. Only states that the rules
//! exclude are rejected: less is excluded in games with captures of partners or promotion to a leader.

use tabiya_engine::blueprint::{Effect, MovePlan, Occupancy};
use tabiya_engine::{Kind, Player, Rules, Setup};

/// Returns every contradiction, one sentence each.
pub(crate) fn find(rules: &Rules, setup: &Setup) -> Vec<String> {
    let captives = setup.captives.iter().flat_map(|&(player, captor)| captive(rules, setup, player, captor));
    let controlled =
        setup.controlled.iter().filter_map(|&(player, controller)| control(rules, player, controller));
    captives.chain(controlled).collect()
}

fn captive(rules: &Rules, setup: &Setup, player: Player, captor: Player) -> Vec<String> {
    let mut found = Vec::new();
    let name = &rules.player(player).name;
    if rules.team(player).contains(captor) && !captures_partners(rules) {
        let captor = if captor == player { "itself" } else { &rules.player(captor).name };
        found.push(format!(
            "captive: {name} cannot be captive of {captor}: a team does not capture its own pieces"
        ));
    }
    let Some(leader) = rules.leader() else { return found };
    let at_start = rules.blueprint().start().iter();
    let expected = at_start.filter(|placed| (placed.player, placed.kind) == (player, leader)).count();
    let leaders = setup.pieces.iter().filter(|(_, piece)| (piece.player, piece.kind) == (player, leader));
    let squares: Vec<String> = leaders.map(|(square, _)| rules.board().name(*square)).collect();
    if !squares.is_empty() && squares.len() >= expected && !may_appear(rules, leader) {
        let (code, squares) = (&rules.kind(leader).code, squares.join(", "));
        found.push(format!("captive: {name} is captive but still has its {code} on {squares}"));
    }
    found
}

/// An army can only be controlled by a partner.
fn control(rules: &Rules, player: Player, controller: Player) -> Option<String> {
    let (name, other) = (&rules.player(player).name, &rules.player(controller).name);
    let by = if controller == player {
        "itself".to_owned()
    } else if !rules.team(player).contains(controller) {
        format!("{other}, an enemy")
    } else {
        return None;
    };
    Some(format!("control: {name} cannot be controlled by {by}: only a partner can control an army"))
}

fn plans(rules: &Rules) -> impl Iterator<Item = &MovePlan> {
    rules.kinds().flat_map(|kind| &rules.kind(kind).moves)
}

/// Returns whether some move may capture a piece of the mover's team.
fn captures_partners(rules: &Rules) -> bool {
    let captures = |effects: &[Effect]| {
        effects.iter().any(|effect| matches!(effect, Effect::Capture(_) | Effect::CaptureMarked(_)))
    };
    plans(rules).any(|plan| {
        let own = |on: Occupancy| !matches!(on, Occupancy::Empty | Occupancy::Enemy);
        let mut actions = plan.actions.iter();
        captures(&plan.effects) || actions.any(|it| it.captures && own(it.on) || captures(&it.effects))
    })
}

/// Returns whether pieces of this kind may appear during the game, by promotion, by changing owner or by a drop.
fn may_appear(rules: &Rules, kind: Kind) -> bool {
    let mechanics = rules.mechanics();
    let drops = mechanics.hands.iter().flat_map(|hands| &hands.drops);
    mechanics.figures.iter().any(|figure| figure.kind == kind)
        || drops.clone().any(|plan| plan.kinds.contains(&kind))
        || mechanics.reactions.iter().any(|reaction| reaction.to == kind)
        || plans(rules)
            .flat_map(|plan| &plan.modifiers)
            .chain(drops.clone().flat_map(|plan| &plan.modifiers))
            .any(|it| it.options.contains(&kind) || it.replaces.iter().any(|(_, becomes)| *becomes == kind))
}
