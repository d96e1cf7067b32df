//! Flags: marks that effects set and conditions test. A name that is only set or only tested is usually a
//! misspelling.

use std::collections::{HashMap, HashSet};

use crate::model::{Condition, Coord, Effect};
use crate::suggest::nearest;

use super::effects::only_landing;
use super::prelude::*;
use super::view::{condition_lists, effect_lists};

/// Reports blank names and too many flags.
pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    check_marks(view, diags);
    let flags = Flags::new(view);
    let mut seen = HashSet::new();
    for name in flags.set.iter().chain(&flags.tested) {
        common::name(name, "The name of a flag", diags);
        if seen.insert(name.as_str()) && seen.len() == limits::FLAGS + 1 {
            let message = format!("The game has more than {} different flags.", limits::FLAGS);
            diags.report(Code::TooMany, name.place(), message);
        }
    }
}

/// Reports marked squares that are not at one fixed offset from the piece, and tests of flags that mark no square.
fn check_marks(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let mut marks: HashMap<&str, Option<Coord>> = HashMap::new();
    for each in view.every_move() {
        let landing = only_landing(each);
        for effect in effect_lists(each).flat_map(|list| list.iter()) {
            let Effect::SetState { state, square, .. } = &**effect else { continue };
            let Some(name) = state.known() else { continue };
            let place = square.as_ref().map_or(state.place(), At::place);
            let offset = square.as_ref().and_then(|square| square.known());
            let mark = offset.zip(landing).and_then(|(offset, landing)| offset.minus(landing));
            if let Some(offset) = offset
                && (mark.is_none() || landing == Some(*offset))
            {
                let message = format!("`{offset}` is not a square that the piece leaves behind it.");
                let help = "a move that marks a square has a fixed number of steps, and the mark is not where it lands";
                diags.report_with_help(Code::BadMark, place, message, help);
            }
            if *marks.entry(name).or_insert(mark) != mark {
                let message = format!("The flag `{}` marks different squares.", shorten(name));
                let help = "use another flag, or mark the same square seen from where the piece lands";
                diags.report_with_help(Code::BadMark, place, message, help);
            }
        }
    }
    let conditions = view.all_conditions().into_iter();
    let tested = conditions.filter_map(|(_, condition)| match &**condition {
        Condition::Marked { state } => Some(state),
        _ => None,
    });
    let effects = view.every_move().flat_map(effect_lists).flat_map(|list| list.iter());
    let captured = effects.filter_map(|effect| match &**effect {
        Effect::CaptureMarked { state } => Some(state),
        _ => None,
    });
    for name in tested.chain(captured) {
        if name.known().is_some_and(|name| marks.get(name.as_str()) == Some(&None)) {
            let message = format!("The flag `{}` marks no square.", shorten(name));
            let help = "name the square with the key `square` of `SET_STATE`, or use `CHECK_STATE`";
            diags.report_with_help(Code::BadMark, name.place(), message, help);
        }
    }
}

/// Warns about flags that are tested but never set, or set but never tested.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let flags = Flags::new(view);
    if !flags.whole {
        return;
    }
    let set: HashSet<&str> = flags.set.iter().map(|name| name.as_str()).collect();
    let mut tested: HashSet<&str> = flags.tested.iter().map(|name| name.as_str()).collect();
    for name in flags.tested.iter().filter(|name| !set.contains(name.as_str()) && !name.trim().is_empty()) {
        if let Some(near) = report_never_set(name, &flags, diags) {
            // The misspelt test refers to this flag.
            tested.insert(near);
        }
    }
    for name in flags.set.iter().filter(|name| !tested.contains(name.as_str()) && !name.trim().is_empty()) {
        let message = format!("No condition tests the flag `{}`.", shorten(name));
        let help = "test it with `CHECK_STATE` or `MARKED`, or remove the effect";
        diags.report_with_help(Code::FlagNeverTested, name.place(), message, help);
    }
}

/// All uses of flags in the game.
struct Flags<'g> {
    set: Vec<&'g At<String>>,
    tested: Vec<&'g At<String>>,
    /// Whether all uses could be read.
    whole: bool,
}

impl<'g> Flags<'g> {
    fn new(view: &View<'g>) -> Self {
        let pieces = &view.spec.pieces;
        let mut whole = pieces.known().is_some() && pieces.iter().all(|piece| piece.moves.known().is_some());
        let (mut set, mut tested): (Vec<_>, Vec<&At<String>>) = (Vec::new(), Vec::new());
        for each in view.every_move() {
            whole &= each.actions.known().is_some() && each.modifiers.known().is_some();
            for list in effect_lists(each) {
                whole &= list.known().is_some();
                set.extend(list.iter().filter_map(|effect| set_by(effect)));
                tested.extend(
                    list.iter().filter_map(|effect| effect.flag().filter(|_| set_by(effect).is_none())),
                );
            }
            for list in condition_lists(each) {
                whole &= list.known().is_some();
            }
        }
        tested.extend(view.all_conditions().into_iter().filter_map(|(_, condition)| condition.flag()));
        whole &= set.iter().chain(&tested).all(|name| name.known().is_some());
        Flags { set, tested, whole }
    }
}

fn set_by(effect: &Effect) -> Option<&At<String>> {
    match effect {
        Effect::SetState { state, .. } => Some(state),
        _ => None,
    }
}

/// Reports a flag that is never set. Returns the flag that was probably meant.
fn report_never_set<'g>(
    name: &At<String>,
    flags: &Flags<'g>,
    diags: &mut Diagnostics<'_>,
) -> Option<&'g str> {
    let set = flags.set.iter().take(limits::FLAGS).map(|name| name.as_str());
    let near = if diags.is_full() { None } else { nearest(name, set) };
    let help = match near {
        Some(near) => format!("did you mean `{}`?", shorten(near)),
        None => "set it with the side effect `SET_STATE`".into(),
    };
    let message = format!("No move ever sets the flag `{}`.", shorten(name));
    diags.report_with_help(Code::FlagNeverSet, name.place(), message, help);
    near
}
