//! Legal moves of the fast path: attacks, checks and pins first, then only what is legal, as sets of squares.

use crate::fast::bits::{Bits, look, squares};
use crate::fast::made::Walk;
use crate::fast::plan::{CLASSES, Castle, Fast, Passing, Promotion, Step};
use crate::fast::state::{NO_MARK, State};
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// How slides are looked up, and the way back to the function that was compiled for it.
pub(crate) trait Look<B: Bits>: Sized {
    /// Every square that a slide of a class reaches or captures on.
    fn slide(fast: &Fast<B>, class: usize, square: usize, occupied: B) -> B;
    /// Counts positions; see [`Fast::count_tree`].
    fn perft(fast: &Fast<B>, state: &State<B>, depth: u32) -> u64;
    /// Makes positions; see [`Walk::below`].
    fn walk(walk: &mut Walk<'_, B>, state: &State<B>, key: u64, depth: u32);
}

/// A set of moves of one piece, or of one step of many.
pub(crate) trait Visitor<B: Bits> {
    /// Plain moves of one piece.
    fn officer(&mut self, kind: usize, from: usize, targets: B);
    /// A step of all pieces of a kind: where they land.
    fn step(&mut self, kind: usize, step: &Step<B>, targets: B);
    /// A capture beside the landing.
    fn passing(&mut self, kind: usize, passing: &Passing<B>, from: usize, to: usize);
    /// A guarded move of the leader.
    fn castle(&mut self, castle: &Castle<B>, from: usize);
}

/// What is known of a position before any move is made.
pub(crate) struct Masks<B> {
    pub(crate) own: B,
    pub(crate) enemy: B,
    pub(crate) occupied: B,
    pub(crate) leader: usize,
    /// By class: the enemy's pieces that slide in it.
    pub(crate) snipers: [B; CLASSES],
    /// Where a move of another piece than the leader must land.
    pub(crate) allowed: B,
    /// Several pieces give check: only the leader moves.
    pub(crate) only_leader: bool,
    /// Own pieces that stand alone between the leader and a slide.
    pub(crate) pinned: B,
}

impl<B: Bits> Fast<B> {
    /// Whether the position can be played here: one leader each, and the one that is not to move is not in check.
    pub(crate) fn accepts<L: Look<B>>(&self, state: &State<B>) -> bool {
        let leaders = state.kinds[self.leader];
        let known = |(kind, plane): (usize, &B)| self.kinds >> kind & 1 == 1 || plane.is_empty();
        let single = |player: B| (leaders & player).count() == 1;
        state.kinds.iter().enumerate().all(known) && single(state.own()) && single(state.enemy()) && {
            let mut passed = *state;
            passed.side ^= 1;
            let leader = (leaders & state.enemy()).lowest();
            !self.is_attacked::<L>(&passed, &self.snipers(&passed), leader, state.own() | state.enemy())
        }
    }

    /// By class: the pieces of the player not to move that slide in it.
    #[inline(always)]
    fn snipers(&self, state: &State<B>) -> [B; CLASSES] {
        let side = &self.sides[usize::from(state.side ^ 1)];
        let mut snipers = [B::ZERO; CLASSES];
        for (class, kinds) in side.sliders.iter().enumerate() {
            let all = kinds.iter().fold(B::ZERO, |set, kind| set | state.kinds[*kind]);
            snipers[class] = all & state.enemy();
        }
        snipers
    }

    /// Whether the player not to move attacks a square, with these squares occupied.
    #[inline(always)]
    fn is_attacked<L: Look<B>>(
        &self,
        state: &State<B>,
        snipers: &[B; CLASSES],
        square: usize,
        occupied: B,
    ) -> bool {
        let side = &self.sides[usize::from(state.side ^ 1)];
        let mut hits = B::ZERO;
        for (kind, from) in &side.hits {
            hits |= look(from, square) & state.kinds[*kind];
        }
        hits &= state.enemy();
        for (class, snipers) in snipers.iter().enumerate().take(self.classes.len()) {
            hits |= L::slide(self, class, square, occupied) & *snipers;
        }
        !hits.is_empty()
    }

    #[inline(always)]
    fn masks<L: Look<B>>(&self, state: &State<B>) -> Masks<B> {
        let (own, enemy) = (state.own(), state.enemy());
        let occupied = own | enemy;
        let leader = (state.kinds[self.leader] & own).lowest();
        let snipers = self.snipers(state);
        let mut checkers = B::ZERO;
        for (kind, from) in &self.sides[usize::from(state.side ^ 1)].hits {
            checkers |= look(from, leader) & state.kinds[*kind];
        }
        checkers &= enemy;
        let mut pinned = B::ZERO;
        for (class, snipers) in snipers.iter().enumerate().take(self.classes.len()) {
            for sniper in squares(L::slide(self, class, leader, enemy) & *snipers) {
                let blockers = look(&self.between, leader * self.squares + sniper) & own;
                if blockers.is_empty() {
                    checkers |= B::bit(sniper);
                } else if blockers.without_lowest().is_empty() {
                    pinned |= blockers;
                }
            }
        }
        let mut masks =
            Masks { own, enemy, occupied, leader, snipers, allowed: !own, only_leader: false, pinned };
        if !checkers.is_empty() {
            let checker = checkers.lowest();
            masks.only_leader = !checkers.without_lowest().is_empty();
            masks.allowed &= look(&self.between, leader * self.squares + checker) | B::bit(checker);
        }
        masks
    }

    /// Where the leader can go: what the enemy's leaps attack is taken away at once, slides are asked square by square.
    #[inline(always)]
    fn leader_targets<L: Look<B>>(&self, state: &State<B>, masks: &Masks<B>) -> B {
        let leaps = &self.sides[usize::from(state.side)].leader_leaps;
        let mut targets = look(leaps, masks.leader) & !masks.own;
        let side = &self.sides[usize::from(state.side ^ 1)];
        for stepper in &side.steppers {
            let pieces = state.kinds[stepper.kind] & masks.enemy;
            for step in &stepper.captures {
                targets &= !step.of(pieces);
            }
        }
        let occupied = masks.occupied ^ B::bit(masks.leader);
        let mut safe = B::ZERO;
        for target in squares(targets) {
            if !self.is_attacked::<L>(state, &masks.snipers, target, occupied) {
                safe |= B::bit(target);
            }
        }
        safe
    }

    /// Shows all legal moves.
    #[inline(always)]
    pub(crate) fn visit<L: Look<B>>(&self, state: &State<B>, visitor: &mut impl Visitor<B>) {
        let masks = self.masks::<L>(state);
        let side = &self.sides[usize::from(state.side)];
        visitor.officer(self.leader, masks.leader, self.leader_targets::<L>(state, &masks));
        for castle in &side.castles[masks.leader] {
            if self.can_castle::<L>(state, castle, &masks) {
                visitor.castle(castle, masks.leader);
            }
        }
        if masks.only_leader {
            return;
        }
        for officer in &side.officers {
            for from in squares(state.kinds[officer.kind] & masks.own) {
                let mut targets = officer.leaps.as_ref().map_or(B::ZERO, |leaps| look(leaps, from));
                for class in &officer.classes {
                    targets |= L::slide(self, *class, from, masks.occupied);
                }
                targets &= masks.allowed;
                if !(masks.pinned & B::bit(from)).is_empty() {
                    targets &= look(&self.line, masks.leader * self.squares + from);
                }
                visitor.officer(officer.kind, from, targets);
            }
        }
        for stepper in &side.steppers {
            let pieces = state.kinds[stepper.kind] & masks.own;
            let free = pieces & !masks.pinned;
            for step in &stepper.steps {
                visitor.step(stepper.kind, step, step.targets(state, free, &masks));
            }
            for piece in squares(pieces & masks.pinned) {
                let line = look(&self.line, masks.leader * self.squares + piece);
                for step in &stepper.steps {
                    visitor.step(stepper.kind, step, step.targets(state, B::bit(piece), &masks) & line);
                }
            }
            if state.mark != NO_MARK {
                for passing in stepper.passings.iter().filter(|passing| passing.flag == state.flag) {
                    self.visit_passing::<L>(state, stepper.kind, passing, &masks, visitor);
                }
            }
        }
    }

    #[inline(always)]
    fn can_castle<L: Look<B>>(&self, state: &State<B>, castle: &Castle<B>, masks: &Masks<B>) -> bool {
        if !(castle.unmoved & !state.unmoved).is_empty() || !(castle.empty & masks.occupied).is_empty() {
            return false;
        }
        // Plain loops: a closure in an iterator's own loop would be compiled without the detected instructions.
        for (kind, square) in &castle.partners {
            if (state.kinds[*kind] & masks.own & *square).is_empty() {
                return false;
            }
        }
        let occupied = masks.occupied ^ B::bit(masks.leader);
        for square in squares(castle.safe) {
            if self.is_attacked::<L>(state, &masks.snipers, square, occupied) {
                return false;
            }
        }
        !castle.needs_trial || self.is_safe::<L>(&self.castled(state, castle, masks.leader))
    }

    /// The flag's piece may be taken, if that leaves the leader safe: two pieces leave their lines at once, so it is
    /// tried on a copy.
    #[inline(never)]
    fn visit_passing<L: Look<B>>(
        &self,
        state: &State<B>,
        kind: usize,
        passing: &Passing<B>,
        masks: &Masks<B>,
        visitor: &mut impl Visitor<B>,
    ) {
        let source = passing.to_source.of(B::bit(usize::from(state.mark))) & state.kinds[kind] & masks.own;
        let target = passing.step.of(source) & !masks.occupied;
        if source.is_empty() || target.is_empty() {
            return;
        }
        let (from, to) = (source.lowest(), target.lowest());
        if self.is_safe::<L>(&passed(state, from, to, kind)) {
            visitor.passing(kind, passing, from, to);
        }
    }

    /// How many captures of the flagged piece are legal.
    pub(crate) fn count_passings<L: Look<B>>(&self, state: &State<B>) -> u64 {
        let side = &self.sides[usize::from(state.side)];
        let mark = B::bit(usize::from(state.mark));
        let mut counter = Counter(0);
        for stepper in &side.steppers {
            let own = state.kinds[stepper.kind] & state.own();
            for passing in stepper.passings.iter().filter(|passing| passing.flag == state.flag) {
                if !(passing.to_source.of(mark) & own).is_empty() {
                    let masks = self.masks::<L>(state);
                    self.visit_passing::<L>(state, stepper.kind, passing, &masks, &mut counter);
                }
            }
        }
        counter.0
    }

    /// Whether the leader of the player who has just moved is not attacked.
    #[inline(always)]
    pub(crate) fn is_safe<L: Look<B>>(&self, next: &State<B>) -> bool {
        let mut before = *next;
        before.side ^= 1;
        let leader = (next.kinds[self.leader] & before.own()).lowest();
        !self.is_attacked::<L>(&before, &self.snipers(&before), leader, next.own() | next.enemy())
    }

    /// Whether the leader of the player to move is attacked.
    #[inline(always)]
    pub(crate) fn in_check<L: Look<B>>(&self, state: &State<B>) -> bool {
        let leader = (state.kinds[self.leader] & state.own()).lowest();
        self.is_attacked::<L>(state, &self.snipers(state), leader, state.own() | state.enemy())
    }

    /// The board after a guarded move.
    #[inline(always)]
    pub(crate) fn castled(&self, state: &State<B>, castle: &Castle<B>, from: usize) -> State<B> {
        let mut next = *state;
        for &(kind, from, to) in &castle.moved {
            next = next.after(from, to, kind);
            next.side = state.side;
        }
        next.after(from, castle.target, self.leader)
    }

    /// Counts the positions so many moves on; the last move is counted, not made.
    #[inline(always)]
    pub(crate) fn count_tree<L: Look<B>>(&self, state: &State<B>, depth: u32) -> u64 {
        if depth == 1 {
            let mut counter = Counter(0);
            self.visit::<L>(state, &mut counter);
            return counter.0;
        }
        let mut nodes = 0;
        let go = |next: &State<B>| nodes += L::perft(self, next, depth - 1);
        self.visit::<L>(state, &mut Made { fast: self, state, go });
        nodes
    }
}

/// The board after the capture of the flag's piece.
#[inline(always)]
pub(crate) fn passed<B: Bits>(state: &State<B>, from: usize, to: usize, kind: usize) -> State<B> {
    let mut next = state.after(from, to, kind);
    next.remove(usize::from(state.mark));
    next
}

impl<B: Bits> Step<B> {
    /// Where some pieces land with this step.
    #[inline(always)]
    pub(crate) fn targets(&self, state: &State<B>, pieces: B, masks: &Masks<B>) -> B {
        let mut set = if self.first_move { pieces & state.unmoved } else { pieces };
        for _ in 1..self.times {
            set = self.shift.of(set) & !masks.occupied;
        }
        set = self.shift.of(set);
        let mut landing = B::ZERO;
        if self.on_empty {
            landing |= !masks.occupied;
        }
        if self.on_enemy {
            landing |= masks.occupied;
        }
        set & landing & masks.allowed
    }

    /// From where a piece came that landed on a square.
    #[inline(always)]
    pub(crate) fn source(&self, to: usize) -> usize {
        (to as i32 - self.by * self.times as i32) as usize
    }
}

impl<B: Bits> Step<B> {
    /// The board after a piece has landed, before it becomes another.
    #[inline(always)]
    pub(crate) fn made(&self, state: &State<B>, to: usize, kind: usize) -> State<B> {
        let mut next = state.after(self.source(to), to, kind);
        if let Some(flag) = self.flag {
            next.mark = to as u8;
            next.flag = flag;
        }
        next
    }
}

impl<B: Bits> Promotion<B> {
    /// What a landing leads to: one position, or one for each option.
    #[inline(always)]
    pub(crate) fn each(&self, next: State<B>, to: usize, kind: usize, mut go: impl FnMut(&State<B>)) {
        if (self.zone & B::bit(to)).is_empty() || self.options.is_empty() {
            return go(&next);
        }
        for option in &self.options {
            let mut fresh = next;
            fresh.kinds[kind] &= !B::bit(to);
            fresh.kinds[usize::from(*option)] |= B::bit(to);
            fresh.unmoved |= B::bit(to);
            go(&fresh);
        }
    }

    /// How many moves a set of landings stands for.
    #[inline(always)]
    pub(crate) fn count(&self, targets: B) -> u64 {
        let promoting = (targets & self.zone).count();
        u64::from(targets.count()) + u64::from(promoting) * (self.options.len().max(1) - 1) as u64
    }
}

/// Counts moves without making them.
struct Counter(u64);

impl<B: Bits> Visitor<B> for Counter {
    #[inline(always)]
    fn officer(&mut self, _: usize, _: usize, targets: B) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn step(&mut self, _: usize, step: &Step<B>, targets: B) {
        self.0 += step.promotion.count(targets);
    }
    #[inline(always)]
    fn passing(&mut self, _: usize, passing: &Passing<B>, _: usize, to: usize) {
        self.0 += passing.promotion.count(B::bit(to));
    }
    #[inline(always)]
    fn castle(&mut self, _: &Castle<B>, _: usize) {
        self.0 += 1;
    }
}

/// Makes every move and shows the position it leads to.
pub(crate) struct Made<'f, B: Bits, F> {
    pub(crate) fast: &'f Fast<B>,
    pub(crate) state: &'f State<B>,
    pub(crate) go: F,
}

impl<B: Bits, F: FnMut(&State<B>)> Visitor<B> for Made<'_, B, F> {
    #[inline(always)]
    fn officer(&mut self, kind: usize, from: usize, targets: B) {
        for to in squares(targets) {
            (self.go)(&self.state.after(from, to, kind));
        }
    }
    #[inline(always)]
    fn step(&mut self, kind: usize, step: &Step<B>, targets: B) {
        for to in squares(targets) {
            step.promotion.each(step.made(self.state, to, kind), to, kind, &mut self.go);
        }
    }
    #[inline(always)]
    fn passing(&mut self, kind: usize, passing: &Passing<B>, from: usize, to: usize) {
        passing.promotion.each(passed(self.state, from, to, kind), to, kind, &mut self.go);
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        (self.go)(&self.fast.castled(self.state, castle, from));
    }
}

/// Lists moves as the public type has them.
pub(crate) struct Lister<'f, B: Bits> {
    pub(crate) fast: &'f Fast<B>,
    pub(crate) side: usize,
    pub(crate) moves: Vec<Move>,
}

impl<B: Bits> Lister<'_, B> {
    fn push(&mut self, from: usize, to: usize, pattern: u16, promotion: Option<u8>) {
        let (from, to) = (Square(from as u16), Square(to as u16));
        self.moves.push(Move { from, to, pattern, promotion: promotion.map(Kind) });
    }

    fn land(&mut self, from: usize, to: usize, pattern: u16, promotion: &Promotion<B>) {
        if (promotion.zone & B::bit(to)).is_empty() || promotion.options.is_empty() {
            return self.push(from, to, pattern, None);
        }
        for option in &promotion.options {
            self.push(from, to, pattern, Some(*option));
        }
    }
}

impl<B: Bits> Visitor<B> for Lister<'_, B> {
    fn officer(&mut self, kind: usize, from: usize, targets: B) {
        for to in squares(targets) {
            let pattern = self.fast.sides[self.side].patterns[kind][from * self.fast.squares + to];
            self.push(from, to, pattern, None);
        }
    }
    fn step(&mut self, _: usize, step: &Step<B>, targets: B) {
        for to in squares(targets) {
            self.land(step.source(to), to, step.pattern, &step.promotion);
        }
    }
    fn passing(&mut self, _: usize, passing: &Passing<B>, from: usize, to: usize) {
        self.land(from, to, passing.pattern, &passing.promotion);
    }
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        self.push(from, castle.target, castle.pattern, None);
    }
}
