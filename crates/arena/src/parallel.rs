//! Games on several threads.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Calls `work` for each number below `count` and returns the results in the order of the numbers.
pub fn map_in_order<T: Send>(count: u32, threads: usize, work: impl Fn(u32) -> T + Sync) -> Vec<T> {
    match pool(threads) {
        Some(pool) => pool.install(|| (0..count).into_par_iter().with_max_len(1).map(&work).collect()),
        None => (0..count).map(work).collect(),
    }
}

/// Calls `work` once on each of several threads and waits for all of them.
pub(crate) fn run_on_all(threads: usize, work: impl Fn() + Sync) {
    match pool(threads) {
        Some(pool) => drop(pool.broadcast(|_| work())),
        None => work(),
    }
}

/// Returns `None` where no thread can be started: then the current thread does all the work.
fn pool(threads: usize) -> Option<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(threads.max(1)).build().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_numbers() {
        for threads in [1, 3, 50] {
            assert_eq!(
                map_in_order(20, threads, |number| number * 2),
                (0..40).step_by(2).collect::<Vec<_>>()
            );
        }
        assert!(map_in_order(0, 2, |number| number).is_empty());
    }

    #[test]
    fn every_thread_works() {
        let calls = AtomicU32::new(0);
        run_on_all(5, || {
            calls.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(calls.into_inner(), 5);
    }
}
