//! Permits that bound concurrent CPU-heavy work: engine searches and spec compilation.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::api_error::ApiError;
use crate::limits;

/// The permits of a server, one set per kind of work.
#[derive(Debug)]
pub(crate) struct Permits {
    /// Engine permits: searches of built-in players, one per core.
    engine: Arc<Semaphore>,
    /// The share of engine permits for games without people, so that people do not wait for all of them.
    unattended: Arc<Semaphore>,
    /// Compile permits, one per core.
    compile: Arc<Semaphore>,
}

/// The right to search on one core, until it is dropped.
#[derive(Debug)]
pub(crate) struct EnginePermit {
    _engine: Option<OwnedSemaphorePermit>,
    _unattended: Option<OwnedSemaphorePermit>,
}

impl Permits {
    /// Creates the permits for this machine's cores.
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let permits = |count| Arc::new(Semaphore::new(count));
        Permits { engine: permits(cores), unattended: permits((cores / 2).max(1)), compile: permits(cores) }
    }

    /// Waits for an engine permit.
    pub(crate) async fn engine(&self, is_unattended: bool) -> EnginePermit {
        let acquire = |permits: &Arc<Semaphore>| Arc::clone(permits).acquire_owned();
        let unattended = if is_unattended { acquire(&self.unattended).await.ok() } else { None };
        EnginePermit { _engine: acquire(&self.engine).await.ok(), _unattended: unattended }
    }

    /// Runs `work` on a blocking thread, once a compile permit is free.
    pub(crate) async fn compile<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let waiting = Arc::clone(&self.compile).acquire_owned();
        let Ok(Ok(permit)) = timeout(limits::COMPILE_QUEUE_TIMEOUT, waiting).await else {
            return Err(ApiError::too_many("busy", "the server is busy; try again in a moment"));
        };
        let work = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        // The thread outlives the timeout, but every spec compiles in bounded time.
        match timeout(limits::MAX_COMPILE_TIME * 2, work).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err(ApiError::internal()),
            Err(_) => Err(ApiError::rejected(
                "spec_too_slow",
                "the game takes too long to compile; make it smaller",
            )),
        }
    }
}
