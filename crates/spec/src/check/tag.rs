//! The tag that pieces carry: the pieces, the squares that determine its value, and the values at the start.

use std::collections::HashMap;

use crate::model::TagSpec;
use crate::read::quoted_list;

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if let Some(tag) = view.spec.tag.as_ref().and_then(At::known) {
        common::name(&tag.code, "The code of the tag", diags);
        check_pieces(tag, view, diags);
        check_values(tag, view, diags);
    }
    check_start(view, diags);
}

/// Warns about pieces listed twice.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if let Some(tag) = view.spec.tag.as_ref().and_then(At::known) {
        common::warn_duplicate_pieces(&tag.pieces, diags);
    }
}

fn check_pieces(tag: &TagSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    common::piece_list(&tag.pieces, view, diags);
    for code in tag.pieces.iter() {
        if view.is_leader(code) {
            let message = format!("`{}` is the leader, which carries no tag.", shorten(code));
            diags.report_with_help(Code::BadTag, code.place(), message, "remove it from this list");
        }
    }
}

fn check_values(tag: &TagSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(values) = tag.values.known() else { return };
    if values.is_empty() {
        let message = "The tag has no values.";
        let help = "a tag needs at least one value";
        diags.report_with_help(Code::EmptyList, tag.values.place(), message, help);
    } else if values.len() > limits::TAG_VALUES {
        let (found, limit) = (values.len(), limits::TAG_VALUES);
        let message = format!("The tag has {found} values; the limit is {limit}.");
        diags.report(Code::TooMany, tag.values.place(), message);
    }
    let mut taken = HashMap::new();
    for (value, list) in values.iter() {
        common::name(&At::new(value.clone(), list.place()), "The name of a value", diags);
        common::at_most(list, limits::SQUARES, "squares", diags);
        for at in list.iter() {
            if let Some(board) = &view.board {
                board.check_spans(at, diags);
            }
            if let Some(other) = taken.insert(**at, value) {
                let message = format!("The square {} already belongs to `{}`.", **at, shorten(other));
                let help = "a square determines one value: list it once";
                diags.report_with_help(Code::BadTag, at.place(), message, help);
            }
        }
    }
}

/// Checks the tag values of starting positions.
fn check_start(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let starts = view.spec.players.iter().flat_map(|player| player.starting_positions.iter());
    for (start, value) in starts.filter_map(|start| Some((start, start.tag.as_ref()?))) {
        let Some(tag) = &view.spec.tag else {
            report_no_tag(value, diags);
            continue;
        };
        let Some(name) = value.known().filter(|_| tag.known().is_some()) else { continue };
        let is_carrier = |code: &At<String>| view.pieces.contains(code) && !view.is_leader(code);
        let carriers =
            tag.pieces.known().filter(|pieces| !pieces.is_empty() && pieces.iter().all(is_carrier));
        if carriers.is_some_and(|pieces| pieces.iter().all(|piece| piece.as_str() != start.piece.as_str())) {
            let message =
                format!("`{}` does not carry the tag `{}`.", shorten(&start.piece), shorten(&tag.code));
            let help = "add the piece to the `pieces` of `tag`, or remove this value";
            diags.report_with_help(Code::UnknownTag, value.place(), message, help);
        } else if tag.values.known().is_some_and(|values| !values.contains_key(name)) {
            let message = format!("The tag has no value `{}`.", shorten(name));
            let values: Vec<&str> = tag.values.keys().map(String::as_str).take(limits::TAG_VALUES).collect();
            let help = format!("the values are {}", quoted_list(&values));
            diags.report_with_help(Code::UnknownTag, value.place(), message, help);
        }
    }
}

/// Reports the use of a tag in a game without one.
pub(super) fn report_no_tag<T>(value: &At<T>, diags: &mut Diagnostics<'_>) {
    let message = "This game has no tag.";
    diags.report_with_help(Code::UnknownTag, value.place(), message, "define the tag under `tag`");
}
