//! When a game ends by its rules.

use tabiya_engine::{DeadCheck, Position, Rules, Tally, Trigger};

use super::End;

/// Returns how the game ends in a position: by mate or stalemate, then by the endings of the rules in their order, and last by
/// what is only found when the next turn begins.
pub fn end_by_rule(rules: &Rules, position: &Position, tally: Tally) -> Option<End> {
    end_by_rule_knowing(rules, position, tally, KnownFacts::default())
}

/// What the caller already knows about a position, or does not ask for.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownFacts {
    /// There is a legal move.
    pub can_move: bool,
    /// The effort to find out whether the position is dead.
    pub dead_check: DeadCheck,
}

/// Does the same as [`end_by_rule`] without computing the known facts again.
pub fn end_by_rule_knowing(
    rules: &Rules,
    position: &Position,
    tally: Tally,
    known: KnownFacts,
) -> Option<End> {
    let goes_on = position.ended().is_none() && known.can_move;
    let outcome = if goes_on { None } else { rules.outcome(position) };
    let on_board =
        outcome.map(|outcome| End { winners: outcome.winners, reason: rules.reason(outcome.reason) });
    let is_found_later = outcome.is_none_or(|outcome| rules.is_about_turn(outcome.reason));
    if !is_found_later {
        return on_board;
    }
    let ending = rules.ending_with(position, tally, known.dead_check);
    let listed = ending.map(|it| End { winners: it.winners, reason: it.code.to_lowercase() });
    listed.or(on_board)
}

/// Returns how the game ends if the player to move claims everything that can be claimed.
pub fn end_by_claim(rules: &Rules, position: &Position, tally: Tally) -> Option<End> {
    let ending = rules.ending(position, tally, Trigger::Claim, rules.mover(position), None)?;
    Some(End { winners: ending.winners, reason: ending.code.to_lowercase() })
}
