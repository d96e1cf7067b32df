//! Captures to their end: what is left hanging at the end of a search would deceive it.

use tabiya_engine::{Move, Position};

use super::{CAPTURES, Node, Tree};
use crate::search::best::{WIN, Window};
use crate::search::order::Ordered;
use crate::worth::Board;

/// What a capture may bring beyond its victim, in hundredths. One that falls short with all that is not tried.
const SURPRISE: i32 = 150;
/// What the moves of a side may count more or less than when it was last its turn, in hundredths.
const LEEWAY: i32 = 60;

impl Tree<'_> {
    /// How the player to move stands once captures are over.
    pub(in crate::search) fn calm_score(&mut self, position: &Position) -> i32 {
        self.me = self.rules.decider(position, self.rules.mover(position));
        self.us = self.rules.team(self.me);
        (self.effort, self.next_question, self.over) = (0, 0, false);
        let node = Node { position, ply: 0, reach: [0, 0], is_passed: false };
        self.calm(node, 0, Window { alpha: -WIN, beta: WIN })
    }

    /// The score of a position when only moves that take or promote are followed: what is left hanging at the end of a
    /// search would deceive it. Who has nothing good to take may leave it.
    pub(super) fn calm(&mut self, mut node: Node<'_>, depth: i32, window: Window) -> i32 {
        let mine = self.is_mine(node.position);
        let mut board = std::mem::take(&mut self.boards[node.ply]);
        self.worth.look(node.position, &mut board, &mut self.recent);
        // Who stands far better than the other side allows has moves that do not matter.
        let standing = self.standing(&node, &board, mine);
        let score =
            if node.position.ended().is_none() && standing - LEEWAY >= window.beta && !self.must_stop() {
                self.nodes += 1;
                self.effort += 1;
                standing
            } else {
                match self.list(&mut node, &board, mine) {
                    Ok(moves) => self.captures(&node, &board, mine, &moves, depth, window),
                    Err(score) => score,
                }
            };
        self.boards[node.ply] = board;
        score
    }

    fn captures(
        &mut self,
        node: &Node<'_>,
        board: &Board,
        mine: bool,
        moves: &[Move],
        depth: i32,
        window: Window,
    ) -> i32 {
        let standing = self.standing(node, board, mine);
        let (mut best, mut alpha) = (standing, window.alpha.max(standing));
        if best >= window.beta || depth <= -CAPTURES {
            return best;
        }
        let mover = self.rules.mover(node.position);
        for it in Ordered::captures(self.worth, board, moves) {
            if standing + it.promise + SURPRISE <= alpha {
                continue;
            }
            let taker = self.worth.man(board.man(it.played));
            if it.promise < taker && self.rules.is_attacked(node.position, it.played.to, mover) {
                continue;
            }
            let position = self.rules.play_unchecked(node.position, it.played);
            self.lines[node.ply + 1].clear();
            let next = Node { position: &position, ply: node.ply + 1, reach: node.reach, is_passed: false };
            let inner = Window { alpha, beta: window.beta };
            let score = if self.rules.die(&position).is_some() {
                // What chance allows next nobody knows: what stands there is all that can be told.
                self.standing_of(&position, node.ply + 1, mine)
            } else if self.is_mine(&position) == mine {
                self.calm(next, depth - 1, inner)
            } else {
                -self.calm(next, depth - 1, inner.turned())
            };
            if self.over {
                return 0;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.extend_line(node.ply, it.played);
            }
            if score >= window.beta {
                break;
            }
        }
        best
    }
}
