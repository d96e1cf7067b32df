//! The end of a process's standard error. Everything is read, so that the process never blocks; only the end is kept.

use std::process::ChildStderr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::io::{Errno, ioctl_fionbio, read};

use crate::secrets::Secrets;

/// The number of bytes in a report.
const SHOWN: usize = 8 << 10;

/// The number of bytes kept: more, so that a key at the edge of the shown part is recognised.
const KEPT: usize = 2 * SHOWN;

/// Standard error and the end of its output.
#[derive(Debug)]
pub(super) struct StderrTail {
    pub(super) pipe: ChildStderr,
    bytes: Mutex<Vec<u8>>,
}

impl StderrTail {
    /// Returns `None` if the pipe cannot be made non-blocking.
    pub(super) fn new(pipe: ChildStderr) -> Option<Self> {
        ioctl_fionbio(&pipe, true).ok()?;
        Some(Self { pipe, bytes: Mutex::default() })
    }

    /// Reads once. Returns whether there may be more now, or `None` after the end of the output.
    pub(super) fn read(&self) -> Option<bool> {
        let mut chunk = [0; 16 << 10];
        // Lock before reading: otherwise two readers may store their chunks in the wrong order.
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

    /// Returns the end of the output as text, without secrets.
    pub(super) fn text(&self, secrets: &Secrets) -> String {
        let bytes = self.bytes();
        let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(KEPT)..]);
        let text = secrets.hide(&text);
        let start = (text.len().saturating_sub(SHOWN)..=text.len()).find(|at| text.is_char_boundary(*at));
        text[start.unwrap_or_default()..].to_owned()
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(bytes: &mut Vec<u8>, chunk: &[u8]) {
    bytes.extend_from_slice(chunk);
    // Drain rarely, because draining moves the kept bytes.
    if bytes.len() > 2 * KEPT {
        bytes.drain(..bytes.len() - KEPT);
    }
}
