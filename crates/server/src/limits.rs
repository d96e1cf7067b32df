//! How much of everything there may be. What an operator can change is in [`crate::Settings`]; this is the rest.

use std::time::Duration;

/// Bytes of a spec that is sent along. The largest of the library is a fraction of it.
pub(crate) const SPEC_BYTES: usize = 256 << 10;
/// Bytes of all specs whose tables are in memory, and of those that one address has sent. What the engine makes of a byte is
/// some sixty times as large.
pub(crate) const ALL_SPEC_BYTES: (usize, usize) = (16 << 20, 4 << 20);
/// How long it may take to compile one; a slower one is not played here.
pub(crate) const COMPILING: Duration = Duration::from_secs(2);
/// How long it may take to find the first moves of a game, and to write them down.
pub(crate) const FIRST_MOVES: Duration = Duration::from_millis(50);
/// Bytes of a body over HTTP: a spec, written as a JSON string, where every letter may be escaped.
pub(crate) const BODY_BYTES: usize = 2 * SPEC_BYTES + (16 << 10);
/// Bytes of a body that are read, and forgotten, before it is refused.
pub(crate) const UNREAD_BYTES: usize = 16 << 20;
/// Bytes of one message over a socket.
pub(crate) const MESSAGE_BYTES: usize = 4 << 10;
/// Characters of one act.
pub(crate) const ACT_LENGTH: usize = 200;
/// Seconds on a clock, at least.
pub(crate) const SHORTEST_CLOCK: f64 = 0.1;
/// Acts at one table; then the game is broken off.
pub(crate) const ACTS: usize = 4000;
/// Messages that wait for a client who does not read them; then the line is cut.
pub(crate) const WAITING: usize = 64;
/// How long a client may take to say who he is.
pub(crate) const HELLO: Duration = Duration::from_secs(10);
/// How long a line may be silent.
pub(crate) const SILENCE: Duration = Duration::from_secs(90);
/// How long the head of an HTTP request may take.
pub(crate) const HEAD: Duration = Duration::from_secs(10);
/// How long the body of an HTTP request may take.
pub(crate) const BODY: Duration = Duration::from_secs(20);
/// Tables with agents at which a game goes on, in all and of one address: each holds a process.
pub(crate) const AGENT_TABLES: (usize, usize) = (64, 16);
/// What an agent may answer wrongly on one move before it has lost.
pub(crate) const RETRIES: u32 = 2;
/// Exchanges with agents that are kept in memory for those who come to watch.
pub(crate) const EXCHANGES: usize = 50;
/// Bytes of an answer that are shown.
pub(crate) const SHOWN: usize = 4 << 10;
/// Megabytes in which one of our own players may remember positions.
pub(crate) const MEGABYTES: usize = 8;
/// A table at which nobody is, and nothing is to happen, leaves the memory after this time. It is still in the file.
pub(crate) const FORGETTING: Duration = Duration::from_secs(600);
/// Messages of one socket: so many at once, and so many a second after that.
pub(crate) const MESSAGES: (f64, f64) = (60.0, 20.0);
