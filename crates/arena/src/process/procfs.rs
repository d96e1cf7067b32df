//! Processes as listed in `/proc`, the only list that a process cannot leave.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::syscalls;

/// A snapshot of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) session: i32,
    /// The start time in clock ticks. Together with the pid it identifies a process uniquely.
    pub(super) start_time: u64,
    /// Whether it has ended but has not been waited for.
    pub(super) is_zombie: bool,
}

/// Returns whether `/proc` exists and belongs to our pid namespace.
pub(super) fn is_ours() -> bool {
    fs::read_link("/proc/self").is_ok_and(|target| target == Path::new(&std::process::id().to_string()))
}

/// Returns the pids of all processes in ascending order.
pub(super) fn pids() -> io::Result<Vec<i32>> {
    let mut pids = Vec::new();
    for entry in fs::read_dir("/proc")? {
        pids.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    pids.sort_unstable();
    Ok(pids)
}

/// Returns the session of a process, or `None` if there is no such process. This suffices for most processes and is fifty
/// times faster than [`entry`].
pub(super) fn session(pid: i32) -> Option<i32> {
    match syscalls::session(pid) {
        Ok(session) => Some(session),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => None,
        // The session is hidden from us, so it may be any.
        Err(_) => Some(-1),
    }
}

/// Returns a process, or `None` if there is no such process. An error means that it is unknown whether there is one, for
/// example because we have no descriptor left.
pub(super) fn entry(pid: i32) -> io::Result<Option<Entry>> {
    let mut buffer = [0; 1024];
    match File::open(format!("/proc/{pid}/stat")).and_then(|mut file| file.read(&mut buffer)) {
        Ok(count) => Ok(parse(pid, &buffer[..count])),
        // The process has ended, before or after the file was opened, or it is hidden because it belongs to another user.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(None),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether a process can never gain privileges. This holds for all agents and their descendants.
pub(super) fn has_no_new_privileges(pid: i32) -> io::Result<bool> {
    let status = fs::read(format!("/proc/{pid}/status"))?;
    Ok(status.split(|&byte| byte == b'\n').any(|line| line == b"NoNewPrivs:\t1"))
}

/// Parses the fields after the name, which is in parentheses and may contain any byte.
fn parse(pid: i32, stat: &[u8]) -> Option<Entry> {
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let fields: Vec<&str> = std::str::from_utf8(&stat[end + 1..]).ok()?.split_ascii_whitespace().collect();
    Some(Entry {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        start_time: fields.get(19)?.parse().ok()?,
        is_zombie: matches!(*fields.first()?, "Z" | "X"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_process_is_listed() {
        assert!(is_ours());
        let us = std::process::id().cast_signed();
        assert!(pids().unwrap().contains(&us));
        let entry = entry(us).unwrap().unwrap();
        assert_eq!(entry.parent, std::os::unix::process::parent_id().cast_signed());
        assert!(!entry.is_zombie);
        assert_eq!(session(us), Some(entry.session));
    }

    #[test]
    fn names_may_contain_any_byte() {
        let stat = b"7 (a) Z 1 (\xff) S 3 7 5 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 99 0 0";
        let expected = Entry { pid: 7, parent: 3, session: 5, start_time: 99, is_zombie: false };
        assert_eq!(parse(7, stat), Some(expected));
        assert_eq!(parse(7, b"7 (a"), None);
    }
}
