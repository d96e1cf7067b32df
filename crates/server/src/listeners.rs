//! Who listens at a table, and what each of them is told. Nobody is waited for: whoever does not read his messages is cut
//! off, and finds everything again when he comes back.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

use crate::limits;
use crate::refusal::No;
use crate::wire::FromServer;

/// A message, written once for all who get it.
#[derive(Clone, Debug)]
pub(crate) struct Message(pub(crate) Utf8Bytes);

impl Message {
    /// A message as JSON.
    pub(crate) fn of(message: &FromServer) -> Self {
        Message(serde_json::to_string(message).unwrap_or_default().into())
    }
}

/// What is told to everybody, with another wording for some.
#[derive(Clone, Debug)]
pub(crate) struct News {
    /// For everybody else.
    pub(crate) all: Message,
    /// For the seat that is asked.
    pub(crate) asked: Option<(usize, Message)>,
    /// For each seat, where all differ.
    pub(crate) by_seat: Vec<(usize, Message)>,
}

impl News {
    fn for_seat(&self, seat: Option<usize>) -> &Message {
        let own = self.asked.iter().chain(&self.by_seat).find(|(of, _)| Some(*of) == seat);
        own.map_or(&self.all, |(_, message)| message)
    }
}

#[derive(Debug)]
struct Listener {
    number: u64,
    /// The seat, if it is not somebody who watches.
    seat: Option<usize>,
    /// Whether it has been told how the table stands: what happened before is no news.
    is_ready: bool,
    line: mpsc::Sender<Message>,
}

/// All who listen at a table.
#[derive(Debug, Default)]
pub(crate) struct Listeners {
    list: Mutex<(u64, Vec<Listener>)>,
}

impl Listeners {
    fn lock(&self) -> MutexGuard<'_, (u64, Vec<Listener>)> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody comes. He hears nothing until he has been [welcomed](Listeners::welcome).
    pub(crate) fn come(&self, seat: Option<usize>) -> (u64, mpsc::Receiver<Message>) {
        let (line, end) = mpsc::channel(limits::WAITING);
        let mut list = self.lock();
        list.0 += 1;
        let number = list.0;
        list.1.push(Listener { number, seat, is_ready: false, line });
        (number, end)
    }

    /// Tells somebody how the table stands; from now on he hears everything.
    pub(crate) fn welcome(&self, number: u64, message: Message) {
        if let Some(listener) = self.lock().1.iter_mut().find(|listener| listener.number == number) {
            listener.is_ready = listener.line.try_send(message).is_ok();
        }
    }

    /// Somebody leaves.
    pub(crate) fn leave(&self, number: u64) {
        self.lock().1.retain(|listener| listener.number != number);
    }

    /// Tells everybody something.
    pub(crate) fn tell_all(&self, news: &News) {
        self.tell(|listener| Some(news.for_seat(listener.seat)));
    }

    /// Tells those who watch something.
    pub(crate) fn tell_watching(&self, message: &Message) {
        self.tell(|listener| listener.seat.is_none().then_some(message));
    }

    /// Tells everybody that something is refused, and cuts their lines.
    pub(crate) fn send_away(&self, no: &No) {
        let message = Message::of(&FromServer::Refused(no.refusal.clone()));
        self.tell(|_| Some(&message));
        self.lock().1.clear();
    }

    /// Whoever does not keep up loses his line: its end sees that the other is gone.
    fn tell<'m>(&self, what: impl Fn(&Listener) -> Option<&'m Message>) {
        self.lock().1.retain(|listener| match what(listener) {
            Some(message) if listener.is_ready => listener.line.try_send(message.clone()).is_ok(),
            _ => true,
        });
    }

    /// The seats at which somebody is, and how many watch.
    pub(crate) fn present(&self) -> (Vec<usize>, usize) {
        let list = self.lock();
        let seats = list.1.iter().filter_map(|listener| listener.seat).collect();
        (seats, list.1.iter().filter(|listener| listener.seat.is_none()).count())
    }

    /// Whether nobody is there.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().1.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message(text.to_owned().into())
    }

    #[test]
    fn everybody_hears_his_own_version_in_order() {
        let listeners = Listeners::default();
        let (white, mut at_white) = listeners.come(Some(0));
        let (watcher, mut at_watcher) = listeners.come(None);
        let news = News { all: message("all"), asked: Some((0, message("white"))), by_seat: Vec::new() };
        listeners.tell_all(&news);
        assert!(at_white.try_recv().is_err(), "he has not been told how it stands");
        listeners.welcome(white, message("table"));
        listeners.welcome(watcher, message("table"));
        listeners.tell_all(&news);
        let heard = |line: &mut mpsc::Receiver<Message>| line.try_recv().map(|it| it.0.to_string()).ok();
        assert_eq!(
            [heard(&mut at_white), heard(&mut at_white)],
            [Some("table".into()), Some("white".into())]
        );
        assert_eq!(
            [heard(&mut at_watcher), heard(&mut at_watcher)],
            [Some("table".into()), Some("all".into())]
        );
        assert_eq!(listeners.present(), (vec![0], 1));
        listeners.leave(white);
        assert_eq!(listeners.present(), (vec![], 1));
    }

    #[test]
    fn who_does_not_read_is_cut_off() {
        let listeners = Listeners::default();
        let (number, mut line) = listeners.come(None);
        listeners.welcome(number, message("table"));
        for _ in 0..limits::WAITING {
            listeners.tell_watching(&message("news"));
        }
        assert!(listeners.is_empty());
        let mut heard = 0;
        while line.try_recv().is_ok() {
            heard += 1;
        }
        assert_eq!(heard, limits::WAITING, "what was told before is still there");
    }
}
