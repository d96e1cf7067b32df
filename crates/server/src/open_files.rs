//! The limit of open files. Every connection needs one, and many systems allow only 1,024 unless a program asks for more.

/// Open files that are not connections: the database, agents, the program itself.
#[cfg(unix)]
const RESERVED: u64 = 100;

/// Raises the limit of open files as far as this number of connections needs. Returns how many connections are possible.
#[cfg(unix)]
pub(crate) fn possible_connections(wanted: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let needed = wanted as u64 + RESERVED;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let Some(now) = current.filter(|now| *now < needed) else { return wanted };
    let raised = maximum.map_or(needed, |maximum| needed.min(maximum)).max(now);
    let is_raised = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum }).is_ok();
    let files = if is_raised { raised } else { now };
    // A very low limit still allows some connections.
    files.saturating_sub(RESERVED).max(files / 2).min(wanted as u64) as usize
}

/// Returns the number of connections: other systems have no such limit.
#[cfg(not(unix))]
pub(crate) fn possible_connections(wanted: usize) -> usize {
    wanted
}
