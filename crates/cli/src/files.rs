//! Reads and writes files named on the command line. Reads are bounded: a path may name a device or a huge file.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use tabiya_arena::read_values;
use tabiya_engine::Rules;
use tabiya_players::{Net, NetChoice, Values};
use tabiya_spec::MAX_BYTES;

use crate::error::CliError;
use crate::text::sanitize;

/// Opens a file for reading, but not a directory.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    Ok(file)
}

/// Reads a file up to one byte more than [`MAX_BYTES`].
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a UTF-8 file of at most [`MAX_BYTES`], without its byte-order mark.
///
/// # Errors
/// Returns the reason as the end of a sentence.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    let bytes = bytes(path).map_err(|error| reason(&error))?;
    if bytes.len() > MAX_BYTES {
        return Err(format!("it has more than {MAX_BYTES} bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Reads the piece values of a game from a file that `tabiya tune` wrote.
pub(crate) fn piece_values(rules: &Rules, path: &Path) -> Result<Values, CliError> {
    let invalid = |why: &str| CliError::Usage(format!("`{}`: {}", path.display(), sanitize(why)));
    let metadata = fs::metadata(path).map_err(|error| invalid(&reason(&error)))?;
    // Reading from a pipe may block forever.
    if !metadata.is_file() {
        return Err(invalid(if metadata.is_dir() {
            "it is a directory"
        } else {
            "it is not a regular file"
        }));
    }
    let text = text(path).map_err(|why| invalid(&why))?;
    read_values(rules, &text).map_err(|faults| invalid(&faults.join("; ")))
}

/// The greatest size of a net that is read.
const NET_BYTES: u64 = 16 << 20;

/// Reads a net of a game from a file that `tabiya train` wrote.
pub(crate) fn net(rules: &Rules, path: &Path) -> Result<Arc<Net>, CliError> {
    let invalid = |why: String| CliError::Usage(format!("`{}`: {}", path.display(), sanitize(&why)));
    let mut bytes = Vec::new();
    let read = open(path).and_then(|file| file.take(NET_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| invalid(reason(&error)))?;
    Net::read(rules, &bytes).map(Arc::new).map_err(|error| invalid(error.to_string()))
}

/// Whether a file begins like a net.
pub(crate) fn is_net(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|file| file.take(16).read_to_end(&mut bytes));
    read.is_ok() && Net::is_net(&bytes)
}

/// Returns the net that `--net` names: a file, or `none`. Without the flag, it is the one that comes with the program.
pub(crate) fn net_choice(rules: &Rules, flag: Option<&str>) -> Result<NetChoice, CliError> {
    match flag {
        None => Ok(NetChoice::Bundled),
        Some("none") => Ok(NetChoice::Nothing),
        Some(path) => net(rules, Path::new(path)).map(NetChoice::Given),
    }
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), CliError> {
    fs::write(path, text).map_err(|error| {
        let why = write_error_reason(path, &error);
        CliError::Usage(format!("`{}` cannot be written: {why}", path.display()))
    })
}

/// Writes a new file. A file that exists is not touched.
pub(crate) fn create(path: &Path, text: &str) -> Result<(), CliError> {
    let created = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    created.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::AlreadyExists => "it exists already".to_owned(),
            _ => write_error_reason(path, &error),
        };
        CliError::Usage(format!("`{}` cannot be written: {why}", path.display()))
    })
}

/// Replaces a file at once: after a crash it has either its old or its new contents.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), CliError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let draft = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = fs::metadata(path).and_then(|old| {
        let mut file = File::create(&draft)?;
        file.set_permissions(old.permissions())?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, fs::canonicalize(path)?)
    });
    written.map_err(|error| {
        let _ = fs::remove_file(&draft);
        CliError::Usage(format!("`{}` cannot be written: {}", path.display(), reason(&error)))
    })
}

/// Describes an I/O error without the error number of the operating system.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is not a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words).to_owned()
        }
    }
}

/// Describes an error of writing: where a file is not found, its folder is missing.
pub(crate) fn write_error_reason(path: &Path, error: &io::Error) -> String {
    match path.parent() {
        Some(folder) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
            format!("the folder `{}` does not exist", folder.display())
        }
        _ => reason(error),
    }
}
