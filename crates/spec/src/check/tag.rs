//! The tag that pieces carry: who carries it, where a new piece gets which value, and what pieces start with.

use std::collections::HashMap;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::TagSpec;
use crate::place::At;
use crate::read::{and_list, shorten};

use super::lists;
use super::names::Kind;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    if let Some(tag) = view.spec.tag.as_ref().and_then(At::known) {
        lists::name(&tag.code, "The code of the tag", faults);
        check_pieces(tag, view, faults);
        check_values(tag, view, faults);
    }
    check_start(view, faults);
}

/// Squares and pieces that stand twice in a list.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    if let Some(tag) = view.spec.tag.as_ref().and_then(At::known) {
        lists::suspect_pieces(&tag.pieces, faults);
    }
}

fn check_pieces(tag: &TagSpec, view: &View<'_>, faults: &mut Faults<'_>) {
    lists::not_empty(&tag.pieces, "pieces", faults);
    lists::at_most(&tag.pieces, limits::PIECES, "pieces", faults);
    for code in tag.pieces.iter() {
        view.pieces.resolve(code, Kind::Piece, faults);
        if view.leader() == Some(code.as_str()) {
            let message = format!("`{}` is the leader, which carries no tag.", shorten(code));
            faults.report_with_help(Code::BadTag, code.place(), message, "take it out of this list");
        }
    }
}

fn check_values(tag: &TagSpec, view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(values) = tag.values.known() else { return };
    if values.is_empty() {
        let message = "The tag has no values.";
        faults.report_with_help(Code::EmptyList, tag.values.place(), message, "it needs at least one entry");
    } else if values.len() > limits::TAG_VALUES {
        let (found, limit) = (values.len(), limits::TAG_VALUES);
        let message = format!("The tag has {found} values; there may be at most {limit}.");
        faults.report(Code::TooMany, tag.values.place(), message);
    }
    let mut taken = HashMap::new();
    for (value, list) in values.iter() {
        lists::name(&At::new(value.clone(), list.place()), "The name of a value", faults);
        lists::at_most(list, limits::SQUARES, "squares", faults);
        for at in list.iter() {
            if let Some(board) = &view.board {
                board.check_spans(at, faults);
            }
            if let Some(other) = taken.insert(**at, value) {
                let message = format!("The square {} belongs to `{}` already.", **at, shorten(other));
                let help = "a square gives one value: write it once";
                faults.report_with_help(Code::BadTag, at.place(), message, help);
            }
        }
    }
}

/// The values that starting positions name, for pieces that carry the tag.
fn check_start(view: &View<'_>, faults: &mut Faults<'_>) {
    let starts = view.spec.players.iter().flat_map(|player| player.starting_positions.iter());
    for (start, value) in starts.filter_map(|start| Some((start, start.tag.as_ref()?))) {
        let Some(tag) = &view.spec.tag else {
            report_no_tag(value, faults);
            continue;
        };
        let Some(name) = value.known().filter(|_| tag.known().is_some()) else { continue };
        let is_carrier =
            |code: &At<String>| view.pieces.contains(code) && view.leader() != Some(code.as_str());
        let carriers =
            tag.pieces.known().filter(|pieces| !pieces.is_empty() && pieces.iter().all(is_carrier));
        if carriers.is_some_and(|pieces| pieces.iter().all(|piece| piece.as_str() != start.piece.as_str())) {
            let message = format!("`{}` carries no `{}`.", shorten(&start.piece), shorten(&tag.code));
            let help = "add the piece to the `pieces` of `tag`, or leave this out";
            faults.report_with_help(Code::UnknownTag, value.place(), message, help);
        } else if tag.values.known().is_some_and(|values| !values.contains_key(name)) {
            let message = format!("The tag has no value `{}`.", shorten(name));
            let values: Vec<&str> = tag.values.keys().map(String::as_str).take(limits::TAG_VALUES).collect();
            let help = format!("the values are {}", and_list(&values));
            faults.report_with_help(Code::UnknownTag, value.place(), message, help);
        }
    }
}

/// A use of a tag in a game that has none.
pub(super) fn report_no_tag<T>(value: &At<T>, faults: &mut Faults<'_>) {
    let message = "This game has no tag.";
    faults.report_with_help(
        Code::UnknownTag,
        value.place(),
        message,
        "say under `tag` which pieces carry one",
    );
}
