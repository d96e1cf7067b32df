//! What a process does first with its pipes: reading its input or writing its output.
//!
//! A process that writes and then reads at once may have read the first question before we look at its input, so the unread
//! bytes do not show that it wrote too early. The kernel reports accesses to both pipes in order. Only the first one is
//! used: a report follows its access with a delay, so later ones cannot be assigned to questions.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init};

/// The size of an event without a name.
const EVENT_SIZE: usize = 16;

/// The reports of the first accesses to two pipes.
#[derive(Debug)]
pub(super) struct FirstEvent {
    inotify: OwnedFd,
    output: i32,
}

impl FirstEvent {
    /// Watches the pipes of a process. Returns `None` if the system does not support it.
    pub(super) fn watch(stdin: &impl AsRawFd, stdout: &impl AsRawFd) -> Option<Self> {
        let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let path = |pipe: i32| format!("/proc/self/fd/{pipe}");
        add_watch(&inotify, path(stdin.as_raw_fd()), WatchFlags::ACCESS).ok()?;
        let output = add_watch(&inotify, path(stdout.as_raw_fd()), WatchFlags::MODIFY).ok()?;
        Some(Self { inotify, output })
    }

    /// Returns whether the first reported access is a write to the output. Without a report, it is not.
    pub(super) fn is_output(&self) -> bool {
        let mut buffer = [MaybeUninit::uninit(); EVENT_SIZE];
        let mut events = Reader::new(&self.inotify, &mut buffer);
        events.next().is_ok_and(|event| event.wd() == self.output)
    }
}
