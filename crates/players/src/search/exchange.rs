//! Static exchange evaluation: what a series of captures on one square gains.

use tabiya_engine::{Move, Rules, Square};

use super::attack_lines::{AttackLines, PieceMask};
use crate::evaluation::{EvalBoard, Evaluation};

/// The tables for exchanges in one game.
#[derive(Clone, Debug)]
pub(super) struct Exchanges {
    lines: AttackLines,
}

/// A square, and the pieces that attack a leader from there.
pub(super) type CheckStep = (Square, PieceMask);

/// The longest series of captures that is followed.
const MAX_CAPTURES: usize = 24;

impl Exchanges {
    /// Builds the tables; `None` if exchanges follow other rules in this game: captures are compulsory, change more than one
    /// square, or pieces are a burden.
    pub(super) fn of(rules: &Rules, evaluation: &Evaluation) -> Option<Self> {
        let mechanics = rules.mechanics();
        let is_usual = mechanics.priority.is_empty()
            && mechanics.restrictions.is_empty()
            && mechanics.reactions.is_empty()
            && mechanics.figures.is_empty()
            && mechanics.sharing.is_none()
            && mechanics.tag.is_none()
            && mechanics.chance.is_none()
            && !mechanics.has_board_effects()
            && rules.kinds().all(|kind| evaluation.kind_value(kind) >= 0);
        let lines = if is_usual { AttackLines::of(rules)? } else { return None };
        Some(Exchanges { lines })
    }

    /// Collects the empty squares from which pieces attack leaders of all sides but one.
    pub(super) fn find_checks(
        &self,
        evaluation: &Evaluation,
        board: &EvalBoard,
        side: usize,
        checks: &mut Vec<CheckStep>,
    ) {
        evaluation.for_each_leader_of_others(board, side, |leader| {
            let mut is_blocked = false;
            for step in self.lines.to(leader) {
                is_blocked |= board.piece_on(step.square) != 0;
                if !is_blocked && step.attackers != 0 {
                    checks.push((step.square, step.attackers));
                }
                is_blocked &= !step.is_last;
            }
        });
    }

    /// Whether a move gains at least `least`, if both sides may then go on capturing on its target. `gain` is what the move
    /// itself gains.
    pub(super) fn gains(
        &self,
        evaluation: &Evaluation,
        board: &EvalBoard,
        played: Move,
        gain: i32,
        least: i32,
    ) -> bool {
        let balance = gain - least;
        if balance < 0 {
            return false;
        }
        let mover = board.moving_piece(played);
        let moved = played.promotion.map_or(mover, |kind| evaluation.with_kind(mover, kind));
        // The worst that can happen is losing the piece that moved. A leader cannot be lost: the move is legal.
        let risk = evaluation.piece_value(moved) - balance;
        if risk <= 0 {
            return true;
        }
        let mut gone = Gone::default();
        if played.dropped().is_none() {
            gone.add(played.from);
        }
        self.is_kept(evaluation, board, played.to, (moved, gone), risk)
    }

    /// Whether the side of a piece that has moved to a square keeps its gain. `risk` is what it loses of the least that is
    /// asked for if it now loses the piece.
    fn is_kept(
        &self,
        evaluation: &Evaluation,
        board: &EvalBoard,
        square: Square,
        (moved, mut gone): (usize, Gone),
        mut risk: i32,
    ) -> bool {
        let own_side = evaluation.side_of_piece(moved);
        let mut is_kept = true;
        loop {
            // Whose turn it is follows from who is ahead.
            let side = |gone: &Gone, own: bool| {
                self.cheapest(evaluation, board, square, gone, |side| (side == own_side) == own)
            };
            let Some((from, attacker)) = side(&gone, !is_kept) else { return is_kept };
            gone.add(from);
            if evaluation.is_leader_piece(attacker) {
                // A leader captures only what is not protected.
                let is_protected = side(&gone, is_kept).is_some();
                return is_kept == is_protected;
            }
            is_kept = !is_kept;
            risk = evaluation.piece_value(attacker) - risk;
            if risk < i32::from(is_kept) || gone.is_full() {
                return is_kept;
            }
        }
    }

    /// Returns the least valuable piece of a side that can capture on a square; a leader last.
    fn cheapest(
        &self,
        evaluation: &Evaluation,
        board: &EvalBoard,
        square: Square,
        gone: &Gone,
        is_side: impl Fn(u32) -> bool,
    ) -> Option<(Square, usize)> {
        let mut cheapest: Option<(i32, Square, usize)> = None;
        let piece = |at: Square| if gone.contains(at) { 0 } else { board.piece_on(at) };
        self.lines.for_each_attacker(square, piece, |from, number| {
            if is_side(evaluation.side_of_piece(number)) {
                let is_leader = evaluation.is_leader_piece(number);
                let value = if is_leader { i32::MAX } else { evaluation.piece_value(number) };
                if cheapest.is_none_or(|(least, ..)| value < least) {
                    cheapest = Some((value, from, number));
                }
            }
        });
        cheapest.map(|(_, from, number)| (from, number))
    }
}

/// The squares that pieces have left during an exchange.
#[derive(Default)]
struct Gone {
    squares: [u16; MAX_CAPTURES],
    count: usize,
}

impl Gone {
    fn add(&mut self, square: Square) {
        self.squares[self.count] = square.0;
        self.count += 1;
    }

    fn is_full(&self) -> bool {
        self.count == MAX_CAPTURES
    }

    #[inline]
    fn contains(&self, square: Square) -> bool {
        self.squares[..self.count].contains(&square.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::StructureCache;

    /// Checks what a capture gains, in pawns: at least `least`, and less than `less`.
    fn check(state: &str, text: &str, least: f32, less: f32) {
        let game = tabiya_spec::library::load("chess").expect("it is in the library");
        let rules = &game.rules;
        let position = tabiya_notation::parse_state(rules, state).expect("a position").position;
        let evaluation = Evaluation::of(rules);
        let exchanges = Exchanges::of(rules, &evaluation).expect("chess is usual");
        let mut board = EvalBoard::default();
        evaluation.scan(&position, &mut board, &mut StructureCache::default());
        let played = tabiya_notation::parse_uci(rules, &position, text).expect("a legal move");
        let pawn = rules.kinds().map(|kind| evaluation.kind_value(kind)).filter(|it| *it > 0).min();
        let scaled = |pawns: f32| (pawns * f32::from(pawn.expect("pawns are worth something") as i16)) as i32;
        let gain = evaluation.move_score(&board, played);
        let gains = |bound: i32| exchanges.gains(&evaluation, &board, played, gain, bound);
        assert!(gains(scaled(least)), "{text} in {state}: less than {least}");
        assert!(!gains(scaled(less)), "{text} in {state}: at least {less}");
    }

    #[test]
    fn exchanges_are_counted() {
        // A free pawn; a protected one; a pawn protected by a piece behind another.
        check("4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 1.0, 1.2);
        check("4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -9.0, -1.0);
        check("3rk3/3q4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -9.0, -1.0);
        // The second rook supports the first; the queen cannot take back without loss.
        check("4k3/3q4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1.0, 9.0);
        // The king protects only what is not attacked by another piece.
        check("8/3k4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1.0, 1.2);
        check("8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -9.0, -1.0);
        check("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1.0, 1.2);
    }

    #[test]
    fn quiet_moves_can_lose_the_piece() {
        check("4k3/8/4p3/8/8/8/3R4/4K3 w - - 0 1", "d2d5", -12.0, -2.0);
        check("4k3/8/4p3/8/8/8/3R4/4K3 w - - 0 1", "d2d4", 0.0, 0.5);
    }
}
