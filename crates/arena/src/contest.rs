//! What a match is: who meets, in which game, how often, under which conditions. Everything else follows from it, so that
//! a match that was broken off can go on as if it had not been.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tabiya_notation::{State, fen};
use tabiya_referee::TimeControl;
use tabiya_referee::record::{Choice, Control, Form, Header, Laws, MAX_PLIES, Seat, VERSION};
use tabiya_spec::{Choices, Game};

use crate::address::Address;
use crate::chance;
use crate::openings::{Openings, Shelf, name_in_library};
use crate::secrets::Secrets;
use crate::table::agent_at;
use crate::terms::Terms;

/// How long anybody is waited for if nothing else is said.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A game that nobody could help is played so often.
pub(crate) const ATTEMPTS: u32 = 3;

/// A longer name of an agent is cut.
const LONGEST_NAME: usize = 200;

/// A match between two agents.
#[derive(Clone, Debug)]
pub struct Match {
    /// What the game is called.
    pub label: String,
    /// The game.
    pub game: Game,
    /// Who meets.
    pub agents: [Contender; 2],
    /// How many games they play.
    pub games: u32,
    /// Where chance starts from.
    pub seed: u64,
    /// How games begin.
    pub openings: Openings,
    /// How the clocks are set. Without it, everybody is waited for up to [`PATIENCE`], engines think for a moment, and our
    /// own players keep to their own measure, so that the same seed gives the same games.
    pub time: Option<TimeControl>,
    /// How long engines and our own players think about a move, if it is not for them to decide. What is left of the time
    /// of a move makes up for a busy machine.
    pub think: Option<Duration>,
    /// How many outputs that cannot be accepted are forgiven on each move.
    pub retries: u32,
    /// Whether an object is taken out of the text around it.
    pub lenient: bool,
    /// After so many moves nobody has won.
    pub max_plies: u32,
    /// What agents are allowed and told. Where there is no rulebook, models get the protocol and the rules.
    pub terms: Terms,
}

/// One who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// Where it is found.
    pub address: Address,
    /// Options for it alone, if it speaks UCI.
    pub options: Vec<(String, String)>,
}

impl Contender {
    /// An agent without options of its own.
    pub fn new(address: Address) -> Self {
        Contender { address, options: Vec::new() }
    }

    fn form(&self) -> Form {
        match self.address {
            Address::Process(_) | Address::Http(_) | Address::Chat { .. } => Form::Object,
            Address::Uci(_) | Address::Player(_) => Form::Text,
        }
    }
}

impl Match {
    /// A match of two games with the usual conditions.
    pub fn new(label: impl Into<String>, game: Game, agents: [Address; 2]) -> Self {
        Match {
            label: label.into(),
            game,
            agents: agents.map(Contender::new),
            games: 2,
            seed: 0,
            openings: Openings::default(),
            time: None,
            think: None,
            retries: 0,
            lenient: false,
            max_plies: 4000,
            terms: Terms::default(),
        }
    }

    /// What speaks against it, in words.
    pub fn check(&self) -> Result<(), String> {
        let players = self.game.rules.players().count();
        if players < 2 {
            return Err("a match needs a game for at least two players".to_owned());
        }
        if !(1..=MAX_PLIES).contains(&self.max_plies) {
            return Err(format!("a game has 1 to {MAX_PLIES} moves"));
        }
        for agent in &self.agents {
            match &agent.address {
                Address::Uci(_) if players > 2 => {
                    return Err(format!(
                        "{} plays games for two, and this one is for {players}",
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

    /// How the clocks are set; nobody is waited for without end.
    pub(crate) fn control(&self) -> TimeControl {
        let control = self.time.unwrap_or_default();
        let per_move = control.per_move.or_else(|| control.game.is_none().then_some(PATIENCE));
        TimeControl { per_move, ..control }
    }

    /// The variables for agent processes whose values are too short to be hidden in what is written.
    pub fn unhidden(&self) -> Vec<String> {
        Secrets::of_environment(&self.terms.environment).too_short().map(str::to_owned).collect()
    }

    /// Values that must not be written down anywhere.
    pub(crate) fn secrets(&self) -> Secrets {
        Secrets::of_environment(self.terms.environment.iter().chain([&self.terms.key_variable]))
    }

    /// What the two are called. Records tell agents apart by their names, so there are two, also where one agent meets
    /// itself.
    pub(crate) fn names(&self) -> [String; 2] {
        let secrets = self.secrets();
        let [first, second] = [0, 1].map(|agent| {
            let name = self.agents[agent].address.to_string();
            secrets.hide(&name).chars().take(LONGEST_NAME).collect::<String>()
        });
        let second = if first == second { format!("{second} (2)") } else { second };
        [first, second]
    }

    /// Everything that decides how the match goes, for its folder. Whoever goes on with a match must have the same.
    pub(crate) fn settings(&self) -> Value {
        let secrets = self.secrets();
        let hidden = |text: &str| secrets.hide(text).into_owned();
        let options = |options: &[(String, String)]| -> Vec<Value> {
            options.iter().map(|(name, value)| json!([hidden(name), hidden(value)])).collect()
        };
        let address = |agent: usize| hidden(&self.agents[agent].address.to_string());
        let Terms { environment, limits, grace, uci, rulebook: _, key_variable } = &self.terms;
        json!({
            "tabiya": VERSION,
            "game": self.label,
            "spec": self.game.hash.to_string(),
            "a": address(0),
            "b": address(1),
            "options_a": options(&self.agents[0].options),
            "options_b": options(&self.agents[1].options),
            "options": options(&uci.options),
            "games": self.games,
            "seed": self.seed,
            "openings": self.openings.word(),
            "clock": self.time.map(|_| clock_json(self.control())),
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

fn clock_json(control: TimeControl) -> Value {
    let Control { game_us, increment_us, move_us } = control.into();
    json!({ "game_us": game_us, "increment_us": increment_us, "move_us": move_us })
}

/// What was chosen among what a game leaves open, as records tell it.
pub fn recorded(asked: &Choices) -> Choice {
    Choice {
        array: asked.layout.clone(),
        rules: asked.preset.clone(),
        options: asked.options.iter().cloned().collect(),
    }
}

/// A match with everything that is found out once and used in every game.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) contest: Match,
    pub(crate) laws: Laws,
    pub(crate) names: [String; 2],
    pub(crate) secrets: Secrets,
    /// What the library calls the game; else what its file is called.
    pub(crate) variant: String,
    pub(crate) is_chess: bool,
    /// For each agent what it is allowed and told.
    pub(crate) terms: [Terms; 2],
    shelf: Shelf,
    start: String,
}

impl Plan {
    pub(crate) fn new(contest: &Match) -> Result<Arc<Self>, String> {
        contest.check()?;
        let Game { rules, hash, .. } = &contest.game;
        let known = name_in_library(*hash);
        let stem = std::path::Path::new(&contest.label).file_stem().map(|stem| stem.to_string_lossy());
        let variant = known.map(str::to_owned).or(stem.map(Into::into)).unwrap_or_default();
        let terms = [0, 1].map(|agent| {
            let mut terms = contest.terms.clone().of_game(&contest.game, &variant, known == Some("chess"));
            terms.uci.options.extend(contest.agents[agent].options.iter().cloned());
            terms
        });
        Ok(Arc::new(Plan {
            laws: Laws::new(rules, &hash.to_string()),
            names: contest.names(),
            secrets: contest.secrets(),
            is_chess: known == Some("chess"),
            variant,
            terms,
            shelf: Shelf::new(contest.openings, known == Some("chess"), contest.seed),
            start: fen(rules, &State::new(rules.start())),
            contest: contest.clone(),
        }))
    }

    /// How the game of a number is set up.
    pub(crate) fn header(&self, id: u32, attempt: u32) -> Header {
        let contest = &self.contest;
        let rules = self.laws.rules();
        let seat = |(seat, player)| {
            let agent = agent_at(id, seat);
            Seat {
                player: rules.player(player).name.clone(),
                agent: self.names[agent].clone(),
                answers: contest.agents[agent].form(),
            }
        };
        Header {
            tabiya: VERSION,
            id,
            attempt,
            game: contest.label.clone(),
            spec: self.laws.hash().to_owned(),
            choice: recorded(&contest.game.choices.asked),
            start: self.start.clone(),
            opening: self.shelf.opening(rules, id.saturating_sub(1) / 2),
            seats: rules.players().enumerate().map(seat).collect(),
            clock: self.contest.control().into(),
            retries: contest.retries,
            lenient: contest.lenient,
            max_plies: contest.max_plies,
            seed: contest.seed,
        }
    }

    /// Where chance starts from for who sits at a place in the game of a number.
    pub(crate) fn seat_seed(&self, id: u32, seat: usize) -> u64 {
        chance::seed(self.contest.seed, chance::SEATS + seat as u64, u64::from(id))
    }
}
