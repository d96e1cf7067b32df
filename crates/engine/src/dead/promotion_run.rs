//! Promotion by single steps over squares that are empty now. In endgames with few pieces this is often the only way
//! to win, and it is found without the full analysis.

use crate::compile::jump_table::Jump;
use crate::compile::pattern::{Pattern, Patterns, Test};
use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// An unconditional single step of a kind that promotes on some squares.
pub(crate) struct PromotionRun {
    kind: Kind,
    jump: Jump,
    /// For each promotion: the regions in which the piece must land, and its options.
    ends: Vec<(Vec<u16>, Vec<Kind>)>,
}

impl PromotionRun {
    /// Returns the promotion runs of all kinds of a player.
    pub(crate) fn all(patterns: &Patterns, leader: Option<Kind>) -> Box<[PromotionRun]> {
        let kinds = (0..=u8::MAX).map(Kind).zip(patterns.iter()).filter(|(kind, _)| Some(*kind) != leader);
        kinds
            .flat_map(|(kind, moves)| moves.iter().filter_map(move |it| PromotionRun::of(kind, it)))
            .collect()
    }

    fn of(kind: Kind, pattern: &Pattern) -> Option<PromotionRun> {
        let Pattern { min: 1, max: 1, tests, on_empty: Some(action), modifiers, .. } = pattern else {
            return None;
        };
        let is_bare = tests.is_empty() && action.tests.is_empty() && action.changes.is_empty();
        let regions = |tests: &[Test]| {
            tests
                .iter()
                .map(|test| if let Test::InRegion(region) = test { Some(*region) } else { None })
                .collect::<Option<Vec<u16>>>()
        };
        let ends: Option<Vec<_>> =
            modifiers.iter().map(|it| Some((regions(&it.tests)?, it.options.to_vec()))).collect();
        Some(PromotionRun { kind, jump: pattern.jump, ends: ends? })
            .filter(|it| is_bare && !it.ends.is_empty())
    }
}

impl Rules {
    /// Calls `enough` with each square and kind of a promotion that a piece of the player can reach, until it returns
    /// `true`.
    pub(super) fn any_promotion_run(
        &self,
        position: &Position,
        player: Player,
        mut enough: impl FnMut(Square, Kind) -> bool,
    ) -> bool {
        self.promotion_runs[player.index()].iter().any(|run| {
            position.squares_of(player, run.kind).any(|home| {
                let ends_at = |to: Square| {
                    let holds = |regions: &[u16]| regions.iter().all(|it| self.in_region(*it, player, to));
                    run.ends.iter().find(|(regions, _)| holds(regions)).map(|(_, kinds)| kinds)
                };
                let mut at = home;
                // No path on a board is longer.
                for _ in 0..self.board.len() {
                    let next = self.jumps.to(run.jump, at).filter(|to| !position.occupied(*to));
                    let Some(to) = next else { return false };
                    if let Some(kinds) = ends_at(to) {
                        return kinds.iter().any(|kind| enough(to, *kind));
                    }
                    at = to;
                }
                false
            })
        })
    }
}
