//! The general move generator: every board, any number of players, every condition and effect.
//!
//! Legal moves are computed as bitboards. *Plain* moves are looked up ([`ray_table`], [`slide`], [`plain_moves`]).
//! All other moves are *guarded*: they are made by all pieces of a kind at once, with conditions as sets of squares
//! ([`kind_moves`], [`guarded_moves`]). Checks and pins are computed once per position ([`attack_info`],
//! [`check_info`]). Only moves whose legality does not follow from them are made on a copy ([`legality`], [`visit`]).
//!
//! The code is generic over the width of the board, so bitboards are plain values.

mod attack_info;
mod attackers;
mod bitboard;
mod check_info;
mod drops;
mod generator;
mod guarded_moves;
mod hops;
mod kind_moves;
mod legality;
mod merge_kinds;
mod plain_moves;
mod planes;
mod quick_mate;
mod ray_table;
mod sensitive_squares;
mod shift;
mod slide;
mod unmoved;
mod visit;
mod visitors;
mod walks;

use std::sync::Arc;

use crate::blueprint::Blueprint;
use crate::compile::jump_table::JumpTable;
use crate::compile::pattern::Patterns;
use crate::compile::words_for;
use crate::moves::Move;
use crate::piece::{Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::{Board, Square};

pub(crate) use planes::Planes;
pub(crate) use quick_mate::LeaderAttack;

use attack_info::AttackInfo;
use attackers::Attackers;
use bitboard::Bitboard;
use generator::Generator;
use kind_moves::KindMoves;
use merge_kinds::merge_kinds;
use quick_mate::Routes;
use ray_table::RayTables;
use shift::Shift;
use unmoved::UnmovedScan;
use visitors::{AnyMove, CountMoves, ListMoves, MakeMoves};

/// The tables of a game, as wide as its board.
pub(crate) enum General {
    One(Box<Tables<1>>),
    Two(Box<Tables<2>>),
    Four(Box<Tables<4>>),
    Eight(Box<Tables<8>>),
    Sixteen(Box<Tables<16>>),
}

/// Evaluates an expression with the tables of any width.
macro_rules! at_any_width {
    ($general:expr, $tables:ident => $answer:expr) => {
        match $general {
            General::One($tables) => $answer,
            General::Two($tables) => $answer,
            General::Four($tables) => $answer,
            General::Eight($tables) => $answer,
            General::Sixteen($tables) => $answer,
        }
    };
}

impl General {
    /// Builds the tables of a game. The patterns are by player.
    pub(crate) fn new(
        board: &Board,
        blueprint: &Blueprint,
        jumps: &Arc<JumpTable>,
        patterns: &[Patterns],
    ) -> Self {
        match words_for(board.len()) {
            1 => General::One(Tables::new(board, blueprint, jumps, patterns)),
            2 => General::Two(Tables::new(board, blueprint, jumps, patterns)),
            4 => General::Four(Tables::new(board, blueprint, jumps, patterns)),
            8 => General::Eight(Tables::new(board, blueprint, jumps, patterns)),
            _ => General::Sixteen(Tables::new(board, blueprint, jumps, patterns)),
        }
    }

    /// Returns all legal moves, sorted by source, then by pattern, then by distance.
    pub(crate) fn moves(&self, rules: &Rules, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        self.list(rules, position, &mut moves);
        // The promotions of one move are already in order.
        moves.sort_by_key(|played| played.sort_key());
        moves
    }

    /// Appends all legal moves in an unspecified order.
    pub(crate) fn list(&self, rules: &Rules, position: &Position, moves: &mut Vec<Move>) {
        let mut list = ListMoves { moves };
        let _ = at_any_width!(self, tables => Generator::new(rules, tables, position).visit(&mut list));
    }

    /// Returns whether there is a legal move.
    pub(crate) fn can_move(&self, rules: &Rules, position: &Position) -> bool {
        at_any_width!(self, tables => Generator::new(rules, tables, position).visit(&mut AnyMove).is_break())
    }

    /// Returns whether there is a legal move, if conditions that look ahead count as met.
    pub(crate) fn can_move_disregarding_results(&self, rules: &Rules, position: &Position) -> bool {
        at_any_width!(self, tables => Generator::new(rules, tables, position).can_move_disregarding_results())
    }

    /// Counts legal move paths of length `depth`.
    pub(crate) fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> u64 {
        at_any_width!(self, tables => tables.perft(rules, position, depth))
    }

    /// Returns whether an attacked leader can move, and therefore must.
    pub(crate) fn leader_must_move(&self, rules: &Rules, position: &Position) -> bool {
        at_any_width!(self, tables => Generator::new(rules, tables, position).leader_must_move())
    }

    /// Calls `show` with every position after a legal move, before the next turn is settled.
    pub(crate) fn for_each_next(&self, rules: &Rules, position: &Position, show: impl FnMut(&Position)) {
        let mut each = MakeMoves::new(position, show);
        let _ = at_any_width!(self, tables => Generator::new(rules, tables, position).visit(&mut each));
    }

    /// Returns whether a piece of the victim could be captured on one of these squares. `about` is its kind, if
    /// known.
    pub(crate) fn attacks_any(
        &self,
        rules: &Rules,
        position: &Position,
        (victim, about): (Player, Option<Kind>),
        squares: impl Iterator<Item = Square>,
    ) -> bool {
        at_any_width!(self, tables => {
            let attack_info = AttackInfo::new(rules, tables, position, victim, about);
            squares.into_iter().any(|square| attack_info.is_attacked(square))
        })
    }

    /// Returns whether a piece would be attacked after a plain move, or `None` if the move must be made to decide
    /// that.
    pub(crate) fn attacks_after(
        &self,
        rules: &Rules,
        position: &Position,
        victim: Player,
        (from, to): (Square, Square),
    ) -> Option<bool> {
        at_any_width!(self, tables => {
            let about = position.piece(from).map(|piece| piece.kind);
            let attack_info = AttackInfo::new(rules, tables, position, victim, about);
            (!attack_info.has_guarded()).then(|| attack_info.attacked_by_plain(to, attack_info.after(from, to)))
        })
    }

    /// Returns whether an attack on a leader is soon possible. If `promoted` is given, only that new piece is
    /// considered.
    pub(crate) fn can_attack_leader(
        &self,
        position: &Position,
        attack: LeaderAttack,
        promoted: Option<(Kind, Square)>,
    ) -> bool {
        at_any_width!(self, tables => tables.can_attack_leader(position, attack, promoted))
    }

    /// Calls `show` with every unmoved piece that no applicable rule tests.
    pub(crate) fn for_each_irrelevant_unmoved(
        &self,
        rules: &Rules,
        position: &Position,
        show: impl FnMut(Square),
    ) {
        at_any_width!(self, tables => {
            UnmovedScan::new(rules, tables, position).irrelevant().into_iter().for_each(show);
        });
    }
}

/// The tables of a game for one width.
pub(crate) struct Tables<const W: usize> {
    /// By jump.
    shifts: Box<[Shift<W>]>,
    rays: RayTables<W>,
    attackers: Attackers,
    /// Attackers of pieces other than leaders, if some captures depend on the captured piece.
    selective: Option<Attackers>,
    players: PlayerSet,
    /// By player: an index into the distinct orientations.
    orientations: Box<[usize]>,
    /// All squares of the board.
    squares: Bitboard<W>,
    /// Squares on which a piece may join a leader.
    join_squares: Bitboard<W>,
    /// By orientation. Kinds that move alike share one entry.
    kind_moves: Box<[Box<[KindMoves]>]>,
    /// By orientation.
    routes: Box<[Box<[Routes]>]>,
}

impl<const W: usize> Tables<W> {
    fn new(board: &Board, blueprint: &Blueprint, jumps: &Arc<JumpTable>, patterns: &[Patterns]) -> Box<Self> {
        let mut ray_tables = RayTables::new(board.len(), Arc::clone(jumps));
        let attackers = Attackers::new(&mut ray_tables, patterns, &blueprint.leaders);
        let actions =
            patterns.iter().flat_map(|kinds| kinds.iter().flatten()).filter_map(|it| it.on_enemy.as_ref());
        let is_selective = actions.into_iter().any(|action| !action.captures_any());
        let selective = is_selective.then(|| Attackers::new(&mut ray_tables, patterns, &[]));
        let mut kind_moves = Vec::new();
        let mut routes = Vec::new();
        let mut orientations: Vec<usize> = Vec::new();
        for (player, own) in patterns.iter().enumerate() {
            // Players with the same orientation share their patterns.
            let alike = patterns[..player].iter().position(|other| Arc::ptr_eq(other, own));
            let orientation = alike.map_or(kind_moves.len(), |other| orientations[other]);
            orientations.push(orientation);
            if alike.is_none() {
                kind_moves.push(all_kind_moves(&mut ray_tables, blueprint, own));
                routes.push(Routes::all(&mut ray_tables, own, blueprint.leaders.first().copied()));
            }
        }
        Box::new(Tables {
            shifts: Shift::all(board, jumps),
            rays: ray_tables,
            attackers,
            selective,
            players: (0..blueprint.players.len() as u8).map(Player).collect(),
            orientations: orientations.into(),
            squares: board.squares().collect(),
            join_squares: join_squares(blueprint),
            kind_moves: kind_moves.into(),
            routes: routes.into(),
        })
    }

    /// Returns the moves of all kinds for a player.
    fn kind_moves(&self, player: Player) -> &[KindMoves] {
        &self.kind_moves[self.orientations[player.index()]]
    }

    fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> u64 {
        let generator = Generator::new(rules, self, position);
        let (mut moves, mut nodes) = (0u64, 0);
        if depth == 1 {
            let mut count = CountMoves::default();
            let _ = generator.visit(&mut count);
            (moves, nodes) = (count.moves, count.moves);
        } else {
            let _ = generator.visit(&mut MakeMoves::new(position, |next| {
                moves += 1;
                nodes += self.perft(rules, next, depth - 1);
            }));
        }
        // A player without a move is eliminated or skipped, unless that ends the game.
        if moves == 0 && rules.is_unsettled(position) {
            let settled = rules.settled(position.clone());
            let goes_on = settled.ended().is_none() && settled.slot() != position.slot();
            return if goes_on { self.perft(rules, &settled, depth) } else { 0 };
        }
        nodes
    }
}

fn join_squares<const W: usize>(blueprint: &Blueprint) -> Bitboard<W> {
    let sharing = blueprint.mechanics.sharing.as_ref().filter(|sharing| sharing.join);
    let region = sharing.map(|sharing| &blueprint.regions[usize::from(sharing.region)]);
    region.into_iter().flat_map(|region| region.squares.iter().flatten()).copied().collect()
}

fn all_kind_moves<const W: usize>(
    ray_tables: &mut RayTables<W>,
    blueprint: &Blueprint,
    patterns: &Patterns,
) -> Box<[KindMoves]> {
    let kinds = (0..=u8::MAX).map(Kind).zip(&blueprint.kinds).zip(patterns.iter());
    let all = kinds
        .map(|((kind, plan), patterns)| KindMoves::new(ray_tables, plan, patterns, &blueprint.leaders, kind));
    merge_kinds(blueprint, all)
}
