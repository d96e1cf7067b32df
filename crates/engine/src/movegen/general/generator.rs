//! A position seen by the player to move: own and enemy pieces, checks, and the conditions of moves as sets of
//! squares.

use crate::blueprint::ending::Clause;
use crate::blueprint::mechanics::{Leadership, Lost};
use crate::blueprint::{Anchor, Occupancy, RegionOf, Until};
use crate::compile::jump_table::Jump;
use crate::compile::pattern::Test;
use crate::movegen::general::Tables;
use crate::movegen::general::attack_info::AttackInfo;
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::check_info::CheckInfo;
use crate::movegen::general::kind_moves::States;
use crate::movegen::general::planes::Planes;
use crate::piece::{Flag, Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// The data for generating the moves of a position.
pub(crate) struct Generator<'a, const W: usize> {
    pub(crate) rules: &'a Rules,
    pub(crate) tables: &'a Tables<W>,
    pub(crate) position: &'a Position,
    pub(crate) player: Player,
    pub(crate) planes: Planes<'a, W>,
    pub(crate) own: Bitboard<W>,
    /// The player's guests, and whether there are any.
    pub(crate) own_guests: Bitboard<W>,
    pub(crate) has_own_guests: bool,
    /// Pieces of partners.
    pub(crate) partners: Bitboard<W>,
    /// Pieces of other teams.
    pub(crate) enemies: Bitboard<W>,
    /// Squares on which no piece may land: own leaders and frozen pieces.
    excluded: Bitboard<W>,
    /// Squares on which a piece may join a leader of the team.
    pub(crate) joinable: Bitboard<W>,
    pub(crate) occupied: Bitboard<W>,
    /// The player's leaders whose loss decides.
    pub(crate) leaders: Bitboard<W>,
    /// Whether an attack on all leaders is check, though the loss of one does not decide.
    pub(crate) is_checked_by_all: bool,
    /// Whether every move must be made to decide whether it is legal.
    pub(crate) tries_all: bool,
    /// Leaders whose capture eliminates an opponent and so ends all their attacks, and own leaders whose loss makes others
    /// decisive.
    pub(crate) sensitive_leaders: Bitboard<W>,
    pub(crate) attack_info: AttackInfo<'a, W>,
    pub(crate) check_info: CheckInfo<W>,
}

impl<'a, const W: usize> Generator<'a, W> {
    pub(crate) fn new(rules: &'a Rules, tables: &'a Tables<W>, position: &'a Position) -> Self {
        let player = rules.mover(position);
        let attack_info = AttackInfo::new(rules, tables, position, player, rules.leader());
        let planes = attack_info.planes;
        let own = planes.player(player);
        let Leadership { lost, check_all, players: led, .. } = rules.mechanics().leadership;
        let all_leaders = planes.kinds(&rules.blueprint.leaders);
        let led_leaders = led.map_or(all_leaders, |players| all_leaders & planes.players(players));
        let own_leaders = own & led_leaders;
        let leaders = match lost {
            Lost::Last if own_leaders.count() > 1 => Bitboard::EMPTY,
            Lost::Any | Lost::Last => own_leaders,
            Lost::LastOfKind => {
                let kinds = rules.leaders_of(player).iter().map(|kind| own & planes.kind(*kind));
                kinds.filter(|pieces| pieces.count() == 1).fold(Bitboard::EMPTY, |all, one| all | one)
            }
        };
        let (mut excluded, mut joinable) = (leaders, Bitboard::EMPTY);
        let (mut own_guests, mut has_own_guests) = (Bitboard::EMPTY, false);
        if !rules.is_plain {
            if !attack_info.shared.is_empty() {
                own_guests = planes.guests_of(PlayerSet::EMPTY.with(player));
                has_own_guests = !own_guests.is_empty();
            }
            if !attack_info.frozen.is_empty() {
                // A guest that is not frozen can be captured with its host.
                let thawed = tables.players.without(attack_info.frozen);
                excluded |= planes.players(attack_info.frozen).without(planes.guests_of(thawed));
            }
            joinable = attack_info.team & all_leaders.without(attack_info.shared) & tables.join_squares;
        }
        let is_checked_by_all = check_all && leaders != own_leaders;
        Generator {
            rules,
            tables,
            position,
            player,
            planes,
            own,
            own_guests,
            has_own_guests,
            partners: attack_info.team.without(own),
            enemies: attack_info.occupied.without(attack_info.team),
            excluded,
            joinable,
            occupied: attack_info.occupied,
            leaders,
            is_checked_by_all,
            tries_all: is_checked_by_all || rules.tries_all_moves(),
            sensitive_leaders: attack_info.active_enemies & led_leaders | own_leaders.without(leaders),
            check_info: CheckInfo::new(&attack_info, leaders, own),
            attack_info,
        }
    }

    /// Returns the player's pieces of one kind, including guests. A host never has the kind of its guest.
    #[inline]
    pub(crate) fn pieces_of(&self, kind: Kind) -> Bitboard<W> {
        let pieces = self.own & self.planes.kind(kind);
        if !self.has_own_guests {
            return pieces;
        }
        pieces | self.own_guests & self.planes.all_guests(&[kind])
    }

    /// Returns the squares in one of the states on which a piece may land.
    #[inline]
    pub(crate) fn landable_any(&self, states: States) -> Bitboard<W> {
        let when = |wanted: bool, state| if wanted { self.in_state(state) } else { Bitboard::EMPTY };
        let squares = when(states.empty, Occupancy::Empty)
            | when(states.enemy, Occupancy::Enemy)
            | when(states.ally, Occupancy::Ally)
            | when(states.team, Occupancy::Team);
        squares.without(self.excluded)
    }

    /// Returns the squares in a state on which a piece may land.
    pub(crate) fn landable(&self, state: Occupancy) -> Bitboard<W> {
        self.in_state(state).without(self.excluded)
    }

    /// Returns the squares in a state.
    pub(crate) fn in_state(&self, state: Occupancy) -> Bitboard<W> {
        match state {
            Occupancy::Empty => !self.occupied,
            Occupancy::NotEmpty => self.occupied,
            Occupancy::Enemy => self.enemies,
            Occupancy::Ally => self.own,
            Occupancy::Team => self.partners,
        }
    }

    /// Returns the squares on which a slide ends.
    pub(crate) fn ends(&self, until: Until) -> Bitboard<W> {
        match until {
            Until::State(state) => self.in_state(state),
            Until::Region(region) => self.region(region),
        }
    }

    pub(crate) fn region(&self, region: u16) -> Bitboard<W> {
        Bitboard::from_words(&self.rules.regions[usize::from(region)][self.player.index()])
    }

    /// Returns the sources for which a condition holds; all if it is not about sources.
    pub(crate) fn sources(&self, test: &Test) -> Bitboard<W> {
        let unmoved = || self.planes.unmoved();
        match test {
            Test::FirstMove => unmoved(),
            Test::PieceUnmoved(jump) => self.back(*jump, unmoved()),
            Test::EmptyOrUnmoved(jump) => !self.back(*jump, self.occupied.without(unmoved())),
            Test::HasFlag(flag, jump) => self.back(*jump, self.marked(*flag)),
            Test::Square { jump, anchor: Anchor::Source, state, kinds, unmoved } => {
                self.back(*jump, self.described(*state, kinds.as_deref(), *unmoved))
            }
            Test::Region { region, of, anchor: Anchor::Source } => self.region_of(*region, *of),
            Test::Position(clause) => self.all_if(clause),
            Test::AboutAttacks(test) => self.sources(test),
            Test::Any(lists) => any(lists, |test| self.sources(test)),
            Test::Not(list) => !all(list, |test| self.sources(test)),
            _ => Bitboard::FULL,
        }
    }

    /// Returns the squares of a region for the players that `of` refers to.
    fn region_of(&self, region: u16, of: RegionOf) -> Bitboard<W> {
        let parts = &self.rules.regions[usize::from(region)];
        let players = self.rules.region_players(of, self.player);
        players.iter().fold(Bitboard::EMPTY, |all, player| all | Bitboard::from_words(&parts[player.index()]))
    }

    /// Returns the landings for which a condition holds; all if it is not about landings.
    pub(crate) fn landings(&self, test: &Test) -> Bitboard<W> {
        match test {
            Test::InRegion(region) => self.region(*region),
            Test::Marked(flag) => self.rules.marked_squares(self.position, *flag, self.player).collect(),
            Test::Region { region, of, anchor: Anchor::Target } => self.region_of(*region, *of),
            Test::Position(clause) => self.all_if(clause),
            Test::AboutAttacks(test) => self.landings(test),
            Test::Any(lists) => any(lists, |test| self.landings(test)),
            Test::Not(list) => !all(list, |test| self.landings(test)),
            Test::Square { jump, anchor: Anchor::Target, state, kinds, unmoved } => {
                self.back(*jump, self.described(*state, kinds.as_deref(), *unmoved))
            }
            _ => Bitboard::FULL,
        }
    }

    /// Returns all squares if a clause holds.
    fn all_if(&self, clause: &Clause) -> Bitboard<W> {
        let holds = self.rules.clause_holds(self.position, clause, self.player, None);
        if holds { Bitboard::FULL } else { Bitboard::EMPTY }
    }

    /// Returns the squares from which the jump leads to one of these.
    fn back(&self, jump: Jump, squares: Bitboard<W>) -> Bitboard<W> {
        if !self.rules.jumps.is_flat {
            let leads_there =
                |from: &Square| self.rules.jumps.to(jump, *from).is_some_and(|to| squares.has(to));
            return self.tables.squares.into_iter().filter(leads_there).collect();
        }
        self.tables.shifts[jump.index()].back(squares)
    }

    fn described(
        &self,
        state: Option<Occupancy>,
        kinds: Option<&[Kind]>,
        unmoved: Option<bool>,
    ) -> Bitboard<W> {
        let mut squares = state.map_or(Bitboard::FULL, |state| self.in_state(state));
        if let Some(kinds) = kinds {
            squares &= self.planes.kinds(kinds);
        }
        match unmoved {
            Some(true) => squares & self.planes.unmoved(),
            Some(false) => squares & self.occupied.without(self.planes.unmoved()),
            None => squares,
        }
    }

    fn marked(&self, flag: Flag) -> Bitboard<W> {
        let marks = self.position.marks().iter().filter(|mark| mark.flag == flag);
        marks.map(|mark| mark.square).collect()
    }
}

/// Returns the squares for which all tests hold.
fn all<const W: usize>(tests: &[Test], squares: impl Fn(&Test) -> Bitboard<W>) -> Bitboard<W> {
    tests.iter().fold(Bitboard::FULL, |set, test| set & squares(test))
}

/// Returns the squares for which one of the lists holds.
fn any<const W: usize>(lists: &[Box<[Test]>], squares: impl Fn(&Test) -> Bitboard<W>) -> Bitboard<W> {
    lists.iter().fold(Bitboard::EMPTY, |set, list| set | all(list, &squares))
}
