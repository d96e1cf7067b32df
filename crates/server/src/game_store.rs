//! The database of games: one `SQLite` file, written by one thread.
//!
//! Every event is saved before clients see it, so that a server that was killed continues with everything its clients saw.
//! All waiting jobs are written in one transaction, so that a busy server does not sync more often than a quiet one.
//!
//! The tables and columns keep the names of the first version: a room is a row of `tables`, its events are rows of `journal`.

mod repair;

use std::fmt;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::{Connection, OptionalExtension, params};

use crate::{limits, lock, tell_operator};

/// A callback for when a job is on disk (`true`) or cannot be written (`false`).
pub(crate) type OnWritten = Box<dyn FnOnce(bool) + Send>;

/// A job of the writer thread.
enum Job {
    /// Inserts a room: id and configuration.
    Create(String, String, OnWritten),
    /// Appends a journal entry: id, number and text.
    Append(String, usize, String, OnWritten),
    /// Writes nothing. Its callback runs after all earlier jobs.
    Barrier(OnWritten),
}

/// The database.
pub(crate) struct GameStore {
    jobs: Mutex<Option<Sender<Job>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    reader: Mutex<Connection>,
    /// A file lock, held while the database is open. The system releases it when the process ends.
    _lock: File,
}

/// The `SQLite` application id of our files: `Tabi`.
const APPLICATION_ID: i32 = 0x5461_6269;

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS tables (
        id TEXT PRIMARY KEY, opened INTEGER NOT NULL DEFAULT (unixepoch()), is_over INTEGER NOT NULL DEFAULT 0,
        body TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS journal (
        id TEXT NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (id, n)) WITHOUT ROWID;
";

impl GameStore {
    /// Opens or creates the database. A lock file excludes a second server, which would play the same games.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let failed = |error: &dyn fmt::Display| format!("cannot open {}: {error}", path.display());
        let mut lock = path.to_path_buf().into_os_string();
        lock.push(".lock");
        let lock = File::create(lock).map_err(|error| failed(&error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.display();
                return Err(format!("another server uses {path}; use its page, or choose another file"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
        }
        if let Some(damage) = repair::repair(path).map_err(|error| failed(&error))? {
            tell_operator(&format!("{} is damaged: {damage}", path.display()));
        }
        Self::connect(path, lock).map_err(|error| failed(&error))
    }

    fn connect(path: &Path, lock: File) -> rusqlite::Result<Self> {
        let connect = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(path)?;
            check_application_id(&connection)?;
            connection.execute_batch(SCHEMA)?;
            Ok(connection)
        };
        let (mut connection, reader) = (connect()?, connect()?);
        let (jobs, waiting) = channel();
        let writer = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || run_jobs(&mut connection, &waiting))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        Ok(GameStore {
            jobs: Mutex::new(Some(jobs)),
            writer: Mutex::new(Some(writer)),
            reader: Mutex::new(reader),
            _lock: lock,
        })
    }

    fn send(&self, job: Job) {
        let unsent = match lock(&self.jobs).as_ref() {
            Some(jobs) => jobs.send(job).err().map(|error| error.0),
            None => Some(job),
        };
        if let Some(Job::Create(.., then) | Job::Append(.., then) | Job::Barrier(then)) = unsent {
            then(false);
        }
    }

    /// Saves a new room.
    pub(crate) fn create_room(&self, id: &str, config: String, then: OnWritten) {
        self.send(Job::Create(id.to_owned(), config, then));
    }

    /// Appends entry `n` to the journal of a room.
    pub(crate) fn append(&self, id: &str, n: usize, entry: String, then: OnWritten) {
        self.send(Job::Append(id.to_owned(), n, entry, then));
    }

    /// Calls `then` after all earlier jobs.
    pub(crate) fn after_pending(&self, then: OnWritten) {
        self.send(Job::Barrier(then));
    }

    /// Reads the configuration of a room, as JSON.
    pub(crate) fn config(&self, id: &str) -> rusqlite::Result<Option<String>> {
        let reader = lock(&self.reader);
        let mut select = reader.prepare_cached("SELECT body FROM tables WHERE id = ?")?;
        select.query_row([id], |row| row.get(0)).optional()
    }

    /// Reads the journal of a room: its entries, as JSON.
    pub(crate) fn journal(&self, id: &str) -> rusqlite::Result<Vec<String>> {
        let reader = lock(&self.reader);
        let mut select = reader.prepare_cached("SELECT n, body FROM journal WHERE id = ? ORDER BY n")?;
        let mut rows = select.query([id])?;
        let mut entries = Vec::new();
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>(0)? != entries.len() as i64 {
                let why = format!("entry {} of its journal is missing", entries.len());
                return Err(rusqlite::Error::ToSqlConversionFailure(why.into()));
            }
            entries.push(row.get(1)?);
        }
        Ok(entries)
    }

    /// Deletes rooms that were opened more than `days` days ago. Returns their number.
    pub(crate) fn delete_older_than(&self, days: u32) -> rusqlite::Result<usize> {
        let reader = lock(&self.reader);
        let old = "SELECT id FROM tables WHERE opened < unixepoch() - 86400 * ?";
        reader.execute(&format!("DELETE FROM journal WHERE id IN ({old})"), [days])?;
        reader.execute(&format!("DELETE FROM tables WHERE id IN ({old})"), [days])
    }

    /// Writes all waiting jobs and ends the writer thread.
    pub(crate) fn close(&self) {
        lock(&self.jobs).take();
        if let Some(writer) = lock(&self.writer).take() {
            let _ = writer.join();
        }
    }
}

/// Rejects a database of another program.
fn check_application_id(connection: &Connection) -> rusqlite::Result<()> {
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if id != APPLICATION_ID && tables > 0 {
        return Err(rusqlite::Error::ToSqlConversionFailure("it is a database of another program".into()));
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)
}

fn run_jobs(connection: &mut Connection, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let others = jobs.try_iter().take(limits::MAX_WRITE_BATCH - 1);
        let batch: Vec<Job> = std::iter::once(first).chain(others).collect();
        let written = write_batch(connection, &batch);
        if let Err(error) = &written {
            tell_operator(&format!("cannot write the journal: {error}"));
        }
        for job in batch {
            match job {
                Job::Create(.., then) | Job::Append(.., then) => then(written.is_ok()),
                Job::Barrier(then) => then(true),
            }
        }
    }
}

fn write_batch(connection: &mut Connection, batch: &[Job]) -> rusqlite::Result<()> {
    if batch.iter().all(|job| matches!(job, Job::Barrier(_))) {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    for job in batch {
        match job {
            Job::Create(id, config, _) => transaction
                .prepare_cached("INSERT INTO tables (id, body) VALUES (?, ?)")?
                .execute(params![id, config])?,
            Job::Append(id, n, entry, _) => transaction
                .prepare_cached("INSERT INTO journal (id, n, body) VALUES (?, ?, ?)")?
                .execute(params![id, *n as i64, entry])?,
            Job::Barrier(_) => 0,
        };
    }
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn confirmed_jobs_are_there_when_the_file_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let store = GameStore::open(&path).unwrap();
        let (sender, receiver) = mpsc::channel();
        let confirm = |what: &'static str| -> OnWritten {
            let sender = sender.clone();
            Box::new(move |is_written| sender.send((what, is_written)).unwrap())
        };
        store.create_room("one", "{}".into(), confirm("create"));
        store.append("one", 0, "a".into(), confirm("a"));
        store.append("one", 1, "b".into(), confirm("b"));
        store.after_pending(confirm("barrier"));
        let confirmed: Vec<_> = receiver.iter().take(4).collect();
        assert_eq!(confirmed, [("create", true), ("a", true), ("b", true), ("barrier", true)], "in order");
        // The first store stays open, as if its server had been killed.
        assert!(GameStore::open(&path).err().unwrap().contains("another server"));
        let again = GameStore::connect(&path, tempfile::tempfile().unwrap()).unwrap();
        assert_eq!(again.config("one").unwrap().unwrap(), "{}");
        assert_eq!(again.journal("one").unwrap(), ["a", "b"]);
        assert!(again.config("two").unwrap().is_none());
        store.append("one", 3, "d".into(), confirm("d"));
        receiver.recv().unwrap();
        assert!(again.journal("one").unwrap_err().to_string().contains("entry 2"), "it has a gap");
        assert_eq!(again.delete_older_than(1).unwrap(), 0, "it is less than a day old");
    }

    #[test]
    fn a_journal_entry_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let store = GameStore::open(&folder.path().join("games.db")).unwrap();
        let (sender, receiver) = mpsc::channel();
        for entry in ["a", "b"] {
            let sender = sender.clone();
            store.append("one", 0, entry.into(), Box::new(move |written| sender.send(written).unwrap()));
            // Wait for each entry, because a batch succeeds or fails as a whole.
            assert_eq!(receiver.recv().unwrap(), entry == "a");
        }
    }
}
