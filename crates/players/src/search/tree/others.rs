//! Turns that are neither ours nor the one opponent's: those of several others, and those of the die.

use tabiya_engine::{Die, Position};

use super::{Node, Tree};
use crate::search::best::{WIN, Window};

/// No standing that counts in a mean is greater.
const MOST_STANDING: i32 = 1 << 20;

impl Tree<'_> {
    /// The position after one of the others has answered and the rest of them let their turns go by; `None` if nobody is
    /// left to do so, or cannot.
    pub(super) fn skipped(&self, position: &Position) -> Option<Position> {
        let mut latest: Option<Position> = None;
        // Who is out of the game never has a turn again.
        for _ in self.rules.order() {
            let here = latest.as_ref().unwrap_or(position);
            let next = if self.is_mine(here) { None } else { self.turn_goes_by(here) };
            match next {
                Some(next) => latest = Some(next),
                None => break,
            }
        }
        latest
    }

    /// What the others who move after this one can answer instead of it, if only one of them answers.
    pub(super) fn other_answer(&mut self, node: &Node<'_>, depth: i32, window: Window) -> Option<i32> {
        if !self.one_answers {
            return None;
        }
        let next = self.turn_goes_by(node.position).filter(|next| !self.is_mine(next))?;
        let there = Node { position: &next, ply: node.ply + 1, reach: node.reach, is_passed: false };
        self.lines[node.ply + 1].clear();
        Some(self.score(there, depth, window))
    }

    /// The position after the turn of somebody who can afford to let it go by.
    pub(super) fn turn_goes_by(&self, position: &Position) -> Option<Position> {
        if position.ended().is_some() || self.rules.in_check(position, self.rules.mover(position)) {
            return None;
        }
        self.rules.null_move(position)
    }

    /// The mean of what follows from each face of the die. A face that allows nothing is taken as it stands: to follow every
    /// throw that is thrown again would take for ever.
    pub(super) fn thrown(&mut self, node: &Node<'_>, position: &Position, mine: bool, depth: i32) -> i32 {
        let faces = self.rules.faces().unwrap_or(1);
        let open = Window { alpha: -WIN, beta: WIN };
        let (mut sum, mut count) = (0i64, 0i64);
        for face in 1..=faces {
            let Some(next) = self.rules.throw(position, face) else { continue };
            let score = match self.rules.die(&next) {
                Some(Die::Awaited(_)) if self.rules.outcome(&next).is_none() => {
                    self.standing_of(&next, node.ply + 1, mine)
                }
                _ => self.reached(node, &next, mine, depth, open),
            };
            // What chance decides is not proved: a win counts as much as anything can be worth.
            sum += i64::from(score.clamp(-MOST_STANDING, MOST_STANDING));
            count += 1;
            if self.over {
                return 0;
            }
        }
        self.lines[node.ply + 1].clear();
        (sum / count.max(1)) as i32
    }
}
