//! Finds and kills all descendants of an agent.
//!
//! Processes can leave their group, session and parent and close inherited descriptors, but they cannot choose their
//! ancestors:
//!
//! - An orphan is adopted by its nearest ancestor that is a *subreaper*. Each agent becomes one before its program runs,
//!   and so does this process. The descendants of an agent therefore stay below it while it lives, and become our
//!   children when it dies.
//! - A child of ours that we did not start is thus an orphan of a dead agent. Other code in this process may start
//!   children too; an orphan differs from them in two properties that it cannot change: it is not in our session, and
//!   it cannot gain privileges. Orphans of all agents are killed. (If this process itself cannot gain
//!   privileges, the session alone distinguishes them.)
//! - The agent that left an orphan matters only if it exited normally. Its orphans are recognised by its session and by
//!   a snapshot of its descendants shortly before its exit. A child that is born in between and starts a new session is
//!   killed but not attributed.
//!
//! Killing sweeps over `/proc` until a sweep finds nothing. A sweep kills each descendant when it meets it, and tries
//! pids beyond the last, to catch a process that keeps forking.
//!
//! Limits: a process that another service started on request (a service manager, a container daemon, `at`) is not found.
//! If this process is killed, agents die with it, but their children may survive. This is not a sandbox: an agent has
//! the rights of the user who runs the match.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, set_child_subreaper, waitpid,
};

use super::procfs::{self, Entry};
use super::syscalls;

/// The number of consecutive unused pids that ends the search beyond the last one.
const GAP: i32 = 64;

/// The maximal number of pids tried beyond the last one.
const REACH: i32 = 4096;

/// The agents of this process. The lock is held while an agent is started and while orphans are searched, so that a new
/// agent is never taken for an orphan, and no pid is reused between a check and a kill.
static REGISTRY: Mutex<Registry> = Mutex::new(Registry { agents: Vec::new(), next: 0 });

struct Registry {
    agents: Vec<RegisteredAgent>,
    next: u64,
}

impl Registry {
    fn find(&mut self, id: u64) -> Option<&mut RegisteredAgent> {
        self.agents.iter_mut().find(|agent| agent.id == id)
    }
}

struct RegisteredAgent {
    id: u64,
    pid: i32,
    /// Whether it has not been waited for, so that its pid cannot be reused.
    is_child: bool,
    /// Pids and start times of descendants in the snapshot.
    seen: BTreeSet<(i32, u64)>,
}

impl RegisteredAgent {
    /// Returns whether a process is known to descend from this agent.
    fn owns(&self, entry: &Entry) -> bool {
        entry.session == self.pid || self.seen.contains(&(entry.pid, entry.start_time))
    }
}

/// Makes this process the subreaper of its descendants.
pub(super) fn become_subreaper() -> Result<(), String> {
    if !procfs::is_ours() {
        return Err("agent processes need /proc for cleaning up after them".into());
    }
    set_child_subreaper(Some(getpid())).map_err(|error| format!("cannot become a subreaper: {error}"))
}

/// A registered agent. Dropping it removes the agent from the registry.
#[derive(Debug)]
pub(super) struct Registration {
    id: u64,
    pid: i32,
}

/// Starts and registers an agent.
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Registration)> {
    let mut registry = registry();
    let child = command.spawn()?;
    let (id, pid) = (registry.next, child.id().cast_signed());
    registry.next += 1;
    registry.agents.push(RegisteredAgent { id, pid, is_child: true, seen: BTreeSet::new() });
    Ok((child, Registration { id, pid }))
}

/// Kills all agents and their descendants, even while a game waits for an answer.
pub(crate) fn kill_all(timeout: Duration) {
    let until = Instant::now() + timeout;
    let sweep_until_clean = |id| {
        while Sweep::new(id).run() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    };
    let agents: Vec<(u64, i32)> = registry().agents.iter().map(|agent| (agent.id, agent.pid)).collect();
    for (id, pid) in agents {
        // Kill descendants first: they are found below the agent while it lives, and below us afterwards.
        sweep_until_clean(id);
        let is_child = registry().find(id).is_some_and(|agent| agent.is_child);
        if let Some(handle) = Some(pid).filter(|_| is_child).and_then(open_handle) {
            let _ = pidfd_send_signal(handle, Signal::KILL);
        }
        sweep_until_clean(id);
    }
}

fn open_handle(pid: i32) -> Option<OwnedFd> {
    Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
}

/// Returns whether descendants of agents can be in a session: it is neither ours nor the kernel's.
fn is_foreign(session: i32) -> bool {
    session != 0 && syscalls::session(0).is_ok_and(|ours| session != ours)
}

/// Returns all visible processes of foreign sessions, ordered by pid.
fn foreign_processes() -> Vec<Entry> {
    let pids = procfs::pids().unwrap_or_default().into_iter();
    pids.filter(|&pid| procfs::session(pid).is_some_and(is_foreign))
        .filter_map(|pid| procfs::entry(pid).ok().flatten())
        .collect()
}

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registration {
    /// Returns the pid of the agent.
    pub(super) fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.pid)
    }

    /// Returns the exit status of the agent, if it has exited.
    pub(super) fn status(&self, child: &mut Child) -> Option<ExitStatus> {
        let mut registry = registry();
        // If this process was started with `SIGCHLD` ignored, the system reaps children and their status is lost.
        let status = child.try_wait().unwrap_or_else(|_| Some(ExitStatus::default()))?;
        if let Some(agent) = registry.find(self.id) {
            agent.is_child = false;
        }
        Some(status)
    }

    /// Takes a snapshot of the descendants of the agent, which must be alive.
    pub(super) fn record_descendants(&self) {
        let mut below = BTreeSet::from([self.pid]);
        let mut seen = BTreeSet::new();
        for entry in foreign_processes() {
            if !entry.is_zombie && below.contains(&entry.parent) {
                below.insert(entry.pid);
                seen.insert((entry.pid, entry.start_time));
            }
        }
        if let Some(agent) = registry().find(self.id) {
            agent.seen = seen;
        }
    }

    /// Counts the living orphans of the agent, which has exited.
    pub(super) fn count_orphans(&self) -> usize {
        let us = getpid().as_raw_pid();
        let entries = foreign_processes();
        let mut registry = registry();
        let Some(agent) = registry.find(self.id) else { return 0 };
        entries.iter().filter(|entry| !entry.is_zombie && entry.parent == us && agent.owns(entry)).count()
    }

    /// Kills the agent, its descendants and all orphans. Returns the exit status of the agent, if it has exited, and
    /// whether all processes were gone before the timeout.
    pub(super) fn kill_all(&self, child: &mut Child, timeout: Duration) -> (Option<ExitStatus>, bool) {
        let until = Instant::now() + timeout;
        let mut pause = Duration::from_micros(50);
        let mut status = self.status(child);
        loop {
            if status.is_none() {
                let _ = child.kill();
            }
            let found = Sweep::new(self.id).run();
            status = status.or_else(|| self.status(child));
            let is_clean = status.is_some() && !found;
            if is_clean || Instant::now() > until {
                return (status, is_clean);
            }
            // Killed processes need a moment to exit.
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        registry().agents.retain(|agent| agent.id != self.id);
    }
}

/// One pass over all processes on behalf of one agent.
struct Sweep {
    registry: MutexGuard<'static, Registry>,
    id: u64,
    us: i32,
    /// The agent, if it is alive, and the descendants found so far.
    tree: BTreeSet<i32>,
    found: bool,
}

impl Sweep {
    fn new(id: u64) -> Self {
        let registry = registry();
        let alive = registry.agents.iter().find(|agent| agent.id == id && agent.is_child);
        let tree = alive.map(|agent| agent.pid).into_iter().collect();
        Self { registry, id, us: getpid().as_raw_pid(), tree, found: false }
    }

    /// Kills or reaps all descendants and orphans. Returns whether there were any.
    fn run(mut self) -> bool {
        let Ok(pids) = procfs::pids() else { return true };
        for &pid in &pids {
            self.visit(pid);
        }
        if self.found {
            self.visit_beyond(pids.last().copied().unwrap_or_default());
        }
        self.found
    }

    /// Visits pids beyond the last one until there is a gap.
    fn visit_beyond(&mut self, last: i32) {
        let mut gap = 0;
        for pid in last.saturating_add(1)..last.saturating_add(REACH) {
            gap = if self.visit(pid) { 0 } else { gap + 1 };
            if gap > GAP {
                break;
            }
        }
    }

    /// Kills the process with a pid if it belongs to the agent. Returns whether the process exists.
    fn visit(&mut self, pid: i32) -> bool {
        match procfs::session(pid) {
            None => return false,
            Some(session) if !is_foreign(session) => return true,
            Some(_) => {}
        }
        // Open the handle before the check: a signal through it reaches the checked process or none.
        let handle = open_handle(pid);
        match self.find_member(pid) {
            Ok(Some(entry)) => self.kill_or_reap(&entry, handle),
            Ok(None) => {}
            // If the check failed, the process may belong to the agent.
            Err(_) => self.found = true,
        }
        true
    }

    /// Returns the process if it descends from the agent or is an orphan.
    fn find_member(&self, pid: i32) -> io::Result<Option<Entry>> {
        let Some(entry) = procfs::entry(pid)? else { return Ok(None) };
        let is_member = self.tree.contains(&entry.parent) || self.is_orphan(&entry)?;
        Ok(is_member.then_some(entry))
    }

    /// Kills a living process, and reaps a zombie that is our child.
    fn kill_or_reap(&mut self, entry: &Entry, handle: Option<OwnedFd>) {
        self.tree.insert(entry.pid);
        if !entry.is_zombie {
            self.found = true;
            let _ = handle.map(|handle| pidfd_send_signal(handle, Signal::KILL));
        } else if entry.parent == self.us {
            self.found = true;
            let _ = waitpid(Pid::from_raw(entry.pid), WaitOptions::NOHANG);
        }
    }

    /// Returns whether the process is a child of ours that we did not start and that no other agent owns.
    fn is_orphan(&self, entry: &Entry) -> io::Result<bool> {
        let is_known = |agent: &RegisteredAgent| {
            (agent.is_child && agent.pid == entry.pid) || (agent.id != self.id && agent.owns(entry))
        };
        Ok(entry.parent == self.us
            && is_foreign(entry.session)
            && !self.registry.agents.iter().any(is_known)
            && procfs::has_no_new_privileges(entry.pid)?)
    }
}
