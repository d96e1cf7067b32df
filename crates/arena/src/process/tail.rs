//! The last words of a process on standard error. All that it writes is read, so that it never blocks, and only the end
//! is kept.

use std::process::ChildStderr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::io::{Errno, ioctl_fionbio, read};

use crate::secrets::Secrets;

/// How much of it a record shows.
const SHOWN: usize = 8 << 10;

/// How much is kept: more, so that a key on the edge of what is shown is still known for one.
const KEPT: usize = 2 * SHOWN;

/// Standard error and the end of what came from it.
#[derive(Debug)]
pub(super) struct Tail {
    pub(super) pipe: ChildStderr,
    bytes: Mutex<Vec<u8>>,
}

impl Tail {
    /// `None` for a pipe that would make its reader wait.
    pub(super) fn new(pipe: ChildStderr) -> Option<Self> {
        ioctl_fionbio(&pipe, true).ok()?;
        Some(Self { pipe, bytes: Mutex::default() })
    }

    /// Reads once. Says whether there may be more right now, or `None` if nothing will ever come again.
    pub(super) fn listen(&self) -> Option<bool> {
        let mut chunk = [0; 16 << 10];
        // The lock comes first, or two who read at once might keep their parts in the wrong order.
        let mut bytes = self.bytes();
        match read(&self.pipe, &mut chunk) {
            Ok(0) => None,
            Ok(count) => {
                keep(&mut bytes, &chunk[..count]);
                Some(true)
            }
            Err(Errno::INTR) => Some(true),
            Err(Errno::AGAIN) => Some(false),
            Err(_) => None,
        }
    }

    /// The end as text, without secrets.
    pub(super) fn text(&self, secrets: &Secrets) -> String {
        let bytes = self.bytes();
        let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(KEPT)..]);
        let text = secrets.hide(&text);
        let mut start = text.len().saturating_sub(SHOWN);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        text[start..].to_owned()
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(bytes: &mut Vec<u8>, chunk: &[u8]) {
    bytes.extend_from_slice(chunk);
    // Moving what is kept is only worth it now and then.
    if bytes.len() > 2 * KEPT {
        bytes.drain(..bytes.len() - KEPT);
    }
}
