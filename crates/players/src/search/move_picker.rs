//! The order of moves, in stages: the move of the transposition table, captures that do not lose material, quiet moves by
//! killers and history, captures that lose material. What comes late is often never needed, and not even scored.

use tabiya_engine::{Move, Position, Rules};

use super::exchange::{CheckStep, Exchanges};
use super::history::{Before, History};
use crate::evaluation::{EvalBoard, Evaluation};

/// A move with its material gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) played: Move,
    /// See [`Evaluation::move_score`]; 0 for a quiet move.
    pub(super) gain: i32,
    rank: i32,
    /// The history of a quiet move.
    pub(super) history: i32,
    /// Whether a quiet move attacks a leader of another side, according to the tables.
    pub(super) is_check: bool,
}

impl ScoredMove {
    fn new(played: Move, gain: i32, rank: i32) -> Self {
        ScoredMove { played, gain, rank, history: 0, is_check: false }
    }
}

/// What the order depends on.
#[derive(Clone, Copy)]
pub(super) struct Ordering<'n> {
    pub(super) rules: &'n Rules,
    pub(super) evaluation: &'n Evaluation,
    pub(super) exchanges: Option<&'n Exchanges>,
    pub(super) position: &'n Position,
    pub(super) board: &'n EvalBoard,
    pub(super) table_move: Option<Move>,
    pub(super) ply: usize,
    pub(super) before: Before,
}

/// Reusable memory of a picker.
#[derive(Clone, Debug, Default)]
pub(super) struct PickerMemory {
    captures: Vec<ScoredMove>,
    quiets: Vec<ScoredMove>,
    losing: Vec<ScoredMove>,
    checks: Vec<CheckStep>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TableMove,
    Split,
    Captures,
    ScoreQuiets,
    Quiets,
    Losing,
}

/// Hands out moves, best first.
pub(super) struct MovePicker<'n> {
    order: Ordering<'n>,
    moves: &'n [Move],
    memory: PickerMemory,
    next: usize,
    stage: Stage,
    /// Whether quiet moves are left out from now on.
    skips_quiets: bool,
}

const KILLER: i32 = 1 << 20;
const COUNTER: i32 = 1 << 19;
/// What a move that gives check is worth beside its history.
const CHECK: i32 = 1 << 14;

impl Ordering<'_> {
    /// Whether a move gains at least `least` in an exchange on its target.
    pub(super) fn gains(&self, it: &ScoredMove, least: i32) -> bool {
        if let Some(exchanges) = self.exchanges {
            return exchanges.gains(self.evaluation, self.board, it.played, it.gain, least);
        }
        // Without tables: the piece is lost if the target is attacked.
        let piece = self.evaluation.piece_value(self.board.moving_piece(it.played));
        it.gain - piece >= least
            || it.gain >= least
                && !self.rules.is_attacked(self.position, it.played.to, self.rules.mover(self.position))
    }

    fn gain(&self, played: Move) -> i32 {
        self.evaluation.move_score(self.board, played)
    }

    /// Most valuable victim first, then least valuable attacker.
    fn capture_rank(&self, played: Move, gain: i32) -> i32 {
        16 * gain.min(1 << 19) - self.evaluation.piece_value(self.board.moving_piece(played)) / 16
    }
}

impl<'n> MovePicker<'n> {
    pub(super) fn new(order: Ordering<'n>, moves: &'n [Move], mut memory: PickerMemory) -> Self {
        memory.captures.clear();
        memory.quiets.clear();
        memory.losing.clear();
        MovePicker { order, moves, memory, next: 0, stage: Stage::TableMove, skips_quiets: false }
    }

    pub(super) fn into_memory(self) -> PickerMemory {
        self.memory
    }

    /// Leaves out all further quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// Whether the moves that come now are captures that lose material.
    pub(super) fn is_losing(&self) -> bool {
        self.stage == Stage::Losing
    }

    /// Returns the next move.
    pub(super) fn next(&mut self, history: &History) -> Option<ScoredMove> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::Split;
                    if let Some(played) = self.order.table_move
                        && self.moves.contains(&played)
                    {
                        let gain = self.order.gain(played);
                        return Some(ScoredMove::new(played, gain, 0));
                    }
                }
                Stage::Split => {
                    self.split(history);
                    (self.stage, self.next) = (Stage::Captures, 0);
                }
                Stage::Captures => match take_best(&mut self.memory.captures, &mut self.next) {
                    Some(it) if it.gain < 0 || !self.order.gains(&it, 0) => self.memory.losing.push(it),
                    Some(it) => return Some(it),
                    None => (self.stage, self.next) = (Stage::ScoreQuiets, 0),
                },
                Stage::ScoreQuiets => {
                    if !self.skips_quiets {
                        self.score_quiets(history);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match take_best(&mut self.memory.quiets, &mut self.next) {
                    Some(it) if !self.skips_quiets => return Some(it),
                    _ => (self.stage, self.next) = (Stage::Losing, 0),
                },
                Stage::Losing => return take_best(&mut self.memory.losing, &mut self.next),
            }
        }
    }

    /// Separates captures and promotions from quiet moves.
    fn split(&mut self, history: &History) {
        let order = self.order;
        for played in self.moves.iter().copied().filter(|played| Some(*played) != order.table_move) {
            let gain = order.gain(played);
            if gain == 0 {
                self.memory.quiets.push(ScoredMove::new(played, gain, 0));
            } else {
                let rank = if gain > 0 {
                    order.capture_rank(played, gain) + history.capture(order.board, played) / 8
                } else {
                    gain
                };
                self.memory.captures.push(ScoredMove::new(played, gain, rank));
            }
        }
    }

    fn score_quiets(&mut self, history: &History) {
        let Ordering { board, ply, before, .. } = self.order;
        let (killers, counter) = (history.killers(ply), history.counter(before));
        let PickerMemory { quiets, checks, .. } = &mut self.memory;
        checks.clear();
        if let Some(exchanges) = self.order.exchanges {
            let side = self.order.evaluation.side(self.order.rules.mover(self.order.position));
            exchanges.find_checks(self.order.evaluation, board, side, checks);
        }
        for it in quiets {
            it.history = history.quiet(history.piece_to(board, it.played), before);
            it.is_check = gives_check(checks, board, it.played);
            it.rank = it.history
                + if it.is_check { CHECK } else { 0 }
                + match it.played {
                    played if Some(played) == killers[0] => KILLER + 1,
                    played if Some(played) == killers[1] => KILLER,
                    played if Some(played) == counter => COUNTER,
                    _ => 0,
                };
        }
    }
}

/// Whether a move leads to a square from which its piece attacks a leader.
fn gives_check(checks: &[CheckStep], board: &EvalBoard, played: Move) -> bool {
    let piece = board.moving_piece(played);
    checks.iter().any(|(square, pieces)| *square == played.to && pieces >> piece & 1 == 1)
}

/// Hands out the captures and promotions of a quiescence search, or all moves, best first.
pub(super) struct CapturePicker<'m> {
    moves: &'m mut Vec<ScoredMove>,
    next: usize,
}

impl<'m> CapturePicker<'m> {
    /// Orders the moves that gain material.
    pub(super) fn captures(
        order: &Ordering<'_>,
        history: &History,
        moves: &[Move],
        memory: &'m mut PickerMemory,
    ) -> Self {
        memory.captures.clear();
        memory.captures.extend(moves.iter().filter_map(|played| {
            let (played, gain) = (*played, order.gain(*played));
            if gain <= 0 {
                return None;
            }
            let rank = match order.table_move {
                Some(known) if known == played => i32::MAX,
                _ => order.capture_rank(played, gain) + history.capture(order.board, played) / 8,
            };
            Some(ScoredMove::new(played, gain, rank))
        }));
        CapturePicker { moves: &mut memory.captures, next: 0 }
    }

    /// Orders moves that must be played.
    pub(super) fn forced(order: &Ordering<'_>, moves: &[Move], memory: &'m mut PickerMemory) -> Self {
        memory.captures.clear();
        memory.captures.extend(moves.iter().map(|played| {
            let gain = order.gain(*played);
            ScoredMove::new(*played, gain, gain)
        }));
        CapturePicker { moves: &mut memory.captures, next: 0 }
    }
}

impl Iterator for CapturePicker<'_> {
    type Item = ScoredMove;

    fn next(&mut self) -> Option<ScoredMove> {
        take_best(self.moves, &mut self.next)
    }
}

/// Selects the best remaining move; most nodes need only a few, so the list is never sorted. Ties are broken by the order of
/// moves, because generation order differs between machines.
fn take_best(moves: &mut [ScoredMove], next: &mut usize) -> Option<ScoredMove> {
    let rest = moves.get_mut(*next..).filter(|rest| !rest.is_empty())?;
    let mut best = 0;
    for (index, it) in rest.iter().enumerate() {
        let first = &rest[best];
        if it.rank > first.rank || it.rank == first.rank && it.played < first.played {
            best = index;
        }
    }
    rest.swap(0, best);
    *next += 1;
    Some(rest[0])
}
