//! Two system calls that no safe library offers as they are needed here.
#![allow(unsafe_code, reason = "plain system calls that take numbers and give back numbers")]

use std::io;

/// Lets every descriptor but the standard three end with `exec`, whoever opened it and forgot to say so.
pub(super) fn close_others_on_exec() -> io::Result<()> {
    let (first, last) = (3_u32, u32::MAX);
    // SAFETY: three numbers go in, and flags of descriptors are all that changes.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, last, libc::CLOSE_RANGE_CLOEXEC) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The session of a process, our own for 0. Sessions of the kernel, and of whoever is outside of our container, are 0.
pub(super) fn session(pid: i32) -> io::Result<i32> {
    // SAFETY: a number goes in and a number comes out.
    match unsafe { libc::getsid(pid) } {
        -1 => Err(io::Error::last_os_error()),
        session => Ok(session),
    }
}
