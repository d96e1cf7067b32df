//! What `/proc` tells about processes: the only list of them that includes those that want to be forgotten.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::raw;

/// One process, as it was a moment ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) session: i32,
    /// When it was born, in clock ticks; with the number, this names a process for good.
    pub(super) born: u64,
    /// Dead, but nobody has asked how it ended.
    pub(super) is_zombie: bool,
}

/// Whether `/proc` speaks of the same processes as we do: it may be missing, or be that of another world.
pub(super) fn is_ours() -> bool {
    fs::read_link("/proc/self").is_ok_and(|target| target == Path::new(&std::process::id().to_string()))
}

/// The numbers of all processes, in order.
pub(super) fn pids() -> io::Result<Vec<i32>> {
    let mut pids = Vec::new();
    for entry in fs::read_dir("/proc")? {
        pids.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    pids.sort_unstable();
    Ok(pids)
}

/// The session of a process, if there is one of that number. This is all that has to be known of most processes, and
/// fifty times faster to learn than the rest.
pub(super) fn session(pid: i32) -> Option<i32> {
    match raw::session(pid) {
        Ok(session) => Some(session),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => None,
        // Who hides its session from us may have any.
        Err(_) => Some(-1),
    }
}

/// What is known of a process, if there is one of that number. An error means that we could not look, because we have
/// no descriptor left for instance: nobody knows then.
pub(super) fn entry(pid: i32) -> io::Result<Option<Entry>> {
    let mut buffer = [0; 1024];
    match File::open(format!("/proc/{pid}/stat")).and_then(|mut file| file.read(&mut buffer)) {
        Ok(count) => Ok(parse(pid, &buffer[..count])),
        // It is gone, before or after the file was opened, or it is somebody else's and hidden.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(None),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a process can never gain privileges, which all agents and their descendants have in common.
pub(super) fn has_no_new_privileges(pid: i32) -> io::Result<bool> {
    let status = fs::read(format!("/proc/{pid}/status"))?;
    Ok(status.split(|&byte| byte == b'\n').any(|line| line == b"NoNewPrivs:\t1"))
}

/// The fields after the name, which is in parentheses and may itself hold any byte.
fn parse(pid: i32, stat: &[u8]) -> Option<Entry> {
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let fields: Vec<&str> = std::str::from_utf8(&stat[end + 1..]).ok()?.split_ascii_whitespace().collect();
    Some(Entry {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        born: fields.get(19)?.parse().ok()?,
        is_zombie: matches!(*fields.first()?, "Z" | "X"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_are_in_the_list() {
        assert!(is_ours());
        let us = std::process::id().cast_signed();
        assert!(pids().unwrap().contains(&us));
        let entry = entry(us).unwrap().unwrap();
        assert_eq!(entry.parent, std::os::unix::process::parent_id().cast_signed());
        assert!(!entry.is_zombie);
        assert_eq!(session(us), Some(entry.session));
    }

    #[test]
    fn a_name_may_hold_anything() {
        let stat = b"7 (a) Z 1 (\xff) S 3 7 5 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 99 0 0";
        let expected = Entry { pid: 7, parent: 3, session: 5, born: 99, is_zombie: false };
        assert_eq!(parse(7, stat), Some(expected));
        assert_eq!(parse(7, b"7 (a"), None);
    }
}
