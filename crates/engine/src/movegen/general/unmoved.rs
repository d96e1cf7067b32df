//! The unmoved pieces for which some rule can still test whether they have moved.

use crate::blueprint::CastlePlan;
use crate::compile::unmoved::{Probe, UnmovedTest};
use crate::movegen::general::Tables;
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::planes::Planes;
use crate::piece::{Kind, Piece, Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// A position and the players still in the game.
pub(crate) struct UnmovedScan<'a, const W: usize> {
    rules: &'a Rules,
    position: &'a Position,
    /// The players still in the game.
    players: PlayerSet,
    planes: Planes<'a, W>,
}

impl<'a, const W: usize> UnmovedScan<'a, W> {
    pub(crate) fn new(rules: &'a Rules, tables: &Tables<W>, position: &'a Position) -> Self {
        let players = tables.players.without(position.eliminated());
        UnmovedScan { rules, position, players, planes: position.planes() }
    }

    /// Returns the unmoved pieces that no rule will test.
    pub(crate) fn irrelevant(&self) -> Bitboard<W> {
        let (unmoved, planes) = (&self.rules.unmoved, self.planes);
        if planes.unmoved().is_empty() {
            return Bitboard::EMPTY;
        }
        let mut probed = planes.kinds(&unmoved.probed_by_promoted);
        for (kind, tests) in &unmoved.tests {
            for player in self.players.iter() {
                let hosts = planes.player(player) & planes.kind(*kind);
                let guests = planes.guests(PlayerSet::EMPTY.with(player), &[*kind]);
                if hosts.is_empty() && guests.is_empty() {
                    continue;
                }
                for test in tests {
                    probed |= if test.mover_unmoved {
                        self.probed_by_unmoved(test, player, hosts & planes.unmoved(), guests)
                    } else {
                        self.probed_by(test, hosts)
                    };
                }
            }
        }
        for kind in self.rules.kinds() {
            for plan in &self.rules.kind(kind).castles {
                probed |= self
                    .players
                    .iter()
                    .fold(Bitboard::EMPTY, |all, player| all | self.probed_by_castling(plan, kind, player));
            }
        }
        planes.unmoved().without(probed)
    }

    /// Returns the unmoved pieces of a player that may still castle, with the partners that they may still have.
    fn probed_by_castling(&self, plan: &CastlePlan, kind: Kind, player: Player) -> Bitboard<W> {
        let (planes, board) = (self.planes, self.rules.board());
        let Some(targets) = plan.targets[player.index()] else { return Bitboard::EMPTY };
        if !self.rules.mechanics().figures.is_empty() {
            // A piece may change its owner without having moved.
            return planes.kinds(&plan.partners) | planes.kind(kind);
        }
        let partners = planes.player(player) & planes.kinds(&plan.partners) & planes.unmoved();
        let is_created = self.rules.unmoved.promotions.iter().any(|it| it.options.contains(&kind));
        let mut probed = if is_created { partners } else { Bitboard::EMPTY };
        for from in planes.player(player) & planes.kind(kind) & planes.unmoved() {
            let Some(side) = plan.side(board, from, targets) else { continue };
            let beside = std::iter::successors(board.within(from, side), |at| board.within(*at, side));
            let beside: Bitboard<W> = beside.collect();
            let may_come = |square| self.may_be_promoted(square, player, &plan.partners);
            if (beside & partners).is_empty() && !beside.into_iter().any(may_come) {
                continue;
            }
            probed |= Bitboard::one(from) | beside & partners;
        }
        probed
    }

    /// Returns whether a promotion of the player could put a piece of these kinds on the square.
    fn may_be_promoted(&self, square: Square, player: Player, kinds: &[Kind]) -> bool {
        let rules = self.rules;
        rules.unmoved.promotions.iter().any(|new_piece| {
            new_piece.regions.iter().all(|region| rules.in_region(*region, player, square))
                && new_piece.options.iter().any(|kind| kinds.contains(kind))
        })
    }

    /// Returns the squares that a move of pieces of one kind tests, wherever they stand. Guests are never considered
    /// moved.
    fn probed_by(&self, test: &UnmovedTest, hosts: Bitboard<W>) -> Bitboard<W> {
        let itself = if test.tests_mover { hosts } else { Bitboard::EMPTY };
        test.probes.iter().fold(itself, |all, probe| all | self.anywhere(probe))
    }

    /// Returns the same for a move that only unmoved pieces can make: these hosts, and some of the guests.
    fn probed_by_unmoved(
        &self,
        test: &UnmovedTest,
        player: Player,
        hosts: Bitboard<W>,
        guests: Bitboard<W>,
    ) -> Bitboard<W> {
        if test.probes.is_empty() {
            return hosts;
        }
        let probe_from = |from: Square| self.probed(test, player, from);
        let others = (guests & self.planes.unmoved_guests()).into_iter().filter_map(probe_from);
        let itself = |from: Square| Some(probe_from(from)? | Bitboard::one(from));
        hosts.into_iter().filter_map(itself).chain(others).fold(Bitboard::EMPTY, |all, some| all | some)
    }

    /// Returns the squares that the move tests from the piece's current square, or `None` if it can never be made:
    /// offsets from the source refer to fixed squares, and a required unmoved piece must stand there or be able to
    /// appear.
    fn probed(&self, test: &UnmovedTest, player: Player, from: Square) -> Option<Bitboard<W>> {
        test.probes.iter().try_fold(Bitboard::EMPTY, |all, probe| {
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
            let probed = if fits { Bitboard::one(square) } else { Bitboard::EMPTY };
            (!probe.is_needed || may_be_unmoved()).then_some(all | probed)
        })
    }

    /// Returns the squares for offsets that may refer to any square.
    fn anywhere(&self, probe: &Probe) -> Bitboard<W> {
        probe.kinds.as_ref().map_or(Bitboard::FULL, |kinds| self.planes.kinds(kinds))
    }

    fn fits(&self, probe: &Probe, asker: Player, piece: Piece) -> bool {
        probe.fits_kind(piece.kind) && probe.fits_owner(piece.player, asker, self.rules.team(asker))
    }

    fn fits_unmoved_guest(&self, probe: &Probe, asker: Player, square: Square) -> bool {
        self.position.guest(square).is_some_and(|piece| piece.unmoved && self.fits(probe, asker, piece))
    }

    /// Returns whether a promotion could put a piece on the square that satisfies the probe.
    fn may_appear(&self, square: Square, asker: Player, probe: &Probe) -> bool {
        let (rules, team) = (self.rules, self.rules.team(asker));
        let owners = || rules.players().filter(|owner| probe.fits_owner(*owner, asker, team));
        rules.unmoved.promotions.iter().any(|new_piece| {
            owners()
                .any(|owner| new_piece.regions.iter().all(|region| rules.in_region(*region, owner, square)))
                && new_piece.options.iter().any(|kind| probe.fits_kind(*kind))
        })
    }
}
