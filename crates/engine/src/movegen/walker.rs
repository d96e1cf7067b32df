//! The landings of one piece: walking a pattern and testing its conditions.
//!
//! Everything here is pseudo-legal. Whether a leader is left attacked is tested later, on the resulting position.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::blueprint::{Anchor, Occupancy, Until};
use crate::compile::pattern::{Action, Modifier, Pattern, Test};
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::play::results::Made;
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// Where a move leads, for its conditions.
pub(crate) struct Way<'w> {
    /// The pattern; `None` for castling.
    pub(crate) pattern: Option<&'w Pattern>,
    pub(crate) target: Square,
    /// The number of steps.
    pub(crate) steps: u32,
    /// The move as it was made, for conditions about its result.
    pub(crate) made: Option<Made<'w>>,
}

/// One piece about to move.
pub(crate) struct Walker<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) position: &'a Position,
    pub(crate) player: Player,
    pub(crate) kind: Kind,
    pub(crate) source: Square,
    /// Whether conditions about attacks are tested. Inside an attack they are not, to avoid infinite recursion.
    pub(crate) test_attacks: bool,
    /// The moves that others depend on and that have a landing now, as bits by index in the kind's list.
    available: SmallVec<[u64; 2]>,
}

impl<'a> Walker<'a> {
    /// Returns a walker that tests all conditions.
    pub(crate) fn new(
        rules: &'a Rules,
        position: &'a Position,
        player: Player,
        kind: Kind,
        source: Square,
    ) -> Self {
        let mut walker = Walker::for_landing(rules, position, player, kind, source);
        walker.find_available();
        walker
    }

    /// Returns a walker inside an attack: conditions about attacks are not tested.
    pub(crate) fn for_attack(
        rules: &'a Rules,
        position: &'a Position,
        player: Player,
        kind: Kind,
        source: Square,
    ) -> Self {
        let mut walker =
            Walker { test_attacks: false, ..Walker::for_landing(rules, position, player, kind, source) };
        walker.find_available();
        walker
    }

    /// Returns a walker whose landing is known: moves that others depend on are not tested.
    pub(crate) fn for_landing(
        rules: &'a Rules,
        position: &'a Position,
        player: Player,
        kind: Kind,
        source: Square,
    ) -> Self {
        Walker { rules, position, player, kind, source, test_attacks: true, available: SmallVec::new() }
    }

    /// Returns the spot of the piece. It is a guest if the host is of another kind.
    pub(crate) fn spot(&self) -> Spot {
        let may_share = self.rules.mechanics().sharing.is_some();
        Spot { square: self.source, guest: may_share && !self.position.is_kind(self.kind, self.source) }
    }

    /// Returns whether the piece comes from the hand: its square is empty.
    fn is_dropped(&self) -> bool {
        self.position.piece_at(self.spot()).is_none()
    }

    fn has_never_moved(&self) -> bool {
        self.position.piece_at(self.spot()).is_some_and(|piece| piece.unmoved)
    }

    /// Tries each move that others depend on once, dependencies first, so chains cost only their length.
    fn find_available(&mut self) {
        let depended_on = &self.rules.kind_traits[self.kind.index()].depended_on;
        // Moves of a part of a turn do not depend on others.
        let Some(last) = depended_on.iter().max().filter(|_| self.part_moves().is_none()) else { return };
        self.available.resize(usize::from(*last) / 64 + 1, 0);
        for &index in depended_on {
            let pattern = &self.patterns()[usize::from(index)];
            if self.landings(pattern, &mut |_, _| ControlFlow::Break(())).is_break() {
                self.available[usize::from(index) / 64] |= 1 << (index % 64);
            }
        }
    }

    pub(crate) fn patterns(&self) -> &'a [Pattern] {
        if let Some(moves) = self.part_moves() {
            return moves;
        }
        &self.rules.patterns[self.player.index()][self.kind.index()]
    }

    /// Visits every landing of a pattern with its action.
    pub(crate) fn landings(
        &self,
        pattern: &'a Pattern,
        visit: &mut impl FnMut(Square, &'a Action) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some(hurdles) = &pattern.hurdles {
            return self.hop_landings(pattern, hurdles, visit);
        }
        if pattern.is_composite {
            return self.composite_landings(pattern, visit);
        }
        if pattern.stays {
            return match self.action_on(pattern, self.source, 0) {
                Some(action) => visit(self.source, action),
                None => ControlFlow::Continue(()),
            };
        }
        let mut walk = self.rules.jumps.walk(pattern.jump, self.source);
        let mut steps = 0;
        while steps < pattern.max {
            let Some(at) = walk.next() else { break };
            steps += 1;
            if steps >= pattern.min
                && let Some(action) = self.action_on(pattern, at, steps)
            {
                visit(at, action)?;
            }
            if self.ends_slide(pattern.until, at) {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns whether nothing stops the slide before `steps`.
    pub(crate) fn reaches(&self, pattern: &Pattern, steps: u32) -> bool {
        if let Some(hurdles) = &pattern.hurdles {
            return self.hop_reaches(pattern, hurdles, steps);
        }
        if pattern.anywhere {
            return true;
        }
        let Some(origin) = self.origin(pattern) else { return false };
        let mut walk = self.rules.jumps.walk(pattern.jump, origin);
        (1..steps).all(|_| walk.next().is_some_and(|at| !self.ends_slide(pattern.until, at)))
    }

    /// Returns the action on a landing after `steps` steps, if all conditions hold.
    pub(crate) fn action_on(&self, pattern: &'a Pattern, target: Square, steps: u32) -> Option<&'a Action> {
        let action = self.action_for(pattern, target)?;
        let holds = |test: &Test| self.holds(test, pattern, target, steps);
        let allowed = pattern.tests.iter().all(holds) && action.tests.iter().all(holds);
        (allowed && !self.is_blocked((pattern, action), target)).then_some(action)
    }

    /// Returns the action for the state of the target square.
    pub(crate) fn action_for(&self, pattern: &'a Pattern, target: Square) -> Option<&'a Action> {
        let returns = pattern.stays || pattern.is_composite && target == self.source;
        let action = if returns || !self.position.occupied(target) || self.may_join(target) {
            &pattern.on_empty
        } else if self.position.owned_by(self.player, target) {
            &pattern.on_ally
        } else if self.is_partner_piece(target) {
            &pattern.on_team
        } else {
            &pattern.on_enemy
        };
        action.as_ref().filter(|action| !action.captures || self.can_capture(action, target))
    }

    /// Returns the state of the target square.
    pub(crate) fn state_of(&self, target: Square) -> Occupancy {
        if !self.position.occupied(target) {
            Occupancy::Empty
        } else if self.position.owned_by(self.player, target) {
            Occupancy::Ally
        } else if self.is_partner_piece(target) {
            Occupancy::Team
        } else {
            Occupancy::Enemy
        }
    }

    fn is_partner_piece(&self, square: Square) -> bool {
        let own = PlayerSet::EMPTY.with(self.player);
        let partners = self.rules.team(self.player).without(own);
        partners.iter().any(|partner| self.position.owned_by(partner, square))
    }

    /// Returns whether the piece may share the square with a leader of its team that stands there alone.
    pub(crate) fn may_join(&self, square: Square) -> bool {
        let Some(sharing) = &self.rules.mechanics().sharing else { return false };
        let all_players: PlayerSet = self.rules.players().collect();
        let is_friend = |host: Piece| {
            self.rules.is_leader(host.kind) && self.rules.are_partners(self.player, host.player)
        };
        sharing.join
            && !self.rules.is_leader(self.kind)
            && !self.position.has_guest(square)
            && self.position.piece(square).is_some_and(is_friend)
            && self.rules.in_region_of(sharing.region, all_players, square)
    }

    /// Returns whether the action can capture a piece on the square, or one of two. Frozen pieces cannot be captured.
    pub(crate) fn can_capture(&self, action: &Action, square: Square) -> bool {
        if self.is_taken(square) {
            return false;
        }
        let frozen = self.position.frozen();
        if action.captures_any() && frozen.is_empty() {
            return true;
        }
        let tag = if action.same_tag { self.position.tag(self.spot()) } else { None };
        [Spot::host(square), Spot::guest(square)].into_iter().any(|spot| {
            self.position.piece_at(spot).is_some_and(|victim| {
                let other = if action.same_tag { self.position.tag(spot) } else { None };
                !frozen.contains(victim.player)
                    && action.captures_kind(victim.kind)
                    && (tag.is_none() || other.is_none() || tag == other)
            })
        })
    }

    /// Returns whether a side effect is blocked, which makes the move impossible.
    pub(crate) fn is_blocked(&self, (pattern, action): (&Pattern, &Action), target: Square) -> bool {
        action.may_block && self.try_move((pattern, action), target, None).is_none()
    }

    /// Returns the first promotion whose conditions hold for a landing.
    pub(crate) fn promotion_for<'p>(&self, pattern: &'p Pattern, target: Square) -> Option<&'p Modifier> {
        if pattern.modifiers.is_empty() {
            return None;
        }
        let steps = self.steps_to(pattern, target);
        let fires = |tests: &[Test]| tests.iter().all(|test| self.holds(test, pattern, target, steps));
        pattern.modifiers.iter().find(|modifier| fires(&modifier.tests))
    }

    /// Returns the number of steps to a target, which must be a landing of the pattern.
    pub(crate) fn steps_to(&self, pattern: &Pattern, target: Square) -> u32 {
        if !self.rules.jumps.is_flat || pattern.is_composite {
            let origin = self.origin(pattern).filter(|_| !pattern.anywhere);
            let Some(origin) = origin else { return 1 };
            let before = self.rules.jumps.walk(pattern.jump, origin).take_while(|at| *at != target);
            return before.count() as u32 + 1;
        }
        let board = &self.rules.board;
        let ([x, y, z], [to_x, to_y, to_z]) = (board.place(self.source), board.place(target));
        let longest = |x: i32, y: i32, z: i32| x.unsigned_abs().max(y.unsigned_abs()).max(z.unsigned_abs());
        let Offset { dx, dy, dz } = pattern.unit_offset;
        longest(to_x - x, to_y - y, to_z - z) / (longest(dx, dy, dz) * pattern.units).max(1)
    }

    pub(crate) fn ends_slide(&self, until: Until, at: Square) -> bool {
        match until {
            Until::State(state) => self.is_state(at, state),
            Until::Region(region) => self.rules.in_region(region, self.player, at),
        }
    }

    pub(crate) fn is_state(&self, at: Square, state: Occupancy) -> bool {
        let occupied = self.position.occupied(at);
        match state {
            Occupancy::Empty => !occupied,
            Occupancy::NotEmpty => occupied,
            Occupancy::Ally => self.position.owned_by(self.player, at),
            Occupancy::Team => self.is_partner_piece(at),
            Occupancy::Enemy => {
                occupied && !self.position.owned_by(self.player, at) && !self.is_partner_piece(at)
            }
        }
    }

    /// Returns whether a condition holds for a landing after `steps` steps.
    pub(crate) fn holds(&self, test: &Test, pattern: &Pattern, target: Square, steps: u32) -> bool {
        self.holds_on(test, &Way { pattern: Some(pattern), target, steps, made: None })
    }

    /// Returns whether a condition holds for a move.
    pub(crate) fn holds_on(&self, test: &Test, way: &Way<'_>) -> bool {
        let &Way { pattern, target, steps, .. } = way;
        let position = self.position;
        let at = |jump| self.rules.jumps.to(jump, self.source);
        let all = |list: &[Test]| list.iter().all(|test| self.holds_on(test, way));
        let anchored = |anchor: Anchor| match anchor {
            Anchor::Source => self.source,
            Anchor::Target => target,
        };
        match test {
            Test::FirstMove => self.has_never_moved(),
            Test::DependsOn(index) => {
                if let Some(moves) = self.available.get(usize::from(*index) / 64) {
                    return moves >> (index % 64) & 1 == 1;
                }
                // The landing is known, so these moves have not been tried.
                let mut walker = Walker { available: SmallVec::new(), ..*self };
                walker.find_available();
                walker.holds_on(test, way)
            }
            Test::PieceUnmoved(jump) => at(*jump).is_some_and(|square| position.unmoved(square)),
            Test::EmptyOrUnmoved(jump) => {
                at(*jump).is_none_or(|square| !position.occupied(square) || position.unmoved(square))
            }
            Test::HasFlag(flag, jump) => at(*jump).is_some_and(|square| position.marked(square, *flag)),
            Test::Marked(flag) => {
                self.rules.pieces_that_mark(position, *flag, self.player, target).next().is_some()
            }
            Test::PathEmpty => pattern.is_none_or(|pattern| self.path_is_empty(pattern, steps)),
            Test::NotAttacked => !self.test_attacks || !self.would_be_attacked(target),
            Test::PathNotAttacked => {
                let is_safe =
                    |pattern| !self.path(pattern, steps).any(|square| self.would_be_attacked(square));
                !self.test_attacks || pattern.is_none_or(is_safe)
            }
            Test::InRegion(region) => self.rules.in_region(*region, self.player, target),
            Test::Region { region, of, anchor } => {
                let players = self.rules.region_players(*of, self.player);
                self.rules.in_region_of(*region, players, anchored(*anchor))
            }
            Test::Position(clause) => {
                self.rules.clause_holds(position, clause, self.player, Some((self.source, target)))
            }
            Test::Any(lists) => lists.iter().any(|list| all(list)),
            Test::Not(list) => !all(list),
            Test::AboutAttacks(test) => !self.test_attacks || self.holds_on(test, way),
            Test::Attacked { jump, anchor, defended, by } => {
                let square = self.rules.jumps.to(*jump, anchored(*anchor));
                let is_covered = |square| self.is_covered(square, *defended, by.as_deref());
                !self.test_attacks || square.is_some_and(is_covered)
            }
            Test::Event(event, kinds) => {
                way.made.is_some_and(|made| made.has(*event, kinds.as_deref(), self))
            }
            Test::After(_) if !self.test_attacks => true,
            Test::After(clauses) => way.made.is_some_and(|made| {
                self.rules.hold_after(&made.trial.position, clauses, self.player, made.goes_on)
            }),
            Test::Square { jump, anchor, state, kinds, unmoved } => {
                self.rules.jumps.to(*jump, anchored(*anchor)).is_some_and(|square| {
                    state.is_none_or(|state| self.is_state(square, state))
                        && kinds
                            .as_ref()
                            .is_none_or(|kinds| kinds.iter().any(|kind| position.is_kind(*kind, square)))
                        && unmoved.is_none_or(|unmoved| {
                            position.occupied(square) && position.unmoved(square) == unmoved
                        })
                })
            }
        }
    }

    /// Returns whether the path is empty. Holes block it.
    fn path_is_empty(&self, pattern: &Pattern, steps: u32) -> bool {
        let Some(origin) = self.origin(pattern) else { return false };
        let mut walk = self.rules.jumps.walk(pattern.unit, origin);
        (1..steps * pattern.units).all(|_| walk.next().is_some_and(|at| !self.position.occupied(at)))
    }

    /// Iterates over the source, the target and all squares between them, skipping holes. The squares between are those of
    /// single steps, even if the target of a longer step is linked to another square.
    pub(crate) fn path(&self, pattern: &Pattern, steps: u32) -> impl Iterator<Item = Square> + use<'a> {
        let board = &self.rules.board;
        let unit = pattern.unit_offset;
        let next = move |(at, step): &(Square, Offset)| board.pass(*at, *step);
        let way = std::iter::successors(Some((self.source, unit)), next);
        let way = way.take((steps * pattern.units) as usize).map(|(at, _)| at);
        let mut walk = self.rules.jumps.walk(pattern.jump, self.source);
        let target = if steps == 0 { Some(self.source) } else { walk.nth((steps - 1) as usize) };
        way.filter(|at| board.has(*at)).chain(target)
    }

    /// Returns whether a square is attacked by opponents or defended by the team, by pieces of some kinds. The piece is
    /// imagined there; for a defence, as a piece of an opponent that captured it.
    fn is_covered(&self, square: Square, defended: bool, by: Option<&[Kind]>) -> bool {
        if !defended && by.is_none() {
            return self.would_be_attacked(square);
        }
        let team = self.rules.team(self.player);
        let opponents = self.rules.opponents(self.player);
        let (owner, captors) = if defended {
            let Some(opponent) = opponents.without(self.position.eliminated()).iter().next() else {
                return false;
            };
            (opponent, team)
        } else {
            (self.player, opponents)
        };
        let captors = captors.without(self.position.eliminated()).without(self.position.frozen());
        let imagined = self.imagined_on(square, owner);
        imagined.all_pieces().filter(|(spot, _)| spot.square != square).any(|(spot, piece)| {
            captors.contains(piece.player)
                && by.is_none_or(|kinds| kinds.contains(&piece.kind))
                && self.rules.captures_on(&imagined, (spot, piece), square)
        })
    }

    /// Returns the position with the piece on another square, owned by a player.
    fn imagined_on(&self, square: Square, owner: Player) -> Position {
        let mut imagined = self.position.clone();
        let from = self.spot();
        let (piece, tag) = if self.is_dropped() {
            let piece = Piece { player: self.player, kind: self.kind, unmoved: false };
            (piece, self.rules.tag_of(self.kind, square))
        } else {
            imagined.take(from)
        };
        if !from.guest {
            imagined.move_marks(self.source, square);
        }
        imagined.settle_guest(self.source);
        if imagined.has_guest(square) {
            imagined.take(Spot::guest(square));
        }
        if imagined.occupied(square) {
            imagined.take(Spot::host(square));
        }
        imagined.put_at(Spot::host(square), Piece { player: owner, ..piece }, tag);
        imagined
    }

    /// Returns whether the piece would be attacked on the square.
    pub(crate) fn would_be_attacked(&self, square: Square) -> bool {
        if self.is_dropped() {
            return self.rules.is_attacked(&self.imagined_on(square, self.player), square, self.player);
        }
        let piece = Piece { player: self.player, kind: self.kind, unmoved: self.has_never_moved() };
        self.rules.would_be_attacked(self.position, (self.spot(), piece), square)
    }
}
