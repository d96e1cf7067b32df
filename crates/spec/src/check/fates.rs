//! What becomes of whole armies: squares for two, control, exchange, withdrawal and squares that win. All of it rests on
//! leaders, and most of it on partners.

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::model::Captured;
use crate::place::{At, Place};

use super::endings::check_code;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let spec = view.spec;
    if spec.leader.is_none() {
        let places = [
            ("sharing", spec.sharing.as_ref().map(At::place)),
            ("control", spec.control.as_ref().map(At::place)),
            ("exchange", spec.exchange.as_ref().map(At::place)),
            ("hold", spec.hold.as_ref().map(At::place)),
        ];
        for (key, place) in places {
            if let Some(place) = place {
                let message = format!("`{key}` is about leaders, and this game has none.");
                faults.report_with_help(Code::NeedsLeader, place, message, "name a piece under `leader`");
            }
        }
    }
    if let Some(hold) = &spec.hold {
        check_code(&hold.code, "The code of `hold`", faults);
    }
}

/// What can never come about.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let spec = view.spec;
    if view.sides.are_all_alone() {
        if let Some(control) = &spec.control {
            report("Nobody takes control of a partner's army", control.place(), PARTNERS, faults);
        }
        if let Some(withdrawal) = spec.withdrawal.as_ref().filter(|allowed| allowed.known() == Some(&true)) {
            report("Nobody can hand his army to a partner", withdrawal.place(), PARTNERS, faults);
        }
    }
    if let Some(exchange) = &spec.exchange {
        if view.sides.are_all_alone() {
            report("Nobody asks for the leader of a partner", exchange.place(), PARTNERS, faults);
        } else if spec.leader.is_some() && !may_freeze(view) {
            let help = "write \"captured\": \"FREEZES\" under `leader`";
            report("No leader is ever captive", exchange.place(), help, faults);
        }
    }
}

const PARTNERS: &str = "put players together under `teams`";

/// Whether captured leaders are captive; true if there is no telling.
pub(super) fn may_freeze(view: &View<'_>) -> bool {
    let leader = view.spec.leader.as_ref();
    let captured = leader.and_then(|leader| leader.captured.as_ref());
    leader.is_some_and(|leader| leader.known().is_none())
        || captured.is_some_and(|captured| captured.known() != Some(&Captured::Out))
}

fn report(what: &str, place: Place, help: &str, faults: &mut Faults<'_>) {
    faults.report_with_help(Code::NeverHappens, place, format!("{what} in this game."), help);
}
