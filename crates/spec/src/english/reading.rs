//! The words that the moves are told in. Only what this game needs is explained.

use tabiya_engine::Rules;
use tabiya_engine::blueprint::{Condition, Effect, MovePlan};

use super::counts;
use super::named::{all_conditions, all_effects};
use super::page::Page;

/// The whole section.
pub(super) fn tell(rules: &Rules, page: &mut Page) {
    page.heading("How to read the moves");
    page.item(
        0,
        "Forward, right and the rest are those of the player who moves. [2,1] is 2 to the right and 1 forward; a minus \
         sign is to the left or backward. Places are counted from the square that the piece leaves.",
    );
    page.item(0, "No move lands outside the board or on a hole, and no slide goes on beyond one.");
    if any_move(rules, |plan| plan.repeat.max != Some(1)) {
        page.item(
            0,
            "A slide may land after each of its steps, as far as their number allows. It goes no further than the \
             square that ends it, whether it can land there or not.",
        );
    }
    page.item(0, enemies(rules));
    if rules.leader().is_some() || any_condition(rules, asks_about_attacks) {
        attacks(rules, page);
    }
    if any_move(rules, |plan| all_effects(plan).next().is_some()) {
        effects(rules, page);
    }
    if any_move(rules, |plan| !plan.modifiers.is_empty()) {
        page.item(
            0,
            "A piece that is promoted is a fresh one: it has never moved and carries no flag. Its player must choose, \
             and the choice is part of the move. Conditions of a promotion look at the board before the move.",
        );
    }
    if rules.kinds().any(|kind| rules.may_coincide(kind)) {
        page.item(
            0,
            "Two moves of a piece to the same square are one if they lead to the same position; otherwise the number \
             of the move tells them apart.",
        );
    }
}

fn enemies(rules: &Rules) -> &'static str {
    if counts::has_teams(rules) {
        return "An enemy piece is one of a player of another team, also of one who is out; an opponent is a player of \
                another team who is neither out nor frozen. To capture is to remove a piece and take its square.";
    }
    match rules.players().count() {
        1 => "There are no enemy pieces: every piece belongs to the one player.",
        2 => {
            "An enemy piece is one of the other player. To capture is to remove a piece and take its square."
        }
        _ => {
            "An enemy piece is one of any other player, also of one who is out; an opponent is any other player who is \
             not out. To capture is to remove a piece and take its square."
        }
    }
}

fn attacks(rules: &Rules, page: &mut Page) {
    page.item(
        0,
        "A square is attacked if an opponent could capture a piece that stood there by landing on it, whatever becomes \
         of its own leader. Conditions count, except those that ask about attacks themselves; removing a piece \
         elsewhere is no attack.",
    );
    if any_condition(rules, asks_about_attacks) {
        page.item(
            0,
            "A piece that asks whether a square is attacked is thought to stand there, and no longer on its own square.",
        );
    }
}

fn effects(rules: &Rules, page: &mut Page) {
    page.item(0, "What a move does beyond landing happens after it, in the order in which it is told.");
    if any_move(rules, |plan| all_effects(plan).any(|effect| matches!(effect, Effect::Relocate { .. }))) {
        page.item(
            0,
            "A second piece that goes along is one of the same player, and counts as moved. If it is not there, nothing \
             happens; if its new square is not there or not free, the whole move is not possible.",
        );
    }
}

fn asks_about_attacks(condition: &Condition) -> bool {
    matches!(condition, Condition::NotAttacked | Condition::PathNotAttacked)
}

fn any_move(rules: &Rules, holds: impl Fn(&MovePlan) -> bool) -> bool {
    rules.blueprint().kinds().iter().flat_map(|kind| &kind.moves).any(holds)
}

fn any_condition(rules: &Rules, holds: impl Fn(&Condition) -> bool) -> bool {
    any_move(rules, |plan| all_conditions(plan).any(&holds))
}
