//! Those who do the work: whoever calls, and as many threads beside him as were asked for.

use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Fewer games than that are not worth another thread.
const GRAIN: usize = 16;
/// More jobs than threads, so that nobody waits for the slowest.
const JOBS_EACH: usize = 8;

/// Threads beside the one that calls, if there are any.
#[derive(Debug)]
pub(crate) struct Crew(Option<ThreadPool>);

impl Crew {
    /// So many threads, the one that calls included; as many as there are cores, if it is 0. If they cannot be had, whoever
    /// calls does the work.
    pub(crate) fn new(threads: usize) -> Self {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(256),
        };
        let others = threads.saturating_sub(1);
        Crew((others > 0).then(|| ThreadPoolBuilder::new().num_threads(others).build().ok()).flatten())
    }

    /// How many games are one job, of so many.
    pub(crate) fn share(&self, games: usize) -> usize {
        let Some(pool) = &self.0 else { return games.max(1) };
        games.div_ceil((pool.current_num_threads() + 1) * JOBS_EACH).max(GRAIN)
    }

    /// Does all jobs; the answers are in their order. Whoever calls begins at once, and the others help as soon as they are
    /// awake: everybody takes the next job that nobody has taken.
    pub(crate) fn spread<J: Send, R: Send>(
        &self,
        jobs: impl Iterator<Item = J>,
        work: impl Fn(J) -> R + Sync + Send,
    ) -> Vec<R> {
        let Some(pool) = &self.0 else { return jobs.map(work).collect() };
        let jobs: Vec<(usize, J)> = jobs.enumerate().collect();
        let helpers = pool.current_num_threads().min(jobs.len().saturating_sub(1));
        let (jobs, answers) = (Mutex::new(jobs.into_iter()), Mutex::new(Vec::new()));
        let help = || {
            loop {
                let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((index, job)) = next else { break };
                let answer = work(job);
                answers.lock().unwrap_or_else(PoisonError::into_inner).push((index, answer));
            }
        };
        pool.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| help());
            }
            help();
        });
        let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        answers.sort_unstable_by_key(|(index, _)| *index);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }
}
