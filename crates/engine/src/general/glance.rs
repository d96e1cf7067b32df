//! Whether an officer obviously comes to attack a leader: over squares that are empty now, and by captures.
//!
//! In nearly every position of a game one does, and then there is no need to draw the whole future of all men to see
//! that somebody may still win. Whatever is found here, [`crate::dead`] would find too: it knows the same plain moves
//! from the same squares, and many more. Officers set out from their squares and the question from the leader's, and
//! they meet in the middle. A glance that finds nothing says nothing.

use crate::general::Tables;
use crate::general::fan::{Fan, Fans, Way};
use crate::general::set::Set;
use crate::general::slide::Slide;
use crate::piece::{Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::{Jump, Pattern};
use crate::square::Square;

/// How many moves are looked ahead from either end. More would seldom find what these do not.
const MOVES: u32 = 3;

/// The plain moves of a kind of officers, there and back.
pub(crate) struct Roads {
    kind: Kind,
    forth: Gait,
    back: Gait,
}

/// Leaps and slides in one sense.
struct Gait {
    leaps: Option<Fan>,
    slides: Box<[Slide]>,
}

impl Roads {
    /// Those of all officers of a player, by the patterns of its kinds; those who leap come first, for they are
    /// quickly looked at and hard to shut in.
    pub(crate) fn all<const W: usize>(
        fans: &mut Fans<W>,
        patterns: &[Box<[Pattern]>],
        leader: Option<Kind>,
    ) -> Box<[Roads]> {
        let officers = (0..).map(Kind).zip(patterns).filter(|(kind, _)| Some(*kind) != leader);
        let mut all: Vec<Roads> = officers
            .filter_map(|(kind, patterns)| {
                let plain = || patterns.iter().filter(|it| it.is_officers() && !it.jump.leads_nowhere());
                plain().next()?;
                let forth = Gait::new(fans, plain().map(|it| (it.jump, it.max)));
                let back = Gait::new(fans, plain().map(|it| (it.back, it.max)));
                Some(Roads { kind, forth, back })
            })
            .collect();
        all.sort_by_key(|roads| roads.forth.slides.len());
        all.into()
    }
}

impl Gait {
    fn new<const W: usize>(fans: &mut Fans<W>, steps: impl Iterator<Item = (Jump, u32)>) -> Self {
        let (leaps, slides): (Vec<_>, Vec<_>) = steps.partition(|(_, max)| *max == 1);
        let leaps: Vec<Way> = leaps.into_iter().map(|(jump, _)| Way::leap(jump)).collect();
        Gait {
            leaps: (!leaps.is_empty()).then(|| fans.add(leaps)),
            slides: slides.into_iter().map(|(jump, _)| Slide::new(fans, Way::ray(jump))).collect(),
        }
    }

    /// Where one move leads from any of these squares.
    fn from<const W: usize>(&self, fans: &Fans<W>, squares: Set<W>, occupied: Set<W>) -> Set<W> {
        squares.into_iter().fold(Set::EMPTY, |all, from| {
            let leaps = self.leaps.map_or(Set::EMPTY, |leaps| fans.from(leaps, from));
            self.slides.iter().fold(all | leaps, |all, slide| all | slide.reach(fans, from, occupied))
        })
    }
}

impl<const W: usize> Tables<W> {
    /// Whether some officer of the hunter obviously comes to attack a leader of the prey; or a newcomer, of that kind and
    /// on that square, instead of them.
    pub(super) fn sees_attack(
        &self,
        position: &Position,
        leader: Kind,
        hunter: Player,
        prey: PlayerSet,
        newcomer: Option<(Kind, Square)>,
    ) -> bool {
        let planes = position.planes::<W>();
        let (own, leaders) = (planes.player(hunter), planes.players(prey) & planes.kind(leader));
        if leaders.is_empty() {
            return false;
        }
        let (occupied, free) = (planes.occupied(), !(own | leaders));
        let roads = &self.roads[self.facings[hunter.index()]];
        // Somebody is near more often than not, so all are looked at once before anybody is followed further.
        [1, MOVES].into_iter().any(|moves| {
            roads.iter().any(|roads| {
                let men = match newcomer {
                    None => own & planes.kind(roads.kind),
                    Some((kind, square)) if kind == roads.kind => Set::one(square),
                    Some(_) => Set::EMPTY,
                };
                !men.is_empty() && self.meet(roads, men, leaders, (occupied, free), moves)
            })
        })
    }

    fn meet(
        &self,
        roads: &Roads,
        men: Set<W>,
        leaders: Set<W>,
        (occupied, free): (Set<W>, Set<W>),
        moves: u32,
    ) -> bool {
        // Where the men may come, and from where a leader may be attacked in the end; of both what is new.
        let (mut reached, mut coming) = (men, men);
        let (mut wanted, mut asking) = (Set::EMPTY, leaders);
        for _ in 0..moves {
            let before = roads.back.from(&self.fans, asking, occupied);
            if before.meets(reached) {
                return true;
            }
            asking = (before & free).without(wanted);
            wanted |= asking;
            let after = roads.forth.from(&self.fans, coming, occupied) & free;
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
