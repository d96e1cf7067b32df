//! The terms used to describe moves. Only those that the game needs are explained.

use tabiya_engine::Rules;
use tabiya_engine::blueprint::{Condition, Effect, MovePlan};

use super::counts;
use super::definitions::{all_conditions, all_effects};
use super::page::Page;

/// Writes the section.
pub(super) fn write(rules: &Rules, page: &mut Page) {
    page.heading("How to read the moves");
    page.item(
        "Directions are those of the moving player. [2,1] means 2 to the right and 1 forward; negative numbers mean left \
         or backward. Offsets are relative to the square that the piece leaves.",
    );
    page.item("A move cannot land off the board or on a hole, and a slide cannot continue beyond one.");
    if any_move(rules, |plan| plan.repeat.max != Some(1)) {
        page.item(
            "A slide may land after each of its steps, within the given number. It does not continue beyond the square \
             that ends it, even if it cannot land there.",
        );
    }
    page.item(enemies(rules));
    if rules.leader().is_some() || any_condition(rules, asks_about_attacks) {
        attacks(rules, page);
    }
    if any_move(rules, |plan| all_effects(plan).next().is_some()) {
        effects(rules, page);
    }
    if any_move(rules, |plan| !plan.modifiers.is_empty()) {
        page.item(
            "A promoted piece is new: it has never moved and carries no flag. Its player must choose, and the choice is \
             part of the move. The conditions of a promotion refer to the board before the move.",
        );
    }
    if rules.kinds().any(|kind| rules.may_coincide(kind)) {
        page.item(
            "Two moves of a piece to the same square are the same move if they lead to the same position. Otherwise the \
             number of the move distinguishes them.",
        );
    }
}

fn enemies(rules: &Rules) -> &'static str {
    if counts::has_teams(rules) {
        return "An enemy piece belongs to a player of another team, even one who is out. An opponent is a player of another \
                team who is neither out nor frozen. Capturing removes a piece and takes its square.";
    }
    match rules.players().count() {
        1 => "There are no enemy pieces: all pieces belong to one player.",
        2 => "An enemy piece is a piece of the other player. Capturing removes a piece and takes its square.",
        _ => {
            "An enemy piece belongs to another player, even one who is out. An opponent is another player who is not out. \
             Capturing removes a piece and takes its square."
        }
    }
}

fn attacks(rules: &Rules, page: &mut Page) {
    page.item(
        "A square is attacked if an opponent could capture a piece on it by landing there, even if that would expose \
         the opponent's own leader. The conditions of that move must hold, except those about attacks. Removing a \
         piece on another square is not an attack.",
    );
    if any_condition(rules, asks_about_attacks) {
        page.item(
            "To test whether a square is attacked, the moving piece is placed there and removed from its own square.",
        );
    }
}

fn effects(rules: &Rules, page: &mut Page) {
    page.item("The other effects of a move follow after the piece has landed, in the order given.");
    if any_move(rules, |plan| all_effects(plan).any(|effect| matches!(effect, Effect::Relocate { .. }))) {
        page.item(
            "A second piece that moves along belongs to the same player and counts as moved. If it is missing, nothing \
             happens. If its destination does not exist or is occupied, the whole move is impossible.",
        );
    }
}

fn asks_about_attacks(condition: &Condition) -> bool {
    matches!(condition, Condition::NotAttacked | Condition::PathNotAttacked | Condition::Attacked(_))
}

fn any_move(rules: &Rules, holds: impl Fn(&MovePlan) -> bool) -> bool {
    rules.blueprint().kinds().iter().flat_map(|kind| &kind.moves).any(holds)
}

fn any_condition(rules: &Rules, holds: impl Fn(&Condition) -> bool) -> bool {
    any_move(rules, |plan| all_conditions(plan).any(&holds))
}
