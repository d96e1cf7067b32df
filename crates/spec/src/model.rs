//! The format, as types: what a game file may say. Each definition is also the reader and the JSON Schema of its
//! object (see `read.rs`). Nothing here is resolved: names are strings, steps are neutral.

mod choice;
mod ending;
mod mechanics;

pub use choice::{LayoutPlayer, LayoutSpec, OccasionSpec, OptionSpec, Setting};
pub use ending::{Clause, Clauses, EndingResult, EndingSpec, Owner, QuietSpec, Trigger};
pub use mechanics::{
    AllowSpec, Attacked, Captor, Captured, ChanceSpec, ControlSpec, DieCheck, EndingWho, ExchangeSpec,
    Exposure, FigureSpec, HoldSpec, Join, LeaderObject, LeaderSpec, ReactionSpec, RegionOf, SharingSpec,
    Stalemate, Stuck, TagSpec, TeamSpec,
};

use jsonc_parser::ast::{Object, Value as Json};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::place::{At, Place};
use crate::read::{
    Anything, Fields, List, Named, Read, child, mistyped, record, tagged, unknown_word, words,
};

record! {
    /// A chess-family game: its board, its players, its pieces and how they move.
    GameSpec, "A game" {
        /// Where editors find the schema of this file. Not used by the engine.
        "$schema" => schema: Option<At<String>>,
        /// Human-readable name of the game.
        "name" => name: At<String>,
        /// One sentence about the game, shown in the list of games.
        "about" => about: Option<At<String>>,
        /// The piece whose capture ends the game for its owner. Leave it out for games without checkmate.
        "leader" => leader: Option<At<LeaderSpec>>,
        /// Board geometry.
        "board" => board: At<BoardSpec>,
        /// One entry per player: orientation and starting layout.
        "players" => players: At<Vec<At<PlayerSpec>>>,
        /// Turn order.
        "turns" => turns: At<TurnsSpec>,
        /// Named conditions that moves may refer to by their code.
        "conditions" => conditions: List<GlobalCondition>,
        /// Every kind of piece that can ever stand on the board.
        "pieces" => pieces: At<Vec<At<PieceSpec>>>,
        /// How the game ends beside mate, stalemate and captured leaders; of those that hold, the first counts.
        "endings" => endings: List<EndingSpec>,
        /// What counts as quiet play; if left out, every turn without a capture.
        "quiet" => quiet: Option<At<QuietSpec>>,
        /// Whether the players may agree on a draw; `true` if left out.
        "draw_offers" => draw_offers: Option<At<bool>>,
        /// Players who win and lose together. Who is in none is a team of his own.
        "teams" => teams: List<TeamSpec>,
        /// What happens to a player who has no legal move; `ENDS` if left out.
        "stuck" => stuck: Option<At<Stuck>>,
        /// Squares that may hold a leader and one other piece of its team.
        "sharing" => sharing: Option<At<SharingSpec>>,
        /// Something that pieces of some kinds carry for life.
        "tag" => tag: Option<At<TagSpec>>,
        /// How a player comes to move a partner's army.
        "control" => control: Option<At<ControlSpec>>,
        /// What happens when pieces are captured, one after the other.
        "reactions" => reactions: List<ReactionSpec>,
        /// Figures that capture for whoever completes them.
        "figures" => figures: List<FigureSpec>,
        /// Captured leaders may be exchanged.
        "exchange" => exchange: Option<At<ExchangeSpec>>,
        /// Whether a player may hand his army over to a partner for good; `false` if left out.
        "withdrawal" => withdrawal: Option<At<bool>>,
        /// A die that is thrown before every move.
        "chance" => chance: Option<At<ChanceSpec>>,
        /// Squares that win for a leader who holds them for a round.
        "hold" => hold: Option<At<HoldSpec>>,
        /// By name, what may be chosen before the game.
        "options" => options: Option<At<Named<OptionSpec>>>,
        /// By name, values of options that go together.
        "presets" => presets: Option<At<Named<Named<Setting>>>>,
        /// What options are when somebody plays with the die, or one person for each team.
        "occasions" => occasions: Option<At<OccasionSpec>>,
        /// By name, other ways to set up the board.
        "layouts" => layouts: Option<At<Named<LayoutSpec>>>,
    }
}

record! {
    /// Board geometry. `[0, 0]` is the bottom-left square.
    BoardSpec, "A board" {
        /// `[columns, rows]`, each at least 1; at most 1,024 squares in all.
        "dimensions" => dimensions: At<Coord>,
        /// Squares that do not exist: no piece stands on them or moves over them.
        "disabled_positions" => disabled_positions: List<Coord>,
    }
}

record! {
    /// A player, its orientation and its army.
    PlayerSpec, "A player" {
        /// Name of the player, used in the turn order and in conditions.
        "name" => name: At<String>,
        /// How the neutral steps of the pieces, written for a player who moves up, are turned for this one.
        "direction" => direction: At<Direction>,
        /// The pieces that the player starts with.
        "starting_positions" => starting_positions: At<Vec<At<StartSpec>>>,
    }
}

record! {
    /// Pieces of one kind and the squares they start on.
    StartSpec, "A starting position" {
        /// Code of the piece.
        "piece" => piece: At<String>,
        /// Squares `[x, y]` of the board, one piece each.
        "positions" => positions: At<Vec<At<Coord>>>,
        /// The value of the game's tag that these pieces carry; that of their squares if left out.
        "tag" => tag: Option<At<String>>,
    }
}

record! {
    /// Who moves when.
    TurnsSpec, "`turns`" {
        /// Cycle of player names. A name may stand more than once.
        "order" => order: At<Vec<At<String>>>,
        /// Index into `order` at which the game starts; 0 if left out.
        "start_at" => start_at: Option<At<i32>>,
    }
}

tagged! {
    /// A condition that moves and endings refer to by its code.
    GlobalCondition, "A global condition", tag "type" {
        /// The landing square is in the mover's list; for an ending, the square of a piece in its owner's.
        "POSITION" => Position {
            /// The name by which moves and endings refer to it.
            "code" => code: At<String>,
            /// For each player, by name, a list of squares of the board.
            "check" => check: At<Named<Vec<At<Coord>>>>,
        }
        /// A flag of a piece. It is read, but moves ask for flags with `CHECK_STATE`.
        "STATE" => State {
            /// Its name.
            "code" => code: At<String>,
            /// Not looked at.
            "check" => check: Option<At<Anything>>,
        }
    }
}

impl Default for GlobalCondition {
    fn default() -> Self {
        GlobalCondition::State { code: At::default(), check: None }
    }
}

impl GlobalCondition {
    /// The name by which moves refer to it.
    pub fn code(&self) -> &At<String> {
        match self {
            GlobalCondition::Position { code, .. } | GlobalCondition::State { code, .. } => code,
        }
    }

    fn other(word: &At<String>, _: &Object<'_>, _: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        unknown_word(word, Self::WORDS, word.place(), faults);
        (GlobalCondition::default(), false)
    }
}

record! {
    /// A kind of piece and its moves.
    PieceSpec, "A piece" {
        /// Unique name of the kind. Boards show its first three characters.
        "code" => code: At<String>,
        /// Human-readable label.
        "name" => name: Option<At<String>>,
        /// One letter for board text; the first letter of the code if left out.
        "letter" => letter: Option<At<String>>,
        /// The moves that it has.
        "moves" => moves: At<Vec<At<MoveSpec>>>,
    }
}

record! {
    /// One move pattern of a piece.
    MoveSpec, "A move" {
        /// Number of the move, unique within its piece.
        "id" => id: At<i32>,
        /// `[dx, dy]`, as for a player who moves up.
        "step" => step: At<Coord>,
        /// What happens on the landing square, by what stands there.
        "actions" => actions: At<Vec<At<ActionSpec>>>,
        /// All must hold, or the move is not offered.
        "conditions" => conditions: List<Condition>,
        /// What becomes of the piece afterwards: promotion.
        "modifiers" => modifiers: List<ModifierSpec>,
        /// Further changes of the board whenever the move is made.
        "side_effects" => side_effects: List<Effect>,
        /// The step repeats: sliding pieces.
        "repeat" => repeat: Option<At<RepeatSpec>>,
    }
}

record! {
    /// What the piece does when the landing square is in a given state.
    ActionSpec, "An action" {
        /// What stands on the landing square.
        "state" => state: At<Target>,
        /// What the piece does then.
        "action" => action: At<ActionKind>,
        /// Only pieces of these kinds are captured.
        "piece" => piece: Option<At<Vec<At<String>>>>,
        /// Pieces of these kinds are not captured.
        "not_piece" => not_piece: Option<At<Vec<At<String>>>>,
        /// Whether only pieces with the same value of the tag are captured, and those without one; `false` if left out.
        "same_tag" => same_tag: Option<At<bool>>,
        /// Further conditions of this action alone.
        "conditions" => conditions: List<Condition>,
        /// Further changes of the board when this action is taken.
        "side_effects" => side_effects: List<Effect>,
    }
}

words! {
    /// What stands on the landing square.
    Target {
        /// Nothing.
        Empty = "EMPTY",
        /// A piece of a player of another team.
        Enemy = "ENEMY",
        /// A piece of the mover.
        Ally = "ALLY",
        /// A piece of a partner.
        Team = "TEAM",
    }
}

words! {
    /// What an action does.
    ActionKind {
        /// Go to the landing square.
        Move = "MOVE",
        /// Remove the piece that stands there and go there.
        Capture = "CAPTURE",
    }
}

words! {
    /// What is asked of a square.
    Occupancy {
        /// Nothing stands on it.
        Empty = "EMPTY",
        /// Something stands on it.
        NotEmpty = "NOT_EMPTY",
        /// A piece of a player of another team stands on it.
        Enemy = "ENEMY",
        /// A piece of the mover stands on it.
        Ally = "ALLY",
        /// A piece of a partner stands on it.
        Team = "TEAM",
    }
}

words! {
    /// The square from which an offset counts.
    Anchor {
        /// Where the moving piece comes from.
        Source = "SOURCE",
        /// Where it lands.
        Target = "TARGET",
    }
}

tagged! {
    /// Something that must hold. Offsets are neutral, and count from the source of the moving piece.
    Condition, "A condition", tag "condition" {
        /// The moving piece has never moved.
        "FIRST_MOVE" => FirstMove {}
        /// Another move of this piece has a landing square now.
        "DEPENDS_ON" => DependsOn {
            /// Number of the other move.
            "move_id" => move_id: At<i32>,
        }
        /// A piece stands at the offset and has never moved.
        "PIECE_FIRST_MOVE" => PieceFirstMove {
            /// Offset of the square.
            "position" => position: At<Coord>,
        }
        /// No piece stands at the offset, or one that has never moved.
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
        /// Every square strictly between source and landing is empty.
        "PATH_EMPTY" => PathEmpty {}
        /// No opponent attacks the landing square.
        "NOT_ATTACKED" => NotAttacked {}
        /// No opponent attacks the source, the landing or a square between them.
        "PATH_NOT_ATTACKED" => PathNotAttacked {}
        /// The square at the offset exists, and all that is named here holds of it.
        "SQUARE" => Square {
            /// Offset of the square.
            "position" => position: At<Coord>,
            /// From where the offset counts; `SOURCE` if left out.
            "anchor" => anchor: Option<At<Anchor>>,
            /// What stands on it.
            "state" => state: Option<At<Occupancy>>,
            /// A piece of one of these kinds stands on it.
            "piece" => piece: Option<At<Vec<At<String>>>>,
            /// Whether the piece on it has never moved.
            "unmoved" => unmoved: Option<At<bool>>,
        }
        /// The source or the landing is in a list of a `POSITION` condition.
        "IN_REGION" => InRegion {
            /// Code of the condition.
            "region" => region: At<String>,
            /// Whose list; `OWN` if left out.
            "of" => of: Option<At<RegionOf>>,
            /// Which square; `TARGET` if left out.
            "at" => anchor: Option<At<Anchor>>,
        }
        /// So many pieces are on the board. At least one of `min`, `max` and `lost` must be there.
        "COUNT" => Count {
            /// Of these kinds, all together; of every kind but the leader if left out.
            "piece" => piece: Option<At<Vec<At<String>>>>,
            /// Of these players; `OWN` if left out.
            "owner" => owner: Option<At<Owner>>,
            /// Only those that stand on a square that this `POSITION` condition lists for their owner.
            "in" => region: Option<At<String>>,
            /// At least so many; 0 if left out.
            "min" => min: Option<At<i32>>,
            /// At most so many; without limit if left out.
            "max" => max: Option<At<i32>>,
            /// At least so many fewer than at the start of the game.
            "lost" => lost: Option<At<i32>>,
        }
    } else
    /// A condition that the game defines under `conditions`, by its code: the landing square is in its list.
    Code
}

impl Default for Condition {
    fn default() -> Self {
        Condition::Code(At::default())
    }
}

impl Condition {
    fn other(word: &At<String>, object: &Object<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        Fields::open(object, at, &["condition"], "A condition named by its code", faults);
        (Condition::Code(word.clone()), true)
    }
}

record! {
    /// Makes the step repeat. Every square on the way is a landing, until something ends the slide.
    RepeatSpec, "`repeat`" {
        /// What ends the slide on the square where it holds: `NOT_EMPTY` (if left out), `EMPTY`, `ALLY`, `TEAM`,
        /// `ENEMY`, or the code of a `POSITION` condition.
        "until" => until: Option<At<String>>,
        /// Without a limit; `false` if left out.
        "loop" => repeats_forever: Option<At<bool>>,
        /// At most so many steps; 1 if left out.
        "times" => times: Option<At<i32>>,
        /// The first landing is after so many steps; 1 if left out.
        "min" => min: Option<At<i32>>,
    }
}

record! {
    /// What becomes of the piece after the move.
    ModifierSpec, "A modifier" {
        /// The only one is `TRANSFORM`: promotion.
        "action" => action: At<ModifierKind>,
        /// All must hold for it to happen.
        "conditions" => conditions: List<Condition>,
        /// Codes of the pieces among which the player chooses.
        "options" => options: At<Vec<At<String>>>,
        /// By the code of an option: what every other piece of that kind and owner becomes, where it stands.
        "replaces" => replaces: Option<At<Named<String>>>,
    }
}

words! {
    /// What a modifier does.
    ModifierKind {
        /// The piece becomes another one, fresh.
        Transform = "TRANSFORM",
    }
}

tagged! {
    /// A further change of the board. Offsets are neutral, and count from the source of the moving piece.
    Effect, "A side effect", tag "action" {
        /// The moved piece gets a flag.
        "SET_STATE" => SetState {
            /// Name of the flag.
            "state" => state: At<String>,
            /// For how many turns of the other slots of the order; for ever if left out.
            "duration" => duration: Option<At<i32>>,
        }
        /// Removes the piece at the offset, if there is one.
        "CAPTURE" => Capture {
            /// Offset of the square.
            "target" => target: At<Coord>,
        }
        /// Moves another piece of the mover.
        "MOVE" => Move {
            /// Only a piece of this kind is moved.
            "piece" => piece: Option<At<String>>,
            /// Offset of the square where it stands.
            "from" => from: At<Coord>,
            /// Offset of the square where it goes.
            "to" => to: At<Coord>,
        }
    }
}

impl Default for Effect {
    fn default() -> Self {
        Effect::Capture { target: At::default() }
    }
}

impl Effect {
    fn other(word: &At<String>, _: &Object<'_>, _: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        unknown_word(word, Self::WORDS, word.place(), faults);
        (Effect::default(), false)
    }
}

/// Two whole numbers: a square of the board, a step, an offset, or the size of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coord {
    /// To the right.
    pub x: i32,
    /// Upwards.
    pub y: i32,
}

impl std::fmt::Display for Coord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{},{}]", self.x, self.y)
    }
}

impl Read for Coord {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        match pair::<i32>(json, at, faults) {
            Some([x, y]) => (Coord { x, y }, true),
            None => (Coord::default(), false),
        }
    }
}

/// A list of exactly two values; anything else is reported.
fn pair<T: Read + Copy>(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> Option<[T; 2]> {
    const EXPECTED: &str = "a list of two numbers";
    let Json::Array(array) = json else {
        mistyped(json, at, EXPECTED, faults);
        return None;
    };
    let [first, second] = array.elements.as_slice() else {
        let message = format!("Expected {EXPECTED}, found {} values.", array.elements.len());
        faults.report(Code::Mistyped, at, message);
        return None;
    };
    let place = child(at, crate::place::Step::Index(0), first, faults);
    let first = T::read_at(first, place, faults);
    let place = child(at, crate::place::Step::Index(1), second, faults);
    let second = T::read_at(second, place, faults);
    Some([*first.known()?, *second.known()?])
}

#[cfg(feature = "schema")]
impl JsonSchema for Coord {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Coord".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Two whole numbers: a square `[x, y]`, or a step `[dx, dy]`.",
            "type": "array",
            "items": { "type": "integer" },
            "minItems": 2,
            "maxItems": 2,
        })
    }
}

/// How the neutral steps are turned for a player: a step is a row vector, `step' = step · matrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// The matrix; a word of the format stands for one.
    pub matrix: [[i32; 2]; 2],
}

impl Default for Direction {
    fn default() -> Self {
        Direction { matrix: [[1, 0], [0, 1]] }
    }
}

impl Direction {
    /// The words, and the matrix that each stands for.
    pub const WORDS: [(&'static str, [[i32; 2]; 2]); 4] = [
        ("UP", [[1, 0], [0, 1]]),
        ("DOWN", [[-1, 0], [0, -1]]),
        ("RIGHT", [[0, -1], [1, 0]]),
        ("LEFT", [[0, 1], [-1, 0]]),
    ];

    /// A neutral step, turned for the player.
    pub fn turn(self, step: Coord) -> Coord {
        let [[a, b], [c, d]] = self.matrix;
        Coord { x: step.x * a + step.y * c, y: step.x * b + step.y * d }
    }

    /// Whether it is one of the 8 symmetries of the square: each row and column has a single 1 or -1.
    pub fn is_symmetry(self) -> bool {
        let [[a, b], [c, d]] = self.matrix;
        let rows = [[a, b], [c, d], [a, c], [b, d]];
        rows.iter().all(|pair| matches!(pair, [1 | -1, 0] | [0, 1 | -1]))
    }
}

impl Read for Direction {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        let names = Self::WORDS.map(|(name, _)| name);
        match json {
            Json::StringLit(text) => {
                let word = Self::WORDS.iter().find(|(name, _)| *name == text.value);
                if word.is_none() {
                    unknown_word(&text.value, &names, at, faults);
                }
                (
                    word.map_or_else(Direction::default, |(_, matrix)| Direction { matrix: *matrix }),
                    word.is_some(),
                )
            }
            Json::Array(_) => match pair::<Coord>(json, at, faults) {
                Some([first, second]) => {
                    (Direction { matrix: [[first.x, first.y], [second.x, second.y]] }, true)
                }
                None => (Direction::default(), false),
            },
            _ => {
                mistyped(json, at, "a 2×2 matrix or one of the words UP, DOWN, RIGHT and LEFT", faults);
                (Direction::default(), false)
            }
        }
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Direction {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Direction".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let row = generator.subschema_for::<Coord>();
        json_schema!({
            "description": "One of the 8 symmetries of the square, as a matrix or a word.",
            "anyOf": [
                { "enum": Self::WORDS.map(|(name, _)| name) },
                { "type": "array", "items": row, "minItems": 2, "maxItems": 2 },
            ],
        })
    }
}

impl MoveSpec {
    /// The conditions of the move, of its actions and of its modifiers.
    pub fn all_conditions(&self) -> impl Iterator<Item = &At<Condition>> {
        let actions = self.actions.iter().flat_map(|action| action.conditions.iter());
        let modifiers = self.modifiers.iter().flat_map(|modifier| modifier.conditions.iter());
        self.conditions.iter().chain(actions).chain(modifiers)
    }

    /// The side effects of the move and of its actions.
    pub fn all_effects(&self) -> impl Iterator<Item = &At<Effect>> {
        self.side_effects.iter().chain(self.actions.iter().flat_map(|action| action.side_effects.iter()))
    }
}
