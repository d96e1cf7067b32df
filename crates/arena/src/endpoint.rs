//! One POST within a deadline: bounded, repeated while only the transport fails, and to the given URL alone.
//!
//! No redirect is followed. Each request has a connection of its own: on a shared one, what a server sends late or
//! twice would be taken for the answer to the next request. A proxy of the environment is used for other machines
//! only.

use std::net::IpAddr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Error, Proxy, Timeout};

use crate::agent::{ANSWER_LIMIT, DAY, Fault};
use crate::url;

/// The first pause before another attempt; each is twice as long as the one before, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Nobody waits longer than this for a connection, however long the move may take.
const LONGEST_CONNECT: Duration = Duration::from_secs(10);

/// Where requests go.
#[derive(Debug)]
pub(crate) struct Endpoint {
    client: ureq::Agent,
    url: Uri,
    authorization: Option<HeaderValue>,
}

/// Why an attempt brought no answer.
enum Failure {
    /// The transport failed; it may be better next time, which should not be earlier than this from now.
    Passing(String, Duration),
    Final(Fault),
}

impl Endpoint {
    /// Checks the URL. Nothing is sent yet.
    pub(crate) fn new(url: &str) -> Result<Self, Fault> {
        let uri = url::check(url).map_err(|why| Fault::CouldNotStart(why.into()))?;
        let mut config = ureq::Agent::config_builder()
            .max_redirects(0)
            .http_status_as_error(false)
            .max_idle_connections(0)
            .user_agent("tabiya")
            .proxy(if is_loopback(&uri) { None } else { Proxy::try_from_env() });
        if uri.scheme_str() == Some("https") {
            config = config.tls_config(trust()?);
        }
        Ok(Self { client: config.build().into(), url: uri, authorization: None })
    }

    /// Sends a key with every request from now on; the name is for messages.
    pub(crate) fn authorise(&mut self, key: &str, name: &str) -> Result<(), Fault> {
        if self.url.scheme_str() != Some("https") && !is_loopback(&self.url) {
            let why = format!("the key in {name} would cross the network in the clear; use https");
            return Err(Fault::CouldNotStart(why));
        }
        let mut value = HeaderValue::try_from(format!("Bearer {key}"))
            .map_err(|_| Fault::CouldNotStart(format!("{name} holds what no header can carry")))?;
        value.set_sensitive(true);
        self.authorization = Some(value);
        Ok(())
    }

    /// Sends JSON and gives back the body of the answer.
    pub(crate) fn post(&self, body: &str, deadline: Instant) -> Result<Vec<u8>, Fault> {
        let mut pause = FIRST_PAUSE;
        let mut trouble = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(trouble.map_or(Fault::Timeout, Fault::Unreachable));
            }
            match self.attempt(body, left) {
                Ok(_) if Instant::now() > deadline => return Err(Fault::Timeout),
                Ok(answer) => return Ok(answer),
                // The time was spent on a transport that failed before: that is not the agent's fault.
                Err(Failure::Final(Fault::Timeout)) if trouble.is_some() => {}
                Err(Failure::Final(fault)) => return Err(fault),
                Err(Failure::Passing(why, at_least)) => {
                    let wait = pause.max(at_least);
                    if Instant::now() + wait >= deadline {
                        return Err(Fault::Unreachable(why));
                    }
                    trouble = Some(why);
                    thread::sleep(wait);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    fn attempt(&self, body: &str, left: Duration) -> Result<Vec<u8>, Failure> {
        // A connection gets less than the whole time, so that a host that swallows packets is told from a slow agent.
        let connect = (left / 4 * 3).min(LONGEST_CONNECT);
        let mut request = self
            .client
            .post(&self.url)
            .config()
            .timeout_global(Some(left.min(DAY)))
            .timeout_resolve(Some(connect))
            .timeout_connect(Some(connect))
            .build()
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::CONNECTION, "close");
        if let Some(value) = &self.authorization {
            request = request.header(header::AUTHORIZATION, value);
        }
        let mut response = request.send(body).map_err(failure)?;
        judge(response.status(), response.headers())?;
        response.body_mut().with_config().limit(ANSWER_LIMIT as u64).read_to_vec().map_err(failure)
    }
}

/// What a status means: an answer follows, or later may be better, or there is no way to the agent. A status is what a
/// server says and not what a player says, so none of them loses a game.
fn judge(status: StatusCode, headers: &HeaderMap) -> Result<(), Failure> {
    if status.is_success() {
        Ok(())
    } else if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        let seconds = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let at_least = Duration::from_secs(seconds.unwrap_or(0)).min(DAY);
        Err(Failure::Passing(format!("HTTP status {}", status.as_u16()), at_least))
    } else {
        let hint = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "; the key may be wrong",
            _ if status.is_redirection() => "; no redirect is followed",
            _ => "",
        };
        Err(Failure::Final(Fault::Unreachable(format!("HTTP status {}{hint}", status.as_u16()))))
    }
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            Failure::Passing("no connection in time".into(), Duration::ZERO)
        }
        Error::Timeout(_) => Failure::Final(Fault::Timeout),
        Error::BodyExceedsLimit(_) => Failure::Final(Fault::TooLong),
        Error::Protocol(_) | Error::Http(_) | Error::LargeResponseHeader(..) => {
            Failure::Final(Fault::Malformed(format!("it does not speak HTTP ({error})")))
        }
        other => Failure::Passing(other.to_string(), Duration::ZERO),
    }
}

/// Whether requests stay on this machine.
fn is_loopback(url: &Uri) -> bool {
    let host = url.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Whom this machine trusts is whom we trust.
fn trust() -> Result<TlsConfig, Fault> {
    let certificates: Vec<_> = rustls_native_certs::load_native_certs()
        .certs
        .iter()
        .map(|certificate| Certificate::from_der(certificate).to_owned())
        .collect();
    if certificates.is_empty() {
        return Err(Fault::CouldNotStart("this machine has no certificates to trust for https".into()));
    }
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&certificates))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_checked_before_anything_is_sent() {
        for url in ["", "nonsense", "ftp://localhost/", "http://", "/move", "http://me:secret@localhost/"] {
            let fault = Endpoint::new(url).unwrap_err();
            assert_eq!(fault.word(), "could_not_start", "{url}");
            assert!(!fault.to_string().contains("secret"));
        }
    }

    #[test]
    fn a_key_leaves_the_machine_encrypted_or_not_at_all() {
        let authorise = |url| Endpoint::new(url).unwrap().authorise("sk-0123456789", "KEY");
        assert!(authorise("http://127.0.0.1:1/").is_ok());
        assert!(authorise("http://[::1]:1/").is_ok());
        assert!(authorise("http://localhost/").is_ok());
        assert_eq!(authorise("http://192.0.2.1/").unwrap_err().word(), "could_not_start");
        let broken = Endpoint::new("http://localhost/").unwrap().authorise("two\nlines", "KEY");
        assert!(!broken.unwrap_err().to_string().contains("two"));
    }

    #[test]
    fn a_key_is_not_shown_for_debugging() {
        let mut endpoint = Endpoint::new("http://localhost/").unwrap();
        endpoint.authorise("sk-0123456789", "KEY").unwrap();
        assert!(!format!("{endpoint:?}").contains("sk-0123456789"));
    }
}
