//! The die: how many faces it has, and which pieces each of them moves.

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::ChanceSpec;
use crate::place::At;
use crate::read::shorten;

use super::lists;
use super::names::Kind;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(chance) = view.spec.chance.as_ref().and_then(At::known) else { return };
    check_number(Some(&chance.die), "The number of faces", faults);
    check_number(chance.throws.as_ref(), "The number of throws", faults);
    check_faces(chance, faults);
    for lists in chance.allow.values() {
        lists::not_empty(lists, "groups of pieces", faults);
        lists::at_most(lists, limits::LIST, "groups of pieces", faults);
        for codes in lists.iter().map(|group| &group.pieces) {
            lists::not_empty(codes, "pieces", faults);
            lists::at_most(codes, limits::PIECES, "pieces", faults);
            codes.iter().for_each(|code| view.pieces.resolve(code, Kind::Piece, faults));
        }
    }
}

/// Pieces that stand twice in a list.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(chance) = view.spec.chance.as_ref().and_then(At::known) else { return };
    for group in chance.allow.values().flat_map(|groups| groups.iter()) {
        lists::suspect_pieces(&group.pieces, faults);
    }
}

fn check_number(number: Option<&At<i32>>, what: &str, faults: &mut Faults<'_>) {
    lists::at_least(number, 1, what, faults);
    let Some(number) = number else { return };
    if let Some(value) = number.known().filter(|value| **value > limits::DIE) {
        let message = format!("{what} is {value}, but may be at most {}.", limits::DIE);
        let help = format!("write {} or less", limits::DIE);
        faults.report_with_help(Code::NumberOutOfRange, number.place(), message, help);
    }
}

/// Every face has its lists, and nothing else has any.
fn check_faces(chance: &ChanceSpec, faults: &mut Faults<'_>) {
    let die = chance.die.known().filter(|die| (1..=limits::DIE).contains(*die));
    let (Some(die), Some(allow)) = (die, chance.allow.known()) else { return };
    let is_face = |key: &str| (1..=*die).any(|face| face.to_string() == key);
    for (key, lists) in allow.iter().filter(|(key, _)| !is_face(key)) {
        let span = allow.key_span(key).unwrap_or_else(|| faults.places().span(lists.place()));
        let message = format!("The die has no face `{}`.", shorten(key));
        let help = format!("the faces are called \"1\" to \"{die}\"");
        faults.report_span(Code::UnknownKey, lists.place(), span, message, Some(help));
    }
    if let Some(face) = (1..=*die).find(|face| !allow.contains_key(&face.to_string())) {
        let message = format!("The face `{face}` of the die is missing.");
        let help = "say for each face which pieces it moves";
        faults.report_with_help(Code::MissingKey, chance.allow.place(), message, help);
    }
}
