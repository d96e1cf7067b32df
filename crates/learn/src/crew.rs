//! Those who do the work: whoever calls, and as many threads beside him as were asked for.
//!
//! A thousand games are a millisecond of work in four calls, and to wake a thread takes the twentieth part of one. So nobody
//! sleeps at once: the others look for the next call for a moment, and whoever calls looks for the end.

use std::collections::VecDeque;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

/// Fewer games than that are not worth another thread.
const GRAIN: usize = 16;
/// More jobs than threads, so that nobody waits for the slowest.
const JOBS_EACH: usize = 8;
/// How long one looks for work, or for its end, before one sleeps.
const PATIENCE: Duration = Duration::from_micros(200);

/// Jobs with their numbers, and a way to take the next of them.
type Jobs<J> = VecDeque<(usize, J)>;
type Taking<J> = fn(&mut Jobs<J>) -> Option<(usize, J)>;

/// Threads beside the one that calls, if there are any.
#[derive(Debug)]
pub(crate) struct Crew(Option<Others>);

#[derive(Debug)]
struct Others {
    pool: ThreadPool,
    /// Whether they look for work.
    awake: Arc<AtomicBool>,
}

impl Crew {
    /// So many threads, the one that calls included; as many as there are cores, if it is 0. If they cannot be had, whoever
    /// calls does the work.
    pub(crate) fn new(threads: usize) -> Self {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(256),
        };
        let others = threads.saturating_sub(1);
        let pool = (others > 0).then(|| ThreadPoolBuilder::new().num_threads(others).build().ok()).flatten();
        Crew(pool.map(|pool| Others { pool, awake: Arc::default() }))
    }

    /// How many games are one job, of so many.
    pub(crate) fn share(&self, games: usize) -> usize {
        let Some(Others { pool, .. }) = &self.0 else { return games.max(1) };
        games.div_ceil((pool.current_num_threads() + 1) * JOBS_EACH).max(GRAIN)
    }

    /// Does all jobs; the answers are in their order. Whoever calls takes them from the front and the others from the back,
    /// so that a game mostly stays with one core and its memory.
    pub(crate) fn spread<J: Send, R: Send>(
        &self,
        jobs: impl Iterator<Item = J>,
        work: impl Fn(J) -> R + Sync + Send,
    ) -> Vec<R> {
        let Some(others) = &self.0 else { return jobs.map(work).collect() };
        let jobs: Jobs<J> = jobs.enumerate().collect();
        let helpers = others.pool.current_num_threads().min(jobs.len().saturating_sub(1));
        if helpers == 0 {
            return jobs.into_iter().map(|(_, job)| work(job)).collect();
        }
        let (jobs, answers, helping) = (Mutex::new(jobs), Mutex::new(Vec::new()), AtomicUsize::new(helpers));
        let help = |next: Taking<J>| {
            loop {
                let next = next(&mut jobs.lock().unwrap_or_else(PoisonError::into_inner));
                let Some((index, job)) = next else { break };
                let answer = work(job);
                answers.lock().unwrap_or_else(PoisonError::into_inner).push((index, answer));
            }
        };
        others.pool.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| {
                    help(VecDeque::pop_back);
                    helping.fetch_sub(1, Ordering::Release);
                });
            }
            others.wake();
            help(VecDeque::pop_front);
            let since = Instant::now();
            while helping.load(Ordering::Acquire) > 0 && since.elapsed() < PATIENCE {
                spin_loop();
            }
        });
        let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        answers.sort_unstable_by_key(|(index, _)| *index);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }
}

impl Others {
    /// Has them look for work until there has been none for a while.
    fn wake(&self) {
        if self.awake.swap(true, Ordering::AcqRel) {
            return;
        }
        let awake = Arc::clone(&self.awake);
        self.pool.spawn_broadcast(move |_| {
            let mut since = Instant::now();
            while since.elapsed() < PATIENCE {
                match rayon::yield_now() {
                    Some(Yield::Executed) => since = Instant::now(),
                    _ => spin_loop(),
                }
            }
            awake.store(false, Ordering::Release);
        });
    }
}
