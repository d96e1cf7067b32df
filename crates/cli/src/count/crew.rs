//! Threads that work together, as many as the system gives. Whoever asks for a thousand on a small machine gets the
//! same answer from fewer.

use std::hint::black_box;
use std::thread;

/// What must still be free before another thread is started: its stack, what the system keeps for its allocations, and
/// enough that those who already work do not run dry. Only addresses are asked for; no memory is touched.
const ROOM: usize = 64 << 20;

/// What each of at most `size` threads has made of the work. This thread works along, so there is always one.
pub(super) fn crew<T: Send>(size: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let start = |_| has_room().then(|| thread::Builder::new().spawn_scoped(scope, work).ok()).flatten();
        let helpers: Vec<_> = (1..size).map_while(start).collect();
        let own = work();
        let others = helpers.into_iter().map(|helper| helper.join().expect("the work does not panic"));
        others.chain([own]).collect()
    })
}

fn has_room() -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let found = probe.try_reserve_exact(ROOM).is_ok();
    // A probe that nobody looks at may be left out by the compiler.
    black_box(&mut probe);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_who_works_is_heard() {
        assert_eq!(crew(1, || 7), [7]);
        assert_eq!(crew(0, || 7), [7], "somebody must do it");
        let many = crew(4, || 7);
        assert!((1..=4).contains(&many.len()) && many.iter().all(|part| *part == 7));
    }
}
