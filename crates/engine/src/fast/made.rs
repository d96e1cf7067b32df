//! Counting with every last position made: its key kept up, and whether the leader stands in check. What a search pays
//! for a position, as a benchmark; the totals are the same whichever way they are found.

use crate::fast::bits::{Bits, look, squares};
use crate::fast::generate::{Look, Visitor, passed};
use crate::fast::plan::{Castle, Fast, Passing, Promotion, Step};
use crate::fast::state::{KINDS, NO_MARK, State};
use crate::hash;
use crate::perft::Made;
use crate::piece::{Flag, Kind, Player};
use crate::position::{Countdown, Mark};
use crate::rules::Rules;
use crate::square::Square;

/// The parts of keys, looked up; the same numbers that [`hash`] makes.
pub(crate) struct Keys {
    /// By player, kind and square.
    pieces: [[Box<[u64]>; KINDS]; 2],
    unmoved: Box<[u64]>,
    /// From one player's turn to the other's.
    turn: u64,
    /// By flag, player who set it and square.
    marks: Vec<[Box<[u64]>; 2]>,
}

impl Keys {
    pub(crate) fn new(rules: &Rules) -> Self {
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
                std::array::from_fn(|kind| {
                    table(&|square| hash::piece(Player(player), Kind(kind as u8), square))
                })
            }),
            unmoved: table(&hash::unmoved),
            turn: hash::slot(0) ^ hash::slot(1),
            marks: (0..rules.blueprint().flags.len() as u8)
                .map(|flag| [mark(flag, 0), mark(flag, 1)])
                .collect(),
        }
    }

    #[inline(always)]
    fn piece(&self, player: u8, kind: usize, square: usize) -> u64 {
        look(&self.pieces[usize::from(player & 1)][kind & (KINDS - 1)], square)
    }

    fn mark(&self, flag: u8, player: u8, square: u8) -> u64 {
        self.marks[usize::from(flag)][usize::from(player & 1)][usize::from(square)]
    }
}

/// Walks down and makes every position.
pub(crate) struct Walk<'f, B: Bits> {
    pub(crate) fast: &'f Fast<B>,
    pub(crate) keys: &'f Keys,
    pub(crate) total: Made,
    /// The position that was made last: it is really made.
    pub(crate) last: State<B>,
}

impl<B: Bits> Walk<'_, B> {
    #[inline(always)]
    pub(crate) fn below<L: Look<B>>(&mut self, state: &State<B>, key: u64, depth: u32) {
        let fast = self.fast;
        // What every move has in common: the turn passes, and the flag that was there goes.
        let mut common = key ^ self.keys.turn;
        if state.mark != NO_MARK {
            common ^= self.keys.mark(state.flag, state.side ^ 1, state.mark);
        }
        let checks = if depth == 1 { Checks::of::<L>(fast, state) } else { Checks::NONE };
        let look = std::marker::PhantomData::<L>;
        fast.visit::<L>(state, &mut Each { walk: self, state, common, depth, checks, look });
    }
}

/// How the player to move can give check with a plain move.
struct Checks<B> {
    /// By kind: from where it would.
    from: [B; KINDS],
    /// Own pieces that stand alone between an own slide and the other leader.
    openers: B,
    /// Where the other leader stands.
    target: usize,
}

impl<B: Bits> Checks<B> {
    const NONE: Self = Checks { from: [B::ZERO; KINDS], openers: B::ZERO, target: 0 };

    #[inline(always)]
    fn of<L: Look<B>>(fast: &Fast<B>, state: &State<B>) -> Self {
        let side = &fast.sides[usize::from(state.side & 1)];
        let (own, occupied) = (state.own(), state.own() | state.enemy());
        let target = (state.kinds[fast.leader] & state.enemy()).lowest();
        let mut checks = Checks { target, ..Checks::NONE };
        for (from, hits) in checks.from.iter_mut().zip(&side.hit_by) {
            *from = look(hits, target);
        }
        for (class, kinds) in side.sliders.iter().enumerate() {
            let view = L::slide(fast, class, target, occupied);
            let mut sliders = B::ZERO;
            for kind in kinds {
                checks.from[*kind] |= view;
                sliders |= state.kinds[*kind] & own;
            }
            for slider in squares(L::slide(fast, class, target, occupied & !(view & own)) & sliders & !view) {
                let between = look(&fast.between, target * fast.squares + slider) & occupied;
                if between.without_lowest().is_empty() {
                    checks.openers |= between;
                }
            }
        }
        checks
    }

    /// The piece that moves gives check, or opens the way of another that does.
    #[inline(always)]
    fn given_by(&self, fast: &Fast<B>, kind: usize, from: usize, to: usize) -> bool {
        let to = B::bit(to);
        let direct = !(self.from[kind & (KINDS - 1)] & to).is_empty();
        let leaves = || (look(&fast.line, self.target * fast.squares + from) & to).is_empty();
        direct || !(self.openers & B::bit(from)).is_empty() && leaves()
    }
}

struct Each<'w, 'f, B: Bits, L> {
    walk: &'w mut Walk<'f, B>,
    state: &'w State<B>,
    common: u64,
    depth: u32,
    checks: Checks<B>,
    look: std::marker::PhantomData<L>,
}

impl<B: Bits, L: Look<B>> Each<'_, '_, B, L> {
    /// What leaves a square takes its part of the key along.
    #[inline(always)]
    fn gone(&self, square: usize) -> u64 {
        let (state, keys) = (self.state, self.walk.keys);
        let bit = B::bit(square);
        let mut key = 0;
        for (kind, plane) in state.kinds.iter().enumerate() {
            if !(*plane & bit).is_empty() {
                let player = u8::from((state.players[0] & bit).is_empty());
                key = keys.piece(player, kind, square);
            }
        }
        if !(state.unmoved & bit).is_empty() {
            key ^= look(&keys.unmoved, square);
        }
        key
    }

    /// The key after a piece of a known kind has gone from one square to another.
    #[inline(always)]
    fn moved(&self, kind: usize, from: usize, to: usize) -> u64 {
        let (state, keys) = (self.state, self.walk.keys);
        let mut key = self.common ^ keys.piece(state.side, kind, from) ^ keys.piece(state.side, kind, to);
        if !(state.unmoved & B::bit(from)).is_empty() {
            key ^= look(&keys.unmoved, from);
        }
        if !(state.enemy() & B::bit(to)).is_empty() {
            key ^= self.gone(to);
        }
        key
    }

    /// A position that was made some special way: the whole board is asked for check.
    #[inline(always)]
    fn go(&mut self, next: &State<B>, key: u64) {
        if self.depth > 1 {
            return L::walk(self.walk, next, key, self.depth - 1);
        }
        self.walk.last = *next;
        let check = self.walk.fast.in_check::<L>(next);
        self.count(key, check);
    }

    /// A plain move, made where it stays.
    #[inline(always)]
    fn go_plainly(&mut self, key: u64, kind: usize, from: usize, to: usize) {
        if self.depth > 1 {
            return L::walk(self.walk, &self.state.after(from, to, kind), key, self.depth - 1);
        }
        self.state.make(&mut self.walk.last, from, to, kind);
        let check = self.checks.given_by(self.walk.fast, kind, from, to);
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
    fn land(&mut self, next: State<B>, key: u64, to: usize, kind: usize, promotion: &Promotion<B>) {
        if (promotion.zone & B::bit(to)).is_empty() || promotion.options.is_empty() {
            return self.go(&next, key);
        }
        let keys = self.walk.keys;
        let bare = key ^ keys.piece(self.state.side, kind, to) ^ look(&keys.unmoved, to);
        let mut options = promotion.options.iter();
        promotion.each(next, to, kind, |next| {
            let option = usize::from(options.next().copied().unwrap_or_default());
            self.go(next, bare ^ keys.piece(self.state.side, option, to));
        });
    }
}

impl<B: Bits, L: Look<B>> Visitor<B> for Each<'_, '_, B, L> {
    #[inline(always)]
    fn officer(&mut self, kind: usize, from: usize, targets: B) {
        for to in squares(targets) {
            let key = self.moved(kind, from, to);
            self.go_plainly(key, kind, from, to);
        }
    }
    #[inline(always)]
    fn step(&mut self, kind: usize, step: &Step<B>, targets: B) {
        for to in squares(targets) {
            let from = step.source(to);
            let mut key = self.moved(kind, from, to);
            if step.flag.is_none() && (step.promotion.zone & B::bit(to)).is_empty() {
                self.go_plainly(key, kind, from, to);
                continue;
            }
            if let Some(flag) = step.flag {
                key ^= self.walk.keys.mark(flag, self.state.side, to as u8);
            }
            self.land(step.made(self.state, to, kind), key, to, kind, &step.promotion);
        }
    }
    #[inline(always)]
    fn passing(&mut self, kind: usize, passing: &Passing<B>, from: usize, to: usize) {
        let key = self.moved(kind, from, to) ^ self.gone(usize::from(self.state.mark));
        self.land(passed(self.state, from, to, kind), key, to, kind, &passing.promotion);
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        let mut key = self.moved(self.walk.fast.leader, from, castle.target);
        for &(kind, from, to) in &castle.moved {
            key ^= self.moved(kind, from, to) ^ self.common;
        }
        let next = self.walk.fast.castled(self.state, castle, from);
        self.go(&next, key);
    }
}
