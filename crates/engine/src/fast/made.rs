//! Counting with every last position made: its key kept up, and whether the leader stands in check. What a search pays
//! for a position, as a benchmark; the totals are the same whichever way they are found.

use crate::fast::bits::{Bits, look, squares};
use crate::fast::castle::Castle;
use crate::fast::generate::{Look, Visitor, castled, passed};
use crate::fast::plan::Fast;
use crate::fast::side::{Passing, Promotion, Step, Stepper};
use crate::fast::state::{LEADER, NO_MARK, State, UNMOVED};
use crate::hash;
use crate::perft::Made;
use crate::piece::{Flag, Player};
use crate::position::{Countdown, Mark, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// The parts of keys, looked up; the same numbers that [`hash`] makes.
pub(crate) struct Keys {
    /// By player, kind and square.
    pieces: [Box<[u64]>; 2],
    squares: usize,
    /// By column, without the planes that every game has.
    kinds: Box<[u8]>,
    unmoved: Box<[u64]>,
    /// From one player's turn to the other's.
    turn: u64,
    /// By flag, player who set it and square.
    marks: Vec<[Box<[u64]>; 2]>,
}

impl Keys {
    pub(crate) fn new<B: Bits>(rules: &Rules, fast: &Fast<B>) -> Self {
        let table = |of: &dyn Fn(Square) -> u64| -> Box<[u64]> {
            (0..rules.board().len() as u16).map(|square| of(Square(square))).collect()
        };
        let slot_of = |player: u8| u16::from(rules.turn_of(0).0 != player);
        let mark = |flag: u8, player: u8| {
            let countdown = Some(Countdown { slot: slot_of(player), remaining: 1 });
            table(&|square| hash::mark(&Mark { square, flag: Flag(flag), countdown }))
        };
        Keys {
            pieces: [0, 1].map(|player| {
                let kinds = rules
                    .kinds()
                    .flat_map(|kind| table(&|square| hash::piece(Player(player), kind, Spot::host(square))));
                kinds.collect()
            }),
            squares: rules.board().len(),
            kinds: fast.kinds.clone(),
            unmoved: table(&|square| hash::unmoved(Spot::host(square))),
            turn: hash::slot(0) ^ hash::slot(1),
            marks: (0..rules.blueprint().flags.len() as u8)
                .map(|flag| [mark(flag, 0), mark(flag, 1)])
                .collect(),
        }
    }

    #[inline(always)]
    fn piece(&self, player: u8, kind: usize, square: usize) -> u64 {
        look(&self.pieces[usize::from(player & 1)], kind * self.squares + square)
    }

    /// What stands on a square.
    #[inline(always)]
    fn kind<B: Bits, const P: usize>(&self, state: &State<B, P>, square: usize) -> usize {
        usize::from(self.kinds[usize::from(state.column(square) >> LEADER)])
    }

    fn mark(&self, flag: u8, player: u8, square: u8) -> u64 {
        self.marks[usize::from(flag)][usize::from(player & 1)][usize::from(square)]
    }
}

/// Walks down and makes every position.
pub(crate) struct Walk<'f, B: Bits, const P: usize> {
    pub(crate) fast: &'f Fast<B>,
    pub(crate) keys: &'f Keys,
    pub(crate) total: Made,
    /// The position that was made last: it is really made.
    pub(crate) last: State<B, P>,
}

impl<B: Bits, const P: usize> Walk<'_, B, P> {
    #[inline(always)]
    pub(crate) fn below<L: Look<B>>(&mut self, state: &State<B, P>, key: u64, depth: u32) {
        let fast = self.fast;
        // What every move has in common: the turn passes, and the flag that was there goes.
        let mut common = key ^ self.keys.turn;
        if state.mark != NO_MARK {
            common ^= self.keys.mark(state.flag, state.side ^ 1, state.mark);
        }
        let checks = if depth == 1 { Checks::of::<L, P>(fast, state) } else { Checks::NONE };
        let look = std::marker::PhantomData::<L>;
        fast.visit::<L, P>(state, &mut Each { walk: self, state, common, depth, checks, look });
    }
}

/// How the player to move can give check with a plain move.
struct Checks<B> {
    /// By plane: from where it would.
    from: [B; 16],
    /// Own pieces that stand alone between an own slide and the other leader.
    openers: B,
    /// Where the other leader stands.
    target: usize,
}

impl<B: Bits> Checks<B> {
    const NONE: Self = Checks { from: [B::ZERO; 16], openers: B::ZERO, target: 0 };

    #[inline(always)]
    fn of<L: Look<B>, const P: usize>(fast: &Fast<B>, state: &State<B, P>) -> Self {
        let side = fast.side(state);
        let (own, occupied) = (state.own(), state.own() | state.enemy());
        let target = (state.planes[LEADER] & state.enemy()).lowest();
        let mut checks = Checks { target, ..Checks::NONE };
        checks.from[LEADER] = look(&side.leader.from, target);
        for leaps in &side.leaps {
            checks.from[leaps.plane & 15] = look(&leaps.from, target);
        }
        for stepper in &side.steppers {
            checks.from[stepper.plane & 15] = look(&stepper.hits, target);
        }
        for (plane, class) in &side.slides {
            let view = L::slide(fast, *class, target, occupied);
            checks.from[*plane & 15] = view;
            let sliders = state.plane(*plane) & own & !view;
            for slider in squares(L::slide(fast, *class, target, occupied & !(view & own)) & sliders) {
                let between = look(&fast.between, target * fast.squares + slider) & occupied;
                if between.without_lowest().is_empty() {
                    checks.openers |= between;
                }
            }
        }
        checks
    }

    /// From where a piece of some atoms gives check.
    #[inline(always)]
    fn striking(&self, mut column: u16) -> B {
        let mut from = B::ZERO;
        while column != 0 {
            from |= self.from[column.trailing_zeros() as usize & 15];
            column &= column - 1;
        }
        from
    }

    /// The piece that moves gives check, or opens the way of another that does.
    #[inline(always)]
    fn given_by(&self, fast: &Fast<B>, direct: B, from: usize, to: usize) -> bool {
        let to = B::bit(to);
        let leaves = || (look(&fast.line, self.target * fast.squares + from) & to).is_empty();
        !(direct & to).is_empty() || !(self.openers & B::bit(from)).is_empty() && leaves()
    }
}

struct Each<'w, 'f, B: Bits, L, const P: usize> {
    walk: &'w mut Walk<'f, B, P>,
    state: &'w State<B, P>,
    common: u64,
    depth: u32,
    checks: Checks<B>,
    look: std::marker::PhantomData<L>,
}

impl<B: Bits, L: Look<B>, const P: usize> Each<'_, '_, B, L, P> {
    /// What leaves a square takes its part of the key along.
    #[inline(always)]
    fn gone(&self, square: usize) -> u64 {
        let (state, keys) = (self.state, self.walk.keys);
        let bit = B::bit(square);
        let player = u8::from((state.planes[0] & bit).is_empty());
        let key = keys.piece(player, keys.kind(state, square), square);
        if (state.planes[UNMOVED] & bit).is_empty() { key } else { key ^ look(&keys.unmoved, square) }
    }

    /// The part of the key that a piece of a known kind takes along when it leaves.
    #[inline(always)]
    fn leaving(&self, kind: usize, from: usize) -> u64 {
        let (state, keys) = (self.state, self.walk.keys);
        let key = self.common ^ keys.piece(state.side, kind, from);
        if (state.planes[UNMOVED] & B::bit(from)).is_empty() { key } else { key ^ look(&keys.unmoved, from) }
    }

    /// The part that it brings to where it lands.
    #[inline(always)]
    fn landing(&self, kind: usize, to: usize) -> u64 {
        let key = self.walk.keys.piece(self.state.side, kind, to);
        if (self.state.enemy() & B::bit(to)).is_empty() { key } else { key ^ self.gone(to) }
    }

    /// A position that was made some special way: the whole board is asked for check.
    #[inline(always)]
    fn go(&mut self, next: &State<B, P>, key: u64) {
        if self.depth > 1 {
            return L::walk(self.walk, next, key, self.depth - 1);
        }
        self.walk.last = *next;
        let check = self.walk.fast.in_check::<L, P>(next);
        self.count(key, check);
    }

    /// A plain move, made where it stays.
    #[inline(always)]
    fn go_plainly(&mut self, key: u64, direct: B, from: usize, to: usize) {
        if self.depth > 1 {
            return L::walk(self.walk, &self.state.after(from, to), key, self.depth - 1);
        }
        self.state.make(&mut self.walk.last, from, to);
        let check = self.checks.given_by(self.walk.fast, direct, from, to);
        self.count(key, check);
    }

    #[inline(always)]
    fn count(&mut self, key: u64, check: bool) {
        let total = &mut self.walk.total;
        total.nodes += 1;
        total.keys ^= key;
        total.checks += u64::from(check);
    }

    #[inline(always)]
    fn land(&mut self, next: State<B, P>, key: u64, to: usize, kind: usize, promotion: &Promotion<B>) {
        if (promotion.zone & B::bit(to)).is_empty() || promotion.options.is_empty() {
            return self.go(&next, key);
        }
        let keys = self.walk.keys;
        let bare = key ^ keys.piece(self.state.side, kind, to) ^ look(&keys.unmoved, to);
        let mut options = promotion.options.iter();
        promotion.each(next, to, |next| {
            let option = options.next().map_or(0, |(kind, _)| usize::from(*kind));
            self.go(next, bare ^ keys.piece(self.state.side, option, to));
        });
    }
}

impl<B: Bits, L: Look<B>, const P: usize> Visitor<B> for Each<'_, '_, B, L, P> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: B) {
        if targets.is_empty() {
            return;
        }
        let column = self.state.column(from);
        let kind = usize::from(self.walk.keys.kinds[usize::from(column >> LEADER)]);
        let (key, direct) = (self.leaving(kind, from), self.checks.striking(column));
        for to in squares(targets) {
            self.go_plainly(key ^ self.landing(kind, to), direct, from, to);
        }
    }
    #[inline(always)]
    fn step(&mut self, stepper: &Stepper<B>, step: &Step<B>, targets: B) {
        let direct = self.checks.from[stepper.plane & 15];
        for to in squares(targets) {
            let from = step.source(to);
            let mut key = self.leaving(stepper.kind, from) ^ self.landing(stepper.kind, to);
            if step.flag.is_none() && (step.promotion.zone & B::bit(to)).is_empty() {
                self.go_plainly(key, direct, from, to);
                continue;
            }
            if let Some(flag) = step.flag {
                key ^= self.walk.keys.mark(flag, self.state.side, to as u8);
            }
            self.land(step.made(self.state, to), key, to, stepper.kind, &step.promotion);
        }
    }
    #[inline(always)]
    fn passing(&mut self, stepper: &Stepper<B>, passing: &Passing<B>, from: usize, to: usize) {
        let key = self.leaving(stepper.kind, from)
            ^ self.landing(stepper.kind, to)
            ^ self.gone(usize::from(self.state.mark));
        self.land(passed(self.state, from, to), key, to, stepper.kind, &passing.promotion);
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        let leader = self.walk.keys.kind(self.state, from);
        let mut key = self.leaving(leader, from) ^ self.landing(leader, castle.target);
        let (partner, to) = castle.moved;
        let kind = self.walk.keys.kind(self.state, partner);
        key ^= self.gone(partner) ^ self.walk.keys.piece(self.state.side, kind, to);
        self.go(&castled(self.state, castle, from), key);
    }
}
