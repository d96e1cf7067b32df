//! What the tests with processes share: where the rogue is, and whether anything of it is left.
#![allow(dead_code, reason = "no test uses all of it")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs};

use tabiya_arena::Launch;

/// How much later than its deadline a fault may be told.
pub(crate) const SLACK: Duration = Duration::from_millis(50);

/// A rogue to start, and the tag by which it and its children are found.
pub(crate) fn rogue(mode: &str) -> (Launch, String) {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let tag = format!("tag-{}-{}-end", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    (Launch::new(format!("'{}' {mode} {tag}", rogue_path().display())), tag)
}

/// Cargo builds examples with the tests and puts them beside them.
fn rogue_path() -> PathBuf {
    let test = env::current_exe().expect("a test runs from a file");
    let path = test.ancestors().nth(2).expect("tests are in a folder of their own").join("examples/rogue");
    assert!(path.exists(), "build the rogue first: cargo build -p tabiya-arena --examples");
    path
}

/// Runs and says how long it took. On a busy machine everybody is late: what a thread that only sleeps was late by all
/// the while, is taken off.
pub(crate) fn timed<T>(action: impl FnOnce() -> T) -> (T, Duration) {
    const NAP: Duration = Duration::from_millis(2);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
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
        is_over.store(true, Ordering::Relaxed);
        let late = sleeper.join().expect("it only sleeps");
        (answer, took.saturating_sub(late))
    })
}

/// The processes with the tag. Those that are dead have no arguments any more.
pub(crate) fn living(tag: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("there is /proc").filter_map(Result::ok);
    let has_tag = |entry: &fs::DirEntry| {
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).split('\0').any(|argument| argument == tag)
    };
    entries.filter(has_tag).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Nobody with the tag lives.
pub(crate) fn assert_gone(tag: &str, what: &str) {
    let left = living(tag);
    assert!(left.is_empty(), "{what} left {left:?}");
}
