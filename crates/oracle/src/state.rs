//! A position as plain data. Every field is public and every name is spelled out, so that a test can write a
//! position down and a person can read one in the output of a failed test.

use std::collections::{BTreeMap, BTreeSet};

/// `(x, y)`, counted from the bottom-left square.
pub type Square = (i32, i32);

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// Code of its kind.
    pub kind: String,
    /// Name of its owner.
    pub player: String,
    /// Whether it has ever moved. No rule asks how often.
    pub moved: bool,
    /// The flags that it carries, by name.
    pub flags: BTreeMap<String, Mark>,
}

impl Piece {
    /// A piece as it enters the board: it has never moved and carries nothing.
    pub fn fresh(kind: &str, player: &str) -> Self {
        Piece { kind: kind.to_owned(), player: player.to_owned(), moved: false, flags: BTreeMap::new() }
    }
}

/// How long a flag stays. One that stays for ever has neither field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// How many more turns of other slots it stays.
    pub remaining: Option<u32>,
    /// The slot of the order that set it, whose own turns do not count.
    pub slot: Option<usize>,
}

/// A position: all that the rules can ask about.
///
/// Two are equal if nothing at all differs, even what no rule can ask any more; see
/// [`crate::Oracle::identity`] for the other meaning of "the same position".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// What stands where.
    pub pieces: BTreeMap<Square, Piece>,
    /// Whose turn it is: an index into the turn order of the game. The oracle panics at one that is too large, which
    /// only a hand can write.
    pub slot: usize,
    /// The players that are out. Their pieces stay as obstacles.
    pub eliminated: BTreeSet<String>,
    /// How the game ended, if the last move left at most one player. That the player to move has no move is not
    /// kept here: [`crate::Oracle::outcome`] finds it out.
    pub ended: Option<Verdict>,
}

/// A move as a player announces it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply {
    /// Where the piece stands.
    pub from: Square,
    /// Where it lands.
    pub to: Square,
    /// Number of the definition among the moves of the piece.
    pub id: i32,
    /// Code of the piece that it becomes.
    pub promotion: Option<String>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Verdict {
    /// Names of the winners, in the order of the players in the file; empty for a draw.
    pub winners: Vec<String>,
    /// `"checkmate"`, `"stalemate"` or `"leader_captured"`.
    pub reason: &'static str,
}
