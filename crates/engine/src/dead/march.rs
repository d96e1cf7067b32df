//! Whether a man obviously comes to be promoted, step by step over squares that are empty now. In endings with few men it is
//! often the only one that may still win, and that is seen without drawing the whole future.

use crate::general::Patterns;
use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::{Jump, Pattern, Rules, Test};
use crate::square::Square;

/// A single step of a kind that asks for nothing, and by which it is promoted somewhere.
pub(crate) struct March {
    kind: Kind,
    jump: Jump,
    /// In which regions it must land for each promotion, and what it may become.
    ends: Vec<(Vec<u16>, Vec<Kind>)>,
}

impl March {
    /// Those of all kinds of a player.
    pub(crate) fn all(patterns: &Patterns, leader: Option<Kind>) -> Box<[March]> {
        let kinds = (0..).map(Kind).zip(patterns.iter()).filter(|(kind, _)| Some(*kind) != leader);
        kinds.flat_map(|(kind, moves)| moves.iter().filter_map(move |it| March::of(kind, it))).collect()
    }

    fn of(kind: Kind, pattern: &Pattern) -> Option<March> {
        let Pattern { min: 1, max: 1, tests, on_empty: Some(act), modifiers, .. } = pattern else {
            return None;
        };
        let is_bare = tests.is_empty() && act.tests.is_empty() && act.changes.is_empty();
        let regions = |tests: &[Test]| {
            tests
                .iter()
                .map(|test| if let Test::InRegion(region) = test { Some(*region) } else { None })
                .collect::<Option<Vec<u16>>>()
        };
        let ends: Option<Vec<_>> =
            modifiers.iter().map(|it| Some((regions(&it.tests)?, it.options.to_vec()))).collect();
        Some(March { kind, jump: pattern.jump, ends: ends? }).filter(|it| is_bare && !it.ends.is_empty())
    }
}

impl Rules {
    /// What a man of the player may obviously become, and where: each such place is shown until somebody has seen enough.
    pub(super) fn sees_promotion(
        &self,
        position: &Position,
        player: Player,
        mut enough: impl FnMut(Square, Kind) -> bool,
    ) -> bool {
        self.marches[player.index()].iter().any(|march| {
            position.army(player, march.kind).any(|home| {
                let ends_at = |to: Square| {
                    let holds = |regions: &[u16]| regions.iter().all(|it| self.in_region(*it, player, to));
                    march.ends.iter().find(|(regions, _)| holds(regions)).map(|(_, kinds)| kinds)
                };
                let mut at = home;
                // No way on a board is longer.
                for _ in 0..self.board.len() {
                    let next = self.jumps.to(march.jump, at).filter(|to| !position.occupied(*to));
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
