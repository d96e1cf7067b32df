//! The opponents of one player, prepared for testing whether a square is attacked.
//!
//! It is built once per position and victim. Then any square can be tested, also as it would be after a plain move of
//! the victim's side, without making the move.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::compile::pattern::{Action, Pattern};
use crate::movegen::general::Tables;
use crate::movegen::general::attackers::{Attackers, Sliders, Users};
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::planes::Planes;
use crate::movegen::general::ray_table::Ray;
use crate::movegen::walker::Walker;
use crate::piece::{Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// The opponents of one player and their pieces.
pub(crate) struct AttackInfo<'a, const W: usize> {
    pub(crate) rules: &'a Rules,
    pub(crate) tables: &'a Tables<W>,
    attackers: &'a Attackers,
    pub(crate) position: &'a Position,
    pub(crate) planes: Planes<'a, W>,
    pub(crate) occupied: Bitboard<W>,
    /// Pieces of the victim's team.
    pub(crate) team: Bitboard<W>,
    /// Squares with a guest.
    pub(crate) shared: Bitboard<W>,
    /// Players whose army is frozen.
    pub(crate) frozen: PlayerSet,
    /// Opponents still in the game, and their pieces.
    players: PlayerSet,
    pub(crate) active_enemies: Bitboard<W>,
    /// Guests of the opponents.
    guests: Bitboard<W>,
    /// By index in the attackers' slides.
    sliders: SmallVec<[(usize, Bitboard<W>); 4]>,
    has_guarded: bool,
}

/// The board after a plain move.
#[derive(Clone, Copy)]
pub(crate) struct BoardAfter<const W: usize> {
    occupied: Bitboard<W>,
    /// Captured opponents.
    gone: Bitboard<W>,
}

/// A guarded capture that points at a square.
pub(crate) struct GuardedAttack<'a> {
    pub(crate) player: Player,
    pub(crate) kind: Kind,
    pub(crate) from: Square,
    pub(crate) pattern: &'a Pattern,
    pub(crate) steps: u32,
}

impl<'a, const W: usize> AttackInfo<'a, W> {
    pub(crate) fn new(
        rules: &'a Rules,
        tables: &'a Tables<W>,
        position: &'a Position,
        victim: Player,
        about: Option<Kind>,
    ) -> Self {
        let is_leader = about.is_none_or(|kind| rules.is_leader(kind));
        let attackers = tables.selective.as_ref().filter(|_| !is_leader).unwrap_or(&tables.attackers);
        let planes = position.planes();
        let frozen = position.frozen();
        let absent = position.eliminated().union(frozen);
        let partners = rules.team(victim);
        let players = tables.players.without(absent.union(partners));
        let (occupied, team) = (planes.occupied(), planes.players(partners));
        let mut attack_info = AttackInfo {
            rules,
            tables,
            attackers,
            position,
            planes,
            occupied,
            team,
            shared: planes.shared(),
            frozen,
            players,
            active_enemies: if absent.is_empty() { occupied.without(team) } else { planes.players(players) },
            guests: planes.guests_of(players),
            sliders: SmallVec::new(),
            has_guarded: false,
        };
        attack_info.find_sliders();
        attack_info
    }

    /// Finds the sliders, and whether any guarded captures exist. Leapers are not collected: few are near a square.
    fn find_sliders(&mut self) {
        let attackers = self.attackers;
        for (index, attacker) in attackers.slides.iter().enumerate() {
            let pieces = self.users(&attacker.users);
            if !pieces.is_empty() {
                self.sliders.push((index, pieces));
            }
        }
        let has = |kind: Kind| {
            self.active_enemies.meets(self.planes.kind(kind))
                || !self.planes.guests(self.players, &[kind]).is_empty()
        };
        self.has_guarded = attackers.guarded.iter().any(|(kind, _)| has(*kind));
    }

    fn users(&self, users: &Users) -> Bitboard<W> {
        users.iter().fold(Bitboard::EMPTY, |armies, (players, kinds)| armies | self.pieces(*players, kinds))
    }

    /// Returns the opponents' pieces of these players and kinds, including guests.
    fn pieces(&self, players: PlayerSet, kinds: &[Kind]) -> Bitboard<W> {
        let hosts = self.enemies_of(players) & self.planes.kinds(kinds);
        if self.guests.is_empty() {
            return hosts;
        }
        let all_players = self.players.without(players).is_empty();
        let guests = if all_players { self.guests } else { self.guests & self.planes.guests_of(players) };
        hosts | guests & self.planes.all_guests(kinds)
    }

    /// Returns the opponents' pieces of these players, except guests.
    fn enemies_of(&self, players: PlayerSet) -> Bitboard<W> {
        if self.players.without(players).is_empty() {
            self.active_enemies
        } else {
            self.planes.players(players) & self.active_enemies
        }
    }

    /// Returns the current board.
    pub(crate) fn now(&self) -> BoardAfter<W> {
        BoardAfter { occupied: self.occupied, gone: Bitboard::EMPTY }
    }

    /// Returns the board after a plain move of the victim's side.
    pub(crate) fn after(&self, from: Square, to: Square) -> BoardAfter<W> {
        let to = Bitboard::one(to);
        // A guest that the leader leaves behind still blocks the square.
        let left = Bitboard::one(from).without(self.shared);
        BoardAfter { occupied: self.occupied.without(left) | to, gone: to }
    }

    /// Returns whether opponents have guarded captures, so that a changed board is not enough to decide.
    pub(crate) fn has_guarded(&self) -> bool {
        self.has_guarded
    }

    /// Returns whether the square is attacked now.
    pub(crate) fn is_attacked(&self, square: Square) -> bool {
        self.attacked_by_plain(square, self.now()) || self.attacked_by_guarded(square)
    }

    /// Returns whether a plain capture attacks the square.
    pub(crate) fn attacked_by_plain(&self, square: Square, board: BoardAfter<W>) -> bool {
        self.leapers_on(square).meets(!board.gone)
            || self.sliders().any(|(attacker, pieces)| {
                self.slide_hits(attacker, pieces.without(board.gone), square, board)
            })
    }

    /// Returns the leapers that attack the square.
    pub(crate) fn leapers_on(&self, square: Square) -> Bitboard<W> {
        let ray_tables = &self.tables.rays;
        let pieces = ray_tables.from(self.attackers.near, square) & (self.active_enemies | self.guests);
        if pieces.is_empty() {
            return Bitboard::EMPTY;
        }
        self.attackers.leaps.iter().fold(Bitboard::EMPTY, |set, attacker| {
            let near = ray_tables.from(attacker.from, square) & pieces;
            if near.is_empty() || self.players.intersection(attacker.players).is_empty() {
                return set;
            }
            set | near & self.pieces(attacker.players, &attacker.kinds)
        })
    }

    /// Iterates over the sliders, grouped by the slides that they share.
    pub(crate) fn sliders(&self) -> impl Iterator<Item = (&'a Sliders, Bitboard<W>)> + '_ {
        let attackers = &self.attackers.slides;
        self.sliders.iter().map(move |(index, pieces)| (&attackers[*index], *pieces))
    }

    /// Looks from the square to the first piece in each direction.
    fn slide_hits(
        &self,
        attacker: &Sliders,
        pieces: Bitboard<W>,
        square: Square,
        board: BoardAfter<W>,
    ) -> bool {
        let ray_tables = &self.tables.rays;
        ray_tables.from(attacker.star, square).meets(pieces)
            && attacker.slides.iter().any(|slide| {
                let ray = slide.ray(ray_tables, square);
                let pieces = slide.within(ray_tables, square, ray & pieces);
                !pieces.is_empty() && slide.first(ray & board.occupied).is_some_and(|piece| pieces.has(piece))
            })
    }

    fn attacked_by_guarded(&self, square: Square) -> bool {
        self.has_guarded && self.guarded_on(square).any(|attack| self.can_capture(&attack, square))
    }

    /// Returns whether a guarded capture that points at the square is possible.
    pub(crate) fn can_capture(&self, attack: &GuardedAttack<'_>, square: Square) -> bool {
        let GuardedAttack { player, kind, from, pattern, steps } = *attack;
        let walker = Walker::for_attack(self.rules, self.position, player, kind, from);
        if pattern.is_composite {
            let mut hits = |to: Square, action: &Action| {
                let is_hit = to == square && action.captures;
                if is_hit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            return walker.landings(pattern, &mut hits).is_break();
        }
        walker.reaches(pattern, steps)
            && walker.action_on(pattern, square, steps).is_some_and(|action| action.captures)
    }

    /// Iterates over the guarded captures that point at the square, possible or not.
    pub(crate) fn guarded_on(&self, square: Square) -> impl Iterator<Item = GuardedAttack<'a>> + '_ {
        let rules = self.rules;
        self.players.iter().flat_map(move |player| {
            let guarded = self.attackers.guarded.iter();
            guarded.flat_map(move |&(kind, index)| {
                let guests = self.planes.guests(PlayerSet::EMPTY.with(player), &[kind]);
                let pieces = self.planes.player(player) & self.planes.kind(kind) | guests;
                let pattern = &rules.patterns[player.index()][kind.index()][usize::from(index)];
                let back = Ray { jump: pattern.back, min: pattern.min, max: pattern.max };
                let is_flat = rules.jumps.is_flat && !pattern.is_composite;
                let squares = (is_flat && !pieces.is_empty()).then(|| back.squares(&rules.jumps, square));
                let found = squares.into_iter().flatten().filter(move |(_, from)| pieces.has(*from));
                // Where a board wraps or is linked, a slide is followed from the piece.
                let walked = (!is_flat).then(|| self.walked_to(pattern, pieces, square));
                found.chain(walked.into_iter().flatten()).map(move |(steps, from)| GuardedAttack {
                    player,
                    kind,
                    from,
                    pattern,
                    steps,
                })
            })
        })
    }

    /// Returns the pieces whose slide leads to a square on an empty board, with the number of steps.
    #[cold]
    fn walked_to(&self, pattern: &Pattern, pieces: Bitboard<W>, square: Square) -> Vec<(u32, Square)> {
        if pattern.is_composite {
            return pieces.into_iter().filter(|from| *from != square).map(|from| (0, from)).collect();
        }
        let ahead = Ray { jump: pattern.jump, min: pattern.min, max: pattern.max };
        let steps = |from: Square| ahead.squares(&self.rules.jumps, from).find(|(_, at)| *at == square);
        pieces.into_iter().filter_map(|from| Some((steps(from)?.0, from))).collect()
    }
}
