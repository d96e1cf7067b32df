//! The types of the game format. Each definition also yields the reader and the JSON Schema of its object (see
//! `read.rs`). Nothing is resolved here: names are strings, and steps are written for a player who moves up.

mod choice;
mod effects;
mod ending;
mod hands;
mod mechanics;
mod nested;

pub use choice::{LayoutPlayer, LayoutSpec, OccasionSpec, OptionSpec, Setting};
pub use effects::{Selection, TriggerEffect};
pub use ending::{Along, Area, Clause, Clauses, EndingResult, EndingSpec, Owner, QuietSpec, Trigger};
pub use hands::{CounterSpec, DropSpec, HandOf, HandsSpec, Per, TriggerSpec};
pub use mechanics::{
    AllowSpec, Attacked, Captor, Captured, ChanceSpec, CheckWhen, Codes, ControlSpec, DieCheck, EndingWho,
    ExchangeSpec, Exposure, FigureSpec, HoldSpec, Join, LeaderObject, LeaderSpec, Lost, ReactionSpec,
    RegionOf, SharingSpec, Stalemate, Stuck, TagSpec, TeamSpec,
};
pub use nested::{Conditions, Nested};

use jsonc_parser::ast::Value as Json;
use tabiya_engine::{Board, Lattice, Link, Offset, Orientation, Square, Topology};

use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::limits;
use crate::place::{At, Place};
use crate::read::{
    AnyJson, List, Named, Read, child, keywords, mistyped, record, schema, tagged, unknown_keyword,
};

record! {
    /// A chess-family game: its board, players and pieces, and how the pieces move.
    GameSpec, "A game" {
        /// Location of the JSON Schema, for editors. Ignored by the engine.
        "$schema" => schema: Option<At<String>>,
        /// Name of the game.
        "name" => name: At<String>,
        /// A short description, shown in the list of games.
        "about" => about: Option<At<String>>,
        /// The piece whose capture ends the game for its owner. Leave it out for games without checkmate.
        "leader" => leader: Option<At<LeaderSpec>>,
        /// Board geometry.
        "board" => board: At<BoardSpec>,
        /// One entry per player: direction and starting pieces.
        "players" => players: At<Vec<At<PlayerSpec>>>,
        /// The turn order.
        "turns" => turns: At<TurnsSpec>,
        /// Named conditions that moves and endings refer to.
        "conditions" => conditions: List<GlobalCondition>,
        /// All kinds of pieces that can appear on the board.
        "pieces" => pieces: At<Vec<At<PieceSpec>>>,
        /// Conditions that every move must meet.
        "restrictions" => restrictions: List<Condition>,
        /// Kinds of moves that must be played if possible. Each is a list of conditions, and the first list that a legal move
        /// meets counts.
        "priority" => priority: List<Conditions>,
        /// Ways to end the game in addition to checkmate, stalemate and captured leaders. The first that holds
        /// counts.
        "endings" => endings: List<EndingSpec>,
        /// Pieces in hand: captured pieces and others that can be dropped on the board.
        "hands" => hands: Option<At<HandsSpec>>,
        /// Numbers that the game keeps, by name.
        "counters" => counters: Option<At<Named<CounterSpec>>>,
        /// What follows from moves, in this order.
        "triggers" => triggers: List<TriggerSpec>,
        /// What counts as quiet play; by default, every turn without a capture.
        "quiet" => quiet: Option<At<QuietSpec>>,
        /// Whether the players may agree on a draw; `true` by default.
        "draw_offers" => draw_offers: Option<At<bool>>,
        /// Players who win and lose together. Players that are not listed play alone.
        "teams" => teams: List<TeamSpec>,
        /// What happens to a player without a legal move; `ENDS` by default.
        "stuck" => stuck: Option<At<Stuck>>,
        /// Squares that may hold a leader and one other piece of its team.
        "sharing" => sharing: Option<At<SharingSpec>>,
        /// A property that some pieces carry permanently.
        "tag" => tag: Option<At<TagSpec>>,
        /// How a player takes control of a partner's army.
        "control" => control: Option<At<ControlSpec>>,
        /// What happens when pieces are captured, in this order.
        "reactions" => reactions: List<ReactionSpec>,
        /// Figures that capture for the player who completes them.
        "figures" => figures: List<FigureSpec>,
        /// The exchange of captured leaders.
        "exchange" => exchange: Option<At<ExchangeSpec>>,
        /// Whether a player may permanently hand over an army to a partner; `false` by default.
        "withdrawal" => withdrawal: Option<At<bool>>,
        /// A die that is thrown before every move.
        "chance" => chance: Option<At<ChanceSpec>>,
        /// Squares that win the game for a leader who holds them for a round.
        "hold" => hold: Option<At<HoldSpec>>,
        /// Options, by name, that can be chosen before the game.
        "options" => options: Option<At<Named<OptionSpec>>>,
        /// Sets of option values, by name.
        "presets" => presets: Option<At<Named<Named<Setting>>>>,
        /// Option values for playing with the die, and for one person per team.
        "occasions" => occasions: Option<At<OccasionSpec>>,
        /// Alternative starting layouts, by name.
        "layouts" => layouts: Option<At<Named<LayoutSpec>>>,
    }

    /// The board. `[0, 0]` is the bottom-left square.
    BoardSpec, "A board" {
        /// `[columns, rows]` or `[columns, rows, levels]`, each at least 1; at most 1,024 squares in total.
        "dimensions" => dimensions: At<Coord>,
        /// How the squares are arranged; `SQUARE` by default.
        "lattice" => lattice: Option<At<LatticeWord>>,
        /// Where steps that leave the board go on at the other side.
        "wrap" => wrap: List<Axis>,
        /// Steps that lead elsewhere. Each also works backwards.
        "links" => links: List<LinkSpec>,
        /// The letters of the files, if they are not a, b, c…
        "files" => files: Option<At<String>>,
        /// Squares that do not exist: pieces neither stand on them nor move over them.
        "disabled_positions" => disabled_positions: List<Coord>,
    }

    /// Steps that lead elsewhere: from each square of one list to the square at the same place of another.
    LinkSpec, "A link" {
        /// The squares that the step leaves.
        "from" => from: At<Vec<At<Coord>>>,
        /// The step, as for a player who moves up.
        "step" => step: At<Coord>,
        /// The squares that it enters.
        "to" => to: At<Vec<At<Coord>>>,
        /// The step with which a slide goes on; by default the same.
        "onward" => onward: Option<At<Coord>>,
    }

    /// A player: direction and starting pieces.
    PlayerSpec, "A player" {
        /// Name of the player, used in the turn order and in conditions.
        "name" => name: At<String>,
        /// How steps, which are written for a player who moves up, are rotated for this player.
        "direction" => direction: At<Direction>,
        /// Whether the player never moves and the pieces are never captured; `false` by default.
        "neutral" => neutral: Option<At<bool>>,
        /// The pieces that the player starts with.
        "starting_positions" => starting_positions: At<Vec<At<StartSpec>>>,
    }

    /// Pieces of one kind and their starting squares.
    StartSpec, "A starting position" {
        /// Code of the piece.
        "piece" => piece: At<String>,
        /// Squares `[x, y]`, one piece each.
        "positions" => positions: At<Vec<At<Coord>>>,
        /// The value of the tag that these pieces carry; by default, that of their squares.
        "tag" => tag: Option<At<String>>,
    }

    /// The turn order.
    TurnsSpec, "`turns`" {
        /// Player names, repeated in a cycle. A name may appear more than once.
        "order" => order: At<Vec<At<String>>>,
        /// Index into `order` of the first turn; 0 by default.
        "start_at" => start_at: Option<At<i32>>,
        /// What the player does after the move in the same turn, part by part.
        "then" => then: List<PartSpec>,
        /// Which turns are legal; all by default.
        "most" => most: Option<At<Most>>,
    }

    /// A part of a turn after the move with which it begins. The whole turn is one move.
    PartSpec, "A part of a turn" {
        /// Name of the part.
        "code" => code: At<String>,
        /// What the part before must have done for this one to take place.
        "after" => after: List<Condition>,
        /// Conditions that the move of this part must meet.
        "only" => only: List<Condition>,
        /// Whether the piece that moved in the part before must move again; `false` by default.
        "same_piece" => same_piece: Option<At<bool>>,
        /// Moves of the piece that moved in the part before, instead of its usual ones.
        "moves" => moves: List<MoveSpec>,
        /// When the part may be left out; `NEVER` by default.
        "skip" => skip: Option<At<Skip>>,
        /// Whether the part follows itself, as long as `after` holds; `false` by default.
        "repeats" => repeats: Option<At<bool>>,
    }
}

tagged! {
    /// A condition that moves and endings refer to by its code.
    GlobalCondition, "A global condition", tag "type" {
        /// The landing square is in the mover's list. For an ending: the square of a piece is in its owner's list.
        "POSITION" => Position {
            /// The name that moves and endings use.
            "code" => code: At<String>,
            /// A list of squares for each player, by name.
            "check" => check: At<Named<Vec<At<Coord>>>>,
        }
        /// A flag of a piece. Accepted but not used: moves test flags with `CHECK_STATE`.
        "STATE" => State {
            /// Name of the condition.
            "code" => code: At<String>,
            /// Ignored.
            "check" => check: Option<At<AnyJson>>,
        }
    }
}

impl Default for GlobalCondition {
    fn default() -> Self {
        GlobalCondition::State { code: At::default(), check: None }
    }
}

impl GlobalCondition {
    /// Returns the name that moves and endings use.
    pub fn code(&self) -> &At<String> {
        match self {
            GlobalCondition::Position { code, .. } | GlobalCondition::State { code, .. } => code,
        }
    }
}

record! {
    /// A kind of piece and its moves.
    PieceSpec, "A piece" {
        /// Unique name of the kind. Boards show its first three characters.
        "code" => code: At<String>,
        /// Display name.
        "name" => name: Option<At<String>>,
        /// Letter in board text, with an upper and a lower case, after any number of plus signs; by default, a free
        /// letter of the code.
        "letter" => letter: Option<At<String>>,
        /// Instead of `letter`: a character for each player, by name, which has no case.
        "letters" => letters: Option<At<Named<String>>>,
        /// The moves of the piece.
        "moves" => moves: At<Vec<At<MoveSpec>>>,
        /// Castling: moves of the piece together with a partner.
        "castling" => castling: List<CastleSpec>,
        /// Code of the piece that goes to a hand instead of this one; by default, the piece itself.
        "reverts_to" => reverts_to: Option<At<String>>,
    }

    /// A castling move. The piece and its partner, the first piece on that side, have not moved and go to their targets at
    /// once. All squares that they cross or enter are empty, and no opponent attacks a square from the source of the piece
    /// to its target.
    CastleSpec, "A castling move" {
        /// Number of the move, unique within the piece.
        "id" => id: At<i32>,
        /// Codes of the partners.
        "with" => with: At<Vec<At<String>>>,
        /// The target of the piece, one square for each player, by name; `[]` if the player does not castle this way.
        "to" => to: At<Named<Vec<At<Coord>>>>,
        /// The target of the partner, a square on the same line. The partner comes from the other side of `to`.
        "with_to" => with_to: At<Named<Vec<At<Coord>>>>,
        /// A piece from the hand that is dropped on a square that one of the two leaves.
        "drop" => drop: Option<At<CastleDropSpec>>,
    }

    /// A drop together with castling.
    CastleDropSpec, "`drop`" {
        /// Code of the piece.
        "piece" => piece: At<String>,
        /// The square that the piece (`SOURCE`) or its partner (`PARTNER`) leaves.
        "at" => at: At<Leaver>,
    }

    /// A move pattern of a piece.
    MoveSpec, "A move" {
        /// Number of the move, unique within the piece.
        "id" => id: At<i32>,
        /// `[dx, dy]`, for a player who moves up.
        "step" => step: At<Coord>,
        /// Steps before that one, each with what must stand on its square.
        "legs" => legs: List<LegSpec>,
        /// Whether the move leads to every square of the board; `false` by default. The step is then `[0, 0]`.
        "anywhere" => anywhere: Option<At<bool>>,
        /// What the move does, depending on what stands on the landing square.
        "actions" => actions: At<Vec<At<ActionSpec>>>,
        /// Conditions that must all hold for the move to be possible.
        "conditions" => conditions: List<Condition>,
        /// Promotion after the move.
        "modifiers" => modifiers: List<ModifierSpec>,
        /// Further changes to the board when the move is made.
        "side_effects" => side_effects: List<Effect>,
        /// Repetition of the step, for sliding pieces.
        "repeat" => repeat: Option<At<RepeatSpec>>,
    }

    /// A step before the last one of a move.
    LegSpec, "A leg" {
        /// `[dx, dy]`, for a player who moves up, from the square before.
        "step" => step: At<Coord>,
        /// What must stand on its square; `EMPTY` by default.
        "state" => state: Option<At<Occupancy>>,
        /// Whether the piece there is captured; `false` by default.
        "captures" => captures: Option<At<bool>>,
    }

    /// What a move does for a given state of the landing square.
    ActionSpec, "An action" {
        /// What stands on the landing square.
        "state" => state: At<Target>,
        /// What the move does.
        "action" => action: At<ActionKind>,
        /// Captures only pieces of these kinds.
        "piece" => piece: Option<At<Vec<At<String>>>>,
        /// Does not capture pieces of these kinds.
        "not_piece" => not_piece: Option<At<Vec<At<String>>>>,
        /// Captures only pieces with the same tag value or without one; `false` by default.
        "same_tag" => same_tag: Option<At<bool>>,
        /// Further conditions of this action.
        "conditions" => conditions: List<Condition>,
        /// Further changes to the board when this action applies.
        "side_effects" => side_effects: List<Effect>,
    }
}

keywords! {
    /// How the squares of a board are arranged.
    LatticeWord {
        /// Squares in files and ranks, on one or more levels.
        Square = "SQUARE",
        /// Hexagons in files.
        Hex = "HEX",
    }

    /// A direction in which steps go on at the other side of the board.
    Axis {
        /// Along ranks, from the last file to the first.
        X = "X",
        /// Along files, from the last rank to the first.
        Y = "Y",
        /// From the highest level to the lowest.
        Z = "Z",
    }

    /// What stands on the landing square.
    Target {
        /// Nothing.
        Empty = "EMPTY",
        /// A piece of another team.
        Enemy = "ENEMY",
        /// A piece of the moving player.
        Ally = "ALLY",
        /// A piece of a partner.
        Team = "TEAM",
    }

    /// What an action does.
    ActionKind {
        /// Moves to the landing square.
        Move = "MOVE",
        /// Captures the piece on the landing square and moves there.
        Capture = "CAPTURE",
        /// Stays where it is, and captures the piece on the landing square, if there is one.
        Shoot = "SHOOT",
    }

    /// When a part of a turn may be left out.
    Skip {
        /// Never: a turn without it is illegal.
        Never = "NEVER",
        /// Only if it has no move.
        IfStuck = "IF_STUCK",
        /// At any time.
        Freely = "FREELY",
    }

    /// Which turns are legal.
    Most {
        /// Those that capture the most pieces.
        Captures = "CAPTURES",
    }

    /// The state of a square.
    Occupancy {
        /// No piece.
        Empty = "EMPTY",
        /// Any piece.
        NotEmpty = "NOT_EMPTY",
        /// A piece of another team.
        Enemy = "ENEMY",
        /// A piece of the moving player.
        Ally = "ALLY",
        /// A piece of a partner.
        Team = "TEAM",
    }

    /// The square that an offset is relative to.
    Anchor {
        /// The square that the moving piece leaves.
        Source = "SOURCE",
        /// The square where it lands.
        Target = "TARGET",
    }

    /// What a move does.
    Event {
        /// It captures a piece.
        Captured = "CAPTURED",
        /// It promotes the moving piece.
        Promoted = "PROMOTED",
        /// It moves a piece on the board.
        Moved = "MOVED",
        /// It castles.
        Castled = "CASTLED",
        /// It drops a piece from a hand.
        Dropped = "DROPPED",
        /// The piece stays on its square.
        Stayed = "STAYED",
        /// The piece shoots: it stays where it is, and its move acts on another square.
        Shot = "SHOT",
        /// It gives check: afterwards, an opponent is in check.
        Check = "CHECK",
    }

    /// Who leaves a square when castling.
    Leaver {
        /// The piece that castles.
        Source = "SOURCE",
        /// Its partner.
        Partner = "PARTNER",
    }

    /// Whose pieces a slide can jump over, also of players who are out.
    HurdleOwner {
        /// All pieces.
        Any = "ANY",
        /// Pieces of the moving player.
        Own = "OWN",
        /// Pieces of other teams.
        Enemy = "ENEMY",
        /// Pieces of partners.
        Partner = "PARTNER",
        /// Pieces of the moving player and of partners.
        Team = "TEAM",
    }

    /// What a modifier does.
    ModifierKind {
        /// The piece becomes another one, which counts as new.
        Transform = "TRANSFORM",
    }
}

tagged! {
    /// A condition of a move, an action or a promotion. Offsets are for a player who moves up, relative to the source
    /// square.
    Condition, "A condition", tag "condition" {
        /// The moving piece has never moved.
        "FIRST_MOVE" => FirstMove {}
        /// Another move of this piece currently has a landing square.
        "DEPENDS_ON" => DependsOn {
            /// Number of the other move.
            "move_id" => move_id: At<i32>,
        }
        /// There is a piece at the offset, and it has never moved.
        "PIECE_FIRST_MOVE" => PieceFirstMove {
            /// Offset of the square.
            "position" => position: At<Coord>,
        }
        /// There is no piece at the offset, or it has never moved.
        "ROOK_FIRST_MOVE" => RookFirstMove {
            /// Offset of the square.
            "position" => position: At<Coord>,
        }
        /// The piece at the offset carries a flag.
        "CHECK_STATE" => CheckState {
            /// Name of the flag.
            "state" => state: At<String>,
            /// Offset of the square.
            "position" => position: At<Coord>,
        }
        /// An enemy piece with a flag marks the landing square; see `square` of `SET_STATE`.
        "MARKED" => Marked {
            /// Name of the flag.
            "state" => state: At<String>,
        }
        /// Every square between source and landing square is empty.
        "PATH_EMPTY" => PathEmpty {}
        /// No opponent attacks the landing square.
        "NOT_ATTACKED" => NotAttacked {}
        /// No opponent attacks the source square, the landing square or any square between them.
        "PATH_NOT_ATTACKED" => PathNotAttacked {}
        /// The square at the offset exists and meets all the given requirements.
        "SQUARE" => Square {
            /// Offset of the square.
            "position" => position: At<Coord>,
            /// The square that the offset is relative to; `SOURCE` by default.
            "anchor" => anchor: Option<At<Anchor>>,
            /// The required state.
            "state" => state: Option<At<Occupancy>>,
            /// Requires a piece of one of these kinds.
            "piece" => piece: Option<At<Vec<At<String>>>>,
            /// Whether the piece must be unmoved (`true`) or moved (`false`).
            "unmoved" => unmoved: Option<At<bool>>,
        }
        /// The source or landing square is in a list of a `POSITION` condition.
        "IN_REGION" => InRegion {
            /// Code of the `POSITION` condition.
            "region" => region: At<String>,
            /// Whose list; `OWN` by default.
            "of" => of: Option<At<RegionOf>>,
            /// Which square; `TARGET` by default.
            "at" => anchor: Option<At<Anchor>>,
        }
        /// An opponent attacks a square: the moving piece could be captured if it stood there.
        "ATTACKED" => Attacked {
            /// Offset of the square; `[0, 0]` by default.
            "position" => position: Option<At<Coord>>,
            /// The square that the offset is relative to; `TARGET` by default.
            "anchor" => anchor: Option<At<Anchor>>,
            /// Only attacks by pieces of these kinds count.
            "by" => by: Option<At<Vec<At<String>>>>,
        }
        /// Another piece of the player's team could capture an enemy that stood on a square.
        "DEFENDED" => Defended {
            /// Offset of the square; `[0, 0]` by default.
            "position" => position: Option<At<Coord>>,
            /// The square that the offset is relative to; `TARGET` by default.
            "anchor" => anchor: Option<At<Anchor>>,
            /// Only pieces of these kinds count.
            "by" => by: Option<At<Vec<At<String>>>>,
        }
        /// The move does something.
        "EVENT" => Event {
            /// What it does.
            "event" => event: At<Event>,
            /// Only with pieces of these kinds: captured, promoted to, dropped or moved.
            "piece" => piece: Option<At<Vec<At<String>>>>,
        }
        /// Conditions hold in the position after the move, seen by the player who moved.
        "AFTER" => After {
            /// The conditions. All must hold.
            "of" => of: At<Clauses>,
        }
        /// All conditions of a list hold.
        "ALL" => All {
            /// The list.
            "of" => of: At<Conditions>,
        }
        /// At least one of several lists holds.
        "ANY" => Any {
            /// The lists. A list holds if all its conditions do.
            "of" => of: At<Vec<At<Conditions>>>,
        }
        /// A list of conditions does not hold.
        "NOT" => Not {
            /// The list. It holds if all its conditions do.
            "of" => of: At<Conditions>,
        }
    } else
    /// The code of a condition defined under `conditions`: the landing square is in its list.
    Code,
    /// A condition of the position before the move. The "own" player is the one who moves.
    Position(Clause)
}

impl Default for Condition {
    fn default() -> Self {
        Condition::Code(At::default())
    }
}

record! {
    /// Repeats the step. The piece may land on every square along the way until the slide ends.
    RepeatSpec, "`repeat`" {
        /// What ends the slide, on the square where it applies: `NOT_EMPTY` (default), `EMPTY`, `ALLY`, `TEAM`,
        /// `ENEMY`, or the code of a `POSITION` condition.
        "until" => until: Option<At<String>>,
        /// Unlimited number of steps; `false` by default.
        "loop" => unlimited: Option<At<bool>>,
        /// Maximum number of steps; 1 by default.
        "times" => times: Option<At<i32>>,
        /// Number of steps to the first landing; 1 by default.
        "min" => min: Option<At<i32>>,
        /// Number of pieces that the slide jumps over before it may land, 1 to 8; none by default. `until` applies after
        /// the last of them.
        "hurdles" => hurdles: Option<At<i32>>,
        /// Which pieces the slide can jump over; all by default. Any other piece ends it.
        "over" => over: Option<At<OverSpec>>,
        /// Maximum number of steps after the last hurdle; unlimited by default.
        "beyond" => beyond: Option<At<i32>>,
        /// Whether the pieces that the slide jumps over are captured; `false` by default.
        "captures" => captures: Option<At<bool>>,
    }

    /// The pieces that a slide can jump over.
    OverSpec, "`over`" {
        /// Only pieces of these kinds.
        "piece" => piece: Option<At<Vec<At<String>>>>,
        /// No pieces of these kinds.
        "not_piece" => not_piece: Option<At<Vec<At<String>>>>,
        /// Whose pieces; `ANY` by default.
        "owner" => owner: Option<At<HurdleOwner>>,
    }

    /// A change to the piece after the move.
    ModifierSpec, "A modifier" {
        /// Always `TRANSFORM`: promotion.
        "action" => action: At<ModifierKind>,
        /// Conditions that must all hold.
        "conditions" => conditions: List<Condition>,
        /// Codes of the pieces that the player can choose.
        "options" => options: At<Vec<At<String>>>,
        /// Maps an option to the kind that every other piece of that kind and owner turns into.
        "replaces" => replaces: Option<At<Named<String>>>,
    }
}

tagged! {
    /// A further change to the board. Offsets are for a player who moves up, relative to the source square.
    Effect, "A side effect", tag "action" {
        /// The moved piece gets a flag.
        "SET_STATE" => SetState {
            /// Name of the flag.
            "state" => state: At<String>,
            /// Number of turns of the other slots of the order; permanent by default.
            "duration" => duration: Option<At<i32>>,
            /// Offset of a square that the piece marks while it has the flag, such as one that it has passed.
            "square" => square: Option<At<Coord>>,
        }
        /// Captures the enemy pieces whose flag marks the landing square.
        "CAPTURE_MARKED" => CaptureMarked {
            /// Name of the flag.
            "state" => state: At<String>,
        }
        /// Removes the piece at the offset, if any.
        "CAPTURE" => Capture {
            /// Offset of the square.
            "target" => target: At<Coord>,
        }
        /// Moves another piece of the same player.
        "MOVE" => Move {
            /// Moves only a piece of this kind.
            "piece" => piece: Option<At<String>>,
            /// Offset of its square.
            "from" => from: At<Coord>,
            /// Offset of its destination.
            "to" => to: At<Coord>,
        }
        /// Drops a piece from the hand of the player.
        "DROP" => Drop {
            /// Code of the piece.
            "piece" => piece: At<String>,
            /// Offset of the square; `[0, 0]`, the square that the piece leaves, by default.
            "target" => target: Option<At<Coord>>,
        }
    }
}

impl Default for Effect {
    fn default() -> Self {
        Effect::Capture { target: At::default() }
    }
}

/// Two or three integers: a square, a step, an offset or the size of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coord {
    /// Columns to the right.
    pub x: i32,
    /// Rows upwards.
    pub y: i32,
    /// Levels upwards; zero if it is left out.
    pub z: i32,
}

impl Coord {
    /// Returns the coordinates `[x, y]`, on the lowest level.
    pub fn flat(x: i32, y: i32) -> Coord {
        Coord { x, y, z: 0 }
    }

    /// Returns the lower left corner of the block between two squares.
    pub(crate) fn min_each(self, other: Coord) -> Coord {
        Coord { x: self.x.min(other.x), y: self.y.min(other.y), z: self.z.min(other.z) }
    }

    /// Returns the upper right corner of the block between two squares.
    pub(crate) fn max_each(self, other: Coord) -> Coord {
        Coord { x: self.x.max(other.x), y: self.y.max(other.y), z: self.z.max(other.z) }
    }

    /// Returns the sum; `None` if it is too large.
    pub(crate) fn plus(self, other: Coord) -> Option<Coord> {
        Some(Coord {
            x: self.x.checked_add(other.x)?,
            y: self.y.checked_add(other.y)?,
            z: self.z.checked_add(other.z)?,
        })
    }

    /// Returns the product; `None` if it is too large.
    /// Returns the difference; `None` if it is too large.
    pub(crate) fn minus(self, other: Coord) -> Option<Coord> {
        self.plus(other.times(-1)?)
    }

    pub(crate) fn times(self, count: i32) -> Option<Coord> {
        Some(Coord {
            x: self.x.checked_mul(count)?,
            y: self.y.checked_mul(count)?,
            z: self.z.checked_mul(count)?,
        })
    }
}

impl From<Coord> for Offset {
    fn from(at: Coord) -> Offset {
        Offset::on_levels(at.x, at.y, at.z)
    }
}

impl From<Offset> for Coord {
    fn from(at: Offset) -> Coord {
        Coord { x: at.dx, y: at.dy, z: at.dz }
    }
}

impl std::fmt::Display for Coord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Offset::from(*self).fmt(f)
    }
}

impl Read for Coord {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        match row::<i32>(json, at, EXPECTED_COORD, diags).as_deref() {
            Some(&[x, y]) => (Coord { x, y, z: 0 }, true),
            Some(&[x, y, z]) => (Coord { x, y, z }, true),
            _ => (Coord::default(), false),
        }
    }
}

/// What coordinates must be.
const EXPECTED_COORD: &str = "a list of two numbers, or three on a board with levels";

/// Reads a list of two or three values.
fn row<T: Read + Copy>(
    json: &Json<'_>,
    at: Place,
    expected: &str,
    diags: &mut Diagnostics<'_>,
) -> Option<Vec<T>> {
    let Json::Array(array) = json else {
        mistyped(json, at, expected, diags);
        return None;
    };
    if !(2..=3).contains(&array.elements.len()) {
        let message = format!("Expected {expected}, found {} values.", array.elements.len());
        diags.report(Code::Mistyped, at, message);
        return None;
    }
    let mut values = Vec::new();
    for (index, element) in array.elements.iter().enumerate() {
        let place = child(at, crate::place::Step::Index(index as u32), element, diags);
        values.push(T::read_at(element, place, diags));
    }
    values.iter().map(|value| value.known().copied()).collect()
}

/// Returns the square with a name such as `a1`.
pub(crate) fn square_named(text: &str) -> Option<Coord> {
    let (file, rank) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic())?);
    let column = |x: i32, letter: u8| {
        let number = i32::from(letter.to_ascii_lowercase() - b'a') + 1;
        x.checked_mul(26)?.checked_add(number)
    };
    let x = file.bytes().try_fold(0, column).filter(|x| *x > 0)?;
    let y = rank.parse::<i32>().ok().filter(|y| *y > 0)?;
    Some(Coord::flat(x - 1, y - 1))
}

schema!(Coord, inline: false, |_| schemars::json_schema!({
    "description": "Two integers: a square `[x, y]`, or a step `[dx, dy]`. On a board with levels, a third is the level.",
    "type": "array",
    "items": { "type": "integer" },
    "minItems": 2,
    "maxItems": 3,
}));

/// How steps are rotated for a player. A step is a row vector: `step' = step · matrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// The rotation matrix.
    pub matrix: [[i32; 3]; 3],
}

impl Default for Direction {
    fn default() -> Self {
        Direction::flat([[1, 0], [0, 1]])
    }
}

impl Direction {
    /// Keywords and their matrices.
    pub const KEYWORDS: [(&'static str, [[i32; 2]; 2]); 4] = [
        ("UP", [[1, 0], [0, 1]]),
        ("DOWN", [[-1, 0], [0, -1]]),
        ("RIGHT", [[0, -1], [1, 0]]),
        ("LEFT", [[0, 1], [-1, 0]]),
    ];

    /// Returns the direction with a matrix of two rows, which leaves levels as they are.
    pub const fn flat([[a, b], [c, d]]: [[i32; 2]; 2]) -> Self {
        Direction { matrix: [[a, b, 0], [c, d, 0], [0, 0, 1]] }
    }

    /// Rotates a step for the player.
    pub fn turn(self, step: Coord) -> Coord {
        let [a, b, c] = self.matrix;
        let part = |x: usize| step.x * a[x] + step.y * b[x] + step.z * c[x];
        Coord { x: part(0), y: part(1), z: part(2) }
    }

    /// Returns the same as a symmetry of the lattice, if it is one. On a board without levels, levels stay as they are.
    pub fn symmetry(self, board: &BoardSpec) -> Option<Orientation> {
        let has_levels = board.dimensions.z > 1;
        let leaves_levels = self.matrix[2] == [0, 0, 1];
        Orientation::on(board.lattice(), self.matrix).filter(|_| has_levels || leaves_levels)
    }
}

impl BoardSpec {
    /// Returns how the squares are arranged.
    pub fn lattice(&self) -> Lattice {
        match self.lattice.as_deref() {
            None | Some(LatticeWord::Square) => Lattice::Square,
            Some(LatticeWord::Hex) => Lattice::Hex,
        }
    }

    /// Returns the number of levels.
    pub fn levels(&self) -> i32 {
        if self.dimensions.z == 0 { 1 } else { self.dimensions.z }
    }

    /// Returns the number of a square, row by row and level by level.
    pub(crate) fn number(&self, at: Coord) -> Square {
        let size = &*self.dimensions;
        Square(((at.z * size.y + at.y) * size.x + at.x) as u16)
    }

    /// Returns whether all dimensions are at least 1 and there are not too many squares.
    pub(crate) fn has_good_size(&self) -> bool {
        let sizes = [self.dimensions.x, self.dimensions.y, self.levels()].map(i64::from);
        let squares = sizes.iter().try_fold(1i64, |product, size| product.checked_mul(*size));
        sizes.iter().all(|size| *size >= 1) && squares.is_some_and(|it| it <= limits::SQUARES as i64)
    }

    /// Returns the column of a square, and its row counted through all levels.
    pub(crate) fn cell(&self, at: Coord) -> (u16, u16) {
        (at.x as u16, (at.z * self.dimensions.y + at.y) as u16)
    }

    /// Returns whether a square is within the rectangle, perhaps a hole.
    pub(crate) fn spans(&self, at: Coord) -> bool {
        let sizes = [self.dimensions.x, self.dimensions.y, self.levels()];
        [at.x, at.y, at.z].iter().zip(sizes).all(|(at, size)| (0..size).contains(at))
    }

    /// Returns what makes the board more than a rectangle. Links that leave the board are left out.
    pub(crate) fn topology(&self) -> Topology {
        let mut topology = Topology::default();
        topology.lattice = self.lattice();
        topology.levels = self.levels() as u16;
        topology.file_letters = self.files.as_ref().map(|files| files.to_string());
        for axis in self.wrap.iter() {
            topology.wraps[**axis as usize] = true;
        }
        for link in self.links.iter() {
            let onward = link.onward.as_ref().map_or(*link.step, |onward| **onward).into();
            for (from, to) in link.from.iter().zip(link.to.iter()) {
                if self.spans(**from) && self.spans(**to) {
                    let (from, to) = (self.number(**from), self.number(**to));
                    topology.links.push(Link { from, step: (*link.step).into(), to, onward });
                }
            }
        }
        topology
    }

    /// Returns the board, if its size, files and links are valid.
    pub(crate) fn board(&self) -> Option<Board> {
        let size = self.dimensions.known().filter(|_| self.has_good_size())?;
        let (files, ranks) = (size.x as u16, size.y as u16);
        let holes = self.disabled_positions.iter().map(|at| **at).filter(|at| self.spans(*at));
        let holes: Vec<(u16, u16)> = holes.map(|at| self.cell(at)).collect();
        Board::with_topology(files, ranks, &holes, &self.topology())
    }
}

/// What a direction must be.
const EXPECTED_MATRIX: &str = "a 2×2 or 3×3 matrix or one of the keywords UP, DOWN, RIGHT and LEFT";

impl Read for Direction {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        let names = Self::KEYWORDS.map(|(name, _)| name);
        match json {
            Json::StringLit(text) => {
                let word = Self::KEYWORDS.iter().find(|(name, _)| *name == text.value);
                if word.is_none() {
                    unknown_keyword(&text.value, &names, at, diags);
                }
                (word.map_or_else(Direction::default, |(_, matrix)| Direction::flat(*matrix)), word.is_some())
            }
            Json::Array(_) => match row::<Coord>(json, at, EXPECTED_MATRIX, diags).as_deref() {
                Some([first, second]) => (Direction::flat([[first.x, first.y], [second.x, second.y]]), true),
                Some([first, second, third]) => {
                    let matrix = [first, second, third].map(|row| [row.x, row.y, row.z]);
                    (Direction { matrix }, true)
                }
                _ => (Direction::default(), false),
            },
            _ => {
                mistyped(json, at, EXPECTED_MATRIX, diags);
                (Direction::default(), false)
            }
        }
    }
}

schema!(Direction, inline: false, |generator| {
    let row = generator.subschema_for::<Coord>();
    schemars::json_schema!({
        "description": "A symmetry of the board's lattice, as a matrix or a keyword: one of 8 of squares, 12 of hexagons, 48 of levels.",
        "anyOf": [
            {
                "enum": Self::KEYWORDS.map(|(name, _)| name),
                "enumDescriptions": ["Moves up.", "Moves down.", "Moves to the right.", "Moves to the left."],
            },
            { "type": "array", "items": row, "minItems": 2, "maxItems": 3 },
        ],
    })
});

impl Effect {
    /// Returns the flag that the effect sets or reads.
    pub fn flag(&self) -> Option<&At<String>> {
        match self {
            Effect::SetState { state, .. } | Effect::CaptureMarked { state } => Some(state),
            Effect::Capture { .. } | Effect::Move { .. } | Effect::Drop { .. } => None,
        }
    }
}

impl Condition {
    /// Returns the flag that the condition tests.
    pub fn flag(&self) -> Option<&At<String>> {
        match self {
            Condition::CheckState { state, .. } | Condition::Marked { state } => Some(state),
            _ => None,
        }
    }

    /// Returns the lists of conditions nested in this one.
    pub fn nested(&self) -> &[At<Conditions>] {
        match self {
            Condition::Any { of } => of.as_slice(),
            Condition::All { of } | Condition::Not { of } => std::slice::from_ref(of),
            _ => &[],
        }
    }

    /// Calls `show` with this condition and all that are nested in it.
    fn gather<'c>(condition: &'c At<Condition>, found: &mut Vec<&'c At<Condition>>) {
        found.push(condition);
        condition.nested().iter().flat_map(|list| list.iter()).for_each(|it| Condition::gather(it, found));
    }
}

/// Returns conditions, each followed by those nested in it.
pub fn with_nested<'c>(list: impl IntoIterator<Item = &'c At<Condition>>) -> Vec<&'c At<Condition>> {
    let mut found = Vec::new();
    list.into_iter().for_each(|condition| Condition::gather(condition, &mut found));
    found
}

impl GameSpec {
    /// Returns the codes of the leaders.
    pub fn leaders(&self) -> impl Iterator<Item = &At<String>> {
        self.leader.iter().flat_map(|leader| leader.pieces.iter())
    }

    /// Returns the drops of the game.
    pub fn drops(&self) -> impl Iterator<Item = &At<DropSpec>> {
        let drops = self.hands.iter().flat_map(|hands| hands.drops.iter());
        drops.flat_map(|drops| drops.iter())
    }

    /// Returns the conditions of `restrictions`, `priority`, drops and triggers, each followed by those nested in it.
    pub fn game_conditions(&self) -> Vec<&At<Condition>> {
        let of_game = self.restrictions.iter().chain(self.priority.iter().flat_map(|list| list.iter()));
        let of_drops = self.drops().flat_map(|drop| drop.conditions.iter());
        let of_triggers = self.triggers.iter().flat_map(|trigger| trigger.when.iter());
        let of_parts = self.turns.then.iter().flat_map(|part| part.after.iter().chain(part.only.iter()));
        with_nested(of_game.chain(of_drops).chain(of_triggers).chain(of_parts))
    }

    /// Returns the moves of all pieces, then those of the parts of a turn.
    pub fn every_move(&self) -> impl Iterator<Item = &At<MoveSpec>> {
        let of_parts = self.turns.then.iter().flat_map(|part| part.moves.iter());
        self.pieces.iter().flat_map(|piece| piece.moves.iter()).chain(of_parts)
    }
}

impl MoveSpec {
    /// Returns whether the move leads to every square.
    pub fn is_anywhere(&self) -> bool {
        self.anywhere.as_ref().is_some_and(|anywhere| anywhere.known() == Some(&true))
    }

    /// Returns the conditions of the move, its actions and its modifiers, each followed by those nested in it.
    pub fn all_conditions(&self) -> impl Iterator<Item = &At<Condition>> {
        let actions = self.actions.iter().flat_map(|action| action.conditions.iter());
        let modifiers = self.modifiers.iter().flat_map(|modifier| modifier.conditions.iter());
        with_nested(self.conditions.iter().chain(actions).chain(modifiers)).into_iter()
    }

    /// Returns the side effects of the move and its actions.
    pub fn all_effects(&self) -> impl Iterator<Item = &At<Effect>> {
        self.side_effects.iter().chain(self.actions.iter().flat_map(|action| action.side_effects.iter()))
    }
}
