//! Plays a match: several games at once, one journal, one set of standings.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tabiya_referee::record::{Finish, Line};

use crate::config::{MAX_ATTEMPTS, MatchConfig, MatchPlan};
use crate::error::MatchError;
use crate::game_runner::{GameRunner, Job, MatchContext};
use crate::journal::{Folder, Journal};
use crate::parallel;
use crate::pgn::game_pgn;
use crate::resume::{self, MatchState, Resumed};
use crate::standings::Standings;

/// A match that is ready to be played or resumed.
#[derive(Debug)]
pub struct MatchRunner {
    plan: Arc<MatchPlan>,
    journal: Option<Journal>,
    state: MatchState,
}

impl MatchRunner {
    /// Opens a match. With a folder, everything is recorded there, and a match that is already there is resumed.
    ///
    /// # Errors
    ///
    /// Fails if the configuration is invalid, or if the folder cannot be used, is in use, or holds another match.
    pub fn open(config: &MatchConfig, folder: Option<&Path>) -> Result<Self, MatchError> {
        let plan = MatchPlan::new(config).map_err(MatchError::Settings)?;
        let Some(path) = folder else {
            let state = MatchState::new(&plan);
            return Ok(MatchRunner { plan, journal: None, state });
        };
        let folder = Folder::open(path, &config.settings())?;
        let mut pgn = folder.rewrite_pgn()?;
        let state = resume::read(&plan, &folder, &mut pgn)?;
        let journal = Some(folder.into_journal(pgn)?);
        Ok(MatchRunner { plan, journal, state })
    }

    /// Returns what was found in the folder.
    pub fn resumed(&self) -> &Resumed {
        &self.state.resumed
    }

    /// Returns the current standings.
    pub fn standings(&self) -> &Standings {
        &self.state.standings
    }

    /// Plays the remaining games, up to `concurrency` at once, and returns the final standings. Calls `watch` after every
    /// game with the current standings.
    ///
    /// # Errors
    ///
    /// Fails if an agent cannot be started for its first game, or if a file cannot be written. The match can be resumed
    /// later.
    pub fn play(
        self,
        concurrency: usize,
        watch: &(dyn Fn(&Standings) + Sync),
    ) -> Result<Standings, MatchError> {
        let MatchRunner { plan, journal, state: MatchState { standings, jobs, .. } } = self;
        let threads = concurrency.clamp(1, jobs.len().max(1));
        let shared = Shared {
            context: MatchContext {
                plan: &plan,
                journal: journal.as_ref(),
                was_started: [AtomicBool::new(false), AtomicBool::new(false)],
                stop: AtomicBool::new(false),
            },
            jobs: Mutex::new(jobs),
            standings: Mutex::new(standings),
            error: Mutex::new(None),
            watch,
        };
        parallel::run_on_all(threads, || shared.play_games());
        let Shared { standings, error, .. } = shared;
        if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let standings = standings.into_inner().unwrap_or_else(PoisonError::into_inner);
        journal.as_ref().map_or(Ok(()), |journal| journal.write_standings(&standings, true))?;
        Ok(standings)
    }
}

/// Data that all threads of a match share.
struct Shared<'m> {
    context: MatchContext<'m>,
    jobs: Mutex<VecDeque<Job>>,
    standings: Mutex<Standings>,
    /// The error that stops the match.
    error: Mutex<Option<MatchError>>,
    watch: &'m (dyn Fn(&Standings) + Sync),
}

impl Shared<'_> {
    /// Plays games until there are none left.
    fn play_games(&self) {
        while !self.context.stop.load(Ordering::Relaxed) {
            let next = lock(&self.jobs).pop_front();
            let Some(job) = next else { return };
            if let Err(error) = self.play(job) {
                lock(&self.error).get_or_insert(error);
                self.context.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn play(&self, job: Job) -> Result<(), MatchError> {
        let mut runner = job.into_runner(self.context.plan)?;
        let finish = runner.play(&self.context)?;
        finish.map_or(Ok(()), |finish| self.record_end(&runner, &finish))
    }

    fn record_end(&self, runner: &GameRunner, finish: &Finish) -> Result<(), MatchError> {
        let GameRunner { header, recorder, tally, .. } = runner;
        if let Some(journal) = self.context.journal {
            let pgn = game_pgn(self.context.plan, header, recorder, finish);
            journal.write_end(&Line::End(finish.clone()), &pgn)?;
        }
        if finish.winners.is_none() && header.attempt < MAX_ATTEMPTS {
            lock(&self.jobs).push_back(Job::New { id: header.id, attempt: header.attempt + 1 });
        }
        let mut standings = lock(&self.standings);
        standings.add(tally, finish, header.attempt >= MAX_ATTEMPTS);
        (self.watch)(&standings);
        self.context.journal.map_or(Ok(()), |journal| journal.write_standings(&standings, false))
    }
}

/// Locks the mutex. A panic of another thread does not leave the data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
