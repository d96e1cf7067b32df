//! Settings that an operator chooses: address, storage, opponents and limits.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use tabiya_arena::{Address, AgentOptions};

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on. The default is the loopback address.
    pub listen: SocketAddr,
    /// Host names that requests may use besides `localhost` and IP addresses.
    pub hosts: Vec<String>,
    /// Whether all connections come from a proxy that reports the client's address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// The database file.
    pub file: PathBuf,
    /// The age in days at which games are deleted; `None` keeps them.
    pub keep_days: Option<u32>,
    /// The built-in players that clients may choose.
    pub players: Vec<String>,
    /// The agents that clients may choose, by name.
    pub agents: BTreeMap<String, Address>,
    /// Options for running agents.
    pub agent_options: AgentOptions,
    /// The longest thinking time of a built-in player.
    pub think_time: Duration,
    /// The longest time to answer for an agent in a game without a clock.
    pub agent_time: Duration,
    /// The pause before each move when only programs play, so that spectators can follow.
    pub pause: Duration,
    /// The time after which a game with a clock is aborted if a person never came.
    pub join_time: Duration,
    /// The time after which the other side may claim the game of a person who left.
    pub leave_time: Duration,
    /// The most games in memory.
    pub max_games: usize,
    /// The most games that one address has in memory, and the most that it opens at once; as many again every hour.
    pub max_games_each: usize,
    /// The most open connections.
    pub max_connections: usize,
    /// The most open connections of one address.
    pub max_connections_each: usize,
    /// The request rate of one address per second. Bursts may be ten times as large.
    pub max_requests_each: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8642),
            hosts: Vec::new(),
            behind_proxy: false,
            file: PathBuf::from("tabiya.db"),
            keep_days: Some(90),
            players: tabiya_players::NAMES.iter().map(|name| (*name).to_owned()).collect(),
            agents: BTreeMap::new(),
            agent_options: AgentOptions::default(),
            think_time: Duration::from_secs(1),
            agent_time: Duration::from_secs(60),
            pause: Duration::from_millis(700),
            join_time: Duration::from_secs(1800),
            leave_time: Duration::from_secs(120),
            max_games: 10_000,
            max_games_each: 200,
            max_connections: 10_000,
            max_connections_each: 200,
            max_requests_each: 50,
        }
    }
}
