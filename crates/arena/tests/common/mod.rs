//! Helpers for tests with processes: they find the rogue example and what it left behind.
#![allow(dead_code, reason = "no test uses all of it")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs};

/// The allowed delay of a fault after its deadline.
pub(crate) const SLACK: Duration = Duration::from_millis(50);

/// Returns the command of a rogue and the tag of its processes.
pub(crate) fn rogue(mode: &str) -> (String, String) {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let tag = format!("tag-{}-{}-end", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    (format!("'{}' {mode} {tag}", rogue_path().display()), tag)
}

/// Returns the path of the example, which cargo builds with the tests.
fn rogue_path() -> PathBuf {
    let test = env::current_exe().expect("a test runs from a file");
    let path = test.ancestors().nth(2).expect("tests are in their own folder").join("examples/rogue");
    assert!(path.exists(), "build the rogue first: cargo build -p tabiya-arena --examples");
    path
}

/// Sets a flag also when an action panics: the scope would wait for the sleeper otherwise.
struct SetOnDrop<'f>(&'f AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs an action and measures its time. On a busy machine every thread is late, so the delay of a thread that only
/// sleeps is subtracted.
pub(crate) fn timed<T>(action: impl FnOnce() -> T) -> (T, Duration) {
    const NAP: Duration = Duration::from_millis(2);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let over = SetOnDrop(&is_over);
        let sleeper = scope.spawn(|| {
            let mut late = Duration::ZERO;
            while !is_over.load(Ordering::Relaxed) {
                let start = Instant::now();
                std::thread::sleep(NAP);
                late += start.elapsed().saturating_sub(2 * NAP);
            }
            late
        });
        let start = Instant::now();
        let answer = action();
        let took = start.elapsed();
        drop(over);
        let late = sleeper.join().expect("it only sleeps");
        (answer, took.saturating_sub(late))
    })
}

/// Returns the living processes with a tag. Dead ones have no arguments.
pub(crate) fn living(tag: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("there is /proc").filter_map(Result::ok);
    let has_tag = |entry: &fs::DirEntry| {
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).split('\0').any(|argument| argument == tag)
    };
    entries.filter(has_tag).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Asserts that no process with the tag is alive.
pub(crate) fn assert_gone(tag: &str, what: &str) {
    let left = living(tag);
    assert!(left.is_empty(), "{what} left {left:?}");
}
