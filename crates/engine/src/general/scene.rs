//! A position as the player to move sees it: whose is what, what is in danger, and the conditions of moves as sets.

use crate::blueprint::{Anchor, Occupancy, RegionOf, Until};
use crate::general::Tables;
use crate::general::danger::Danger;
use crate::general::lookout::Lookout;
use crate::general::planes::Planes;
use crate::general::repertoire::States;
use crate::general::set::Set;
use crate::piece::{Flag, Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::{Jump, Rules, Test};

/// What every question about the moves of a position begins with.
pub(crate) struct Scene<'a, const W: usize> {
    pub(crate) rules: &'a Rules,
    pub(crate) tables: &'a Tables<W>,
    pub(crate) position: &'a Position,
    pub(crate) player: Player,
    pub(crate) planes: Planes<'a, W>,
    pub(crate) own: Set<W>,
    /// Guests of the player, and whether there are any.
    pub(crate) own_guests: Set<W>,
    pub(crate) has_own_guests: bool,
    /// Pieces of partners.
    pub(crate) friends: Set<W>,
    /// Pieces of everybody else.
    pub(crate) enemies: Set<W>,
    /// Where nobody lands: leaders of one's own must not be captured, nor what is frozen.
    barred: Set<W>,
    /// Squares on which a leader of the team may be joined.
    pub(crate) joinable: Set<W>,
    pub(crate) occupied: Set<W>,
    pub(crate) leaders: Set<W>,
    /// Leaders whose capture puts an opponent out of the game, and so ends all his attacks.
    pub(crate) prizes: Set<W>,
    pub(crate) lookout: Lookout<'a, W>,
    pub(crate) danger: Danger<W>,
}

impl<'a, const W: usize> Scene<'a, W> {
    pub(crate) fn new(rules: &'a Rules, tables: &'a Tables<W>, position: &'a Position) -> Self {
        let player = rules.mover(position);
        let lookout = Lookout::new(rules, tables, position, player, rules.leader());
        let planes = lookout.planes;
        let own = planes.player(player);
        let leader_plane = rules.leader().map_or(Set::EMPTY, |leader| planes.kind(leader));
        let leaders = own & leader_plane;
        let (mut barred, mut joinable) = (leaders, Set::EMPTY);
        let (mut own_guests, mut has_own_guests) = (Set::EMPTY, false);
        if !rules.is_plain {
            if !lookout.shared.is_empty() {
                own_guests = planes.guests_of(PlayerSet::EMPTY.with(player));
                has_own_guests = !own_guests.is_empty();
            }
            if !lookout.frozen.is_empty() {
                // A guest that is not frozen is captured with its host.
                let thawed = tables.players.without(lookout.frozen);
                barred |= planes.players(lookout.frozen).without(planes.guests_of(thawed));
            }
            joinable = lookout.team & leader_plane.without(lookout.shared) & tables.joining;
        }
        Scene {
            rules,
            tables,
            position,
            player,
            planes,
            own,
            own_guests,
            has_own_guests,
            friends: lookout.team.without(own),
            enemies: lookout.occupied.without(lookout.team),
            barred,
            joinable,
            occupied: lookout.occupied,
            leaders,
            prizes: lookout.foes & leader_plane,
            danger: Danger::new(&lookout, leaders, own),
            lookout,
        }
    }

    /// The pieces of the player that are of one kind, guests too: no host is of the kind of its guest.
    #[inline]
    pub(crate) fn army(&self, kind: Kind) -> Set<W> {
        let army = self.own & self.planes.kind(kind);
        if !self.has_own_guests {
            return army;
        }
        army | self.own_guests & self.planes.all_guests(&[kind])
    }

    /// The squares in one of the states that may be landed on.
    #[inline]
    pub(crate) fn grounds(&self, states: States) -> Set<W> {
        let when = |wanted: bool, state| if wanted { self.in_state(state) } else { Set::EMPTY };
        let squares = when(states.empty, Occupancy::Empty)
            | when(states.enemy, Occupancy::Enemy)
            | when(states.ally, Occupancy::Ally)
            | when(states.team, Occupancy::Team);
        squares.without(self.barred)
    }

    /// The squares in a state that may be landed on.
    pub(crate) fn ground(&self, state: Occupancy) -> Set<W> {
        self.in_state(state).without(self.barred)
    }

    /// The squares that are in a state.
    pub(crate) fn in_state(&self, state: Occupancy) -> Set<W> {
        match state {
            Occupancy::Empty => !self.occupied,
            Occupancy::NotEmpty => self.occupied,
            Occupancy::Enemy => self.enemies,
            Occupancy::Ally => self.own,
            Occupancy::Team => self.friends,
        }
    }

    /// The squares on which a slide ends.
    pub(crate) fn ends(&self, until: Until) -> Set<W> {
        match until {
            Until::State(state) => self.in_state(state),
            Until::Region(region) => self.region(region),
        }
    }

    pub(crate) fn region(&self, region: u16) -> Set<W> {
        Set::from_words(&self.rules.regions[usize::from(region)][self.player.index()])
    }

    /// The sources for which a condition holds; all, if it is not one about sources.
    pub(crate) fn sources(&self, test: &Test) -> Set<W> {
        let unmoved = || self.planes.unmoved();
        match test {
            Test::FirstMove => unmoved(),
            Test::PieceFirstMove(jump) => self.back(*jump, unmoved()),
            Test::RookFirstMove(jump) => !self.back(*jump, self.occupied.without(unmoved())),
            Test::CheckState(flag, jump) => self.back(*jump, self.marked(*flag)),
            Test::Square { jump, anchor: Anchor::Source, state, kinds, unmoved } => {
                self.back(*jump, self.described(*state, kinds.as_deref(), *unmoved))
            }
            Test::Region { region, of, anchor: Anchor::Source } => self.region_of(*region, *of),
            Test::Count { census, lost } => {
                all_if(self.rules.counts(self.position, census, *lost, self.player))
            }
            _ => Set::FULL,
        }
    }

    /// The squares that a region has for those whom the player means.
    fn region_of(&self, region: u16, of: RegionOf) -> Set<W> {
        let parts = &self.rules.regions[usize::from(region)];
        let players = self.rules.meant(of, self.player);
        players.iter().fold(Set::EMPTY, |all, player| all | Set::from_words(&parts[player.index()]))
    }

    /// The landings for which a condition holds; all, if it is not one about landings.
    pub(crate) fn landings(&self, test: &Test) -> Set<W> {
        match test {
            Test::InRegion(region) => self.region(*region),
            Test::Region { region, of, anchor: Anchor::Target } => self.region_of(*region, *of),
            Test::Count { census, lost } => {
                all_if(self.rules.counts(self.position, census, *lost, self.player))
            }
            Test::Square { jump, anchor: Anchor::Target, state, kinds, unmoved } => {
                self.back(*jump, self.described(*state, kinds.as_deref(), *unmoved))
            }
            _ => Set::FULL,
        }
    }

    /// The squares from which the step leads to one of these.
    fn back(&self, jump: Jump, squares: Set<W>) -> Set<W> {
        self.tables.steps[jump.index()].back(squares)
    }

    fn described(&self, state: Option<Occupancy>, kinds: Option<&[Kind]>, unmoved: Option<bool>) -> Set<W> {
        let mut squares = state.map_or(Set::FULL, |state| self.in_state(state));
        if let Some(kinds) = kinds {
            squares &= self.planes.kinds(kinds);
        }
        match unmoved {
            Some(true) => squares & self.planes.unmoved(),
            Some(false) => squares & self.occupied.without(self.planes.unmoved()),
            None => squares,
        }
    }

    fn marked(&self, flag: Flag) -> Set<W> {
        let marks = self.position.marks().iter().filter(|mark| mark.flag == flag);
        marks.map(|mark| mark.square).collect()
    }
}

fn all_if<const W: usize>(holds: bool) -> Set<W> {
    if holds { Set::FULL } else { Set::EMPTY }
}
