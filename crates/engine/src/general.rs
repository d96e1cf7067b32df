//! The general path: every board, any number of players, every condition and effect.
//!
//! Legal moves are found as sets. Plain moves are looked up ([`fan`], [`slide`]); all others are made by all pieces of
//! a kind at once, conditions and all ([`repertoire`], [`scene`]). Once for each position it is found out what would
//! leave a leader attacked ([`lookout`], [`danger`]); only what that cannot tell is tried out on a copy ([`visit`],
//! [`sift`]).
//!
//! Everything here exists once for each width of a board, so that sets are plain values.

mod alike;
mod asked;
mod danger;
mod deeds;
mod fan;
mod glance;
mod lookout;
mod planes;
mod reaches;
mod repertoire;
mod scene;
mod set;
mod sift;
mod sight;
mod slide;
mod step;
mod visit;
mod visitors;
mod watch;

use std::sync::Arc;

use crate::blueprint::Blueprint;
use crate::jumps::Jumps;
use crate::moves::Move;
use crate::piece::{Kind, Player, PlayerSet};
use crate::position::Position;
use crate::rules::{Pattern, Rules, words_for};
use crate::square::{Board, Square};

use alike::joined;
use asked::Asked;
use fan::Fans;
use glance::Roads;
use lookout::Lookout;
pub(crate) use planes::Planes;
use repertoire::Repertoire;
use scene::Scene;
use set::Set;
use sight::Sights;
use step::Step;
use visitors::{Any, Count, Each, List};

/// The patterns of one player, by kind and place in the kind's list.
pub(crate) type Patterns = Arc<[Box<[Pattern]>]>;

/// The tables of a game, as wide as its board.
pub(crate) enum General {
    One(Box<Tables<1>>),
    Two(Box<Tables<2>>),
    Four(Box<Tables<4>>),
    Eight(Box<Tables<8>>),
    Sixteen(Box<Tables<16>>),
}

/// Does something with the tables, whatever their width.
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
    /// The tables of a game; the patterns are by player.
    pub(crate) fn new(
        board: &Board,
        blueprint: &Blueprint,
        jumps: &Arc<Jumps>,
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

    /// All legal moves, in order of source, then of the piece's list of moves, then of distance.
    pub(crate) fn moves(&self, rules: &Rules, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        self.list(rules, position, &mut moves);
        // The promotions of a move are in their order already.
        moves.sort_by_key(|played| played.place());
        moves
    }

    /// Adds all legal moves to a list, in any order.
    pub(crate) fn list(&self, rules: &Rules, position: &Position, moves: &mut Vec<Move>) {
        let mut list = List { moves };
        let _ = at_any_width!(self, tables => Scene::new(rules, tables, position).visit(&mut list));
    }

    /// Whether there is a legal move.
    pub(crate) fn can_move(&self, rules: &Rules, position: &Position) -> bool {
        at_any_width!(self, tables => Scene::new(rules, tables, position).visit(&mut Any).is_break())
    }

    /// How many ways lead to a position so many moves on.
    pub(crate) fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> u64 {
        at_any_width!(self, tables => tables.perft(rules, position, depth))
    }

    /// Whether an attacked leader can move, and so must.
    pub(crate) fn leader_must_move(&self, rules: &Rules, position: &Position) -> bool {
        at_any_width!(self, tables => Scene::new(rules, tables, position).leader_must_move())
    }

    /// Shows every position that a legal move leads to, not yet settled.
    pub(crate) fn each(&self, rules: &Rules, position: &Position, show: impl FnMut(&Position)) {
        let mut each = Each::new(position, show);
        let _ = at_any_width!(self, tables => Scene::new(rules, tables, position).visit(&mut each));
    }

    /// Whether a piece of the victim that stands on one of these squares could be captured; of that kind, if it is known.
    pub(crate) fn attacks_any(
        &self,
        rules: &Rules,
        position: &Position,
        (victim, about): (Player, Option<Kind>),
        squares: impl Iterator<Item = Square>,
    ) -> bool {
        at_any_width!(self, tables => {
            let lookout = Lookout::new(rules, tables, position, victim, about);
            squares.into_iter().any(|square| lookout.attacks(square))
        })
    }

    /// Whether a piece would be attacked after a plain move; `None` if only the board itself can tell.
    pub(crate) fn attacks_after(
        &self,
        rules: &Rules,
        position: &Position,
        victim: Player,
        (from, to): (Square, Square),
    ) -> Option<bool> {
        at_any_width!(self, tables => {
            let about = position.piece(from).map(|piece| piece.kind);
            let lookout = Lookout::new(rules, tables, position, victim, about);
            (!lookout.has_guarded()).then(|| lookout.attacks_plainly(to, lookout.after(from, to)))
        })
    }

    /// Whether some officer of the hunter obviously comes to attack a leader of the prey; or a newcomer, of that kind and
    /// on that square, instead of them.
    pub(crate) fn sees_attack(
        &self,
        position: &Position,
        leader: Kind,
        hunter: Player,
        prey: PlayerSet,
        newcomer: Option<(Kind, Square)>,
    ) -> bool {
        at_any_width!(self, tables => tables.sees_attack(position, leader, hunter, prey, newcomer))
    }

    /// Shows every piece that has never moved and about which no rule that can still fire asks.
    pub(crate) fn each_unmoved_in_vain(&self, rules: &Rules, position: &Position, show: impl FnMut(Square)) {
        at_any_width!(self, tables => {
            Asked::new(rules, tables, position).in_vain().into_iter().for_each(show);
        });
    }
}

/// The tables of a game for one width.
pub(crate) struct Tables<const W: usize> {
    /// By jump.
    steps: Box<[Step<W>]>,
    fans: Fans<W>,
    sights: Sights,
    /// The same for questions about other pieces than leaders, where some captures ask what they take.
    picky: Option<Sights>,
    players: PlayerSet,
    /// By player: which of the ways to look at the board is his.
    facings: Box<[usize]>,
    /// Squares on which a leader may be joined.
    joining: Set<W>,
    /// By facing; kinds that move alike share one.
    repertoires: Box<[Box<[Repertoire]>]>,
    /// By facing.
    roads: Box<[Box<[Roads]>]>,
}

impl<const W: usize> Tables<W> {
    fn new(board: &Board, blueprint: &Blueprint, jumps: &Arc<Jumps>, patterns: &[Patterns]) -> Box<Self> {
        let mut fans = Fans::new(board.len(), Arc::clone(jumps));
        let sights = Sights::new(&mut fans, patterns, blueprint.leader);
        let acts =
            patterns.iter().flat_map(|kinds| kinds.iter().flatten()).filter_map(|it| it.on_enemy.as_ref());
        let is_picky = acts.into_iter().any(|act| !act.takes_all());
        let picky = is_picky.then(|| Sights::new(&mut fans, patterns, None));
        let mut repertoires = Vec::new();
        let mut roads = Vec::new();
        let mut facings: Vec<usize> = Vec::new();
        for (player, own) in patterns.iter().enumerate() {
            // Those who look at the board the same way share their patterns.
            let alike = patterns[..player].iter().position(|other| Arc::ptr_eq(other, own));
            let facing = alike.map_or(repertoires.len(), |other| facings[other]);
            facings.push(facing);
            if alike.is_none() {
                repertoires.push(repertoire(&mut fans, blueprint, own));
                roads.push(Roads::all(&mut fans, own, blueprint.leader));
            }
        }
        Box::new(Tables {
            steps: Step::all(board, jumps),
            fans,
            sights,
            picky,
            players: (0..blueprint.players.len() as u8).map(Player).collect(),
            facings: facings.into(),
            joining: joining(blueprint),
            repertoires: repertoires.into(),
            roads: roads.into(),
        })
    }

    /// What all kinds can do for a player.
    fn repertoires(&self, player: Player) -> &[Repertoire] {
        &self.repertoires[self.facings[player.index()]]
    }

    fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> u64 {
        let scene = Scene::new(rules, self, position);
        let (mut moves, mut nodes) = (0u64, 0);
        if depth == 1 {
            let mut count = Count::default();
            let _ = scene.visit(&mut count);
            (moves, nodes) = (count.moves, count.moves);
        } else {
            let _ = scene.visit(&mut Each::new(position, |next| {
                moves += 1;
                nodes += self.perft(rules, next, depth - 1);
            }));
        }
        // Whoever cannot move is out, if that does not end the game, and it is somebody else's turn.
        if moves == 0 && rules.is_unsettled(position) {
            return self.perft(rules, &rules.settled(position.clone()), depth);
        }
        nodes
    }
}

fn joining<const W: usize>(blueprint: &Blueprint) -> Set<W> {
    let sharing = blueprint.mechanics.sharing.as_ref().filter(|sharing| sharing.join);
    let region = sharing.map(|sharing| &blueprint.regions[usize::from(sharing.region)]);
    region.into_iter().flat_map(|region| region.squares.iter().flatten()).copied().collect()
}

fn repertoire<const W: usize>(
    fans: &mut Fans<W>,
    blueprint: &Blueprint,
    patterns: &Patterns,
) -> Box<[Repertoire]> {
    let kinds = (0..).map(Kind).zip(&blueprint.kinds).zip(patterns.iter());
    let all =
        kinds.map(|((kind, plan), patterns)| Repertoire::new(fans, plan, patterns, blueprint.leader, kind));
    joined(blueprint, all)
}
