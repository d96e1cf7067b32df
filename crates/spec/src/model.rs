//! The types of the game format. Each definition also yields the reader and the JSON Schema of its object (see
//! `read.rs`). Nothing is resolved here: names are strings, and steps are written for a player who moves up.

mod choice;
mod ending;
mod hands;
mod mechanics;
mod nested;

pub use choice::{LayoutPlayer, LayoutSpec, OccasionSpec, OptionSpec, Setting};
pub use ending::{Along, Area, Clause, Clauses, EndingResult, EndingSpec, Owner, QuietSpec, Trigger};
pub use hands::{CounterEffect, CounterSpec, DropSpec, HandOf, HandsSpec, Per, TriggerSpec};
pub use mechanics::{
    AllowSpec, Attacked, Captor, Captured, ChanceSpec, CheckWhen, Codes, ControlSpec, DieCheck, EndingWho,
    ExchangeSpec, Exposure, FigureSpec, HoldSpec, Join, LeaderObject, LeaderSpec, Lost, ReactionSpec,
    RegionOf, SharingSpec, Stalemate, Stuck, TagSpec, TeamSpec,
};
pub use nested::{Conditions, Nested};

use jsonc_parser::ast::Value as Json;

use crate::code::Code;
use crate::diagnostic::Diagnostics;
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
        /// `[columns, rows]`, each at least 1; at most 1,024 squares in total.
        "dimensions" => dimensions: At<Coord>,
        /// Squares that do not exist: pieces neither stand on them nor move over them.
        "disabled_positions" => disabled_positions: List<Coord>,
    }

    /// A player: direction and starting pieces.
    PlayerSpec, "A player" {
        /// Name of the player, used in the turn order and in conditions.
        "name" => name: At<String>,
        /// How steps, which are written for a player who moves up, are rotated for this player.
        "direction" => direction: At<Direction>,
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

/// Two integers: a square, a step, an offset or the size of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coord {
    /// Columns to the right.
    pub x: i32,
    /// Rows upwards.
    pub y: i32,
}

impl Coord {
    /// Returns the lower left corner of the rectangle between two squares.
    pub(crate) fn min_each(self, other: Coord) -> Coord {
        Coord { x: self.x.min(other.x), y: self.y.min(other.y) }
    }

    /// Returns the upper right corner of the rectangle between two squares.
    pub(crate) fn max_each(self, other: Coord) -> Coord {
        Coord { x: self.x.max(other.x), y: self.y.max(other.y) }
    }
}

impl std::fmt::Display for Coord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{},{}]", self.x, self.y)
    }
}

impl Read for Coord {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        match pair::<i32>(json, at, diags) {
            Some([x, y]) => (Coord { x, y }, true),
            None => (Coord::default(), false),
        }
    }
}

/// Reads a list of exactly two values.
fn pair<T: Read + Copy>(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> Option<[T; 2]> {
    const EXPECTED: &str = "a list of two numbers";
    let Json::Array(array) = json else {
        mistyped(json, at, EXPECTED, diags);
        return None;
    };
    let [first, second] = array.elements.as_slice() else {
        let message = format!("Expected {EXPECTED}, found {} values.", array.elements.len());
        diags.report(Code::Mistyped, at, message);
        return None;
    };
    let place = child(at, crate::place::Step::Index(0), first, diags);
    let first = T::read_at(first, place, diags);
    let place = child(at, crate::place::Step::Index(1), second, diags);
    let second = T::read_at(second, place, diags);
    Some([*first.known()?, *second.known()?])
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
    Some(Coord { x: x - 1, y: y - 1 })
}

schema!(Coord, inline: false, |_| schemars::json_schema!({
    "description": "Two integers: a square `[x, y]`, or a step `[dx, dy]`.",
    "type": "array",
    "items": { "type": "integer" },
    "minItems": 2,
    "maxItems": 2,
}));

/// How steps are rotated for a player. A step is a row vector: `step' = step · matrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// The rotation matrix.
    pub matrix: [[i32; 2]; 2],
}

impl Default for Direction {
    fn default() -> Self {
        Direction { matrix: [[1, 0], [0, 1]] }
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

    /// Rotates a step for the player.
    pub fn turn(self, step: Coord) -> Coord {
        let [[a, b], [c, d]] = self.matrix;
        Coord { x: step.x * a + step.y * c, y: step.x * b + step.y * d }
    }

    /// Returns 1 for a rotation and -1 for a reflection.
    pub(crate) fn determinant(self) -> i32 {
        let [[a, b], [c, d]] = self.matrix;
        a * d - b * c
    }

    /// Whether the matrix is one of the 8 symmetries of the square: a single 1 or -1 in each row and column.
    pub fn is_symmetry(self) -> bool {
        let [[a, b], [c, d]] = self.matrix;
        let rows = [[a, b], [c, d], [a, c], [b, d]];
        rows.iter().all(|pair| matches!(pair, [1 | -1, 0] | [0, 1 | -1]))
    }
}

impl Read for Direction {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        let names = Self::KEYWORDS.map(|(name, _)| name);
        match json {
            Json::StringLit(text) => {
                let word = Self::KEYWORDS.iter().find(|(name, _)| *name == text.value);
                if word.is_none() {
                    unknown_keyword(&text.value, &names, at, diags);
                }
                (
                    word.map_or_else(Direction::default, |(_, matrix)| Direction { matrix: *matrix }),
                    word.is_some(),
                )
            }
            Json::Array(_) => match pair::<Coord>(json, at, diags) {
                Some([first, second]) => {
                    (Direction { matrix: [[first.x, first.y], [second.x, second.y]] }, true)
                }
                None => (Direction::default(), false),
            },
            _ => {
                mistyped(json, at, "a 2×2 matrix or one of the keywords UP, DOWN, RIGHT and LEFT", diags);
                (Direction::default(), false)
            }
        }
    }
}

schema!(Direction, inline: false, |generator| {
    let row = generator.subschema_for::<Coord>();
    schemars::json_schema!({
        "description": "One of the 8 symmetries of the square, as a matrix or a keyword.",
        "anyOf": [
            {
                "enum": Self::KEYWORDS.map(|(name, _)| name),
                "enumDescriptions": ["Moves up.", "Moves down.", "Moves to the right.", "Moves to the left."],
            },
            { "type": "array", "items": row, "minItems": 2, "maxItems": 2 },
        ],
    })
});

impl Condition {
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
        with_nested(of_game.chain(of_drops).chain(of_triggers))
    }
}

impl MoveSpec {
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
