//! Fixed limits. [`crate::Settings`] has those that an operator can change.

use std::time::Duration;

// Connections.

/// Rejected connections that receive an error response at the same time. Others are closed without one.
pub(crate) const MAX_REJECTIONS: usize = 256;
/// Unread bytes drained from a rejected connection before it is closed.
pub(crate) const MAX_DRAINED_BYTES: u64 = 64 << 10;
/// Time to send the head of an HTTP request.
pub(crate) const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Time to send the body of an HTTP request.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(20);
/// Size of an HTTP body: a spec as a JSON string, in which every character may be escaped.
pub(crate) const MAX_BODY_BYTES: usize = 2 * MAX_SPEC_BYTES + (16 << 10);
/// Bytes read and discarded from a body that is too large, so that the client sees the error response.
pub(crate) const MAX_DISCARDED_BYTES: usize = 16 << 20;

// Sockets.

/// Size of one socket message.
pub(crate) const MAX_MESSAGE_BYTES: usize = 4 << 10;
/// Socket messages of one client: burst size, and rate per second.
pub(crate) const MESSAGE_RATE: (f64, f64) = (60.0, 20.0);
/// Malformed messages after which a socket is closed.
pub(crate) const MAX_MALFORMED_MESSAGES: u32 = 20;
/// Messages queued for a client that does not read. The socket is closed when the queue is full.
pub(crate) const MAX_QUEUED_MESSAGES: usize = 64;
/// Bytes queued for a client that does not read.
pub(crate) const MAX_QUEUED_BYTES: usize = 1 << 20;
/// Time to send `hello`.
pub(crate) const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two pings of the server.
pub(crate) const PING_INTERVAL: Duration = Duration::from_secs(15);
/// Time without a message or an answer to a ping after which a socket is closed.
pub(crate) const IDLE_TIMEOUT: Duration = Duration::from_secs(35);

// Specs sent by clients.

/// Size of a spec. The largest library game is a fraction of it.
pub(crate) const MAX_SPEC_BYTES: usize = 256 << 10;
/// Size of compiled rules for each byte of their spec, besides the tables of slides.
pub(crate) const BYTES_PER_SPEC_BYTE: usize = 60;
/// Size of compiled rules for each value in the long form of their spec.
pub(crate) const BYTES_PER_SPEC_VALUE: usize = 512;
/// Memory of all compiled games.
pub(crate) const MAX_GAME_BYTES: usize = 1 << 30;
/// Memory of the compiled games and the histories of one address.
pub(crate) const MAX_GAME_BYTES_EACH: usize = 96 << 20;
/// CPU time to compile a spec.
pub(crate) const MAX_COMPILE_TIME: Duration = Duration::from_millis(300);
/// Size of the long form of a spec, as sent to a client.
pub(crate) const MAX_LONG_FORM_BYTES: usize = 2 << 20;
/// CPU time to find the shortest form of a spec, for which it is loaded many times.
pub(crate) const MAX_FORMAT_TIME: Duration = Duration::from_millis(500);
/// Texts that are offered to complete a spec.
pub(crate) const MAX_COMPLETIONS: usize = 200;
/// Time to find and write the first moves of a game.
pub(crate) const MAX_FIRST_MOVES_TIME: Duration = Duration::from_millis(50);
/// Time that a request waits for a permit to work.
pub(crate) const WORK_QUEUE_TIMEOUT: Duration = Duration::from_secs(5);
/// CPU time that an address may use, for each request that it may send.
pub(crate) const CPU_TIME_PER_REQUEST: Duration = Duration::from_millis(10);
/// Time to compute all move diagrams of a game. Diagrams that are not finished by then are left out.
pub(crate) const MAX_DIAGRAMS_TIME: Duration = Duration::from_millis(100);
/// The work of all pieces on all squares of a game whose pieces get values. Without values, material is not counted.
pub(crate) const MAX_VALUES_WORK: usize = 1 << 22;

// Games.

/// Length of the text of an action, in characters.
pub(crate) const MAX_ACTION_LENGTH: usize = 200;
/// The most moves of a game; then it is a draw.
pub(crate) const MAX_PLIES: u32 = 4000;
/// The sum of the work of all positions of a game; then it is aborted. Restoring a game takes time in proportion to it.
pub(crate) const MAX_GAME_WORK: usize = 3000 * MAX_PLIES as usize;
/// CPU time to apply an event and to find the next moves; a game that needs more is aborted.
pub(crate) const MAX_EVENT_TIME: Duration = Duration::from_millis(200);
/// Journal entries after which moves can no longer be taken back.
pub(crate) const MAX_ENTRIES_FOR_UNDO: usize = 3 * MAX_PLIES as usize;
/// The shortest clock, in seconds.
pub(crate) const MIN_CLOCK_SECONDS: f64 = 0.1;
/// Memory of one action in the history of a game, besides the position.
pub(crate) const BYTES_PER_ACTION: usize = 1 << 10;
/// Actions after which the memory of a growing game is checked.
pub(crate) const ACTIONS_PER_CHECK: usize = 64;
/// Actions of a game whose complete view is computed without a permit.
pub(crate) const SHORT_GAME: usize = 200;
/// Time after which an idle room leaves memory. It stays in the database.
pub(crate) const IDLE_ROOM_TIME: Duration = Duration::from_secs(600);
/// Length of a person's name, in characters.
pub(crate) const MAX_NAME_LENGTH: usize = 30;
/// How often a person can come with another name.
pub(crate) const MAX_NAMES: u32 = 10;
/// Jobs written to the database in one transaction.
pub(crate) const MAX_WRITE_BATCH: usize = 256;

// Programs.

/// Memory of a built-in player's transposition table, in megabytes.
pub(crate) const HASH_MEGABYTES: usize = 8;
/// Unfinished games with agents. Each holds a process.
pub(crate) const MAX_AGENT_GAMES: usize = 64;
/// Unfinished games with agents opened by one address.
pub(crate) const MAX_AGENT_GAMES_EACH: usize = 16;
/// Retries of an agent after a rejected answer, per move.
pub(crate) const AGENT_RETRIES: u32 = 2;
/// Answers of agents kept in memory for new spectators.
pub(crate) const MAX_AGENT_ANSWERS: usize = 50;
/// Length of an agent's answer as shown, in characters.
pub(crate) const MAX_ANSWER_LENGTH: usize = 4 << 10;
