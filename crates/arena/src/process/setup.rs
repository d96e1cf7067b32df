//! What is done to a process between its birth and its program: a session of its own, its limits, no descriptor beside
//! the three pipes, and no way to more privileges than ours, so that whatever it starts can be killed by us.
//!
//! Linux 5.11 or newer is needed, for closing all descriptors with one system call.
//!
//! # Safety
//! What runs between `fork` and `exec` must not touch memory that another thread may have left half changed. `settle`
//! makes system calls with values that were made before, and nothing else: no lock, no allocation.
#![allow(unsafe_code, reason = "the hook before `exec`")]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, getrlimit, set_child_subreaper,
    set_parent_process_death_signal, setrlimit, setsid,
};
use rustix::thread::set_no_new_privs;

use super::raw;
use crate::launch::{INHERITED, Launch, Limits};

/// The command, ready to be started by a thread that outlives it.
pub(super) fn command(launch: &Launch, words: &[String]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in INHERITED.into_iter().chain(launch.environment.iter().map(String::as_str)) {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    let limits = bounds(launch.limits);
    let judge = getpid();
    // SAFETY: `settle` only makes system calls (see above).
    unsafe { command.pre_exec(move || settle(judge, &limits)) };
    command
}

/// The limits as the system takes them, none above what we have ourselves.
fn bounds(limits: Limits) -> [(Resource, Rlimit); 4] {
    let bound = |resource, soft: u64, hard: u64| {
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        (resource, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
    };
    let Limits { memory, cpu_seconds, open_files } = limits;
    [
        bound(Resource::As, memory, memory),
        bound(Resource::Cpu, cpu_seconds, cpu_seconds.saturating_add(1)),
        bound(Resource::Nofile, open_files, open_files),
        bound(Resource::Core, 0, 0),
    ]
}

fn settle(judge: Pid, limits: &[(Resource, Rlimit)]) -> io::Result<()> {
    // No terminal, no signal of our group, and a mark that no descendant can wash off: none of them is ever again in
    // our session.
    setsid()?;
    // If we die without clearing up, at least the agent itself goes with us.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(judge) {
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    // What its descendants orphan comes to the agent, as long as it lives: so nobody else is blamed for it.
    set_child_subreaper(Some(getpid()))?;
    set_no_new_privs(true)?;
    raw::close_others_on_exec()?;
    for (resource, limit) in limits {
        setrlimit(*resource, *limit)?;
    }
    Ok(())
}
