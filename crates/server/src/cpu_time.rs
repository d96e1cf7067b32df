//! The CPU time of the current thread. Unlike wall time, it does not charge a client for the load that others cause.

use std::time::Duration;

/// Returns the CPU time that the current thread has used.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Returns the time since the first call, where the CPU time of a thread is not known.
#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
