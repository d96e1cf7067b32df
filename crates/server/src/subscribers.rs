//! The open sockets of a room. The server never waits for one: a client that does not read its messages is disconnected and
//! receives the complete state when it reconnects.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

use crate::api_error::ApiError;
use crate::socket_types::FromServer;
use crate::{limits, lock};

/// A serialized message, shared by all receivers.
#[derive(Clone, Debug)]
pub(crate) struct Message(pub(crate) Utf8Bytes);

impl Message {
    /// Serializes a message.
    pub(crate) fn new(message: &FromServer) -> Self {
        Message(serde_json::to_string(message).unwrap_or_default().into())
    }
}

/// A message for all subscribers, with other versions for some seats.
#[derive(Clone, Debug)]
pub(crate) struct Broadcast {
    /// The version for everyone else.
    pub(crate) all: Message,
    /// The versions for particular seats.
    pub(crate) by_seat: Vec<(usize, Message)>,
}

impl Broadcast {
    /// Creates a broadcast that is the same for everyone.
    pub(crate) fn to_all(message: &FromServer) -> Self {
        Broadcast { all: Message::new(message), by_seat: Vec::new() }
    }

    fn for_seat(&self, seat: Option<usize>) -> &Message {
        let own = self.by_seat.iter().find(|(of, _)| Some(*of) == seat);
        own.map_or(&self.all, |(_, message)| message)
    }
}

#[derive(Debug)]
struct Subscriber {
    id: u64,
    /// The seat; `None` for spectators.
    seat: Option<usize>,
    /// Whether the snapshot was sent. Earlier messages are part of it.
    is_ready: bool,
    queue: mpsc::Sender<Message>,
    queued_bytes: Arc<AtomicUsize>,
}

impl Subscriber {
    /// Adds a message to the queue. Returns whether there was space.
    fn push(&self, message: &Message) -> bool {
        let length = message.0.len();
        let queued = self.queued_bytes.fetch_add(length, Ordering::Relaxed);
        // A single message may be longer.
        let has_space = queued == 0 || queued + length <= limits::MAX_QUEUED_BYTES;
        has_space && self.queue.try_send(message.clone()).is_ok()
    }
}

/// The messages for one socket.
#[derive(Debug)]
pub(crate) struct MessageQueue {
    receiver: mpsc::Receiver<Message>,
    queued_bytes: Arc<AtomicUsize>,
}

impl MessageQueue {
    /// Waits for the next message; `None` once the socket was removed and all messages were read.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        let message = self.receiver.recv().await?;
        self.queued_bytes.fetch_sub(message.0.len(), Ordering::Relaxed);
        Some(message)
    }
}

/// All sockets of a room.
#[derive(Debug, Default)]
pub(crate) struct Subscribers {
    list: Mutex<SubscriberList>,
}

#[derive(Debug, Default)]
struct SubscriberList {
    last_id: u64,
    open: Vec<Subscriber>,
}

impl Subscribers {
    /// Adds a socket. It receives nothing before its [snapshot](Subscribers::send_snapshot).
    pub(crate) fn subscribe(&self, seat: Option<usize>) -> (u64, MessageQueue) {
        let (queue, receiver) = mpsc::channel(limits::MAX_QUEUED_MESSAGES);
        let queued_bytes = Arc::new(AtomicUsize::new(0));
        let mut list = lock(&self.list);
        list.last_id += 1;
        let id = list.last_id;
        let of = Arc::clone(&queued_bytes);
        list.open.push(Subscriber { id, seat, is_ready: false, queue, queued_bytes: of });
        (id, MessageQueue { receiver, queued_bytes })
    }

    /// Sends the complete state to one socket. It receives every message from now on.
    pub(crate) fn send_snapshot(&self, id: u64, message: &Message) {
        if let Some(subscriber) = lock(&self.list).open.iter_mut().find(|subscriber| subscriber.id == id) {
            subscriber.is_ready = subscriber.push(message);
        }
    }

    /// Removes a socket.
    pub(crate) fn unsubscribe(&self, id: u64) {
        lock(&self.list).open.retain(|subscriber| subscriber.id != id);
    }

    /// Sends a message to everyone.
    pub(crate) fn broadcast(&self, message: &Broadcast) {
        self.send(|subscriber| Some(message.for_seat(subscriber.seat)));
    }

    /// Sends a message to the spectators.
    pub(crate) fn send_to_spectators(&self, message: &Message) {
        self.send(|subscriber| subscriber.seat.is_none().then_some(message));
    }

    /// Sends an error to everyone and closes all sockets.
    pub(crate) fn disconnect_all(&self, error: &ApiError) {
        let message = Message::new(&FromServer::Refused(error.body.clone()));
        self.send(|_| Some(&message));
        lock(&self.list).open.clear();
    }

    /// Sends a message to the subscribers that `select` returns one for. Removes those whose queue is full.
    fn send<'m>(&self, select: impl Fn(&Subscriber) -> Option<&'m Message>) {
        lock(&self.list).open.retain(|subscriber| match select(subscriber) {
            Some(message) if subscriber.is_ready => subscriber.push(message),
            _ => true,
        });
    }

    /// Returns the connected seats and the number of spectators.
    pub(crate) fn present(&self) -> (Vec<usize>, usize) {
        let list = lock(&self.list);
        let seats: Vec<usize> = list.open.iter().filter_map(|subscriber| subscriber.seat).collect();
        let spectators = list.open.len() - seats.len();
        (seats, spectators)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message(text.to_owned().into())
    }

    #[test]
    fn each_seat_receives_its_version_in_order() {
        let subscribers = Subscribers::default();
        let (white, mut white_queue) = subscribers.subscribe(Some(0));
        let (spectator, mut spectator_queue) = subscribers.subscribe(None);
        let update = Broadcast { all: message("all"), by_seat: vec![(0, message("white"))] };
        subscribers.broadcast(&update);
        assert!(white_queue.receiver.try_recv().is_err(), "no message before the snapshot");
        subscribers.send_snapshot(white, &message("room"));
        subscribers.send_snapshot(spectator, &message("room"));
        subscribers.broadcast(&update);
        let received = |queue: &mut MessageQueue| {
            [0, 1].map(|_| queue.receiver.try_recv().map(|it| it.0.to_string()).unwrap())
        };
        assert_eq!(received(&mut white_queue), ["room", "white"]);
        assert_eq!(received(&mut spectator_queue), ["room", "all"]);
        assert_eq!(subscribers.present(), (vec![0], 1));
        subscribers.unsubscribe(white);
        assert_eq!(subscribers.present(), (vec![], 1));
    }

    #[test]
    fn a_subscriber_that_does_not_read_is_removed() {
        let subscribers = Subscribers::default();
        let (id, mut queue) = subscribers.subscribe(None);
        subscribers.send_snapshot(id, &message("room"));
        for _ in 0..limits::MAX_QUEUED_MESSAGES {
            subscribers.send_to_spectators(&message("update"));
        }
        assert_eq!(subscribers.present(), (vec![], 0));
        let received = std::iter::from_fn(|| queue.receiver.try_recv().ok()).count();
        assert_eq!(received, limits::MAX_QUEUED_MESSAGES, "queued messages can still be read");
    }

    #[test]
    fn long_messages_fill_the_queue_earlier() {
        let subscribers = Subscribers::default();
        let (id, queue) = subscribers.subscribe(None);
        let long = message(&"x".repeat(limits::MAX_QUEUED_BYTES));
        subscribers.send_snapshot(id, &long);
        assert_eq!(subscribers.present(), (vec![], 1), "one long message fits");
        subscribers.send_to_spectators(&long);
        assert_eq!(subscribers.present(), (vec![], 0));
        drop(queue);
    }
}
