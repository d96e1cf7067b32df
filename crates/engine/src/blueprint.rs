//! The rules of a game as data: names are resolved to indices, and nothing is rotated yet.
//!
//! A reader of rules, such as `tabiya-spec`, builds a [`Blueprint`] with [`Blueprint::new`] and the `with_` methods.
//! [`crate::Rules::compile`] turns it into tables. The parts are `#[non_exhaustive]`: create them with their `new`
//! function or `default`, then set the optional fields. New mechanics therefore do not break existing code.
//!
//! The enums ([`Condition`], [`Effect`], …) are exhaustive on purpose: a reader that does not know a new variant
//! would misread the rules.

pub mod ending;
pub mod mechanics;

use crate::board::Topology;
use crate::piece::{Flag, Kind, Player};
use crate::square::{Offset, Orientation, Square};
use crate::symbol::Symbol;
use ending::{Clause, EndingPlan, Stalemate, ZeroingPlan};
use mechanics::Mechanics;

/// Defines `new`: the arguments, then the values of the other fields.
macro_rules! constructor {
    ($what:literal $type:ident($($argument:ident: $of:ty),*) $($field:ident = $value:expr),*) => {
        impl $type {
            #[doc = concat!("Returns ", $what, ".")]
            pub fn new($($argument: $of),*) -> Self {
                $type { $($argument,)* $($field: $value),* }
            }
        }
    };
}
pub(crate) use constructor;

/// The rules of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Blueprint {
    pub(crate) files: u16,
    pub(crate) ranks: u16,
    pub(crate) topology: Topology,
    pub(crate) disabled: Vec<(u16, u16)>,
    pub(crate) players: Vec<PlayerPlan>,
    pub(crate) order: Vec<Player>,
    pub(crate) start_at: u16,
    pub(crate) leaders: Vec<Kind>,
    pub(crate) kinds: Vec<KindPlan>,
    pub(crate) flags: Vec<String>,
    pub(crate) flag_marks: Vec<Option<Offset>>,
    pub(crate) regions: Vec<RegionPlan>,
    pub(crate) start: Vec<Placement>,
    pub(crate) endings: Vec<EndingPlan>,
    pub(crate) zeroing: ZeroingPlan,
    pub(crate) stalemate: Stalemate,
    pub(crate) draw_offers: bool,
    pub(crate) mechanics: Mechanics,
}

constructor!("the blueprint of an empty board without players or pieces" Blueprint(files: u16, ranks: u16)
    topology = Topology::default(), disabled = Vec::new(), players = Vec::new(), order = Vec::new(), start_at = 0, leaders = Vec::new(), kinds = Vec::new(),
    flags = Vec::new(), flag_marks = Vec::new(), regions = Vec::new(), start = Vec::new(), endings = Vec::new(),
    zeroing = ZeroingPlan::new(true, Vec::new()), stalemate = Stalemate::Ends,
    draw_offers = true, mechanics = Mechanics::default());

impl Blueprint {
    /// Returns the number of columns, and of rows on one level.
    pub fn size(&self) -> (u16, u16) {
        (self.files, self.ranks)
    }
}

/// Defines a getter and a chainable setter for each field that is a list or a struct.
macro_rules! properties {
    ($($what:literal $field:ident, $with:ident: $value:ty => $returned:ty;)*) => {
        impl Blueprint {
            $(
                #[doc = concat!("Returns ", $what, ".")]
                pub fn $field(&self) -> &$returned {
                    &self.$field
                }

                #[doc = concat!("Sets ", $what, ".")]
                #[must_use]
                pub fn $with(mut self, $field: $value) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

properties! {
    "what makes the board more than a rectangle of squares"
    topology, with_topology: Topology => Topology;
    "the squares that do not exist: column, and row counted through all levels"
    disabled, with_disabled: Vec<(u16, u16)> => [(u16, u16)];
    "the players; [`Player`] is an index into this list"
    players, with_players: Vec<PlayerPlan> => [PlayerPlan];
    "the kinds of pieces; [`Kind`] is an index into this list"
    kinds, with_kinds: Vec<KindPlan> => [KindPlan];
    "the names of the flags; [`Flag`] is an index into this list"
    flags, with_flags: Vec<String> => [String];
    "by flag: the square that a piece with the flag marks, relative to it, for a player who moves up the board; flags beyond the \
     end of the list mark nothing"
    flag_marks, with_flag_marks: Vec<Option<Offset>> => [Option<Offset>];
    "the named sets of squares"
    regions, with_regions: Vec<RegionPlan> => [RegionPlan];
    "the initial pieces"
    start, with_start: Vec<Placement> => [Placement];
    "the endings besides mate, stalemate and captured leaders; the first that holds counts"
    endings, with_endings: Vec<EndingPlan> => [EndingPlan];
    "the moves that reset the count of quiet turns"
    zeroing, with_zeroing: ZeroingPlan => ZeroingPlan;
    "the mechanics beyond pieces that move and capture"
    mechanics, with_mechanics: Mechanics => Mechanics;
}

impl Blueprint {
    /// Sets the size of the board.
    #[must_use]
    pub fn with_size(mut self, files: u16, ranks: u16) -> Self {
        (self.files, self.ranks) = (files, ranks);
        self
    }

    /// Returns the turn order, a cycle of slots.
    pub fn order(&self) -> &[Player] {
        &self.order
    }

    /// Returns the slot in which the game starts.
    pub fn start_at(&self) -> u16 {
        self.start_at
    }

    /// Sets the turn order and the slot in which the game starts.
    #[must_use]
    pub fn with_order(mut self, order: Vec<Player>, start_at: u16) -> Self {
        (self.order, self.start_at) = (order, start_at);
        self
    }

    /// Returns the kinds that must not be lost.
    pub fn leaders(&self) -> &[Kind] {
        &self.leaders
    }

    /// Sets the kinds that must not be lost.
    #[must_use]
    pub fn with_leaders(mut self, leaders: Vec<Kind>) -> Self {
        self.leaders = leaders;
        self
    }

    /// Returns what stalemate means.
    pub fn stalemate(&self) -> Stalemate {
        self.stalemate
    }

    /// Sets what stalemate means.
    #[must_use]
    pub fn with_stalemate(mut self, stalemate: Stalemate) -> Self {
        self.stalemate = stalemate;
        self
    }

    /// Returns whether players may agree to a draw.
    pub fn draw_offers(&self) -> bool {
        self.draw_offers
    }

    /// Sets whether players may agree to a draw.
    #[must_use]
    pub fn with_draw_offers(mut self, draw_offers: bool) -> Self {
        self.draw_offers = draw_offers;
        self
    }
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayerPlan {
    /// The name.
    pub name: String,
    /// The orientation on the board.
    pub orientation: Orientation,
}

constructor!("a player" PlayerPlan(name: String, orientation: Orientation));

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KindPlan {
    /// The name.
    pub code: String,
    /// How it is written.
    pub symbol: Symbol,
    /// The moves.
    pub moves: Vec<MovePlan>,
    /// The castling moves. [`crate::Move::pattern`] counts them after the moves.
    pub castles: Vec<CastlePlan>,
    /// The kind that goes to a hand instead of this one, if it is another.
    pub reverts_to: Option<Kind>,
}

constructor!("a kind without castling" KindPlan(code: String, symbol: Symbol, moves: Vec<MovePlan>)
    castles = Vec::new(), reverts_to = None);

/// A castling move: an unmoved piece and the first piece beside it, its partner, both go to given squares.
///
/// The partner stands on the side that leads from `partner_to` to `to`. It is unmoved and of the same player. All squares
/// that the two cross or enter are empty, apart from the two themselves. If the piece is a leader, no opponent attacks a
/// square from its source to its target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CastlePlan {
    /// The number by which people refer to the move.
    pub id: i32,
    /// The kinds of the partner.
    pub partners: Vec<Kind>,
    /// By player: the targets of the piece and of its partner, different squares of one line; `None` if the player does
    /// not castle this way.
    pub targets: Vec<Option<(Square, Square)>>,
    /// A piece from the hand that is dropped at the same time.
    pub drop: Option<CastleDrop>,
}

constructor!("a castling move" CastlePlan(id: i32, partners: Vec<Kind>, targets: Vec<Option<(Square, Square)>>) drop = None);

/// A drop together with castling, on a square that one of the two pieces leaves and neither enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastleDrop {
    /// The kind of the dropped piece.
    pub kind: Kind,
    /// Whether it is the square of the partner.
    pub of_partner: bool,
}

/// A named set of squares for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegionPlan {
    /// The name.
    pub code: String,
    /// The squares, by player.
    pub squares: Vec<Vec<Square>>,
}

constructor!("a region" RegionPlan(code: String, squares: Vec<Vec<Square>>));

/// An initial piece. It is unmoved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placement {
    /// The square.
    pub square: Square,
    /// The owner.
    pub player: Player,
    /// The kind.
    pub kind: Kind,
    /// The tag value, if it differs from that of the square.
    pub tag: Option<u8>,
}

constructor!("a piece with the tag value of its square" Placement(square: Square, player: Player, kind: Kind) tag = None);

/// A move pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MovePlan {
    /// The number by which people refer to the move.
    pub id: i32,
    /// The step, for a player who moves up the board. A piece with a step of zero stays on its square.
    pub step: Offset,
    /// Steps before the step that is repeated, each with what must stand on its square.
    pub legs: Vec<LegPlan>,
    /// Whether the move leads to every square of the board. Its step does not matter.
    pub anywhere: bool,
    /// How often the step is made.
    pub repeat: Repeat,
    /// The conditions for every landing.
    pub conditions: Vec<Condition>,
    /// The actions by state of the target square; at most one for each state.
    pub actions: Vec<ActionPlan>,
    /// Promotions. The first whose conditions hold applies.
    pub modifiers: Vec<ModifierPlan>,
    /// Side effects, after those of the action.
    pub effects: Vec<Effect>,
}

constructor!("a single step without actions" MovePlan(id: i32, step: Offset)
    legs = Vec::new(), anywhere = false, repeat = Repeat::ONCE, conditions = Vec::new(), actions = Vec::new(), modifiers = Vec::new(), effects = Vec::new());

impl MovePlan {
    /// Iterates over the conditions of the move, its actions and its promotions, each followed by those nested in it.
    pub fn all_conditions(&self) -> impl Iterator<Item = &Condition> {
        let actions = self.actions.iter().flat_map(|action| &action.conditions);
        let modifiers = self.modifiers.iter().flat_map(|modifier| &modifier.conditions);
        let mut found = Vec::new();
        let all = self.conditions.iter().chain(actions).chain(modifiers);
        all.for_each(|condition| condition.for_each(&mut |it| found.push(it)));
        found.into_iter()
    }

    /// Returns whether the move is more than a step or a slide of the piece along a line: it has legs, leads anywhere, captures what it
    /// jumps over, or leaves the piece where it is.
    pub fn is_composite(&self) -> bool {
        self.anywhere
            || !self.legs.is_empty()
            || self.repeat.hurdles.as_ref().is_some_and(|hurdles| hurdles.captured)
            || self.actions.iter().any(|action| action.shoots)
    }

    /// Iterates over the effects of the move and its actions.
    pub fn all_effects(&self) -> impl Iterator<Item = &Effect> {
        self.effects.iter().chain(self.actions.iter().flat_map(|action| &action.effects))
    }
}

/// A step before the last one of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LegPlan {
    /// The step, for a player who moves up the board.
    pub step: Offset,
    /// What must stand on its square.
    pub on: Occupancy,
    /// Whether the piece there is captured.
    pub captures: bool,
}

constructor!("a step" LegPlan(step: Offset, on: Occupancy, captures: bool));

/// How often a step is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The number of steps to the first landing.
    pub min: u32,
    /// The number of steps to the last landing; unlimited if `None`.
    pub max: Option<u32>,
    /// What ends the slide, on the square where it holds. It does not apply before the last hurdle.
    pub until: Until,
    /// The pieces that the slide jumps over before it may land, if any.
    pub hurdles: Option<Hurdles>,
}

impl Repeat {
    /// A single step.
    pub const ONCE: Repeat =
        Repeat { min: 1, max: Some(1), until: Until::State(Occupancy::NotEmpty), hurdles: None };

    /// Returns the number of pieces that the slide jumps over.
    pub fn hurdle_count(&self) -> u32 {
        self.hurdles.as_ref().map_or(0, |hurdles| hurdles.count)
    }

    /// Returns the number of steps to the first possible landing: at least one after each hurdle.
    pub fn first_landing(&self) -> u32 {
        self.min.max(self.hurdle_count() + 1)
    }
}

/// The pieces that a slide jumps over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hurdles {
    /// Their number; at least 1.
    pub count: u32,
    /// The kinds that it can jump over; all if `None`.
    pub kinds: Option<Vec<Kind>>,
    /// Whose pieces it can jump over, seen by the player who moves. Players who are out count too.
    pub owner: ending::Owner,
    /// The maximum number of steps after the last hurdle; unlimited if `None`.
    pub beyond: Option<u32>,
    /// Whether the pieces that it jumps over are captured.
    pub captured: bool,
}

constructor!("hurdles of any kind and player" Hurdles(count: u32)
    kinds = None, owner = ending::Owner::Any, beyond = None, captured = false);

/// What ends a slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The state of the square.
    State(Occupancy),
    /// The square is in the player's part of a region.
    Region(u16),
}

/// The state of a square, seen by the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupancy {
    /// No piece.
    Empty,
    /// Any piece.
    NotEmpty,
    /// A piece of another team.
    Enemy,
    /// A piece of the player.
    Ally,
    /// A piece of a partner.
    Team,
}

/// The action of a move on its target square.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActionPlan {
    /// The state of the target square: `Empty`, `Enemy`, `Ally` or `Team`.
    pub on: Occupancy,
    /// Whether the piece on the square is captured.
    pub captures: bool,
    /// Whether the moving piece stays where it is.
    pub shoots: bool,
    /// The kinds that can be captured; all if `None`.
    pub victims: Option<Vec<Kind>>,
    /// Whether a capture needs the same value of the tag, unless one of the pieces has none.
    pub same_tag: bool,
    /// Further conditions.
    pub conditions: Vec<Condition>,
    /// Side effects.
    pub effects: Vec<Effect>,
}

constructor!("an unconditional action" ActionPlan(on: Occupancy, captures: bool)
    shoots = false, victims = None, same_tag = false, conditions = Vec::new(), effects = Vec::new());

/// A promotion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModifierPlan {
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// The kinds among which the player chooses.
    pub options: Vec<Kind>,
    /// For a chosen kind: the kind that every other piece of that kind becomes.
    pub replaces: Vec<(Kind, Kind)>,
}

constructor!("an unconditional promotion" ModifierPlan(options: Vec<Kind>) conditions = Vec::new(), replaces = Vec::new());

/// A condition of a move. Offsets are for a player who moves up the board and relative to the source square, unless
/// stated otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The moving piece is unmoved.
    FirstMove,
    /// Another move of the same piece, by its index in the list, has a landing now.
    DependsOn(u16),
    /// The square has an unmoved piece.
    PieceUnmoved(Offset),
    /// The square is empty or has an unmoved piece.
    EmptyOrUnmoved(Offset),
    /// The piece on the square carries a flag.
    HasFlag(Flag, Offset),
    /// An enemy piece that carries a flag marks the target; see [`Blueprint::flag_marks`].
    Marked(Flag),
    /// All squares strictly between source and target are empty.
    PathEmpty,
    /// No opponent attacks the target.
    NotAttacked,
    /// No opponent attacks the source, the target or a square between them.
    PathNotAttacked,
    /// The target is in the player's part of a region.
    InRegion(u16),
    /// A square exists and matches a description.
    Square(SquareTest),
    /// The source or the target is in a part of a region.
    Region {
        /// The region.
        region: u16,
        /// The players whose part counts.
        of: RegionOf,
        /// The square to test.
        at: Anchor,
    },
    /// A square is attacked or defended.
    Attacked(AttackTest),
    /// The move does something.
    Event(EventTest),
    /// All clauses hold in the position after the move.
    After(Vec<Clause>),
    /// A clause holds in the position before the move.
    Position(Clause),
    /// One of these lists holds.
    Any(Vec<Vec<Condition>>),
    /// This list does not hold.
    Not(Vec<Condition>),
}

impl Condition {
    /// Calls `show` with this condition and all that are nested in it.
    pub fn for_each<'c>(&'c self, show: &mut impl FnMut(&'c Condition)) {
        show(self);
        match self {
            Condition::Any(lists) => lists.iter().flatten().for_each(|it| it.for_each(show)),
            Condition::Not(list) => list.iter().for_each(|it| it.for_each(show)),
            _ => {}
        }
    }

    /// Returns whether this condition or one nested in it satisfies a predicate.
    pub fn mentions(&self, wanted: impl Fn(&Condition) -> bool) -> bool {
        let mut found = false;
        self.for_each(&mut |condition| found |= wanted(condition));
        found
    }

    /// Returns whether the condition is about what the move does, so that it is tested once the move is made.
    pub fn is_about_result(&self) -> bool {
        self.mentions(|it| matches!(it, Condition::Event(_) | Condition::After(_)))
    }

    /// Returns whether the condition itself is about the past of a piece: whether it has moved, or a flag.
    pub(crate) fn is_about_past(&self) -> bool {
        match self {
            Condition::FirstMove
            | Condition::PieceUnmoved(_)
            | Condition::EmptyOrUnmoved(_)
            | Condition::HasFlag(..)
            | Condition::Marked(_) => true,
            Condition::Square(test) => test.unmoved.is_some(),
            _ => false,
        }
    }

    /// Returns whether the condition is about attacks. Such conditions count as met inside an attack.
    pub(crate) fn is_about_attacks(&self) -> bool {
        self.mentions(|it| match it {
            Condition::NotAttacked | Condition::PathNotAttacked | Condition::Attacked(_) => true,
            Condition::Position(clause) => clause.mentions(|it| match it {
                Clause::InCheck(_) => true,
                Clause::Count(census) => matches!(census.area, Some(ending::Area::Attacked(_))),
                _ => false,
            }),
            _ => false,
        })
    }
}

/// A test of whether a square is attacked by opponents, or defended by the player's team.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttackTest {
    /// The offset from the anchor.
    pub offset: Offset,
    /// The origin of the offset.
    pub anchor: Anchor,
    /// Whether the test is about pieces of the player's team, except the moving piece.
    pub defended: bool,
    /// The kinds of the pieces that count; all if `None`.
    pub by: Option<Vec<Kind>>,
}

constructor!("a test of the anchor" AttackTest(anchor: Anchor, defended: bool) offset = Offset::new(0, 0), by = None);

/// A test of what a move does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventTest {
    /// The event.
    pub event: Event,
    /// The kinds of the pieces that are captured, promoted to, dropped or moved; all if `None`.
    pub kinds: Option<Vec<Kind>>,
}

constructor!("a test for any kind" EventTest(event: Event) kinds = None);

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It captures a piece.
    Captured,
    /// It promotes the moving piece.
    Promoted,
    /// It moves a piece on the board.
    Moved,
    /// It castles.
    Castled,
    /// It drops a piece from a hand.
    Dropped,
    /// The piece stays on its square.
    Stayed,
    /// The piece shoots: its move acts on another square, and it stays where it is.
    Shot,
    /// It gives check.
    Check,
}

/// The players whose part of a region counts, seen by the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionOf {
    /// The player.
    Own,
    /// Partners.
    Partner,
    /// Players of other teams.
    Enemy,
    /// All players.
    Any,
}

/// A description of one square. Everything that is given must match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SquareTest {
    /// The offset from the anchor.
    pub offset: Offset,
    /// The origin of the offset.
    pub anchor: Anchor,
    /// The state of the square.
    pub state: Option<Occupancy>,
    /// The kinds of the piece on it.
    pub kinds: Option<Vec<Kind>>,
    /// Whether the piece on it is unmoved.
    pub unmoved: Option<bool>,
}

constructor!("a description that every existing square matches" SquareTest(offset: Offset, anchor: Anchor)
    state = None, kinds = None, unmoved = None);

/// The origin of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The source square.
    Source,
    /// The target square.
    Target,
}

/// A side effect of a move. Offsets are for a player who moves up the board and relative to the source square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Sets a flag on the moved piece.
    SetFlag {
        /// The flag.
        flag: Flag,
        /// The number of turns of other slots; unlimited if `None`.
        duration: Option<u32>,
    },
    /// Removes the piece on a square.
    Capture(Offset),
    /// Captures the enemy pieces that carry a flag and mark the target; see [`Blueprint::flag_marks`].
    CaptureMarked(Flag),
    /// Moves another piece of the player.
    Relocate {
        /// The required kind, if any.
        kind: Option<Kind>,
        /// The source.
        from: Offset,
        /// The target, which must be empty.
        to: Offset,
    },
    /// Drops a piece from the player's hand on a square, which must be empty.
    Drop {
        /// The kind, which must have been in hand before the move.
        kind: Kind,
        /// The square.
        at: Offset,
    },
}
