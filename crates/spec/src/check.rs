//! What the structure cannot tell: whether the parts of a game fit together.
//!
//! One file per topic, each a function over the whole game that reports and goes on. Two habits keep one mistake from
//! being told twice: a value that could not be read ([`crate::place::At::known`]) is not judged, and a list of names
//! of which some were lost is not held against those who use a name that is not in it.

mod board;
mod castling;
mod chance;
mod changes;
mod choices;
mod conditions;
mod dependencies;
mod effects;
mod endings;
mod fates;
mod flags;
mod guards;
mod hollow;
mod letters;
mod lists;
mod mobility;
mod moves;
mod names;
mod pieces;
mod players;
mod promotion;
mod regions;
mod setup;
mod stops;
mod tag;
mod teams;
mod truth;
mod unused;
mod victims;
mod view;

use crate::diagnostic::Faults;
use crate::model::GameSpec;
use view::View;

pub(crate) use choices::alone as choices_alone;

/// Reports every fault of meaning: first all errors, so that a flood of warnings cannot drown one.
pub(crate) fn check(spec: &GameSpec, faults: &mut Faults<'_>) {
    let view = View::new(spec);
    errors(&view, faults);
    warnings(&view, faults);
}

fn errors(view: &View<'_>, faults: &mut Faults<'_>) {
    board::check(view, faults);
    players::check(view, faults);
    teams::check(view, faults);
    setup::check(view, faults);
    conditions::check(view, faults);
    regions::check(view, faults);
    pieces::check(view, faults);
    letters::check(view, faults);
    moves::check(view, faults);
    guards::check(view, faults);
    dependencies::check(view, faults);
    effects::check(view, faults);
    victims::check(view, faults);
    promotion::check(view, faults);
    flags::check(view, faults);
    endings::check(view, faults);
    stops::check(view, faults);
    fates::check(view, faults);
    tag::check(view, faults);
    changes::check(view, faults);
    chance::check(view, faults);
    choices::check(view, faults);
}

fn warnings(view: &View<'_>, faults: &mut Faults<'_>) {
    board::suspect(view, faults);
    pieces::suspect(view, faults);
    setup::suspect(view, faults);
    teams::suspect(view, faults);
    fates::suspect(view, faults);
    tag::suspect(view, faults);
    changes::suspect(view, faults);
    chance::suspect(view, faults);
    mobility::suspect(view, faults);
    guards::suspect(view, faults);
    effects::suspect(view, faults);
    victims::suspect(view, faults);
    promotion::suspect(view, faults);
    castling::suspect(view, faults);
    flags::suspect(view, faults);
    hollow::suspect(view, faults);
    unused::suspect(view, faults);
}
