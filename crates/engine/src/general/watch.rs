//! On which squares it depends whether a guarded capture hits: as long as nothing happens there, it cannot come to hit.

use crate::blueprint::Anchor;
use crate::general::lookout::Aimed;
use crate::general::set::Set;
use crate::jumps::Jumps;
use crate::rules::{Change, Jump, Test};
use crate::square::Square;

/// The squares that decide whether the capture hits its target; `None` if that cannot be told.
pub(crate) fn watched<const W: usize>(jumps: &Jumps, aimed: &Aimed<'_>, target: Square) -> Option<Set<W>> {
    let pattern = aimed.pattern;
    let act = pattern.on_enemy.as_ref()?;
    let mut watch = Watch { jumps, source: aimed.from, target, squares: Set::one(aimed.from) };
    watch.path(pattern.jump, aimed.steps);
    watch.path(pattern.unit, aimed.steps * pattern.units);
    for test in pattern.tests.iter().chain(&act.tests) {
        watch.test(test)?;
    }
    for change in &act.changes {
        watch.change(change);
    }
    Some(watch.squares)
}

struct Watch<'a, const W: usize> {
    jumps: &'a Jumps,
    source: Square,
    target: Square,
    squares: Set<W>,
}

impl<const W: usize> Watch<'_, W> {
    /// All squares before the last step.
    fn path(&mut self, jump: Jump, steps: u32) {
        let mut at = self.source;
        for _ in 1..steps {
            let Some(next) = self.jumps.to(jump, at) else { break };
            at = next;
            self.squares |= Set::one(at);
        }
    }

    fn look(&mut self, jump: Jump, from: Square) {
        self.squares |= self.jumps.to(jump, from).map_or(Set::EMPTY, Set::one);
    }

    fn test(&mut self, test: &Test) -> Option<()> {
        match test {
            // Flags run out wherever they are, and other moves ask for more.
            Test::DependsOn(_) | Test::CheckState(..) | Test::Count { .. } => return None,
            Test::PieceFirstMove(jump)
            | Test::RookFirstMove(jump)
            | Test::Square { jump, anchor: Anchor::Source, .. } => self.look(*jump, self.source),
            Test::Square { jump, anchor: Anchor::Target, .. } => self.look(*jump, self.target),
            // Source and path are watched already, regions stay, and inside an attack nobody asks about attacks.
            Test::FirstMove
            | Test::PathEmpty
            | Test::InRegion(_)
            | Test::Region { .. }
            | Test::NotAttacked
            | Test::PathNotAttacked => {}
        }
        Some(())
    }

    /// Effects can block the capture.
    fn change(&mut self, change: &Change) {
        match change {
            Change::SetFlag { .. } => {}
            Change::Capture(jump) => self.look(*jump, self.source),
            Change::Relocate { from, to, .. } => {
                self.look(*from, self.source);
                self.look(*to, self.source);
            }
        }
    }
}
