//! Moves that carry a second piece along, as castling does, but can be made without that piece.
//!
//! `ROOK_FIRST_MOVE` also holds on an empty square, and `PIECE_FIRST_MOVE` for any unmoved piece. A move that relies
//! on them works as written, but its author hardly meant a king to castle without a rook.

use crate::model::{Anchor, Condition, Coord, Effect, MoveSpec, Occupancy, PieceSpec};
use crate::read::List;

use super::effects::only_landing;
use super::prelude::*;
use super::view::effect_lists;

pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for (piece, each) in view.moves() {
        if let Some((effect, carried)) = first_unguarded(piece, each) {
            report(effect, &carried, diags);
        }
    }
}

/// The piece that an effect carries along: its square and kind.
struct Carried<'g> {
    from: Coord,
    kind: Option<&'g str>,
}

impl Carried<'_> {
    /// Whether this is the moving piece, which stands on the landing square when effects apply.
    fn is_mover(&self, piece: &PieceSpec, landing: Option<Coord>) -> bool {
        landing == Some(self.from) && self.kind.is_none_or(|kind| kind == piece.code.as_str())
    }
}

fn first_unguarded<'g>(piece: &PieceSpec, each: &'g MoveSpec) -> Option<(&'g At<Effect>, Carried<'g>)> {
    let landing = only_landing(each);
    let own = &each.conditions;
    let whole =
        own.known().is_some() && each.actions.iter().all(|action| action.conditions.known().is_some());
    if !whole {
        return None;
    }
    // The last list belongs to the whole move, each earlier one to an action.
    effect_lists(each).enumerate().find_map(|(index, effects)| {
        effects.iter().filter_map(|effect| Some((effect, carried(effect)?))).find(|(_, carried)| {
            let guarded = |list: &List<Condition>| list.iter().any(|test| is_guard(test, carried, landing));
            let by_actions = match each.actions.get(index) {
                Some(action) => guarded(&action.conditions),
                None => {
                    !each.actions.is_empty() && each.actions.iter().all(|action| guarded(&action.conditions))
                }
            };
            !guarded(own) && !by_actions && !carried.is_mover(piece, landing)
        })
    })
}

fn carried(effect: &Effect) -> Option<Carried<'_>> {
    match effect {
        // An effect that goes nowhere is reported elsewhere.
        Effect::Move { piece, from, to } if from.known()? != to.known()? => {
            let kind = match piece {
                Some(piece) => Some(piece.known()?.as_str()),
                None => None,
            };
            Some(Carried { from: **from, kind })
        }
        _ => None,
    }
}

/// Whether the test ensures that the piece is present.
fn is_guard(test: &Condition, carried: &Carried<'_>, landing: Option<Coord>) -> bool {
    let Condition::Square { position, anchor, state, piece, .. } = test else { return false };
    let origin = match anchor.as_deref() {
        Some(Anchor::Target) => landing,
        Some(Anchor::Source) | None => Some(Coord::default()),
    };
    let there = origin.and_then(|origin| sum(origin, **position));
    let right_piece = match (carried.kind, piece) {
        (_, Some(kinds)) if kinds.known().is_none() => true,
        (Some(kind), Some(kinds)) => kinds.iter().any(|each| each.as_str() == kind),
        (Some(_), None) => false,
        (None, Some(_)) => true,
        (None, None) => state.as_deref() == Some(&Occupancy::Ally),
    };
    there == Some(carried.from) && right_piece
}

fn sum(a: Coord, b: Coord) -> Option<Coord> {
    a.plus(b)
}

fn report(effect: &At<Effect>, carried: &Carried<'_>, diags: &mut Diagnostics<'_>) {
    let kind = carried.kind.map_or("piece".into(), |kind| format!("`{}`", shorten(kind)));
    let message = format!(
        "The move can be made without the {kind} at {}: no `SQUARE` condition requires it.",
        carried.from
    );
    let name = carried.kind.map_or("…".into(), shorten);
    let help = format!(
        "add {{ \"condition\": \"SQUARE\", \"position\": {}, \"state\": \"ALLY\", \"piece\": [\"{name}\"], \"unmoved\": true }}",
        carried.from
    );
    diags.report_with_help(Code::CastlingWithoutRook, effect.place(), message, help);
}
