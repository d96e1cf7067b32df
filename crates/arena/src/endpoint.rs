//! POST requests with a deadline and a size limit, which are repeated while only the transport fails.
//!
//! Redirects are not followed. Each request uses a new connection: on a shared one, a late or second response would be
//! taken for the answer to the next request. A proxy from the environment is used for other machines only.

use std::net::IpAddr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tabiya_referee::AgentFault;
use ureq::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Error, Proxy, Timeout};

use crate::agent::{ANSWER_LIMIT, DAY};
use crate::url;

/// The pause before the second attempt. It doubles with each attempt, up to the longest pause.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The longest wait for a connection, independent of the time for the move.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The destination of requests.
#[derive(Debug)]
pub(crate) struct Endpoint {
    client: ureq::Agent,
    url: Uri,
    authorization: Option<HeaderValue>,
}

/// The reason why one attempt failed.
enum AttemptError {
    /// A failure of the transport, and the shortest pause before another attempt.
    Retry(String, Duration),
    Fault(AgentFault),
}

impl Endpoint {
    /// Checks the URL without sending a request.
    pub(crate) fn new(url: &str) -> Result<Self, AgentFault> {
        let uri = url::parse(url).map_err(|why| AgentFault::CouldNotStart(why.into()))?;
        let mut config = ureq::Agent::config_builder()
            .max_redirects(0)
            .http_status_as_error(false)
            .max_idle_connections(0)
            .user_agent("tabiya")
            .proxy(if is_loopback(&uri) { None } else { Proxy::try_from_env() });
        if uri.scheme_str() == Some("https") {
            config = config.tls_config(tls_config()?);
        }
        Ok(Self { client: config.build().into(), url: uri, authorization: None })
    }

    /// Sends a key with all later requests. `name` names the key in messages.
    pub(crate) fn set_key(&mut self, key: &str, name: &str) -> Result<(), AgentFault> {
        if self.url.scheme_str() != Some("https") && !is_loopback(&self.url) {
            let why = format!("the key in {name} would be sent unencrypted; use https");
            return Err(AgentFault::CouldNotStart(why));
        }
        let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| {
            AgentFault::CouldNotStart(format!("{name} has characters that an HTTP header cannot contain"))
        })?;
        value.set_sensitive(true);
        self.authorization = Some(value);
        Ok(())
    }

    /// Sends JSON and returns the body of the response.
    pub(crate) fn post(&self, body: &str, deadline: Instant) -> Result<Vec<u8>, AgentFault> {
        let mut pause = FIRST_PAUSE;
        let mut last_failure = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(last_failure.map_or(AgentFault::Timeout, AgentFault::Unreachable));
            }
            match self.attempt(body, left) {
                Ok(_) if Instant::now() > deadline => return Err(AgentFault::Timeout),
                Ok(answer) => return Ok(answer),
                // Earlier failures of the transport used up the time: not the agent's fault.
                Err(AttemptError::Fault(AgentFault::Timeout)) if last_failure.is_some() => {}
                Err(AttemptError::Fault(fault)) => return Err(fault),
                Err(AttemptError::Retry(why, at_least)) => {
                    let wait = pause.max(at_least);
                    if Instant::now() + wait >= deadline {
                        return Err(AgentFault::Unreachable(why));
                    }
                    last_failure = Some(why);
                    thread::sleep(wait);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    fn attempt(&self, body: &str, left: Duration) -> Result<Vec<u8>, AttemptError> {
        // Connecting gets less than the whole time, which distinguishes an unreachable host from a slow agent.
        let connect = (left / 4 * 3).min(CONNECT_TIMEOUT);
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
        let mut response = request.send(body).map_err(attempt_error)?;
        check_status(response.status(), response.headers())?;
        response.body_mut().with_config().limit(ANSWER_LIMIT as u64).read_to_vec().map_err(attempt_error)
    }
}

/// Checks the status. A status comes from the server, not from the player, so no status loses a game.
fn check_status(status: StatusCode, headers: &HeaderMap) -> Result<(), AttemptError> {
    if status.is_success() {
        Ok(())
    } else if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        let seconds = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let at_least = Duration::from_secs(seconds.unwrap_or(0)).min(DAY);
        Err(AttemptError::Retry(format!("HTTP status {}", status.as_u16()), at_least))
    } else {
        let hint = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "; the key may be wrong",
            _ if status.is_redirection() => "; redirects are not followed",
            _ => "",
        };
        Err(AttemptError::Fault(AgentFault::Unreachable(format!("HTTP status {}{hint}", status.as_u16()))))
    }
}

fn attempt_error(error: Error) -> AttemptError {
    match error {
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            AttemptError::Retry("the connection timed out".into(), Duration::ZERO)
        }
        Error::Timeout(_) => AttemptError::Fault(AgentFault::Timeout),
        Error::BodyExceedsLimit(_) => AttemptError::Fault(AgentFault::TooLong),
        Error::Protocol(_) | Error::Http(_) | Error::LargeResponseHeader(..) => {
            AttemptError::Fault(AgentFault::Malformed(format!("the response is not HTTP ({error})")))
        }
        other => AttemptError::Retry(other.to_string(), Duration::ZERO),
    }
}

/// Returns whether requests stay on this machine.
fn is_loopback(url: &Uri) -> bool {
    let host = url.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Returns the TLS configuration with the certificates that this machine trusts.
fn tls_config() -> Result<TlsConfig, AgentFault> {
    let certificates: Vec<_> = rustls_native_certs::load_native_certs()
        .certs
        .iter()
        .map(|certificate| Certificate::from_der(certificate).to_owned())
        .collect();
    if certificates.is_empty() {
        return Err(AgentFault::CouldNotStart(
            "https needs trusted certificates, and none are installed".into(),
        ));
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
    fn keys_are_not_sent_unencrypted_to_other_machines() {
        let set_key = |url| Endpoint::new(url).unwrap().set_key("sk-0123456789", "KEY");
        assert!(set_key("http://127.0.0.1:1/").is_ok());
        assert!(set_key("http://[::1]:1/").is_ok());
        assert!(set_key("http://localhost/").is_ok());
        assert_eq!(set_key("http://192.0.2.1/").unwrap_err().word(), "could_not_start");
        let broken = Endpoint::new("http://localhost/").unwrap().set_key("two\nlines", "KEY");
        assert!(!broken.unwrap_err().to_string().contains("two"));
    }

    #[test]
    fn debug_output_hides_the_key() {
        let mut endpoint = Endpoint::new("http://localhost/").unwrap();
        endpoint.set_key("sk-0123456789", "KEY").unwrap();
        assert!(!format!("{endpoint:?}").contains("sk-0123456789"));
    }
}
