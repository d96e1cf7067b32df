//! The mechanics of a game beyond pieces that move and capture: teams, leaders that may be attacked, armies that
//! freeze and change hands, shared squares, dice.
//!
//! The default is a game without any of them. Such a game does not pay for them at run time.

use crate::blueprint::ending::{Area, Owner};
use crate::blueprint::{Anchor, Condition, EventTest, ModifierPlan, MovePlan, constructor};
use crate::piece::{Kind, Player, PlayerSet};
use crate::square::{Offset, Square};

/// The mechanics of a game beyond pieces that move and capture.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Mechanics {
    /// By player: the number of the team. Players with the same number are partners. Empty if there are no teams.
    pub teams: Vec<u8>,
    /// By number: the name of the team. A player without partners is a team with the player's name.
    pub team_names: Vec<String>,
    /// Players without turns whose pieces are never captured. They are not in the turn order.
    pub neutral: PlayerSet,
    /// The rules for attacked and captured leaders.
    pub leadership: Leadership,
    /// The conditions that every move must meet.
    pub restrictions: Vec<Condition>,
    /// Classes of moves that must be played if possible, by their conditions. The first class with a legal move counts.
    pub priority: Vec<Vec<Condition>>,
    /// Pieces in hand.
    pub hands: Option<HandsPlan>,
    /// Numbers that the game keeps.
    pub counters: Vec<CounterPlan>,
    /// What follows from moves.
    pub triggers: Vec<TriggerPlan>,
    /// What the player does after the move in the same turn.
    pub then: Vec<PartPlan>,
    /// Whether only turns that capture the most pieces are legal.
    pub most_captures: bool,
    /// Whether a player without a legal move is skipped.
    pub stuck_passes: bool,
    /// Squares that two pieces can share.
    pub sharing: Option<SharingPlan>,
    /// An attribute that pieces keep for the whole game.
    pub tag: Option<TagPlan>,
    /// How a player gains control of a partner's army.
    pub control: Option<ControlPlan>,
    /// Changes that captures cause.
    pub reactions: Vec<ReactionPlan>,
    /// Figures that capture the enemy pieces in them when completed.
    pub figures: Vec<FigurePlan>,
    /// The exchange of captured leaders.
    pub exchange: Option<ExchangePlan>,
    /// Whether a player may permanently hand over the army to a partner.
    pub withdrawal: bool,
    /// A die that is thrown before every move.
    pub chance: Option<ChancePlan>,
    /// Squares that win for a leader that holds them for a round.
    pub hold: Option<HoldPlan>,
}

impl Mechanics {
    /// Returns whether triggers change pieces, hands or the turn, not only counters.
    pub fn has_board_effects(&self) -> bool {
        let mut effects = self.triggers.iter().flat_map(|trigger| &trigger.effects);
        effects.any(|effect| !matches!(effect, TriggerEffect::Counter(_)))
    }
}

/// A part of a turn, after the move with which the turn begins.
///
/// Without separate moves and unless it is for the same piece, it is any move of the player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartPlan {
    /// The name.
    pub code: String,
    /// What the part before must have done for this one to take place.
    pub after: Vec<Condition>,
    /// The conditions that the moves of this part must meet.
    pub only: Vec<Condition>,
    /// Whether the piece that moved in the part before must move.
    pub same_piece: bool,
    /// The moves of the piece that moved in the part before, instead of its usual ones.
    pub moves: Vec<MovePlan>,
    /// When the part may be left out.
    pub skip: Skip,
    /// Whether the part follows itself.
    pub repeats: bool,
}

constructor!("a part of a turn" PartPlan(code: String) after = Vec::new(), only = Vec::new(), same_piece = false,
    moves = Vec::new(), skip = Skip::Never, repeats = false);

/// When a part of a turn may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skip {
    /// Never: a turn that cannot be completed is illegal.
    #[default]
    Never,
    /// If it has no move.
    IfStuck,
    /// At any time.
    Freely,
}

/// Pieces in hand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HandsPlan {
    /// Whose hand captured pieces go to, if any.
    pub captured_to: Option<HandOf>,
    /// The pieces in hand at the start.
    pub start: Vec<(Player, Kind, u8)>,
    /// The drops. [`crate::Move::pattern`] of a drop is an index into this list.
    pub drops: Vec<DropPlan>,
}

constructor!("hands that captured pieces do not go to" HandsPlan(drops: Vec<DropPlan>) captured_to = None, start = Vec::new());

/// Whose hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOf {
    /// That of the player who captures.
    Captor,
    /// That of the player who loses the piece.
    Owner,
}

/// Drops of some kinds on empty squares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DropPlan {
    /// The kinds.
    pub kinds: Vec<Kind>,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Promotions. The first whose conditions hold applies.
    pub modifiers: Vec<ModifierPlan>,
    /// Whether the dropped piece counts as unmoved.
    pub unmoved: bool,
}

constructor!("an unconditional drop" DropPlan(kinds: Vec<Kind>) conditions = Vec::new(), modifiers = Vec::new(), unmoved = false);

/// A number that the game keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CounterPlan {
    /// The name.
    pub code: String,
    /// Whether each player has one.
    pub per_player: bool,
    /// The first value.
    pub start: u16,
    /// The largest value.
    pub max: u16,
    /// Whether positions with different values are different for repetition.
    pub in_identity: bool,
}

constructor!("a counter of each player" CounterPlan(code: String, max: u16) per_player = true, start = 0, in_identity = true);

/// What follows from a move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TriggerPlan {
    /// What the move must do.
    pub on: EventTest,
    /// Further conditions.
    pub when: Vec<Condition>,
    /// The changes, in order.
    pub effects: Vec<TriggerEffect>,
}

constructor!("a trigger" TriggerPlan(on: EventTest, effects: Vec<TriggerEffect>) when = Vec::new());

/// What a trigger does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TriggerEffect {
    /// Changes a counter.
    Counter(CounterEffect),
    /// Changes pieces on the board.
    Pieces(PieceEffect),
    /// Puts new pieces on all empty squares of a part of the board.
    Place(PlaceEffect),
    /// Adds pieces to a hand.
    Give {
        /// The kind.
        kind: Kind,
        /// Whose hand.
        to: Owner,
        /// The number of pieces.
        count: u8,
    },
    /// Lets the same slot of the order move again.
    ExtraTurn,
    /// Skips the following slots of the same player.
    EndTurn,
}

/// A change of some pieces on the board. Frozen pieces do not change, nor do neutral ones unless the owner says so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PieceEffect {
    /// The change.
    pub change: PieceChange,
    /// The kinds.
    pub kinds: Vec<Kind>,
    /// The owners, also those who are out of the game.
    pub owner: Owner,
    /// If set, only pieces in their owner's part of this region change.
    pub region: Option<u16>,
    /// The part of the board, if not all of it.
    pub area: Option<Area>,
}

constructor!("a change on the whole board" PieceEffect(change: PieceChange, kinds: Vec<Kind>, owner: Owner)
    region = None, area = None);

/// A change of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceChange {
    /// Removes it. This is not a capture.
    Remove,
    /// Captures it.
    Capture,
    /// Replaces it by a new piece of this kind.
    Transform(Kind),
    /// Gives it to another player. It counts as moved. `Enemy` is the next opponent in the order.
    SetOwner(Owner),
    /// Moves it to the square that the moving piece left or entered, if that is empty.
    MoveTo(Anchor),
}

/// New pieces on empty squares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlaceEffect {
    /// The kind.
    pub kind: Kind,
    /// The owner. `Enemy` is the next opponent in the order.
    pub owner: Owner,
    /// The part of the board.
    pub area: Area,
    /// If set, only squares in the owner's part of this region.
    pub region: Option<u16>,
}

constructor!("new pieces in a part of the board" PlaceEffect(kind: Kind, owner: Owner, area: Area) region = None);

/// A change of counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterEffect {
    /// The counter, by index.
    pub counter: u8,
    /// Whose counters; ignored if the game has only one.
    pub owner: Owner,
    /// The change.
    pub change: CounterChange,
}

/// A change of a counter, which stays between 0 and its largest value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CounterChange {
    /// Adds a number.
    Add(i32),
    /// Sets the value.
    Set(u16),
    /// Sets the value to the number of pieces of some kinds on the board.
    Count {
        /// The kinds; all if `None`.
        kinds: Option<Vec<Kind>>,
        /// Whose pieces.
        of: Owner,
    },
}

/// The rules for attacked and captured leaders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is one key of the rules")]
pub struct Leadership {
    /// The players who have leaders; all if `None`.
    pub players: Option<PlayerSet>,
    /// Whose loss decides.
    pub lost: Lost,
    /// Whether a player is also in check when all leaders are attacked, or all leaders of one kind if the last of a kind
    /// decides.
    pub check_all: bool,
    /// Whether a leader may be left attacked.
    pub exposure: Exposure,
    /// Whether an attacked leader must move if it can.
    pub must_move: bool,
    /// Whether capturing a leader freezes its army instead of eliminating the owner.
    pub freezes: bool,
    /// Whether a player whose leader is not attacked has no legal move if every move would leave it attacked.
    pub needs_safe_move: bool,
}

/// Whose loss decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lost {
    /// That of any leader.
    #[default]
    Any,
    /// That of the player's last leader.
    Last,
    /// That of the player's last leader of one kind.
    LastOfKind,
}

/// Whether a leader may be left attacked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exposure {
    /// Never.
    #[default]
    Illegal,
    /// Always.
    Allowed,
    /// Other pieces may expose it. The leader itself may step into an attack only if it is already attacked.
    AllowedInCheck,
}

/// Squares that can hold a leader and one other piece of its team.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharingPlan {
    /// The region; the squares of all players count.
    pub region: u16,
    /// Whether a piece may join a leader that stands there alone.
    pub join: bool,
}

constructor!("shared squares" SharingPlan(region: u16, join: bool));

/// An attribute that pieces of some kinds keep for the whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TagPlan {
    /// The name of the attribute.
    pub code: String,
    /// The names of its values.
    pub values: Vec<String>,
    /// The kinds that have it.
    pub kinds: Vec<Kind>,
    /// By value: the squares on which a new piece gets the value.
    pub squares: Vec<Vec<Square>>,
}

constructor!("an attribute; `squares` are by value" TagPlan(code: String, kinds: Vec<Kind>, values: Vec<String>, squares: Vec<Vec<Square>>));

/// Control of a partner's army, gained when a leader arrives on a square of the partner's region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ControlPlan {
    /// The region.
    pub region: u16,
    /// Whether gaining control thaws a frozen army.
    pub thaws: bool,
}

constructor!("control gained in a region" ControlPlan(region: u16, thaws: bool));

/// A change of pieces when a piece of their army is captured.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReactionPlan {
    /// The kinds whose capture causes the change.
    pub captured: Vec<Kind>,
    /// The kind that changes.
    pub kind: Kind,
    /// If set, only pieces in their owner's part of this region change.
    pub region: Option<u16>,
    /// If set, only pieces in any player's part of this region change.
    pub in_any: Option<u16>,
    /// If set, only pieces outside every player's part of this region change.
    pub not_in_any: Option<u16>,
    /// The new kind.
    pub to: Kind,
}

constructor!("a change on all squares" ReactionPlan(captured: Vec<Kind>, kind: Kind, to: Kind)
    region = None, in_any = None, not_in_any = None);

/// A figure of pieces of one kind, each of a different player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FigurePlan {
    /// The kind.
    pub kind: Kind,
    /// The squares, relative to an anchor square.
    pub shape: Vec<Offset>,
    /// The possible anchor squares; all if `None`.
    pub anchors: Option<Vec<Square>>,
}

constructor!("a figure that may stand anywhere" FigurePlan(kind: Kind, shape: Vec<Offset>) anchors = None);

/// The exchange of captured leaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExchangePlan {
    /// The region to which a leader returns: the first empty square in its owner's list.
    pub region: u16,
    /// Whether a capture by a partner counts as the player's own.
    pub by_team: bool,
    /// Whether the answering player must have captured the other leader.
    pub both_took: bool,
}

constructor!("an exchange" ExchangePlan(region: u16, by_team: bool, both_took: bool));

/// A die that is thrown before every move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChancePlan {
    /// By face: lists of kinds. The pieces of the first list that can move may be moved.
    pub faces: Vec<Vec<Vec<Kind>>>,
    /// The maximum number of throws until a piece can move.
    pub throws: u32,
}

constructor!("a die" ChancePlan(faces: Vec<Vec<Vec<Kind>>>, throws: u32));

/// Squares that win for a leader that holds them for a round.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HoldPlan {
    /// The region; each player has their own squares.
    pub region: u16,
    /// The name of the ending.
    pub code: String,
}

constructor!("winning squares" HoldPlan(region: u16, code: String));
