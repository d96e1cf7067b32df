//! What goes over the wire: the bodies of HTTP requests and answers, and the messages of a socket. The page uses these and
//! nothing else; `/api/openapi.json` is made from them.
//!
//! Squares are `[x, y]`, counted from 0 at the bottom left of the board as its file has it. Players and kinds of pieces are
//! numbers: indices into the lists of [`GameView`]. All names come from specs: they are text and never markup.

use serde::{Deserialize, Serialize};
use serde_json::Value;
#[cfg(test)]
use utoipa::ToSchema;

/// A square: `[x, y]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Square(pub [u16; 2]);

/// Why something is refused. Every refusal over HTTP has this body, under a status of the 400s or 500s; over a socket it is
/// the message `refused`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Refusal {
    /// A stable word for programs, such as `not_your_turn`.
    pub rule: String,
    /// One sentence for people.
    pub why: String,
    /// The faults of a spec that was sent along, if that is why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Fault>,
}

/// A fault of a spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Fault {
    /// Its stable name.
    pub code: String,
    /// `error` or `warning`.
    pub severity: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// How to mend it, where that can be said.
    pub help: Option<String>,
    /// JSON pointer to the value.
    pub pointer: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// Where the text that is shown ends: its line.
    pub end_line: usize,
    /// And the column after its last character.
    pub end_column: usize,
}

/// A game of the library.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct LibraryGame {
    /// The name by which it is called: `chess`.
    pub name: String,
    /// Its title: `Chess`.
    pub title: String,
    /// One sentence about it.
    pub about: String,
    /// Columns of the board.
    pub files: u16,
    /// Rows of the board.
    pub ranks: u16,
    /// The players, in the order of the file.
    pub players: Vec<PlayerView>,
    /// What may be chosen before the game begins.
    pub offer: OfferView,
}

/// A game of the library with its text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct LibraryText {
    /// The spec, as its author wrote it.
    pub spec: String,
    /// The rulebook, as Markdown.
    pub rulebook: String,
}

/// What a game lets choose.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct OfferView {
    /// Starting arrays beside the file's own.
    pub layouts: Vec<Named>,
    /// Rule sets: names for several options at once.
    pub presets: Vec<PresetView>,
    /// Options.
    pub options: Vec<OptionView>,
}

/// Something with a name.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Named {
    /// The name.
    pub name: String,
    /// What the file says about it.
    pub about: Option<String>,
}

/// A rule set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct PresetView {
    /// The name.
    pub name: String,
    /// The options that it sets, with their values.
    pub options: Vec<(String, String)>,
}

/// An option.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct OptionView {
    /// The name.
    pub name: String,
    /// What the file says about it.
    pub about: Option<String>,
    /// Its values.
    pub values: Vec<String>,
    /// The value that it has if nobody chooses.
    pub default: String,
}

/// What is chosen of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ChoiceBody {
    /// A layout, by its name.
    pub layout: Option<String>,
    /// A preset, by its name.
    pub preset: Option<String>,
    /// Options and their values, which count more than the preset.
    pub options: Vec<(String, String)>,
}

/// Who can be asked to play beside people: only what the operator of this server has named.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Opponent {
    /// What to write in [`SeatBody::who`]: `player:level3`, `agent:stockfish`.
    pub who: String,
    /// The name to show.
    pub name: String,
    /// `player` (built in) or `agent` (a program that the operator has named).
    pub kind: String,
}

/// A spec to be looked at.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpecBody {
    /// The spec: JSON, as text.
    pub spec: String,
    /// What is chosen of what it leaves open.
    #[serde(default)]
    pub choice: ChoiceBody,
}

/// A spec, looked at.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Checked {
    /// Every fault, in the order of the text.
    pub diagnostics: Vec<Fault>,
    /// How many more there are than are told.
    pub left_out: usize,
    /// The game, if it can be played.
    pub game: Option<Preview>,
}

/// A game that can be played, before it is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Preview {
    /// Board, pieces and players.
    pub game: GameView,
    /// What may be chosen.
    pub offer: OfferView,
    /// The men at the start.
    pub men: Vec<Man>,
    /// The rules in English, as plain text with headings that are underlined with `=` and `-`.
    pub english: String,
    /// How each kind moves on an empty board, and what it attacks.
    pub diagrams: Vec<Diagram>,
}

/// A game of the library as it begins, to be drawn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct LibraryBoard {
    /// Board, pieces and players.
    pub game: GameView,
    /// The men at the start.
    pub men: Vec<Man>,
}

/// How one kind of piece moves for the first player who has it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Diagram {
    /// The kind.
    pub kind: usize,
    /// The player whose piece is drawn.
    pub player: usize,
    /// Columns of the drawing.
    pub files: u16,
    /// Rows of the drawing.
    pub ranks: u16,
    /// Where it stands.
    pub at: Square,
    /// Where it can go if nobody is in the way.
    pub goes: Vec<Square>,
    /// Where it can capture an enemy who stands alone on the board with it.
    pub takes: Vec<Square>,
}

/// What does not change while a game is played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct GameView {
    /// Its name in the library, if it is one of those.
    pub library: Option<String>,
    /// Its title.
    pub title: String,
    /// One sentence about it, if its file has one.
    pub about: Option<String>,
    /// The starting array, if it is not the file's own.
    pub layout: Option<String>,
    /// The options that are not as the file has them by itself, with their values.
    pub options: Vec<(String, String)>,
    /// Columns of the board.
    pub files: u16,
    /// Rows of the board.
    pub ranks: u16,
    /// Squares that do not exist.
    pub holes: Vec<Square>,
    /// Squares with a name that matter to the eye: thrones, castles.
    pub regions: Vec<RegionView>,
    /// The kinds of pieces.
    pub kinds: Vec<KindView>,
    /// The players.
    pub players: Vec<PlayerView>,
    /// The kind whose loss ends the game for its owner.
    pub leader: Option<usize>,
    /// Whether draws may be agreed on.
    pub draw_offers: bool,
    /// What can be claimed when it holds, in lower case: `threefold_repetition`.
    pub claims: Vec<String>,
    /// The faces of the die, if there is one.
    pub die: Option<u8>,
}

/// A named set of squares.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct RegionView {
    /// Its name.
    pub code: String,
    /// Its squares.
    pub squares: Vec<Square>,
}

/// A kind of piece.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct KindView {
    /// Its name: `KNIGHT`.
    pub code: String,
    /// Its letter: `N`.
    pub letter: String,
}

/// A player of the game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct PlayerView {
    /// The name: `WHITE`.
    pub name: String,
    /// The team, if there are teams.
    pub team: Option<String>,
    /// By how many quarters the board is turned clockwise so that this player's men go up: 0 to 3.
    pub turn: u8,
}

/// A man on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Man {
    /// Where.
    pub at: Square,
    /// Which kind.
    pub kind: usize,
    /// Whose.
    pub player: usize,
    /// Whether it is the second one on its square, who shares it with the first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
}

/// What is asked for at a new table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct TableBody {
    /// A game of the library, by name.
    pub game: Option<String>,
    /// Or a spec of one's own, as text.
    pub spec: Option<String>,
    /// What is chosen of what the game leaves open.
    pub choice: ChoiceBody,
    /// Who sits where; each player of the game sits once. Without any, one person plays all of them.
    pub seats: Vec<SeatBody>,
    /// The clock, if there is one.
    pub clock: Option<ClockBody>,
    /// Where it begins, as board text; at the game's own start without it.
    pub start: Option<String>,
    /// What chance starts from; drawn by the server without it.
    pub seed: Option<u64>,
}

/// A seat: one person or program, for one player or several.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatBody {
    /// The players of the game, by name.
    pub players: Vec<String>,
    /// `human`, or what an [`Opponent`] says.
    pub who: String,
}

/// A clock, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ClockBody {
    /// For the whole game.
    pub seconds: f64,
    /// Added after every move.
    #[serde(default)]
    pub increment: f64,
}

/// A table that was opened, with its secret links.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Opened {
    /// The table.
    pub id: String,
    /// A key for each seat of a person: whoever has it plays there. The link is `/play#ID.KEY`.
    pub seats: Vec<SeatKey>,
    /// The key for those who watch. The link is `/watch#ID.KEY`.
    pub watch: String,
}

/// The key of a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct SeatKey {
    /// For which players.
    pub players: Vec<usize>,
    /// The key.
    pub key: String,
}

/// What a client says over a socket: exactly one of these, as JSON. The first is `hello`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FromClient {
    /// Who comes: the key of a seat or of those who watch.
    Hello {
        /// The key.
        key: String,
    },
    /// Something is done at the table.
    Act {
        /// A move (`e2e4`, `a7a8q`), `draw`, `accept`, `decline`, `resign`, `claim threefold_repetition`, `claim
        /// threefold_repetition g1f3` (with the move that is announced), `throw`, `exchange`, `withdraw YELLOW`.
        text: String,
        /// How many acts were seen before it: one that comes too late does nothing.
        seen: usize,
    },
    /// Takes back to one's own last move. For whoever plays against programs alone, or plays for all.
    Undo {
        /// How many acts were seen before it.
        seen: usize,
    },
    /// Is anybody there?
    Ping {
        /// Said back.
        nonce: u64,
    },
}

/// What the server says over a socket: one of these, as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "it is written out at once")]
pub enum FromServer {
    /// Everything about the table, after `hello` and whenever acts were taken back.
    Table(Box<TableView>),
    /// Something happened. It is written in the journal already.
    Done {
        /// What.
        act: ActView,
        /// How it stands now.
        state: Box<StateView>,
    },
    /// What an agent was asked and answered, for those who watch.
    Asked(Box<ExchangeView>),
    /// Who is there has changed.
    Present {
        /// The players whose seats have somebody, or a program.
        players: Vec<usize>,
        /// How many watch.
        watching: usize,
    },
    /// What the client said last is refused; nothing has happened.
    Refused(Refusal),
    /// The answer to `ping`.
    Pong {
        /// What was said.
        nonce: u64,
    },
}

/// A table, as one who sits or stands there sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct TableView {
    /// The table.
    pub id: String,
    /// Board, pieces and players.
    pub game: GameView,
    /// Who sits where, by player.
    pub seats: Vec<SeatView>,
    /// The players for whom the one who asks plays; none if he watches.
    pub you: Vec<usize>,
    /// Whether he may take moves back.
    pub may_undo: bool,
    /// The key for those who watch, to give to others.
    pub watch: String,
    /// The men at the start.
    pub start: Vec<Man>,
    /// Everything that was done, oldest first.
    pub acts: Vec<ActView>,
    /// How it stands.
    pub state: StateView,
    /// The clock that was set.
    pub clock: Option<ClockBody>,
    /// The players whose seats have somebody, or a program.
    pub present: Vec<usize>,
    /// How many watch.
    pub watching: usize,
    /// What agents were asked and answered, for those who watch: the last of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<ExchangeView>,
}

/// Who sits at a place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct SeatView {
    /// `human`, `player` or `agent`.
    pub kind: String,
    /// The name of the program; empty for people.
    pub name: String,
    /// Which seat: those with the same number are one person or program.
    pub seat: usize,
}

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct ActView {
    /// Which one: they are counted from 0.
    pub n: usize,
    /// By whom: the player whose turn it was, or who spoke.
    pub player: usize,
    /// The player who decided, where it is another: one who moves a partner's army.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<usize>,
    /// As it was said: `e2e4`, `resign`, `flag`.
    pub text: String,
    /// As people write a move: `Nf3`, `O-O`. Only of moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// From where and to where, of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squares: Option<[Square; 2]>,
    /// What the die showed after it, throw by throw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub throws: Vec<u8>,
    /// The number of the round in which it was done, counted from 1.
    pub round: u32,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// The squares that have changed, with the men who stand there now: none, one, or a host and a guest.
    pub changes: Vec<(Square, Vec<Man>)>,
    /// Whether something was captured.
    pub capture: bool,
    /// Whose army is frozen after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frozen: Vec<usize>,
    /// Who is in check after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub check: Vec<usize>,
}

/// How a game stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct StateView {
    /// How many acts were done.
    pub seen: usize,
    /// Every man on the board.
    pub men: Vec<Man>,
    /// Whose turn it is.
    pub mover: usize,
    /// Who is asked: who moves for that army, or must answer a proposal.
    pub actor: usize,
    /// The round, counted from 1.
    pub round: u32,
    /// Who is in check.
    pub check: Vec<usize>,
    /// Who is out of the game.
    pub out: Vec<usize>,
    /// Whose army is frozen.
    pub frozen: Vec<usize>,
    /// Whose leader is captive, and by whom.
    pub captives: Vec<(usize, usize)>,
    /// Whose army is moved by another, and by whom.
    pub controlled: Vec<(usize, usize)>,
    /// Who holds the squares that count.
    pub holding: Vec<usize>,
    /// What the die shows.
    pub die: Option<u8>,
    /// What whoever is asked can do beside moving. Only in what is sent to him; so are `moves`.
    pub can: Option<Can>,
    /// The legal moves.
    pub moves: Vec<MoveView>,
    /// Who offers a draw that has neither been agreed on nor lapsed.
    pub offer: Option<usize>,
    /// The exchange that waits for an answer.
    pub proposal: Option<ExchangeOffer>,
    /// Who would resign, if the partner did.
    pub resigning: Vec<usize>,
    /// The time that each player has left in milliseconds; empty without a clock.
    pub clocks: Vec<u64>,
    /// Whether the clock of whoever is asked runs.
    pub running: bool,
    /// How often the position has been there, now included.
    pub repetitions: u32,
    /// How many turns in a row were quiet.
    pub quiet: u32,
    /// The position as board text.
    pub text: String,
    /// How it ended.
    pub end: Option<EndView>,
}

/// What can be done beside moving.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Can {
    /// Offer a draw.
    pub draw: bool,
    /// Claim these, which hold.
    pub claims: Vec<String>,
    /// Throw the die.
    pub throw: bool,
    /// Propose this exchange.
    pub exchange: Option<ExchangeOffer>,
    /// Hand the army over to these.
    pub withdraw: Vec<usize>,
}

/// An exchange of captured leaders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct ExchangeOffer {
    /// Who proposes it.
    pub proposer: usize,
    /// Who must agree.
    pub answerer: usize,
    /// Whose leader comes back to the proposer's team, and where.
    pub asked: (usize, Square),
    /// Whose leader is given for it, and where it comes back.
    pub given: (usize, Square),
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct MoveView {
    /// From where.
    pub from: Square,
    /// To where.
    pub to: Square,
    /// Whether it is the guest who moves, and not the host.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
    /// What the man becomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<usize>,
    /// What to say in order to make it.
    pub text: String,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct EndView {
    /// Who won; nobody, if it is a draw.
    pub winners: Vec<usize>,
    /// The rule that decided it: `checkmate`, `threefold_repetition`, `timeout`.
    pub reason: String,
}

/// What an agent was asked, what it answered, and what the referee said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct ExchangeView {
    /// How many acts were done before.
    pub seen: usize,
    /// The player.
    pub player: usize,
    /// The name of the agent.
    pub agent: String,
    /// The state that it saw, as the agent protocol sends it; board text for engines and our own players.
    pub state: Value,
    /// What it answered, clipped if it is very long; `null` if there was no answer.
    pub answer: Option<String>,
    /// `move`, `claim`, `illegal`, `malformed`, `timeout` …
    pub verdict: String,
    /// Why it was not accepted.
    pub why: Option<String>,
    /// How long it took, in milliseconds.
    pub ms: u64,
}
