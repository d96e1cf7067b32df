//! A queue for work that uses a whole core. Addresses with waiting work take turns, and one address uses at most half of
//! the cores, so that another one does not wait for all the work of the first.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;

use crate::client_address::ClientAddress;
use crate::lock;

/// The client that work is done for; `None` for the operator.
pub(crate) type Client = Option<ClientAddress>;

/// A number of cores, shared fairly between addresses.
#[derive(Debug)]
pub(crate) struct FairQueue {
    /// The most permits of one address.
    most_each: usize,
    state: Mutex<State>,
}

/// The invariant: while a core is free, every address that waits has all the cores that it may have.
#[derive(Debug)]
struct State {
    free: usize,
    running: HashMap<Client, usize>,
    /// The addresses that wait, the next one first, and for each the questions in their order.
    waiting: VecDeque<(Client, VecDeque<oneshot::Sender<FairPermit>>)>,
}

/// The right to use one core, until it is dropped.
#[derive(Debug)]
pub(crate) struct FairPermit {
    queue: Arc<FairQueue>,
    client: Client,
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        self.queue.release(self.client);
    }
}

impl FairQueue {
    /// Creates a queue for a number of cores.
    pub(crate) fn new(cores: usize) -> Arc<Self> {
        let state = State { free: cores, running: HashMap::new(), waiting: VecDeque::new() };
        Arc::new(FairQueue { most_each: (cores / 2).max(1), state: Mutex::new(state) })
    }

    /// Waits for a core.
    pub(crate) async fn acquire(self: &Arc<Self>, client: Client) -> FairPermit {
        let granted = {
            let mut state = lock(&self.state);
            if state.free > 0 && state.running_of(client) < self.most_each {
                state.start(client);
                return self.permit(client);
            }
            let (sender, granted) = oneshot::channel();
            match state.waiting.iter_mut().find(|(waiting, _)| *waiting == client) {
                Some((_, own)) => own.push_back(sender),
                None => state.waiting.push_back((client, VecDeque::from([sender]))),
            }
            granted
        };
        // The queue lives as long as its permits, so it does not drop the sender.
        granted.await.unwrap_or_else(|_| self.permit(client))
    }

    fn permit(self: &Arc<Self>, client: Client) -> FairPermit {
        FairPermit { queue: Arc::clone(self), client }
    }

    fn release(self: &Arc<Self>, client: Client) {
        let granted = {
            let mut state = lock(&self.state);
            state.stop(client);
            std::iter::from_fn(|| state.next(self.most_each)).collect::<Vec<_>>()
        };
        for (client, sender) in granted {
            // A client that no longer waits gives its permit back by dropping it.
            drop(sender.send(self.permit(client)));
        }
    }
}

impl State {
    fn running_of(&self, client: Client) -> usize {
        self.running.get(&client).copied().unwrap_or(0)
    }

    fn start(&mut self, client: Client) {
        self.free -= 1;
        *self.running.entry(client).or_default() += 1;
    }

    fn stop(&mut self, client: Client) {
        self.free += 1;
        if let Some(running) = self.running.get_mut(&client) {
            *running -= 1;
            if *running == 0 {
                self.running.remove(&client);
            }
        }
    }

    /// Starts the next work that may start. Its address goes to the end of the queue.
    fn next(&mut self, most_each: usize) -> Option<(Client, oneshot::Sender<FairPermit>)> {
        if self.free == 0 {
            return None;
        }
        let may_start = |(client, _): &(Client, _)| self.running_of(*client) < most_each;
        let (client, mut own) = self.waiting.remove(self.waiting.iter().position(may_start)?)?;
        let sender = own.pop_front()?;
        if !own.is_empty() {
            self.waiting.push_back((client, own));
        }
        self.start(client);
        Some((client, sender))
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::net::IpAddr;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    type Waiting<'q> = Pin<Box<dyn Future<Output = FairPermit> + 'q>>;

    fn poll(waiting: &mut Waiting<'_>) -> Option<FairPermit> {
        match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(permit) => Some(permit),
            Poll::Pending => None,
        }
    }

    /// Waits for a core as the address 127.0.0.`last`.
    fn wait(queue: &Arc<FairQueue>, last: u8) -> Waiting<'_> {
        Box::pin(queue.acquire(Some(IpAddr::from([127, 0, 0, last]).into())))
    }

    #[test]
    fn addresses_take_turns() {
        let queue = FairQueue::new(1);
        let mut first = wait(&queue, 1);
        let mut running = poll(&mut first).expect("a core is free");
        let mut waiting: Vec<(u8, Waiting<'_>)> =
            [1, 1, 1, 2, 3, 2].map(|last| (last, wait(&queue, last))).into();
        assert!(waiting.iter_mut().all(|(_, one)| poll(one).is_none()));
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(running);
            let (number, permit) = waiting
                .iter_mut()
                .enumerate()
                .find_map(|(number, (_, one))| Some((number, poll(one)?)))
                .expect("the next one starts");
            order.push(waiting.remove(number).0);
            running = permit;
        }
        assert_eq!(order, [1, 2, 3, 1, 2, 1]);
    }

    #[test]
    fn one_address_uses_half_of_the_cores() {
        let queue = FairQueue::new(4);
        let mut of_one: Vec<Waiting<'_>> = (0..3).map(|_| wait(&queue, 1)).collect();
        let held: Vec<Option<FairPermit>> = of_one.iter_mut().map(poll).collect();
        assert_eq!(held.iter().flatten().count(), 2);
        let mut other = wait(&queue, 2);
        let other = poll(&mut other).expect("a core is free");
        drop(other);
        assert!(poll(&mut of_one[2]).is_none(), "it holds its half");
        drop(held);
        assert!(poll(&mut of_one[2]).is_some());
    }

    #[test]
    fn a_client_that_gives_up_blocks_no_other() {
        let queue = FairQueue::new(1);
        let mut first = wait(&queue, 1);
        let running = poll(&mut first).unwrap();
        let mut impatient = wait(&queue, 2);
        let mut patient = wait(&queue, 3);
        assert!(poll(&mut impatient).is_none() && poll(&mut patient).is_none());
        drop(impatient);
        drop(running);
        assert!(poll(&mut patient).is_some());
    }
}
