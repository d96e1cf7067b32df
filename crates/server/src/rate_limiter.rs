//! Rate limiting: how many connections, requests, new games and how much CPU time each client address may have.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::StatusCode;

use crate::api_error::ApiError;
use crate::client_address::ClientAddress;
use crate::cpu_time::cpu_time;
use crate::fair_queue::Client;
use crate::{Settings, limits, lock};

/// Entries above which idle clients are removed from the table.
const PRUNE_ABOVE: usize = 1000;
/// The size of a burst of requests or work, in seconds of the steady rate.
const BURST: f64 = 10.0;

/// A token bucket: a budget that refills at a steady rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenBucket {
    tokens: f64,
    capacity: f64,
    per_second: f64,
    updated: Instant,
}

impl TokenBucket {
    /// Creates a full bucket from its capacity and its refill rate per second.
    pub(crate) fn new((capacity, per_second): (f64, f64), now: Instant) -> Self {
        TokenBucket { tokens: capacity, capacity, per_second, updated: now }
    }

    /// Takes one token. Returns whether there was one.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        (self.tokens, self.updated) = (self.refilled(now), now);
        let is_enough = self.tokens >= 1.0;
        if is_enough {
            self.tokens -= 1.0;
        }
        is_enough
    }

    /// Takes tokens, even if there are not enough: the debt is paid by later refills.
    fn charge(&mut self, tokens: f64, now: Instant) {
        (self.tokens, self.updated) = (self.refilled(now) - tokens, now);
    }

    /// Returns the time until the debt is paid; `None` if there is none.
    fn debt(&self, now: Instant) -> Option<Duration> {
        let tokens = self.refilled(now);
        (tokens < 0.0).then(|| Duration::from_secs_f64(-tokens / self.per_second))
    }

    fn refilled(&self, now: Instant) -> f64 {
        let added = now.saturating_duration_since(self.updated).as_secs_f64() * self.per_second;
        (self.tokens + added).min(self.capacity)
    }

    fn is_full(&self, now: Instant) -> bool {
        self.refilled(now) >= self.capacity
    }
}

/// What one address has used.
#[derive(Debug)]
struct Usage {
    connections: usize,
    requests: TokenBucket,
    /// New games, finished or not.
    games: TokenBucket,
    /// CPU seconds of requests and actions.
    work: TokenBucket,
}

impl Usage {
    /// Returns whether the address is the same as a new one: without connections and with full buckets.
    fn is_unused(&self, now: Instant) -> bool {
        self.connections == 0
            && [self.requests, self.games, self.work].iter().all(|bucket| bucket.is_full(now))
    }
}

/// Limits the connections, the requests, the new games and the CPU time of each client address.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    max_connections: usize,
    max_connections_each: usize,
    /// Burst sizes and rates per second.
    request_rate: (f64, f64),
    game_rate: (f64, f64),
    work_rate: (f64, f64),
    clients: Mutex<HashMap<ClientAddress, Usage>>,
}

/// An open connection. It counts until it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit(Arc<RateLimiter>, ClientAddress);

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut clients = lock(&self.0.clients);
        if let Some(usage) = clients.get_mut(&self.1) {
            usage.connections -= 1;
        }
        if clients.len() > PRUNE_ABOVE {
            clients.retain(|_, usage| !usage.is_unused(now));
        }
    }
}

impl RateLimiter {
    /// Creates a limiter with the limits that the operator chose.
    pub(crate) fn new(settings: &Settings) -> Arc<Self> {
        let requests = f64::from(settings.max_requests_each);
        let games = f64::from(u32::try_from(settings.max_games_each).unwrap_or(u32::MAX));
        let work = requests * limits::CPU_TIME_PER_REQUEST.as_secs_f64();
        // All connections of a proxy come from one address.
        let is_proxy = settings.behind_proxy;
        Arc::new(RateLimiter {
            max_connections: settings.max_connections,
            max_connections_each: if is_proxy {
                settings.max_connections
            } else {
                settings.max_connections_each
            },
            request_rate: (requests * BURST, requests),
            game_rate: (games, games / 3600.0),
            work_rate: (work * BURST, work),
            clients: Mutex::default(),
        })
    }

    /// Calls `work` with what an address has used.
    fn with<T>(&self, address: ClientAddress, work: impl FnOnce(&mut Usage, Instant) -> T) -> T {
        let now = Instant::now();
        let mut clients = lock(&self.clients);
        let new = || Usage {
            connections: 0,
            requests: TokenBucket::new(self.request_rate, now),
            games: TokenBucket::new(self.game_rate, now),
            work: TokenBucket::new(self.work_rate, now),
        };
        work(clients.entry(address).or_insert_with(new), now)
    }

    /// Admits a connection.
    pub(crate) fn connect(self: &Arc<Self>, address: ClientAddress) -> Result<ConnectionPermit, ApiError> {
        let open: usize = lock(&self.clients).values().map(|usage| usage.connections).sum();
        let busy = |why: String| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", why);
        if open >= self.max_connections {
            return Err(busy("too many connections; try again later".into()));
        }
        let most = self.max_connections_each;
        let is_admitted = self.with(address, |usage, _| {
            let is_admitted = usage.connections < most;
            usage.connections += usize::from(is_admitted);
            is_admitted
        });
        if is_admitted {
            Ok(ConnectionPermit(Arc::clone(self), address))
        } else {
            Err(busy(format!("too many connections; one address may have {most} connections")))
        }
    }

    /// Admits a request.
    pub(crate) fn request(&self, address: ClientAddress) -> Result<(), ApiError> {
        let is_admitted =
            self.with(address, |usage, now| usage.requests.take(now) && usage.work.debt(now).is_none());
        let why = "too many requests; wait a moment";
        is_admitted.then_some(()).ok_or_else(|| ApiError::too_many("too_many_requests", why))
    }

    /// Admits a new game. Finished games count too: each has used memory and disk.
    pub(crate) fn new_game(&self, client: Client) -> Result<(), ApiError> {
        let is_admitted = client.is_none_or(|address| self.with(address, |usage, now| usage.games.take(now)));
        let most = self.game_rate.0;
        let why = format!("too many games; one address may open {most} games, and as many again every hour");
        is_admitted.then_some(()).ok_or_else(|| ApiError::too_many("too_many_games", why))
    }

    /// Does work for a client and charges its CPU time to it. Later requests wait until it is paid.
    pub(crate) fn charged<T>(&self, client: Client, work: impl FnOnce() -> T) -> T {
        let start = cpu_time();
        let done = work();
        if let Some(address) = client {
            let used = cpu_time().saturating_sub(start).as_secs_f64();
            self.with(address, |usage, now| usage.work.charge(used, now));
        }
        done
    }

    /// Returns how long a socket of this client waits before its next message is read.
    pub(crate) fn debt(&self, client: Client) -> Option<Duration> {
        client.and_then(|address| self.with(address, |usage, now| usage.work.debt(now)))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn address(last: u8) -> ClientAddress {
        IpAddr::from([127, 0, 0, last]).into()
    }

    #[test]
    fn a_bucket_refills_up_to_its_capacity() {
        let start = Instant::now();
        let mut bucket = TokenBucket::new((2.0, 1.0), start);
        assert!(bucket.take(start) && bucket.take(start) && !bucket.take(start));
        assert!(bucket.take(start + Duration::from_secs(1)));
        let later = start + Duration::from_secs(100);
        assert!(bucket.take(later) && bucket.take(later) && !bucket.take(later));
    }

    #[test]
    fn connections_are_limited_in_total_and_per_address() {
        let settings = Settings { max_connections: 3, max_connections_each: 2, ..Settings::default() };
        let limiter = RateLimiter::new(&settings);
        let first = limiter.connect(address(1)).unwrap();
        let _second = limiter.connect(address(1)).unwrap();
        assert!(limiter.connect(address(1)).unwrap_err().body.why.contains("2 connections"));
        let _other = limiter.connect(address(2)).unwrap();
        assert!(limiter.connect(address(3)).is_err(), "three in total");
        drop(first);
        assert!(limiter.connect(address(1)).is_ok());
    }

    #[test]
    fn an_address_pays_for_its_work_before_its_next_request() {
        let limiter = RateLimiter::new(&Settings { max_requests_each: 1, ..Settings::default() });
        let busy = || {
            let until = cpu_time() + Duration::from_millis(150);
            while cpu_time() < until {}
        };
        limiter.charged(Some(address(1)), busy);
        assert_eq!(limiter.request(address(1)).unwrap_err().body.rule, "too_many_requests");
        let debt = limiter.debt(Some(address(1))).unwrap();
        assert!(debt > Duration::from_secs(1) && debt < Duration::from_secs(60), "{debt:?}");
        assert!(limiter.request(address(2)).is_ok(), "the others do not pay");
        assert_eq!(limiter.debt(None), None, "the operator does not pay");
    }

    #[test]
    fn new_games_are_limited_per_address() {
        let limiter = RateLimiter::new(&Settings { max_games_each: 2, ..Settings::default() });
        assert!(limiter.new_game(Some(address(1))).is_ok() && limiter.new_game(Some(address(1))).is_ok());
        assert_eq!(limiter.new_game(Some(address(1))).unwrap_err().body.rule, "too_many_games");
        assert!(limiter.new_game(Some(address(2))).is_ok() && limiter.new_game(None).is_ok());
    }
}
