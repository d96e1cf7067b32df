//! Best-reply search for more than two sides, and chance nodes for dice.

use tabiya_engine::{Die, Position};

use super::{AlphaBeta, Node};
use crate::evaluation::EvalBoard;
use crate::search::bounds::Window;

/// The greatest score that enters the mean of a chance node.
const MAX_MEAN_SCORE: i32 = 1 << 20;

impl AlphaBeta<'_> {
    /// Returns the position after one opponent has replied and the remaining opponents have passed. Returns `None` if
    /// no opponent remains that can pass.
    pub(super) fn after_passes(&self, position: &Position) -> Option<Position> {
        let mut latest: Option<Position> = None;
        // One round is enough: eliminated players have no turns.
        for _ in self.rules.order() {
            let here = latest.as_ref().unwrap_or(position);
            match if self.is_ours(here) { None } else { self.pass_turn(here) } {
                Some(next) => latest = Some(next),
                None => break,
            }
        }
        latest
    }

    /// In best-reply search, returns the best score of the opponents that move after the current one.
    pub(super) fn best_other_reply(
        &mut self,
        node: &Node<'_>,
        board: &EvalBoard,
        depth: i32,
        window: Window,
    ) -> Option<i32> {
        if !self.best_reply {
            return None;
        }
        let next = self.pass_turn(node.position).filter(|next| !self.is_ours(next))?;
        self.stack[node.ply].moved = 0;
        self.stack[node.ply + 1].pv.clear();
        Some(self.search_node(Node { near: Some(board), ..node.child(&next) }, depth, window))
    }

    /// Returns the position after the player to move passes. A player in check cannot pass.
    fn pass_turn(&self, position: &Position) -> Option<Position> {
        if position.ended().is_some() || self.rules.in_check(position, self.rules.mover(position)) {
            return None;
        }
        self.rules.null_move(position)
    }

    /// Returns the mean score over all faces of the die. A face that requires another throw is evaluated statically:
    /// following repeated throws would not terminate.
    pub(super) fn search_chance_node(
        &mut self,
        node: &Node<'_>,
        position: &Position,
        ours: bool,
        depth: i32,
    ) -> i32 {
        let faces = self.rules.faces().unwrap_or(1);
        let (mut sum, mut count) = (0i64, 0i64);
        for face in 1..=faces {
            let Some(next) = self.rules.throw(position, face) else { continue };
            let score = match self.rules.die(&next) {
                Some(Die::Awaited(_)) if self.rules.outcome(&next).is_none() => {
                    self.evaluate_position(&next, node.ply + 1, ours)
                }
                _ => self.search_child(node, &next, ours, depth, Window::FULL),
            };
            // A win by chance is not a proven win.
            sum += i64::from(score.clamp(-MAX_MEAN_SCORE, MAX_MEAN_SCORE));
            count += 1;
            if self.stopped {
                return 0;
            }
        }
        self.stack[node.ply + 1].pv.clear();
        (sum / count.max(1)) as i32
    }
}
