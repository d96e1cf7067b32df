//! Two system calls that no safe library offers in the required form.
#![allow(unsafe_code, reason = "plain system calls that take numbers and return numbers")]

use std::io;

/// Marks all descriptors except the standard three as close-on-exec.
pub(super) fn close_others_on_exec() -> io::Result<()> {
    let (first, last) = (3_u32, u32::MAX);
    // SAFETY: the call takes three numbers and only changes flags of descriptors.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, last, libc::CLOSE_RANGE_CLOEXEC) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Returns the session of a process, or our own for 0. Sessions of the kernel and from outside of our container are 0.
pub(super) fn session(pid: i32) -> io::Result<i32> {
    // SAFETY: the call takes a number and returns a number.
    match unsafe { libc::getsid(pid) } {
        -1 => Err(io::Error::last_os_error()),
        session => Ok(session),
    }
}
