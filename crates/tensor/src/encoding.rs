//! An encoding: positions of a game as planes, and moves as action indices.

use tabiya_engine::{Move, Player, Position, Rules, Tally};
use tabiya_notation::text_target;

use crate::canonical18::{Canonical18, Compact};
use crate::move_types::MoveTypes;
use crate::planes1::Planes1;
use crate::policy73::Policy73;

/// A position with the context that encodings need.
#[derive(Clone, Copy, Debug)]
pub struct PositionView<'a> {
    /// The position.
    pub position: &'a Position,
    /// The repetition and quiet-turn counters.
    pub tally: Tally,
    /// The legal moves, in any order.
    pub moves: &'a [Move],
}

/// One plane of an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The name, unique within the encoding.
    pub name: String,
    /// What the numbers mean.
    pub meaning: String,
    /// Whether all cells have the same number.
    pub is_filled: bool,
}

/// The encoding of one game: positions as planes, moves as actions.
#[derive(Debug)]
pub struct Encoding {
    scheme: Scheme,
    planes: Vec<Plane>,
}

#[derive(Debug)]
enum Scheme {
    Canonical18(Box<Canonical18>, Policy73),
    Planes1(Box<Planes1>, MoveTypes),
}

/// Why `canonical18` does not fit a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedGame(pub(crate) &'static str);

tabiya_engine::error_messages! { UnsupportedGame:
    UnsupportedGame(reason) => "canonical18 requires chess rules: {reason}";
}

pub(crate) fn require(holds: bool, what: &'static str) -> Result<(), UnsupportedGame> {
    if holds { Ok(()) } else { Err(UnsupportedGame(what)) }
}

impl Encoding {
    /// Creates the `canonical18` encoding: the canonical tensor of chess with AlphaZero's actions.
    ///
    /// # Errors
    /// Returns the reason if the game is not chess on an 8×8 board.
    pub fn canonical18(rules: &Rules) -> Result<Self, UnsupportedGame> {
        let canonical = Box::new(Canonical18::new(rules)?);
        let policy = Policy73::new(rules)?;
        Ok(Encoding { planes: Canonical18::describe(), scheme: Scheme::Canonical18(canonical, policy) })
    }

    /// Creates the `planes1` encoding, which exists for every game.
    pub fn planes1(rules: &Rules) -> Self {
        let planes = Box::new(Planes1::new(rules));
        Encoding { planes: planes.describe(rules), scheme: Scheme::Planes1(planes, MoveTypes::new(rules)) }
    }

    /// Creates `canonical18` if it fits the game, otherwise `planes1`.
    pub fn for_game(rules: &Rules) -> Self {
        Encoding::canonical18(rules).unwrap_or_else(|_| Encoding::planes1(rules))
    }

    /// The name of the encoding.
    pub fn name(&self) -> &'static str {
        match &self.scheme {
            Scheme::Canonical18(..) => "canonical18",
            Scheme::Planes1(..) => "planes1",
        }
    }

    /// Rows, columns and planes.
    pub fn shape(&self) -> [usize; 3] {
        match &self.scheme {
            Scheme::Canonical18(..) => [8, 8, 18],
            Scheme::Planes1(planes, _) => planes.shape(),
        }
    }

    /// The number of numbers in one position.
    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }

    /// Always false: a board has squares.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The planes in order.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Writes a position from the point of view of a player: cell by cell from the top left, all planes of a cell
    /// together.
    ///
    /// # Panics
    /// If `out` does not have [`Encoding::len`] numbers.
    pub fn write(&self, rules: &Rules, view: &PositionView<'_>, seat: Player, out: &mut [f32]) {
        match &self.scheme {
            Scheme::Canonical18(canonical, _) => {
                let out = out.try_into().expect("a canonical tensor has 1,152 numbers");
                canonical.compact(view, seat).expand(out);
            }
            Scheme::Planes1(planes, _) => planes.write(rules, view, seat, out),
        }
    }

    /// Returns the position as sets of cells; only for `canonical18`.
    pub fn compact(&self, view: &PositionView<'_>, seat: Player) -> Option<Compact> {
        match &self.scheme {
            Scheme::Canonical18(canonical, _) => Some(canonical.compact(view, seat)),
            Scheme::Planes1(..) => None,
        }
    }

    /// The number of actions. Every legal move of every position is one of them.
    pub fn actions(&self) -> usize {
        match &self.scheme {
            Scheme::Canonical18(..) => Policy73::ACTIONS,
            Scheme::Planes1(_, move_types) => move_types.actions(),
        }
    }

    /// Rows, columns and move types. An action consists of the piece's cell, from its owner's point of view, and a move
    /// type. The cell of a drop is its target.
    pub fn action_shape(&self) -> [usize; 3] {
        let [rows, columns, _] = self.shape();
        [rows, columns, self.actions() / (rows * columns)]
    }

    /// The names of the move types in order.
    pub fn move_types(&self, rules: &Rules) -> Vec<String> {
        match &self.scheme {
            Scheme::Canonical18(..) => Policy73::move_types(),
            Scheme::Planes1(_, move_types) => move_types.names(rules),
        }
    }

    /// Returns the action of a legal move. Different moves of a position have different actions.
    pub fn action(&self, rules: &Rules, position: &Position, played: Move) -> u32 {
        match &self.scheme {
            Scheme::Canonical18(_, policy) => {
                let to = text_target(rules, position, played);
                policy.action(rules.mover(position), Move { to, ..played })
            }
            Scheme::Planes1(_, move_types) => move_types.action(rules, position, played),
        }
    }

    /// Returns the legal move with an action, if there is one.
    pub fn move_of(&self, rules: &Rules, view: &PositionView<'_>, action: u32) -> Option<Move> {
        view.moves.iter().copied().find(|played| self.action(rules, view.position, *played) == action)
    }
}
