//! Validation of the URLs in addresses. Errors never repeat the URL, because it may hold a password.

use ureq::http::Uri;
use ureq::http::uri::Authority;

const NOT_A_URL: &str = "not an http or https URL";

/// Parses an http or https URL without credentials.
pub(crate) fn parse(url: &str) -> Result<Uri, &'static str> {
    if has_credentials(url) {
        return Err("a URL must not contain a name or password, because addresses are written to records");
    }
    let uri: Uri = url.parse().map_err(|_| NOT_A_URL)?;
    let is_good = matches!(uri.scheme_str(), Some("http" | "https")) && uri.authority().is_some_and(has_host);
    if is_good { Ok(uri) } else { Err(NOT_A_URL) }
}

/// Returns whether the authority is a host with an optional numeric port. [`Uri`] accepts any word as a port.
fn has_host(authority: &Authority) -> bool {
    let rest = authority.as_str().strip_prefix(authority.host());
    !authority.host().is_empty() && rest.is_some_and(|rest| rest.is_empty() || authority.port_u16().is_some())
}

/// Returns whether a user name precedes the host. Searches the text, because an invalid URL may hold one too.
fn has_credentials(url: &str) -> bool {
    let rest = url.split_once("//").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_urls_with_a_host_are_accepted() {
        for url in ["http://localhost/", "https://example.org:8443/v1?x=1@2", "http://[::1]:1/move@home"] {
            assert!(parse(url).is_ok(), "{url}");
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
            assert!(parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn credentials_are_rejected_and_not_repeated() {
        for url in ["http://me:secret@localhost/", "https://secret@x", "ftp://me:secret@x", "me:secret@x/y"] {
            let why = parse(url).unwrap_err();
            assert!(why.contains("name or password") && !why.contains("secret"), "{url}: {why}");
        }
    }
}
