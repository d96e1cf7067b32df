//! What the engine is told about a game: the rules as plain data, names resolved to numbers, nothing rotated yet.
//!
//! A blueprint is made by whoever reads rules from somewhere; [`crate::Rules::compile`] turns it into tables.

pub mod ending;
pub mod mechanics;

use crate::piece::{Flag, Kind, Player};
use crate::square::{Offset, Orientation, Square};
use ending::{Census, EndingPlan, ZeroingPlan};
use mechanics::Mechanics;

/// The rules of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Blueprint {
    /// Columns of the board.
    pub files: u16,
    /// Rows of the board.
    pub ranks: u16,
    /// Squares `(x, y)` that do not exist.
    pub disabled: Vec<(u16, u16)>,
    /// The players; [`Player`] is an index into this list.
    pub players: Vec<PlayerPlan>,
    /// The cycle of turns.
    pub order: Vec<Player>,
    /// Where in the cycle the game starts.
    pub start_at: u16,
    /// The kind whose capture ends the game for its owner.
    pub leader: Option<Kind>,
    /// The kinds of pieces; [`Kind`] is an index into this list.
    pub kinds: Vec<KindPlan>,
    /// The names of the flags; [`Flag`] is an index into this list.
    pub flags: Vec<String>,
    /// Named sets of squares, different for each player.
    pub regions: Vec<RegionPlan>,
    /// The pieces at the start.
    pub start: Vec<Placement>,
    /// How the game ends beside mate, stalemate and captured leaders; the first that holds.
    pub endings: Vec<EndingPlan>,
    /// Which moves start the count of quiet turns anew.
    pub zeroing: ZeroingPlan,
    /// Whether a draw may be agreed on.
    pub draw_offers: bool,
    /// What it has beyond pieces that move and capture.
    pub mechanics: Mechanics,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerPlan {
    /// Its name.
    pub name: String,
    /// How it looks at the board.
    pub orientation: Orientation,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindPlan {
    /// Its name.
    pub code: String,
    /// Its letter in board text, upper case.
    pub letter: char,
    /// Its moves.
    pub moves: Vec<MovePlan>,
}

/// A named set of squares for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionPlan {
    /// Its name.
    pub code: String,
    /// The squares, by player.
    pub squares: Vec<Vec<Square>>,
}

/// A piece at the start, unmoved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Where.
    pub square: Square,
    /// Whose.
    pub player: Player,
    /// What.
    pub kind: Kind,
    /// The value of the game's tag, if it is not that of the square.
    pub tag: Option<u8>,
}

/// One move pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovePlan {
    /// The number by which people refer to it.
    pub id: i32,
    /// The neutral step; not zero.
    pub step: Offset,
    /// How often the step is made.
    pub repeat: Repeat,
    /// What must hold for any landing.
    pub conditions: Vec<Condition>,
    /// What it does, by what stands on the landing square; at most one for each.
    pub actions: Vec<ActionPlan>,
    /// Promotion: the first whose conditions hold.
    pub modifiers: Vec<ModifierPlan>,
    /// What else happens, after the effects of the action.
    pub effects: Vec<Effect>,
}

/// How often a step is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The first landing is after so many steps.
    pub min: u32,
    /// The last landing is after so many steps; without limit if `None`.
    pub max: Option<u32>,
    /// What ends the slide, on the square where it holds.
    pub until: Until,
}

impl Repeat {
    /// A single step.
    pub const ONCE: Repeat = Repeat { min: 1, max: Some(1), until: Until::State(Occupancy::NotEmpty) };
}

/// What ends a slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// What stands on the square.
    State(Occupancy),
    /// The square is in the mover's part of a region.
    Region(u16),
}

/// What stands on a square, as the mover sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupancy {
    /// Nothing.
    Empty,
    /// Something.
    NotEmpty,
    /// A piece of a player of another team.
    Enemy,
    /// A piece of the mover.
    Ally,
    /// A piece of a partner.
    Team,
}

/// What a move does on a landing square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionPlan {
    /// What stands there: `Empty`, `Enemy`, `Ally` or `Team`.
    pub on: Occupancy,
    /// Whether it is captured.
    pub captures: bool,
    /// The kinds that are captured; all if `None`.
    pub victims: Option<Vec<Kind>>,
    /// Whether only pieces with the same value of the tag are captured, and those without one.
    pub same_tag: bool,
    /// What else must hold.
    pub conditions: Vec<Condition>,
    /// What else happens.
    pub effects: Vec<Effect>,
}

/// A promotion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModifierPlan {
    /// What must hold.
    pub conditions: Vec<Condition>,
    /// The kinds among which the player chooses.
    pub options: Vec<Kind>,
    /// Of a chosen kind, every other piece of the owner becomes this, where it stands.
    pub replaces: Vec<(Kind, Kind)>,
}

/// Something that must hold. Offsets are neutral and count from the source, unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The moving piece has never moved.
    FirstMove,
    /// Another move of the same piece, by its place in the list, has a landing now.
    DependsOn(u16),
    /// A piece stands there and has never moved.
    PieceUnmoved(Offset),
    /// No piece stands there, or one that has never moved.
    EmptyOrUnmoved(Offset),
    /// The piece there carries a flag.
    HasFlag(Flag, Offset),
    /// All squares strictly between source and landing are empty.
    PathEmpty,
    /// No opponent attacks the landing.
    NotAttacked,
    /// No opponent attacks the source, the landing or a square between.
    PathNotAttacked,
    /// The landing is in the mover's part of a region.
    InRegion(u16),
    /// A square exists and is as described.
    Square(SquareTest),
    /// The source or the landing is in somebody's part of a region.
    Region {
        /// Which region.
        region: u16,
        /// Whose part.
        of: RegionOf,
        /// Which square.
        at: Anchor,
    },
    /// So many pieces are on the board.
    Count {
        /// How many of what.
        census: Census,
        /// And at least so many fewer than at the start.
        lost: u32,
    },
}

/// Whose part of a region, as the mover sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionOf {
    /// His own.
    Own,
    /// A partner's.
    Partner,
    /// That of a player of another team.
    Enemy,
    /// Anybody's.
    Any,
}

/// A description of one square; everything named must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareTest {
    /// Offset from the anchor.
    pub offset: Offset,
    /// From where the offset counts.
    pub anchor: Anchor,
    /// What stands on it.
    pub state: Option<Occupancy>,
    /// A piece of one of these kinds stands on it.
    pub kinds: Option<Vec<Kind>>,
    /// The piece on it has never moved (or has).
    pub unmoved: Option<bool>,
}

/// From where an offset counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The square that the piece leaves.
    Source,
    /// The square on which it lands.
    Target,
}

/// A further change of the board. Offsets are neutral and count from the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The moved piece gets a flag.
    SetFlag {
        /// Which.
        flag: Flag,
        /// For how many turns of other slots; for ever if `None`.
        duration: Option<u32>,
    },
    /// The piece there is removed.
    Capture(Offset),
    /// A piece of the mover goes elsewhere.
    Relocate {
        /// Only a piece of this kind.
        kind: Option<Kind>,
        /// From there.
        from: Offset,
        /// To there.
        to: Offset,
    },
}
