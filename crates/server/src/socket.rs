//! The socket of one client. The client sends its key, receives the state of the room, and then every event in it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::time::timeout;

use crate::api_error::ApiError;
use crate::client_address::ClientAddress;
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
    address: ClientAddress,
    room: Arc<Room>,
    /// The seat; `None` for spectators.
    seat: Option<usize>,
    /// The id among the room's subscribers.
    id: u64,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.room.subscribers.unsubscribe(self.id);
        self.lobby.leave(&self.room, self.seat);
    }
}

/// Serves a socket until it closes.
pub(crate) async fn serve(lobby: Arc<Lobby>, address: ClientAddress, id: String, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    if let Err(error) = talk(lobby, address, &id, &mut sink, &mut stream).await {
        close_with_error(&mut sink, &mut stream, &error).await;
    }
}

/// Exchanges messages until the client leaves (`Ok`) or must be disconnected with an error.
async fn talk(
    lobby: Arc<Lobby>,
    address: ClientAddress,
    id: &str,
    sink: &mut Sink,
    stream: &mut Stream,
) -> Result<(), ApiError> {
    let Ok(hello) = timeout(limits::HELLO_TIMEOUT, stream.next()).await else { return Err(no_hello()) };
    let Some(hello) = hello else { return Ok(()) };
    let FromClient::Hello { key, name } = parse(&hello.map_err(bad_frame)?)? else { return Err(no_hello()) };
    let (room, seat) = lobby.join(id, &key, Some(address)).await?;
    let (id, mut messages) = room.subscribers.subscribe(seat);
    let client = Client { lobby, address, room, seat, id };
    client.enter(name).await?;
    let mut budget = TokenBucket::new(limits::MESSAGE_RATE, Instant::now());
    let mut malformed = 0;
    let mut pings = tokio::time::interval(limits::PING_INTERVAL);
    let mut last_heard = Instant::now();
    loop {
        let reply = tokio::select! {
            _ = pings.tick() => {
                // A client that is read later has not been silent.
                if client.debt().is_some() {
                    last_heard = Instant::now();
                }
                // Browsers answer without a script, so that a client that is offline is soon known to be away.
                if last_heard.elapsed() > limits::IDLE_TIMEOUT {
                    return Err(ApiError::bad_request("silent", "no message for too long"));
                }
                if !send(sink, Frame::Ping(Bytes::new())).await {
                    return Ok(());
                }
                continue;
            }
            message = messages.next() => match message {
                Some(message) => message,
                None if client.room.is_lost() => return Err(ApiError::internal()),
                None => {
                    let why = "messages were not read in time; reconnect to continue";
                    return Err(ApiError::too_many("too_slow", why));
                }
            },
            frame = client.next_frame(stream) => {
                let Some(frame) = frame else { return Ok(()) };
                let frame = frame.map_err(bad_frame)?;
                last_heard = Instant::now();
                if !budget.take(Instant::now()) {
                    return Err(ApiError::too_many("too_fast", "too many messages"));
                }
                let answer = match frame {
                    Frame::Close(_) => return Ok(()),
                    Frame::Ping(_) | Frame::Pong(_) => continue,
                    frame => client.receive(&frame).await,
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

fn parse(frame: &Frame) -> Result<FromClient, ApiError> {
    let Frame::Text(text) = frame else {
        return Err(ApiError::bad_request("malformed", "a message must be JSON text"));
    };
    serde_json::from_str(text).map_err(|error| {
        ApiError::bad_request("malformed", format!("cannot parse the message: {error:.200}"))
    })
}

impl Client {
    /// Waits for the next frame. A client whose address has used too much CPU time is read later.
    async fn next_frame(&self, stream: &mut Stream) -> Option<Result<Frame, axum::Error>> {
        while let Some(debt) = self.debt() {
            tokio::time::sleep(debt).await;
        }
        stream.next().await
    }

    /// Returns the time until the address may use the CPU again, if it has used too much.
    fn debt(&self) -> Option<Duration> {
        self.lobby.rate_limiter.debt(Some(self.address))
    }

    /// Notes that the client has come, and sends the state of the room, after everything that others have received.
    async fn enter(&self, name: Option<String>) -> Result<(), ApiError> {
        let (seat, id) = (self.seat, self.id);
        let enter = move |room: &Arc<Room>, lobby: &Arc<Lobby>| {
            room.enter(lobby, seat, name.as_deref());
            let inner = room.lock();
            let view = room.room_view(&inner, seat);
            let people = view.people.clone();
            let message = Message::new(&FromServer::Room(Box::new(view)));
            let of = Arc::clone(room);
            // The room is still locked, so no event can come between the view and this job.
            lobby.store.after_pending(Box::new(move |_| of.subscribers.send_snapshot(id, &message)));
            room.report_presence(lobby, people);
            Ok(())
        };
        self.run(self.room.is_short(), enter).await
    }

    /// Handles a message. Returns the direct answer, if there is one.
    async fn receive(&self, frame: &Frame) -> Result<Option<FromServer>, ApiError> {
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
                self.run(true, move |room, lobby| room.act(lobby, seat, &text, seen, player)).await?;
            }
            FromClient::Undo { seen } => {
                let seat = seat()?;
                self.run(self.room.is_short(), move |room, lobby| room.undo(lobby, seat, seen)).await?;
            }
            FromClient::DeclineUndo {} => {
                seat()?;
                let decline = |room: &Arc<Room>, _: &Arc<Lobby>| {
                    room.decline_undo();
                    Ok(())
                };
                self.run(true, decline).await?;
            }
            FromClient::Rematch {} => {
                let (seat, client) = (seat()?, Some(self.address));
                self.run(true, move |room, lobby| room.rematch(lobby, seat, client)).await?;
            }
            FromClient::DeclineRematch {} => {
                seat()?;
                let decline = |room: &Arc<Room>, _: &Arc<Lobby>| {
                    room.decline_rematch();
                    Ok(())
                };
                self.run(true, decline).await?;
            }
            FromClient::Abort {} => {
                let seat = seat()?;
                self.run(true, move |room, lobby| room.abort(lobby, seat)).await?;
            }
            FromClient::ClaimLeft { player } => {
                let seat = seat()?;
                self.run(true, move |room, lobby| room.claim_left(lobby, seat, player)).await?;
            }
        }
        Ok(None)
    }

    /// Runs work on the game and charges its time to the address. Work that may be long, because of other rules or because
    /// another thread works on the room, waits for its turn and does not block other clients.
    async fn run<T: Send + 'static>(
        &self,
        is_short: bool,
        work: impl FnOnce(&Arc<Room>, &Arc<Lobby>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (room, lobby, client) = (Arc::clone(&self.room), Arc::clone(&self.lobby), Some(self.address));
        if is_short && room.loaded_game.view.library.is_some() && !room.is_locked() {
            return self.lobby.rate_limiter.charged(client, || work(&room, &lobby));
        }
        self.lobby.permits.run(client, move || work(&room, &lobby)).await
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
