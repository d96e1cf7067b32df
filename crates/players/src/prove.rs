//! Proofs of forced wins: can the side to move win in so many moves of its own, whatever the others do?
//!
//! A player who looks ahead guesses where it cannot see to the end; a proof must not. So this is another search than that
//! of the players: it knows no values, only wins, and what it says is true or it says that it does not know.
//!
//! A *side* is a team, or a player without one. All others are taken to play against it together. Only moves count:
//! nobody resigns, agrees to a draw or exchanges captives. What is counted over a whole game, repetition and quiet turns, is
//! left out, as it is in problems.
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

mod memory;
mod tree;

use std::fmt;

use tabiya_engine::{Move, Position, Rules};

use tree::{Spent, Tree};

/// What is to be proved, and at what expense.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// A win in at most so many moves of the side to move.
    pub moves: u32,
    /// After so many positions it gives up.
    pub nodes: u64,
    /// Whether every first move is tried, to the full number of moves.
    pub all: bool,
    /// Told how far it has come, before each first move.
    pub watch: Option<&'a dyn Fn(&Progress)>,
}

impl Task<'_> {
    /// No proof looks further.
    pub const MAX_MOVES: u32 = 64;
    /// So many positions, if nobody says otherwise.
    pub const NODES: u64 = 20_000_000;

    /// The shortest win in at most so many moves.
    pub fn new(moves: u32) -> Self {
        Task { moves, nodes: Self::NODES, all: false, watch: None }
    }
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Task { moves, nodes, all, watch } = self;
        let mut it = f.debug_struct("Task");
        it.field("moves", moves)
            .field("nodes", nodes)
            .field("all", all)
            .field("watch", &watch.is_some())
            .finish()
    }
}

/// How far a proof has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Wins in so many moves are looked for.
    pub moves: u32,
    /// The place of the first move that is tried now, from 0.
    pub first: usize,
    /// How many first moves there are.
    pub of: usize,
    /// Positions looked at.
    pub nodes: u64,
}

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The answer.
    pub answer: Answer,
    /// Positions looked at.
    pub nodes: u64,
}

/// Whether there is a forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is.
    Won {
        /// The fewest moves that it takes.
        moves: u32,
        /// First moves that force it: one of the shortest, or all of them, shortest first.
        keys: Vec<Key>,
        /// How the game goes if the others resist as long as they can. It breaks off where the positions were spent.
        line: Vec<Move>,
        /// The other first moves, if all were asked for.
        refutations: Vec<Refutation>,
    },
    /// There is none, and this is what happens to each first move.
    Refuted(Vec<Refutation>),
    /// All positions were spent. Below so many moves there is none.
    Open {
        /// The number of moves that is not decided.
        moves: u32,
    },
}

/// A first move that forces a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The move.
    pub first: Move,
    /// How many moves the win takes, this one included.
    pub moves: u32,
}

/// A first move that does not force a win in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The move.
    pub first: Move,
    /// The reply to it; `None` if the game is over, or it is nobody else's turn.
    pub reply: Option<Move>,
}

/// Why nothing can be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprovable {
    /// The game is over.
    GameOver,
    /// A die decides what may move.
    Chance,
    /// Nobody can win: there is no leader, and no ending.
    NothingToWin,
}

impl fmt::Display for Unprovable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unprovable::GameOver => "the game is over",
            Unprovable::Chance => "a die decides what may move in this game, so nothing can be forced",
            Unprovable::NothingToWin => "this game has neither a leader nor an ending, so nobody can win it",
        })
    }
}

impl std::error::Error for Unprovable {}

/// Proves or refutes that the side to move can force a win.
///
/// Positions are told apart by their 64-bit keys.
pub fn prove(rules: &Rules, position: &Position, task: &Task<'_>) -> Result<Proof, Unprovable> {
    if rules.faces().is_some() {
        return Err(Unprovable::Chance);
    }
    if rules.leader().is_none() && rules.endings().is_empty() {
        return Err(Unprovable::NothingToWin);
    }
    let mut tree = Tree::new(rules, position, task);
    let firsts = rules.legal_moves(position);
    if tree.is_won(position).is_some() || firsts.is_empty() {
        return Err(Unprovable::GameOver);
    }
    let answer = search(&mut tree, position, &firsts, task);
    Ok(Proof { answer, nodes: tree.nodes() })
}

/// Looks for ever longer wins, so that the first that is found is the shortest.
fn search(tree: &mut Tree<'_>, position: &Position, firsts: &[Move], task: &Task<'_>) -> Answer {
    let mut keys: Vec<Key> = Vec::new();
    let mut refutations: Vec<Refutation> = Vec::new();
    for moves in 1..=task.moves.clamp(1, Task::MAX_MOVES) {
        refutations.clear();
        for (index, first) in firsts.iter().copied().enumerate() {
            if keys.iter().any(|key| key.first == first) {
                continue;
            }
            if let Some(watch) = task.watch {
                watch(&Progress { moves, first: index, of: firsts.len(), nodes: tree.nodes() });
            }
            match tree.try_first(position, first, moves) {
                Ok(Ok(())) => keys.push(Key { first, moves }),
                Ok(Err(reply)) => refutations.push(Refutation { first, reply }),
                Err(Spent) => return Answer::Open { moves },
            }
            if !keys.is_empty() && !task.all {
                refutations.clear();
                break;
            }
        }
        if !keys.is_empty() && !task.all {
            break;
        }
    }
    match keys.first() {
        None => Answer::Refuted(refutations),
        Some(key) => Answer::Won { moves: key.moves, line: tree.line(position, *key), keys, refutations },
    }
}
