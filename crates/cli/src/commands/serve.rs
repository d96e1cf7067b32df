//! `tabiya serve`: the page on which every game is played.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use tabiya_arena::{Address, Terms};
use tabiya_server::Settings;

use crate::failure::Failure;
use crate::number::whole;
use crate::output::Output;
use crate::web;

/// Serve the page on which every game is played, by people and programs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya serve
  tabiya serve --port 0 --games here.db
  tabiya serve --agent stockfish=uci:stockfish --agent 'mine=process:python3 agent.py'
  tabiya serve --bind 0.0.0.0 --host chess.example.org

Games are kept in one file, and go on where they were when the server comes back. Clients choose
among the players and agents that are named here, and never name a program themselves.
See docs/server.md.")]
pub(crate) struct Args {
    /// Where to listen; 0 is any port that is free.
    #[arg(long, value_name = "N", default_value_t = 8642)]
    port: u16,
    /// The address to listen on. Others than this machine's own can be reached by others.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// A name by which browsers may call this server, beside localhost and numbers. May be given for each name.
    #[arg(long = "host", value_name = "NAME", value_parser = host)]
    hosts: Vec<String>,
    /// All connections come from a proxy beside this server, whose last X-Forwarded-For is the address that counts.
    #[arg(long)]
    behind_proxy: bool,
    /// The file that keeps the games; by default tabiya/games.db where programs of this user keep their data.
    #[arg(long, value_name = "FILE", env = "TABIYA_GAMES")]
    games: Option<PathBuf>,
    /// An agent that clients may choose, by the name that it has here: `process:CMD`, `uci:CMD`,
    /// `http:URL` or `chat:URL#MODEL`. May be given for each agent.
    #[arg(long = "agent", value_name = "NAME=AGENT")]
    agents: Vec<String>,
    /// The built-in players that clients may choose; without it, all of them. May be given for each player.
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// How long a built-in player thinks at most, in seconds.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    think: f64,
    /// How long an agent may take for an answer where there is no clock, in seconds.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    agent_time: f64,
    /// How long programs wait before each move when they play among themselves, in seconds.
    #[arg(long, value_name = "S", default_value_t = 0.7, value_parser = seconds)]
    pause: f64,
    /// Forget games so many days after they were opened; 0 keeps them.
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    keep: u32,
    /// Games at once.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count)]
    max_games: usize,
    /// Games at once that one address has opened.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = count)]
    max_games_each: usize,
    /// Connections at once.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count)]
    max_connections: usize,
    /// Connections at once of one address.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = count)]
    max_connections_each: usize,
    /// Requests of one address a second; ten times as many at once.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = |text: &str| whole::<u32>(text, 1..=1_000_000))]
    max_requests_each: u32,
    /// Do not open the page in a browser.
    #[arg(long)]
    no_open: bool,
}

fn host(text: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
    let is_name = !text.is_empty() && text.chars().all(is_plain);
    is_name.then(|| text.to_owned()).ok_or_else(|| "a name of a host is expected, without a port".to_owned())
}

fn count(text: &str) -> Result<usize, String> {
    whole::<usize>(text, 1..=1_000_000)
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is expected".to_owned())?;
    let is_good = (0.0..=3600.0).contains(&seconds);
    is_good.then_some(seconds).ok_or_else(|| "between 0 and 3600 seconds".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let (agents, players) = (agents(&args.agents)?, players(&args.players)?);
    let settings = Settings {
        listen: SocketAddr::new(args.bind, args.port),
        hosts: args.hosts.clone(),
        is_behind_proxy: args.behind_proxy,
        file: web::games_file(args.games.as_deref())?,
        keep_days: Some(args.keep).filter(|days| *days > 0),
        agents,
        players,
        terms: Terms::default(),
        think: Duration::from_secs_f64(args.think),
        agent_time: Duration::from_secs_f64(args.agent_time),
        pause: Duration::from_secs_f64(args.pause),
        most_games: args.max_games,
        games_each: args.max_games_each,
        most_connections: args.max_connections,
        connections_each: args.max_connections_each,
        requests_each: args.max_requests_each,
    };
    web::serve(settings, None, !args.no_open, out)
}

/// The players of our own that may be chosen.
fn players(names: &[String]) -> Result<Vec<String>, Failure> {
    let known = Settings::default().players;
    match names.iter().find(|name| !known.contains(name)) {
        Some(name) => {
            Err(Failure::Usage(format!("there is no player `{name}`: there are {}", known.join(", "))))
        }
        None if names.is_empty() => Ok(known),
        None => Ok(names.to_vec()),
    }
}

/// The agents, by their names.
fn agents(words: &[String]) -> Result<BTreeMap<String, Address>, Failure> {
    let mut agents = BTreeMap::new();
    for word in words {
        let (name, address) = word.split_once('=').ok_or_else(|| {
            Failure::Usage("an agent is written NAME=AGENT, as stockfish=uci:stockfish".into())
        })?;
        let is_plain = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
        if name.is_empty() || name.len() > 60 || !name.chars().all(is_plain) {
            let why = "the name of an agent has letters, digits, and - _ . between them";
            return Err(Failure::Usage(format!("{why}: `{name}` has not")));
        }
        let address: Address = address.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
        if matches!(address, Address::Player(_)) {
            return Err(Failure::Usage("built-in players are there without --agent; see --player".into()));
        }
        if agents.insert(name.to_owned(), address).is_some() {
            return Err(Failure::Usage(format!("two agents are called {name}")));
        }
    }
    Ok(agents)
}
