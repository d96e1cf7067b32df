//! Legal moves of the fast path: attacks, checks and pins first, then only what is legal, as sets of squares.

use crate::fast::bits::{Bits, look, squares};
use crate::fast::castle::Castle;
use crate::fast::made::Walk;
use crate::fast::plan::Fast;
use crate::fast::side::{Leaps, Passing, Promotion, Side, Step, Stepper};
use crate::fast::state::{LEADER, NO_MARK, State, UNMOVED};
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// How slides are looked up, and the way back to the function that was compiled for it.
pub(crate) trait Look<B: Bits>: Sized {
    /// Every square that a slide of a class reaches or captures on.
    fn slide(fast: &Fast<B>, class: usize, square: usize, occupied: B) -> B;
    /// What a player has of each, perhaps with a number that is known when this is compiled.
    fn slides(side: &Side<B>) -> &[(usize, usize)];
    /// As above.
    fn leaps(side: &Side<B>) -> &[Leaps<B>];
    /// As above.
    fn steppers(side: &Side<B>) -> &[Stepper<B>];
    /// Counts positions; see [`Fast::count_tree`].
    fn perft<const P: usize>(fast: &Fast<B>, state: &State<B, P>, depth: u32) -> u64;
    /// Lists moves; see [`Fast::list`].
    fn list<const P: usize>(fast: &Fast<B>, state: &State<B, P>, moves: &mut Vec<Move>) -> bool;
    /// See [`Fast::sees_attack`].
    fn sees_attack<const P: usize>(fast: &Fast<B>, state: &State<B, P>) -> bool;
    /// Makes positions; see [`Walk::below`].
    fn walk<const P: usize>(walk: &mut Walk<'_, B, P>, state: &State<B, P>, key: u64, depth: u32);
}

/// Who is shown legal moves: as sets, of one piece, or of one step of many.
pub(crate) trait Visitor<B: Bits> {
    /// Plain moves of one piece; a piece of several atoms comes once for each.
    fn piece(&mut self, from: usize, targets: B);
    /// A step of all pieces of a kind: where they land.
    fn step(&mut self, stepper: &Stepper<B>, step: &Step<B>, targets: B);
    /// A capture beside the landing.
    fn passing(&mut self, stepper: &Stepper<B>, passing: &Passing<B>, from: usize, to: usize);
    /// A guarded move of the leader.
    fn castle(&mut self, castle: &Castle<B>, from: usize);
}

/// What is known of a position before any move is made.
pub(crate) struct Masks<B> {
    pub(crate) own: B,
    pub(crate) enemy: B,
    pub(crate) occupied: B,
    pub(crate) leader: usize,
    /// Where a move of another piece than the leader must land.
    pub(crate) allowed: B,
    pub(crate) in_check: bool,
    /// Several pieces give check: only the leader moves.
    pub(crate) only_leader: bool,
    /// Own pieces that stand alone between the leader and a slide.
    pub(crate) pinned: B,
}

impl<B: Bits> Fast<B> {
    /// Whether the position can be played here: one leader each, and the one that is not to move is not in check.
    #[inline(always)]
    pub(crate) fn accepts<L: Look<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
        let leaders = state.planes[LEADER];
        let single = |player: B| (leaders & player).count() == 1;
        single(state.own()) && single(state.enemy()) && self.is_safe::<L, P>(state)
    }

    #[inline(always)]
    pub(crate) fn side<const P: usize>(&self, state: &State<B, P>) -> &Side<B> {
        &self.sides[usize::from(state.side & 1)]
    }

    #[inline(always)]
    pub(crate) fn other<const P: usize>(&self, state: &State<B, P>) -> &Side<B> {
        &self.sides[usize::from(!state.side & 1)]
    }

    /// Whether a player's pieces attack a square, with these squares occupied.
    #[inline(always)]
    fn is_attacked<L: Look<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        by: usize,
        square: usize,
        occupied: B,
    ) -> bool {
        let side = &self.sides[by & 1];
        let mut hits = look(&side.leader.from, square) & state.planes[LEADER];
        for leaps in L::leaps(side) {
            hits |= look(&leaps.from, square) & state.plane(leaps.plane);
        }
        for stepper in L::steppers(side) {
            hits |= look(&stepper.hits, square) & state.plane(stepper.plane);
        }
        for (plane, class) in L::slides(side) {
            hits |= L::slide(self, *class, square, occupied) & state.plane(*plane);
        }
        !(hits & state.planes[by & 1]).is_empty()
    }

    #[inline(always)]
    fn masks<L: Look<B>, const P: usize>(&self, state: &State<B, P>) -> Masks<B> {
        let (own, enemy) = (state.own(), state.enemy());
        let occupied = own | enemy;
        let leader = (state.planes[LEADER] & own).lowest();
        let them = self.other(state);
        let mut checkers = B::ZERO;
        if self.leaders_meet {
            checkers |= look(&them.leader.from, leader) & state.planes[LEADER];
        }
        for leaps in L::leaps(them) {
            checkers |= look(&leaps.from, leader) & state.plane(leaps.plane);
        }
        for stepper in L::steppers(them) {
            checkers |= look(&stepper.hits, leader) & state.plane(stepper.plane);
        }
        checkers &= enemy;
        let mut snipers = B::ZERO;
        for (plane, class) in L::slides(them) {
            snipers |= L::slide(self, *class, leader, enemy) & state.plane(*plane);
        }
        snipers &= enemy;
        let mut pinned = B::ZERO;
        for sniper in squares(snipers) {
            let blockers = look(&self.between, leader * self.squares + sniper) & own;
            if blockers.is_empty() {
                checkers |= B::bit(sniper);
            } else if blockers.without_lowest().is_empty() {
                pinned |= blockers;
            }
        }
        let mut masks = Masks {
            own,
            enemy,
            occupied,
            leader,
            allowed: !own,
            in_check: !checkers.is_empty(),
            only_leader: false,
            pinned,
        };
        if masks.in_check {
            let checker = checkers.lowest();
            masks.only_leader = !checkers.without_lowest().is_empty();
            masks.allowed &= look(&self.between, leader * self.squares + checker) | B::bit(checker);
        }
        masks
    }

    /// Where the leader can go: what the enemy's leaps attack is taken away at once, slides are asked square by square.
    #[inline(always)]
    fn leader_targets<L: Look<B>, const P: usize>(&self, state: &State<B, P>, masks: &Masks<B>) -> B {
        let mut targets = look(&self.side(state).leader.to, masks.leader) & !masks.own;
        if targets.is_empty() {
            return targets;
        }
        let them = self.other(state);
        targets &= !look(&them.leader.to, (state.planes[LEADER] & masks.enemy).lowest());
        for stepper in L::steppers(them) {
            let pieces = state.plane(stepper.plane) & masks.enemy;
            for step in &stepper.captures {
                targets &= !step.of(pieces);
            }
        }
        for leaps in L::leaps(them) {
            for square in squares(state.plane(leaps.plane) & masks.enemy) {
                targets &= !look(&leaps.to, square);
            }
        }
        let occupied = masks.occupied ^ B::bit(masks.leader);
        let mut safe = targets;
        for target in squares(targets) {
            let mut hits = B::ZERO;
            for (plane, class) in L::slides(them) {
                hits |= L::slide(self, *class, target, occupied) & state.plane(*plane);
            }
            if !(hits & masks.enemy).is_empty() {
                safe ^= B::bit(target);
            }
        }
        safe
    }

    /// Shows all legal moves.
    #[inline(always)]
    pub(crate) fn visit<L: Look<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        visitor: &mut impl Visitor<B>,
    ) {
        let masks = self.masks::<L, P>(state);
        let side = self.side(state);
        let targets = self.leader_targets::<L, P>(state, &masks);
        visitor.piece(masks.leader, targets);
        if !(state.planes[UNMOVED] & B::bit(masks.leader)).is_empty() || self.castles_when_moved {
            for castle in &side.castles[masks.leader] {
                if self.can_castle::<L, P>(state, castle, &masks, targets) {
                    visitor.castle(castle, masks.leader);
                }
            }
        }
        if masks.only_leader {
            return;
        }
        let free = masks.own & !masks.pinned;
        for (plane, class) in L::slides(side) {
            for from in squares(state.plane(*plane) & free) {
                visitor.piece(from, L::slide(self, *class, from, masks.occupied) & masks.allowed);
            }
        }
        for leaps in L::leaps(side) {
            for from in squares(state.plane(leaps.plane) & free) {
                visitor.piece(from, look(&leaps.to, from) & masks.allowed);
            }
        }
        for stepper in L::steppers(side) {
            let pieces = state.plane(stepper.plane) & free;
            for step in &stepper.steps {
                visitor.step(stepper, step, step.targets(state, pieces, &masks));
            }
            if state.mark != NO_MARK {
                for passing in &stepper.passings {
                    if passing.flag == state.flag {
                        self.visit_passing::<L, P>(state, stepper, passing, &masks, visitor);
                    }
                }
            }
        }
        if !masks.pinned.is_empty() {
            self.visit_pinned::<L, P>(state, &masks, visitor);
        }
    }

    /// Pinned pieces move along their line.
    #[inline(always)]
    fn visit_pinned<L: Look<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        masks: &Masks<B>,
        visitor: &mut impl Visitor<B>,
    ) {
        let side = self.side(state);
        for from in squares(masks.pinned) {
            let piece = B::bit(from);
            let allowed = masks.allowed & look(&self.line, masks.leader * self.squares + from);
            let mut targets = B::ZERO;
            for (plane, class) in L::slides(side) {
                if !(state.plane(*plane) & piece).is_empty() {
                    targets |= L::slide(self, *class, from, masks.occupied);
                }
            }
            for leaps in L::leaps(side) {
                if !(state.plane(leaps.plane) & piece).is_empty() {
                    targets |= look(&leaps.to, from);
                }
            }
            visitor.piece(from, targets & allowed);
            for stepper in L::steppers(side) {
                if !(state.plane(stepper.plane) & piece).is_empty() {
                    for step in &stepper.steps {
                        visitor.step(stepper, step, step.targets(state, piece, masks) & allowed);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn can_castle<L: Look<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        castle: &Castle<B>,
        masks: &Masks<B>,
        targets: B,
    ) -> bool {
        let missing = (castle.unmoved & !state.planes[UNMOVED]) | (castle.empty & masks.occupied);
        if !missing.is_empty() {
            return false;
        }
        if !castle.has_partners(state) {
            return false;
        }
        // Of where the leader stands and of the empty squares that it can step to, it is known whether they are safe.
        let leader = B::bit(masks.leader);
        let near = look(&self.side(state).leader.to, masks.leader) & castle.empty;
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
        !castle.needs_trial || self.is_safe::<L, P>(&castled(state, castle, masks.leader))
    }

    /// The flag's piece may be taken, if that leaves the leader safe: two pieces leave their lines at once, so it is
    /// tried on a copy.
    #[inline(always)]
    fn visit_passing<L: Look<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        stepper: &Stepper<B>,
        passing: &Passing<B>,
        masks: &Masks<B>,
        visitor: &mut impl Visitor<B>,
    ) {
        let mark = B::bit(usize::from(state.mark));
        let source = passing.to_source.of(mark) & state.plane(stepper.plane) & masks.own;
        let target = passing.step.of(source) & !masks.occupied;
        if target.is_empty() {
            return;
        }
        let (from, to) = (source.lowest(), target.lowest());
        if self.is_safe::<L, P>(&passed(state, from, to)) {
            visitor.passing(stepper, passing, from, to);
        }
    }

    /// How many captures of the flagged piece are legal.
    #[inline(always)]
    pub(crate) fn count_passings<L: Look<B>, const P: usize>(&self, state: &State<B, P>) -> u64 {
        let mark = B::bit(usize::from(state.mark));
        let mut counter = Counter(0);
        for stepper in L::steppers(self.side(state)) {
            let own = state.plane(stepper.plane) & state.own();
            for passing in &stepper.passings {
                if passing.flag == state.flag && !(passing.to_source.of(mark) & own).is_empty() {
                    let masks = self.masks::<L, P>(state);
                    self.visit_passing::<L, P>(state, stepper, passing, &masks, &mut counter);
                }
            }
        }
        counter.0
    }

    /// Whether the leader of the player who has just moved is not attacked.
    #[inline(always)]
    pub(crate) fn is_safe<L: Look<B>, const P: usize>(&self, next: &State<B, P>) -> bool {
        let leader = (next.planes[LEADER] & next.enemy()).lowest();
        !self.is_attacked::<L, P>(next, usize::from(next.side & 1), leader, next.own() | next.enemy())
    }

    /// Whether the leader of the player to move is attacked.
    #[inline(always)]
    pub(crate) fn in_check<L: Look<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
        let leader = (state.planes[LEADER] & state.own()).lowest();
        self.is_attacked::<L, P>(state, usize::from(!state.side & 1), leader, state.own() | state.enemy())
    }

    /// Whether nobody is in check, and an officer of somebody comes in a few moves to where it attacks the other's leader:
    /// with the men that stand there now, whoever's turn it is.
    #[inline(always)]
    pub(crate) fn sees_attack<L: Look<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
        if !self.accepts::<L, P>(state) || self.in_check::<L, P>(state) {
            return false;
        }
        let occupied = state.own() | state.enemy();
        (0..2).any(|by| {
            let (side, own) = (&self.sides[by], state.planes[by]);
            let leader = (state.planes[LEADER] & state.planes[1 - by]).lowest();
            let free = !(own | state.planes[LEADER]);
            let slide = |(plane, class): &(usize, usize)| {
                let reach = |from: usize| L::slide(self, *class, from, occupied);
                comes(own & state.plane(*plane), reach(leader) & free, free, reach)
            };
            let leap = |leaps: &Leaps<B>| {
                let wanted = look(&leaps.from, leader) & free;
                comes(own & state.plane(leaps.plane), wanted, free, |from| look(&leaps.to, from))
            };
            L::slides(side).iter().any(slide) || L::leaps(side).iter().any(leap)
        })
    }

    /// Adds all legal moves to a list, in no order; whether the position can be played here.
    #[inline(always)]
    pub(crate) fn list<L: Look<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        moves: &mut Vec<Move>,
    ) -> bool {
        let is_accepted = self.accepts::<L, P>(state);
        if is_accepted {
            self.visit::<L, P>(state, &mut Lister { fast: self, state, moves });
        }
        is_accepted
    }

    /// Counts the positions so many moves on; the last move is counted, not made.
    #[inline(always)]
    pub(crate) fn count_tree<L: Look<B>, const P: usize>(&self, state: &State<B, P>, depth: u32) -> u64 {
        if depth == 1 {
            let mut counter = Counter(0);
            self.visit::<L, P>(state, &mut counter);
            return counter.0;
        }
        let mut nodes = 0;
        let go = |next: &State<B, P>| nodes += L::perft(self, next, depth - 1);
        self.visit::<L, P>(state, &mut Made { state, go });
        nodes
    }
}

/// Whether some men come to one of the squares that are wanted. Two moves are looked ahead: seldom are they further away.
#[inline(always)]
fn comes<B: Bits>(men: B, wanted: B, free: B, reach: impl Fn(usize) -> B) -> bool {
    let near = squares(men).fold(B::ZERO, |near, man| near | reach(man));
    !(near & wanted).is_empty() || squares(near & free).any(|stop| !(reach(stop) & wanted).is_empty())
}

/// The board after a guarded move.
#[inline(always)]
pub(crate) fn castled<B: Bits, const P: usize>(
    state: &State<B, P>,
    castle: &Castle<B>,
    from: usize,
) -> State<B, P> {
    let mut next = state.after(castle.moved.0, castle.moved.1);
    next.side = state.side;
    next.after(from, castle.target)
}

/// The board after the capture of the flag's piece.
#[inline(always)]
pub(crate) fn passed<B: Bits, const P: usize>(state: &State<B, P>, from: usize, to: usize) -> State<B, P> {
    let mut next = state.after(from, to);
    next.remove(usize::from(state.mark));
    next
}

impl<B: Bits> Step<B> {
    /// Where some pieces land with this step.
    #[inline(always)]
    pub(crate) fn targets<const P: usize>(&self, state: &State<B, P>, pieces: B, masks: &Masks<B>) -> B {
        let mut set = pieces & (state.planes[UNMOVED] | self.moved);
        for _ in 1..self.times {
            set = self.shift.of(set) & !masks.occupied;
        }
        set = self.shift.of(set);
        // Own squares are not allowed anyway.
        set & ((self.empty & !masks.occupied) | (self.enemy & masks.occupied)) & masks.allowed
    }

    /// From where a piece came that landed on a square.
    #[inline(always)]
    pub(crate) fn source(&self, to: usize) -> usize {
        (to as i32 - self.by * self.times as i32) as usize
    }

    /// The board after a piece has landed, before it becomes another.
    #[inline(always)]
    pub(crate) fn made<const P: usize>(&self, state: &State<B, P>, to: usize) -> State<B, P> {
        let mut next = state.after(self.source(to), to);
        if let Some(flag) = self.flag {
            next.mark = to as u8;
            next.flag = flag;
        }
        next
    }
}

impl<B: Bits> Promotion<B> {
    /// The landings on which a piece becomes another.
    #[inline(always)]
    fn of(&self, targets: B) -> B {
        if self.options.is_empty() { B::ZERO } else { targets & self.zone }
    }

    /// What a landing leads to: one position, or one for each option.
    #[inline(always)]
    pub(crate) fn each<const P: usize>(
        &self,
        next: State<B, P>,
        to: usize,
        mut go: impl FnMut(&State<B, P>),
    ) {
        if self.of(B::bit(to)).is_empty() {
            return go(&next);
        }
        for (_, column) in &self.options {
            let mut fresh = next;
            fresh.transform(to, *column);
            go(&fresh);
        }
    }

    /// How many moves a set of landings stands for.
    #[inline(always)]
    pub(crate) fn count(&self, targets: B) -> u64 {
        let promoting = targets & self.zone;
        let mut count = u64::from(targets.count());
        if !promoting.is_empty() {
            count += u64::from(promoting.count()) * (self.options.len().max(1) - 1) as u64;
        }
        count
    }
}

/// Counts moves without making them.
struct Counter(u64);

impl<B: Bits> Visitor<B> for Counter {
    #[inline(always)]
    fn piece(&mut self, _: usize, targets: B) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn step(&mut self, _: &Stepper<B>, step: &Step<B>, targets: B) {
        self.0 += step.promotion.count(targets);
    }
    #[inline(always)]
    fn passing(&mut self, _: &Stepper<B>, passing: &Passing<B>, _: usize, to: usize) {
        self.0 += passing.promotion.count(B::bit(to));
    }
    #[inline(always)]
    fn castle(&mut self, _: &Castle<B>, _: usize) {
        self.0 += 1;
    }
}

/// Makes every move and shows the position it leads to.
pub(crate) struct Made<'f, B: Bits, F, const P: usize> {
    pub(crate) state: &'f State<B, P>,
    pub(crate) go: F,
}

impl<B: Bits, F: FnMut(&State<B, P>), const P: usize> Visitor<B> for Made<'_, B, F, P> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: B) {
        for to in squares(targets) {
            (self.go)(&self.state.after(from, to));
        }
    }
    #[inline(always)]
    fn step(&mut self, _: &Stepper<B>, step: &Step<B>, targets: B) {
        for to in squares(targets) {
            step.promotion.each(step.made(self.state, to), to, &mut self.go);
        }
    }
    #[inline(always)]
    fn passing(&mut self, _: &Stepper<B>, passing: &Passing<B>, from: usize, to: usize) {
        passing.promotion.each(passed(self.state, from, to), to, &mut self.go);
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        (self.go)(&castled(self.state, castle, from));
    }
}

/// Lists moves as the public type has them.
struct Lister<'f, B: Bits, const P: usize> {
    fast: &'f Fast<B>,
    state: &'f State<B, P>,
    moves: &'f mut Vec<Move>,
}

impl<B: Bits, const P: usize> Lister<'_, B, P> {
    /// Adds a move for every target. How many there are is known before, so room is made once.
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

/// A move that promotes nothing.
#[inline(always)]
fn plain(from: usize, to: usize, pattern: u8) -> Move {
    let (from, to) = (Square(from as u16), Square(to as u16));
    Move { from, to, pattern, guest: false, promotion: None }
}

impl<B: Bits, const P: usize> Visitor<B> for Lister<'_, B, P> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: B) {
        // Many a piece is shut in, and then it does not matter what it is.
        if targets.is_empty() {
            return;
        }
        let (fast, kind) = (self.fast, self.fast.kind(self.state.column(from)));
        let patterns = &fast.side(self.state).patterns[kind];
        self.extend(targets, |to| plain(from, to, look(patterns, from * fast.squares + to)));
    }
    #[inline(always)]
    fn step(&mut self, _: &Stepper<B>, step: &Step<B>, targets: B) {
        let promoting = step.promotion.of(targets);
        self.extend(targets & !promoting, |to| plain(step.source(to), to, step.pattern));
        for to in squares(promoting) {
            self.promote(plain(step.source(to), to, step.pattern), &step.promotion);
        }
    }
    fn passing(&mut self, _: &Stepper<B>, passing: &Passing<B>, from: usize, to: usize) {
        let played = plain(from, to, passing.pattern);
        if passing.promotion.of(B::bit(to)).is_empty() {
            self.moves.push(played);
        } else {
            self.promote(played, &passing.promotion);
        }
    }
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        self.moves.push(plain(from, castle.target, castle.pattern));
    }
}
