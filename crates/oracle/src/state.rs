//! A position as plain data. Every field is public and every name is spelled out, so that a test can write a
//! position down and a person can read one in the output of a failed test.

use std::collections::{BTreeMap, BTreeSet};

use crate::Die;

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
    /// The value of the game's tag that it carries for life.
    pub tag: Option<String>,
}

impl Piece {
    /// A piece as it enters the board: it has never moved and carries nothing.
    pub fn fresh(kind: &str, player: &str) -> Self {
        Piece {
            kind: kind.to_owned(),
            player: player.to_owned(),
            moved: false,
            flags: BTreeMap::new(),
            tag: None,
        }
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
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// What stands where; of two that share a square, the host.
    pub pieces: BTreeMap<Square, Piece>,
    /// The guests, each on a square with a host.
    pub guests: BTreeMap<Square, Piece>,
    /// Whose turn it is: an index into the turn order of the game. The oracle panics at one that is too large, which
    /// only a hand can write.
    pub slot: usize,
    /// The players that are out. Their pieces stay as obstacles.
    pub eliminated: BTreeSet<String>,
    /// Whose army is frozen.
    pub frozen: BTreeSet<String>,
    /// Whose leader is captive, and of whom.
    pub captives: BTreeMap<String, String>,
    /// Whose army is controlled, and by whom.
    pub control: BTreeMap<String, String>,
    /// Who has handed his army over for good.
    pub withdrawn: BTreeSet<String>,
    /// Who holds a square that wins.
    pub holding: BTreeSet<String>,
    /// Where the die stands, in a game that has one and is not over.
    pub die: Option<Die>,
    /// How the game ended, if it did before a move was due. That the player to move has no move is not
    /// kept here: [`crate::Oracle::outcome`] finds it out.
    pub ended: Option<Verdict>,
}

/// Where a piece stands: by itself or as the host, or as the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The square.
    pub square: Square,
    /// Whether it is the guest there.
    pub guest: bool,
}

impl State {
    /// All pieces, hosts before guests.
    pub fn men(&self) -> impl Iterator<Item = (Spot, &Piece)> {
        let hosts = self.pieces.iter().map(|(square, piece)| (Spot { square: *square, guest: false }, piece));
        let guests = self.guests.iter().map(|(square, piece)| (Spot { square: *square, guest: true }, piece));
        hosts.chain(guests)
    }

    /// The piece in a spot.
    pub fn at(&self, spot: Spot) -> Option<&Piece> {
        if spot.guest { self.guests.get(&spot.square) } else { self.pieces.get(&spot.square) }
    }

    pub(crate) fn at_mut(&mut self, spot: Spot) -> Option<&mut Piece> {
        if spot.guest { self.guests.get_mut(&spot.square) } else { self.pieces.get_mut(&spot.square) }
    }

    /// Those who stand on a square: nobody, one, or host and guest.
    pub(crate) fn both(&self, square: Square) -> impl Iterator<Item = &Piece> {
        self.pieces.get(&square).into_iter().chain(self.guests.get(&square))
    }

    /// Takes a piece off the board. A guest whose host goes has the square to itself.
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

    /// Takes all that stand on a square off the board.
    pub(crate) fn clear(&mut self, square: Square) -> Vec<Piece> {
        self.pieces.remove(&square).into_iter().chain(self.guests.remove(&square)).collect()
    }
}

/// A move as a player announces it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply {
    /// Where the piece stands.
    pub from: Square,
    /// Where it lands.
    pub to: Square,
    /// Number of the definition among the moves of the piece.
    pub id: i32,
    /// Whether the piece is the guest on its square, and not the host.
    pub guest: bool,
    /// Code of the piece that it becomes.
    pub promotion: Option<String>,
}

impl Ply {
    /// Where the piece stands that moves.
    pub fn spot(&self) -> Spot {
        Spot { square: self.from, guest: self.guest }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Verdict {
    /// Names of the winners, in the order of the players in the file; empty for a draw.
    pub winners: Vec<String>,
    /// The word that programs see, `"checkmate"` for one.
    pub reason: String,
}
