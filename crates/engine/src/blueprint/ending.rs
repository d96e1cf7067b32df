//! The endings that a game lists in addition to mate, stalemate and captured leaders.

use crate::blueprint::{Anchor, constructor};
use crate::piece::Kind;

/// A way for a game to end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndingPlan {
    /// The name. Several endings may share one.
    pub code: String,
    /// What triggers the ending.
    pub by: Trigger,
    /// Whether the clauses are evaluated for every player in turn, not only for the player to move.
    pub anyone: bool,
    /// Whether the ending is decided by the board: once it holds, there are no legal moves.
    pub stops: bool,
    /// The clauses; all must hold.
    pub when: Vec<Clause>,
    /// The result for the player to move, or whose flag fell.
    pub result: PlayerResult,
}

constructor!("a draw by rule as soon as the clauses hold" EndingPlan(code: String, when: Vec<Clause>)
    by = Trigger::Rule, anyone = false, stops = false, result = PlayerResult::Draw);

/// What triggers an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The rule itself, as soon as its clauses hold.
    Rule,
    /// A claim of the player to move.
    Claim,
    /// The fall of a player's flag. Without such an ending the player loses on time.
    Flag,
}

/// The result of a game for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerResult {
    /// A draw.
    Draw,
    /// The player's team wins.
    Win,
    /// All other players still in the game win.
    Loss,
}

/// What stalemate means: the player to move has no legal move, and no leader of theirs is attacked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stalemate {
    /// A draw if at most two players are left. Otherwise the player is out.
    #[default]
    Ends,
    /// A draw.
    Draws,
    /// The other players win if at most two are left. Otherwise the player is out.
    Loses,
    /// The player's team wins.
    Wins,
}

impl Stalemate {
    /// Returns whether stalemate ends the game even if more than two players are left.
    pub fn stops(self) -> bool {
        matches!(self, Stalemate::Draws | Stalemate::Wins)
    }
}

/// A clause of an ending. *Own* refers to the player to move, or whose flag fell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// The number of some pieces on the board is in a range.
    Count(Census),
    /// The position has occurred this many times, including now.
    Repetition(u32),
    /// The position has occurred this many times, including now, and each turn of one of these players since the
    /// first of them gave check.
    PerpetualCheck {
        /// The number of occurrences.
        times: u32,
        /// The players.
        owner: Owner,
    },
    /// This many turns have passed since the last capture or other zeroing move.
    Quiet(u32),
    /// It is proved that none of these players can win; see [`crate::Rules::cannot_win`].
    CannotWin(Owner),
    /// The leader of one of these players is captive.
    Captive(Owner),
    /// The army of one of these players is controlled by another and was not handed over.
    Controlled(Owner),
    /// Counters or values of pieces are in a range, or larger than those of others.
    Compare(Comparison),
    /// Two pieces stand on one line.
    Facing(FacingPlan),
    /// A leader of one of these players is in check.
    InCheck(Owner),
    /// It is the turn of one of these players, and they have no legal move.
    Stuck {
        /// The players.
        owner: Owner,
        /// If given, whether the player must be in check or must not be.
        attacked: Option<bool>,
    },
    /// One of these lists holds.
    Any(Vec<Vec<Clause>>),
    /// This list does not hold.
    Not(Vec<Clause>),
}

impl Clause {
    /// Returns whether this clause or one nested in it satisfies a predicate.
    pub fn mentions(&self, wanted: fn(&Clause) -> bool) -> bool {
        let nested = |list: &[Clause]| list.iter().any(|clause| clause.mentions(wanted));
        wanted(self)
            || match self {
                Clause::Any(lists) => lists.iter().any(|list| nested(list)),
                Clause::Not(list) => nested(list),
                _ => false,
            }
    }
}

/// A count of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Census {
    /// The kinds to count, each listed once.
    pub kinds: Vec<Kind>,
    /// The owners of the pieces to count.
    pub owner: Owner,
    /// If set, only pieces in their owner's part of this region count.
    pub region: Option<u16>,
    /// The minimum.
    pub min: u32,
    /// The maximum, if any.
    pub max: Option<u32>,
    /// The minimum number of such pieces lost since the start.
    pub lost: u32,
    /// For a move: the part of the board that counts, if not all of it.
    pub area: Option<Area>,
}

constructor!("a count without limits" Census(kinds: Vec<Kind>, owner: Owner)
    region = None, min = 0, max = None, lost = 0, area = None);

/// A part of the board that depends on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// The file of a square.
    File(Anchor),
    /// The rank of a square.
    Rank(Anchor),
    /// The squares around a square.
    Adjacent(Anchor),
    /// A square.
    Square(Anchor),
    /// Runs of pieces that begin beside a square and end before a piece of the player who moves.
    Flanked(Anchor, Flanks),
    /// The pieces that the piece on a square could capture.
    Attacked(Anchor),
    /// The square behind the source, on the line of the move.
    Behind,
    /// The square ahead of the target, on the line of the move.
    Ahead,
    /// The squares between source and target.
    Between,
    /// The hands of the owners.
    Hand,
}

/// The runs of pieces that count as flanked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flanks {
    /// Their directions.
    pub lines: Lines,
    /// The largest number of pieces in a run, if it is limited.
    pub run: Option<u32>,
}

impl Area {
    /// Returns whether the area depends on a move.
    pub(crate) fn is_about_move(self) -> bool {
        self != Area::Hand
    }
}

/// Two pieces on one line, with a number of pieces between them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FacingPlan {
    /// The kinds and owners of the one piece.
    pub one: (Vec<Kind>, Owner),
    /// The kinds and owners of the other piece.
    pub other: (Vec<Kind>, Owner),
    /// Whether files, ranks and diagonals count.
    pub lines: Lines,
    /// The minimum number of pieces in between.
    pub min: u32,
    /// The maximum number of pieces in between.
    pub max: u32,
}

constructor!("pieces with nothing in between" FacingPlan(one: (Vec<Kind>, Owner), other: (Vec<Kind>, Owner), lines: Lines)
    min = 0, max = 0);

/// The lines that count. On hexagons, all of them are files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Files.
    pub files: bool,
    /// Ranks.
    pub ranks: bool,
    /// Diagonals.
    pub diagonals: bool,
}

/// A comparison of counters or of the values of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// What is compared.
    pub measure: Measure,
    /// Whose. The values of several players are added.
    pub owner: Owner,
    /// The minimum, if any.
    pub min: Option<i32>,
    /// The maximum, if any.
    pub max: Option<i32>,
    /// More than the value of these players, if given.
    pub than: Option<Owner>,
    /// The smallest difference from their value.
    pub by: i32,
}

constructor!("a comparison without limits" Comparison(measure: Measure, owner: Owner) min = None, max = None, than = None, by = 1);

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A counter, by index.
    Counter(u8),
    /// The values of pieces on the board; kinds that are not listed count nothing.
    Values(Vec<(Kind, i32)>),
}

/// Players, relative to the player that a clause is evaluated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The player.
    Own,
    /// All players of other teams who are still in the game.
    Enemy,
    /// All players.
    Any,
    /// The player's partners.
    Partner,
    /// The player and their partners.
    Team,
    /// Neutral players.
    Neutral,
}

/// The moves that reset the count of quiet turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ZeroingPlan {
    /// Whether captures do.
    pub captures: bool,
    /// The kinds whose moves do.
    pub kinds: Vec<Kind>,
}

constructor!("the moves that reset the count" ZeroingPlan(captures: bool, kinds: Vec<Kind>));
