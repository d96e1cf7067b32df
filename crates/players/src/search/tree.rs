//! The tree of one choice: alpha-beta between the player who thinks and all the others.
//!
//! A score counts for the side whose turn it is. The turn does not always change sides (two others in a row, or a player
//! who moves twice), so a score is turned around only where it does.

use std::cmp::Reverse;

use tabiya_engine::{Move, Player, Position, Rules};

use super::Search;
use super::best::{Best, LOST, WIN, WON, Window};
use super::memory::{Memo, Memory};
use super::order::{self, History};
use crate::worth::Worth;
use crate::{Limits, Score, Thought};

/// What one move more than the other side is worth, in hundredths.
const FREEDOM: i32 = 3;
/// So far captures are followed.
const CAPTURES: i32 = 8;
/// No line of the tree is longer: the root, the moves ahead, the captures.
const LONGEST_LINE: usize = Search::MAX_PLIES as usize + CAPTURES as usize + 2;
/// What a capture may bring beyond its victim, in hundredths. One that falls short with all that is not tried.
const SURPRISE: i32 = 150;
/// The question whether to stop is asked each time that so many moves were listed, whatever the size of the board.
const BETWEEN_QUESTIONS: u64 = 8192;
/// Without limits, so many moves are listed: a fraction of a second, or a few seconds in the largest games.
const PATIENCE: u64 = 1_000_000;

/// A search under way.
pub(super) struct Tree<'a> {
    rules: &'a Rules,
    worth: &'a Worth,
    me: Player,
    limits: &'a Limits<'a>,
    nodes: u64,
    /// Moves that were listed: that is what takes the time.
    effort: u64,
    next_question: u64,
    over: bool,
    history: History,
    memory: Memory,
    /// By distance from the root: the best line from there.
    lines: Vec<Vec<Move>>,
}

/// A position of the tree.
struct Node<'p> {
    position: &'p Position,
    ply: usize,
    /// How many moves each side had when it was last its turn: the others, the player who thinks.
    freedom: [i32; 2],
}

impl<'a> Tree<'a> {
    pub(super) fn new(rules: &'a Rules, worth: &'a Worth, me: Player, limits: &'a Limits<'a>) -> Self {
        Tree {
            rules,
            worth,
            me,
            limits,
            nodes: 0,
            effort: 0,
            next_question: 0,
            over: false,
            history: History::new(rules),
            memory: Memory::new(),
            lines: vec![Vec::new(); LONGEST_LINE],
        }
    }

    /// The best of some moves (there is one), as far as it is known when the limits end the search. Each move comes
    /// with a whim, which its score is moved by, so that not every game is the same.
    pub(super) fn think(mut self, position: &Position, whims: &[(Move, i32)], plies: u32) -> Thought {
        let mut moves = whims.to_vec();
        moves.sort_by_key(|(played, _)| Reverse(self.worth.promise(self.rules, position, *played)));
        let mut thought = Thought { depth: 0, nodes: 0, score: Score::Standing(0), line: vec![moves[0].0] };
        for depth in 1..=plies {
            self.deepen(position, &mut moves, depth as i32, &mut thought);
            if self.over {
                break;
            }
            (thought.depth, thought.nodes) = (depth, self.nodes);
            if let Some(watch) = self.limits.watch {
                watch(&thought);
            }
            if !matches!(thought.score, Score::Standing(_)) {
                break;
            }
        }
        thought
    }

    /// Looks at every move to a depth. Whatever is found to be better than the moves before it is the choice so far,
    /// whether or not the limits let the others be looked at.
    fn deepen(&mut self, position: &Position, moves: &mut [(Move, i32)], depth: i32, thought: &mut Thought) {
        let root = Node { position, ply: 0, freedom: [0, moves.len() as i32] };
        let mut best = -WIN;
        for index in 0..moves.len() {
            let (played, whim) = moves[index];
            let window = Window { alpha: moved_by(best, -whim), beta: WIN };
            let score = self.after(&root, true, played, depth, window);
            if self.over {
                return;
            }
            if score > window.alpha {
                best = moved_by(score, whim);
                // The next depth starts with it.
                moves[..=index].rotate_right(1);
                self.extend_line(0, played);
                thought.score = told(score);
                thought.line.clone_from(&self.lines[0]);
            }
        }
    }

    /// The score of a move of a node, for the side that makes it.
    fn after(&mut self, node: &Node<'_>, mine: bool, played: Move, depth: i32, window: Window) -> i32 {
        let position = self.rules.play_unchecked(node.position, played);
        let next = Node { position: &position, ply: node.ply + 1, freedom: node.freedom };
        self.lines[next.ply].clear();
        if self.is_mine(&position) == mine {
            self.score(next, depth - 1, window)
        } else {
            -self.score(next, depth - 1, Window { alpha: -window.beta, beta: -window.alpha })
        }
    }

    fn is_mine(&self, position: &Position) -> bool {
        self.rules.mover(position) == self.me
    }

    /// The score of a position that is so many moves away from the end of the search.
    fn score(&mut self, mut node: Node<'_>, depth: i32, window: Window) -> i32 {
        if depth <= 0 {
            return self.calm(node, depth, window);
        }
        let memo = self.memory.recall(node.position.key());
        if let Some(score) = memo.and_then(|memo| memo.tells(depth, node.ply, window)) {
            return score;
        }
        let mine = self.is_mine(node.position);
        let moves = match self.look(&mut node, mine) {
            Ok(moves) => moves,
            Err(score) => return score,
        };
        let hint = memo.map(|memo| memo.best);
        let moves = order::ordered(self.rules, self.worth, &self.history, node.position, mine, &moves, hint);
        let mut best = Best::new(window, moves[0].played);
        for it in moves {
            let score = self.after(&node, mine, it.played, depth, best.window);
            if self.over {
                return 0;
            }
            if best.improves(score, it.played) {
                self.extend_line(node.ply, it.played);
            }
            if best.is_too_good() {
                if it.promise == 0 {
                    self.history.praise(mine, node.position, it.played, depth);
                }
                break;
            }
        }
        self.memory.keep(Memo::new(node.position.key(), depth, node.ply, &best));
        best.score
    }

    /// The score of a position when only moves that take or promote are followed: what is left hanging at the end of a
    /// search would deceive it. Who has nothing good to take may leave it.
    fn calm(&mut self, mut node: Node<'_>, depth: i32, window: Window) -> i32 {
        let mine = self.is_mine(node.position);
        let moves = match self.look(&mut node, mine) {
            Ok(moves) => moves,
            Err(score) => return score,
        };
        let standing = self.standing(&node, mine);
        let mut best = Best::new(window, moves[0]);
        best.improves(standing, moves[0]);
        if best.is_too_good() || depth <= -CAPTURES {
            return best.score;
        }
        for it in order::captures(self.rules, self.worth, node.position, &moves) {
            if standing + it.promise + SURPRISE <= best.window.alpha {
                continue;
            }
            let score = self.after(&node, mine, it.played, depth, best.window);
            if self.over {
                return 0;
            }
            if best.improves(score, it.played) {
                self.extend_line(node.ply, it.played);
            }
            if best.is_too_good() {
                break;
            }
        }
        best.score
    }

    /// The moves of a position; or its score, if the game is over there or the search is.
    fn look(&mut self, node: &mut Node<'_>, mine: bool) -> Result<Vec<Move>, i32> {
        if self.must_stop() {
            return Err(0);
        }
        self.nodes += 1;
        let moves = self.rules.legal_moves(node.position);
        self.effort += 1 + moves.len() as u64;
        if moves.is_empty() || node.position.eliminated().contains(self.me) {
            let score = self.final_score(node);
            return Err(if mine { score } else { -score });
        }
        node.freedom[usize::from(mine)] = moves.len() as i32;
        Ok(moves)
    }

    fn must_stop(&mut self) -> bool {
        if self.effort >= self.next_question {
            self.next_question = self.effort + BETWEEN_QUESTIONS;
            self.over |= self.limits.say_stop() || self.limits.are_open() && self.effort >= PATIENCE;
        }
        self.over |= self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        self.over
    }

    /// The score for the player who thinks, where the game is over at least for that player. Sooner is more.
    fn final_score(&self, node: &Node<'_>) -> i32 {
        let lost = node.ply as i32 - WIN;
        match self.rules.outcome(node.position) {
            _ if node.position.eliminated().contains(self.me) => lost,
            Some(outcome) if outcome.winners.contains(self.me) => -lost,
            Some(outcome) if !outcome.winners.is_empty() => lost,
            _ => 0,
        }
    }

    /// How the side to move stands when nothing happens any more.
    fn standing(&self, node: &Node<'_>, mine: bool) -> i32 {
        let [others, own] = node.freedom;
        let score = self.worth.standing(node.position, self.me) + FREEDOM * (own - others);
        if mine { score } else { -score }
    }

    /// The line from a node is now this move, and what follows it.
    fn extend_line(&mut self, ply: usize, played: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(played);
        before[ply].extend_from_slice(&after[0]);
    }
}

/// A score with a whim, which has no say about wins and losses.
fn moved_by(score: i32, whim: i32) -> i32 {
    match told(score) {
        Score::Standing(score) => score + whim,
        Score::Win(_) | Score::Loss(_) => score,
    }
}

/// The score as others are told it.
fn told(score: i32) -> Score {
    match score {
        WON.. => Score::Win((WIN - score) as u32),
        ..=LOST => Score::Loss((WIN + score) as u32),
        score => Score::Standing(score),
    }
}
