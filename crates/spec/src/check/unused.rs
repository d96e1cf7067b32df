//! Definitions that are never used. Nothing is reported if a use may have been lost or misspelt, because that has
//! been reported and fixing it may resolve this, too. So this topic comes last.

use std::collections::HashSet;

use crate::model::{Clause, Condition, GameSpec, GlobalCondition, PlayerSpec, TriggerEffect};

use super::global_conditions::is_built_in;
use super::prelude::*;
use super::regions;
use super::view::condition_lists;

pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    warn_players(view, diags);
    warn_leaders(view, diags);
    warn_pieces(view, diags);
    warn_conditions(view, diags);
}

fn warn_players(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(order) = view.spec.turns.order.known().filter(|order| !order.is_empty()) else { return };
    if !view.players.all_found() {
        return;
    }
    let moving: HashSet<&str> = order.iter().map(|name| name.as_str()).collect();
    for name in view
        .spec
        .players
        .iter()
        .filter(|player| player.neutral.is_none())
        .map(|player| &player.name)
        .filter(|name| !moving.contains(name.as_str()))
    {
        let message = format!("`{}` is not in the turn order, so it never moves.", shorten(name));
        diags.report_with_help(Code::PlayerNeverMoves, name.place(), message, "add it to `turns.order`");
    }
}

fn warn_leaders(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let leaders: Vec<&str> = view.leaders().collect();
    let listed = view.spec.leader.as_ref().and_then(|leader| leader.players.as_ref());
    let is_led = |player: &PlayerSpec| {
        listed.is_none_or(|names| names.iter().any(|name| name.as_str() == player.name.as_str()))
    };
    let Some(leader) = leaders.first() else { return };
    let in_hand = |player: &PlayerSpec| {
        let start = view.spec.hands.as_ref().and_then(|hands| hands.start.as_ref());
        let own = start.and_then(|start| start.get(player.name.as_str()));
        own.is_some_and(|counts| leaders.iter().any(|leader| counts.contains_key(*leader)))
    };
    let is_missing = |player: &PlayerSpec| {
        player.neutral.is_none()
            && is_led(player)
            && leaders.iter().all(|leader| lacks(player, leader, view))
            && !in_hand(player)
    };
    for player in view.spec.players.iter().filter(|player| is_missing(player)) {
        let message = format!(
            "`{}` starts without a `{}`, the leader, so it can be neither checked nor mated.",
            shorten(&player.name),
            shorten(leader)
        );
        let help = format!("place a `{}` under `starting_positions`", shorten(leader));
        diags.report_with_help(Code::NoLeaderAtStart, player.starting_positions.place(), message, help);
    }
}

/// Whether the player certainly starts without the piece.
fn lacks(player: &PlayerSpec, code: &str, view: &View<'_>) -> bool {
    player.starting_positions.known().is_some_and(|starts| {
        starts.iter().all(|start| {
            view.pieces.contains(&start.piece)
                && start
                    .positions
                    .known()
                    .is_some_and(|squares| start.piece.as_str() != code || squares.is_empty())
        })
    })
}

fn warn_pieces(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let players = &view.spec.players;
    let starts_known =
        players.known().is_some() && players.iter().all(|player| player.starting_positions.known().is_some());
    let options_known = view.every_move().all(|each| {
        each.modifiers.known().is_some()
            && each.modifiers.iter().all(|modifier| modifier.options.known().is_some())
            && each.modifiers.iter().all(|modifier| modifier.replaces.as_ref().is_none_or(is_read))
    }) && view.spec.reactions.known().is_some();
    let moves_known = view.spec.pieces.iter().all(|piece| piece.moves.known().is_some());
    if !(view.pieces.all_found() && starts_known && options_known && moves_known) {
        return;
    }
    let starting =
        players.iter().flat_map(|player| player.starting_positions.iter()).map(|start| start.piece.as_str());
    let options =
        view.every_move().flat_map(|each| each.modifiers.iter()).flat_map(|modifier| modifier.options.iter());
    let modifiers = view.every_move().flat_map(|each| each.modifiers.iter());
    let replaced = modifiers.flat_map(|modifier| &modifier.replaces).flat_map(|replaces| replaces.values());
    let reactions = view.spec.reactions.iter().map(|reaction| &reaction.to);
    let hands = view.spec.hands.as_ref().and_then(At::known);
    let in_hand = hands.into_iter().flat_map(|hands| &hands.start).flat_map(|start| start.values());
    let in_hand = in_hand.flat_map(|pieces| pieces.keys()).map(String::as_str);
    let drops = hands.into_iter().flat_map(|hands| &hands.drops).flat_map(|drops| drops.iter());
    let drop_options = drops.flat_map(|drop| drop.modifiers.iter()).flat_map(|it| it.options.iter());
    let effects = view.spec.triggers.iter().flat_map(|trigger| trigger.effects.iter());
    let placed = effects.filter_map(|effect| match &**effect {
        TriggerEffect::Place { piece, .. } | TriggerEffect::Give { piece, .. } => Some(piece.as_str()),
        TriggerEffect::Transform { to, .. } => Some(to.as_str()),
        _ => None,
    });
    let starting = starting.chain(in_hand).chain(placed).chain(drop_options.map(|code| code.as_str()));
    let made = options.chain(replaced).chain(reactions).map(|code| code.as_str());
    let used: HashSet<&str> = starting.chain(made).collect();
    for code in view.spec.pieces.iter().map(|piece| &piece.code).filter(|code| !used.contains(code.as_str()))
    {
        let message = format!(
            "A `{}` can never appear on the board: none is there at the start, and nothing becomes one.",
            shorten(code)
        );
        let help = "place one under `starting_positions`, or make it an option of a promotion";
        diags.report_with_help(Code::UnusedPiece, code.place(), message, help);
    }
}

fn is_read<T>(value: &At<T>) -> bool {
    value.known().is_some()
}

fn warn_conditions(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if !view.conditions.all_found() || !conditions_are_whole(view) {
        return;
    }
    let used = used_conditions(view);
    for condition in view.spec.conditions.iter() {
        let code = condition.code();
        if used.contains(code.as_str()) || is_built_in(code) {
            continue;
        }
        let message = format!("The condition `{}` is never used.", shorten(code));
        let help = match &**condition {
            GlobalCondition::Position { .. } => "use it in a move, an ending or elsewhere, or remove it",
            GlobalCondition::State { .. } => {
                "moves test flags with `CHECK_STATE`, which needs no condition here: remove it"
            }
        };
        diags.report_with_help(Code::UnusedCondition, code.place(), message, help);
    }
}

fn conditions_are_whole(view: &View<'_>) -> bool {
    let pieces = &view.spec.pieces;
    clauses_are_whole(view)
        && mechanics_are_whole(view.spec)
        && pieces.known().is_some()
        && pieces.iter().all(|piece| piece.moves.known().is_some())
        && view.every_move().all(|each| {
            let repeat_known = each.repeat.as_ref().is_none_or(|repeat| repeat.known().is_some());
            let lists_known = each.actions.known().is_some() && each.modifiers.known().is_some();
            repeat_known && lists_known && condition_lists(each).all(|list| list.known().is_some())
        })
}

/// Whether everything that the game itself refers to was read.
fn mechanics_are_whole(spec: &GameSpec) -> bool {
    let GameSpec { sharing, control, exchange, hold, reactions, restrictions, priority, .. } = spec;
    sharing.as_ref().is_none_or(|it| it.known().is_some())
        && control.as_ref().is_none_or(|it| it.known().is_some())
        && exchange.as_ref().is_none_or(|it| it.known().is_some())
        && hold.as_ref().is_none_or(|it| it.known().is_some())
        && reactions.known().is_some()
        && restrictions.known().is_some()
        && priority.known().is_some()
        && priority.iter().all(|list| list.known().is_some())
}

fn clauses_are_whole(view: &View<'_>) -> bool {
    let endings = &view.spec.endings;
    endings.known().is_some()
        && endings.iter().all(|ending| ending.when.known().is_some())
        && view.spec.all_clauses().into_iter().all(|clause| {
            let is_whole = !matches!(&**clause, Clause::Any { of } if of.known().is_none());
            is_whole && clause.nested().iter().all(|list| list.known().is_some())
        })
}

fn used_conditions<'g>(view: &View<'g>) -> HashSet<&'g str> {
    let mut used: HashSet<&str> = regions::named_by_game(view.spec).map(|code| code.as_str()).collect();
    for (_, condition) in view.all_conditions() {
        if let Condition::Code(code) | Condition::InRegion { region: code, .. } = &**condition {
            used.insert(code.as_str());
        }
    }
    for each in view.every_move() {
        let until = each.repeat.as_ref().and_then(At::known).and_then(|repeat| repeat.until.as_ref());
        used.extend(until.map(|until| until.as_str()));
    }
    let endings = view.spec.all_clauses().into_iter().map(|clause| &**clause);
    for clause in endings.chain(view.position_conditions()) {
        if let Clause::Count { region: Some(code), .. } = clause {
            used.insert(code.as_str());
        }
    }
    used
}
