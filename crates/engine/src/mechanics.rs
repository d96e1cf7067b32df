//! What a game may have beyond pieces that move and capture, as plain data: partners, leaders that may be attacked,
//! armies that freeze and change hands, squares for two, dice.
//!
//! The default of everything is a game that has none of it, and such a game pays for none of it.

use crate::piece::Kind;
use crate::square::{Offset, Square};

/// Everything that a game has beyond pieces that move and capture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mechanics {
    /// The team of each player, as a number; players with the same number are partners. Empty if nobody has any.
    pub teams: Vec<u8>,
    /// The names of the teams, by number; a player's own name where he is alone.
    pub team_names: Vec<String>,
    /// What the danger of a leader means.
    pub leadership: Leadership,
    /// Whether a player without a legal move is passed over.
    pub stuck_passes: bool,
    /// Squares for two.
    pub sharing: Option<SharingPlan>,
    /// Something that pieces carry for life.
    pub tag: Option<TagPlan>,
    /// How a player comes to move a partner's army.
    pub control: Option<ControlPlan>,
    /// What happens when pieces are captured.
    pub reactions: Vec<ReactionPlan>,
    /// Figures that capture for whoever completes them.
    pub figures: Vec<FigurePlan>,
    /// Captured leaders may be exchanged.
    pub exchange: Option<ExchangePlan>,
    /// Whether a player may hand his army over to a partner for good.
    pub withdrawal: bool,
    /// A die that is thrown before every move.
    pub chance: Option<ChancePlan>,
    /// Squares that win for a leader who holds them for a round.
    pub hold: Option<HoldPlan>,
}

/// What the danger of a leader means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leadership {
    /// Whether a leader may be left attacked.
    pub exposure: Exposure,
    /// Whether an attacked leader must move, if it can.
    pub must_move: bool,
    /// Whether the army of a captured leader is frozen, instead of its owner being out.
    pub freezes: bool,
    /// Whether a player whose leader is not attacked has no move if none leaves it so.
    pub needs_safe_move: bool,
}

/// Whether a leader may be left attacked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exposure {
    /// Never.
    #[default]
    Illegal,
    /// Always.
    Allowed,
    /// By other pieces; it may not step into an attack itself, unless it is attacked already.
    AllowedInCheck,
}

/// Squares that may hold a leader and one other piece of its team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharingPlan {
    /// The region; the squares of all players.
    pub region: u16,
    /// Whether a piece may join a leader that stands there alone.
    pub join: bool,
}

/// Something that pieces of some kinds carry for life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagPlan {
    /// Its name.
    pub code: String,
    /// The names of its values.
    pub values: Vec<String>,
    /// The kinds that carry it.
    pub kinds: Vec<Kind>,
    /// By value: the squares on which a new piece gets it.
    pub squares: Vec<Vec<Square>>,
}

/// How a player comes to move a partner's army: his leader arrives on a square of the partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlPlan {
    /// The region.
    pub region: u16,
    /// Whether that thaws a frozen army.
    pub thaws: bool,
}

/// Pieces that become others when a piece of their army is captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReactionPlan {
    /// The kinds whose capture sets it off.
    pub captured: Vec<Kind>,
    /// Pieces of this kind, of the army of the captured piece …
    pub kind: Kind,
    /// … that stand in their owner's part of a region …
    pub region: Option<u16>,
    /// … and in anybody's part of another …
    pub in_any: Option<u16>,
    /// … and in nobody's part of a third …
    pub not_in_any: Option<u16>,
    /// … become this.
    pub to: Kind,
}

/// Pieces of one kind, each of another player, that stand in a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigurePlan {
    /// The kind.
    pub kind: Kind,
    /// The squares, counted from one of them.
    pub shape: Vec<Offset>,
    /// Where that one may be; anywhere if `None`.
    pub anchors: Option<Vec<Square>>,
}

/// Captured leaders may be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangePlan {
    /// Where each returns: the first square of its owner's list in this region that is empty.
    pub region: u16,
    /// Whether what a partner has captured counts as one's own.
    pub by_team: bool,
    /// Whether whoever answers must have taken the other leader himself.
    pub both_took: bool,
}

/// A die that is thrown before every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChancePlan {
    /// For each face, lists of kinds: those of the first list that can move may be moved.
    pub faces: Vec<Vec<Vec<Kind>>>,
    /// How often it is thrown until a piece can move.
    pub throws: u32,
}

/// Squares that win for a leader who holds them for a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldPlan {
    /// The region: the squares of each player.
    pub region: u16,
    /// The name of the end.
    pub code: String,
}
