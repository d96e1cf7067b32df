//! JSON types of the HTTP API. `/api/openapi.json` is generated from them and from [`socket_types`](crate::socket_types).
//!
//! A square is `[x, y]`, counted from 0 at the bottom left of the board. Players and piece kinds are indices into the lists
//! of [`GameView`]. Names come from game specs: clients must show them as text, never as markup.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

/// Defines structs of JSON messages. Each has the derives of all such types; further ones are listed on it.
macro_rules! views {
    ($($(#[$attribute:meta])* pub struct $name:ident $fields:tt)*) => {$(
        #[derive(Clone, Debug, Serialize)]
        #[cfg_attr(test, derive(ToSchema))]
        $(#[$attribute])*
        pub struct $name $fields
    )*};
}
pub(crate) use views;

/// A square: `[x, y]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Square(pub [u16; 2]);

views! {
    /// An error. It is the body of every HTTP response with a 4xx or 5xx status, and the socket message `refused`.
    #[derive(PartialEq, Eq, Deserialize)]
    pub struct ErrorBody {
        /// A stable code for programs, such as `not_your_turn`.
        pub rule: String,
        /// One sentence for people.
        pub why: String,
        /// The problems of the spec that was sent, if they are the reason.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub diagnostics: Vec<DiagnosticView>,
    }

    /// A problem of a game spec.
    #[derive(PartialEq, Eq, Deserialize)]
    pub struct DiagnosticView {
        /// The stable code.
        pub code: String,
        /// `error`, `warning` or `note`.
        pub severity: String,
        /// One sentence that says what is wrong.
        pub message: String,
        /// How to fix it, if known.
        pub help: Option<String>,
        /// JSON pointer to the value.
        pub pointer: String,
        /// The line, counted from 1.
        pub line: usize,
        /// The column in characters, counted from 1.
        pub column: usize,
        /// The last line of the marked text.
        pub end_line: usize,
        /// The column after the last marked character.
        pub end_column: usize,
    }

    /// A game of the library.
    pub struct LibraryGame {
        /// The library name: `chess`.
        pub name: String,
        /// The title: `Chess`.
        pub title: String,
        /// One sentence about the game.
        pub about: String,
        /// Number of board columns.
        pub files: u16,
        /// Number of board rows on one level.
        pub ranks: u16,
        /// Number of levels.
        pub levels: u16,
        /// The players, in the order of the spec.
        pub players: Vec<PlayerView>,
        /// The choices to make before the game starts.
        pub offer: OfferView,
    }

    /// The source text of a library game.
    pub struct LibraryText {
        /// The spec, as its author wrote it.
        pub spec: String,
        /// The rulebook, in Markdown.
        pub rulebook: String,
        /// A short spec that extends the game and changes nothing yet, for new variants.
        pub variant: String,
    }

    /// The choices that a game offers.
    #[derive(Default)]
    pub struct OfferView {
        /// Starting arrays other than the default.
        pub layouts: Vec<LayoutView>,
        /// Presets: names for several option values together.
        pub presets: Vec<PresetView>,
        /// Options.
        pub options: Vec<OptionView>,
    }

    /// A starting array.
    pub struct LayoutView {
        /// The name.
        pub name: String,
        /// The description in the spec.
        pub about: Option<String>,
    }

    /// A preset of option values.
    pub struct PresetView {
        /// The name.
        pub name: String,
        /// The options that it sets, with their values.
        pub options: Vec<(String, String)>,
    }

    /// A rule option.
    pub struct OptionView {
        /// The name.
        pub name: String,
        /// The description in the spec.
        pub about: Option<String>,
        /// The possible values.
        pub values: Vec<String>,
        /// The default value.
        pub default: String,
    }

    /// The layout, preset and options chosen for a game.
    #[derive(Default, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct ChoiceBody {
        /// The name of a layout.
        pub layout: Option<String>,
        /// The name of a preset.
        pub preset: Option<String>,
        /// Options and their values. They override the preset.
        pub options: Vec<(String, String)>,
    }

    /// A program that can take a seat. The operator of the server lists them.
    pub struct Opponent {
        /// The value for [`SeatBody::who`]: `player:level3`, `agent:stockfish`.
        pub who: String,
        /// The name to show.
        pub name: String,
        /// `player` (built in) or `agent` (a program added by the operator).
        pub kind: String,
    }

    /// A spec to check.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct SpecBody {
        /// The spec, as JSON text.
        pub spec: String,
        /// The choices among what the spec offers.
        #[serde(default)]
        pub choice: ChoiceBody,
    }

    /// A spec to format.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct FormatBody {
        /// The spec, as JSON text.
        pub spec: String,
    }

    /// A spec in another form.
    pub struct SpecText {
        /// The spec, as JSON text.
        pub spec: String,
    }

    /// A position in a spec that is being written.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct CompleteBody {
        /// The spec, possibly unfinished.
        pub spec: String,
        /// The position of the cursor in UTF-16 units, as browsers count.
        pub offset: usize,
    }

    /// What can be written at a position.
    pub struct CompleteResult {
        /// The texts, the most likely first. Those that do not begin with what is written are included.
        pub completions: Vec<CompletionView>,
    }

    /// A text that can be written.
    pub struct CompletionView {
        /// The word to show: `leader`.
        pub label: String,
        /// The text to insert: `"leader": `.
        pub insert: String,
        /// The first character that it replaces, in UTF-16 units.
        pub start: usize,
        /// The character after the last one that it replaces.
        pub end: usize,
        /// What it is: `key`, `keyword`, `piece` and so on.
        pub kind: String,
        /// One sentence about it; may be empty.
        pub description: String,
    }

    /// A word of Betza notation to draw and explain.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct BetzaBody {
        /// The word: `fmWfcF`.
        pub word: String,
    }

    /// The moves of a word of Betza notation, or the problem with it.
    pub struct BetzaResult {
        /// The problem, if the word cannot be read.
        pub error: Option<BetzaProblem>,
        /// The moves, if it can be read.
        pub moves: Option<BetzaMoves>,
    }

    /// A problem with a word of Betza notation.
    pub struct BetzaProblem {
        /// The first wrong character, counted from 0.
        pub start: usize,
        /// The character after the last wrong one.
        pub end: usize,
        /// One sentence that says what is wrong.
        pub message: String,
        /// What to write instead.
        pub help: String,
    }

    /// The moves of a word of Betza notation.
    pub struct BetzaMoves {
        /// The moves in English: plain text.
        pub english: String,
        /// A game whose only piece moves by the word.
        pub game: GameView,
        /// The moves of the piece.
        pub diagram: MoveDiagram,
    }

    /// The result of checking a spec.
    pub struct CheckResult {
        /// The problems, in the order of the text.
        pub diagnostics: Vec<DiagnosticView>,
        /// The number of further problems that are not listed.
        pub left_out: usize,
        /// The game, if it can be played.
        pub game: Option<GamePreview>,
    }

    /// A playable game as the workshop shows it.
    pub struct GamePreview {
        /// Board, piece kinds and players.
        pub game: GameView,
        /// The choices that it offers.
        pub offer: OfferView,
        /// The pieces in the starting position.
        #[serde(rename = "men")]
        pub pieces: Vec<PieceView>,
        /// The rules in English: plain text, with headings underlined by `=` and `-`.
        pub english: String,
        /// The moves of each piece kind.
        pub diagrams: Vec<MoveDiagram>,
    }

    /// The rules of a game, for its players.
    pub struct RulesView {
        /// The rules in English: plain text, with headings underlined by `=` and `-`.
        pub english: String,
        /// The moves of each piece kind.
        pub diagrams: Vec<MoveDiagram>,
        /// The material value of each piece kind, in hundredths of a pawn; 0 for a leader.
        pub values: Vec<i32>,
    }

    /// The starting position of a library game.
    pub struct LibraryBoard {
        /// Board, piece kinds and players.
        pub game: GameView,
        /// The pieces in the starting position.
        #[serde(rename = "men")]
        pub pieces: Vec<PieceView>,
    }

    /// The moves of one piece kind, for the first player that has it.
    pub struct MoveDiagram {
        /// The piece kind.
        pub kind: usize,
        /// The owner of the piece.
        pub player: usize,
        /// Number of columns of the diagram.
        pub files: u16,
        /// Number of rows of the diagram.
        pub ranks: u16,
        /// The square of the piece.
        pub at: Square,
        /// The squares it can move to on an empty board.
        pub goes: Vec<Square>,
        /// The squares on which it can capture a single enemy piece.
        pub takes: Vec<Square>,
        /// Further squares that it can move to over other pieces.
        pub hops: Vec<Square>,
        /// Further squares on which it can capture over other pieces.
        pub hop_takes: Vec<Square>,
    }

    /// The fixed data of a game: board, piece kinds, players and rules.
    pub struct GameView {
        /// The library name, if it is a library game.
        pub library: Option<String>,
        /// The title.
        pub title: String,
        /// One sentence about the game, if the spec has one.
        pub about: Option<String>,
        /// The chosen starting array, if it is not the default.
        pub layout: Option<String>,
        /// Options with a value other than the default.
        pub options: Vec<(String, String)>,
        /// Number of board columns.
        pub files: u16,
        /// Number of board rows, counted through all levels from the lowest.
        pub ranks: u16,
        /// How the squares are arranged: `square` or `hex`.
        pub lattice: String,
        /// Number of levels.
        pub levels: u16,
        /// Whether steps go on at the other side, across files, ranks and levels.
        pub wraps: Vec<bool>,
        /// The letters of the files, if they are not a, b, c…
        pub file_letters: Option<String>,
        /// Squares that do not exist.
        pub holes: Vec<Square>,
        /// Named squares to highlight, such as thrones.
        pub regions: Vec<RegionView>,
        /// The piece kinds.
        pub kinds: Vec<KindView>,
        /// The players.
        pub players: Vec<PlayerView>,
        /// The players in the order of their turns.
        pub order: Vec<usize>,
        /// The kind whose loss ends the game for its owner.
        pub leader: Option<usize>,
        /// Whether players can agree to a draw.
        pub draw_offers: bool,
        /// The draws that a player can claim, in lower case: `threefold_repetition`.
        pub claims: Vec<String>,
        /// The number of faces of the die, if the game has one.
        pub die: Option<u8>,
        /// The pieces in hand, if the game has hands.
        pub hands: Option<HandsView>,
        /// The numbers that the game keeps.
        pub counters: Vec<CounterView>,
    }

    /// The hands of a game.
    pub struct HandsView {
        /// Whose hand captured pieces go to: `captor` or `owner`; `null` if they leave the game.
        pub captured_to: Option<String>,
    }

    /// A number that the game keeps.
    pub struct CounterView {
        /// The name.
        pub code: String,
        /// Whether each player has one.
        pub per_player: bool,
        /// The largest value.
        pub max: u16,
    }

    /// A named set of squares.
    pub struct RegionView {
        /// The name.
        pub code: String,
        /// The squares.
        pub squares: Vec<Square>,
    }

    /// A piece kind.
    pub struct KindView {
        /// The name: `KNIGHT`.
        pub code: String,
        /// The letter: `N`. If each player has a character, that of the first player.
        pub letter: String,
        /// The characters by player, if each has one.
        pub letters: Option<Vec<String>>,
    }

    /// A player of the game.
    pub struct PlayerView {
        /// The name: `WHITE`.
        pub name: String,
        /// The team, if there are teams.
        pub team: Option<String>,
        /// Clockwise quarter turns (0 to 3) after which this player's pieces advance up the screen.
        pub turn: u8,
    }

    /// A piece on the board.
    #[derive(PartialEq, Eq)]
    pub struct PieceView {
        /// The square.
        pub at: Square,
        /// The piece kind.
        pub kind: usize,
        /// The owner.
        pub player: usize,
        /// Whether it is the second of two pieces that share the square.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub guest: bool,
    }

    /// The configuration of a new room.
    #[derive(Default, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct RoomBody {
        /// The name of a library game.
        pub game: Option<String>,
        /// The text of a spec, instead of `game`.
        pub spec: Option<String>,
        /// The choices among what the game offers.
        pub choice: ChoiceBody,
        /// The seats. Each player of the game has exactly one seat. If empty, one person plays all sides.
        pub seats: Vec<SeatBody>,
        /// The clock; `null` for a game without a clock.
        pub clock: Option<ClockBody>,
        /// The starting position as board text; `null` for the normal start.
        pub start: Option<String>,
        /// The random seed of built-in players; `null` lets the server choose one. It does not determine the dice.
        pub seed: Option<u64>,
    }

    /// A seat: one person or program that plays for one or more players.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct SeatBody {
        /// The names of the players.
        pub players: Vec<String>,
        /// `human`, or [`Opponent::who`].
        pub who: String,
    }

    /// A clock.
    #[derive(Copy, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ClockBody {
        /// Seconds for the whole game.
        pub seconds: f64,
        /// Seconds added after each move.
        #[serde(default)]
        pub increment: f64,
    }

    /// A new room with its secret keys.
    #[derive(Deserialize)]
    pub struct OpenedRoom {
        /// The id of the room.
        pub id: String,
        /// The key of each human seat. The link is `/play#ID.KEY`; anyone with the link can play.
        pub seats: Vec<SeatKey>,
        /// The key for spectators. The link is `/watch#ID.KEY`.
        pub watch: String,
    }

    /// The key of a seat.
    #[derive(Deserialize)]
    pub struct SeatKey {
        /// The players of the seat.
        pub players: Vec<usize>,
        /// The key.
        pub key: String,
    }
}
