//! A worker pool for very short batches: the calling thread and a number of helpers.
//!
//! A step of a thousand games takes about a millisecond in four calls, and waking a thread takes a twentieth of that.
//! Helpers therefore spin for a moment before they sleep, and the caller spins while it waits for them.

use std::collections::VecDeque;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

/// The smallest number of games in a job.
const MIN_CHUNK: usize = 16;
/// Jobs per thread. Several of them balance the load.
const JOBS_PER_THREAD: usize = 8;
/// How long a thread spins before it sleeps.
const SPIN_TIME: Duration = Duration::from_micros(200);

/// Jobs with their numbers.
type Jobs<J> = VecDeque<(usize, J)>;
type TakeJob<J> = fn(&mut Jobs<J>) -> Option<(usize, J)>;

/// A pool of helper threads. Without helpers, the caller does all work.
#[derive(Debug)]
pub(crate) struct WorkerPool(Option<Helpers>);

#[derive(Debug)]
struct Helpers {
    pool: ThreadPool,
    /// Whether the helpers are spinning.
    awake: Arc<AtomicBool>,
}

impl WorkerPool {
    /// Creates a pool of `threads` threads including the caller, or one per core if it is 0. If the system provides no
    /// threads, the caller does all work.
    pub(crate) fn new(threads: usize) -> Self {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(256),
        };
        let helpers = threads.saturating_sub(1);
        let pool =
            (helpers > 0).then(|| ThreadPoolBuilder::new().num_threads(helpers).build().ok()).flatten();
        WorkerPool(pool.map(|pool| Helpers { pool, awake: Arc::default() }))
    }

    /// Returns how many games one job should have.
    pub(crate) fn chunk_size(&self, games: usize) -> usize {
        let Some(Helpers { pool, .. }) = &self.0 else { return games.max(1) };
        games.div_ceil((pool.current_num_threads() + 1) * JOBS_PER_THREAD).max(MIN_CHUNK)
    }

    /// Fills one row of `out` for each item.
    pub(crate) fn fill_rows<T: Sync, U: Send>(
        &self,
        items: &[T],
        out: &mut [U],
        fill: impl Fn(&T, &mut [U]) + Sync + Send,
    ) {
        let Some(row) = out.len().checked_div(items.len()) else { return };
        let chunk = self.chunk_size(items.len());
        self.map(items.chunks(chunk).zip(out.chunks_mut(chunk * row)), |(items, out)| {
            for (item, out) in items.iter().zip(out.chunks_mut(row)) {
                fill(item, out);
            }
        });
    }

    /// Runs all jobs and returns their results in order. The caller takes jobs from the front and helpers from the back,
    /// so that a game mostly stays in the cache of one core.
    pub(crate) fn map<J: Send, R: Send>(
        &self,
        jobs: impl Iterator<Item = J>,
        work: impl Fn(J) -> R + Sync + Send,
    ) -> Vec<R> {
        let Some(helpers) = &self.0 else { return jobs.map(work).collect() };
        let jobs: Jobs<J> = jobs.enumerate().collect();
        let count = helpers.pool.current_num_threads().min(jobs.len().saturating_sub(1));
        if count == 0 {
            return jobs.into_iter().map(|(_, job)| work(job)).collect();
        }
        let (jobs, results, running) = (Mutex::new(jobs), Mutex::new(Vec::new()), AtomicUsize::new(count));
        let run = |take: TakeJob<J>| {
            loop {
                let next = take(&mut jobs.lock().unwrap_or_else(PoisonError::into_inner));
                let Some((index, job)) = next else { break };
                let result = work(job);
                results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
            }
        };
        helpers.pool.in_place_scope(|scope| {
            for _ in 0..count {
                scope.spawn(|_| {
                    run(VecDeque::pop_back);
                    running.fetch_sub(1, Ordering::Release);
                });
            }
            helpers.wake();
            run(VecDeque::pop_front);
            let since = Instant::now();
            while running.load(Ordering::Acquire) > 0 && since.elapsed() < SPIN_TIME {
                spin_loop();
            }
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(index, _)| *index);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

impl Helpers {
    /// Makes the helpers spin until there has been no work for a while.
    fn wake(&self) {
        if self.awake.swap(true, Ordering::AcqRel) {
            return;
        }
        let awake = Arc::clone(&self.awake);
        self.pool.spawn_broadcast(move |_| {
            let mut since = Instant::now();
            while since.elapsed() < SPIN_TIME {
                match rayon::yield_now() {
                    Some(Yield::Executed) => since = Instant::now(),
                    _ => spin_loop(),
                }
            }
            awake.store(false, Ordering::Release);
        });
    }
}
