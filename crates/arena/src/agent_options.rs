//! Options of agents, and the connection from an address to an agent.

use std::time::Duration;

use tabiya_players::NetChoice;
use tabiya_referee::{AgentFault, RULEBOOK};
use tabiya_spec::Game;

use crate::address::Address;
use crate::agent::Agent;
use crate::http::HttpAgent;
use crate::uci_search::UciSettings;

/// The environment variables that every agent process inherits, where they are set.
pub const INHERITED_VARIABLES: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// Options for all agents of a match.
#[derive(Clone, Debug)]
pub struct AgentOptions {
    /// Names of further environment variables for agent processes, in addition to [`INHERITED_VARIABLES`]. Their values, for
    /// example keys, are hidden in everything that a process writes.
    pub environment: Vec<String>,
    /// Resource limits of agent processes.
    pub limits: ProcessLimits,
    /// Time for a process to exit after its game, and again after `SIGTERM`. The default is half a second.
    pub grace: Duration,
    /// Setup of UCI engines.
    pub uci: UciSettings,
    /// System prompt of chat models: the protocol and the rules.
    pub rulebook: String,
    /// The environment variable with the key for chat endpoints. The default is `OPENAI_API_KEY`.
    pub key_variable: String,
    /// The net of a built-in player.
    pub net: NetChoice,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            environment: Vec::new(),
            limits: ProcessLimits::default(),
            grace: Duration::from_millis(500),
            uci: UciSettings::default(),
            rulebook: String::new(),
            key_variable: "OPENAI_API_KEY".into(),
            net: NetChoice::default(),
        }
    }
}

impl AgentOptions {
    /// Sets what depends on the game: the UCI variant and, unless one is given, the rulebook.
    #[must_use]
    pub fn for_game(mut self, game: &Game, variant: &str, is_chess: bool) -> Self {
        self.uci.variant = Some(variant.to_owned());
        if self.rulebook.is_empty() {
            RULEBOOK.clone_into(&mut self.rulebook);
            if !is_chess {
                let (name, rules) = (&*game.spec.name, tabiya_spec::english(game));
                self.rulebook.push_str(&format!(
                    "\n\nThe game that you play is not chess, but {name}. These are its rules.\n\n{rules}"
                ));
            }
        }
        self
    }
}

/// Resource limits of an agent process. They apply to each process that an agent starts, not to their sum. A stricter
/// limit of the current process takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Address space in bytes. The default is 4 GiB. Runtimes that reserve much more than they use (Java, Node) need
    /// more.
    pub memory: u64,
    /// CPU time per game in seconds. The default is one hour. The process receives `SIGXCPU` and, a second later,
    /// `SIGKILL`.
    pub cpu_seconds: u64,
    /// Open file descriptors. The default is 256.
    pub open_files: u64,
}

impl Default for ProcessLimits {
    fn default() -> Self {
        Self { memory: 4 << 30, cpu_seconds: 3600, open_files: 256 }
    }
}

/// Starts or connects the agent of an address, for one game.
///
/// # Errors
///
/// Returns [`AgentFault::CouldNotStart`], or the fault of a UCI engine that fails during its handshake. A `player:`
/// address has no agent; see [`Seat::connect`](crate::Seat::connect).
pub fn connect(address: &Address, options: &AgentOptions) -> Result<Box<dyn Agent>, AgentFault> {
    match address {
        Address::Http(url) => Ok(Box::new(HttpAgent::new(url)?)),
        Address::Chat { url, model } => {
            Ok(Box::new(HttpAgent::chat(url, model, &options.rulebook, &options.key_variable)?))
        }
        Address::Player(name) => {
            Err(AgentFault::CouldNotStart(format!("player:{name} is a built-in player, not an agent")))
        }
        #[cfg(target_os = "linux")]
        Address::Process(command) => Ok(Box::new(crate::process::ProcessAgent::start(command, options)?)),
        #[cfg(target_os = "linux")]
        Address::Uci(command) => Ok(Box::new(crate::uci::UciAgent::start(command, options)?)),
        #[cfg(not(target_os = "linux"))]
        Address::Process(_) | Address::Uci(_) => Err(AgentFault::CouldNotStart(
            "process: and uci: agents are supported on Linux only; use http:, chat: or player: here".into(),
        )),
    }
}

/// Kills all agent processes and their descendants within `timeout`, even while a game waits for an answer. Call it
/// before the current process exits.
pub fn kill_agents(timeout: Duration) {
    #[cfg(target_os = "linux")]
    crate::process::kill_all(timeout);
    #[cfg(not(target_os = "linux"))]
    let _ = timeout;
}
