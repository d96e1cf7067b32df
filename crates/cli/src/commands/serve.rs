//! `tabiya serve`: serves the web page on which games are played.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use tabiya_arena::Address;
use tabiya_server::Settings;

use crate::args::whole;
use crate::error::{CliError, CommandResult};
use crate::output::Output;
use crate::web;

/// Serve a web page on which people and programs play every game.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya serve
  tabiya serve --port 0 --games here.db
  tabiya serve --agent stockfish=uci:stockfish --agent 'mine=process:python3 agent.py'
  tabiya serve --bind 0.0.0.0 --host chess.example.org

Games are stored in one file and continue after a restart of the server. Clients can choose only
the players and agents named here. See docs/server.md.")]
pub(crate) struct Args {
    /// Port to listen on; 0 picks a free one.
    #[arg(long, value_name = "N", default_value_t = 8642)]
    port: u16,
    /// Address to listen on. Addresses other than loopback can be reached from other machines.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Accept requests for this host name, in addition to localhost and IP addresses. May be repeated.
    #[arg(long = "host", value_name = "NAME", value_parser = host)]
    hosts: Vec<String>,
    /// Trust a proxy on this machine: the client address is the last one in X-Forwarded-For.
    #[arg(long)]
    behind_proxy: bool,
    /// Database of games [default: tabiya/games.db in the user's data directory]
    #[arg(long, value_name = "FILE", env = "TABIYA_GAMES")]
    games: Option<PathBuf>,
    /// Offer an agent to clients under a name: `process:CMD`, `uci:CMD`, `http:URL` or
    /// `chat:URL#MODEL`. May be repeated.
    #[arg(long = "agent", value_name = "NAME=AGENT")]
    agents: Vec<String>,
    /// Offer a built-in player to clients. May be repeated [default: all]
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// Maximum thinking time of built-in players in seconds.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    think: f64,
    /// Answer time limit of agents in games without a clock, in seconds.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    agent_time: f64,
    /// Pause before each move in games between programs, in seconds.
    #[arg(long, value_name = "S", default_value_t = 0.7, value_parser = seconds)]
    pause: f64,
    /// Abort a game with a clock if a person has not come after this many seconds.
    #[arg(long, value_name = "S", default_value_t = 1800.0, value_parser = seconds)]
    join_time: f64,
    /// Let the other side claim the game of a person who left for this many seconds.
    #[arg(long, value_name = "S", default_value_t = 120.0, value_parser = seconds)]
    leave_time: f64,
    /// Delete games this many days after their creation; 0 keeps them.
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    keep: u32,
    /// Maximum number of games in memory.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole::<usize>(1..=1_000_000))]
    max_games: usize,
    /// Maximum number of games that one address opens at once; as many again every hour.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<usize>(1..=1_000_000))]
    max_games_each: usize,
    /// Maximum number of connections.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole::<usize>(1..=1_000_000))]
    max_connections: usize,
    /// Maximum number of connections of one address.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<usize>(1..=1_000_000))]
    max_connections_each: usize,
    /// Requests per second of one address; bursts may be ten times as large.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<u32>(1..=1_000_000))]
    max_requests_each: u32,
    /// Do not open the page in a browser.
    #[arg(long)]
    no_open: bool,
}

/// Parses a host name.
fn host(text: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
    let is_name = !text.is_empty() && text.chars().all(is_plain);
    is_name.then(|| text.to_owned()).ok_or_else(|| "it must be a host name without a port".to_owned())
}

/// Parses a number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "it must be seconds from 0 to 3600".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (agents, players) = (agents(&args.agents)?, players(&args.players)?);
    let settings = Settings {
        listen: SocketAddr::new(args.bind, args.port),
        hosts: args.hosts.clone(),
        behind_proxy: args.behind_proxy,
        file: web::games_file(args.games.as_deref())?,
        keep_days: Some(args.keep).filter(|days| *days > 0),
        agents,
        players,
        think_time: Duration::from_secs_f64(args.think),
        agent_time: Duration::from_secs_f64(args.agent_time),
        pause: Duration::from_secs_f64(args.pause),
        join_time: Duration::from_secs_f64(args.join_time),
        leave_time: Duration::from_secs_f64(args.leave_time),
        max_games: args.max_games,
        max_games_each: args.max_games_each,
        max_connections: args.max_connections,
        max_connections_each: args.max_connections_each,
        max_requests_each: args.max_requests_each,
        ..Settings::default()
    };
    web::serve(settings, None, !args.no_open, out)
}

/// Returns the built-in players that clients may choose.
fn players(names: &[String]) -> Result<Vec<String>, CliError> {
    let known = Settings::default().players;
    match names.iter().find(|name| !known.contains(name)) {
        Some(name) => {
            Err(CliError::Usage(format!("there is no player `{name}`; the players are {}", known.join(", "))))
        }
        None if names.is_empty() => Ok(known),
        None => Ok(names.to_vec()),
    }
}

/// Parses the agents that clients may choose.
fn agents(words: &[String]) -> Result<BTreeMap<String, Address>, CliError> {
    let mut agents = BTreeMap::new();
    for word in words {
        let (name, address) = word.split_once('=').ok_or_else(|| {
            CliError::Usage("an agent must be NAME=AGENT, such as stockfish=uci:stockfish".into())
        })?;
        let is_plain = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
        if name.is_empty() || name.len() > 60 || !name.chars().all(is_plain) {
            let why = "is not a name of an agent: use up to 60 letters, digits, blanks and - _ .";
            return Err(CliError::Usage(format!("`{name}` {why}")));
        }
        let address: Address = address.parse().map_err(|error| CliError::Usage(format!("{error}")))?;
        if matches!(address, Address::Player(_)) {
            return Err(CliError::Usage("built-in players need no --agent; see --player".into()));
        }
        if agents.insert(name.to_owned(), address).is_some() {
            return Err(CliError::Usage(format!("two agents have the name {name}")));
        }
    }
    Ok(agents)
}
