//! Who attacks a square: whether an opponent could capture a victim that stands there.
//!
//! A lookout is made once for a position and a victim; then any square can be asked for, also as it would be after the
//! victim's side has made a plain move, without making it.

use smallvec::SmallVec;

use crate::general::Tables;
use crate::general::fan::Way;
use crate::general::planes::Planes;
use crate::general::set::Set;
use crate::general::sight::{Sights, Sliders, Users};
use crate::landing::Walker;
use crate::piece::{Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::{Pattern, Rules};
use crate::square::Square;

/// The opponents of one player, as they stand.
pub(crate) struct Lookout<'a, const W: usize> {
    pub(crate) rules: &'a Rules,
    pub(crate) tables: &'a Tables<W>,
    sights: &'a Sights,
    pub(crate) position: &'a Position,
    pub(crate) planes: Planes<'a, W>,
    pub(crate) occupied: Set<W>,
    /// Pieces of the victim's team.
    pub(crate) team: Set<W>,
    /// Squares on which there is a guest.
    pub(crate) shared: Set<W>,
    /// The players whose army is frozen.
    pub(crate) frozen: PlayerSet,
    /// Opponents who are still in the game, and their pieces.
    players: PlayerSet,
    pub(crate) foes: Set<W>,
    /// Their guests.
    guests: Set<W>,
    /// By place in the sights of the game.
    sliders: SmallVec<[(usize, Set<W>); 4]>,
    has_guarded: bool,
}

/// The board that is asked about, if it is not as it is.
#[derive(Clone, Copy)]
pub(crate) struct Changed<const W: usize> {
    occupied: Set<W>,
    /// Opponents who are gone.
    gone: Set<W>,
}

/// A piece with a guarded capture that points at a square.
pub(crate) struct Aimed<'a> {
    pub(crate) player: Player,
    pub(crate) kind: Kind,
    pub(crate) from: Square,
    pub(crate) pattern: &'a Pattern,
    pub(crate) steps: u32,
}

impl<'a, const W: usize> Lookout<'a, W> {
    pub(crate) fn new(
        rules: &'a Rules,
        tables: &'a Tables<W>,
        position: &'a Position,
        victim: Player,
        about: Option<Kind>,
    ) -> Self {
        let is_leader = about.is_none() || about == rules.leader();
        let sights = tables.picky.as_ref().filter(|_| !is_leader).unwrap_or(&tables.sights);
        let planes = position.planes();
        let frozen = position.frozen();
        let absent = position.eliminated().union(frozen);
        let partners = rules.team(victim);
        let players = tables.players.without(absent.union(partners));
        let (occupied, team) = (planes.occupied(), planes.players(partners));
        let mut lookout = Lookout {
            rules,
            tables,
            sights,
            position,
            planes,
            occupied,
            team,
            shared: planes.shared(),
            frozen,
            players,
            foes: if absent.is_empty() { occupied.without(team) } else { planes.players(players) },
            guests: planes.guests_of(players),
            sliders: SmallVec::new(),
            has_guarded: false,
        };
        lookout.gather();
        lookout
    }

    /// Finds out who slides, and whether some captures must be tried. Who leaps is not worth it: near a square there are
    /// few.
    fn gather(&mut self) {
        let sights = self.sights;
        for (index, sight) in sights.slides.iter().enumerate() {
            let army = self.users(&sight.users);
            if !army.is_empty() {
                self.sliders.push((index, army));
            }
        }
        let has = |kind: Kind| {
            self.foes.meets(self.planes.kind(kind)) || !self.planes.guests(self.players, &[kind]).is_empty()
        };
        self.has_guarded = sights.guarded.iter().any(|(kind, _)| has(*kind));
    }

    fn users(&self, users: &Users) -> Set<W> {
        users.iter().fold(Set::EMPTY, |armies, (players, kinds)| armies | self.men(*players, kinds))
    }

    /// Where those of the players who are opponents have pieces of these kinds, guests too.
    fn men(&self, players: PlayerSet, kinds: &[Kind]) -> Set<W> {
        let hosts = self.army(players) & self.planes.kinds(kinds);
        if self.guests.is_empty() {
            return hosts;
        }
        let everybody = self.players.without(players).is_empty();
        let guests = if everybody { self.guests } else { self.guests & self.planes.guests_of(players) };
        hosts | guests & self.planes.all_guests(kinds)
    }

    /// The pieces of those of the players who are opponents.
    fn army(&self, players: PlayerSet) -> Set<W> {
        if self.players.without(players).is_empty() {
            self.foes
        } else {
            self.planes.players(players) & self.foes
        }
    }

    /// The board as it is.
    pub(crate) fn now(&self) -> Changed<W> {
        Changed { occupied: self.occupied, gone: Set::EMPTY }
    }

    /// The board after a plain move of the victim's side.
    pub(crate) fn after(&self, from: Square, to: Square) -> Changed<W> {
        let to = Set::one(to);
        // A guest that the leader leaves behind still stands there.
        let left = Set::one(from).without(self.shared);
        Changed { occupied: self.occupied.without(left) | to, gone: to }
    }

    /// Whether some opponents have captures that must be tried, so that a changed board does not tell all.
    pub(crate) fn has_guarded(&self) -> bool {
        self.has_guarded
    }

    /// Whether the square is attacked on the board as it is.
    pub(crate) fn attacks(&self, square: Square) -> bool {
        self.attacks_plainly(square, self.now()) || self.attacks_guardedly(square)
    }

    /// Whether a plain capture hits the square.
    pub(crate) fn attacks_plainly(&self, square: Square, board: Changed<W>) -> bool {
        self.leapers_on(square).meets(!board.gone)
            || self
                .sliders()
                .any(|(sight, army)| self.slide_hits(sight, army.without(board.gone), square, board))
    }

    /// Those who hit the square by a leap.
    pub(crate) fn leapers_on(&self, square: Square) -> Set<W> {
        let fans = &self.tables.fans;
        let men = fans.from(self.sights.near, square) & (self.foes | self.guests);
        if men.is_empty() {
            return Set::EMPTY;
        }
        self.sights.leaps.iter().fold(Set::EMPTY, |set, sight| {
            let near = fans.from(sight.from, square) & men;
            if near.is_empty() || self.players.intersection(sight.players).is_empty() {
                return set;
            }
            set | near & self.men(sight.players, &sight.kinds)
        })
    }

    /// Those who slide, by the slides that they share.
    pub(crate) fn sliders(&self) -> impl Iterator<Item = (&'a Sliders, Set<W>)> + '_ {
        let sights = &self.sights.slides;
        self.sliders.iter().map(move |(index, army)| (&sights[*index], *army))
    }

    /// Looks away from the square to the first piece in each direction.
    fn slide_hits(&self, sight: &Sliders, army: Set<W>, square: Square, board: Changed<W>) -> bool {
        let fans = &self.tables.fans;
        fans.from(sight.star, square).meets(army)
            && sight.slides.iter().any(|slide| {
                let ray = slide.ray(fans, square);
                let army = slide.within(fans, square, ray & army);
                !army.is_empty() && slide.first(ray & board.occupied).is_some_and(|piece| army.has(piece))
            })
    }

    fn attacks_guardedly(&self, square: Square) -> bool {
        self.has_guarded && self.guarded_on(square).any(|aimed| self.fires(&aimed, square))
    }

    /// Whether a guarded capture really hits the square at which it points.
    pub(crate) fn fires(&self, aimed: &Aimed<'_>, square: Square) -> bool {
        let Aimed { player, kind, from, pattern, steps } = *aimed;
        let walker = Walker::new(self.rules, self.position, player, kind, from, false);
        walker.reaches(pattern, steps)
            && walker.act_on(pattern, square, steps).is_some_and(|act| act.captures)
    }

    /// Every guarded capture that points at the square, whether it hits or not.
    pub(crate) fn guarded_on(&self, square: Square) -> impl Iterator<Item = Aimed<'a>> + '_ {
        let rules = self.rules;
        self.players.iter().flat_map(move |player| {
            let guarded = self.sights.guarded.iter();
            guarded.flat_map(move |&(kind, index)| {
                let guests = self.planes.guests(PlayerSet::EMPTY.with(player), &[kind]);
                let army = self.planes.player(player) & self.planes.kind(kind) | guests;
                let pattern = &rules.patterns[player.index()][kind.index()][usize::from(index)];
                let back = Way { jump: pattern.back, min: pattern.min, max: pattern.max };
                let squares = (!army.is_empty()).then(|| back.squares(&rules.jumps, square));
                let found = squares.into_iter().flatten().filter(move |(_, from)| army.has(*from));
                found.map(move |(steps, from)| Aimed { player, kind, from, pattern, steps })
            })
        })
    }
}
