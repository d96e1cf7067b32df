//! Legal moves as sets of squares: attacks, checks and pins come first, then only legal moves are generated.

use crate::movegen::fast::bits::{Bits, lookup, squares};
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::checks::Masks;
use crate::movegen::fast::lame::LameTable;
use crate::movegen::fast::made::{after_castle, after_flag_capture};
use crate::movegen::fast::side::{FlagCapture, Leaps, Side, SingleStep, Stepper};
use crate::movegen::fast::state::{NO_MARK, State, UNMOVED};
use crate::movegen::fast::tables::FastTables;
use crate::movegen::fast::visitors::{CountMoves, ListMoves, MakeMoves, MoveVisitor};
use crate::moves::Move;

/// A way to look up slides, and the entry points compiled for it.
pub(crate) trait SlideLookup<B: Bits>: Sized {
    /// Whether it serves only games that are [usual](FastTables::is_usual). For these everything is inlined, and what other
    /// games need is left out. For the others the larger parts are functions, compiled once.
    const USUAL: bool;

    /// Returns the squares that a slide of a class reaches or captures on.
    fn slide(fast: &FastTables<B>, class: usize, square: usize, occupied: B) -> B;
    /// Returns the other ends of leaps without a piece in their way.
    fn lame(table: &LameTable<B>, square: usize, occupied: B) -> B;
    /// Returns the slides of a player, possibly with a length known at compile time.
    fn slides(side: &Side<B>) -> &[(usize, usize)];
    /// Returns the leaps of a player, possibly with a length known at compile time.
    fn leaps(side: &Side<B>) -> &[Leaps<B>];
    /// Returns the steppers of a player, possibly with a length known at compile time.
    fn steppers(side: &Side<B>) -> &[Stepper<B>];
    /// See [`FastTables::masks`].
    fn masks<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> Masks<B>;
    /// See [`FastTables::leader_targets`].
    fn leader_targets<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, masks: &Masks<B>) -> B;
    /// See [`FastTables::is_safe`].
    fn is_safe<const P: usize>(fast: &FastTables<B>, next: &State<B, P>) -> bool;
    /// See [`FastTables::settle`].
    fn settle<const P: usize>(fast: &FastTables<B>, before: &State<B, P>, next: &mut State<B, P>) -> bool;
    /// Returns whether there is a legal move, if drops may mate.
    fn has_move<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> bool;
    /// Counts move paths; see [`FastTables::count_tree`].
    fn perft<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, depth: u32) -> u64;
    /// Lists moves; see [`FastTables::list`].
    fn list<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, moves: &mut Vec<Move>) -> bool;
    /// See [`FastTables::can_attack_leader`].
    fn can_attack_leader<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> bool;
}

impl<B: Bits> FastTables<B> {
    #[inline(always)]
    pub(crate) fn side<const P: usize>(&self, state: &State<B, P>) -> &Side<B> {
        &self.sides[usize::from(state.side & 1)]
    }

    #[inline(always)]
    pub(crate) fn other<const P: usize>(&self, state: &State<B, P>) -> &Side<B> {
        &self.sides[usize::from(!state.side & 1)]
    }

    /// Visits all legal moves.
    #[inline(always)]
    pub(crate) fn visit<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        visitor: &mut impl MoveVisitor<B>,
    ) {
        self.visit_looking_ahead::<L, P>(state, true, visitor);
    }

    /// Visits all legal moves. Without `looks_ahead`, a drop may mate.
    #[inline(always)]
    fn visit_looking_ahead<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        looks_ahead: bool,
        visitor: &mut impl MoveVisitor<B>,
    ) {
        let mut captures_only = !L::USUAL && self.extras.must_capture;
        loop {
            let mut masks = if L::USUAL { self.masks::<L, P>(state) } else { L::masks(self, state) };
            if captures_only {
                masks.allowed &= masks.enemy;
            }
            self.visit_leader::<L, P>(state, &masks, captures_only, visitor);
            if !masks.only_leader {
                self.visit_others::<L, P>(state, &masks, visitor);
                if !L::USUAL && !captures_only {
                    self.visit_drops::<L, P>(state, &masks, looks_ahead, visitor);
                }
            }
            if !captures_only || visitor.has_found() {
                return;
            }
            captures_only = false;
        }
    }

    /// Visits the moves of the leader, and castling.
    #[inline(always)]
    fn visit_leader<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        masks: &Masks<B>,
        captures_only: bool,
        visitor: &mut impl MoveVisitor<B>,
    ) {
        let side = self.side(state);
        if !L::USUAL && !self.has_leader[usize::from(state.side & 1)] {
            let (castlers, column) = side.castlers;
            for from in squares(castlers & state.planes[UNMOVED] & masks.own) {
                let list =
                    if captures_only || state.column(from) != column { &[] } else { &side.castles[from][..] };
                for castle in list {
                    if castle.is_free(state, masks) {
                        visitor.castle(castle, from);
                    }
                }
            }
            return;
        }
        let targets = if L::USUAL {
            self.leader_targets::<L, P>(state, masks)
        } else {
            L::leader_targets(self, state, masks)
        };
        visitor.piece(masks.leader, if captures_only { targets & masks.enemy } else { targets });
        let may_castle =
            !(state.planes[UNMOVED] & B::bit(masks.leader)).is_empty() || self.castles_when_moved;
        if may_castle && !captures_only {
            for castle in &side.castles[masks.leader] {
                if self.can_castle::<L, P>(state, castle, masks, targets) {
                    visitor.castle(castle, masks.leader);
                }
            }
        }
    }

    /// Visits the moves of all other pieces on the board.
    #[inline(always)]
    fn visit_others<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        masks: &Masks<B>,
        visitor: &mut impl MoveVisitor<B>,
    ) {
        let side = self.side(state);
        let free = masks.own & !masks.pinned;
        for (plane, class) in L::slides(side) {
            for from in squares(state.plane(*plane) & free) {
                let targets = L::slide(self, *class, from, masks.occupied) & masks.allowed;
                visitor.piece(from, self.watched::<L, P>(state, masks, from, targets));
            }
        }
        for leaps in L::leaps(side) {
            for from in squares(state.plane(leaps.plane) & free) {
                let targets = lookup(&leaps.to, from) & masks.allowed;
                visitor.piece(from, self.watched::<L, P>(state, masks, from, targets));
            }
        }
        for stepper in L::steppers(side) {
            let pieces = state.plane(stepper.plane) & free;
            for step in &stepper.steps {
                let targets = step.targets(state, able::<B, L>(step, pieces), masks);
                visitor.step(stepper, step, self.watched_steps::<L, P>(state, masks, step, targets));
            }
            if state.mark != NO_MARK {
                for flag_capture in &stepper.flag_captures {
                    if flag_capture.flag == state.flag {
                        self.visit_flag_capture::<L, P>(state, stepper, flag_capture, masks, visitor);
                    }
                }
            }
        }
        if !L::USUAL && self.has_specials {
            self.visit_specials::<L, P>(state, free, (masks, masks.allowed), visitor);
        }
        if !masks.pinned.is_empty() {
            self.visit_pinned::<L, P>(state, masks, visitor);
        }
    }

    /// Returns the landings of a step that leave the leader safe, where leaving or entering a square may open a check.
    #[inline(always)]
    fn watched_steps<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        masks: &Masks<B>,
        step: &SingleStep<B>,
        targets: B,
    ) -> B {
        if L::USUAL || !masks.watches {
            return targets;
        }
        let each = squares(targets).map(|to| (step.source(to), B::bit(to)));
        each.fold(B::ZERO, |safe, (from, to)| safe | self.watched::<L, P>(state, masks, from, to))
    }

    /// Visits the moves of pinned pieces along their lines.
    #[inline(always)]
    fn visit_pinned<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        masks: &Masks<B>,
        visitor: &mut impl MoveVisitor<B>,
    ) {
        let side = self.side(state);
        for from in squares(masks.pinned) {
            let piece = B::bit(from);
            let allowed = masks.allowed & lookup(&self.line, masks.leader * self.squares + from);
            let mut targets = B::ZERO;
            for (plane, class) in L::slides(side) {
                if !(state.plane(*plane) & piece).is_empty() {
                    targets |= L::slide(self, *class, from, masks.occupied);
                }
            }
            for leaps in L::leaps(side) {
                if !(state.plane(leaps.plane) & piece).is_empty() {
                    targets |= lookup(&leaps.to, from);
                }
            }
            visitor.piece(from, self.watched::<L, P>(state, masks, from, targets & allowed));
            if !L::USUAL && self.has_specials {
                self.visit_specials::<L, P>(state, piece, (masks, allowed), visitor);
            }
            for stepper in L::steppers(side) {
                if !(state.plane(stepper.plane) & piece).is_empty() {
                    for step in &stepper.steps {
                        let targets = step.targets(state, able::<B, L>(step, piece), masks) & allowed;
                        let targets = self.watched_steps::<L, P>(state, masks, step, targets);
                        visitor.step(stepper, step, targets);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn can_castle<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        castle: &Castle<B>,
        masks: &Masks<B>,
        targets: B,
    ) -> bool {
        if !castle.is_free(state, masks) {
            return false;
        }
        // For the leader's square and the empty squares next to it, safety is already known.
        let leader = B::bit(masks.leader);
        let near = lookup(&self.side(state).leader.to, masks.leader) & castle.empty;
        if !(castle.safe & near & !targets).is_empty() || masks.in_check && !(castle.safe & leader).is_empty()
        {
            return false;
        }
        let occupied = masks.occupied ^ leader;
        for square in squares(castle.safe & !near & !leader) {
            if self.is_attacked::<L, P>(state, usize::from(!state.side & 1), square, occupied) {
                return false;
            }
        }
        let needs_trial = castle.needs_trial || !L::USUAL && self.needs_watch;
        !needs_trial || self.stays_safe::<L, P>(&after_castle(state, castle, masks.leader))
    }

    /// Visits a capture of the flagged piece if it leaves the leader safe. Two pieces leave their lines at once, so
    /// it is tried on a copy.
    #[inline(always)]
    fn visit_flag_capture<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        stepper: &Stepper<B>,
        flag_capture: &FlagCapture<B>,
        masks: &Masks<B>,
        visitor: &mut impl MoveVisitor<B>,
    ) {
        let mark = B::bit(usize::from(state.mark));
        let source = flag_capture.to_source.of(mark) & state.plane(stepper.plane) & masks.own;
        let target = flag_capture.step.of(source) & !masks.occupied;
        if target.is_empty() {
            return;
        }
        let (from, to) = (source.lowest(), target.lowest());
        if self.stays_safe::<L, P>(&after_flag_capture(state, from, to)) {
            visitor.flag_capture(stepper, flag_capture, from, to);
        }
    }

    /// Returns the number of legal captures of the flagged piece.
    #[inline(always)]
    pub(crate) fn count_flag_captures<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> u64 {
        let mark = B::bit(usize::from(state.mark));
        let mut counter = CountMoves(0);
        for stepper in L::steppers(self.side(state)) {
            let own = state.plane(stepper.plane) & state.own();
            for flag_capture in &stepper.flag_captures {
                if flag_capture.flag == state.flag && !(flag_capture.to_source.of(mark) & own).is_empty() {
                    let masks = L::masks(self, state);
                    self.visit_flag_capture::<L, P>(state, stepper, flag_capture, &masks, &mut counter);
                }
            }
        }
        counter.0
    }

    /// Appends all legal moves in an unspecified order. Returns whether the position is supported.
    #[inline(always)]
    pub(crate) fn list<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let is_accepted = self.accepts::<L, P>(state);
        if is_accepted {
            let first = moves.len();
            self.visit::<L, P>(state, &mut ListMoves { fast: self, state, moves, first });
        }
        is_accepted
    }

    /// Counts move paths of length `depth`. The last move is counted, not made.
    #[inline(always)]
    pub(crate) fn count_tree<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        depth: u32,
    ) -> u64 {
        if depth == 1 {
            let mut counter = CountMoves(0);
            self.visit::<L, P>(state, &mut counter);
            return counter.0;
        }
        let mut nodes = 0;
        let go = |next: &State<B, P>| {
            if L::USUAL || !self.extras.settles {
                nodes += L::perft(self, next, depth - 1);
                return;
            }
            let mut next = *next;
            if L::settle(self, state, &mut next) {
                nodes += L::perft(self, &next, depth - 1);
            }
        };
        self.visit::<L, P>(state, &mut MakeMoves { state, found: false, go });
        nodes
    }

    /// Returns whether there is a legal move, if drops may mate.
    #[inline(always)]
    pub(crate) fn has_move<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
        let mut counter = CountMoves(0);
        self.visit_looking_ahead::<L, P>(state, false, &mut counter);
        counter.0 > 0
    }
}

/// Returns the pieces on squares from which a step is possible.
#[inline(always)]
fn able<B: Bits, L: SlideLookup<B>>(step: &SingleStep<B>, pieces: B) -> B {
    if L::USUAL { pieces } else { pieces & step.sources }
}
