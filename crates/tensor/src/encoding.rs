//! An encoding: what positions of a game look like as numbers, and which number a move has.

use std::fmt;

use tabiya_engine::{Move, Player, Position, Rules, Tally};

use crate::canonical::{Canonical18, Compact};
use crate::derived::Derived;
use crate::factored::Factored;
use crate::policy73::Policy73;

/// A position as a player sees it in a game: with what it does not know itself.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The position.
    pub position: &'a Position,
    /// How often it has been there, and how long it has been quiet.
    pub tally: Tally,
    /// Its legal moves, in any order.
    pub moves: &'a [Move],
}

/// One plane of an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Its name: no two planes of an encoding share one.
    pub name: String,
    /// What its numbers mean.
    pub meaning: String,
    /// Whether it has one number everywhere.
    pub is_filled: bool,
}

/// What positions of one game look like as numbers, and which number a move has.
#[derive(Debug)]
pub struct Encoding {
    code: Code,
    planes: Vec<Plane>,
}

#[derive(Debug)]
enum Code {
    Canonical(Box<Canonical18>, Policy73),
    Derived(Box<Derived>, Factored),
}

/// Why a game has no such encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub(crate) &'static str);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "canonical18 is for chess: {}", self.0)
    }
}

impl std::error::Error for Unfit {}

impl Encoding {
    /// The canonical tensor of chess, and AlphaZero's actions.
    pub fn canonical18(rules: &Rules) -> Result<Self, Unfit> {
        let canonical = Box::new(Canonical18::new(rules)?);
        let policy = Policy73::new(rules)?;
        Ok(Encoding { planes: Canonical18::planes(), code: Code::Canonical(canonical, policy) })
    }

    /// Planes and actions from the rules of any game.
    pub fn planes1(rules: &Rules) -> Self {
        let derived = Box::new(Derived::new(rules));
        let factored = Factored::new(rules);
        Encoding { planes: derived.planes(rules), code: Code::Derived(derived, factored) }
    }

    /// The canonical tensor where it fits, and else what the rules give.
    pub fn usual(rules: &Rules) -> Self {
        Encoding::canonical18(rules).unwrap_or_else(|_| Encoding::planes1(rules))
    }

    /// Its name, which changes if ever its meaning does.
    pub fn name(&self) -> &'static str {
        match &self.code {
            Code::Canonical(..) => "canonical18",
            Code::Derived(..) => "planes1",
        }
    }

    /// Rows, columns and planes.
    pub fn shape(&self) -> [usize; 3] {
        match &self.code {
            Code::Canonical(..) => [8, 8, 18],
            Code::Derived(derived, _) => derived.shape(),
        }
    }

    /// How many numbers a position is.
    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }

    /// Never: a board has squares.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The planes, in their order.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Writes a position as the player in a seat sees it: cell by cell from the top left, all planes of a cell together.
    ///
    /// # Panics
    /// If `out` does not have [`Encoding::len`] numbers.
    pub fn write(&self, rules: &Rules, sight: &Sight<'_>, seat: Player, out: &mut [f32]) {
        match &self.code {
            Code::Canonical(canonical, _) => {
                let out = out.try_into().expect("a canonical tensor has 1,152 numbers");
                canonical.compact(sight, seat).expand(out);
            }
            Code::Derived(derived, _) => derived.write(rules, sight, seat, out),
        }
    }

    /// The position as sets of squares; only of the canonical tensor.
    pub fn compact(&self, sight: &Sight<'_>, seat: Player) -> Option<Compact> {
        match &self.code {
            Code::Canonical(canonical, _) => Some(canonical.compact(sight, seat)),
            Code::Derived(..) => None,
        }
    }

    /// How many actions there are: every legal move of every position is one of them.
    pub fn actions(&self) -> usize {
        match &self.code {
            Code::Canonical(..) => Policy73::ACTIONS,
            Code::Derived(_, factored) => factored.actions(),
        }
    }

    /// Rows, columns and kinds of moves, of which an action is one each: where the piece stands, as its owner sees it, and
    /// what it does.
    pub fn action_shape(&self) -> [usize; 3] {
        let [rows, columns, _] = self.shape();
        [rows, columns, self.actions() / (rows * columns)]
    }

    /// The names of the kinds of moves, in their order.
    pub fn deeds(&self, rules: &Rules) -> Vec<String> {
        match &self.code {
            Code::Canonical(..) => Policy73::deeds(),
            Code::Derived(_, factored) => factored.deeds(rules),
        }
    }

    /// The number of a legal move. Within a position no two moves share one.
    pub fn action(&self, rules: &Rules, position: &Position, played: Move) -> u32 {
        match &self.code {
            Code::Canonical(_, policy) => policy.action(rules.mover(position), played),
            Code::Derived(_, factored) => factored.action(rules, position, played),
        }
    }

    /// The legal move with that number, if there is one.
    pub fn move_of(&self, rules: &Rules, sight: &Sight<'_>, action: u32) -> Option<Move> {
        sight.moves.iter().copied().find(|played| self.action(rules, sight.position, *played) == action)
    }
}
