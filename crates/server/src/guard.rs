//! The door: who may come in, how often, by which name the house may be called, and what every answer carries.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::hall::Hall;
use crate::refusal::No;

/// What no page of ours needs is forbidden, so that nothing that a spec or a name says can become more than text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The address from which a connection comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller(pub(crate) IpAddr);

/// A budget that fills up again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    left: f64,
    most: f64,
    each_second: f64,
    since: Instant,
}

impl Bucket {
    /// So much at once, and so much a second after that.
    pub(crate) fn new((most, each_second): (f64, f64), now: Instant) -> Self {
        Bucket { left: most, most, each_second, since: now }
    }

    /// Takes one, if there is one.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let added = now.saturating_duration_since(self.since).as_secs_f64() * self.each_second;
        (self.left, self.since) = ((self.left + added).min(self.most), now);
        let is_enough = self.left >= 1.0;
        if is_enough {
            self.left -= 1.0;
        }
        is_enough
    }

    fn is_full(&self, now: Instant) -> bool {
        self.left + now.saturating_duration_since(self.since).as_secs_f64() * self.each_second >= self.most
    }
}

#[derive(Debug)]
struct Visitor {
    connections: usize,
    requests: Bucket,
}

/// Who counts visitors.
#[derive(Debug)]
pub(crate) struct Doorman {
    most: usize,
    each: usize,
    requests: (f64, f64),
    visitors: Mutex<HashMap<IpAddr, Visitor>>,
}

/// A connection that was let in; it is counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Pass(Arc<Doorman>, IpAddr);

impl Drop for Pass {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut visitors = self.0.lock();
        if let Some(visitor) = visitors.get_mut(&self.1) {
            visitor.connections -= 1;
        }
        // Whoever is gone and has a full budget again is like one who never came.
        if visitors.len() > 1000 {
            visitors.retain(|_, visitor| visitor.connections > 0 || !visitor.requests.is_full(now));
        }
    }
}

impl Doorman {
    /// So many connections at once, so many of one address, and so many requests of it a second.
    pub(crate) fn new(most: usize, each: usize, requests: u32) -> Arc<Self> {
        let requests = (f64::from(requests) * 10.0, f64::from(requests));
        Arc::new(Doorman { most, each, requests, visitors: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Visitor>> {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection comes.
    pub(crate) fn enter(self: &Arc<Self>, address: IpAddr) -> Result<Pass, No> {
        let mut visitors = self.lock();
        let all: usize = visitors.values().map(|visitor| visitor.connections).sum();
        let busy = |why: String| No::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", why);
        if all >= self.most {
            return Err(busy("there are too many connections; come again later".into()));
        }
        let requests = self.requests;
        let fresh = || Visitor { connections: 0, requests: Bucket::new(requests, Instant::now()) };
        let visitor = visitors.entry(address).or_insert_with(fresh);
        if visitor.connections >= self.each {
            return Err(busy(format!("one address may have {} connections at once", self.each)));
        }
        visitor.connections += 1;
        Ok(Pass(Arc::clone(self), address))
    }

    /// A request comes.
    fn request(&self, address: IpAddr) -> Result<(), No> {
        let now = Instant::now();
        let requests = self.requests;
        let fresh = || Visitor { connections: 0, requests: Bucket::new(requests, now) };
        if !self.lock().entry(address).or_insert_with(fresh).requests.take(now) {
            return Err(No::too_much("too_many_requests", "too many requests; wait a moment"));
        }
        Ok(())
    }
}

/// Looks at every request before anything else does, and sees to it that every answer says what it must.
pub(crate) async fn look(
    State((hall, doorman)): State<(Arc<Hall>, Arc<Doorman>)>,
    Extension(Caller(address)): Extension<Caller>,
    mut request: Request,
    next: Next,
) -> Response {
    let address =
        if hall.settings.is_behind_proxy { forwarded(request.headers()).unwrap_or(address) } else { address };
    request.extensions_mut().insert(Caller(address));
    let checked = doorman.request(address).and_then(|()| is_for_us(&hall.settings.hosts, request.headers()));
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(no) => no.into_response(),
    };
    // What was refused before it came to us is refused in our words.
    let is_ours =
        response.headers().get(header::CONTENT_TYPE).is_none_or(|kind| kind != "text/plain; charset=utf-8");
    if response.status().is_client_error() && !is_ours {
        response = No::new(response.status(), "malformed", "the request cannot be read").into_response();
    }
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &str); 6] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
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

/// The address for which the proxy next to us speaks: it adds that at the end, and whatever stands before may be a lie.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

/// A page of somebody else must not reach a server on this machine: neither by a name that he makes point here (Host), nor
/// from his own page (Origin).
fn is_for_us(names: &[String], headers: &HeaderMap) -> Result<(), No> {
    if headers.get_all(header::HOST).iter().count() > 1 || headers.get_all(header::ORIGIN).iter().count() > 1
    {
        return Err(No::bad("malformed", "a request has one host, and one origin at most"));
    }
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(header::HOST) else {
        return Err(No::bad("no_host", "a request says for which host it is"));
    };
    let name = host_name(host);
    let is_number = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
    let is_known = is_number
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| known.eq_ignore_ascii_case(name));
    if !is_known {
        let why = "this server is not called so; its operator can name it with --host";
        return Err(No::new(StatusCode::MISDIRECTED_REQUEST, "unknown_host", why));
    }
    match text(header::ORIGIN) {
        Some(origin) if origin.split_once("://").is_none_or(|(_, of)| !of.eq_ignore_ascii_case(host)) => {
            let why = "requests come from this server's own pages, or from programs";
            Err(No::new(StatusCode::FORBIDDEN, "foreign_origin", why))
        }
        _ => Ok(()),
    }
}

/// A host without its port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn verdict(host: &str, origin: Option<&str>) -> Result<(), String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        is_for_us(&["chess.example".to_owned()], &headers).map_err(|no| no.refusal.rule)
    }

    #[test]
    fn only_those_come_in_who_mean_us() {
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
        assert_eq!(is_for_us(&[], &HeaderMap::new()).unwrap_err().refusal.rule, "no_host");
    }

    #[test]
    fn a_proxy_is_believed_in_its_last_word() {
        let mut headers = HeaderMap::new();
        assert_eq!(forwarded(&headers), None);
        headers.append("x-forwarded-for", "10.0.0.1, 10.0.0.2".parse().unwrap());
        assert_eq!(forwarded(&headers), Some(IpAddr::from([10, 0, 0, 2])));
        headers.append("x-forwarded-for", "10.0.0.3".parse().unwrap());
        assert_eq!(forwarded(&headers), Some(IpAddr::from([10, 0, 0, 3])));
    }

    #[test]
    fn a_budget_fills_up_again_and_not_over_its_brim() {
        let start = Instant::now();
        let mut bucket = Bucket::new((2.0, 1.0), start);
        assert!(bucket.take(start) && bucket.take(start) && !bucket.take(start));
        assert!(bucket.take(start + Duration::from_secs(1)));
        let later = start + Duration::from_secs(100);
        assert!(bucket.take(later) && bucket.take(later) && !bucket.take(later));
    }

    #[test]
    fn connections_are_counted_for_each_address() {
        let doorman = Doorman::new(3, 2, 10);
        let address = |last: u8| IpAddr::from([127, 0, 0, last]);
        let first = doorman.enter(address(1)).unwrap();
        let _second = doorman.enter(address(1)).unwrap();
        assert!(doorman.enter(address(1)).unwrap_err().refusal.why.contains("2 connections"));
        let _other = doorman.enter(address(2)).unwrap();
        assert!(doorman.enter(address(3)).is_err(), "three in all");
        drop(first);
        assert!(doorman.enter(address(1)).is_ok());
    }
}
