//! Games on disk: one file of `SQLite`, one thread that writes it. Whatever happens at a table is written first and told
//! afterwards, so that nobody has seen what a killed server does not know any more.
//!
//! Everything that waits goes into one transaction, so a busy server syncs as often as a quiet one.

use std::fmt;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, OptionalExtension, params};

/// So much at most goes into one transaction, so that the first of it does not wait for the last.
const BATCH: usize = 256;

/// What is done once something is on disk, or cannot be written.
pub(crate) type Then = Box<dyn FnOnce(bool) + Send>;

/// Something to be written.
enum Job {
    /// A table: its id, and everything that does not change about it.
    Open(String, String, Then),
    /// A line of a table's journal, by its number.
    Line(String, usize, String, Then),
    /// The game at a table is over.
    Over(String),
    /// Nothing: only the order counts.
    Mark(Then),
}

/// Where games are kept.
pub(crate) struct Store {
    jobs: Mutex<Option<Sender<Job>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    reader: Mutex<Connection>,
    /// Held as long as the file is open; the system lets it go when the process ends, however it does.
    _lock: File,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Store")
    }
}

/// A table as it is kept.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Its id.
    pub(crate) id: String,
    /// What does not change about it.
    pub(crate) body: String,
    /// Its journal.
    pub(crate) lines: Vec<String>,
}

/// The mark of our files: `Tabi`.
const APPLICATION: i32 = 0x5461_6269;

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS tables (
        id TEXT PRIMARY KEY, opened INTEGER NOT NULL DEFAULT (unixepoch()), is_over INTEGER NOT NULL DEFAULT 0,
        body TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS journal (
        id TEXT NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (id, n)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS unfinished ON tables (id) WHERE NOT is_over;
";

impl Store {
    /// Opens the file, or makes it. Two servers on one file would play its games twice, so the second is refused.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let failed = |error: &dyn fmt::Display| format!("{} cannot be opened: {error}", path.display());
        let mut lock = path.to_path_buf().into_os_string();
        lock.push(".lock");
        let lock = File::create(lock).map_err(|error| failed(&error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("another server has {}: use its page, or another file", path.display()));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
        }
        Self::connect(path, lock).map_err(|error| failed(&error))
    }

    fn connect(path: &Path, lock: File) -> rusqlite::Result<Self> {
        let connect = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(path)?;
            is_ours(&connection)?;
            connection.execute_batch(SCHEMA)?;
            Ok(connection)
        };
        let (mut connection, reader) = (connect()?, connect()?);
        let (jobs, waiting) = channel();
        let writer = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || write(&mut connection, &waiting))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        Ok(Store {
            jobs: Mutex::new(Some(jobs)),
            writer: Mutex::new(Some(writer)),
            reader: Mutex::new(reader),
            _lock: lock,
        })
    }

    fn send(&self, job: Job) {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let unsent = match jobs.as_ref() {
            Some(jobs) => jobs.send(job).err().map(|error| error.0),
            None => Some(job),
        };
        if let Some(Job::Open(.., then) | Job::Line(.., then) | Job::Mark(then)) = unsent {
            then(false);
        }
    }

    /// Keeps a new table.
    pub(crate) fn open_table(&self, id: &str, body: String, then: Then) {
        self.send(Job::Open(id.to_owned(), body, then));
    }

    /// Keeps what happened at a table.
    pub(crate) fn append(&self, id: &str, n: usize, line: String, then: Then) {
        self.send(Job::Line(id.to_owned(), n, line, then));
    }

    /// Keeps that a game is over.
    pub(crate) fn over(&self, id: &str) {
        self.send(Job::Over(id.to_owned()));
    }

    /// Does something after everything that was to be written before.
    pub(crate) fn after(&self, then: Then) {
        self.send(Job::Mark(then));
    }

    /// A table, with its journal.
    pub(crate) fn find(&self, id: &str) -> rusqlite::Result<Option<Kept>> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let body: Option<String> = reader
            .prepare_cached("SELECT body FROM tables WHERE id = ?")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        let Some(body) = body else { return Ok(None) };
        let mut select = reader.prepare_cached("SELECT body FROM journal WHERE id = ? ORDER BY n")?;
        let lines = select.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(Some(Kept { id: id.to_owned(), body, lines }))
    }

    /// The tables at which a game is not over.
    pub(crate) fn unfinished(&self) -> rusqlite::Result<Vec<String>> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let mut select = reader.prepare("SELECT id FROM tables WHERE NOT is_over")?;
        select.query_map([], |row| row.get(0))?.collect()
    }

    /// Forgets tables that were opened so many days ago.
    pub(crate) fn forget(&self, days: u32) -> rusqlite::Result<usize> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let old = "SELECT id FROM tables WHERE opened < unixepoch() - 86400 * ?";
        reader.execute(&format!("DELETE FROM journal WHERE id IN ({old})"), [days])?;
        reader.execute(&format!("DELETE FROM tables WHERE id IN ({old})"), [days])
    }

    /// Writes what waits, and ends.
    pub(crate) fn close(&self) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            let _ = writer.join();
        }
    }
}

/// A file of somebody else is left alone.
fn is_ours(connection: &Connection) -> rusqlite::Result<()> {
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if id != APPLICATION && tables > 0 {
        let why = "it is a database of another program";
        return Err(rusqlite::Error::ToSqlConversionFailure(why.into()));
    }
    connection.pragma_update(None, "application_id", APPLICATION)
}

fn write(connection: &mut Connection, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let batch: Vec<Job> = std::iter::once(first).chain(jobs.try_iter().take(BATCH - 1)).collect();
        let is_written = match keep(connection, &batch) {
            Ok(()) => true,
            Err(error) => {
                complain(&error);
                false
            }
        };
        for job in batch {
            match job {
                Job::Open(.., then) | Job::Line(.., then) => then(is_written),
                Job::Mark(then) => then(true),
                Job::Over(_) => {}
            }
        }
    }
}

#[allow(clippy::print_stderr, reason = "the operator must hear of a disk that fails, and clients must not")]
fn complain(error: &rusqlite::Error) {
    eprintln!("tabiya serve: the journal cannot be written: {error}");
}

fn keep(connection: &mut Connection, batch: &[Job]) -> rusqlite::Result<()> {
    if batch.iter().all(|job| matches!(job, Job::Mark(_))) {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    for job in batch {
        match job {
            Job::Open(id, body, _) => {
                let mut insert = transaction.prepare_cached("INSERT INTO tables (id, body) VALUES (?, ?)")?;
                insert.execute(params![id, body])?;
            }
            Job::Line(id, n, body, _) => {
                let mut insert =
                    transaction.prepare_cached("INSERT INTO journal (id, n, body) VALUES (?, ?, ?)")?;
                insert.execute(params![id, *n as i64, body])?;
            }
            Job::Over(id) => {
                let mut update = transaction.prepare_cached("UPDATE tables SET is_over = 1 WHERE id = ?")?;
                update.execute([id])?;
            }
            Job::Mark(_) => {}
        }
    }
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn what_was_told_is_there_when_the_file_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let store = Store::open(&path).unwrap();
        let (told, heard) = mpsc::channel();
        let tell = |what: &'static str| -> Then {
            let told = told.clone();
            Box::new(move |is_written| told.send((what, is_written)).unwrap())
        };
        store.open_table("one", "{}".into(), tell("open"));
        store.append("one", 0, "a".into(), tell("a"));
        store.append("one", 1, "b".into(), tell("b"));
        store.after(tell("mark"));
        let heard: Vec<_> = heard.iter().take(4).collect();
        assert_eq!(heard, [("open", true), ("a", true), ("b", true), ("mark", true)], "in order");
        // As if the server had been killed: nothing is closed.
        assert!(Store::open(&path).unwrap_err().contains("another server"));
        let again = Store::connect(&path, tempfile::tempfile().unwrap()).unwrap();
        assert_eq!(again.find("one").unwrap().unwrap().lines, ["a", "b"]);
        assert_eq!(again.unfinished().unwrap(), ["one"]);
        assert!(again.find("two").unwrap().is_none());
        store.over("one");
        store.close();
        assert!(again.unfinished().unwrap().is_empty());
        assert_eq!(again.forget(1).unwrap(), 0, "it is not a day old");
    }

    #[test]
    fn a_line_that_is_there_already_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("games.db")).unwrap();
        let (told, heard) = mpsc::channel();
        for line in ["a", "b"] {
            let told = told.clone();
            store.append("one", 0, line.into(), Box::new(move |it| told.send(it).unwrap()));
            // One at a time, for a batch is written as a whole.
            heard.recv().map(|is_written| assert_eq!(is_written, line == "a")).unwrap();
        }
    }
}
