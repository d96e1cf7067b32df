//! Visitors of legal moves: they count moves, make them, or list them.

use crate::movegen::fast::bits::{Bits, lookup, squares};
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::drops::DropRule;
use crate::movegen::fast::made::{after_castle, after_flag_capture};
use crate::movegen::fast::side::{FlagCapture, Promotion, SingleStep, Stepper};
use crate::movegen::fast::specials::Special;
use crate::movegen::fast::state::{FEW_PLANES, State};
use crate::movegen::fast::tables::FastTables;
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// A visitor of legal moves as sets: of one piece, or of one step of many pieces.
pub(crate) trait MoveVisitor<B: Bits> {
    /// Visits plain moves of one piece. A piece with several atoms is visited once for each.
    fn piece(&mut self, from: usize, targets: B);
    /// Visits the landings of one step of all pieces of a kind.
    fn step(&mut self, stepper: &Stepper<B>, step: &SingleStep<B>, targets: B);
    /// Visits a capture of a flagged piece beside the landing.
    fn flag_capture(&mut self, stepper: &Stepper<B>, flag_capture: &FlagCapture<B>, from: usize, to: usize);
    /// Visits a castling move.
    fn castle(&mut self, castle: &Castle<B>, from: usize);

    /// Visits the moves of a piece whose moves are not plain. Usual games have none.
    fn special(&mut self, _: &Special<B>, _: usize, _: B) {
        debug_assert!(false, "a visitor for usual games only");
    }
    /// Visits the drops of a kind. Usual games have none.
    fn drop(&mut self, _: &DropRule<B>, _: B) {
        debug_assert!(false, "a visitor for usual games only");
    }
    /// Returns whether a move has been visited. Asked only where captures are compulsory.
    fn has_found(&self) -> bool {
        false
    }
}

/// Counts moves without making them.
pub(crate) struct CountMoves(pub(crate) u64);

impl<B: Bits> MoveVisitor<B> for CountMoves {
    #[inline(always)]
    fn piece(&mut self, _: usize, targets: B) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn step(&mut self, _: &Stepper<B>, step: &SingleStep<B>, targets: B) {
        self.0 += step.promotion.count(targets);
    }
    #[inline(always)]
    fn flag_capture(&mut self, _: &Stepper<B>, flag_capture: &FlagCapture<B>, _: usize, to: usize) {
        self.0 += flag_capture.promotion.count(B::bit(to));
    }
    #[inline(always)]
    fn castle(&mut self, _: &Castle<B>, _: usize) {
        self.0 += 1;
    }
    #[inline(always)]
    fn special(&mut self, special: &Special<B>, from: usize, targets: B) {
        self.0 += u64::from(targets.count());
        for rule in &special.promotions {
            let promoting = u64::from(rule.of(from, targets).count());
            self.0 += promoting * (rule.options.len() as u64) - promoting;
        }
    }
    #[inline(always)]
    fn drop(&mut self, _: &DropRule<B>, targets: B) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn has_found(&self) -> bool {
        self.0 > 0
    }
}

/// Makes every move and calls `go` with the position.
pub(crate) struct MakeMoves<'f, B: Bits, F, const P: usize> {
    pub(crate) state: &'f State<B, P>,
    /// Whether a move was made.
    pub(crate) found: bool,
    pub(crate) go: F,
}

impl<B: Bits, F: FnMut(&State<B, P>), const P: usize> MoveVisitor<B> for MakeMoves<'_, B, F, P> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: B) {
        self.found |= !targets.is_empty();
        if P > FEW_PLANES && !targets.is_empty() {
            let column = self.state.column(from);
            return squares(targets).for_each(|to| (self.go)(&self.state.carried(column, from, to)));
        }
        for to in squares(targets) {
            (self.go)(&self.state.after(from, to));
        }
    }
    #[inline(always)]
    fn step(&mut self, stepper: &Stepper<B>, step: &SingleStep<B>, targets: B) {
        self.found |= !targets.is_empty();
        for to in squares(targets) {
            step.promotion.each(step.made(self.state, stepper, to), to, &mut self.go);
        }
    }
    #[inline(always)]
    fn flag_capture(&mut self, _: &Stepper<B>, flag_capture: &FlagCapture<B>, from: usize, to: usize) {
        self.found = true;
        flag_capture.promotion.each(after_flag_capture(self.state, from, to), to, &mut self.go);
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        self.found = true;
        (self.go)(&after_castle(self.state, castle, from));
    }
    #[inline(always)]
    fn special(&mut self, special: &Special<B>, from: usize, targets: B) {
        self.found |= !targets.is_empty();
        let mut plain = targets;
        for rule in &special.promotions {
            let promoting = rule.of(from, targets);
            plain &= !promoting;
            for to in squares(promoting) {
                let next = self.state.carried(1 << special.plane, from, to);
                for (_, column) in &rule.options {
                    let mut fresh = next;
                    fresh.transform(to, *column);
                    (self.go)(&fresh);
                }
            }
        }
        for to in squares(plain) {
            (self.go)(&self.state.carried(1 << special.plane, from, to));
        }
    }
    #[inline(always)]
    fn drop(&mut self, drop: &DropRule<B>, targets: B) {
        self.found |= !targets.is_empty();
        for to in squares(targets) {
            let mut next = self.state.after_drop(drop.column, to);
            next.extras.take(usize::from(self.state.side), drop.place);
            (self.go)(&next);
        }
    }
    #[inline(always)]
    fn has_found(&self) -> bool {
        self.found
    }
}

/// Lists moves as the public type.
pub(crate) struct ListMoves<'f, B: Bits, const P: usize> {
    pub(crate) fast: &'f FastTables<B>,
    pub(crate) state: &'f State<B, P>,
    pub(crate) moves: &'f mut Vec<Move>,
    /// The number of moves before.
    pub(crate) first: usize,
}

impl<B: Bits, const P: usize> ListMoves<'_, B, P> {
    /// Adds a move for every target, reserving memory once.
    #[inline(always)]
    fn extend(&mut self, mut targets: B, played: impl Fn(usize) -> Move) {
        self.moves.extend((0..targets.count()).map(|_| {
            let to = targets.lowest();
            targets = targets.without_lowest();
            played(to)
        }));
    }

    fn promote(&mut self, played: Move, promotion: &Promotion<B>) {
        let options = promotion.options.iter();
        self.moves.extend(options.map(|(kind, _)| Move { promotion: Some(Kind(*kind)), ..played }));
    }
}

/// Returns a move without promotion.
#[inline(always)]
fn plain(from: usize, to: usize, pattern: u8) -> Move {
    let (from, to) = (Square(from as u16), Square(to as u16));
    Move { from, to, pattern, guest: false, promotion: None, then: 0 }
}

impl<B: Bits, const P: usize> MoveVisitor<B> for ListMoves<'_, B, P> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: B) {
        // Many pieces cannot move; then their kind does not matter.
        if targets.is_empty() {
            return;
        }
        let (fast, kind) = (self.fast, self.fast.kind(self.state.column(from)));
        let patterns = &fast.side(self.state).patterns[kind];
        self.extend(targets, |to| plain(from, to, lookup(patterns, from * fast.squares + to)));
    }
    #[inline(always)]
    fn step(&mut self, _: &Stepper<B>, step: &SingleStep<B>, targets: B) {
        let promoting = step.promotion.of(targets);
        self.extend(targets & !promoting, |to| plain(step.source(to), to, step.pattern));
        for to in squares(promoting) {
            self.promote(plain(step.source(to), to, step.pattern), &step.promotion);
        }
    }
    fn flag_capture(&mut self, _: &Stepper<B>, flag_capture: &FlagCapture<B>, from: usize, to: usize) {
        let played = plain(from, to, flag_capture.pattern);
        if flag_capture.promotion.of(B::bit(to)).is_empty() {
            self.moves.push(played);
        } else {
            self.promote(played, &flag_capture.promotion);
        }
    }
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        self.moves.push(plain(from, castle.target, castle.pattern));
    }
    #[inline(always)]
    fn special(&mut self, special: &Special<B>, from: usize, targets: B) {
        let (squares_of_board, enemy) = (self.fast.squares, self.state.enemy());
        let played = |to: usize| {
            let captures = !(enemy & B::bit(to)).is_empty();
            plain(from, to, special.pattern(from * squares_of_board + to, captures))
        };
        let mut rest = targets;
        for rule in &special.promotions {
            let promoting = rule.of(from, targets);
            rest &= !promoting;
            for to in squares(promoting) {
                let options = rule.options.iter();
                self.moves
                    .extend(options.map(|(kind, _)| Move { promotion: Some(Kind(*kind)), ..played(to) }));
            }
        }
        self.extend(rest, played);
    }
    #[inline(always)]
    fn drop(&mut self, drop: &DropRule<B>, targets: B) {
        self.extend(targets, |to| Move::drop(drop.kind, Square(to as u16), drop.pattern));
    }
    fn has_found(&self) -> bool {
        self.moves.len() > self.first
    }
}
