//! The one thread of this module. It starts agents, because an agent dies with the *thread* that started it and this one
//! lives as long as the process; and it listens to their standard error while nobody else does.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::io::{read, write};

use super::kin::{self, Enrolment};
use super::tail::Tail;

/// A process that was just started.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) enrolment: Enrolment,
    pub(super) tail: Option<Arc<Tail>>,
}

struct Order {
    command: Command,
    reply: SyncSender<io::Result<Started>>,
}

/// The way to the warden.
struct Bell {
    orders: Mutex<Sender<Order>>,
    wire: Arc<OwnedFd>,
}

/// Starts a process.
pub(super) fn start(command: Command) -> Result<Started, String> {
    static BELL: OnceLock<Result<Bell, String>> = OnceLock::new();
    let gone = || "the thread that starts agents is gone".to_owned();
    let bell = BELL.get_or_init(hire).as_ref().map_err(Clone::clone)?;
    let (reply, answer) = sync_channel(1);
    let order = Order { command, reply };
    bell.orders.lock().unwrap_or_else(PoisonError::into_inner).send(order).map_err(|_| gone())?;
    write(&bell.wire, &1_u64.to_ne_bytes()).map_err(|error| error.to_string())?;
    answer.recv().map_err(|_| gone())?.map_err(|error| error.to_string())
}

fn hire() -> Result<Bell, String> {
    kin::prepare()?;
    let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
    let wire = Arc::new(eventfd(0, flags).map_err(|error| error.to_string())?);
    let (orders, inbox) = channel();
    let warden = Warden { inbox, wire: Arc::clone(&wire), tails: Vec::new() };
    let thread = thread::Builder::new().name("agents".into()).spawn(move || warden.serve());
    thread.map_err(|error| error.to_string())?;
    Ok(Bell { orders: Mutex::new(orders), wire })
}

struct Warden {
    inbox: Receiver<Order>,
    wire: Arc<OwnedFd>,
    tails: Vec<Arc<Tail>>,
}

impl Warden {
    fn serve(mut self) {
        loop {
            let ready = self.wait();
            self.listen(&ready);
            let _ = read(&self.wire, &mut [0; 8]);
            while let Ok(Order { command, reply }) = self.inbox.try_recv() {
                let _ = reply.send(self.start(command));
            }
        }
    }

    /// Waits until somebody rings or mutters. Says for each tail whether it did.
    fn wait(&self) -> Vec<bool> {
        let mut waits = vec![PollFd::new(&self.wire, PollFlags::IN)];
        waits.extend(self.tails.iter().map(|tail| PollFd::new(&tail.pipe, PollFlags::IN)));
        let _ = poll(&mut waits, None);
        waits[1..].iter().map(|wait| !wait.revents().is_empty()).collect()
    }

    /// Reads once from each that is ready, and forgets those from which nothing will come.
    fn listen(&mut self, ready: &[bool]) {
        let mut ready = ready.iter();
        self.tails.retain(|tail| {
            let is_ready = ready.next().copied().unwrap_or(false);
            // Held by us alone: its agent has been cleared away.
            Arc::strong_count(tail) > 1 && (!is_ready || tail.listen().is_some())
        });
    }

    fn start(&mut self, mut command: Command) -> io::Result<Started> {
        let (mut child, enrolment) = kin::start(&mut command)?;
        let tail = child.stderr.take().and_then(Tail::new).map(Arc::new);
        self.tails.extend(tail.clone());
        Ok(Started { child, enrolment, tail })
    }
}
