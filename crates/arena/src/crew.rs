//! Games on several threads, and their results in the order of their numbers.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What `work` gives for each number below `count`, in order.
pub(crate) fn in_order<T: Send>(count: u32, threads: usize, work: &(dyn Fn(u32) -> T + Sync)) -> Vec<T> {
    let next = AtomicU32::new(0);
    let done: Mutex<Vec<(u32, T)>> = Mutex::new(Vec::new());
    let go_on = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let result = work(number);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.clamp(1, count.max(1) as usize) {
            // With fewer threads than were asked for it takes longer, and that is all.
            let _ = thread::Builder::new().spawn_scoped(scope, go_on);
        }
        go_on();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_numbers() {
        for threads in [1, 3, 50] {
            assert_eq!(in_order(20, threads, &|number| number * 2), (0..40).step_by(2).collect::<Vec<_>>());
        }
        assert!(in_order(0, 2, &|number| number).is_empty());
    }
}
