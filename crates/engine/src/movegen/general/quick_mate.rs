//! A quick test of whether a piece can soon attack a leader, over squares that are empty now and by captures.
//!
//! In nearly every position one can, and then the full analysis of [`crate::dead`] is not needed. That analysis
//! includes the same moves, so it would find the same attack. The search runs from the pieces and from the leader and
//! meets in the middle. A negative answer proves nothing.

use crate::compile::jump_table::Jump;
use crate::compile::pattern::Pattern;
use crate::movegen::general::Tables;
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::ray_table::{Ray, RayTable, RayTables};
use crate::movegen::general::slide::Slide;
use crate::piece::{Kind, Player, PlayerSet};
use crate::position::Position;
use crate::square::Square;

/// The number of moves from either end. More rarely find anything.
const MOVES: u32 = 3;

/// An attack of one player on the leaders of others.
#[derive(Clone, Copy)]
pub(crate) struct LeaderAttack {
    pub(crate) leader: Kind,
    pub(crate) attacker: Player,
    pub(crate) targets: PlayerSet,
}

/// The plain moves of a kind, forwards and backwards.
pub(crate) struct Routes {
    kind: Kind,
    forward: RouteSet,
    back: RouteSet,
}

/// Leaps and slides in one direction of time.
struct RouteSet {
    leaps: Option<RayTable>,
    slides: Box<[Slide]>,
}

impl Routes {
    /// Returns the routes of all kinds except the leader. Leapers come first: they are cheap to test and hard to shut
    /// in.
    pub(crate) fn all<const W: usize>(
        ray_tables: &mut RayTables<W>,
        patterns: &[Box<[Pattern]>],
        leader: Option<Kind>,
    ) -> Box<[Routes]> {
        let kinds = (0..=u8::MAX).map(Kind).zip(patterns).filter(|(kind, _)| Some(*kind) != leader);
        let mut all: Vec<Routes> = kinds
            .filter_map(|(kind, patterns)| {
                let plain = || patterns.iter().filter(|it| it.is_plain() && !it.jump.leads_nowhere());
                plain().next()?;
                let forward = RouteSet::new(ray_tables, plain().map(|it| (it.jump, it.max)));
                let back = RouteSet::new(ray_tables, plain().map(|it| (it.back, it.max)));
                Some(Routes { kind, forward, back })
            })
            .collect();
        all.sort_by_key(|routes| routes.forward.slides.len());
        all.into()
    }
}

impl RouteSet {
    fn new<const W: usize>(ray_tables: &mut RayTables<W>, steps: impl Iterator<Item = (Jump, u32)>) -> Self {
        let (leaps, slides): (Vec<_>, Vec<_>) = steps.partition(|(_, max)| *max == 1);
        let leaps: Vec<Ray> = leaps.into_iter().map(|(jump, _)| Ray::single(jump)).collect();
        RouteSet {
            leaps: (!leaps.is_empty()).then(|| ray_tables.add(leaps)),
            slides: slides.into_iter().map(|(jump, _)| Slide::new(ray_tables, Ray::full(jump))).collect(),
        }
    }

    /// Returns the squares that one move reaches from any of these squares.
    fn from<const W: usize>(
        &self,
        ray_tables: &RayTables<W>,
        squares: Bitboard<W>,
        occupied: Bitboard<W>,
    ) -> Bitboard<W> {
        squares.into_iter().fold(Bitboard::EMPTY, |all, from| {
            let leaps = self.leaps.map_or(Bitboard::EMPTY, |leaps| ray_tables.from(leaps, from));
            self.slides.iter().fold(all | leaps, |all, slide| all | slide.reach(ray_tables, from, occupied))
        })
    }
}

impl<const W: usize> Tables<W> {
    /// Returns whether the attack is soon possible. If `promoted` is given, only that new piece is considered.
    pub(super) fn can_attack_leader(
        &self,
        position: &Position,
        LeaderAttack { leader, attacker, targets }: LeaderAttack,
        promoted: Option<(Kind, Square)>,
    ) -> bool {
        let planes = position.planes::<W>();
        let (own, leaders) = (planes.player(attacker), planes.players(targets) & planes.kind(leader));
        if leaders.is_empty() {
            return false;
        }
        let (occupied, free) = (planes.occupied(), !(own | leaders));
        let routes = &self.routes[self.orientations[attacker.index()]];
        // Usually some piece is near, so all pieces are tested at distance one first.
        [1, MOVES].into_iter().any(|moves| {
            routes.iter().any(|routes| {
                let pieces = match promoted {
                    None => own & planes.kind(routes.kind),
                    Some((kind, square)) if kind == routes.kind => Bitboard::one(square),
                    Some(_) => Bitboard::EMPTY,
                };
                !pieces.is_empty() && self.meet(routes, pieces, leaders, (occupied, free), moves)
            })
        })
    }

    fn meet(
        &self,
        routes: &Routes,
        pieces: Bitboard<W>,
        leaders: Bitboard<W>,
        (occupied, free): (Bitboard<W>, Bitboard<W>),
        moves: u32,
    ) -> bool {
        // The squares that the pieces reach, and those from which a leader can be attacked; of each, all and the
        // newest.
        let (mut reached, mut coming) = (pieces, pieces);
        let (mut wanted, mut asking) = (Bitboard::EMPTY, leaders);
        for _ in 0..moves {
            let before = routes.back.from(&self.rays, asking, occupied);
            if before.meets(reached) {
                return true;
            }
            asking = (before & free).without(wanted);
            wanted |= asking;
            let after = routes.forward.from(&self.rays, coming, occupied) & free;
            if after.meets(wanted) {
                return true;
            }
            coming = after.without(reached);
            reached |= coming;
            if asking.is_empty() || coming.is_empty() {
                return false;
            }
        }
        false
    }
}
