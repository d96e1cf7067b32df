//! Files that editors open: games of the library and explanations of diagnostics. Both are part of the binary; a copy is written
//! to the user's cache folder when an editor needs it.

use std::path::{Path, PathBuf};
use std::{env, fs};

use tabiya_spec::code::Code;
use tabiya_spec::library;

/// Returns a file with a game of the library.
fn game(name: &str) -> Option<PathBuf> {
    store(&Path::new("games").join(format!("{name}.json")), library::find(name)?.json)
}

/// Returns the file of a game that another one extends, given its name in the library or its path.
pub(super) fn inherited(game: &str) -> Option<PathBuf> {
    self::game(game).or_else(|| std::path::absolute(game).ok())
}

/// Returns a file that explains a diagnostic code.
pub(super) fn explanation(code: Code) -> Option<PathBuf> {
    store(&Path::new("diagnostics").join(format!("{code}.md")), tabiya_spec::explain(code))
}

/// Writes a file, unless it has this text already. Returns `None` if that is impossible.
fn store(name: &Path, text: &str) -> Option<PathBuf> {
    let path = cache()?.join(concat!("tabiya-", env!("CARGO_PKG_VERSION"))).join(name);
    if fs::read(&path).is_ok_and(|found| found == text.as_bytes()) {
        return Some(path);
    }
    fs::create_dir_all(path.parent()?).ok()?;
    fs::write(&path, text).ok()?;
    Some(path)
}

/// Returns the cache folder of the user.
fn cache() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || {
        if cfg!(windows) {
            folder("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            Some(folder("HOME")?.join("Library/Caches"))
        } else {
            Some(folder("HOME")?.join(".cache"))
        }
    };
    folder("XDG_CACHE_HOME").or_else(usual)
}
