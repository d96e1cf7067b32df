//! Reading files that may be anything: a device without end, a directory, a film.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use tabiya_spec::MAX_BYTES;

/// The bytes of a file, or one byte more than [`MAX_BYTES`] of a larger one.
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file of at most [`MAX_BYTES`], or why there is none. Some editors put a byte-order mark before a text;
/// it is no part of it.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    let bytes = bytes(path).map_err(|error| reason(&error))?;
    if bytes.len() > MAX_BYTES {
        return Err(format!("it has more than {MAX_BYTES} bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Why a file could not be read, in words, without the number of the operating system.
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

/// Why a file could not be written: that it is not there yet is no reason, but that its folder is not.
pub(crate) fn reason_against_writing(path: &Path, error: &io::Error) -> String {
    match path.parent() {
        Some(folder) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
            format!("the folder `{}` does not exist", folder.display())
        }
        _ => reason(error),
    }
}
