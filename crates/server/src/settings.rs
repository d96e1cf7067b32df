//! What an operator decides: where to listen, where to keep games, who may be asked to play, and how much of everything.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use tabiya_arena::{Address, Terms};

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen; loopback unless told otherwise.
    pub listen: SocketAddr,
    /// The names by which browsers may call this server, beside `localhost` and numbers.
    pub hosts: Vec<String>,
    /// Whether all connections come from a proxy that names the address for which it speaks (`X-Forwarded-For`).
    pub is_behind_proxy: bool,
    /// The file that keeps the games.
    pub file: PathBuf,
    /// Games are forgotten so many days after they were opened; never if `None`.
    pub keep_days: Option<u32>,
    /// Our own players whom clients may choose, by name.
    pub players: Vec<String>,
    /// Agents whom clients may choose, by the name that the operator gives them.
    pub agents: BTreeMap<String, Address>,
    /// What agents are allowed and told.
    pub terms: Terms,
    /// How long one of our own players thinks at most.
    pub think: Duration,
    /// How long an agent may take for an answer where there is no clock.
    pub agent_time: Duration,
    /// How long programs wait before each move when no person plays, so that one can follow them.
    pub pause: Duration,
    /// Games at once.
    pub most_games: usize,
    /// Games at once that one address has opened.
    pub games_each: usize,
    /// Connections at once.
    pub most_connections: usize,
    /// Connections at once of one address.
    pub connections_each: usize,
    /// Requests of one address: so many a second, and ten times as many at once.
    pub requests_each: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8642),
            hosts: Vec::new(),
            is_behind_proxy: false,
            file: PathBuf::from("tabiya.db"),
            keep_days: Some(90),
            players: crate::hall::player_names(),
            agents: BTreeMap::new(),
            terms: Terms::default(),
            think: Duration::from_secs(1),
            agent_time: Duration::from_secs(60),
            pause: Duration::from_millis(700),
            most_games: 10_000,
            games_each: 200,
            most_connections: 10_000,
            connections_each: 200,
            requests_each: 50,
        }
    }
}
