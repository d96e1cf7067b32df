//! About which pieces some rule can still ask whether they have moved.

use crate::general::Tables;
use crate::general::planes::Planes;
use crate::general::set::Set;
use crate::memory::{Asker, Probe};
use crate::piece::{Piece, Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// A position in which it is asked who may ask.
pub(crate) struct Asked<'a, const W: usize> {
    rules: &'a Rules,
    position: &'a Position,
    /// Those who are still in the game.
    players: PlayerSet,
    planes: Planes<'a, W>,
}

impl<'a, const W: usize> Asked<'a, W> {
    pub(crate) fn new(rules: &'a Rules, tables: &Tables<W>, position: &'a Position) -> Self {
        let players = tables.players.without(position.eliminated());
        Asked { rules, position, players, planes: position.planes() }
    }

    /// The pieces that have never moved although nobody will ask.
    pub(crate) fn in_vain(&self) -> Set<W> {
        let (memory, planes) = (&self.rules.memory, self.planes);
        if planes.unmoved().is_empty() {
            return Set::EMPTY;
        }
        let mut asked = planes.kinds(&memory.asked_by_promoted);
        for (kind, askers) in &memory.askers {
            for player in self.players.iter() {
                let hosts = planes.player(player) & planes.kind(*kind);
                let guests = planes.guests(PlayerSet::EMPTY.with(player), &[*kind]);
                if hosts.is_empty() && guests.is_empty() {
                    continue;
                }
                for asker in askers {
                    asked |= if asker.is_rooted {
                        self.by_rooted(asker, player, hosts & planes.unmoved(), guests)
                    } else {
                        self.by(asker, hosts)
                    };
                }
            }
        }
        planes.unmoved().without(asked)
    }

    /// The squares that a move of pieces of one kind asks about, wherever they come to stand. Whether a guest has moved
    /// is never forgotten.
    fn by(&self, asker: &Asker, hosts: Set<W>) -> Set<W> {
        let itself = if asker.asks_itself { hosts } else { Set::EMPTY };
        asker.probes.iter().fold(itself, |all, probe| all | self.anywhere(probe))
    }

    /// The same of a move that only pieces make that have never moved: these hosts, and some of the guests.
    fn by_rooted(&self, asker: &Asker, player: Player, hosts: Set<W>, guests: Set<W>) -> Set<W> {
        if asker.probes.is_empty() {
            return hosts;
        }
        let probed = |from: Square| self.probed(asker, player, from);
        let others = (guests & self.planes.unmoved_guests()).into_iter().filter_map(probed);
        let itself = |from: Square| Some(probed(from)? | Set::one(from));
        hosts.into_iter().filter_map(itself).chain(others).fold(Set::EMPTY, |all, some| all | some)
    }

    /// What a rooted move asks about others from where the piece stands, if it may still be made: offsets from the
    /// source point at fixed squares, and where it needs a piece that has never moved there is one, or a fresh one may
    /// yet appear.
    fn probed(&self, asker: &Asker, player: Player, from: Square) -> Option<Set<W>> {
        asker.probes.iter().try_fold(Set::EMPTY, |all, probe| {
            if !probe.from_source {
                return Some(all | self.anywhere(probe));
            }
            let square = self.rules.jumps.to(probe.jumps[player.index()], from);
            let Some(square) = square else { return (!probe.is_needed).then_some(all) };
            let fits = self.position.piece(square).is_some_and(|piece| self.fits(probe, player, piece));
            let may_be_unmoved = || {
                fits && self.planes.unmoved().has(square)
                    || self.fits_unmoved_guest(probe, player, square)
                    || self.may_appear(square, player, probe)
            };
            let asked = if fits { Set::one(square) } else { Set::EMPTY };
            (!probe.is_needed || may_be_unmoved()).then_some(all | asked)
        })
    }

    /// Other offsets may come to point anywhere.
    fn anywhere(&self, probe: &Probe) -> Set<W> {
        probe.kinds.as_ref().map_or(Set::FULL, |kinds| self.planes.kinds(kinds))
    }

    fn fits(&self, probe: &Probe, asker: Player, piece: Piece) -> bool {
        probe.fits_kind(piece.kind) && probe.fits_owner(piece.player, asker, self.rules.team(asker))
    }

    fn fits_unmoved_guest(&self, probe: &Probe, asker: Player, square: Square) -> bool {
        self.position.guest(square).is_some_and(|piece| piece.unmoved && self.fits(probe, asker, piece))
    }

    /// Whether a promotion could put a piece on the square that the probe of this player would fit.
    fn may_appear(&self, square: Square, asker: Player, probe: &Probe) -> bool {
        let (rules, team) = (self.rules, self.rules.team(asker));
        let owners = || rules.players().filter(|owner| probe.fits_owner(*owner, asker, team));
        rules.memory.promotions.iter().any(|fresh| {
            owners().any(|owner| fresh.regions.iter().all(|region| rules.in_region(*region, owner, square)))
                && fresh.options.iter().any(|kind| probe.fits_kind(*kind))
        })
    }
}
