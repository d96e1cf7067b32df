//! The folder of a match: `match.json` says what is played, `games.jsonl` every line of every game, `games.pgn` the games
//! that are over, `table.json` how the match stands.
//!
//! The lines are all that counts; the two last files can be made from them. A line is written in one piece, so that a
//! process that is killed leaves at most the last one torn; what was written when a game ended is on the disk before
//! anybody hears of it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tabiya_referee::record::Line;

use crate::error::MatchError;
use crate::table::Table;

/// How often the table is written while games end: who looks at it does not look more often.
const TABLE_PAUSE: Duration = Duration::from_secs(1);

/// Settings are shorter.
const SETTINGS_LIMIT: u64 = 1 << 20;

/// The folder of a match that is being played.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    lines: File,
    /// Held by who writes a line.
    line: Mutex<()>,
    pgn: Mutex<File>,
    table_written: Mutex<Option<Instant>>,
}

/// The folder of a match that is being looked at; nobody else plays it meanwhile.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) lines: File,
}

/// Takes the journal for this process alone. A process that is just being started has all open files for a moment, those
/// of a match that is over too; so whoever finds it taken looks again a few times.
fn lock(lines: &File, name: &Path) -> Result<(), MatchError> {
    const LOOKS: u32 = 50;
    for _ in 0..LOOKS {
        match lines.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(error)) => return Err(MatchError::file(name, &error)),
        }
    }
    Err(MatchError::Busy)
}

impl Folder {
    /// Opens the folder, or makes it; the match in it must be this one.
    pub(crate) fn open(path: &Path, settings: &Value) -> Result<Self, MatchError> {
        let failed = |error: &io::Error| MatchError::file(path, error);
        fs::create_dir_all(path).map_err(|error| failed(&error))?;
        let name = path.join("games.jsonl");
        let lines = OpenOptions::new().read(true).append(true).create(true).open(&name);
        let lines = lines.map_err(|error| MatchError::file(&name, &error))?;
        lock(&lines, &name)?;
        let is_new = lines.metadata().map_err(|error| MatchError::file(&name, &error))?.len() == 0;
        let folder = Folder { path: path.to_owned(), lines };
        if is_new {
            replace(&path.join("match.json"), format!("{settings:#}\n").as_bytes(), true)?;
        } else {
            folder.compare(settings)?;
        }
        Ok(folder)
    }

    /// Every setting that is another than the one in the folder.
    fn compare(&self, settings: &Value) -> Result<(), MatchError> {
        let path = self.path.join("match.json");
        let mut text = String::new();
        let read = File::open(&path).and_then(|file| file.take(SETTINGS_LIMIT).read_to_string(&mut text));
        read.map_err(|error| MatchError::file(&path, &error))?;
        let there: Value = serde_json::from_str(&text)
            .map_err(|error| MatchError::File { name: path.display().to_string(), why: error.to_string() })?;
        let (Some(here), Some(there)) = (settings.as_object(), there.as_object()) else {
            let why = "it holds no settings".to_owned();
            return Err(MatchError::File { name: path.display().to_string(), why });
        };
        let keys = here.keys().chain(there.keys().filter(|key| !here.contains_key(*key)));
        let value = |value: Option<&Value>| value.unwrap_or(&Value::Null).to_string();
        let differences: Vec<String> = keys
            .filter(|key| here.get(*key) != there.get(*key))
            .map(|key| format!("{key} is {} there and {} here", value(there.get(key)), value(here.get(key))))
            .collect();
        if differences.is_empty() { Ok(()) } else { Err(MatchError::Different(differences)) }
    }

    /// Drops everything from a place on: a line that was torn.
    pub(crate) fn cut(&self, offset: u64) -> Result<(), MatchError> {
        let cut = self.lines.set_len(offset).and_then(|()| self.lines.sync_all());
        cut.map_err(|error| MatchError::file(&self.path.join("games.jsonl"), &error))
    }

    /// Where the games that are over are written again: what stands in the folder may be torn.
    pub(crate) fn draft(&self) -> Result<Draft, MatchError> {
        let path = self.path.join("games.pgn");
        let beside = path.with_extension("pgn.tmp");
        let file = File::create(&beside).map_err(|error| MatchError::file(&beside, &error))?;
        Ok(Draft { file: BufWriter::new(file), beside, path })
    }

    /// Ready to go on, with the games that are over.
    pub(crate) fn journal(self, draft: Draft) -> Result<Journal, MatchError> {
        let pgn = Mutex::new(draft.publish()?);
        let Folder { path: folder, lines } = self;
        Ok(Journal { folder, lines, line: Mutex::new(()), pgn, table_written: Mutex::new(None) })
    }
}

/// The games that are over, on their way into the folder.
#[derive(Debug)]
pub(crate) struct Draft {
    file: BufWriter<File>,
    beside: PathBuf,
    path: PathBuf,
}

impl Draft {
    /// Adds a game.
    pub(crate) fn add(&mut self, pgn: &str) -> Result<(), MatchError> {
        self.file.write_all(pgn.as_bytes()).map_err(|error| MatchError::file(&self.beside, &error))
    }

    /// Puts them into their place; more can be added at their end.
    fn publish(self) -> Result<File, MatchError> {
        let Draft { file, beside, path } = self;
        let publish = || {
            let file = file.into_inner()?;
            fs::rename(&beside, &path)?;
            Ok(file)
        };
        publish().map_err(|error: io::Error| MatchError::file(&path, &error))
    }
}

impl Journal {
    /// Writes a line in one piece.
    pub(crate) fn write(&self, line: &Line) -> Result<(), MatchError> {
        let text = line.to_string();
        let _held = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        (&self.lines).write_all(text.as_bytes()).map_err(|error| self.failed(&error))
    }

    /// Writes the last line of a game, sees to it that it stays written, and adds the game to those that are over.
    pub(crate) fn close(&self, line: &Line, pgn: &str) -> Result<(), MatchError> {
        // Games are added in the order of their last lines, as they would be if they were added again.
        let mut file = self.pgn.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(line)?;
        self.lines.sync_data().map_err(|error| self.failed(&error))?;
        file.write_all(pgn.as_bytes())
            .map_err(|error| MatchError::file(&self.folder.join("games.pgn"), &error))
    }

    /// Writes how the match stands, unless it was written a moment ago and will be again.
    pub(crate) fn table(&self, table: &Table, is_last: bool) -> Result<(), MatchError> {
        let mut written = self.table_written.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_last && written.is_some_and(|time| time.elapsed() < TABLE_PAUSE) {
            return Ok(());
        }
        *written = Some(Instant::now());
        replace(&self.folder.join("table.json"), format!("{:#}\n", table.to_json()).as_bytes(), is_last)
    }

    fn failed(&self, error: &io::Error) -> MatchError {
        MatchError::file(&self.folder.join("games.jsonl"), error)
    }
}

/// Writes a file whole or not at all: beside its place, and then into it.
fn replace(path: &Path, bytes: &[u8], sync: bool) -> Result<(), MatchError> {
    let beside = path.with_extension("tmp");
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        if sync {
            file.sync_all()?;
        }
        fs::rename(&beside, path)
    };
    write().map_err(|error| MatchError::file(path, &error))
}
