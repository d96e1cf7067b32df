//! Those who do the work: as many threads as were asked for, or whoever calls.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Fewer games than that are not worth another thread.
const GRAIN: usize = 16;
/// More jobs than threads, so that nobody waits for the slowest.
const JOBS_EACH: usize = 4;

/// Threads, or none beside the one that calls.
#[derive(Debug)]
pub(crate) struct Crew(Option<ThreadPool>);

impl Crew {
    /// So many threads; as many as there are cores, if it is 0. If they cannot be had, whoever calls does the work.
    pub(crate) fn new(threads: usize) -> Self {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(256),
        };
        Crew((threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten())
    }

    /// How many games are one job, of so many.
    pub(crate) fn share(&self, games: usize) -> usize {
        let Some(pool) = &self.0 else { return games.max(1) };
        games.div_ceil(pool.current_num_threads() * JOBS_EACH).max(GRAIN)
    }

    /// Does all jobs; the answers are in their order.
    pub(crate) fn spread<J: Send, R: Send>(
        &self,
        jobs: impl Iterator<Item = J>,
        work: impl Fn(J) -> R + Sync + Send,
    ) -> Vec<R> {
        match &self.0 {
            None => jobs.map(work).collect(),
            Some(pool) => {
                let jobs: Vec<J> = jobs.collect();
                pool.install(|| jobs.into_par_iter().with_max_len(1).map(work).collect())
            }
        }
    }
}
