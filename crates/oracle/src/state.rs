//! A position as plain data. All fields are public and all names are spelled out, so that tests can write states and
//! people can read them in the output of a failed test.

use std::collections::{BTreeMap, BTreeSet};

use crate::Die;
pub use crate::parts::UnfinishedTurn;

/// `(x, y)`, counted from the bottom-left square.
pub type Square = (i32, i32);

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// Code of the kind.
    pub kind: String,
    /// Name of the owner.
    pub player: String,
    /// Whether it has ever moved.
    pub moved: bool,
    /// Flags by name.
    pub flags: BTreeMap<String, Mark>,
    /// The permanent value of the game's tag.
    pub tag: Option<String>,
}

impl Piece {
    /// Returns a new piece: unmoved, without flags and tag.
    pub fn new(kind: &str, player: &str) -> Self {
        Piece {
            kind: kind.to_owned(),
            player: player.to_owned(),
            moved: false,
            flags: BTreeMap::new(),
            tag: None,
        }
    }
}

/// The countdown of a flag. A permanent flag has neither field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// Number of turns of other slots until it expires.
    pub remaining: Option<u32>,
    /// The slot that set it, whose own turns do not count.
    pub slot: Option<usize>,
}

/// A position: everything that rules can depend on.
///
/// Two states are equal if nothing differs, even if no rule can depend on it any more. [`crate::Oracle::identity`] removes
/// such differences.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The pieces by square; of two that share a square, the host.
    pub pieces: BTreeMap<Square, Piece>,
    /// The guests, each on a square with a host.
    pub guests: BTreeMap<Square, Piece>,
    /// The turn, an index into the turn order. The oracle panics if it is too large.
    pub slot: usize,
    /// Eliminated players. Their pieces stay as obstacles.
    pub eliminated: BTreeSet<String>,
    /// Players whose army is frozen.
    pub frozen: BTreeSet<String>,
    /// Captive players, with their captors.
    pub captives: BTreeMap<String, String>,
    /// Players whose army is controlled, with their controllers.
    pub control: BTreeMap<String, String>,
    /// Players who have handed over their army permanently.
    pub withdrawn: BTreeSet<String>,
    /// Players who hold a winning square.
    pub holding: BTreeSet<String>,
    /// Pieces in hand: number by player and kind, without zeros.
    pub hands: BTreeMap<(String, String), u32>,
    /// Values of counters by name and player; the player is empty for a counter of the game.
    pub counters: BTreeMap<(String, String), i32>,
    /// The die, in an unfinished game that has one.
    pub die: Option<Die>,
    /// What the parts of an unfinished turn so far leave to the next ones; `None` between turns.
    pub turn: Option<UnfinishedTurn>,
    /// The outcome, if the game ended before a move was due. [`crate::Oracle::outcome`] also detects players without a
    /// move.
    pub ended: Option<Outcome>,
}

/// The place of a piece: alone or as the host, or as the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The square.
    pub square: Square,
    /// Whether the piece is the guest there.
    pub guest: bool,
}

impl State {
    /// Returns all pieces, hosts before guests.
    pub fn all_pieces(&self) -> impl Iterator<Item = (Spot, &Piece)> {
        let hosts = self.pieces.iter().map(|(square, piece)| (Spot { square: *square, guest: false }, piece));
        let guests = self.guests.iter().map(|(square, piece)| (Spot { square: *square, guest: true }, piece));
        hosts.chain(guests)
    }

    /// Returns the piece in a spot.
    pub fn at(&self, spot: Spot) -> Option<&Piece> {
        if spot.guest { self.guests.get(&spot.square) } else { self.pieces.get(&spot.square) }
    }

    pub(crate) fn at_mut(&mut self, spot: Spot) -> Option<&mut Piece> {
        if spot.guest { self.guests.get_mut(&spot.square) } else { self.pieces.get_mut(&spot.square) }
    }

    /// Returns the pieces on a square: none, one, or host and guest.
    pub(crate) fn both(&self, square: Square) -> impl Iterator<Item = &Piece> {
        self.pieces.get(&square).into_iter().chain(self.guests.get(&square))
    }

    /// Returns whether the piece on a square was captured in this turn and leaves the board at its end. It is out of play.
    pub(crate) fn is_taken(&self, square: Square) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.taken.contains(&square))
    }

    /// Removes a piece. A guest whose host is removed stays alone.
    pub(crate) fn lift(&mut self, spot: Spot) -> Option<Piece> {
        if spot.guest {
            return self.guests.remove(&spot.square);
        }
        let lifted = self.pieces.remove(&spot.square);
        if let Some(guest) = self.guests.remove(&spot.square) {
            self.pieces.insert(spot.square, guest);
        }
        lifted
    }

    /// Removes all pieces of a square.
    pub(crate) fn clear(&mut self, square: Square) -> Vec<Piece> {
        self.pieces.remove(&square).into_iter().chain(self.guests.remove(&square)).collect()
    }
}

/// A move, in the oracle's terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply {
    /// The source square.
    pub from: Square,
    /// The target square.
    pub to: Square,
    /// Id of the move definition.
    pub id: i32,
    /// Whether the piece is the guest on its square.
    pub guest: bool,
    /// Code of the kind it is promoted to.
    pub promotion: Option<String>,
    /// Code of the kind that is dropped from the hand. The source is then the target, and the id an index of the drops.
    pub drop: Option<String>,
    /// The further parts of the turn.
    pub then: Vec<Ply>,
}

impl Ply {
    /// Returns the spot of the moving piece.
    pub fn spot(&self) -> Spot {
        Spot { square: self.from, guest: self.guest }
    }
}

/// The outcome of a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome {
    /// Names of the winners, in the order of the spec; empty for a draw.
    pub winners: Vec<String>,
    /// The reason, such as `"checkmate"`.
    pub reason: String,
}
