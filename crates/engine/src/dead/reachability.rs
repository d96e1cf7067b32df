//! A superset of everything that can ever happen on the board, computed as a fixed point.
//!
//! The facts are: a piece may reach a square; a piece may capture on a square; a piece may leave its square or be
//! captured there; a piece may carry a flag or become another kind. Facts imply further facts until nothing is added.
//! Every move that can really be played is covered by the facts, so no sequence of moves leaves them.
//!
//! Each square stores sets of pieces, not each piece a set of squares: one word shows which pieces may meet there. A
//! piece that is stopped on a square is recorded there (`waiting`) and examined again when something changes.

use std::mem;

use smallvec::SmallVec;

use crate::dead::mate::MateSquares;
use crate::dead::pieces::{ListedPiece, PieceList, PieceSet, bit, members};
use crate::piece::Kind;
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// A win cannot be ruled out: it may be possible, or the proof would exceed the budget.
pub(super) struct Unproven;

/// What a proof rules out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Every attack on the leader.
    Check,
    /// Every mate.
    Mate,
}

/// The result of one step of a proof.
pub(super) type ProofStep = Result<(), Unproven>;

/// The number of squares or pieces that can be scanned for the cost of one step.
pub(super) const SCANS_PER_STEP: usize = 8;

/// The facts about one square.
#[derive(Clone, Copy, Default)]
pub(super) struct SquareFacts {
    /// Pieces that may reach the square or stand on it now.
    pub(super) visitors: PieceSet,
    /// Pieces that may capture on the square.
    pub(super) captors: PieceSet,
    /// Pieces that attack the square as long as they stay where they are.
    pub(super) guards: PieceSet,
    /// Pieces to examine again when something changes here.
    pub(super) waiting: PieceSet,
    /// The piece that stands here now and, as far as is known, never leaves.
    pub(super) fixed: Option<u8>,
}

/// All facts about a position.
pub(super) struct Reachability<'a> {
    pub(super) rules: &'a Rules,
    pub(super) pieces: PieceList,
    pub(super) squares: Vec<SquareFacts>,
    /// By flag: the pieces that may carry it.
    pub(super) carriers: SmallVec<[PieceSet; 2]>,
    /// The kinds that a piece may become.
    pub(super) promotions: Vec<(usize, Kind)>,
    /// Pieces that may have been promoted. A promoted piece counts as unmoved on every square.
    pub(super) promoted: PieceSet,
    /// Pieces whose attack on a leader may win.
    threats: PieceSet,
    /// By square: the piece that stands there now.
    pub(super) homes: Vec<Option<u8>>,
    /// Pieces that may leave the line on which they move without capturing.
    pub(super) left: PieceSet,
    /// Pieces that may be captured.
    pub(super) taken: PieceSet,
    /// What must be ruled out: a check, or only a mate.
    goal: Goal,
    /// Squares that a piece may reach and that have not been examined.
    pending: Vec<(usize, Square)>,
    /// Pieces to examine again from every square.
    pub(super) stale: PieceSet,
    /// The remaining budget.
    pub(super) work: u32,
}

impl<'a> Reachability<'a> {
    /// Returns the facts that hold now.
    pub(super) fn new(
        rules: &'a Rules,
        position: &Position,
        pieces: PieceList,
        goal: Goal,
        work: u32,
    ) -> Self {
        let mut squares = vec![SquareFacts::default(); rules.board.len()];
        for (piece, ListedPiece { home, .. }) in pieces.iter() {
            squares[home.index()].visitors = bit(piece);
            squares[home.index()].fixed = Some(piece as u8);
        }
        let homes = squares.iter().map(|facts| facts.fixed).collect();
        let mut carriers = SmallVec::from_elem(0, rules.blueprint.flags.len());
        for mark in position.marks() {
            carriers[mark.flag.index()] |= squares[mark.square.index()].visitors;
        }
        Reachability {
            rules,
            threats: pieces.attackers & !pieces.leaders,
            pieces,
            squares,
            carriers,
            promotions: Vec::new(),
            promoted: 0,
            homes,
            left: 0,
            taken: 0,
            goal,
            pending: Vec::with_capacity(64),
            stale: 0,
            work,
        }
    }

    /// Returns whether the attackers can never win.
    pub(super) fn has_no_win(&mut self) -> bool {
        self.explore().is_ok()
    }

    /// Returns the squares on which the attackers may mate, or `None` if they cannot be found.
    pub(super) fn possible_mates(&mut self) -> Option<MateSquares> {
        self.explore().ok()?;
        self.mate_squares().ok()
    }

    /// Returns whether every piece may leave its square.
    pub(super) fn has_no_fixed_piece(&self) -> bool {
        self.squares.iter().all(|facts| facts.fixed.is_none())
    }

    /// Returns the pieces whose attack on a leader may win.
    pub(super) fn threats(&self) -> PieceSet {
        self.threats
    }

    /// Adds facts until none are missing or a win is possible. The attackers' pieces come first: if they are free,
    /// that shows at once. Leaders are added only if a proof is still possible.
    fn explore(&mut self) -> ProofStep {
        self.expand(self.threats)?;
        if !self.leaders_keep_apart() {
            if self.goal == Goal::Mate {
                return Err(Unproven);
            }
            self.threats = self.pieces.attackers;
            // They may already have been relocated before they were considered.
            self.stale |= self.pieces.leaders;
        } else if self.leaders_meet() {
            return Err(Unproven);
        }
        if self.threats == 0 {
            return Ok(());
        }
        self.find_guards();
        let started = self.pieces.attackers & !self.pieces.leaders;
        self.expand((self.pieces.attackers | self.pieces.defenders) & !started)
    }

    /// Adds everything that follows if these pieces move too.
    fn expand(&mut self, pieces: PieceSet) -> ProofStep {
        self.pending.extend(members(pieces).map(|piece| (piece, self.pieces.piece(piece).home)));
        loop {
            while let Some((piece, from)) = self.pending.pop() {
                self.walk_from(piece, from)?;
            }
            let Some(piece) = members(self.stale).next() else { return Ok(()) };
            self.stale &= !bit(piece);
            self.spend(self.squares.len() / SCANS_PER_STEP)?;
            let visited =
                self.squares.iter().enumerate().filter(|(_, facts)| facts.visitors & bit(piece) != 0);
            self.pending.extend(visited.map(|(square, _)| (piece, Square(square as u16))));
        }
    }

    /// Adds the fact that a piece may reach a square.
    pub(super) fn visit(&mut self, piece: usize, square: Square) -> ProofStep {
        let facts = &mut self.squares[square.index()];
        if facts.visitors & bit(piece) != 0 {
            return Ok(());
        }
        facts.visitors |= bit(piece);
        self.pending.push((piece, square));
        self.stale |= mem::take(&mut facts.waiting);
        let captors = facts.captors & !self.pieces.side_of(piece);
        // Any victim enables the capture equally, except a leader.
        let is_first = facts.visitors & self.pieces.capturable_by_enemies_of(piece) == bit(piece);
        if is_first {
            self.stale |= captors;
        }
        self.unfix(piece);
        self.capture(captors, bit(piece))
    }

    /// Adds captures. A game ends when a leader is captured, so nothing follows from that, and a player cannot
    /// legally remove an own leader.
    pub(super) fn capture(&mut self, captors: PieceSet, victims: PieceSet) -> ProofStep {
        if self.goal == Goal::Check && self.attacks_leader(captors, victims) {
            return Err(Unproven);
        }
        if captors != 0 {
            let victims = victims & !self.pieces.leaders;
            for victim in members(victims & !self.taken) {
                self.wake(self.pieces.piece(victim).home);
            }
            self.taken |= victims;
            members(victims).for_each(|victim| self.unfix(victim));
        }
        Ok(())
    }

    /// Returns whether some captor may win by its attack on some victim.
    pub(super) fn attacks_leader(&self, captors: PieceSet, victims: PieceSet) -> bool {
        captors & self.threats != 0 && victims & self.pieces.leaders & self.pieces.defenders != 0
    }

    /// Examines again the pieces that wait for a change on a square.
    pub(super) fn wake(&mut self, square: Square) {
        self.stale |= mem::take(&mut self.squares[square.index()].waiting);
    }

    /// Adds the fact that a piece may leave its square.
    fn unfix(&mut self, piece: usize) {
        let home = &mut self.squares[self.pieces.piece(piece).home.index()];
        if home.fixed == Some(piece as u8) {
            home.fixed = None;
            self.stale |= mem::take(&mut home.waiting);
        }
    }

    /// Examines a piece again because its kind or flags may have changed.
    pub(super) fn requeue(&mut self, piece: usize) -> ProofStep {
        self.spend(self.squares.len() / SCANS_PER_STEP)?;
        self.stale |= bit(piece);
        for facts in self.squares.iter_mut().filter(|facts| facts.visitors & bit(piece) != 0) {
            self.stale |= mem::take(&mut facts.waiting);
        }
        Ok(())
    }

    /// Examines the piece again when another piece may reach or leave the square.
    pub(super) fn wait(&mut self, piece: usize, square: Square) {
        self.squares[square.index()].waiting |= bit(piece);
    }

    /// Returns whether a fixed piece blocks the square. If so, the other piece waits for it.
    pub(super) fn is_blocked(&mut self, piece: usize, square: Square) -> bool {
        let blocked = self.squares[square.index()].fixed.is_some();
        if blocked {
            self.wait(piece, square);
        }
        blocked
    }

    /// Returns whether the piece's attack on a leader may win.
    pub(super) fn is_threat(&self, piece: usize) -> bool {
        self.threats & bit(piece) != 0
    }

    /// Spends budget.
    pub(super) fn spend(&mut self, steps: usize) -> ProofStep {
        self.work = self.work.checked_sub(steps as u32).ok_or(Unproven)?;
        Ok(())
    }
}
