//! One hostile address against a server: what it costs the server, and what the other users notice.
//!
//! `cargo xtask prove attack` runs it at full size with the bounds of `docs/server.md`. By default it is small and its bounds
//! are wide, because other tests run at the same time.

mod bystander;
mod engine_time;
mod finished_games;
mod heavy_games;
mod journals;
mod memory;
mod takebacks;
#[path = "../serve/test_server.rs"]
mod test_server;
mod unread_answers;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Waits until no other test of this file runs, because they all measure time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the test runs at full size.
fn is_full() -> bool {
    std::env::var_os("TABIYA_ATTACK").is_some()
}

/// Returns a bound on a time: the given one at full size, a wide one otherwise.
fn bound(seconds: f64) -> Duration {
    Duration::from_secs_f64(if is_full() { seconds } else { seconds * 10.0 })
}

/// Calls a function and returns its result with the time it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

/// Returns the resident memory of a process in megabytes.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().expect("a number") >> 10
}

/// Prints a figure for `docs/measurements.md`.
#[allow(clippy::print_stdout, reason = "figures for docs/measurements.md")]
fn report(figure: &str) {
    println!("\nunder attack, {figure}");
}
