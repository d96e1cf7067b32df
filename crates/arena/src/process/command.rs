//! The setup of a process between `fork` and `exec`: a new session, resource limits, no descriptors except the three
//! pipes, and no way to gain privileges, so that we can kill everything that it starts.
//!
//! Requires Linux 5.11, for closing all descriptors with one system call.
//!
//! # Safety
//!
//! Code between `fork` and `exec` must not touch memory that another thread may have left in an inconsistent state.
//! `prepare` only makes system calls with values that exist before the fork. It takes no lock and allocates nothing.
#![allow(unsafe_code, reason = "the hook before `exec`")]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, getrlimit, set_child_subreaper,
    set_parent_process_death_signal, setrlimit, setsid,
};
use rustix::thread::set_no_new_privs;

use super::syscalls;
use crate::agent_options::{AgentOptions, INHERITED_VARIABLES, ProcessLimits};

/// Returns the command. The thread that starts it must outlive it.
pub(super) fn command(words: &[String], options: &AgentOptions) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in INHERITED_VARIABLES.into_iter().chain(options.environment.iter().map(String::as_str)) {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    let limits = resource_limits(options.limits);
    let parent = getpid();
    // SAFETY: `prepare` only makes system calls (see above).
    unsafe { command.pre_exec(move || prepare(parent, &limits)) };
    command
}

/// Returns the limits for the system, none above our own.
fn resource_limits(limits: ProcessLimits) -> [(Resource, Rlimit); 4] {
    let limit = |resource, soft: u64, hard: u64| {
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        (resource, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
    };
    let ProcessLimits { memory, cpu_seconds, open_files } = limits;
    [
        limit(Resource::As, memory, memory),
        limit(Resource::Cpu, cpu_seconds, cpu_seconds.saturating_add(1)),
        limit(Resource::Nofile, open_files, open_files),
        limit(Resource::Core, 0, 0),
    ]
}

fn prepare(parent: Pid, limits: &[(Resource, Rlimit)]) -> io::Result<()> {
    // A new session has no terminal and does not receive signals to our group. No descendant can return to our session,
    // which marks it as a descendant.
    setsid()?;
    // If we are killed, the agent is killed too.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(parent) {
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    // The agent adopts its orphaned descendants while it lives, so that they are attributed to it.
    set_child_subreaper(Some(getpid()))?;
    set_no_new_privs(true)?;
    syscalls::close_others_on_exec()?;
    for (resource, limit) in limits {
        setrlimit(*resource, *limit)?;
    }
    Ok(())
}
