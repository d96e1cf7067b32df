//! The folder of a match: `match.json` holds the settings, `games.jsonl` every line of every game, `games.pgn` the
//! finished games and `table.json` the standings.
//!
//! The last two files can be restored from `games.jsonl`. Each line is written with one call, so that a killed process
//! leaves at most the last line torn. The lines of a finished game are synced to disk before the game counts.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tabiya_referee::record::Line;

use crate::error::MatchError;
use crate::standings::Standings;

/// The shortest time between two writes of the standings.
const STANDINGS_PAUSE: Duration = Duration::from_secs(1);

/// The maximal size of `match.json`.
const SETTINGS_LIMIT: u64 = 1 << 20;

/// The folder of a match in progress.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    lines: File,
    /// Held while a line is written.
    line: Mutex<()>,
    pgn: Mutex<File>,
    standings_written: Mutex<Option<Instant>>,
}

/// The locked folder of a match whose journal is being read.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) lines: File,
}

/// Locks the journal. A child process shares all open files between `fork` and `exec`, so a lock of a finished match may
/// persist for a moment. Therefore retry.
fn lock(lines: &File, name: &Path) -> Result<(), MatchError> {
    const ATTEMPTS: u32 = 50;
    for _ in 0..ATTEMPTS {
        match lines.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(error)) => return Err(MatchError::file(name)(error)),
        }
    }
    Err(MatchError::Busy)
}

impl Folder {
    /// Opens or creates the folder. A match in it must have the same settings.
    pub(crate) fn open(path: &Path, settings: &Value) -> Result<Self, MatchError> {
        fs::create_dir_all(path).map_err(MatchError::file(path))?;
        let name = path.join("games.jsonl");
        let lines = OpenOptions::new().read(true).append(true).create(true).open(&name);
        let lines = lines.map_err(MatchError::file(&name))?;
        lock(&lines, &name)?;
        let is_new = lines.metadata().map_err(MatchError::file(&name))?.len() == 0;
        let folder = Folder { path: path.to_owned(), lines };
        if is_new {
            replace(&path.join("match.json"), format!("{settings:#}\n").as_bytes(), true)?;
        } else {
            folder.compare(settings)?;
        }
        Ok(folder)
    }

    /// Fails with every setting that differs from those in the folder.
    fn compare(&self, settings: &Value) -> Result<(), MatchError> {
        let path = self.path.join("match.json");
        let mut text = String::new();
        let read = File::open(&path).and_then(|file| file.take(SETTINGS_LIMIT).read_to_string(&mut text));
        read.map_err(MatchError::file(&path))?;
        let invalid = |why: String| MatchError::File { name: path.display().to_string(), why };
        let there: Value = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        let (Some(here), Some(there)) = (settings.as_object(), there.as_object()) else {
            return Err(invalid("the file does not contain settings of a match".to_owned()));
        };
        let keys = here.keys().chain(there.keys().filter(|key| !here.contains_key(*key)));
        let value = |value: Option<&Value>| value.unwrap_or(&Value::Null).to_string();
        let differences: Vec<String> = keys
            .filter(|key| here.get(*key) != there.get(*key))
            .map(|key| format!("{key} is {} there and {} here", value(there.get(key)), value(here.get(key))))
            .collect();
        if differences.is_empty() { Ok(()) } else { Err(MatchError::Different(differences)) }
    }

    /// Truncates the journal at a torn line.
    pub(crate) fn truncate(&self, offset: u64) -> Result<(), MatchError> {
        let truncated = self.lines.set_len(offset).and_then(|()| self.lines.sync_all());
        truncated.map_err(MatchError::file(&self.path.join("games.jsonl")))
    }

    /// Starts a new PGN file, because the old one may be torn.
    pub(crate) fn rewrite_pgn(&self) -> Result<PgnDraft, MatchError> {
        let path = self.path.join("games.pgn");
        let draft = path.with_extension("pgn.tmp");
        let file = File::create(&draft).map_err(MatchError::file(&draft))?;
        Ok(PgnDraft { file: BufWriter::new(file), draft, path })
    }

    /// Publishes the PGN file and continues the journal.
    pub(crate) fn into_journal(self, pgn: PgnDraft) -> Result<Journal, MatchError> {
        let pgn = Mutex::new(pgn.publish()?);
        let Folder { path: folder, lines } = self;
        Ok(Journal { folder, lines, line: Mutex::new(()), pgn, standings_written: Mutex::new(None) })
    }
}

/// A new PGN file that is not yet in its place.
#[derive(Debug)]
pub(crate) struct PgnDraft {
    file: BufWriter<File>,
    draft: PathBuf,
    path: PathBuf,
}

impl PgnDraft {
    /// Adds a game.
    pub(crate) fn add(&mut self, pgn: &str) -> Result<(), MatchError> {
        self.file.write_all(pgn.as_bytes()).map_err(MatchError::file(&self.draft))
    }

    /// Moves the file into its place and returns it for appending.
    fn publish(self) -> Result<File, MatchError> {
        let PgnDraft { file, draft, path } = self;
        let publish = || {
            let file = file.into_inner()?;
            fs::rename(&draft, &path)?;
            Ok(file)
        };
        publish().map_err(MatchError::file(&path))
    }
}

impl Journal {
    /// Writes a line with one call.
    pub(crate) fn write(&self, line: &Line) -> Result<(), MatchError> {
        let text = line.to_string();
        let _held = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let written = (&self.lines).write_all(text.as_bytes());
        written.map_err(|error| MatchError::file(&self.folder.join("games.jsonl"))(error))
    }

    /// Writes and syncs the last line of a game and adds the game to the PGN file.
    pub(crate) fn write_end(&self, line: &Line, pgn: &str) -> Result<(), MatchError> {
        // The lock keeps the PGN file in the order of last lines, which is the order of a restored file.
        let mut file = self.pgn.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(line)?;
        self.lines.sync_data().map_err(MatchError::file(&self.folder.join("games.jsonl")))?;
        file.write_all(pgn.as_bytes()).map_err(MatchError::file(&self.folder.join("games.pgn")))
    }

    /// Writes the standings, unless they were written a moment ago and are not the last ones.
    pub(crate) fn write_standings(&self, standings: &Standings, is_last: bool) -> Result<(), MatchError> {
        let mut written = self.standings_written.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_last && written.is_some_and(|time| time.elapsed() < STANDINGS_PAUSE) {
            return Ok(());
        }
        *written = Some(Instant::now());
        replace(&self.folder.join("table.json"), format!("{:#}\n", standings.to_json()).as_bytes(), is_last)
    }
}

/// Replaces a file atomically.
fn replace(path: &Path, bytes: &[u8], sync: bool) -> Result<(), MatchError> {
    let draft = path.with_extension("tmp");
    let write = || {
        let mut file = File::create(&draft)?;
        file.write_all(bytes)?;
        if sync {
            file.sync_all()?;
        }
        fs::rename(&draft, path)
    };
    write().map_err(MatchError::file(path))
}
