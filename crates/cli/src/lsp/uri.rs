//! File URIs and paths.

use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What is escaped in a path.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Returns the path of a file URI; `None` for other URIs.
pub(super) fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    let path = rest[rest.find('/')?..].split(['?', '#']).next()?;
    let text = percent_decode_str(path).decode_utf8().ok()?;
    // `file:///C:/games` is `C:/games`.
    let is_drive = cfg!(windows) && text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { &text[1..] } else { &text }))
}

/// Returns the URI of an absolute path.
pub(super) fn from_path(path: &Path) -> Uri {
    let text = path.display().to_string();
    let text = if cfg!(windows) { format!("/{}", text.replace('\\', "/")) } else { text };
    Uri(format!("file://{}", utf8_percent_encode(&text, ESCAPED)))
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
        assert_eq!(to_path(&"file:///a%20b".into()), Some(PathBuf::from("/a b")));
        assert_eq!(to_path(&"file://host/a".into()), Some(PathBuf::from("/a")));
        for bad in ["untitled:Untitled-1", "file://", "file:///%ff"] {
            assert_eq!(to_path(&bad.into()), None, "{bad}");
        }
    }
}
