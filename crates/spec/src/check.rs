//! Checks whether the parts of a game fit together, which the structure alone does not show.
//!
//! Each file covers one topic with functions over the whole game that report problems and continue. Two rules keep
//! one mistake from being reported twice: a value that could not be read ([`crate::place::At::known`]) is not
//! checked, and an incomplete list of names is not used to reject a name.

mod armies;
mod board;
mod capture_filters;
mod castling;
mod castling_moves;
mod chance;
mod choices;
mod common;
mod constant_conditions;
mod dependencies;
pub(crate) mod effects;
mod endings;
mod flags;
mod gating;
mod global_conditions;
mod hands;
mod hurdles;
mod letters;
mod mobility;
mod move_conditions;
mod moves;
mod names;
mod parts;
mod pieces;
mod players;
mod prelude;
mod promotion;
mod reactions;
mod redundant_endings;
mod regions;
mod setup;
mod stopping_endings;
mod tag;
mod teams;
mod triggers;
mod unused;
mod view;

use crate::diagnostic::Diagnostics;
use crate::model::GameSpec;
use view::View;

pub(crate) use choices::alone as choices_alone;

/// Reports all problems: errors first, so that many warnings cannot hide one.
pub(crate) fn check(spec: &GameSpec, diags: &mut Diagnostics<'_>) {
    let view = View::new(spec);
    errors(&view, diags);
    warnings(&view, diags);
}

fn errors(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    board::check(view, diags);
    players::check(view, diags);
    teams::check(view, diags);
    setup::check(view, diags);
    global_conditions::check(view, diags);
    regions::check(view, diags);
    pieces::check(view, diags);
    letters::check(view, diags);
    moves::check(view, diags);
    parts::check(view, diags);
    hurdles::check(view, diags);
    castling_moves::check(view, diags);
    move_conditions::check(view, diags);
    dependencies::check(view, diags);
    effects::check(view, diags);
    capture_filters::check(view, diags);
    promotion::check(view, diags);
    flags::check(view, diags);
    endings::check(view, diags);
    stopping_endings::check(view, diags);
    armies::check(view, diags);
    hands::check(view, diags);
    gating::check(view, diags);
    tag::check(view, diags);
    reactions::check(view, diags);
    chance::check(view, diags);
    choices::check(view, diags);
}

fn warnings(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    board::warn(view, diags);
    pieces::warn(view, diags);
    setup::warn(view, diags);
    teams::warn(view, diags);
    armies::warn(view, diags);
    tag::warn(view, diags);
    reactions::warn(view, diags);
    chance::warn(view, diags);
    mobility::warn(view, diags);
    hurdles::warn(view, diags);
    move_conditions::warn(view, diags);
    effects::warn(view, diags);
    capture_filters::warn(view, diags);
    promotion::warn(view, diags);
    castling::warn(view, diags);
    flags::warn(view, diags);
    redundant_endings::warn(view, diags);
    unused::warn(view, diags);
    letters::note(view, diags);
}
