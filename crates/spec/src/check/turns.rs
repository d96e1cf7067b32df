//! The turn order.

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;

use super::lists;
use super::names::Kind;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let turns = &view.spec.turns;
    lists::not_empty(&turns.order, "slots of the turn order", faults);
    lists::at_most(&turns.order, limits::SLOTS, "slots of the turn order", faults);
    turns.order.iter().for_each(|name| view.players.resolve(name, Kind::Player, faults));
    lists::at_least(turns.start_at.as_ref(), 0, "The slot at which the game starts", faults);
    check_start(view, faults);
}

fn check_start(view: &View<'_>, faults: &mut Faults<'_>) {
    let turns = &view.spec.turns;
    let (Some(start_at), Some(order)) = (&turns.start_at, turns.order.known()) else { return };
    // An empty order and a negative index have been reported.
    let Some(index) = start_at.known().filter(|index| **index >= 0) else { return };
    if !order.is_empty() && *index as usize >= order.len() {
        let message = format!("The game starts at slot {index}, but the order has only {}.", order.len());
        let help = format!("slots count from 0: the last one is {}", order.len() - 1);
        faults.report_with_help(Code::StartAtOutOfRange, start_at.place(), message, help);
    }
}
