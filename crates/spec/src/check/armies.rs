//! Rules about whole armies: shared squares, control, exchange, withdrawal and squares to hold. All of them need
//! leaders, and most need partners.

use crate::model::{Captured, CheckWhen, Lost};

use super::common::read_or;
use super::endings::check_code;
use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
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
                let message = format!("`{key}` needs leaders, and this game has none.");
                diags.report_with_help(Code::NeedsLeader, place, message, "name a piece under `leader`");
            }
        }
    }
    check_leaders(view, diags);
    if let Some(hold) = &spec.hold {
        check_code(&hold.code, "The code of `hold`", diags);
    }
}

/// Checks what belongs to games with several leaders, and what is only defined for one.
fn check_leaders(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let spec = view.spec;
    let Some(leader) = spec.leader.as_ref().and_then(At::known) else { return };
    let decides = read_or(leader.lost.as_ref(), Lost::Any);
    if let (Some(check), Some(Lost::Any)) = (&leader.check, decides)
        && check.known() == Some(&CheckWhen::All)
    {
        let message = "`ALL` has no effect: the loss of any leader decides, so an attack on any is check.";
        let help = "write \"lost\": \"LAST\" or \"LAST_OF_KIND\", or leave out `check`";
        diags.report_with_help(Code::NeedsLeader, check.place(), message, help);
    }
    let is_single = leader.pieces.len() <= 1 && decides == Some(Lost::Any) && leader.players.is_none();
    if is_single || leader.pieces.known().is_none() || decides.is_none() {
        return;
    }
    let freezes = leader.captured.as_ref().filter(|word| word.known() == Some(&Captured::Freezes));
    let places = [
        ("sharing", spec.sharing.as_ref().map(At::place)),
        ("control", spec.control.as_ref().map(At::place)),
        ("exchange", spec.exchange.as_ref().map(At::place)),
        ("hold", spec.hold.as_ref().map(At::place)),
        ("FREEZES", freezes.map(At::place)),
    ];
    for (key, place) in places {
        if let Some(place) = place {
            let message = format!("`{key}` needs one kind of leader, whose loss always decides.");
            let help = "name one piece under `leader`, without `lost` and `players`";
            diags.report_with_help(Code::NeedsLeader, place, message, help);
        }
    }
}

/// Warns about rules that never apply.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let spec = view.spec;
    if view.teams.has_no_partners() {
        if let Some(control) = &spec.control {
            report("A player can never take control of a partner's army", control.place(), PARTNERS, diags);
        }
        if let Some(withdrawal) = spec.withdrawal.as_ref().filter(|allowed| allowed.known() == Some(&true)) {
            report("A player can never hand an army to a partner", withdrawal.place(), PARTNERS, diags);
        }
    }
    if let Some(exchange) = &spec.exchange {
        if view.teams.has_no_partners() {
            report("A player can never ask for the leader of a partner", exchange.place(), PARTNERS, diags);
        } else if spec.leader.is_some() && !may_freeze(view) {
            let help = "write \"captured\": \"FREEZES\" under `leader`";
            report("Leaders are never taken captive", exchange.place(), help, diags);
        }
    }
}

const PARTNERS: &str = "group players under `teams`";

/// Whether captured leaders become captives; true if that is unknown.
pub(super) fn may_freeze(view: &View<'_>) -> bool {
    let leader = view.spec.leader.as_ref();
    let captured = leader.and_then(|leader| leader.captured.as_ref());
    leader.is_some_and(|leader| leader.known().is_none())
        || captured.is_some_and(|captured| captured.known() != Some(&Captured::Out))
}

fn report(what: &str, place: Place, help: &str, diags: &mut Diagnostics<'_>) {
    diags.report_with_help(Code::NeverHappens, place, format!("{what} in this game."), help);
}
