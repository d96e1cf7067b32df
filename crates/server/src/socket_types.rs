//! JSON messages of a room's socket, and the views of a room that they carry.

use serde::{Deserialize, Serialize};
use serde_json::Value;
#[cfg(test)]
use utoipa::ToSchema;

use crate::http_types::{ClockBody, ErrorBody, GameView, PieceView, Square, views};

/// A message from a client: an object with exactly one of these keys. The first message is `hello`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FromClient {
    /// Joins the room.
    Hello {
        /// The key of a seat, or the key for spectators.
        key: String,
        /// The name of the person at the seat, for the others and for records.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Makes a move or takes another action.
    #[serde(rename = "act")]
    Action {
        /// A move (`e2e4`, `a7a8q`, `P@e4`), `draw`, `accept`, `decline`, `resign`, `claim threefold_repetition`, `claim
        /// threefold_repetition g1f3` (with the intended move), `throw`, `exchange`, `withdraw YELLOW`.
        text: String,
        /// The number of actions the client has seen. An action for an older position is rejected.
        seen: usize,
        /// For `resign`: the player of the seat that resigns; by default the player to act, or the only one of the seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<usize>,
    },
    /// Takes back the client's last move. With other people in the room, proposes it, or agrees to what another proposed.
    Undo {
        /// The number of actions the client has seen.
        seen: usize,
    },
    /// Declines or withdraws the proposal to take back.
    DeclineUndo {},
    /// Proposes to play again, or agrees to it. The sides change.
    Rematch {},
    /// Declines or withdraws the proposal to play again.
    DeclineRematch {},
    /// Aborts a game that a person has not joined yet.
    Abort {},
    /// Claims the game because the person of another player has been away for too long.
    ClaimLeft {
        /// That player.
        player: usize,
    },
    /// Asks for a `pong`.
    Ping {
        /// Returned in the answer.
        nonce: u64,
    },
}

/// A message from the server: an object with exactly one of these keys.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "each value is serialized immediately")]
pub enum FromServer {
    /// The complete state of the room: the answer to `hello`, and after an undo.
    #[serde(rename = "table")]
    Room(Box<RoomView>),
    /// An action was taken. It is already saved.
    Done {
        /// The action.
        #[serde(rename = "act")]
        action: ActionView,
        /// The state after it.
        state: Box<StateView>,
        /// The commitment to the throws of the die with its secret, if the action ended a game with a die.
        #[serde(skip_serializing_if = "Option::is_none")]
        dice: Option<DiceView>,
    },
    /// An agent was asked and answered. Only spectators receive it.
    Asked(Box<AgentAnswerView>),
    /// Someone joined or left.
    Present {
        /// The players whose seat is connected or held by a program.
        players: Vec<usize>,
        /// The number of spectators.
        watching: usize,
        /// The people who never came and those who left.
        people: PeopleView,
    },
    /// A proposal was made, answered or withdrawn.
    Offers(OffersView),
    /// Everyone agreed to play again.
    Next(NextRoomView),
    /// The client's last message was rejected and had no effect.
    Refused(ErrorBody),
    /// The answer to `ping`.
    Pong {
        /// The nonce of the `ping`.
        nonce: u64,
    },
}

views! {
    /// A room, as one seat or a spectator sees it.
    pub struct RoomView {
        /// The id of the room.
        pub id: String,
        /// Board, piece kinds and players.
        pub game: GameView,
        /// The seat of each player.
        pub seats: Vec<SeatView>,
        /// The players of the client's seat; empty for spectators.
        pub you: Vec<usize>,
        /// Whether the client can take moves back.
        pub may_undo: bool,
        /// The key for spectators.
        pub watch: String,
        /// The pieces in the starting position.
        pub start: Vec<PieceView>,
        /// The pieces in hand in the starting position, as in the state.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub start_hands: Vec<Vec<u8>>,
        /// The counters in the starting position, as in the state.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub start_counters: Vec<Vec<u16>>,
        /// The dice thrown before the first action.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub throws: Vec<u8>,
        /// All actions, oldest first.
        #[serde(rename = "acts")]
        pub actions: Vec<ActionView>,
        /// The current state.
        pub state: StateView,
        /// The clock setting.
        pub clock: Option<ClockBody>,
        /// How the throws of the die can be checked; `null` for games without a die.
        pub dice: Option<DiceView>,
        /// The players whose seat is connected or held by a program.
        pub present: Vec<usize>,
        /// The number of spectators.
        pub watching: usize,
        /// The people who never came and those who left.
        pub people: PeopleView,
        /// The open proposals. An action ends the proposal to take back.
        pub offers: OffersView,
        /// The room in which the same people play again.
        pub next: Option<NextRoomView>,
        /// The latest questions to agents and their answers. Only spectators receive them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub asked: Vec<AgentAnswerView>,
    }

    /// The commitment to all throws of a game. `docs/server.md` says how the throws follow from the secret.
    pub struct DiceView {
        /// The SHA-256 hash of the secret, in hexadecimal digits. It does not change during the game.
        pub commitment: String,
        /// The secret, in hexadecimal digits, once the game is over.
        pub secret: Option<String>,
    }

    /// The people who never came and those who left. Both are empty once the game is over.
    pub struct PeopleView {
        /// The players whose person has not come yet. The clocks start when there are none.
        pub missing: Vec<usize>,
        /// Milliseconds until the game is aborted if they do not come.
        pub abort_in: Option<u64>,
        /// The people who left.
        pub away: Vec<AwayView>,
    }

    /// A person who left.
    pub struct AwayView {
        /// The players of the seat.
        pub players: Vec<usize>,
        /// Milliseconds until the other side may claim the game.
        pub claim_in: u64,
    }

    /// The open proposals of a room.
    pub struct OffersView {
        /// To take back the last move of the one who proposes it.
        pub undo: Option<OfferedView>,
        /// To play again.
        pub rematch: Option<OfferedView>,
    }

    /// A proposal to which all people in the room must agree.
    pub struct OfferedView {
        /// The players of the seat that proposes it.
        pub by: Vec<usize>,
        /// The players whose seats agree.
        pub agreed: Vec<usize>,
    }

    /// The room of a rematch.
    pub struct NextRoomView {
        /// The id of the room.
        pub id: String,
        /// The key for the same person, or for spectators.
        pub key: String,
    }

    /// The seat of a player.
    pub struct SeatView {
        /// `human`, `player` or `agent`.
        pub kind: String,
        /// The name of the program, or the name that the person gave; empty if there is none.
        pub name: String,
        /// The number of the seat. Players with the same number share one person or program.
        pub seat: usize,
    }

    /// An action that was taken.
    #[derive(PartialEq, Eq)]
    pub struct ActionView {
        /// The number of the action, counted from 0.
        pub n: usize,
        /// The player to move or, for an action out of turn, the player that took it.
        pub player: usize,
        /// The player that decided, if it is another one, such as a partner that controls the army.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub by: Option<usize>,
        /// The action as text: `e2e4`, `resign`, `flag`.
        pub text: String,
        /// The move in standard algebraic notation: `Nf3`, `O-O`. Only for moves.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub san: Option<String>,
        /// Origin and target. Only for moves. A drop has no origin.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub squares: Option<(Option<Square>, Square)>,
        /// The dice thrown after the action.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub throws: Vec<u8>,
        /// The round, counted from 1.
        pub round: u32,
        /// Thinking time in milliseconds.
        pub ms: u64,
        /// The squares that changed, with the pieces on them now: none, one, or a host and a guest.
        pub changes: Vec<(Square, Vec<PieceView>)>,
        /// The hands that changed: player, piece kind, and the number of such pieces in hand now.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub hands: Vec<(usize, usize, u8)>,
        /// The counters that changed: counter, player (0 for a counter of the game), and the value now.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub counters: Vec<(usize, usize, u16)>,
        /// Whether a piece was captured.
        pub capture: bool,
        /// The pieces that left the board.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub captured: Vec<CapturedView>,
        /// The captured pieces that returned to the board, other than by a drop.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub returned: Vec<CapturedView>,
        /// The players out of the game after the action.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub out: Vec<usize>,
        /// The players whose army is frozen after the action.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub frozen: Vec<usize>,
        /// The players in check after the action.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub check: Vec<usize>,
    }

    /// A captured piece.
    #[derive(PartialEq, Eq)]
    pub struct CapturedView {
        /// The piece kind.
        pub kind: usize,
        /// The owner.
        pub player: usize,
    }

    /// The current state of a game.
    pub struct StateView {
        /// The number of actions taken so far.
        pub seen: usize,
        /// The pieces on the board.
        #[serde(rename = "men")]
        pub pieces: Vec<PieceView>,
        /// The pieces in hand: for each player, the number of each piece kind. Empty if the game has no hands.
        pub hands: Vec<Vec<u8>>,
        /// The values of each counter: one for each player, or one for the game.
        pub counters: Vec<Vec<u16>>,
        /// The player whose army moves next.
        pub mover: usize,
        /// The player that must act: it moves the mover's army, or answers a proposal.
        pub actor: usize,
        /// The round, counted from 1.
        pub round: u32,
        /// The players in check.
        pub check: Vec<usize>,
        /// The players out of the game.
        pub out: Vec<usize>,
        /// The players whose army is frozen.
        pub frozen: Vec<usize>,
        /// Captured leaders: owner and captor.
        pub captives: Vec<(usize, usize)>,
        /// Armies moved by another player: owner and controller.
        pub controlled: Vec<(usize, usize)>,
        /// The players that hold the goal squares.
        pub holding: Vec<usize>,
        /// The current face of the die.
        pub die: Option<u8>,
        /// The actions available besides moving. Like `moves`, only the seat that must act receives it.
        pub can: Option<AvailableActions>,
        /// The legal moves.
        pub moves: Vec<MoveView>,
        /// The player with an open draw offer.
        pub offer: Option<usize>,
        /// The exchange proposal that awaits an answer.
        pub proposal: Option<ExchangeOffer>,
        /// The players who resign as soon as their partners do.
        pub resigning: Vec<usize>,
        /// Remaining time of each player in milliseconds; empty without a clock.
        pub clocks: Vec<u64>,
        /// Whether the actor's clock is running.
        pub running: bool,
        /// The number of times this position has occurred, including now.
        pub repetitions: u32,
        /// The number of consecutive quiet turns.
        pub quiet: u32,
        /// The position as board text.
        pub text: String,
        /// The result, once the game is over.
        pub end: Option<EndView>,
    }

    /// The actions available besides moving.
    #[derive(PartialEq, Eq)]
    pub struct AvailableActions {
        /// Whether a draw can be offered.
        pub draw: bool,
        /// The draws that can be claimed now.
        pub claims: Vec<String>,
        /// Whether the die must be thrown.
        pub throw: bool,
        /// The exchange that can be proposed.
        pub exchange: Option<ExchangeOffer>,
        /// The players that can take over the army.
        pub withdraw: Vec<usize>,
    }

    /// An exchange of captured leaders.
    #[derive(PartialEq, Eq)]
    pub struct ExchangeOffer {
        /// The player that proposes it.
        pub proposer: usize,
        /// The player that must agree.
        pub answerer: usize,
        /// The leader that returns to the proposer's team: owner and square.
        pub asked: (usize, Square),
        /// The leader given in return: owner and square.
        pub given: (usize, Square),
    }

    /// A legal move.
    #[derive(PartialEq, Eq)]
    pub struct MoveView {
        /// The origin; `null` for a drop.
        pub from: Option<Square>,
        /// The target.
        pub to: Square,
        /// The piece kind that is dropped from the mover's hand.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub drop: Option<usize>,
        /// Whether the guest on the origin moves, not the host.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub guest: bool,
        /// The piece kind after promotion.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub promotion: Option<usize>,
        /// The square of the other piece that a castling move moves. A click there means the same move.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub partner: Option<Square>,
        /// The further parts of the turn, each with the square that a piece leaves and the one that it enters or acts on.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub then: Vec<(Option<Square>, Square)>,
        /// The text of the action that plays the move.
        pub text: String,
    }

    /// The result of a game.
    #[derive(PartialEq, Eq)]
    pub struct EndView {
        /// The winners; empty for a draw.
        pub winners: Vec<usize>,
        /// The reason: `checkmate`, `threefold_repetition`, `timeout`.
        pub reason: String,
    }

    /// A question to an agent, its answer, and the referee's verdict.
    #[derive(PartialEq, Deserialize)]
    pub struct AgentAnswerView {
        /// The number of actions before the question.
        pub seen: usize,
        /// The player.
        pub player: usize,
        /// The name of the agent.
        pub agent: String,
        /// The state sent to the agent: an object of the agent protocol, or board text for engines and built-in players.
        pub state: Value,
        /// The answer, truncated if very long; `null` if there was none.
        pub answer: Option<String>,
        /// `move`, `claim`, `illegal`, `malformed`, `timeout` …
        pub verdict: String,
        /// Why the answer was rejected.
        pub why: Option<String>,
        /// Time to answer in milliseconds.
        pub ms: u64,
    }
}
