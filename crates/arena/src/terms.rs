//! What agents are allowed and told, and the one door from an address to an agent.

use std::time::Duration;

use tabiya_spec::Game;

use crate::address::Address;
use crate::agent::{Agent, Fault};
use crate::chat::ChatAgent;
use crate::http::HttpAgent;
use crate::launch::Limits;
use crate::rulebook::rulebook;
use crate::search::UciSettings;

/// What all agents of a match are allowed and told.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Variables that agent processes may see beside [`INHERITED`](crate::INHERITED).
    pub environment: Vec<String>,
    /// What agent processes may use up.
    pub limits: Limits,
    /// How long a process may take to leave when the game is over, and again after it was told to terminate; half a
    /// second unless told otherwise.
    pub grace: Duration,
    /// How UCI engines are set up.
    pub uci: UciSettings,
    /// The rules in words, for chat models.
    pub rulebook: String,
    /// The variable that holds the key for chat endpoints; `OPENAI_API_KEY` unless told otherwise.
    pub key_variable: String,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            environment: Vec::new(),
            limits: Limits::default(),
            grace: Duration::from_millis(500),
            uci: UciSettings::default(),
            rulebook: String::new(),
            key_variable: "OPENAI_API_KEY".into(),
        }
    }
}

impl Terms {
    /// The same with what there is to say about a game: how engines call it, and its rules for models, unless there is a
    /// rulebook already.
    #[must_use]
    pub fn of_game(mut self, game: &Game, variant: &str, is_chess: bool) -> Self {
        self.uci.variant = Some(variant.to_owned());
        if self.rulebook.is_empty() {
            self.rulebook = rulebook(game, is_chess);
        }
        self
    }
}

/// Brings an agent to the board, for one game.
pub fn connect(address: &Address, terms: &Terms) -> Result<Box<dyn Agent>, Fault> {
    match address {
        Address::Http(url) => Ok(Box::new(HttpAgent::new(url)?)),
        Address::Chat { url, model } => {
            Ok(Box::new(ChatAgent::new(url, model, &terms.rulebook, &terms.key_variable)?))
        }
        Address::Player(name) => {
            Err(Fault::CouldNotStart(format!("player:{name} is seated by the match, not over a wire")))
        }
        Address::Process(command) | Address::Uci(command) => {
            start(command, matches!(address, Address::Uci(_)), terms)
        }
    }
}

/// Ends every agent process and what it has started, for a program that is about to end itself: whoever still waits for an
/// answer is not asked. It takes this long at most.
pub fn end_agents(patience: Duration) {
    #[cfg(target_os = "linux")]
    crate::process::end_all(patience);
    #[cfg(not(target_os = "linux"))]
    let _ = patience;
}

#[cfg(target_os = "linux")]
fn start(command: &str, speaks_uci: bool, terms: &Terms) -> Result<Box<dyn Agent>, Fault> {
    let launch = crate::launch::Launch {
        command: command.into(),
        environment: terms.environment.clone(),
        limits: terms.limits,
    };
    if speaks_uci {
        Ok(Box::new(crate::uci::UciAgent::start(&launch, &terms.uci, terms.grace)?))
    } else {
        Ok(Box::new(crate::process::ProcessAgent::start(&launch, terms.grace)?))
    }
}

#[cfg(not(target_os = "linux"))]
fn start(command: &str, _speaks_uci: bool, _terms: &Terms) -> Result<Box<dyn Agent>, Fault> {
    Err(Fault::CouldNotStart(format!("{command}: agent processes need Linux")))
}
