//! Legal moves as sets of squares: attacks, checks and pins come first, then only legal moves are generated.

use crate::movegen::fast::bits::{Bits, lookup, squares};
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::keyed_perft::KeyedPerft;
use crate::movegen::fast::side::{FlagCapture, Leaps, Promotion, Side, SingleStep, Stepper};
use crate::movegen::fast::state::{LEADER, NO_MARK, State, UNMOVED};
use crate::movegen::fast::tables::FastTables;
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// A way to look up slides, and the entry points compiled for it.
pub(crate) trait SlideLookup<B: Bits>: Sized {
    /// Returns the squares that a slide of a class reaches or captures on.
    fn slide(fast: &FastTables<B>, class: usize, square: usize, occupied: B) -> B;
    /// Returns the slides of a player, possibly with a length known at compile time.
    fn slides(side: &Side<B>) -> &[(usize, usize)];
    /// Returns the leaps of a player, possibly with a length known at compile time.
    fn leaps(side: &Side<B>) -> &[Leaps<B>];
    /// Returns the steppers of a player, possibly with a length known at compile time.
    fn steppers(side: &Side<B>) -> &[Stepper<B>];
    /// Counts move paths; see [`FastTables::count_tree`].
    fn perft<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, depth: u32) -> u64;
    /// Lists moves; see [`FastTables::list`].
    fn list<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, moves: &mut Vec<Move>) -> bool;
    /// See [`FastTables::can_attack_leader`].
    fn can_attack_leader<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> bool;
    /// Counts with keys; see [`KeyedPerft::below`].
    fn walk<const P: usize>(walk: &mut KeyedPerft<'_, B, P>, state: &State<B, P>, key: u64, depth: u32);
}

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
}

/// Checks and pins of a position.
pub(crate) struct Masks<B> {
    pub(crate) own: B,
    pub(crate) enemy: B,
    pub(crate) occupied: B,
    pub(crate) leader: usize,
    /// Squares on which pieces other than the leader must land.
    pub(crate) allowed: B,
    pub(crate) in_check: bool,
    /// Whether several pieces give check, so that only the leader can move.
    pub(crate) only_leader: bool,
    /// Own pieces that are the only one between the leader and a slider.
    pub(crate) pinned: B,
}

impl<B: Bits> FastTables<B> {
    /// Returns whether the position is supported: one leader each, and the player who just moved is not in check.
    #[inline(always)]
    pub(crate) fn accepts<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
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

    /// Returns whether a player's pieces attack a square, given the occupied squares.
    #[inline(always)]
    fn is_attacked<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        by: usize,
        square: usize,
        occupied: B,
    ) -> bool {
        let side = &self.sides[by & 1];
        let mut hits = lookup(&side.leader.from, square) & state.planes[LEADER];
        for leaps in L::leaps(side) {
            hits |= lookup(&leaps.from, square) & state.plane(leaps.plane);
        }
        for stepper in L::steppers(side) {
            hits |= lookup(&stepper.hits, square) & state.plane(stepper.plane);
        }
        for (plane, class) in L::slides(side) {
            hits |= L::slide(self, *class, square, occupied) & state.plane(*plane);
        }
        !(hits & state.planes[by & 1]).is_empty()
    }

    #[inline(always)]
    fn masks<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> Masks<B> {
        let (own, enemy) = (state.own(), state.enemy());
        let occupied = own | enemy;
        let leader = (state.planes[LEADER] & own).lowest();
        let them = self.other(state);
        let mut checkers = B::ZERO;
        if self.leaders_meet {
            checkers |= lookup(&them.leader.from, leader) & state.planes[LEADER];
        }
        for leaps in L::leaps(them) {
            checkers |= lookup(&leaps.from, leader) & state.plane(leaps.plane);
        }
        for stepper in L::steppers(them) {
            checkers |= lookup(&stepper.hits, leader) & state.plane(stepper.plane);
        }
        checkers &= enemy;
        let mut snipers = B::ZERO;
        for (plane, class) in L::slides(them) {
            snipers |= L::slide(self, *class, leader, enemy) & state.plane(*plane);
        }
        snipers &= enemy;
        let mut pinned = B::ZERO;
        for sniper in squares(snipers) {
            let blockers = lookup(&self.between, leader * self.squares + sniper) & own;
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
            masks.allowed &= lookup(&self.between, leader * self.squares + checker) | B::bit(checker);
        }
        masks
    }

    /// Returns the leader's targets. Squares attacked by leaps are removed at once, those attacked by slides one by
    /// one.
    #[inline(always)]
    fn leader_targets<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>, masks: &Masks<B>) -> B {
        let mut targets = lookup(&self.side(state).leader.to, masks.leader) & !masks.own;
        if targets.is_empty() {
            return targets;
        }
        let them = self.other(state);
        targets &= !lookup(&them.leader.to, (state.planes[LEADER] & masks.enemy).lowest());
        for stepper in L::steppers(them) {
            let pieces = state.plane(stepper.plane) & masks.enemy;
            for step in &stepper.captures {
                targets &= !step.of(pieces);
            }
        }
        for leaps in L::leaps(them) {
            for square in squares(state.plane(leaps.plane) & masks.enemy) {
                targets &= !lookup(&leaps.to, square);
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

    /// Visits all legal moves.
    #[inline(always)]
    pub(crate) fn visit<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        visitor: &mut impl MoveVisitor<B>,
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
                visitor.piece(from, lookup(&leaps.to, from) & masks.allowed);
            }
        }
        for stepper in L::steppers(side) {
            let pieces = state.plane(stepper.plane) & free;
            for step in &stepper.steps {
                visitor.step(stepper, step, step.targets(state, pieces, &masks));
            }
            if state.mark != NO_MARK {
                for flag_capture in &stepper.flag_captures {
                    if flag_capture.flag == state.flag {
                        self.visit_flag_capture::<L, P>(state, stepper, flag_capture, &masks, visitor);
                    }
                }
            }
        }
        if !masks.pinned.is_empty() {
            self.visit_pinned::<L, P>(state, &masks, visitor);
        }
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
    fn can_castle<L: SlideLookup<B>, const P: usize>(
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
        !castle.needs_trial || self.is_safe::<L, P>(&after_castle(state, castle, masks.leader))
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
        if self.is_safe::<L, P>(&after_flag_capture(state, from, to)) {
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
                    let masks = self.masks::<L, P>(state);
                    self.visit_flag_capture::<L, P>(state, stepper, flag_capture, &masks, &mut counter);
                }
            }
        }
        counter.0
    }

    /// Returns whether the leader of the player who just moved is not attacked.
    #[inline(always)]
    pub(crate) fn is_safe<L: SlideLookup<B>, const P: usize>(&self, next: &State<B, P>) -> bool {
        let leader = (next.planes[LEADER] & next.enemy()).lowest();
        !self.is_attacked::<L, P>(next, usize::from(next.side & 1), leader, next.own() | next.enemy())
    }

    /// Returns whether the leader of the player to move is attacked.
    #[inline(always)]
    pub(crate) fn in_check<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
        let leader = (state.planes[LEADER] & state.own()).lowest();
        self.is_attacked::<L, P>(state, usize::from(!state.side & 1), leader, state.own() | state.enemy())
    }

    /// Returns whether no player is in check and some piece can attack the enemy leader within a few moves, ignoring
    /// whose turn it is.
    #[inline(always)]
    pub(crate) fn can_attack_leader<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
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
                reaches_in_two(own & state.plane(*plane), reach(leader) & free, free, reach)
            };
            let leap = |leaps: &Leaps<B>| {
                let wanted = lookup(&leaps.from, leader) & free;
                reaches_in_two(own & state.plane(leaps.plane), wanted, free, |from| lookup(&leaps.to, from))
            };
            L::slides(side).iter().any(slide) || L::leaps(side).iter().any(leap)
        })
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
            self.visit::<L, P>(state, &mut ListMoves { fast: self, state, moves });
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
        let go = |next: &State<B, P>| nodes += L::perft(self, next, depth - 1);
        self.visit::<L, P>(state, &mut MakeMoves { state, go });
        nodes
    }
}

/// Returns whether some pieces reach one of the wanted squares within two moves.
#[inline(always)]
fn reaches_in_two<B: Bits>(pieces: B, wanted: B, free: B, reach: impl Fn(usize) -> B) -> bool {
    let near = squares(pieces).fold(B::ZERO, |near, piece| near | reach(piece));
    !(near & wanted).is_empty() || squares(near & free).any(|stop| !(reach(stop) & wanted).is_empty())
}

/// Returns the position after castling.
#[inline(always)]
pub(crate) fn after_castle<B: Bits, const P: usize>(
    state: &State<B, P>,
    castle: &Castle<B>,
    from: usize,
) -> State<B, P> {
    let (partner_from, partner_at) = castle.moved;
    let is_disjoint = from != castle.target
        && partner_from != partner_at
        && partner_at != from
        && partner_from != castle.target;
    if !is_disjoint {
        return after_crossing(state, castle, from);
    }
    let mut next = state.after(partner_from, partner_at);
    next.side = state.side;
    next.after(from, castle.target)
}

/// Returns the position after castling if a piece stays, or goes to the square of the other.
#[cold]
#[inline(never)]
fn after_crossing<B: Bits, const P: usize>(
    state: &State<B, P>,
    castle: &Castle<B>,
    from: usize,
) -> State<B, P> {
    let (partner_from, partner_at) = castle.moved;
    let (king, partner) = (B::bit(from), B::bit(partner_from));
    let (to, partner_to) = (B::bit(castle.target), B::bit(partner_at));
    let keep = !(king | partner | to | partner_to);
    let mut next = State { planes: state.planes, mark: NO_MARK, flag: 0, side: state.side ^ 1 };
    for (index, plane) in next.planes.iter_mut().enumerate() {
        let when = |is_there: bool, bit: B| if is_there && index != UNMOVED { bit } else { B::ZERO };
        let (is_king, is_partner) = (!(*plane & king).is_empty(), !(*plane & partner).is_empty());
        *plane = *plane & keep | when(is_king, to) | when(is_partner, partner_to);
    }
    next
}

/// Returns the position after the capture of the flagged piece.
#[inline(always)]
pub(crate) fn after_flag_capture<B: Bits, const P: usize>(
    state: &State<B, P>,
    from: usize,
    to: usize,
) -> State<B, P> {
    let mut next = state.after(from, to);
    next.remove(usize::from(state.mark));
    next
}

impl<B: Bits> SingleStep<B> {
    /// Returns the landings of some pieces with this step.
    #[inline(always)]
    pub(crate) fn targets<const P: usize>(&self, state: &State<B, P>, pieces: B, masks: &Masks<B>) -> B {
        let mut set = pieces & (state.planes[UNMOVED] | self.moved);
        for _ in 1..self.times {
            set = self.shift.of(set) & !masks.occupied;
        }
        set = self.shift.of(set);
        // Own squares are never allowed.
        set & ((self.empty & !masks.occupied) | (self.enemy & masks.occupied)) & masks.allowed
    }

    /// Returns the source of a landing.
    #[inline(always)]
    pub(crate) fn source(&self, to: usize) -> usize {
        (to as i32 - self.by * self.times as i32) as usize
    }

    /// Returns the position after a landing, before promotion.
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
    /// Returns the landings on which a piece is promoted.
    #[inline(always)]
    fn of(&self, targets: B) -> B {
        if self.options.is_empty() { B::ZERO } else { targets & self.zone }
    }

    /// Calls `go` with the position after a landing, or with one for each promotion.
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

    /// Returns the number of moves for a set of landings.
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
struct CountMoves(u64);

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
}

/// Makes every move and calls `go` with the position.
pub(crate) struct MakeMoves<'f, B: Bits, F, const P: usize> {
    pub(crate) state: &'f State<B, P>,
    pub(crate) go: F,
}

impl<B: Bits, F: FnMut(&State<B, P>), const P: usize> MoveVisitor<B> for MakeMoves<'_, B, F, P> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: B) {
        for to in squares(targets) {
            (self.go)(&self.state.after(from, to));
        }
    }
    #[inline(always)]
    fn step(&mut self, _: &Stepper<B>, step: &SingleStep<B>, targets: B) {
        for to in squares(targets) {
            step.promotion.each(step.made(self.state, to), to, &mut self.go);
        }
    }
    #[inline(always)]
    fn flag_capture(&mut self, _: &Stepper<B>, flag_capture: &FlagCapture<B>, from: usize, to: usize) {
        flag_capture.promotion.each(after_flag_capture(self.state, from, to), to, &mut self.go);
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<B>, from: usize) {
        (self.go)(&after_castle(self.state, castle, from));
    }
}

/// Lists moves as the public type.
struct ListMoves<'f, B: Bits, const P: usize> {
    fast: &'f FastTables<B>,
    state: &'f State<B, P>,
    moves: &'f mut Vec<Move>,
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
    Move { from, to, pattern, guest: false, promotion: None }
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
}
