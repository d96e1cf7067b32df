//! The tree of one choice: principal variation search between the side that thinks and all the others.
//!
//! A score counts for the side whose turn it is. The turn does not always change sides (partners in a row, two others, a
//! player who moves twice), so a score is turned around only where it does. A throw of the die is nobody's turn: what
//! follows from each face counts alike.

mod calm;
mod others;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya_engine::ending::Clause;
use tabiya_engine::{Die, Move, Player, PlayerSet, Position, Rules};

use super::Search;
use super::best::{Bound, LOST, WIN, WON, Window};
use super::memory::{Memo, Memory};
use super::order::{History, Ordered};
use super::path::Path;
use crate::structure::Recent;
use crate::worth::{Board, Worth};
use crate::{Limits, Score, Thought};

/// So far captures are followed.
const CAPTURES: i32 = 12;
/// No line of the tree is longer: the root, the moves ahead with what checks add to them, the captures.
const LONGEST_LINE: usize = 2 * Search::MAX_PLIES as usize + CAPTURES as usize + 2;
/// What each move that is still to come may change, in hundredths: who stands better by more is not asked further.
const MARGIN: i32 = 90;
/// The question whether to stop is asked each time that so many moves were listed, whatever the size of the board.
const BETWEEN_QUESTIONS: u64 = 8192;
/// Without limits, so many moves are listed: some hundredths of a second, or a second in the largest games.
const PATIENCE: u64 = 300_000;

/// A search under way.
pub(super) struct Tree<'a> {
    rules: &'a Rules,
    worth: &'a Worth,
    /// The side that thinks.
    us: PlayerSet,
    me: Player,
    limits: &'a Limits<'a>,
    /// Nothing is remembered without it.
    memory: Option<&'a Memory>,
    nodes: u64,
    company: Company<'a>,
    /// Moves that were listed: that is what takes the time.
    effort: u64,
    next_question: u64,
    over: bool,
    history: History,
    /// By distance from the root: the best line from there.
    lines: Vec<Vec<Move>>,
    /// By distance from the root: what stands where.
    boards: Vec<Board>,
    /// The positions on the way to the present one, those of the game before the root first.
    path: Path,
    /// Structures that were seen.
    recent: Recent,
    /// Whether a position that comes again is a draw sooner or later.
    repeats: bool,
    /// Whether only one of the others answers a move, whoever has the best answer: where all would, the tree is wide, and
    /// to believe that all of them think of nothing but us is too much fear.
    one_answers: bool,
}

/// Whether other threads search the same moves. How many positions those looked at who help is counted together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Company<'a> {
    Alone,
    Leads(&'a AtomicU64),
    Helps(&'a AtomicU64),
}

/// A position of the tree.
struct Node<'p> {
    position: &'p Position,
    ply: usize,
    /// What the moves of each side counted when it was last its turn: the others, the side that thinks.
    reach: [i32; 2],
    /// Whether it came about by letting a turn go by.
    is_passed: bool,
}

impl<'a> Tree<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        worth: &'a Worth,
        me: Player,
        limits: &'a Limits<'a>,
        memory: Option<&'a Memory>,
    ) -> Self {
        let by_repetition = |clause: &Clause| matches!(clause, Clause::Repetition(_));
        Tree {
            rules,
            worth,
            us: rules.team(me),
            me,
            limits,
            memory,
            nodes: 0,
            company: Company::Alone,
            effort: 0,
            next_question: 0,
            over: false,
            history: History::new(worth, LONGEST_LINE),
            lines: vec![Vec::new(); LONGEST_LINE],
            boards: vec![Board::default(); LONGEST_LINE],
            path: Path::new(limits.earlier),
            recent: Recent::with_room(),
            one_answers: worth.sides() > 2 && rules.faces().is_none(),
            repeats: rules.endings().iter().any(|plan| plan.when.iter().any(by_repetition)),
        }
    }

    /// The same in company.
    pub(super) fn with(self, company: Company<'a>) -> Self {
        Tree { company, ..self }
    }

    fn all_nodes(&self) -> u64 {
        match self.company {
            Company::Leads(helped) => self.nodes + helped.load(Ordering::Relaxed),
            Company::Alone | Company::Helps(_) => self.nodes,
        }
    }

    /// The best of some moves (there is one), as far as it is known when the limits end the search. Each move comes
    /// with a whim, which its score is moved by, so that not every game is the same.
    pub(super) fn think(
        mut self,
        position: &Position,
        whims: &[(Move, i32)],
        plies: std::ops::RangeInclusive<u32>,
    ) -> Thought {
        let mut moves = whims.to_vec();
        let mut board = Board::default();
        self.worth.look(position, &mut board, &mut self.recent);
        moves.sort_by_key(|(played, _)| Reverse(self.worth.promise(&board, *played)));
        let mut thought = Thought { depth: 0, nodes: 0, score: Score::Standing(0), line: vec![moves[0].0] };
        for depth in plies {
            self.deepen(position, &mut moves, depth as i32, &mut thought);
            if self.over {
                break;
            }
            (thought.depth, thought.nodes) = (depth, self.all_nodes());
            if let Some(watch) = self.limits.watch {
                watch(&thought);
            }
            if !matches!(thought.score, Score::Standing(_)) {
                break;
            }
        }
        thought.nodes = self.all_nodes();
        thought
    }

    /// Looks at every move to a depth. Whatever is found to be better than the moves before it is the choice so far,
    /// whether or not the limits let the others be looked at.
    fn deepen(&mut self, position: &Position, moves: &mut [(Move, i32)], depth: i32, thought: &mut Thought) {
        let root = Node { position, ply: 0, reach: [0, 0], is_passed: false };
        self.path.push(position.key());
        let mut best = -WIN;
        for index in 0..moves.len() {
            let (played, whim) = moves[index];
            let alpha = moved_by(best, -whim);
            let mut score = if index == 0 {
                self.after(&root, true, played, depth - 1, Window { alpha, beta: WIN })
            } else {
                self.after(&root, true, played, depth - 1, Window::above(alpha))
            };
            if index > 0 && score > alpha && !self.over {
                score = self.after(&root, true, played, depth - 1, Window { alpha, beta: WIN });
            }
            if self.over {
                break;
            }
            if score > alpha {
                best = moved_by(score, whim);
                // The next depth starts with it.
                moves[..=index].rotate_right(1);
                self.extend_line(0, played);
                thought.score = told(score);
                thought.line.clone_from(&self.lines[0]);
            }
        }
        self.path.pop();
    }

    /// The score of a move of a node, for the side that makes it, with so many moves to come.
    fn after(&mut self, node: &Node<'_>, mine: bool, played: Move, depth: i32, window: Window) -> i32 {
        let position = self.rules.play_unchecked(node.position, played);
        self.lines[node.ply + 1].clear();
        self.reached(node, &position, mine, depth, window)
    }

    /// The score of a position after a move or throw of a node, for the side that moved there.
    fn reached(
        &mut self,
        node: &Node<'_>,
        position: &Position,
        mine: bool,
        depth: i32,
        window: Window,
    ) -> i32 {
        if let Some(Die::Awaited(_)) = self.rules.die(position) {
            return self.thrown(node, position, mine, depth);
        }
        let skipped = if self.one_answers && !mine { self.skipped(position) } else { None };
        let position = skipped.as_ref().unwrap_or(position);
        let next = Node { position, ply: node.ply + 1, reach: node.reach, is_passed: false };
        if self.is_mine(position) == mine {
            self.score(next, depth, window)
        } else {
            -self.score(next, depth, window.turned())
        }
    }

    /// How a side stands in a position that is not looked at further.
    fn standing_of(&mut self, position: &Position, ply: usize, mine: bool) -> i32 {
        self.worth.look(position, &mut self.boards[ply], &mut self.recent);
        let standing = self.worth.standing(&self.boards[ply], self.me);
        if mine { standing } else { -standing }
    }

    fn is_mine(&self, position: &Position) -> bool {
        self.us.contains(self.rules.mover(position))
    }

    /// The score of a position that is so many moves away from the end of the search.
    fn score(&mut self, mut node: Node<'_>, mut depth: i32, window: Window) -> i32 {
        let key = node.position.key();
        if self.repeats && self.path.has(key) {
            return 0;
        }
        if node.ply + CAPTURES as usize + 2 >= LONGEST_LINE {
            return self.calm(node, 0, window);
        }
        let mover = self.rules.mover(node.position);
        let in_check = depth >= 0 && self.rules.in_check(node.position, mover);
        // Whoever is in check has few moves: they are looked at whatever the depth.
        depth += i32::from(in_check);
        if depth <= 0 {
            return self.calm(node, 0, window);
        }
        let memo = self.memory.and_then(|memory| memory.recall(key));
        if let Some(score) = memo.and_then(|memo| memo.tells(depth, node.ply, window))
            && window.is_question()
        {
            return score;
        }
        let mine = self.is_mine(node.position);
        let mut board = std::mem::take(&mut self.boards[node.ply]);
        self.worth.look(node.position, &mut board, &mut self.recent);
        let score = match self.list(&mut node, &board, mine) {
            Ok(moves) => {
                self.choose(&node, &board, mine, &moves, memo.map(|memo| memo.best), in_check, depth, window)
            }
            Err(score) => score,
        };
        self.boards[node.ply] = board;
        score
    }

    #[expect(clippy::too_many_arguments, reason = "all of it is known, and none of it belongs together")]
    fn choose(
        &mut self,
        node: &Node<'_>,
        board: &Board,
        mine: bool,
        moves: &[Move],
        hint: Option<Move>,
        in_check: bool,
        mut depth: i32,
        window: Window,
    ) -> i32 {
        let standing = self.standing(node, board, mine);
        if let Some(score) = self.cut(node, board, mine, in_check, standing, depth, window) {
            return score;
        }
        // Where nothing is known, a shorter look finds out what to try first the next time.
        if hint.is_none() && depth >= 4 {
            depth -= 1;
        }
        self.path.push(node.position.key());
        let score = self.try_moves(node, board, mine, moves, hint, in_check, standing, depth, window);
        self.path.pop();
        score
    }

    /// Whether the question can be answered without trying moves: who stands far better, or would even if the other side
    /// moved twice.
    #[expect(clippy::too_many_arguments, reason = "all of it is known, and none of it belongs together")]
    fn cut(
        &mut self,
        node: &Node<'_>,
        board: &Board,
        mine: bool,
        in_check: bool,
        standing: i32,
        depth: i32,
        window: Window,
    ) -> Option<i32> {
        let is_plain = window.is_question() && !in_check && window.beta < WON && window.beta > LOST;
        if !is_plain || standing < window.beta {
            return None;
        }
        if depth <= 6 && standing - MARGIN * depth >= window.beta {
            return Some(standing);
        }
        let mover = self.rules.mover(node.position);
        if depth < 3 || node.is_passed || !self.worth.has_force(board, mover) {
            return None;
        }
        // Who moves twice in a row anyway learns nothing from it.
        let position = self.rules.null_move(node.position).filter(|next| self.is_mine(next) != mine)?;
        self.lines[node.ply + 1].clear();
        let next = Node { position: &position, ply: node.ply + 1, reach: node.reach, is_passed: true };
        self.path.push(node.position.key());
        let score = -self.score(next, depth - 3 - depth / 4, Window::above(window.beta - 1).turned());
        self.path.pop();
        (score >= window.beta && !self.over).then_some(score.min(WON - 1))
    }

    #[expect(clippy::too_many_arguments, reason = "all of it is known, and none of it belongs together")]
    fn try_moves(
        &mut self,
        node: &Node<'_>,
        board: &Board,
        mine: bool,
        moves: &[Move],
        hint: Option<Move>,
        in_check: bool,
        standing: i32,
        depth: i32,
        window: Window,
    ) -> i32 {
        let rules = self.rules;
        let mover = rules.mover(node.position);
        let worth = self.worth;
        let is_bad = |played: Move, promise: i32| {
            promise < worth.man(board.man(played)) && rules.is_attacked(node.position, played.to, mover)
        };
        let ordered = Ordered::all(worth, &self.history, board, node.ply, moves, hint, is_bad);
        let mut alpha = window.alpha;
        let (mut best, mut best_move, mut bound) = (-WIN, moves[0], Bound::AtMost);
        let mut quiet: Vec<Move> = Vec::new();
        for (index, it) in ordered.enumerate() {
            let is_quiet = it.promise == 0;
            let may_skip = is_quiet && !in_check && best > LOST && window.is_question();
            if may_skip && depth <= 3 {
                // So late, and so far behind: a quiet move will hardly help.
                let is_late = quiet.len() > (4 + 3 * depth * depth) as usize;
                if is_late || index > 0 && standing + 2 * MARGIN * depth <= alpha {
                    continue;
                }
            }
            let less = if is_quiet && !in_check && depth >= 3 && index >= 3 {
                self.less(board, it.played, index, depth)
            } else {
                0
            };
            let rest = Window { alpha, beta: window.beta };
            let score = if index == 0 {
                self.after(node, mine, it.played, depth - 1, rest)
            } else {
                self.later(node, mine, it.played, depth - 1, less, rest)
            };
            if self.over {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, it.played);
            }
            if score > alpha {
                alpha = score;
                bound = Bound::Exact;
                self.extend_line(node.ply, it.played);
            }
            if score >= window.beta {
                bound = Bound::AtLeast;
                if is_quiet {
                    self.history.praise(board, it.played, node.ply, depth, &quiet);
                }
                break;
            }
            if is_quiet {
                quiet.push(it.played);
            }
        }
        if bound != Bound::AtLeast
            && !mine
            && let Some(score) = self.other_answer(node, depth, Window { alpha, beta: window.beta })
        {
            if self.over {
                return 0;
            }
            best = best.max(score);
            bound = match score {
                _ if score >= window.beta => Bound::AtLeast,
                _ if score > alpha => Bound::Exact,
                _ => bound,
            };
        }
        if let Some(memory) = self.memory {
            memory.keep(node.position.key(), Memo::new(depth, node.ply, best, bound, best_move));
        }
        best
    }

    /// The score of a move that should not be better than those before it: whether it is, is asked first, and less deeply.
    fn later(
        &mut self,
        node: &Node<'_>,
        mine: bool,
        played: Move,
        depth: i32,
        less: i32,
        window: Window,
    ) -> i32 {
        let question = Window::above(window.alpha);
        let mut score = self.after(node, mine, played, depth - less, question);
        if less > 0 && score > window.alpha && !self.over {
            score = self.after(node, mine, played, depth, question);
        }
        if score > window.alpha && score < window.beta && !self.over {
            score = self.after(node, mine, played, depth, window);
        }
        score
    }

    /// How much less deeply a late quiet move is looked at, at first.
    fn less(&self, board: &Board, played: Move, index: usize, depth: i32) -> i32 {
        let log = |number: usize| f32::from(number.min(255) as u8).ln();
        let late = log(index) * log(depth as usize) / 2.2;
        let merit = self.history.merit(board, played) / 6000;
        (1 + late as i32 - merit).clamp(0, depth - 2)
    }

    /// The moves of a position; or its score, if the game is over there or the search is.
    fn list(&mut self, node: &mut Node<'_>, board: &Board, mine: bool) -> Result<Vec<Move>, i32> {
        if self.must_stop() {
            return Err(0);
        }
        self.nodes += 1;
        let moves = self.rules.unsorted_moves(node.position);
        self.effort += 1 + moves.len() as u64;
        if moves.is_empty() || node.position.eliminated().contains(self.me) {
            let score = self.final_score(node);
            return Err(if mine { score } else { -score });
        }
        node.reach[usize::from(mine)] = self.worth.reach(board, self.rules.mover(node.position), &moves);
        Ok(moves)
    }

    fn must_stop(&mut self) -> bool {
        if self.effort >= self.next_question {
            self.next_question = self.effort + BETWEEN_QUESTIONS;
            if let Company::Helps(helped) = self.company {
                helped.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
            }
            self.over |= self.limits.say_stop() || self.limits.are_open() && self.effort >= PATIENCE;
        }
        self.over |= self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        self.over
    }

    /// The score for the side that thinks, where the game is over at least for the player who does. Sooner is more.
    fn final_score(&self, node: &Node<'_>) -> i32 {
        let lost = node.ply as i32 - WIN;
        match self.rules.outcome(node.position) {
            Some(outcome) if outcome.winners.contains(self.me) => -lost,
            Some(outcome) if !outcome.winners.is_empty() => lost,
            _ if node.position.eliminated().contains(self.me) => lost,
            _ => 0,
        }
    }

    /// How the side to move stands when nothing happens any more.
    fn standing(&self, node: &Node<'_>, board: &Board, mine: bool) -> i32 {
        let [others, own] = node.reach;
        let score = self.worth.standing(board, self.me) + own - others;
        self.worth.weights.taste.turn + if mine { score } else { -score }
    }

    /// The line from a node is now this move, and what follows it.
    fn extend_line(&mut self, ply: usize, played: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(played);
        // What follows after turns that were let go by cannot be played.
        if !self.one_answers {
            before[ply].extend_from_slice(&after[0]);
        }
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
