//! A solver for forced wins: can the side to move win within a number of moves against every reply?
//!
//! Unlike the players' search, the solver does not guess: it knows no values, only wins, and its answer is either correct
//! or "unknown".
//!
//! A *side* is a team, or a player without one. All other players are assumed to play together against it. Only moves
//! count: there are no resignations, draw agreements or exchanges of captives. As in chess problems, repetition and
//! quiet-move counters are ignored.
//!
//! ```
//! use tabiya_players::{Answer, Task, prove};
//!
//! let game = tabiya_spec::library::load("chess").unwrap();
//! let rules = &game.rules;
//! let position = tabiya_notation::parse_state(rules, "7k/8/8/8/8/8/R7/1R5K w - - 0 1").unwrap().position;
//! let proof = prove(rules, &position, &Task::new(2)).unwrap();
//! assert!(matches!(proof.answer, Answer::Won { moves: 2, .. }));
//! let proof = prove(rules, &position, &Task::new(1)).unwrap();
//! assert!(matches!(proof.answer, Answer::Refuted(_)));
//! ```

mod proof_table;
mod solver;

use std::fmt;

use tabiya_engine::ending::Stalemate;
use tabiya_engine::{Move, Position, Rules};

use solver::{OutOfNodes, Solver};

/// A question for [`prove()`], and its limits.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The greatest number of moves of the side to move.
    pub moves: u32,
    /// The node limit.
    pub nodes: u64,
    /// Whether to try every first move with the full number of moves.
    pub all: bool,
    /// Called before each first move.
    pub on_progress: Option<&'a dyn Fn(&Progress)>,
}

impl Task<'_> {
    /// The greatest number of moves.
    pub const MAX_MOVES: u32 = 64;
    /// The default node limit.
    pub const NODES: u64 = 20_000_000;

    /// Asks for the shortest win in at most `moves` moves.
    pub fn new(moves: u32) -> Self {
        Task { moves, nodes: Self::NODES, all: false, on_progress: None }
    }
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Task { moves, nodes, all, on_progress } = self;
        f.debug_struct("Task")
            .field("moves", moves)
            .field("nodes", nodes)
            .field("all", all)
            .field("on_progress", &on_progress.is_some())
            .finish()
    }
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of moves tried now.
    pub moves: u32,
    /// The index of the first move tried now.
    pub first: usize,
    /// The number of first moves.
    pub of: usize,
    /// The number of positions searched.
    pub nodes: u64,
}

/// The result of [`prove()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The answer.
    pub answer: Answer,
    /// The number of positions searched.
    pub nodes: u64,
}

/// Whether there is a forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a forced win.
    Won {
        /// The number of moves of the shortest win.
        moves: u32,
        /// First moves that force it: one of the shortest, or all of them, shortest first.
        keys: Vec<Key>,
        /// A shortest win against the longest resistance. It stops early if the node limit is reached.
        line: Vec<Move>,
        /// The other first moves, if all were requested.
        refutations: Vec<Refutation>,
    },
    /// There is no forced win; these are the refutations of all first moves.
    Refuted(Vec<Refutation>),
    /// The node limit was reached. There is no win in fewer moves than these.
    Open {
        /// The number of moves that is undecided.
        moves: u32,
    },
}

/// A first move that forces a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The move.
    pub first: Move,
    /// The number of moves of the win, including this one.
    pub moves: u32,
}

/// A first move that does not force a win in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The move.
    pub first: Move,
    /// The refuting reply; `None` if the game is over or no opponent moves next.
    pub reply: Option<Move>,
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprovable {
    /// The game is over.
    GameOver,
    /// The game has a die.
    Chance,
    /// The game has neither a leader nor an ending.
    NothingToWin,
}

tabiya_engine::error_messages! { Unprovable:
    Unprovable::GameOver => "the game is over";
    Unprovable::Chance => "nothing can be forced in a game with a die";
    Unprovable::NothingToWin => "a game without a leader and without endings cannot be won";
}

/// Proves or refutes that the side to move can force a win. Positions are identified by their 64-bit keys.
///
/// # Errors
/// Returns [`Unprovable`] if the game is over, has a die, or cannot be won.
pub fn prove(rules: &Rules, position: &Position, task: &Task<'_>) -> Result<Proof, Unprovable> {
    if rules.faces().is_some() {
        return Err(Unprovable::Chance);
    }
    let has_stalemate_win = matches!(rules.blueprint().stalemate(), Stalemate::Loses | Stalemate::Wins);
    if rules.leader().is_none() && rules.endings().is_empty() && !has_stalemate_win {
        return Err(Unprovable::NothingToWin);
    }
    let mut solver = Solver::new(rules, position, task);
    let firsts = rules.legal_moves(position);
    if solver.is_won(position).is_some() || firsts.is_empty() {
        return Err(Unprovable::GameOver);
    }
    let answer = search(&mut solver, position, &firsts, task);
    Ok(Proof { answer, nodes: solver.nodes() })
}

/// Searches for wins in increasing length, so that the first one found is the shortest.
fn search(solver: &mut Solver<'_>, position: &Position, firsts: &[Move], task: &Task<'_>) -> Answer {
    let mut keys: Vec<Key> = Vec::new();
    let mut refutations: Vec<Refutation> = Vec::new();
    'lengths: for moves in 1..=task.moves.clamp(1, Task::MAX_MOVES) {
        refutations.clear();
        for (index, first) in firsts.iter().copied().enumerate() {
            if keys.iter().any(|key| key.first == first) {
                continue;
            }
            if let Some(on_progress) = task.on_progress {
                on_progress(&Progress { moves, first: index, of: firsts.len(), nodes: solver.nodes() });
            }
            match solver.try_first(position, first, moves) {
                Ok(Ok(())) => keys.push(Key { first, moves }),
                Ok(Err(reply)) => refutations.push(Refutation { first, reply }),
                Err(OutOfNodes) => return Answer::Open { moves },
            }
            if !keys.is_empty() && !task.all {
                refutations.clear();
                break 'lengths;
            }
        }
    }
    match keys.first() {
        None => Answer::Refuted(refutations),
        Some(key) => Answer::Won { moves: key.moves, line: solver.line(position, *key), keys, refutations },
    }
}
