//! Perft that makes every last position with its key and check status, as a search would. It serves as a benchmark.

use crate::movegen::PerftTotals;
use crate::movegen::fast::bits::{Bits, lookup, squares};
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::made::{after_castle, after_flag_capture};
use crate::movegen::fast::side::{FlagCapture, Promotion, SingleStep, Stepper};
use crate::movegen::fast::state::{Column, LEADER, NO_MARK, State, UNMOVED};
use crate::movegen::fast::tables::FastTables;
use crate::movegen::fast::visitors::MoveVisitor;
use crate::piece::{Flag, Player};
use crate::position::zobrist;
use crate::position::{Countdown, Mark, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// The parts of keys as tables; the same numbers as in [`zobrist`].
pub(crate) struct Keys {
    /// By player, kind and square.
    pieces: [Box<[u64]>; 2],
    squares: usize,
    /// By column, without the planes that every game has.
    kinds: Box<[u8]>,
    unmoved: Box<[u64]>,
    /// The change of the key when the turn passes.
    turn: u64,
    /// By flag, player who set it and square.
    marks: Vec<[Box<[u64]>; 2]>,
}

impl Keys {
    pub(crate) fn new<B: Bits>(rules: &Rules, fast: &FastTables<B>) -> Self {
        let table = |of: &dyn Fn(Square) -> u64| -> Box<[u64]> {
            (0..rules.board().len() as u16).map(|square| of(Square(square))).collect()
        };
        let slot_of = |player: u8| u16::from(rules.turn_of(0).0 != player);
        let mark = |flag: u8, player: u8| {
            let countdown = Some(Countdown { slot: slot_of(player), remaining: 1 });
            table(&|square| zobrist::mark(&Mark { square, flag: Flag(flag), countdown }))
        };
        Keys {
            pieces: [0, 1].map(|player| {
                let kinds = rules.kinds().flat_map(|kind| {
                    table(&|square| zobrist::piece(Player(player), kind, Spot::host(square)))
                });
                kinds.collect()
            }),
            squares: rules.board().len(),
            kinds: fast.kinds.clone(),
            unmoved: table(&|square| zobrist::unmoved(Spot::host(square))),
            turn: zobrist::slot(0) ^ zobrist::slot(1),
            marks: (0..rules.blueprint().flags.len() as u8)
                .map(|flag| [mark(flag, 0), mark(flag, 1)])
                .collect(),
        }
    }

    #[inline(always)]
    fn piece(&self, player: u8, kind: usize, square: usize) -> u64 {
        lookup(&self.pieces[usize::from(player & 1)], kind * self.squares + square)
    }

    /// Returns the kind on a square.
    #[inline(always)]
    fn kind<B: Bits, const P: usize>(&self, state: &State<B, P>, square: usize) -> usize {
        usize::from(self.kinds[(state.column(square) >> LEADER) as usize])
    }

    fn mark(&self, flag: u8, player: u8, square: u8) -> u64 {
        self.marks[usize::from(flag)][usize::from(player & 1)][usize::from(square)]
    }
}

/// A way to look up slides in usual games, and the entry point compiled for it.
pub(crate) trait KeyedLookup<B: Bits>: SlideLookup<B> {
    /// Counts with keys; see [`KeyedPerft::below`].
    fn walk<const P: usize>(walk: &mut KeyedPerft<'_, B, P>, state: &State<B, P>, key: u64, depth: u32);
}

/// Walks the tree and makes every position.
pub(crate) struct KeyedPerft<'f, B: Bits, const P: usize> {
    pub(crate) fast: &'f FastTables<B>,
    pub(crate) keys: &'f Keys,
    pub(crate) total: PerftTotals,
    /// The last position. Storing it prevents the compiler from removing the work.
    pub(crate) last: State<B, P>,
}

impl<B: Bits, const P: usize> KeyedPerft<'_, B, P> {
    #[inline(always)]
    pub(crate) fn below<L: KeyedLookup<B>>(&mut self, state: &State<B, P>, key: u64, depth: u32) {
        let fast = self.fast;
        // Every move passes the turn and drops the current flag.
        let mut common = key ^ self.keys.turn;
        if state.mark != NO_MARK {
            common ^= self.keys.mark(state.flag, state.side ^ 1, state.mark);
        }
        let checks = if depth == 1 { Checks::of::<L, P>(fast, state) } else { Checks::NONE };
        let lookup = std::marker::PhantomData::<L>;
        fast.visit::<L, P>(state, &mut MakeKeyedMoves { walk: self, state, common, depth, checks, lookup });
    }
}

/// The ways in which the player to move can give check with a plain move.
struct Checks<B> {
    /// By plane: the squares from which it gives check.
    from: [B; 16],
    /// Own pieces that are the only one between an own slider and the enemy leader.
    openers: B,
    /// The square of the enemy leader.
    target: usize,
}

impl<B: Bits> Checks<B> {
    const NONE: Self = Checks { from: [B::ZERO; 16], openers: B::ZERO, target: 0 };

    #[inline(always)]
    fn of<L: SlideLookup<B>, const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> Self {
        let side = fast.side(state);
        let (own, occupied) = (state.own(), state.own() | state.enemy());
        let target = (state.planes[LEADER] & state.enemy()).lowest();
        let mut checks = Checks { target, ..Checks::NONE };
        checks.from[LEADER] = lookup(&side.leader.from, target);
        for leaps in &side.leaps {
            checks.from[leaps.plane & 15] = lookup(&leaps.from, target);
        }
        for stepper in &side.steppers {
            checks.from[stepper.plane & 15] = lookup(&stepper.hits, target);
        }
        for (plane, class) in &side.slides {
            let view = L::slide(fast, *class, target, occupied);
            checks.from[*plane & 15] = view;
            let sliders = state.plane(*plane) & own & !view;
            for slider in squares(L::slide(fast, *class, target, occupied & !(view & own)) & sliders) {
                let between = lookup(&fast.between, target * fast.squares + slider) & occupied;
                if between.without_lowest().is_empty() {
                    checks.openers |= between;
                }
            }
        }
        checks
    }

    /// Returns the squares from which a piece with these atoms gives check.
    #[inline(always)]
    fn checking_squares(&self, mut column: Column) -> B {
        let mut from = B::ZERO;
        while column != 0 {
            from |= self.from[column.trailing_zeros() as usize & 15];
            column &= column - 1;
        }
        from
    }

    /// Returns whether a move gives check directly or by opening a line.
    #[inline(always)]
    fn gives_check(&self, fast: &FastTables<B>, direct: B, from: usize, to: usize) -> bool {
        let to = B::bit(to);
        let leaves = || (lookup(&fast.line, self.target * fast.squares + from) & to).is_empty();
        !(direct & to).is_empty() || !(self.openers & B::bit(from)).is_empty() && leaves()
    }
}

struct MakeKeyedMoves<'w, 'f, B: Bits, L, const P: usize> {
    walk: &'w mut KeyedPerft<'f, B, P>,
    state: &'w State<B, P>,
    common: u64,
    depth: u32,
    checks: Checks<B>,
    lookup: std::marker::PhantomData<L>,
}

impl<B: Bits, L: KeyedLookup<B>, const P: usize> MakeKeyedMoves<'_, '_, B, L, P> {
    /// Returns the change of the key when the piece on a square disappears.
    #[inline(always)]
    fn removal_key(&self, square: usize) -> u64 {
        let (state, keys) = (self.state, self.walk.keys);
        let bit = B::bit(square);
        let player = u8::from((state.planes[0] & bit).is_empty());
        let key = keys.piece(player, keys.kind(state, square), square);
        if (state.planes[UNMOVED] & bit).is_empty() { key } else { key ^ lookup(&keys.unmoved, square) }
    }

    /// Returns the key after a piece of a known kind has left its square.
    #[inline(always)]
    fn source_key(&self, kind: usize, from: usize) -> u64 {
        let (state, keys) = (self.state, self.walk.keys);
        let key = self.common ^ keys.piece(state.side, kind, from);
        if (state.planes[UNMOVED] & B::bit(from)).is_empty() {
            key
        } else {
            key ^ lookup(&keys.unmoved, from)
        }
    }

    /// Returns the change of the key when the piece lands.
    #[inline(always)]
    fn target_key(&self, kind: usize, to: usize) -> u64 {
        let key = self.walk.keys.piece(self.state.side, kind, to);
        if (self.state.enemy() & B::bit(to)).is_empty() { key } else { key ^ self.removal_key(to) }
    }

    /// Continues with a position after a special move; check is tested on the whole board.
    #[inline(always)]
    fn go(&mut self, next: &State<B, P>, key: u64) {
        if self.depth > 1 {
            return L::walk(self.walk, next, key, self.depth - 1);
        }
        self.walk.last = *next;
        let check = self.walk.fast.in_check::<L, P>(next);
        self.count(key, check);
    }

    /// Continues with a plain move.
    #[inline(always)]
    fn go_plain(&mut self, key: u64, direct: B, from: usize, to: usize) {
        if self.depth > 1 {
            return L::walk(self.walk, &self.state.after(from, to), key, self.depth - 1);
        }
        self.state.make(&mut self.walk.last, from, to);
        let check = self.checks.gives_check(self.walk.fast, direct, from, to);
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
        let bare = key ^ keys.piece(self.state.side, kind, to) ^ lookup(&keys.unmoved, to);
        let mut options = promotion.options.iter();
        promotion.each(next, to, |next| {
            let option = options.next().map_or(0, |(kind, _)| usize::from(*kind));
            self.go(next, bare ^ keys.piece(self.state.side, option, to));
        });
    }
}

impl<B: Bits, L: KeyedLookup<B>, const P: usize> MoveVisitor<B> for MakeKeyedMoves<'_, '_, B, L, P> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: B) {
        if targets.is_empty() {
            return;
        }
        let column = self.state.column(from);
        let kind = usize::from(self.walk.keys.kinds[(column >> LEADER) as usize]);
        let (key, direct) = (self.source_key(kind, from), self.checks.checking_squares(column));
        for to in squares(targets) {
            self.go_plain(key ^ self.target_key(kind, to), direct, from, to);
        }
    }
    #[inline(always)]
    fn step(&mut self, stepper: &Stepper<B>, step: &SingleStep<B>, targets: B) {
        let direct = self.checks.from[stepper.plane & 15];
        for to in squares(targets) {
            let from = step.source(to);
            let mut key = self.source_key(stepper.kind, from) ^ self.target_key(stepper.kind, to);
            if step.flag.is_none() && (step.promotion.zone & B::bit(to)).is_empty() {
                self.go_plain(key, direct, from, to);
                continue;
            }
            if let Some(flag) = step.flag {
                key ^= self.walk.keys.mark(flag, self.state.side, to as u8);
            }
            self.land(step.made(self.state, stepper, to), key, to, stepper.kind, &step.promotion);
        }
    }
    #[inline(always)]
    fn flag_capture(&mut self, stepper: &Stepper<B>, flag_capture: &FlagCapture<B>, from: usize, to: usize) {
        let key = self.source_key(stepper.kind, from)
            ^ self.target_key(stepper.kind, to)
            ^ self.removal_key(usize::from(self.state.mark));
        self.land(after_flag_capture(self.state, from, to), key, to, stepper.kind, &flag_capture.promotion);
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        let leader = self.walk.keys.kind(self.state, from);
        let mut key = self.source_key(leader, from) ^ self.target_key(leader, castle.target);
        let (partner, to) = castle.moved;
        let kind = self.walk.keys.kind(self.state, partner);
        key ^= self.removal_key(partner) ^ self.walk.keys.piece(self.state.side, kind, to);
        self.go(&after_castle(self.state, castle, from), key);
    }
}
