//! Whether a condition may ever hold. What is not modelled may: that only draws the future wider.

use crate::blueprint::{Anchor, Occupancy};
use crate::dead::future::{Doubt, Future, GLANCES_A_STEP};
use crate::dead::men::{MenSet, bit, members};
use crate::dead::walk::Landing;
use crate::piece::Kind;
use crate::rules::Test;
use crate::square::Square;

impl Future<'_> {
    /// Whether all conditions of a landing may hold, each by itself. If one cannot, the man waits for what it lacks.
    pub(super) fn may_all_hold(&mut self, tests: &[Test], landing: &Landing<'_>) -> Result<bool, Doubt> {
        for test in tests {
            self.spend(1)?;
            if !self.may_hold(test, landing)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Kept out of the loop above: most moves have no conditions, and should not pay for it.
    #[inline(never)]
    fn may_hold(&mut self, test: &Test, landing: &Landing<'_>) -> Result<bool, Doubt> {
        let &Landing { man, from, to, .. } = landing;
        let rules = self.rules;
        match test {
            Test::FirstMove => Ok(self.unmoved_at(from) & bit(man) != 0),
            Test::InRegion(region) => Ok(rules.in_region(*region, self.men.man(man).player, to)),
            Test::PathEmpty => self.may_path_be_empty(landing),
            Test::Region { .. }
            | Test::Count { .. }
            | Test::DependsOn(_)
            | Test::RookFirstMove(_)
            | Test::NotAttacked
            | Test::PathNotAttacked => Ok(true),
            Test::PieceFirstMove(jump) => Ok(rules.jumps.to(*jump, from).is_some_and(|square| {
                let unmoved = self.unmoved_at(square);
                self.may_meet(man, square, unmoved)
            })),
            Test::CheckState(flag, jump) => Ok(rules.jumps.to(*jump, from).is_some_and(|square| {
                let carriers = self.carriers[flag.index()];
                self.may_meet(man, square, carriers)
            })),
            Test::Square { jump, anchor, state, kinds, unmoved } => {
                let anchor = match anchor {
                    Anchor::Source => from,
                    Anchor::Target => to,
                };
                match rules.jumps.to(*jump, anchor) {
                    Some(square) => self.may_be(man, square, *state, kinds.as_deref(), *unmoved),
                    None => Ok(false),
                }
            }
        }
    }

    /// Whether a square may be as described, as the man sees it.
    fn may_be(
        &mut self,
        man: usize,
        square: Square,
        state: Option<Occupancy>,
        kinds: Option<&[Kind]>,
        unmoved: Option<bool>,
    ) -> Result<bool, Doubt> {
        let mut wanted = match state {
            Some(Occupancy::Empty) => return Ok(!self.is_blocked(man, square)),
            None if kinds.is_none() && unmoved.is_none() => return Ok(true),
            Some(Occupancy::Ally) => self.men.side_of(man),
            Some(Occupancy::Enemy) => !self.men.side_of(man),
            Some(Occupancy::NotEmpty | Occupancy::Team) | None => MenSet::MAX,
        };
        if let Some(kinds) = kinds {
            wanted &= self.of_kinds(kinds)?;
        }
        if unmoved == Some(true) {
            wanted &= self.unmoved_at(square);
        }
        Ok(self.may_meet(man, square, wanted))
    }

    /// Whether one of these may stand on the square; if not, the man waits for them.
    fn may_meet(&mut self, man: usize, square: Square, wanted: MenSet) -> bool {
        let meets = self.fields[square.index()].visitors & wanted != 0;
        if !meets {
            self.wait(man, square);
        }
        meets
    }

    /// Those who may stand on the square and never have moved: he who stands there now, and promoted men.
    fn unmoved_at(&self, square: Square) -> MenSet {
        let visitors = self.fields[square.index()].visitors;
        let is_unmoved = |man: usize| {
            let man = self.men.man(man);
            man.unmoved && man.home == square
        };
        members(visitors & !self.fresh)
            .filter(|man| is_unmoved(*man))
            .fold(visitors & self.fresh, |set, man| set | bit(man))
    }

    /// Those who may be of one of the kinds.
    pub(super) fn of_kinds(&mut self, kinds: &[Kind]) -> Result<MenSet, Doubt> {
        self.spend(kinds.len() * (self.men.len() + self.forms.len()) / GLANCES_A_STEP)?;
        let now = self.men.iter().filter(|(_, man)| kinds.contains(&man.kind)).map(|(man, _)| man);
        let later = self.forms.iter().filter(|(_, kind)| kinds.contains(kind)).map(|(man, _)| *man);
        Ok(now.chain(later).fold(0, |set, man| set | bit(man)))
    }

    /// Holes block a path.
    fn may_path_be_empty(&mut self, landing: &Landing<'_>) -> Result<bool, Doubt> {
        let &Landing { man, mut from, steps, pattern, .. } = landing;
        for _ in 1..steps * pattern.units {
            self.spend(1)?;
            match self.rules.jumps.to(pattern.unit, from) {
                Some(next) if !self.is_blocked(man, next) => from = next,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}
