//! Attacks, checks and pins of a position.

use crate::movegen::fast::bits::{Bits, lookup, squares};
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::side::Leaps;
use crate::movegen::fast::state::{LEADER, State};
use crate::movegen::fast::tables::FastTables;

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
    /// Squares of which a piece that leaves or enters them may open a check, other than by a line.
    pub(crate) watch_from: B,
    pub(crate) watch_to: B,
    /// Whether there are such squares.
    pub(crate) watches: bool,
}

impl<B: Bits> Masks<B> {
    /// Returns the masks of a position without checks and pins.
    #[inline(always)]
    pub(crate) fn new(own: B, enemy: B) -> Self {
        Masks {
            own,
            enemy,
            occupied: own | enemy,
            leader: 0,
            allowed: !own,
            in_check: false,
            only_leader: false,
            pinned: B::ZERO,
            watch_from: B::ZERO,
            watch_to: B::ZERO,
            watches: false,
        }
    }
}

impl<B: Bits> FastTables<B> {
    /// Returns whether the position is supported: as many leaders as the rules want, and the player who just moved is
    /// not in check.
    #[inline(always)]
    pub(crate) fn accepts<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
        self.has_all_leaders(state) && self.stays_safe::<L, P>(state)
    }

    /// Returns whether each player has as many leaders as the rules want.
    pub(crate) fn has_all_leaders<const P: usize>(&self, state: &State<B, P>) -> bool {
        let leaders = state.planes[LEADER];
        let count = |player: usize| (leaders & state.planes[player]).count();
        (0..2).all(|player| count(player) == u32::from(self.has_leader[player]))
    }

    /// Returns whether a player's pieces attack a square, given the occupied squares.
    #[inline(always)]
    pub(crate) fn is_attacked<L: SlideLookup<B>, const P: usize>(
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
        if !L::USUAL && self.has_specials {
            hits |= self.special_sources::<L, P>(state, side, square, occupied);
        }
        !(hits & state.planes[by & 1]).is_empty()
    }

    /// Finds checks and pins.
    #[inline(always)]
    pub(crate) fn masks<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> Masks<B> {
        let (own, enemy) = (state.own(), state.enemy());
        let mut masks = Masks::new(own, enemy);
        if !L::USUAL && !self.has_leader[usize::from(state.side & 1)] {
            return masks;
        }
        let leader = (state.planes[LEADER] & own).lowest();
        masks.leader = leader;
        let them = self.other(state);
        let (mut checkers, mut leapers, mut stops) = (B::ZERO, B::ZERO, B::ZERO);
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
        let mut is_over_hurdle = false;
        if !L::USUAL && self.has_specials {
            let found = self.special_checks::<L, P>(state, leader, own, enemy);
            // A leap along a line is not stopped on it.
            leapers = checkers;
            checkers |= found.checkers;
            stops = found.stops;
            snipers |= found.snipers;
            (masks.watch_from, masks.watch_to) = (found.watch_from, found.watch_to);
            is_over_hurdle = found.over_hurdle;
        }
        let mut pinned = B::ZERO;
        for sniper in squares(snipers) {
            let between = lookup(&self.between, leader * self.squares + sniper);
            let blockers = between & own;
            if blockers.is_empty() {
                checkers |= B::bit(sniper);
                stops |= between;
            } else if blockers.without_lowest().is_empty() {
                pinned |= blockers;
            }
        }
        masks.pinned = pinned;
        masks.in_check = !checkers.is_empty();
        if !L::USUAL && self.needs_watch {
            // A pinned piece may jump off its line, and a check over a hurdle is stopped in many ways.
            masks.watch_from |= if is_over_hurdle { own } else { pinned };
            masks.watches = !(masks.watch_from | masks.watch_to).is_empty();
            if is_over_hurdle {
                masks.in_check = true;
                masks.watch_to = B::ALL;
                return masks;
            }
        }
        if masks.in_check {
            let checker = checkers.lowest();
            masks.only_leader = !checkers.without_lowest().is_empty();
            let stops = if L::USUAL || leapers.is_empty() { stops } else { B::ZERO };
            masks.allowed &= B::bit(checker) | stops;
        }
        masks
    }

    /// Returns the leader's targets. Squares attacked by leaps are removed at once, those attacked by slides one by
    /// one.
    #[inline(always)]
    pub(crate) fn leader_targets<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        masks: &Masks<B>,
    ) -> B {
        let mut targets = lookup(&self.side(state).leader.to, masks.leader) & !masks.own;
        if targets.is_empty() {
            return targets;
        }
        let them = self.other(state);
        if L::USUAL || self.has_leader[usize::from(!state.side & 1)] {
            targets &= !lookup(&them.leader.to, (state.planes[LEADER] & masks.enemy).lowest());
        }
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
            if !L::USUAL && self.has_specials {
                hits |= self.special_sources::<L, P>(state, them, target, occupied);
            }
            if !(hits & masks.enemy).is_empty() {
                safe ^= B::bit(target);
            }
        }
        safe
    }

    /// Like [`FastTables::is_safe`], for moves that are tried.
    #[inline(always)]
    pub(crate) fn stays_safe<L: SlideLookup<B>, const P: usize>(&self, next: &State<B, P>) -> bool {
        if L::USUAL { self.is_safe::<L, P>(next) } else { L::is_safe(self, next) }
    }

    /// Returns whether the leader of the player who just moved is not attacked.
    #[inline(always)]
    pub(crate) fn is_safe<L: SlideLookup<B>, const P: usize>(&self, next: &State<B, P>) -> bool {
        if !L::USUAL && !self.has_leader[usize::from(!next.side & 1)] {
            return true;
        }
        let leader = (next.planes[LEADER] & next.enemy()).lowest();
        !self.is_attacked::<L, P>(next, usize::from(next.side & 1), leader, next.own() | next.enemy())
    }

    /// Returns whether the leader of the player to move is attacked.
    #[inline(always)]
    pub(crate) fn in_check<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
        if !L::USUAL && !self.has_leader[usize::from(state.side & 1)] {
            return false;
        }
        let leader = (state.planes[LEADER] & state.own()).lowest();
        self.is_attacked::<L, P>(state, usize::from(!state.side & 1), leader, state.own() | state.enemy())
    }

    /// Returns whether no player is in check and some piece can attack the enemy leader within a few moves, ignoring
    /// whose turn it is.
    #[inline(always)]
    pub(crate) fn can_attack_leader<L: SlideLookup<B>, const P: usize>(&self, state: &State<B, P>) -> bool {
        if !self.is_usual || !self.accepts::<L, P>(state) || self.in_check::<L, P>(state) {
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
}

/// Returns whether some pieces reach one of the wanted squares within two moves.
#[inline(always)]
fn reaches_in_two<B: Bits>(pieces: B, wanted: B, free: B, reach: impl Fn(usize) -> B) -> bool {
    let near = squares(pieces).fold(B::ZERO, |near, piece| near | reach(piece));
    !(near & wanted).is_empty() || squares(near & free).any(|stop| !(reach(stop) & wanted).is_empty())
}
