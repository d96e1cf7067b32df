//! The tree of a proof: one move of the attacker must win against every move of the others.

use tabiya_engine::ending::{Clause, EndingPlan};
use tabiya_engine::{Move, PlayerSet, Position, Rules, Tally, Trigger};

use super::memory::Memory;
use super::{Key, Task};

/// All positions were spent.
pub(super) struct Spent;

type Found<T> = Result<T, Spent>;

/// Nothing of a whole game: the position is new and nothing was quiet.
const FRESH: Tally = Tally { repetitions: 1, quiet: 0 };

pub(super) struct Tree<'r> {
    rules: &'r Rules,
    /// Who attacks.
    side: PlayerSet,
    /// Whether there are endings that the board alone brings about, and that are no part of it.
    has_endings: bool,
    /// So many replies in a row are looked at: each of the others has moved once.
    round: usize,
    limit: u64,
    nodes: u64,
    memory: Memory,
    /// The last reply that refuted something, by the moves that were left.
    refuters: Vec<Option<Move>>,
}

impl<'r> Tree<'r> {
    pub(super) fn new(rules: &'r Rules, position: &Position, task: &Task<'_>) -> Self {
        let is_told_by_board = |plan: &EndingPlan| {
            let of_board = |clause: &Clause| {
                !matches!(clause, Clause::Repetition(_) | Clause::Quiet(_) | Clause::CannotWin(_))
            };
            plan.by == Trigger::Rule && !plan.stops && plan.when.iter().all(of_board)
        };
        Tree {
            rules,
            side: rules.team(rules.decider(position, rules.mover(position))),
            has_endings: rules.endings().iter().any(is_told_by_board),
            round: rules.order().len(),
            limit: task.nodes,
            nodes: 0,
            memory: Memory::new(task.nodes),
            refuters: vec![None; Task::MAX_MOVES as usize + 1],
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the attacker has won a game that is over; in the order of a referee.
    pub(super) fn is_won(&self, position: &Position) -> Option<bool> {
        let outcome = self.rules.outcome(position);
        let is_sure = outcome.is_some_and(|outcome| !self.rules.is_about_turn(outcome.reason));
        let listed = if self.has_endings && !is_sure {
            self.rules.ending(position, FRESH, Trigger::Rule, self.rules.mover(position), None)
        } else {
            None
        };
        let winners = listed.map(|ending| ending.winners).or(outcome.map(|outcome| outcome.winners))?;
        Some(!winners.intersection(self.side).is_empty())
    }

    /// Whether a first move wins in so many moves; or else the reply to it.
    pub(super) fn try_first(
        &mut self,
        position: &Position,
        first: Move,
        moves: u32,
    ) -> Found<Result<(), Option<Move>>> {
        let next = self.play(position, first)?;
        if self.is_won(&next).is_none() && !self.is_attackers(&next) {
            return Ok(self.refuter(&next, moves - 1, 0)?.map_or(Ok(()), |reply| Err(Some(reply))));
        }
        Ok(if self.is_forced(&next, moves - 1, 0)? { Ok(()) } else { Err(None) })
    }

    /// A game in which the attacker wins as soon as possible and the others hold out as long as possible.
    pub(super) fn line(&mut self, position: &Position, key: Key) -> Vec<Move> {
        let mut line = vec![key.first];
        let mut left = key.moves - 1;
        let mut replies = 0;
        let mut position = self.rules.play_unchecked(position, key.first);
        while self.is_won(&position).is_none() {
            let Ok(Some((played, still_left))) = self.best(&position, left, replies) else { break };
            replies = if self.is_attackers(&position) { 0 } else { replies + 1 };
            left = still_left;
            position = self.rules.play_unchecked(&position, played);
            line.push(played);
        }
        line
    }

    /// The next move of such a game, and how many moves of the attacker are left after it.
    fn best(&mut self, position: &Position, left: u32, replies: usize) -> Found<Option<(Move, u32)>> {
        if self.is_attackers(position) {
            return Ok(self.winner(position, left)?.map(|played| (played, left - 1)));
        }
        let mut longest: Option<(Move, u32)> = None;
        for played in self.rules.legal_moves(position) {
            let next = self.play(position, played)?;
            let mut needed = longest.map_or(0, |(_, most)| most);
            while needed <= left && !self.is_forced(&next, needed, replies + 1)? {
                needed += 1;
            }
            if longest.is_none_or(|(_, most)| needed > most) {
                longest = Some((played, needed.min(left)));
            }
        }
        Ok(longest)
    }

    /// Whether the attacker wins with so many moves left, after so many replies in a row.
    fn is_forced(&mut self, position: &Position, left: u32, replies: usize) -> Found<bool> {
        if let Some(is_won) = self.is_won(position) {
            return Ok(is_won);
        }
        if !self.is_attackers(position) {
            return Ok(self.refuter(position, left, replies)?.is_none());
        }
        if left == 0 {
            return Ok(false);
        }
        if let Some(known) = self.memory.recall(position.key(), left) {
            return Ok(known);
        }
        let is_won = self.winner(position, left)?.is_some();
        self.memory.keep(position.key(), left, is_won);
        Ok(is_won)
    }

    /// A move of the attacker that wins with so many moves left, this one included.
    fn winner(&mut self, position: &Position, left: u32) -> Found<Option<Move>> {
        for (played, next) in self.attempts(position, left)? {
            if self.is_forced(&next, left - 1, 0)? {
                return Ok(Some(played));
            }
        }
        Ok(None)
    }

    /// The attacker's moves and where they lead. The last ones need no order; before them, checks come first, and what
    /// leaves few replies.
    fn attempts(&mut self, position: &Position, left: u32) -> Found<Vec<(Move, Position)>> {
        let mut attempts = Vec::new();
        for played in self.rules.legal_moves(position) {
            let next = self.play(position, played)?;
            let order = if left > 1 { self.promise(&next) } else { (false, 0) };
            attempts.push((order, played, next));
        }
        if left > 1 {
            attempts.sort_by_key(|(order, ..)| *order);
        }
        Ok(attempts.into_iter().map(|(_, played, next)| (played, next)).collect())
    }

    fn promise(&self, next: &Position) -> (bool, u64) {
        let mut others = self.rules.alive(next).without(self.side).iter();
        let is_check = others.any(|player| self.rules.in_check(next, player));
        (!is_check, self.rules.count_moves(next))
    }

    /// A reply after which the attacker does not win with so many moves left. If the attacker's turn does not come within
    /// a round, any reply is one.
    fn refuter(&mut self, position: &Position, left: u32, replies: usize) -> Found<Option<Move>> {
        // A game that is not over has a move.
        let mut moves = self.rules.legal_moves(position);
        if replies >= self.round {
            return Ok(moves.first().copied());
        }
        let latest = self.refuters[left as usize];
        if let Some(place) = moves.iter().position(|played| Some(*played) == latest) {
            moves.swap(0, place);
        }
        for played in moves {
            let next = self.play(position, played)?;
            if !self.is_forced(&next, left, replies + 1)? {
                self.refuters[left as usize] = Some(played);
                return Ok(Some(played));
            }
        }
        Ok(None)
    }

    fn is_attackers(&self, position: &Position) -> bool {
        self.side.contains(self.rules.decider(position, self.rules.mover(position)))
    }

    fn play(&mut self, position: &Position, played: Move) -> Found<Position> {
        if self.nodes >= self.limit {
            return Err(Spent);
        }
        self.nodes += 1;
        Ok(self.rules.play_unchecked(position, played))
    }
}
