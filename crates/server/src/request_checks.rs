//! Middleware for every request: rate limit, `Host` and `Origin` checks, and security headers of the response.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api_error::ApiError;
use crate::client_address::ClientAddress;
use crate::lobby::Lobby;

/// Pages load only their own scripts and styles, so that text from a spec cannot become code.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Checks a request before any handler sees it, and adds the security headers to the response.
pub(crate) async fn check_request(
    State(lobby): State<Arc<Lobby>>,
    Extension(peer): Extension<ClientAddress>,
    mut request: Request,
    next: Next,
) -> Response {
    let settings = &lobby.settings;
    let address =
        if settings.behind_proxy { forwarded_for(request.headers()).map_or(peer, Into::into) } else { peer };
    request.extensions_mut().insert(address);
    let checked = lobby
        .rate_limiter
        .request(address)
        .and_then(|()| check_host_and_origin(&settings.hosts, request.headers()));
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    // Errors of the framework are plain text; the API answers in JSON.
    let is_plain_text =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/plain; charset=utf-8");
    if response.status().is_client_error() && is_plain_text {
        response = ApiError::new(response.status(), "malformed", "malformed request").into_response();
    }
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &str); 6] = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Returns the address that the proxy reports. The proxy appends it last; clients can forge the entries before it.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

/// Rejects requests that another site's page sends to this server, by DNS rebinding (`Host`) or directly (`Origin`).
fn check_host_and_origin(hosts: &[String], headers: &HeaderMap) -> Result<(), ApiError> {
    if headers.get_all(header::HOST).iter().count() > 1 || headers.get_all(header::ORIGIN).iter().count() > 1
    {
        return Err(ApiError::bad_request("malformed", "a request has one Host and at most one Origin"));
    }
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(header::HOST) else {
        return Err(ApiError::bad_request("no_host", "the Host header is missing"));
    };
    let name = host_name(host);
    let is_known = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || hosts.iter().any(|known| known.eq_ignore_ascii_case(name));
    if !is_known {
        let why = format!("unknown host `{name:.100}`; the operator can allow it with `--host`");
        return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "unknown_host", why));
    }
    match text(header::ORIGIN) {
        Some(origin) if origin.split_once("://").is_none_or(|(_, of)| !of.eq_ignore_ascii_case(host)) => {
            let why = "requests from other sites' pages are not allowed";
            Err(ApiError::new(StatusCode::FORBIDDEN, "foreign_origin", why))
        }
        _ => Ok(()),
    }
}

/// Returns a host without its port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(host: &str, origin: Option<&str>) -> Result<(), String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        check_host_and_origin(&["chess.example".to_owned()], &headers).map_err(|error| error.body.rule)
    }

    #[test]
    fn only_known_hosts_and_own_origins_are_accepted() {
        for host in ["localhost", "localhost:8642", "127.0.0.1:1", "[::1]:8642", "[::1]", "Chess.Example:80"]
        {
            assert_eq!(verdict(host, None), Ok(()), "{host}");
        }
        for host in
            ["evil.example", "evil.example:8642", "localhost.evil.example", "127.0.0.1.evil.example", ""]
        {
            assert_eq!(verdict(host, None), Err("unknown_host".into()), "{host}");
        }
        assert_eq!(verdict("localhost:1", Some("http://localhost:1")), Ok(()));
        assert_eq!(verdict("chess.example", Some("https://chess.example")), Ok(()));
        for origin in ["http://localhost:2", "http://evil.example", "null", "http://localhost:1.evil.example"]
        {
            assert_eq!(verdict("localhost:1", Some(origin)), Err("foreign_origin".into()), "{origin}");
        }
        assert_eq!(check_host_and_origin(&[], &HeaderMap::new()).unwrap_err().body.rule, "no_host");
    }

    #[test]
    fn the_last_forwarded_address_counts() {
        let mut headers = HeaderMap::new();
        assert_eq!(forwarded_for(&headers), None);
        headers.append("x-forwarded-for", "10.0.0.1, 10.0.0.2".parse().unwrap());
        assert_eq!(forwarded_for(&headers), Some(IpAddr::from([10, 0, 0, 2])));
        headers.append("x-forwarded-for", "10.0.0.3".parse().unwrap());
        assert_eq!(forwarded_for(&headers), Some(IpAddr::from([10, 0, 0, 3])));
    }
}
