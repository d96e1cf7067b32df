//! What may stand for a URL in an address. It is checked before anything is sent or written, and what may hold a password
//! is not repeated.

use ureq::http::Uri;
use ureq::http::uri::Authority;

/// The URL, or what is wrong with it; the reason does not repeat it.
pub(crate) fn check(url: &str) -> Result<Uri, &'static str> {
    if has_credentials(url) {
        return Err("a URL must not hold a name or password, for it is written down");
    }
    let uri: Uri = url.parse().map_err(|_| NO_URL)?;
    let is_good = matches!(uri.scheme_str(), Some("http" | "https")) && uri.authority().is_some_and(has_host);
    if is_good { Ok(uri) } else { Err(NO_URL) }
}

const NO_URL: &str = "this is no http or https URL";

/// Whether there is a host, and behind it nothing but a port. The reader of URLs takes any word for a port.
fn has_host(authority: &Authority) -> bool {
    let rest = authority.as_str().strip_prefix(authority.host());
    !authority.host().is_empty() && rest.is_some_and(|rest| rest.is_empty() || authority.port_u16().is_some())
}

/// Whether a name stands before the host. It is looked for in the text, since it must be found also where the rest is wrong.
fn has_credentials(url: &str) -> bool {
    let rest = url.split_once("//").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_told_from_what_is_none() {
        for url in ["http://localhost/", "https://example.org:8443/v1?x=1@2", "http://[::1]:1/move@home"] {
            assert!(check(url).is_ok(), "{url}");
        }
        for url in [
            "",
            "nonsense",
            "ftp://localhost/",
            "http://",
            "/move",
            "http://a b/",
            "localhost:80/x",
            "http://me:se",
        ] {
            assert!(check(url).is_err(), "{url}");
        }
    }

    #[test]
    fn names_and_passwords_are_refused_and_not_repeated() {
        for url in ["http://me:secret@localhost/", "https://secret@x", "ftp://me:secret@x", "me:secret@x/y"] {
            let why = check(url).unwrap_err();
            assert!(why.contains("name or password") && !why.contains("secret"), "{url}: {why}");
        }
    }
}
