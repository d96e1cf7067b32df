//! One line to one client: he says who he is, hears how the table stands, and from then on everything that happens there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::time::timeout;

use crate::guard::Bucket;
use crate::hall::Hall;
use crate::limits;
use crate::listeners::Message;
use crate::refusal::No;
use crate::table::Table;
use crate::wire::{FromClient, FromServer};

/// So often a client may say what cannot be read.
const STRIKES: u32 = 20;

type Sink = SplitSink<WebSocket, Frame>;
type Stream = SplitStream<WebSocket>;

/// Somebody who was admitted to a table.
struct Guest {
    hall: Arc<Hall>,
    table: Arc<Table>,
    seat: Option<usize>,
    /// His number among those who listen.
    number: u64,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.table.listeners.leave(self.number);
        self.table.tell_present();
    }
}

/// Serves a socket to its end.
pub(crate) async fn talk(hall: Arc<Hall>, id: String, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    let hello = timeout(limits::HELLO, stream.next()).await;
    let admitted = match hello {
        Ok(Some(Ok(frame))) => admit(&hall, &id, &frame).await,
        Ok(Some(Err(_))) => Err(No::bad("bad_frame", "a message was too large, or none at all")),
        Ok(None) => return,
        Err(_) => Err(No::bad("no_hello", "the first message is `hello`, with a key")),
    };
    let (table, seat) = match admitted {
        Ok(admitted) => admitted,
        Err(no) => return part(&mut sink, &mut stream, &no).await,
    };
    let (number, mut news) = table.listeners.come(seat);
    let guest = Guest { hall, table, seat, number };
    guest.work(|| guest.welcome());
    let mut budget = Bucket::new(limits::MESSAGES, Instant::now());
    let mut strikes = 0;
    loop {
        tokio::select! {
            message = news.recv() => {
                let Some(Message(text)) = message else {
                    let why = "messages were not read in time; come back, and nothing is lost";
                    let no = if guest.table.is_lost() { No::broken() } else { No::too_much("too_slow", why) };
                    return part(&mut sink, &mut stream, &no).await;
                };
                if !send(&mut sink, Frame::Text(text)).await {
                    return;
                }
            }
            frame = timeout(limits::SILENCE, stream.next()) => {
                let frame = match frame {
                    Err(_) => return part(&mut sink, &mut stream, &No::bad("silent", "nothing was heard for too long")).await,
                    Ok(Some(Ok(frame))) => frame,
                    // A frame that is too large, or no frame at all.
                    Ok(Some(Err(_))) => {
                        return part(&mut sink, &mut stream, &No::bad("bad_frame", "a message was too large, or none at all")).await;
                    }
                    Ok(None) => return,
                };
                if !budget.take(Instant::now()) {
                    return part(&mut sink, &mut stream, &No::too_much("too_fast", "too many messages")).await;
                }
                let answer = match frame {
                    Frame::Close(_) => return,
                    Frame::Ping(_) | Frame::Pong(_) => continue,
                    frame => guest.hear(&frame),
                };
                match answer {
                    Ok(None) => {}
                    Ok(Some(answer)) => {
                        if !send(&mut sink, Frame::Text(Message::of(&answer).0)).await {
                            return;
                        }
                    }
                    Err(no) => {
                        strikes += u32::from(no.refusal.rule == "malformed");
                        if strikes > STRIKES {
                            return part(&mut sink, &mut stream, &no).await;
                        }
                        let refused = Message::of(&FromServer::Refused(no.refusal));
                        if !send(&mut sink, Frame::Text(refused.0)).await {
                            return;
                        }
                    }
                }
            }
        }
    }
}

/// Who comes, and whether he may.
async fn admit(hall: &Arc<Hall>, id: &str, frame: &Frame) -> Result<(Arc<Table>, Option<usize>), No> {
    let FromClient::Hello { key } = read(frame)? else {
        return Err(No::bad("no_hello", "the first message is `hello`, with a key"));
    };
    let (hall, id) = (Arc::clone(hall), id.to_owned());
    // A table that is not in memory is read and played again, which takes a moment.
    let found = tokio::task::spawn_blocking(move || hall.find(&id)).await.map_err(|_| No::broken())?;
    let table = found?;
    let seat = table.admit(&key)?;
    Ok((table, seat))
}

fn read(frame: &Frame) -> Result<FromClient, No> {
    let Frame::Text(text) = frame else {
        return Err(No::bad("malformed", "messages are text: JSON"));
    };
    serde_json::from_str(text)
        .map_err(|error| No::bad("malformed", format!("the message cannot be read: {error:.200}")))
}

impl Guest {
    /// He is told how the table stands, after everything that others have been told.
    fn welcome(&self) {
        let inner = self.table.lock();
        let view = self.table.table_view(&inner, self.seat);
        let message = Message::of(&FromServer::Table(Box::new(view)));
        let (table, number) = (Arc::clone(&self.table), self.number);
        let then = move |_| {
            table.listeners.welcome(number, message);
            table.tell_present();
        };
        // In the order of the journal: the lock is still held.
        self.hall.store.after(Box::new(then));
    }

    /// What he says.
    fn hear(&self, frame: &Frame) -> Result<Option<FromServer>, No> {
        let message = read(frame)?;
        let seat = || {
            let why = "whoever watches does not play: the link of a seat does";
            self.seat.ok_or_else(|| No::rule("only_watching", why))
        };
        match message {
            FromClient::Ping { nonce } => return Ok(Some(FromServer::Pong { nonce })),
            FromClient::Hello { .. } => return Err(No::rule("second_hello", "you are here already")),
            FromClient::Act { text, seen } => {
                let seat = seat()?;
                self.work(|| self.table.say(&self.hall, seat, &text, seen))?;
            }
            FromClient::Undo { seen } => {
                let seat = seat()?;
                self.work(|| self.table.undo(&self.hall, seat, seen))?;
            }
        }
        Ok(None)
    }

    /// The games of the library are quick; a game from elsewhere may be slow, and others must not wait for it.
    fn work<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.table.book.view.library.is_some() { work() } else { tokio::task::block_in_place(work) }
    }
}

async fn send(sink: &mut Sink, frame: Frame) -> bool {
    matches!(timeout(limits::SILENCE, sink.send(frame)).await, Ok(Ok(())))
}

/// Says why, and hangs up. What the client still says is read for a moment: whoever hangs up on unread words takes his own
/// back with them.
async fn part(sink: &mut Sink, stream: &mut Stream, no: &No) {
    let refused = Message::of(&FromServer::Refused(no.refusal.clone()));
    if send(sink, Frame::Text(refused.0)).await {
        let reason = no.refusal.rule.clone().into();
        send(sink, Frame::Close(Some(CloseFrame { code: close_code::POLICY, reason }))).await;
        let silence = async { while let Some(Ok(_)) = stream.next().await {} };
        let _ = timeout(Duration::from_secs(1), silence).await;
    }
}
