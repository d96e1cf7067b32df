//! A slow, simple interpreter of game specs, to test the engine against.
//!
//! The engine compiles rules, and a bug in the compiler looks like a rule. The oracle therefore interprets the spec
//! directly and shares only the file parser with the engine. Where the two agree, both are probably right; where they
//! differ, one is wrong. The oracle favours obvious code over speed: positions are plain maps, names are strings,
//! everything is recomputed on each call and copied on each move. It is about a thousand times slower than the engine.
//!
//! [`compare`](mod@compare) walks a game tree with both and reports the first difference. [`random_spec`] and
//! [`chesslike_spec`] generate games to compare.
//!
//! # Examples
//!
//! ```
//! use tabiya_oracle::{Oracle, Ply};
//!
//! let text = r#"{
//!   "name": "Two walkers",
//!   "board": { "dimensions": [3, 3] },
//!   "players": [
//!     { "name": "WHITE", "direction": "UP", "starting_positions": [{ "piece": "WALKER", "positions": [[0, 0]] }] },
//!     { "name": "BLACK", "direction": "DOWN", "starting_positions": [{ "piece": "WALKER", "positions": [[2, 2]] }] }
//!   ],
//!   "turns": { "order": ["WHITE", "BLACK"] },
//!   "pieces": [{
//!     "code": "WALKER",
//!     "moves": [{ "id": 7, "step": [0, 1], "actions": [{ "state": "EMPTY", "action": "MOVE" }] }]
//!   }]
//! }"#;
//! let game = tabiya_spec::load(text.as_bytes()).game.expect("a game that can be played");
//! let oracle = Oracle::new(&game.spec);
//! let start = oracle.start();
//! let ahead = Ply { from: (0, 0), to: (0, 1), id: 7, ..Ply::default() };
//! assert_eq!(oracle.legal(&start), [ahead.clone()]);
//! assert_eq!(oracle.perft(&start, 4), 1);
//! let next = oracle.play(&start, &ahead).expect("a legal move");
//! assert!(next.pieces[&(0, 1)].moved);
//! assert_eq!(oracle.outcome(&next), None);
//! ```
//!
//! Each file answers one question: which squares a move reaches ([`mod@pattern`]), what must hold ([`mod@condition`]),
//! which players are partners ([`mod@teams`]), which pieces share a square or can be captured ([`mod@sharing`]), what is
//! attacked ([`mod@attack`]), what a move changes ([`mod@make_move`], [`mod@castling`], [`mod@after_move`], [`mod@armies`],
//! [`mod@figures`], [`mod@reactions`]), which moves exist ([`mod@moves`]) and are legal ([`mod@legality`], [`mod@results`]), how turns of several parts are made ([`mod@parts`]), whose turn it
//! is and how the game ends ([`mod@turn`], [`mod@hold`], [`mod@ending`], [`mod@stopping_endings`]), what a die allows
//! ([`mod@dice`]), what a hand and a counter hold ([`mod@hands`]), what follows from moves ([`mod@triggers`], [`mod@area`]), what
//! players may agree on ([`mod@exchange`]), which pieces face each other ([`mod@facing`]), and when two positions are the same
//! ([`mod@identity`]).
#![allow(rustdoc::private_intra_doc_links, reason = "the overview is for readers of the source")]

mod after_move;
mod area;
mod armies;
mod attack;
mod castling;
pub mod chesslike_spec;
pub mod compare;
mod condition;
mod dice;
mod ending;
mod exchange;
mod facing;
mod figures;
mod geometry;
mod hands;
mod hold;
mod identity;
mod legality;
mod make_move;
mod marks;
mod moves;
mod parts;
mod pattern;
mod perpetual_check;
mod piece_count;
pub mod random_spec;
mod reactions;
mod results;
mod sharing;
mod state;
mod stopping_endings;
mod teams;
mod triggers;
mod turn;
pub mod variant_spec;

pub use dice::Die;
pub use ending::{Ending, Moment};
pub use exchange::Exchange;
pub use state::{Mark, Outcome, Piece, Ply, Spot, Square, State, UnfinishedTurn};

use std::collections::btree_map::Entry;

use tabiya_spec::model::GameSpec;

/// The interpreter of one game.
#[derive(Clone, Debug)]
pub struct Oracle<'s> {
    spec: &'s GameSpec,
    /// Whether conditions that look ahead count as met.
    disregards_results: bool,
}

impl<'s> Oracle<'s> {
    /// Returns an interpreter of a valid spec.
    pub fn new(spec: &'s GameSpec) -> Self {
        Oracle { spec, disregards_results: false }
    }

    /// Returns the starting position. Players without a move may already be eliminated or passed over, and the game may
    /// already be over.
    pub fn start(&self) -> State {
        let mut state = self.placed();
        state.ended = self.stopped(&state, self.to_move(&state));
        self.settled(state)
    }

    /// Returns the position as placed, before players without a move are handled. Of two pieces on one square the leader
    /// is the host.
    pub(crate) fn placed(&self) -> State {
        let slot = self.spec.turns.start_at.as_ref().map_or(0, |index| **index as usize);
        let mut state = State { slot, ..State::default() };
        let mut pieces: Vec<(Square, Piece)> = Vec::new();
        for player in self.spec.players.iter() {
            for group in player.starting_positions.iter() {
                for square in group.positions.iter().map(|at| self.at(**at)) {
                    let mut piece = self.new_piece(&group.piece, &player.name, square);
                    piece.tag = group.tag.as_ref().map(|tag| tag.to_string()).or(piece.tag);
                    pieces.push((square, piece));
                }
            }
        }
        self.fill_hands_and_counters(&mut state);
        state.frozen = self.players().into_iter().filter(|name| self.is_neutral(name)).collect();
        pieces.sort_by_key(|(_, piece)| !self.is_leader(&piece.kind));
        for (square, piece) in pieces {
            match state.pieces.entry(square) {
                Entry::Vacant(free) => {
                    free.insert(piece);
                }
                Entry::Occupied(_) => {
                    state.guests.insert(square, piece);
                }
            }
        }
        state
    }

    /// Returns the legal moves that the die allows, ordered by square, definition, landing and promotion.
    pub fn legal(&self, state: &State) -> Vec<Ply> {
        self.by_die(state).into_iter().map(|(ply, _)| ply).collect()
    }

    /// Returns the legal moves with the positions after them.
    pub fn next_states(&self, state: &State) -> Vec<(Ply, State)> {
        self.by_die(state).into_iter().map(|(ply, finished)| (ply, self.next_turn(finished))).collect()
    }

    /// Returns the legal moves, ignoring the die.
    pub(crate) fn moves(&self, state: &State) -> Vec<Ply> {
        self.finished_moves(state).into_iter().map(|(ply, _)| ply).collect()
    }

    /// Plays a move. Returns `None` if it is illegal.
    pub fn play(&self, state: &State, ply: &Ply) -> Option<State> {
        let mut moves = self.by_die(state).into_iter();
        let (_, finished) = moves.find(|(legal, _)| legal == ply)?;
        Some(self.next_turn(finished))
    }

    /// Counts the legal move paths of length `depth`, ignoring the die.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        let onward = |(_, finished)| self.perft(&self.next_turn(finished), depth - 1);
        match depth {
            0 => 1,
            1 => self.finished_moves(state).len() as u64,
            _ => self.finished_moves(state).into_iter().map(onward).sum(),
        }
    }
}
