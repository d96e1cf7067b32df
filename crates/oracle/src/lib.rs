//! The slow, obvious interpreter of game specs: it plays a game straight from the words of its file.
//!
//! A fast engine compiles the rules first, and a fault in the compiler or in the engine looks like a rule. So this
//! room reads the model again, by itself, and shares nothing with the engine but the reader of the file: what both
//! say is probably right, and where they differ one of them is wrong. For that it must be easier to read than to
//! doubt. Positions are plain maps, names are strings, everything is computed again at every question and copied
//! at every move. It is some thousand times slower than the engine, and nobody should try to help that.
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
//! The files follow the questions: where a pattern reaches ([`mod@pattern`]), what must hold ([`mod@condition`]),
//! who plays with whom ([`mod@teams`]), who stands together and who can be captured ([`mod@sharing`]), who attacks
//! ([`mod@attack`]), what changes ([`mod@making`], [`mod@finishing`], [`mod@fates`], [`mod@figures`],
//! [`mod@reactions`]), which moves there are ([`mod@moves`]) and which of them are legal ([`mod@legality`]), whose turn it
//! is and who has won ([`mod@turn`], [`mod@hold`]), what a die allows ([`mod@dice`]) and what players may agree on
//! ([`mod@exchange`]), which endings hold ([`mod@ending`], [`mod@stopping`]), and when two
//! positions are the same ([`mod@identity`]).
#![allow(rustdoc::private_intra_doc_links, reason = "the tour is for those who read the source")]

mod attack;
mod census;
pub mod compare;
mod condition;
mod dice;
mod ending;
mod exchange;
mod fates;
mod figures;
mod finishing;
mod ground;
mod hold;
mod identity;
mod legality;
mod making;
mod moves;
mod pattern;
mod reactions;
mod sharing;
mod state;
mod stopping;
pub mod tame;
mod teams;
mod turn;
pub mod wild;

pub use dice::Die;
pub use ending::{Ending, Moment};
pub use exchange::Exchange;
pub use state::{Mark, Piece, Ply, Spot, Square, State, Verdict};

use std::collections::btree_map::Entry;

use tabiya_spec::model::GameSpec;

/// The rules of one game, as its file says them.
#[derive(Clone, Debug)]
pub struct Oracle<'s> {
    spec: &'s GameSpec,
}

impl<'s> Oracle<'s> {
    /// An interpreter of a game that passed the checks.
    pub fn new(spec: &'s GameSpec) -> Self {
        Oracle { spec }
    }

    /// The position in which the game starts. Players that cannot move in it, while more than two are alive, are
    /// out already, or are passed over; the game may even be over.
    pub fn start(&self) -> State {
        let mut state = self.placed();
        state.ended = self.stopped(&state, self.to_move(&state));
        self.settled(state)
    }

    /// All pieces on their starting squares, before anybody has looked at them. Of two on one square the leader is the
    /// host.
    pub(crate) fn placed(&self) -> State {
        let slot = self.spec.turns.start_at.as_ref().map_or(0, |index| **index as usize);
        let mut state = State { slot, ..State::default() };
        let mut men: Vec<(Square, Piece)> = Vec::new();
        for player in self.spec.players.iter() {
            for group in player.starting_positions.iter() {
                for square in group.positions.iter().map(|at| (at.x, at.y)) {
                    let mut piece = self.appearing(&group.piece, &player.name, square);
                    piece.tag = group.tag.as_ref().map(|tag| tag.to_string()).or(piece.tag);
                    men.push((square, piece));
                }
            }
        }
        men.sort_by_key(|(_, piece)| !self.is_leader(&piece.kind));
        for (square, piece) in men {
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

    /// Every legal move, by square, then by definition, landing and choice of promotion, as the file lists them. Where
    /// there is a die, those that it allows.
    pub fn legal(&self, state: &State) -> Vec<Ply> {
        self.by_die(state).into_iter().map(|(ply, _)| ply).collect()
    }

    /// The same whatever a die says.
    pub(crate) fn moves(&self, state: &State) -> Vec<Ply> {
        self.finished_moves(state).into_iter().map(|(ply, _)| ply).collect()
    }

    /// The position after a move, or nothing if the move is not legal.
    pub fn play(&self, state: &State, ply: &Ply) -> Option<State> {
        let mut moves = self.by_die(state).into_iter();
        let (_, finished) = moves.find(|(legal, _)| legal == ply)?;
        Some(self.handed_over(finished))
    }

    /// How many ways there are to play on for so many moves. A game that has ended has none. A die
    /// is left out of account.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        let onward = |(_, finished)| self.perft(&self.handed_over(finished), depth - 1);
        match depth {
            0 => 1,
            1 => self.finished_moves(state).len() as u64,
            _ => self.finished_moves(state).into_iter().map(onward).sum(),
        }
    }
}
