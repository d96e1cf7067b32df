//! Permits that bound concurrent CPU-heavy work: engine searches, spec compilation, and work in long or large games.

use std::sync::Arc;

use tokio::time::timeout;

use crate::api_error::ApiError;
use crate::fair_queue::{Client, FairPermit, FairQueue};
use crate::limits;
use crate::rate_limiter::RateLimiter;

/// The permits of a server, one set per kind of work.
#[derive(Debug)]
pub(crate) struct Permits {
    /// Searches of built-in players, one per core.
    engine: Arc<FairQueue>,
    /// The share of engine permits for games without people, so that people do not wait for all of them.
    unattended: Arc<FairQueue>,
    /// Requests that compile a spec, restore a room or view it, one per core.
    work: Arc<FairQueue>,
    rate_limiter: Arc<RateLimiter>,
}

/// The right to search on one core, until it is dropped.
#[derive(Debug)]
pub(crate) struct EnginePermit {
    _engine: FairPermit,
    _unattended: Option<FairPermit>,
}

impl Permits {
    /// Creates the permits for this machine's cores.
    pub(crate) fn new(rate_limiter: Arc<RateLimiter>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Permits {
            engine: FairQueue::new(cores),
            unattended: FairQueue::new((cores / 2).max(1)),
            work: FairQueue::new(cores),
            rate_limiter,
        }
    }

    /// Waits for an engine permit.
    pub(crate) async fn engine(&self, client: Client, is_unattended: bool) -> EnginePermit {
        let unattended = if is_unattended { Some(self.unattended.acquire(client).await) } else { None };
        EnginePermit { _engine: self.engine.acquire(client).await, _unattended: unattended }
    }

    /// Runs `work` for a client on a blocking thread, once a permit is free, and charges its CPU time to the client.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let Ok(permit) = timeout(limits::WORK_QUEUE_TIMEOUT, self.work.acquire(client)).await else {
            return Err(ApiError::too_many("busy", "the server is busy; try again in a moment"));
        };
        let rate_limiter = Arc::clone(&self.rate_limiter);
        let work = tokio::task::spawn_blocking(move || {
            let done = rate_limiter.charged(client, work);
            drop(permit);
            done
        });
        work.await.map_err(|_| ApiError::internal())?
    }
}
