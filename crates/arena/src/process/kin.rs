//! Who belongs to an agent, and how all of them are made to go.
//!
//! Processes leave their group, their session and their parents as they like, and close what they inherited; their
//! ancestry they cannot choose. It leads to us in every case:
//!
//! - An orphan comes to the nearest ancestor that is a *subreaper*. Each agent is made one before its program runs, and
//!   so are we. So all descendants of an agent stay below it while it lives, and come to us when it dies. They do not
//!   get further.
//! - Therefore a child of ours that we did not start is somebody whose agent is dead: a *stray*. Others in this process
//!   may start children, too; they are told apart by two marks that every descendant of an agent has and none can take
//!   off: it is not in our session, and it can gain no privileges. A stray is killed whoever left it.
//!   (Where this process itself can gain none, only the session is left as a mark.)
//! - To say *who* left it is needed only for agents that went in peace: their strays are known by their session, and
//!   by a look at the descendants just before. A child that is born in the last moment into a session of its own is
//!   killed as well, but nobody is blamed for it.
//!
//! Killing goes in rounds over `/proc` until one finds nobody. Within a round each of the kin is killed when it is met,
//! and numbers just beyond the last are tried as well, so that one who runs from number to number is caught.
//!
//! What this cannot do: reach a process that was asked into being by a stranger (a service manager, a container
//! daemon, `at`), or clear up below the agents when we are killed ourselves; the agents die then, their children may not.
//! Nor is it a sandbox: an agent has the rights of the user who runs the match.

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
use super::raw;

/// So many numbers in a row without a process end the search beyond the last one.
const GAP: i32 = 64;

/// So many are tried at most in one round.
const REACH: i32 = 4096;

/// The agents of this process. The lock is held while one is started and while strays are looked for, so that a
/// newborn agent is never taken for a stray, and no number changes its owner between a look and a kill.
static ROLL: Mutex<Roll> = Mutex::new(Roll { agents: Vec::new(), next: 0 });

struct Roll {
    agents: Vec<Enrolled>,
    next: u64,
}

impl Roll {
    fn find(&mut self, id: u64) -> Option<&mut Enrolled> {
        self.agents.iter_mut().find(|agent| agent.id == id)
    }
}

struct Enrolled {
    id: u64,
    pid: i32,
    /// Nobody has asked yet how it ended, so the number is its own.
    is_child: bool,
    /// Descendants that were seen, by number and birth.
    seen: BTreeSet<(i32, u64)>,
}

impl Enrolled {
    fn claims(&self, entry: &Entry) -> bool {
        entry.session == self.pid || self.seen.contains(&(entry.pid, entry.born))
    }
}

/// Makes this process the one that orphans come to.
pub(super) fn prepare() -> Result<(), String> {
    if !procfs::is_ours() {
        return Err("without /proc, nobody could clear up after an agent".into());
    }
    set_child_subreaper(Some(getpid())).map_err(|error| format!("orphans cannot be taken in: {error}"))
}

/// An agent on the roll; leaves it when dropped.
#[derive(Debug)]
pub(super) struct Enrolment {
    id: u64,
    pid: i32,
}

/// Starts an agent.
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Enrolment)> {
    let mut roll = roll();
    let child = command.spawn()?;
    let (id, pid) = (roll.next, child.id().cast_signed());
    roll.next += 1;
    roll.agents.push(Enrolled { id, pid, is_child: true, seen: BTreeSet::new() });
    Ok((child, Enrolment { id, pid }))
}

/// Kills all agents and their descendants, whoever still waits for their answers. For a process that is about to end.
pub(crate) fn end_all(patience: Duration) {
    let until = Instant::now() + patience;
    let agents: Vec<(u64, i32)> = roll().agents.iter().map(|agent| (agent.id, agent.pid)).collect();
    for (id, pid) in agents {
        // Those below it are found as long as it lives, or come to us.
        while Round::new(id).run() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        let is_ours = roll().find(id).is_some_and(|agent| agent.is_child);
        if let Some(handle) =
            Pid::from_raw(pid).filter(|_| is_ours).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
        {
            let _ = pidfd_send_signal(handle, Signal::KILL);
        }
        while Round::new(id).run() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Whether a session is one in which descendants of agents can be: not ours, and not that of the kernel.
fn is_strange(session: i32) -> bool {
    session != 0 && raw::session(0).is_ok_and(|ours| session != ours)
}

/// All processes of such sessions, as far as they can be seen, in the order of their numbers.
fn strangers() -> Vec<Entry> {
    let pids = procfs::pids().unwrap_or_default().into_iter();
    pids.filter(|&pid| procfs::session(pid).is_some_and(is_strange))
        .filter_map(|pid| procfs::entry(pid).ok().flatten())
        .collect()
}

fn roll() -> MutexGuard<'static, Roll> {
    ROLL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Enrolment {
    /// The number of the agent.
    pub(super) fn pid(&self) -> Option<Pid> {
        Pid::from_raw(self.pid)
    }

    /// How the agent ended, if it has.
    pub(super) fn status(&self, child: &mut Child) -> Option<ExitStatus> {
        let mut roll = roll();
        // Where children are buried by the system, because this process was started so, how it ended is lost.
        let status = child.try_wait().unwrap_or_else(|_| Some(ExitStatus::default()))?;
        if let Some(agent) = roll.find(self.id) {
            agent.is_child = false;
        }
        Some(status)
    }

    /// Remembers who is below the agent, which must live.
    pub(super) fn look(&self) {
        let mut below = BTreeSet::from([self.pid]);
        let mut seen = BTreeSet::new();
        for entry in strangers() {
            if !entry.is_zombie && below.contains(&entry.parent) {
                below.insert(entry.pid);
                seen.insert((entry.pid, entry.born));
            }
        }
        if let Some(agent) = roll().find(self.id) {
            agent.seen = seen;
        }
    }

    /// How many live that this agent, which has ended, is to blame for.
    pub(super) fn left(&self) -> usize {
        let us = getpid().as_raw_pid();
        let entries = strangers();
        let mut roll = roll();
        let Some(agent) = roll.find(self.id) else { return 0 };
        entries.iter().filter(|entry| !entry.is_zombie && entry.parent == us && agent.claims(entry)).count()
    }

    /// Kills the agent, its descendants and all strays. Says how the agent ended, if it did, and whether everybody is
    /// gone; this fails only if they will not die within the patience.
    pub(super) fn clear(&self, child: &mut Child, patience: Duration) -> (Option<ExitStatus>, bool) {
        let until = Instant::now() + patience;
        let mut pause = Duration::from_micros(50);
        let mut status = self.status(child);
        loop {
            if status.is_none() {
                let _ = child.kill();
            }
            let found = Round::new(self.id).run();
            status = status.or_else(|| self.status(child));
            let is_clear = status.is_some() && !found;
            if is_clear || Instant::now() > until {
                return (status, is_clear);
            }
            // The killed need a moment to die.
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }
}

impl Drop for Enrolment {
    fn drop(&mut self) {
        roll().agents.retain(|agent| agent.id != self.id);
    }
}

/// One round over all processes, in the name of one agent.
struct Round {
    roll: MutexGuard<'static, Roll>,
    id: u64,
    us: i32,
    /// Whose children are kin, too.
    kin: BTreeSet<i32>,
    found: bool,
}

impl Round {
    fn new(id: u64) -> Self {
        let roll = roll();
        let alive = roll.agents.iter().find(|agent| agent.id == id && agent.is_child);
        let kin = alive.map(|agent| agent.pid).into_iter().collect();
        Self { roll, id, us: getpid().as_raw_pid(), kin, found: false }
    }

    /// Kills or buries all kin. Says whether there was any.
    fn run(mut self) -> bool {
        let Ok(pids) = procfs::pids() else { return true };
        for &pid in &pids {
            self.meet(pid);
        }
        if self.found {
            self.pursue(pids.last().copied().unwrap_or_default());
        }
        self.found
    }

    /// Goes on beyond the last number while there is somebody.
    fn pursue(&mut self, last: i32) {
        let mut gap = 0;
        for pid in last.saturating_add(1)..last.saturating_add(REACH) {
            gap = if self.meet(pid) { 0 } else { gap + 1 };
            if gap > GAP {
                break;
            }
        }
    }

    /// Looks at a number; says whether there is a process.
    fn meet(&mut self, pid: i32) -> bool {
        match procfs::session(pid) {
            None => return false,
            Some(session) if !is_strange(session) => return true,
            Some(_) => {}
        }
        // The handle is taken before the look: a signal through it reaches the one who was looked at or nobody.
        let handle = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        match self.kinsman(pid) {
            Ok(Some(entry)) => self.dispatch(&entry, handle),
            Ok(None) => {}
            // Who cannot look must not say that there is nobody.
            Err(_) => self.found = true,
        }
        true
    }

    /// The process of that number, if it is kin.
    fn kinsman(&self, pid: i32) -> io::Result<Option<Entry>> {
        let Some(entry) = procfs::entry(pid)? else { return Ok(None) };
        let is_kin = self.kin.contains(&entry.parent) || self.is_stray(&entry)?;
        Ok(is_kin.then_some(entry))
    }

    /// Kills one who lives, and buries one who is dead if that is up to us.
    fn dispatch(&mut self, entry: &Entry, handle: Option<OwnedFd>) {
        self.kin.insert(entry.pid);
        if !entry.is_zombie {
            self.found = true;
            let _ = handle.map(|handle| pidfd_send_signal(handle, Signal::KILL));
        } else if entry.parent == self.us {
            self.found = true;
            let _ = waitpid(Pid::from_raw(entry.pid), WaitOptions::NOHANG);
        }
    }

    /// Whether this is a child of ours that we did not start, and no other agent is to answer for.
    fn is_stray(&self, entry: &Entry) -> io::Result<bool> {
        let is_known = |agent: &Enrolled| {
            (agent.is_child && agent.pid == entry.pid) || (agent.id != self.id && agent.claims(entry))
        };
        Ok(entry.parent == self.us
            && is_strange(entry.session)
            && !self.roll.agents.iter().any(is_known)
            && procfs::has_no_new_privileges(entry.pid)?)
    }
}
