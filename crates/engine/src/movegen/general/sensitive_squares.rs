//! The squares that decide whether a guarded capture is possible. While nothing changes there, an impossible capture
//! stays impossible.

use crate::blueprint::Anchor;
use crate::compile::jump_table::{Jump, JumpTable};
use crate::compile::pattern::{Change, Test};
use crate::movegen::general::attack_info::GuardedAttack;
use crate::movegen::general::bitboard::Bitboard;
use crate::square::Square;

/// Returns the squares that decide whether the capture hits its target, or `None` if they are unknown.
pub(crate) fn sensitive_squares<const W: usize>(
    jumps: &JumpTable,
    attack: &GuardedAttack<'_>,
    target: Square,
) -> Option<Bitboard<W>> {
    let pattern = attack.pattern;
    let action = pattern.on_enemy.as_ref()?;
    let mut squares =
        SensitiveSquares { jumps, source: attack.from, target, squares: Bitboard::one(attack.from) };
    squares.path(pattern.jump, attack.steps);
    squares.path(pattern.unit, attack.steps * pattern.units);
    for test in pattern.tests.iter().chain(&action.tests) {
        squares.test(test)?;
    }
    for change in &action.changes {
        squares.change(change)?;
    }
    Some(squares.squares)
}

struct SensitiveSquares<'a, const W: usize> {
    jumps: &'a JumpTable,
    source: Square,
    target: Square,
    squares: Bitboard<W>,
}

impl<const W: usize> SensitiveSquares<'_, W> {
    /// Adds all squares before the last step.
    fn path(&mut self, jump: Jump, steps: u32) {
        let mut at = self.source;
        for _ in 1..steps {
            let Some(next) = self.jumps.to(jump, at) else { break };
            at = next;
            self.squares |= Bitboard::one(at);
        }
    }

    fn add_jump(&mut self, jump: Jump, from: Square) {
        self.squares |= self.jumps.to(jump, from).map_or(Bitboard::EMPTY, Bitboard::one);
    }

    fn test(&mut self, test: &Test) -> Option<()> {
        match test {
            // Flags expire anywhere, and other moves have further conditions.
            Test::DependsOn(_) | Test::HasFlag(..) | Test::Marked(_) | Test::Position(_) => return None,
            Test::Any(lists) => lists.iter().flatten().try_for_each(|test| self.test(test))?,
            Test::Not(list) => list.iter().try_for_each(|test| self.test(test))?,
            Test::PieceUnmoved(jump)
            | Test::EmptyOrUnmoved(jump)
            | Test::Square { jump, anchor: Anchor::Source, .. } => self.add_jump(*jump, self.source),
            Test::Square { jump, anchor: Anchor::Target, .. } => self.add_jump(*jump, self.target),
            // The source and the path are included already, regions do not change, and attacks are not tested inside
            // attacks.
            Test::FirstMove
            | Test::PathEmpty
            | Test::InRegion(_)
            | Test::Region { .. }
            | Test::NotAttacked
            | Test::PathNotAttacked
            | Test::Attacked { .. }
            | Test::AboutAttacks(_)
            | Test::Event(..)
            | Test::After(_) => {}
        }
        Some(())
    }

    /// Effects can block the capture.
    fn change(&mut self, change: &Change) -> Option<()> {
        match change {
            Change::SetFlag { .. } => {}
            // The hand changes, too, and flags expire anywhere.
            Change::Drop { .. } | Change::CaptureMarked(_) => return None,
            Change::Capture(jump) => self.add_jump(*jump, self.source),
            Change::Relocate { from, to, .. } => {
                self.add_jump(*from, self.source);
                self.add_jump(*to, self.source);
            }
        }
        Some(())
    }
}
