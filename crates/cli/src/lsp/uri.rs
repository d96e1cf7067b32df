//! File URIs and paths.

use std::path::{Path, PathBuf};

/// Returns the path of a file URI; `None` for other URIs.
pub(super) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let path = path.split(['?', '#']).next()?;
    let text = decode(path)?;
    // `file:///C:/games` is `C:/games`.
    let is_drive = cfg!(windows) && text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { text[1..].to_owned() } else { text }))
}

/// Returns the URI of an absolute path.
pub(super) fn from_path(path: &Path) -> String {
    let text = path.display().to_string();
    let text = if cfg!(windows) { format!("/{}", text.replace('\\', "/")) } else { text };
    let mut uri = "file://".to_owned();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_round_trip() {
        for path in ["/games/chess.json", "/my games/größe #1.json", "/100%.json"] {
            let uri = from_path(Path::new(path));
            assert_eq!(to_path(&uri).as_deref(), Some(Path::new(path)), "{uri}");
        }
        assert_eq!(to_path("file:///a%20b"), Some(PathBuf::from("/a b")));
        assert_eq!(to_path("file://host/a"), Some(PathBuf::from("/a")));
        for bad in ["untitled:Untitled-1", "file://", "file:///%zz", "file:///%f"] {
            assert_eq!(to_path(bad), None, "{bad}");
        }
    }
}
