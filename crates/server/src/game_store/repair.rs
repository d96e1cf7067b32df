//! Repairs a damaged database: copies everything that can be read into a new file, keeps the damaged one, and says what was
//! lost. A game that lost the end of its journal continues from what remains.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, params};

use super::{APPLICATION_ID, SCHEMA};

/// The longest time that a start waits for the check. A larger database is not checked completely.
const MAX_CHECK_TIME: Duration = Duration::from_secs(1);

/// The most games named in a message.
const MAX_NAMED: usize = 20;

/// What a repair kept and lost.
#[derive(Debug, Default)]
pub(super) struct Damage {
    /// The number of games that can be continued or shown.
    kept: usize,
    /// The games that lost the end of their journal, with the number of entries that remain.
    shortened: Vec<(String, usize)>,
    /// The games that are lost although a part of their journal is left.
    lost: BTreeSet<String>,
    /// The parts of the list of games that cannot be read. Games without moves may be lost there.
    unreadable_parts: usize,
    /// Where the damaged file is kept.
    damaged_file: PathBuf,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { kept, shortened, lost, unreadable_parts, damaged_file } = self;
        write!(f, "{kept} games were recovered")?;
        if !shortened.is_empty() {
            let named = shortened.iter().map(|(id, entries)| format!("{id} after entry {entries}"));
            write!(f, "; {} of them lost their last moves ({})", shortened.len(), list(named))?;
        }
        if !lost.is_empty() {
            write!(f, "; {} games were lost ({})", lost.len(), list(lost.iter().cloned()))?;
        }
        if *unreadable_parts > 0 {
            write!(f, "; {unreadable_parts} parts of the list of games cannot be read")?;
        }
        write!(f, "; the damaged file is kept as {}", damaged_file.display())
    }
}

/// Joins the first few names.
fn list(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = if names.len() > MAX_NAMED { ", …" } else { "" };
    names.take(MAX_NAMED).collect::<Vec<_>>().join(", ") + more
}

/// Repairs the database if it is damaged. Returns what was lost.
pub(super) fn repair(path: &Path) -> rusqlite::Result<Option<Damage>> {
    if !path.exists() {
        return Ok(None);
    }
    let damaged = Connection::open(path)?;
    let id = damaged.query_row("PRAGMA application_id", [], |row| row.get::<_, i32>(0));
    // Another program's file is not ours to repair. Opening it reports the reason.
    if !matches!(id, Ok(APPLICATION_ID)) || !is_damaged(&damaged)? {
        return Ok(None);
    }
    let repaired_file = with_suffix(path, ".repaired");
    let _ = std::fs::remove_file(&repaired_file);
    let mut damage = {
        let mut repaired = Connection::open(&repaired_file)?;
        repaired.execute_batch(SCHEMA)?;
        repaired.pragma_update(None, "application_id", APPLICATION_ID)?;
        let transaction = repaired.transaction()?;
        let damage = copy(&damaged, &transaction)?;
        transaction.commit()?;
        damage
    };
    drop(damaged);
    let numbers = std::iter::once(String::new()).chain((2..).map(|number| number.to_string()));
    let mut names = numbers.map(|number| with_suffix(path, &format!(".damaged{number}")));
    damage.damaged_file = names.find(|name| !name.exists()).unwrap_or_default();
    let rename = |from: &Path, to: &Path| {
        std::fs::rename(from, to).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
    };
    rename(path, &damage.damaged_file)?;
    // What the log of the damaged file held was read with it.
    for log in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(with_suffix(path, log));
    }
    rename(&repaired_file, path)?;
    Ok(Some(damage))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Checks the structure of the database, for a limited time.
fn is_damaged(connection: &Connection) -> rusqlite::Result<bool> {
    let interrupt = connection.get_interrupt_handle();
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    let timer = std::thread::spawn(move || {
        if waiting.recv_timeout(MAX_CHECK_TIME).is_err() {
            interrupt.interrupt();
        }
    });
    let checked = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    let _ = done.send(());
    let _ = timer.join();
    match checked {
        Ok(text) => Ok(text != "ok"),
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt) => Ok(true),
            Some(ErrorCode::OperationInterrupted) => Ok(false),
            _ => Err(error),
        },
    }
}

/// Copies all rows that can be read.
fn copy(damaged: &Connection, repaired: &Connection) -> rusqlite::Result<Damage> {
    let mut damage = Damage::default();
    let mut kept = BTreeSet::new();
    let mut insert = repaired.prepare("INSERT OR IGNORE INTO tables (id, opened, body) VALUES (?, ?, ?)")?;
    let mut insert_entry =
        repaired.prepare("INSERT OR IGNORE INTO journal (id, n, body) VALUES (?, ?, ?)")?;
    let mut rooms = damaged.prepare("SELECT id, opened, body FROM tables WHERE id >= ? AND id < ?")?;
    let mut entries = damaged.prepare("SELECT n, body FROM journal WHERE id = ? ORDER BY n")?;
    let mut ids = damaged.prepare("SELECT DISTINCT id FROM journal WHERE id >= ? AND id < ?")?;
    for (from, to) in ranges() {
        let mut found = rooms.query([&from, &to])?;
        loop {
            match found.next() {
                Ok(Some(row)) => {
                    let room = (row.get::<_, String>(0), row.get::<_, i64>(1), row.get::<_, String>(2));
                    let (Ok(id), Ok(opened), Ok(body)) = room else { continue };
                    insert.execute(params![id, opened, body])?;
                    kept.insert(id);
                }
                Ok(None) => break,
                Err(_) => {
                    damage.unreadable_parts += 1;
                    break;
                }
            }
        }
    }
    for id in &kept {
        let mut count = 0;
        let mut found = entries.query([id])?;
        let is_complete = loop {
            match found.next().map(|row| row.map(|row| (row.get::<_, i64>(0), row.get::<_, String>(1)))) {
                Ok(Some((Ok(n), Ok(body)))) if n == count => {
                    insert_entry.execute(params![id, n, body])?;
                    count += 1;
                }
                Ok(None) => break true,
                _ => break false,
            }
        };
        if !is_complete {
            damage.shortened.push((id.clone(), usize::try_from(count).unwrap_or_default()));
        }
    }
    for (from, to) in ranges() {
        let mut found = ids.query([&from, &to])?;
        while let Ok(Some(row)) = found.next() {
            damage.lost.extend(row.get(0).ok().filter(|id| !kept.contains(id)));
        }
    }
    damage.kept = kept.len();
    Ok(damage)
}

/// Returns ranges of room ids that cover all of them, so that a part that cannot be read hides only a few others.
fn ranges() -> impl Iterator<Item = (String, String)> {
    let mut letters = crate::keys::ALPHABET.map(char::from);
    letters.sort_unstable();
    let bounds = letters.into_iter().flat_map(move |one| letters.map(|other| format!("{one}{other}")));
    let bounds: Vec<String> =
        std::iter::once(String::new()).chain(bounds).chain(["\u{10ffff}".to_owned()]).collect();
    (1..bounds.len()).map(move |index| (bounds[index - 1].clone(), bounds[index].clone()))
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};

    use super::*;
    use crate::keys::random_text;

    const ROOMS: usize = 400;
    const ENTRIES: i64 = 30;

    fn database(path: &Path) -> Vec<String> {
        let mut connection = Connection::open(path).unwrap();
        connection.execute_batch(SCHEMA).unwrap();
        connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        let transaction = connection.transaction().unwrap();
        let ids: Vec<String> = (0..ROOMS).map(|_| random_text(10)).collect();
        for id in &ids {
            let body = "{}".repeat(200);
            transaction.execute("INSERT INTO tables (id, body) VALUES (?, ?)", [id, &body]).unwrap();
            for n in 0..ENTRIES {
                let entry = params![id, n, "a move of a game that was played"];
                transaction.execute("INSERT INTO journal (id, n, body) VALUES (?, ?, ?)", entry).unwrap();
            }
        }
        transaction.commit().unwrap();
        ids
    }

    #[test]
    fn a_sound_database_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        assert!(repair(&path).unwrap().is_none(), "there is none yet");
        database(&path);
        assert!(repair(&path).unwrap().is_none());
        std::fs::write(&path, "not a database").unwrap();
        assert!(repair(&path).unwrap().is_none());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "not a database");
    }

    #[test]
    fn what_is_left_of_a_damaged_database_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let ids = database(&path);
        let size = std::fs::metadata(&path).unwrap().len();
        let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        // Pages in the middle of the file, one after the other.
        for page in [size / 4096 / 3, size / 4096 / 2, size / 4096 / 2 + 1] {
            file.seek(SeekFrom::Start(page * 4096)).unwrap();
            file.write_all(&[0xa5; 4096]).unwrap();
        }
        drop(file);
        let damage = repair(&path).unwrap().expect("it is damaged");
        let (kept, lost) = (damage.kept, damage.lost.len());
        assert!((ROOMS * 8 / 10..=ROOMS).contains(&kept), "{damage}");
        assert!(!damage.shortened.is_empty() || lost > 0 || damage.unreadable_parts > 0, "{damage}");
        assert!(damage.damaged_file.exists() && damage.to_string().contains("games.db.damaged"), "{damage}");
        assert!(repair(&path).unwrap().is_none(), "the new file is sound");
        let repaired = Connection::open(&path).unwrap();
        let count = |sql: &str| repaired.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(count("SELECT count(*) FROM tables"), kept as i64);
        let entries = kept as i64 * ENTRIES - count("SELECT count(*) FROM journal");
        let missing: i64 = damage.shortened.iter().map(|(_, entries)| ENTRIES - *entries as i64).sum();
        assert_eq!(entries, missing, "every missing entry is reported");
        assert!(damage.shortened.iter().all(|(id, _)| ids.contains(id)));
    }
}
