//! The configuration of a match. It determines the whole match, so that an interrupted match can be resumed as if it had
//! not been interrupted.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tabiya_notation::{State, fen};
use tabiya_players::NetChoice;
use tabiya_referee::record::{Choice, Control, Header, Seat, VERSION};
use tabiya_referee::{AnswerFormat, Laws, MAX_PLIES, TimeControl};
use tabiya_spec::{Choices, Game};

use crate::address::Address;
use crate::agent_options::AgentOptions;
use crate::openings::{OpeningBook, Openings, name_in_library};
use crate::secrets::Secrets;
use crate::seeds;
use crate::standings::agent_at;

/// The default time for an answer.
pub const DEFAULT_MOVE_TIMEOUT: Duration = Duration::from_secs(60);

/// The default time after a limit until an answer counts as late.
pub const DEFAULT_TIME_MARGIN: Duration = Duration::from_millis(50);

/// The number of attempts at a game that is void.
pub(crate) const MAX_ATTEMPTS: u32 = 3;

/// The maximal length of an agent's name in characters.
const LONGEST_NAME: usize = 200;

/// The configuration of a match between two agents.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// The name of the game.
    pub label: String,
    /// The game.
    pub game: Game,
    /// The agents.
    pub agents: [AgentConfig; 2],
    /// The number of games.
    pub games: u32,
    /// The seed of all random choices.
    pub seed: u64,
    /// The openings.
    pub openings: Openings,
    /// The time control. Without one, an answer may take [`DEFAULT_MOVE_TIMEOUT`], engines search for 0.1 s, and built-in
    /// players use their own limits, so that the same seed gives the same games.
    pub time: Option<TimeControl>,
    /// The time after the limits of a time control until an answer counts as late. Agents do not see it.
    pub margin: Duration,
    /// A fixed search time for engines and built-in players. The rest of the time for a move is a margin for a busy
    /// machine.
    pub think: Option<Duration>,
    /// The number of rejected answers that are forgiven on each move.
    pub retries: u32,
    /// Whether an object may be surrounded by other text.
    pub lenient: bool,
    /// The number of moves after which a game is drawn.
    pub max_plies: u32,
    /// Options of the agents. Without a rulebook, chat models receive the protocol and the rules.
    pub agent_options: AgentOptions,
}

/// The configuration of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentConfig {
    /// The address of the agent.
    pub address: Address,
    /// UCI options for this agent alone.
    pub options: Vec<(String, String)>,
    /// The net of a built-in player.
    pub net: NetChoice,
}

impl AgentConfig {
    /// Creates the configuration without UCI options.
    pub fn new(address: Address) -> Self {
        AgentConfig { address, options: Vec::new(), net: NetChoice::default() }
    }

    fn format(&self) -> AnswerFormat {
        match self.address {
            Address::Process(_) | Address::Http(_) | Address::Chat { .. } => AnswerFormat::Object,
            Address::Uci(_) | Address::Player(_) => AnswerFormat::Text,
        }
    }
}

impl MatchConfig {
    /// Creates a match of two games with default conditions.
    pub fn new(label: impl Into<String>, game: Game, agents: [Address; 2]) -> Self {
        MatchConfig {
            label: label.into(),
            game,
            agents: agents.map(AgentConfig::new),
            games: 2,
            seed: 0,
            openings: Openings::default(),
            time: None,
            margin: DEFAULT_TIME_MARGIN,
            think: None,
            retries: 0,
            lenient: false,
            max_plies: 4000,
            agent_options: AgentOptions::default(),
        }
    }

    /// Checks the configuration.
    ///
    /// # Errors
    ///
    /// Returns the reason why the match cannot be played.
    pub fn check(&self) -> Result<(), String> {
        let players = self.game.rules.players().count();
        if players < 2 {
            return Err("a match needs a game with at least two players".to_owned());
        }
        if !(1..=MAX_PLIES).contains(&self.max_plies) {
            return Err(format!("max_plies must be from 1 to {MAX_PLIES}"));
        }
        for agent in &self.agents {
            match &agent.address {
                Address::Uci(_) if players > 2 => {
                    return Err(format!(
                        "{} plays games for two players, and this one has {players}",
                        agent.address
                    ));
                }
                Address::Player(name) if !tabiya_players::NAMES.contains(&name.as_str()) => {
                    let names = tabiya_players::NAMES.join(", ");
                    return Err(format!("there is no player `{name}`; there are {names}"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the time control, which always limits the time for an answer.
    pub(crate) fn control(&self) -> TimeControl {
        let control = self.time.unwrap_or_default();
        let per_move = control.per_move.or_else(|| control.game.is_none().then_some(DEFAULT_MOVE_TIMEOUT));
        let margin = if self.time.is_some() { self.margin } else { Duration::ZERO };
        TimeControl { per_move, margin, ..control }
    }

    /// Returns the environment variables whose values are too short to be hidden in records.
    pub fn unhidden(&self) -> Vec<String> {
        Secrets::of_environment(&self.agent_options.environment).too_short().map(str::to_owned).collect()
    }

    /// Returns the values that must not appear in records.
    pub(crate) fn secrets(&self) -> Secrets {
        Secrets::of_environment(
            self.agent_options.environment.iter().chain([&self.agent_options.key_variable]),
        )
    }

    /// Returns two different names, because records distinguish agents by name, even if an agent plays itself.
    pub(crate) fn names(&self) -> [String; 2] {
        let secrets = self.secrets();
        let [first, second] = [0, 1].map(|agent| {
            let name = self.agents[agent].address.to_string();
            secrets.hide(&name).chars().take(LONGEST_NAME).collect::<String>()
        });
        let second = if first == second { format!("{second} (2)") } else { second };
        [first, second]
    }

    /// Returns everything that determines the match, for `match.json`. A match can only be resumed with equal settings.
    pub(crate) fn settings(&self) -> Value {
        let secrets = self.secrets();
        let hidden = |text: &str| secrets.hide(text).into_owned();
        let options = |options: &[(String, String)]| -> Vec<Value> {
            options.iter().map(|(name, value)| json!([hidden(name), hidden(value)])).collect()
        };
        let address = |agent: usize| hidden(&self.agents[agent].address.to_string());
        let AgentOptions { environment, limits, grace, uci, rulebook: _, key_variable, net: _ } =
            &self.agent_options;
        json!({
            "tabiya": VERSION,
            "game": self.label,
            "spec": self.game.hash.to_string(),
            "a": address(0),
            "b": address(1),
            "options_a": options(&self.agents[0].options),
            "options_b": options(&self.agents[1].options),
            "options": options(&uci.options),
            "net_a": self.agents[0].net.to_string(),
            "net_b": self.agents[1].net.to_string(),
            "games": self.games,
            "seed": self.seed,
            "openings": self.openings.word(),
            "clock": self.time.map(|_| Control::from(self.control())),
            "think_us": self.think.map(|time| time.as_micros() as u64),
            "retries": self.retries,
            "lenient": self.lenient,
            "max_plies": self.max_plies,
            "environment": environment,
            "key_variable": key_variable,
            "memory": limits.memory,
            "cpu_seconds": limits.cpu_seconds,
            "open_files": limits.open_files,
            "grace_us": grace.as_micros() as u64,
            "handshake_us": uci.handshake.as_micros() as u64,
        })
    }
}

/// Returns the chosen layout, preset and options of a game in the form of records.
pub fn choice_record(asked: &Choices) -> Choice {
    Choice {
        array: asked.layout.clone(),
        rules: asked.preset.clone(),
        options: asked.options.iter().cloned().collect(),
    }
}

/// A match with everything that is computed once and used in every game.
#[derive(Debug)]
pub(crate) struct MatchPlan {
    pub(crate) config: MatchConfig,
    pub(crate) laws: Laws,
    pub(crate) names: [String; 2],
    pub(crate) secrets: Secrets,
    /// The name of the game in the library, or the name of its file.
    pub(crate) variant: String,
    pub(crate) is_chess: bool,
    /// The options of each agent.
    pub(crate) agent_options: [AgentOptions; 2],
    openings: OpeningBook,
    start: String,
}

impl MatchPlan {
    pub(crate) fn new(config: &MatchConfig) -> Result<Arc<Self>, String> {
        config.check()?;
        let Game { rules, hash, .. } = &config.game;
        let known = name_in_library(*hash);
        let is_chess = known == Some("chess");
        let stem = std::path::Path::new(&config.label).file_stem().map(|stem| stem.to_string_lossy());
        let variant = known.map(str::to_owned).or(stem.map(Into::into)).unwrap_or_default();
        let agent_options = [0, 1].map(|agent| {
            let mut options = config.agent_options.clone().for_game(&config.game, &variant, is_chess);
            options.uci.options.extend(config.agents[agent].options.iter().cloned());
            options.net = config.agents[agent].net.clone();
            options
        });
        Ok(Arc::new(MatchPlan {
            laws: Laws::new(rules, &hash.to_string()),
            names: config.names(),
            secrets: config.secrets(),
            is_chess,
            variant,
            agent_options,
            openings: OpeningBook::new(config.openings, is_chess, config.seed),
            start: fen(rules, &State::new(rules.start())),
            config: config.clone(),
        }))
    }

    /// Returns the header of a game.
    pub(crate) fn header(&self, id: u32, attempt: u32) -> Header {
        let config = &self.config;
        let rules = self.laws.rules();
        let seat = |(seat, player)| {
            let agent = agent_at(id, seat);
            Seat {
                player: rules.player(player).name.clone(),
                agent: self.names[agent].clone(),
                answers: config.agents[agent].format(),
            }
        };
        Header {
            tabiya: VERSION,
            id,
            attempt,
            game: config.label.clone(),
            spec: self.laws.hash().to_owned(),
            choice: choice_record(&config.game.choices.requested),
            start: self.start.clone(),
            opening: self.openings.opening(rules, id.saturating_sub(1) / 2),
            seats: rules.players().enumerate().map(seat).collect(),
            clock: self.config.control().into(),
            retries: config.retries,
            lenient: config.lenient,
            max_plies: config.max_plies,
            seed: config.seed,
        }
    }

    /// Returns the seed of the player at a seat of a game.
    pub(crate) fn seat_seed(&self, id: u32, seat: usize) -> u64 {
        seeds::derive(self.config.seed, seeds::SEATS + seat as u64, u64::from(id))
    }
}
