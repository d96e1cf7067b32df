//! The only thread of this module. It starts agents, because an agent is killed when the *thread* that started it ends,
//! and this thread lives as long as the process. It also drains the standard error of all agents.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::io::{read, write};

use super::descendants::{self, Registration};
use super::stderr::StderrTail;

/// A process that has just been started.
pub(super) struct Spawned {
    pub(super) child: Child,
    pub(super) registration: Registration,
    pub(super) stderr: Option<Arc<StderrTail>>,
}

struct Request {
    command: Command,
    reply: SyncSender<io::Result<Spawned>>,
}

/// The connection to the spawner thread.
struct Handle {
    requests: Mutex<Sender<Request>>,
    wakeup: Arc<OwnedFd>,
}

/// Starts a process on the spawner thread.
pub(super) fn spawn(command: Command) -> Result<Spawned, String> {
    static HANDLE: OnceLock<Result<Handle, String>> = OnceLock::new();
    let gone = || "the thread that starts agents has ended".to_owned();
    let handle = HANDLE.get_or_init(start_thread).as_ref().map_err(Clone::clone)?;
    let (reply, answer) = sync_channel(1);
    let request = Request { command, reply };
    handle.requests.lock().unwrap_or_else(PoisonError::into_inner).send(request).map_err(|_| gone())?;
    write(&handle.wakeup, &1_u64.to_ne_bytes()).map_err(|error| error.to_string())?;
    answer.recv().map_err(|_| gone())?.map_err(|error| error.to_string())
}

fn start_thread() -> Result<Handle, String> {
    descendants::become_subreaper()?;
    let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
    let wakeup = Arc::new(eventfd(0, flags).map_err(|error| error.to_string())?);
    let (requests, inbox) = channel();
    let spawner = Spawner { inbox, wakeup: Arc::clone(&wakeup), tails: Vec::new() };
    let thread = thread::Builder::new().name("agents".into()).spawn(move || spawner.run());
    thread.map_err(|error| error.to_string())?;
    Ok(Handle { requests: Mutex::new(requests), wakeup })
}

struct Spawner {
    inbox: Receiver<Request>,
    wakeup: Arc<OwnedFd>,
    tails: Vec<Arc<StderrTail>>,
}

impl Spawner {
    fn run(mut self) {
        loop {
            let ready = self.wait();
            self.drain_stderr(&ready);
            let _ = read(&self.wakeup, &mut [0; 8]);
            while let Ok(Request { command, reply }) = self.inbox.try_recv() {
                let _ = reply.send(self.start(command));
            }
        }
    }

    /// Waits for a request or for output. Returns for each tail whether it is readable.
    fn wait(&self) -> Vec<bool> {
        let mut waits = vec![PollFd::new(&self.wakeup, PollFlags::IN)];
        waits.extend(self.tails.iter().map(|tail| PollFd::new(&tail.pipe, PollFlags::IN)));
        let _ = poll(&mut waits, None);
        waits[1..].iter().map(|wait| !wait.revents().is_empty()).collect()
    }

    /// Reads once from each readable tail and drops those that have ended.
    fn drain_stderr(&mut self, ready: &[bool]) {
        let mut ready = ready.iter();
        self.tails.retain(|tail| {
            let is_ready = ready.next().copied().unwrap_or(false);
            // The last reference is ours once the agent is gone.
            Arc::strong_count(tail) > 1 && (!is_ready || tail.read().is_some())
        });
    }

    fn start(&mut self, mut command: Command) -> io::Result<Spawned> {
        let (mut child, registration) = descendants::start(&mut command)?;
        let stderr = child.stderr.take().and_then(StderrTail::new).map(Arc::new);
        self.tails.extend(stderr.clone());
        Ok(Spawned { child, registration, stderr })
    }
}
