//! A match that is being played: several games at once, each in a thread of its own, one journal, one table.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use tabiya_referee::record::{Finish, Line};

use crate::bout::{Bout, Hall, Job, Left};
use crate::contest::{ATTEMPTS, Match, Plan};
use crate::error::MatchError;
use crate::journal::{Folder, Journal};
use crate::resume::{self, Resumed, Standing};
use crate::sheet::sheet;
use crate::table::Table;

/// A match that is ready to be played, or to be played on.
#[derive(Debug)]
pub struct Meeting {
    plan: Arc<Plan>,
    journal: Option<Journal>,
    standing: Standing,
}

impl Meeting {
    /// Opens the match. With a folder, it goes on with what is found there, and everything is written there.
    pub fn open(contest: &Match, folder: Option<&Path>) -> Result<Self, MatchError> {
        let plan = Plan::new(contest).map_err(MatchError::Settings)?;
        let Some(path) = folder else {
            let standing = resume::fresh(&plan);
            return Ok(Meeting { plan, journal: None, standing });
        };
        let folder = Folder::open(path, &contest.settings())?;
        let mut draft = folder.draft()?;
        let standing = resume::read(&plan, &folder, &mut draft)?;
        let journal = Some(folder.journal(draft)?);
        Ok(Meeting { plan, journal, standing })
    }

    /// What was found in the folder.
    pub fn resumed(&self) -> &Resumed {
        &self.standing.found
    }

    /// How the match stands.
    pub fn table(&self) -> &Table {
        &self.standing.table
    }

    /// Plays what is still to be played, so many games at once, and gives the table. After every game, `watch` is told how
    /// the match stands.
    pub fn play(self, concurrency: usize, watch: &(dyn Fn(&Table) + Sync)) -> Result<Table, MatchError> {
        let Meeting { plan, journal, standing: Standing { table, jobs, .. } } = self;
        let workers = concurrency.clamp(1, jobs.len().max(1));
        let crew = Crew {
            hall: Hall {
                plan: &plan,
                journal: journal.as_ref(),
                has_come: [AtomicBool::new(false), AtomicBool::new(false)],
                stop: AtomicBool::new(false),
            },
            jobs: Mutex::new(jobs),
            table: Mutex::new(table),
            trouble: Mutex::new(None),
            watch,
        };
        thread::scope(|scope| {
            for _ in 1..workers {
                // With fewer threads than were asked for the match takes longer, and that is all.
                let _ = thread::Builder::new().spawn_scoped(scope, || crew.work());
            }
            crew.work();
        });
        let Crew { table, trouble, .. } = crew;
        let table = table.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        journal.as_ref().map_or(Ok(()), |journal| journal.table(&table, true))?;
        Ok(table)
    }
}

/// Those who conduct games, and what they share.
struct Crew<'m> {
    hall: Hall<'m>,
    jobs: Mutex<VecDeque<Job>>,
    table: Mutex<Table>,
    /// Why the match is broken off.
    trouble: Mutex<Option<MatchError>>,
    watch: &'m (dyn Fn(&Table) + Sync),
}

impl Crew<'_> {
    /// Plays games until none is left.
    fn work(&self) {
        while !self.hall.stop.load(Ordering::Relaxed) {
            let next = lock(&self.jobs).pop_front();
            let Some(job) = next else { return };
            if let Err(error) = self.play(job) {
                lock(&self.trouble).get_or_insert(error);
                self.hall.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn play(&self, job: Job) -> Result<(), MatchError> {
        let mut bout = job.bout(self.hall.plan)?;
        match bout.play(&self.hall)? {
            Left::Over(finish) => self.close(&bout, &finish),
            Left::Open => Ok(()),
        }
    }

    fn close(&self, bout: &Bout, finish: &Finish) -> Result<(), MatchError> {
        let Bout { header, arbiter, tally, .. } = bout;
        if let Some(journal) = self.hall.journal {
            journal.close(&Line::End(finish.clone()), &sheet(self.hall.plan, header, arbiter, finish))?;
        }
        if finish.winners.is_none() && header.attempt < ATTEMPTS {
            lock(&self.jobs).push_back(Job::Fresh { id: header.id, attempt: header.attempt + 1 });
        }
        let mut table = lock(&self.table);
        table.enter(tally, finish, header.attempt >= ATTEMPTS);
        (self.watch)(&table);
        self.hall.journal.map_or(Ok(()), |journal| journal.table(&table, false))
    }
}

/// Whoever panicked while holding it has not left it half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
