//! Rate limiting: how many connections and requests each client address may have.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::http::StatusCode;

use crate::api_error::ApiError;
use crate::lock;

/// Entries above which idle clients are removed from the table.
const PRUNE_ABOVE: usize = 1000;

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

    fn refilled(&self, now: Instant) -> f64 {
        let added = now.saturating_duration_since(self.updated).as_secs_f64() * self.per_second;
        (self.tokens + added).min(self.capacity)
    }

    fn is_full(&self, now: Instant) -> bool {
        self.refilled(now) >= self.capacity
    }
}

#[derive(Debug)]
struct Client {
    connections: usize,
    requests: TokenBucket,
}

/// Limits the connections and requests of each client address.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    max_connections: usize,
    max_connections_each: usize,
    /// Burst size and rate per second.
    request_rate: (f64, f64),
    clients: Mutex<HashMap<IpAddr, Client>>,
}

/// An open connection. It counts until it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit(Arc<RateLimiter>, IpAddr);

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut clients = lock(&self.0.clients);
        if let Some(client) = clients.get_mut(&self.1) {
            client.connections -= 1;
        }
        // A client without connections and with a full bucket is the same as a new client.
        if clients.len() > PRUNE_ABOVE {
            clients.retain(|_, client| client.connections > 0 || !client.requests.is_full(now));
        }
    }
}

impl RateLimiter {
    /// Creates a limiter for connections in total, connections of one address, and requests of one address per second.
    pub(crate) fn new(max_connections: usize, max_connections_each: usize, requests: u32) -> Arc<Self> {
        let request_rate = (f64::from(requests) * 10.0, f64::from(requests));
        Arc::new(RateLimiter {
            max_connections,
            max_connections_each,
            request_rate,
            clients: Mutex::default(),
        })
    }

    fn new_client(&self) -> Client {
        Client { connections: 0, requests: TokenBucket::new(self.request_rate, Instant::now()) }
    }

    /// Admits a connection.
    pub(crate) fn connect(self: &Arc<Self>, address: IpAddr) -> Result<ConnectionPermit, ApiError> {
        let mut clients = lock(&self.clients);
        let open: usize = clients.values().map(|client| client.connections).sum();
        let busy = |why: String| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", why);
        if open >= self.max_connections {
            return Err(busy("too many connections; try again later".into()));
        }
        let client = clients.entry(address).or_insert_with(|| self.new_client());
        if client.connections >= self.max_connections_each {
            let most = self.max_connections_each;
            return Err(busy(format!("too many connections; one address may have {most} connections")));
        }
        client.connections += 1;
        Ok(ConnectionPermit(Arc::clone(self), address))
    }

    /// Admits a request.
    pub(crate) fn request(&self, address: IpAddr) -> Result<(), ApiError> {
        let mut clients = lock(&self.clients);
        let client = clients.entry(address).or_insert_with(|| self.new_client());
        if client.requests.take(Instant::now()) {
            return Ok(());
        }
        Err(ApiError::too_many("too_many_requests", "too many requests; wait a moment"))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

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
        let limiter = RateLimiter::new(3, 2, 10);
        let address = |last: u8| IpAddr::from([127, 0, 0, last]);
        let first = limiter.connect(address(1)).unwrap();
        let _second = limiter.connect(address(1)).unwrap();
        assert!(limiter.connect(address(1)).unwrap_err().body.why.contains("2 connections"));
        let _other = limiter.connect(address(2)).unwrap();
        assert!(limiter.connect(address(3)).is_err(), "three in total");
        drop(first);
        assert!(limiter.connect(address(1)).is_ok());
    }
}
