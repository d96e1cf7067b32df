//! About which pieces some rule can still ask whether they have moved.

use crate::general::Tables;
use crate::general::planes::Planes;
use crate::general::set::Set;
use crate::memory::{Asker, Probe};
use crate::piece::{Piece, Player, PlayerSet};
use crate::position::{Position, Spot};
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
                let hosts = (planes.player(player) & planes.kind(*kind)).into_iter().map(Spot::host);
                let guests =
                    planes.guests(PlayerSet::EMPTY.with(player), &[*kind]).into_iter().map(Spot::guest);
                for spot in hosts.chain(guests) {
                    for asker in askers {
                        asked |= self.by(asker, player, spot);
                    }
                }
            }
        }
        planes.unmoved().without(asked)
    }

    /// The squares that a move of the piece in a spot asks about. Whether a guest has moved is never forgotten.
    fn by(&self, asker: &Asker, player: Player, spot: Spot) -> Set<W> {
        let from = spot.square;
        let unmoved = if spot.guest { self.planes.unmoved_guests() } else { self.planes.unmoved() };
        if asker.is_rooted && !(unmoved.has(from) && self.may_fire(asker, player, from)) {
            return Set::EMPTY;
        }
        let itself = if asker.asks_itself && !spot.guest { Set::one(from) } else { Set::EMPTY };
        let probes = asker.probes.iter().map(|probe| self.probed(probe, asker.is_rooted, player, from));
        probes.fold(itself, |all, squares| all | squares)
    }

    /// Of a rooted move the offsets from the source point at fixed squares; otherwise they may come to point anywhere.
    fn probed(&self, probe: &Probe, is_rooted: bool, player: Player, from: Square) -> Set<W> {
        if !(is_rooted && probe.from_source) {
            return probe.kinds.as_ref().map_or(Set::FULL, |kinds| self.planes.kinds(kinds));
        }
        let square = self.rules.offset_square(from, player, probe.offset);
        square.filter(|square| self.fits(probe, player, *square)).map_or(Set::EMPTY, Set::one)
    }

    fn fits(&self, probe: &Probe, asker: Player, square: Square) -> bool {
        self.position.piece(square).is_some_and(|piece| self.fits_piece(probe, asker, piece))
    }

    fn fits_piece(&self, probe: &Probe, asker: Player, piece: Piece) -> bool {
        probe.fits(piece.player, piece.kind, asker, self.rules.team(asker))
    }

    /// Whether a rooted move of a piece that has never moved may still be made: nor has any that it wants unmoved, unless a
    /// fresh one may yet appear there.
    fn may_fire(&self, asker: &Asker, player: Player, from: Square) -> bool {
        let unmoved = self.planes.unmoved();
        asker.needed.iter().all(|probe| {
            self.rules.offset_square(from, player, probe.offset).is_some_and(|square| {
                let fits = |piece: Piece| piece.unmoved && self.fits_piece(probe, player, piece);
                unmoved.has(square) && self.fits(probe, player, square)
                    || self.position.guest(square).is_some_and(fits)
                    || self.may_appear(square, player, probe)
            })
        })
    }

    /// Whether a promotion could put a piece on the square that the probe of this player would fit.
    fn may_appear(&self, square: Square, asker: Player, probe: &Probe) -> bool {
        let rules = self.rules;
        rules.memory.promotions.iter().any(|fresh| {
            rules.players().any(|player| {
                fresh.options.iter().any(|kind| probe.fits(player, *kind, asker, rules.team(asker)))
                    && fresh.regions.iter().all(|region| rules.in_region(*region, player, square))
            })
        })
    }
}
