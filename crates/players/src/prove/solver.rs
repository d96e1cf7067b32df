//! The AND/OR search of a proof: one attacking move must win against every reply.

use tabiya_engine::ending::{Clause, EndingPlan};
use tabiya_engine::{DeadCheck, Move, PlayerSet, Position, Rules, Tally, Trigger};

use super::proof_table::ProofTable;
use super::{Key, Task};

/// The node limit was reached.
pub(super) struct OutOfNodes;

type Result<T> = std::result::Result<T, OutOfNodes>;

/// The counters of a position without history.
const NO_HISTORY: Tally = Tally::new(1, 0);

pub(super) struct Solver<'r> {
    rules: &'r Rules,
    /// The attacking side.
    side: PlayerSet,
    /// Whether the game lists endings that depend on the board alone.
    has_endings: bool,
    /// The number of consecutive replies searched: one for each other player.
    round: usize,
    limit: u64,
    nodes: u64,
    table: ProofTable,
    /// Killer replies: the last refutation, by the number of moves left.
    killers: Vec<Option<Move>>,
}

impl<'r> Solver<'r> {
    pub(super) fn new(rules: &'r Rules, position: &Position, task: &Task<'_>) -> Self {
        let depends_on_board = |plan: &EndingPlan| {
            let is_on_board = |clause: &Clause| {
                !matches!(
                    clause,
                    Clause::Repetition(_)
                        | Clause::PerpetualCheck { .. }
                        | Clause::Quiet(_)
                        | Clause::CannotWin(_)
                )
            };
            plan.by == Trigger::Rule && !plan.stops && plan.when.iter().all(is_on_board)
        };
        Solver {
            rules,
            side: rules.team(rules.decider(position, rules.mover(position))),
            has_endings: rules.endings().iter().any(depends_on_board),
            round: rules.order().len(),
            limit: task.nodes,
            nodes: 0,
            table: ProofTable::new(task.nodes),
            killers: vec![None; Task::MAX_MOVES as usize + 1],
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns whether the attacker has won, or `None` if the game goes on. Endings take precedence as for a referee.
    pub(super) fn is_won(&self, position: &Position) -> Option<bool> {
        let outcome = self.rules.outcome(position);
        let is_final = outcome.is_some_and(|outcome| !self.rules.is_about_turn(outcome.reason));
        let listed = if self.has_endings && !is_final {
            self.rules.ending_with(position, NO_HISTORY, DeadCheck::WithoutSearch)
        } else {
            None
        };
        let winners = listed.map(|ending| ending.winners).or(outcome.map(|outcome| outcome.winners))?;
        Some(!winners.intersection(self.side).is_empty())
    }

    /// Tries a first move. The inner `Err` holds the reply that refutes it.
    pub(super) fn try_first(
        &mut self,
        position: &Position,
        first: Move,
        moves: u32,
    ) -> Result<std::result::Result<(), Option<Move>>> {
        let next = self.play(position, first)?;
        if self.is_won(&next).is_none() && !self.is_attackers(&next) {
            return Ok(self.refutation(&next, moves - 1, 0)?.map_or(Ok(()), |reply| Err(Some(reply))));
        }
        Ok(if self.is_forced(&next, moves - 1, 0)? { Ok(()) } else { Err(None) })
    }

    /// Returns the line in which the attacker wins as fast and the others resist as long as possible.
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

    /// Returns the next move of such a line, and the number of attacking moves left after it.
    fn best(&mut self, position: &Position, left: u32, replies: usize) -> Result<Option<(Move, u32)>> {
        if self.is_attackers(position) {
            return Ok(self.winning_move(position, left)?.map(|played| (played, left - 1)));
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

    /// Whether the attacker wins with `left` moves, after `replies` consecutive replies.
    fn is_forced(&mut self, position: &Position, left: u32, replies: usize) -> Result<bool> {
        if let Some(is_won) = self.is_won(position) {
            return Ok(is_won);
        }
        if !self.is_attackers(position) {
            return Ok(self.refutation(position, left, replies)?.is_none());
        }
        if left == 0 {
            return Ok(false);
        }
        if let Some(known) = self.table.probe(position.key(), left) {
            return Ok(known);
        }
        let is_won = self.winning_move(position, left)?.is_some();
        self.table.store(position.key(), left, is_won);
        Ok(is_won)
    }

    /// Returns an attacking move that wins with `left` moves, including itself.
    fn winning_move(&mut self, position: &Position, left: u32) -> Result<Option<Move>> {
        for (played, next) in self.attempts(position, left)? {
            if self.is_forced(&next, left - 1, 0)? {
                return Ok(Some(played));
            }
        }
        Ok(None)
    }

    /// Returns the attacker's moves with the resulting positions: checks first, then by the number of replies. The last
    /// move needs no ordering.
    fn attempts(&mut self, position: &Position, left: u32) -> Result<Vec<(Move, Position)>> {
        let mut attempts = Vec::new();
        for played in self.rules.legal_moves(position) {
            let next = self.play(position, played)?;
            let order = if left > 1 { self.order(&next) } else { (false, 0) };
            attempts.push((order, played, next));
        }
        if left > 1 {
            attempts.sort_by_key(|(order, ..)| *order);
        }
        Ok(attempts.into_iter().map(|(_, played, next)| (played, next)).collect())
    }

    fn order(&self, next: &Position) -> (bool, u64) {
        let mut others = self.rules.alive(next).without(self.side).iter();
        let is_check = others.any(|player| self.rules.in_check(next, player));
        (!is_check, self.rules.count_moves(next))
    }

    /// Returns a reply after which the attacker does not win with `left` moves. If the attacker's turn does not come
    /// within a round, every reply refutes.
    fn refutation(&mut self, position: &Position, left: u32, replies: usize) -> Result<Option<Move>> {
        let mut moves = self.rules.legal_moves(position);
        if replies >= self.round {
            return Ok(moves.first().copied());
        }
        let latest = self.killers[left as usize];
        if let Some(place) = moves.iter().position(|played| Some(*played) == latest) {
            moves.swap(0, place);
        }
        for played in moves {
            let next = self.play(position, played)?;
            if !self.is_forced(&next, left, replies + 1)? {
                self.killers[left as usize] = Some(played);
                return Ok(Some(played));
            }
        }
        Ok(None)
    }

    fn is_attackers(&self, position: &Position) -> bool {
        self.side.contains(self.rules.decider(position, self.rules.mover(position)))
    }

    fn play(&mut self, position: &Position, played: Move) -> Result<Position> {
        if self.nodes >= self.limit {
            return Err(OutOfNodes);
        }
        self.nodes += 1;
        Ok(self.rules.play_unchecked(position, played))
    }
}
