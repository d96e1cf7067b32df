//! The die: its faces, and the pieces that each face moves.

use crate::model::ChanceSpec;

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(chance) = view.spec.chance.as_ref().and_then(At::known) else { return };
    check_number(Some(&chance.die), "The number of faces", diags);
    check_number(chance.throws.as_ref(), "The number of throws", diags);
    check_faces(chance, diags);
    for lists in chance.allow.values() {
        common::not_empty(lists, "groups of pieces", diags);
        common::at_most(lists, limits::LIST, "groups of pieces", diags);
        lists.iter().for_each(|group| common::piece_list(&group.pieces, view, diags));
    }
}

/// Warns about pieces listed twice.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(chance) = view.spec.chance.as_ref().and_then(At::known) else { return };
    for group in chance.allow.values().flat_map(|groups| groups.iter()) {
        common::warn_duplicate_pieces(&group.pieces, diags);
    }
}

fn check_number(number: Option<&At<i32>>, what: &str, diags: &mut Diagnostics<'_>) {
    common::at_least(number, 1, what, diags);
    let Some(number) = number else { return };
    if let Some(value) = number.known().filter(|value| **value > limits::DIE) {
        let message = format!("{what} is {value}, but may be at most {}.", limits::DIE);
        let help = format!("write {} or less", limits::DIE);
        diags.report_with_help(Code::NumberOutOfRange, number.place(), message, help);
    }
}

/// Checks that there is exactly one entry per face.
fn check_faces(chance: &ChanceSpec, diags: &mut Diagnostics<'_>) {
    let die = chance.die.known().filter(|die| (1..=limits::DIE).contains(*die));
    let (Some(die), Some(allow)) = (die, chance.allow.known()) else { return };
    let is_face = |key: &str| (1..=*die).any(|face| face.to_string() == key);
    for (key, lists) in allow.iter().filter(|(key, _)| !is_face(key)) {
        let span = allow.key_span(key).unwrap_or_else(|| diags.places().span(lists.place()));
        let message = format!("The die has no face `{}`.", shorten(key));
        let help = format!("the faces are \"1\" to \"{die}\"");
        diags.report_span(Code::UnknownKey, lists.place(), span, message, Some(help));
    }
    if let Some(face) = (1..=*die).find(|face| !allow.contains_key(&face.to_string())) {
        let message = format!("The face `{face}` of the die is missing.");
        let help = "list the pieces that each face moves";
        diags.report_with_help(Code::MissingKey, chance.allow.place(), message, help);
    }
}
