//! The socket of one client. The client sends its key, receives the state of the room, and then every event in it.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::time::timeout;

use crate::api_error::ApiError;
use crate::limits;
use crate::lobby::Lobby;
use crate::rate_limiter::TokenBucket;
use crate::room::Room;
use crate::socket_types::{FromClient, FromServer};
use crate::subscribers::Message;

type Sink = SplitSink<WebSocket, Frame>;
type Stream = SplitStream<WebSocket>;

/// A client that was admitted to a room.
struct Client {
    lobby: Arc<Lobby>,
    room: Arc<Room>,
    /// The seat; `None` for spectators.
    seat: Option<usize>,
    /// The id among the room's subscribers.
    id: u64,
    /// The client's address, which pays for a rematch.
    address: IpAddr,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.room.subscribers.unsubscribe(self.id);
        self.run(|| self.room.leave(&self.lobby, self.seat));
    }
}

/// Serves a socket until it closes.
pub(crate) async fn serve(lobby: Arc<Lobby>, id: String, address: IpAddr, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    if let Err(error) = talk(lobby, &id, address, &mut sink, &mut stream).await {
        close_with_error(&mut sink, &mut stream, &error).await;
    }
}

/// Exchanges messages until the client leaves (`Ok`) or must be disconnected with an error.
async fn talk(
    lobby: Arc<Lobby>,
    id: &str,
    address: IpAddr,
    sink: &mut Sink,
    stream: &mut Stream,
) -> Result<(), ApiError> {
    let Ok(hello) = timeout(limits::HELLO_TIMEOUT, stream.next()).await else { return Err(no_hello()) };
    let Some(hello) = hello else { return Ok(()) };
    let (room, seat, name) = admit(&lobby, id, &hello.map_err(bad_frame)?).await?;
    let (id, mut messages) = room.subscribers.subscribe(seat);
    let client = Client { lobby, room, seat, id, address };
    client.run(|| {
        client.room.enter(&client.lobby, seat, name.as_deref());
        client.send_snapshot();
    });
    let mut budget = TokenBucket::new(limits::MESSAGE_RATE, Instant::now());
    let mut malformed = 0;
    let mut pings = tokio::time::interval(limits::PING_INTERVAL);
    let mut last_heard = Instant::now();
    loop {
        let reply = tokio::select! {
            _ = pings.tick() => {
                // Browsers answer without a script, so that a client that is offline is soon known to be away.
                if last_heard.elapsed() > limits::IDLE_TIMEOUT {
                    return Err(ApiError::bad_request("silent", "no message for too long"));
                }
                if !send(sink, Frame::Ping(Bytes::new())).await {
                    return Ok(());
                }
                continue;
            }
            message = messages.recv() => match message {
                Some(message) => message,
                None if client.room.is_lost() => return Err(ApiError::internal()),
                None => {
                    let why = "messages were not read in time; reconnect to continue";
                    return Err(ApiError::too_many("too_slow", why));
                }
            },
            frame = stream.next() => {
                let Some(frame) = frame else { return Ok(()) };
                let frame = frame.map_err(bad_frame)?;
                last_heard = Instant::now();
                if !budget.take(Instant::now()) {
                    return Err(ApiError::too_many("too_fast", "too many messages"));
                }
                let answer = match frame {
                    Frame::Close(_) => return Ok(()),
                    Frame::Ping(_) | Frame::Pong(_) => continue,
                    frame => client.receive(&frame),
                };
                match answer {
                    Ok(None) => continue,
                    Ok(Some(answer)) => Message::new(&answer),
                    Err(error) => {
                        malformed += u32::from(error.body.rule == "malformed");
                        if malformed > limits::MAX_MALFORMED_MESSAGES {
                            return Err(error);
                        }
                        Message::new(&FromServer::Refused(error.body))
                    }
                }
            }
        };
        if !send(sink, Frame::Text(reply.0)).await {
            return Ok(());
        }
    }
}

fn no_hello() -> ApiError {
    ApiError::bad_request("no_hello", "the first message must be `hello` with a key")
}

fn bad_frame(_: axum::Error) -> ApiError {
    ApiError::bad_request("bad_frame", "the message is too large or not a valid frame")
}

/// Reads `hello` and returns the room, the seat of the key, and the name of the person.
async fn admit(
    lobby: &Arc<Lobby>,
    id: &str,
    frame: &Frame,
) -> Result<(Arc<Room>, Option<usize>, Option<String>), ApiError> {
    let FromClient::Hello { key, name } = parse(frame)? else { return Err(no_hello()) };
    let (lobby, id) = (Arc::clone(lobby), id.to_owned());
    // Restoring a room that is not in memory blocks.
    let found = tokio::task::spawn_blocking(move || lobby.room(&id)).await;
    let room = found.map_err(|_| ApiError::internal())??;
    let seat = room.seat_of_key(&key)?;
    Ok((room, seat, name))
}

fn parse(frame: &Frame) -> Result<FromClient, ApiError> {
    let Frame::Text(text) = frame else {
        return Err(ApiError::bad_request("malformed", "a message must be JSON text"));
    };
    serde_json::from_str(text).map_err(|error| {
        ApiError::bad_request("malformed", format!("cannot parse the message: {error:.200}"))
    })
}

impl Client {
    /// Sends the state of the room, after everything that others have received.
    fn send_snapshot(&self) {
        let inner = self.room.lock();
        let view = self.room.room_view(&inner, self.seat);
        let people = view.people.clone();
        let message = Message::new(&FromServer::Room(Box::new(view)));
        let (room, id) = (Arc::clone(&self.room), self.id);
        let then = move |_| room.subscribers.send_snapshot(id, message);
        // The room is still locked, so no event can come between the view and this job.
        self.lobby.store.after_pending(Box::new(then));
        self.room.report_presence(&self.lobby, people);
    }

    /// Handles a message. Returns the direct answer, if there is one.
    fn receive(&self, frame: &Frame) -> Result<Option<FromServer>, ApiError> {
        let message = parse(frame)?;
        let seat = || {
            let why = "spectators cannot play; open the link of a seat";
            self.seat.ok_or_else(|| ApiError::rejected("only_watching", why))
        };
        match message {
            FromClient::Ping { nonce } => return Ok(Some(FromServer::Pong { nonce })),
            FromClient::Hello { .. } => {
                return Err(ApiError::rejected("second_hello", "`hello` was already sent"));
            }
            FromClient::Action { text, seen, player } => {
                let seat = seat()?;
                self.run(|| self.room.act(&self.lobby, seat, &text, seen, player))?;
            }
            FromClient::Undo { seen } => {
                let seat = seat()?;
                self.run(|| self.room.undo(&self.lobby, seat, seen))?;
            }
            FromClient::DeclineUndo {} => {
                seat()?;
                self.run(|| self.room.decline_undo());
            }
            FromClient::Rematch {} => {
                let seat = seat()?;
                self.run(|| self.room.rematch(&self.lobby, seat, self.address))?;
            }
            FromClient::DeclineRematch {} => {
                seat()?;
                self.run(|| self.room.decline_rematch());
            }
            FromClient::Abort {} => {
                let seat = seat()?;
                self.run(|| self.room.abort(&self.lobby, seat))?;
            }
            FromClient::ClaimLeft { player } => {
                let seat = seat()?;
                self.run(|| self.room.claim_left(&self.lobby, seat, player))?;
            }
        }
        Ok(None)
    }

    /// Runs work on the game. Library games are fast; other games may be slow and must not block other clients.
    fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.room.loaded_game.view.library.is_some() { work() } else { tokio::task::block_in_place(work) }
    }
}

async fn send(sink: &mut Sink, frame: Frame) -> bool {
    matches!(timeout(limits::IDLE_TIMEOUT, sink.send(frame)).await, Ok(Ok(())))
}

/// Sends an error and closes the socket. Drains unread input for a moment: closing early resets the connection and loses the
/// error.
async fn close_with_error(sink: &mut Sink, stream: &mut Stream, error: &ApiError) {
    let refused = Message::new(&FromServer::Refused(error.body.clone()));
    if send(sink, Frame::Text(refused.0)).await {
        let reason = error.body.rule.clone().into();
        send(sink, Frame::Close(Some(CloseFrame { code: close_code::POLICY, reason }))).await;
        let drain = async { while let Some(Ok(_)) = stream.next().await {} };
        let _ = timeout(Duration::from_secs(1), drain).await;
    }
}
