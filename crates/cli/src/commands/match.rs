//! `tabiya match`: plays a match of two agents, with a progress bar, a result table, and a journal from which an
//! interrupted match resumes.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tabiya_arena::{
    Address, AddressError, AgentOptions, MatchConfig, MatchError, MatchRunner, Openings, Resumed, Standings,
};
use tabiya_referee::TimeControl;
use tabiya_spec::Choices;

use crate::args::{name_value, whole};
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::game_source::{self, LoadedGame};
use crate::match_report;
use crate::output::Output;
use crate::progress::Progress;
use crate::text::{join_and, pluralize, sanitize};

/// Play a match between two agents.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya match player:search player:random --games 20
  tabiya match 'process:python3 my_agent.py' uci:stockfish --games 100 --tc 60+0.6 --out match1
  tabiya match chat:http://localhost:8080/v1#tiny player:greedy --retries 3 --lenient

An agent is process:CMD, http:URL, uci:CMD, chat:URL#MODEL or player:NAME (random, greedy, mcts,
search, level1 to level10).
With --out, the same command resumes an interrupted match.")]
pub(crate) struct Args {
    /// First agent. It moves first in the first game; seats alternate.
    #[arg(value_name = "A")]
    first: String,
    /// Second agent.
    #[arg(value_name = "B")]
    second: String,
    /// A game of the library, or the path of a JSON file.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    /// Starting array, if the game has several.
    #[arg(long, value_name = "NAME")]
    array: Option<String>,
    /// Set of rules, if the game has several.
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Set an option of the game (--option is for UCI engines). May be repeated.
    #[arg(long = "game-option", value_name = "NAME=VALUE", value_parser = name_value)]
    game_options: Vec<(String, String)>,
    /// Number of games.
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true, value_parser = whole::<u32>(1..=100_000))]
    games: u32,
    /// Random seed. The same seed gives the same openings.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Games played at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u16>(1..=1024))]
    concurrency: u16,
    /// Time control: seconds per game + increment in seconds per move, such as 60+0.6.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    tc: Option<TimeControl>,
    /// Seconds per move. Without this and --tc, the limit is one minute.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    move_time: Option<Duration>,
    /// Seconds after the limits of --tc and --move-time until an answer is late. Agents do not see them.
    #[arg(long, value_name = "S", default_value = "0.05", allow_negative_numbers = true, value_parser = margin)]
    time_margin: Duration,
    /// Seconds that UCI engines and built-in players think about each move, independent of the clock.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    think: Option<Duration>,
    /// Rejected outputs forgiven per move. The agent gets the reason and answers again.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u32>(0..=1000))]
    retries: u32,
    /// Accept an answer that is surrounded by other text.
    #[arg(long)]
    lenient: bool,
    /// Openings: book (known openings in chess, a few random moves in other games) or none.
    #[arg(long, value_name = "KIND", default_value = "book", value_parser = openings)]
    openings: Openings,
    /// A game is drawn after this many moves.
    #[arg(long, value_name = "N", default_value_t = 4000, allow_negative_numbers = true, value_parser = whole::<u32>(1..=20_000))]
    max_plies: u32,
    /// Set an option of every UCI engine. May be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_value)]
    options: Vec<(String, String)>,
    /// Set an option of agent A, a UCI engine. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_value)]
    option_a: Vec<(String, String)>,
    /// Set an option of agent B, a UCI engine. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_value)]
    option_b: Vec<(String, String)>,
    /// Net of agent A, a built-in player: a file of `tabiya train`, or none [default: the one that comes
    /// with the program, if the game has one]
    #[arg(long, value_name = "FILE")]
    net_a: Option<String>,
    /// Net of agent B, likewise.
    #[arg(long, value_name = "FILE")]
    net_b: Option<String>,
    /// Pass an environment variable to agent processes. Values of at least 4 bytes are hidden in all output.
    #[arg(long = "env", value_name = "NAME")]
    environment: Vec<String>,
    /// Environment variable with the API key of chat endpoints.
    #[arg(long, value_name = "NAME", default_value = "OPENAI_API_KEY")]
    key_variable: String,
    /// Memory limit of each agent process in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 4096, allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_048_576))]
    memory: u64,
    /// Folder for games.jsonl, games.pgn, table.json and match.json.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Parses an agent. clap would repeat an invalid value in its message, and the value may contain a password.
fn address(text: &str, place: &str) -> Result<Address, CliError> {
    text.parse().map_err(|error: AddressError| {
        let value = if error.is_secret() { String::new() } else { format!(" '{}'", sanitize(text)) };
        CliError::Usage(format!("invalid value{value} for '<{place}>': {error}"))
    })
}

/// Parses a duration in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok().filter(|number| (0.001..=1e6).contains(number));
    number.map(Duration::from_secs_f64).ok_or_else(|| "it must be seconds from 0.001 to 1000000".to_owned())
}

/// Parses a duration in seconds that may be zero.
fn margin(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok().filter(|number| (0.0..=1e6).contains(number));
    number.map(Duration::from_secs_f64).ok_or_else(|| "it must be seconds from 0 to 1000000".to_owned())
}

fn openings(text: &str) -> Result<Openings, String> {
    let found = Openings::WORDS.into_iter().find(|(word, _)| *word == text);
    found.map(|(_, kind)| kind).ok_or_else(|| "it must be book or none".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let agents = [address(&args.first, "A")?, address(&args.second, "B")?];
    let is_engine = |agent: &Address| matches!(agent, Address::Uci(_));
    if !args.options.is_empty() && !agents.iter().any(is_engine) {
        let why =
            "--option is for UCI engines, and neither agent is one; --game-option sets an option of the game";
        return Err(CliError::Usage(why.to_owned()));
    }
    let mut config = args.to_config(game_source::load_with(&args.game, &args.choices())?, agents);
    args.choose_nets(&mut config)?;
    warn_of_unhidden_values(&config)?;
    let runner = MatchRunner::open(&config, args.out.as_deref()).map_err(|error| failure(&error))?;
    let resumed = runner.resumed().clone();
    if !out.is_json() {
        report_resumed(&resumed)?;
    }
    let mut progress = Progress::new("game", u64::from(args.games));
    progress.is_visible &= !out.is_json();
    let show = |table: &Standings| {
        let [a, b] = table.agents.each_ref().map(|agent| match_report::points(agent.score()));
        progress.update(u64::from(table.played + table.void), || format!("{a} : {b}"));
    };
    show(runner.standings());
    let table = runner.play(usize::from(args.concurrency), &show);
    progress.finish();
    let table = table.map_err(|error| failure(&error))?;
    let json = || {
        let mut answer = table.to_json();
        answer["game"] = json!(config.label);
        answer["spec"] = json!(config.game.hash.to_string());
        answer["resumed"] = json!({ "over": resumed.finished, "under_way": resumed.in_progress, "torn_line": resumed.torn_line });
        answer
    };
    out.answer(json, |out| write!(out, "{}", match_report::table(&config.label, &table)))
}

impl Args {
    fn choices(&self) -> Choices {
        let (layout, preset) = (self.array.clone(), self.rules.clone());
        Choices { layout, preset, options: self.game_options.clone() }
    }

    fn to_config(&self, loaded: LoadedGame, agents: [Address; 2]) -> MatchConfig {
        let LoadedGame { label, game } = loaded;
        let mut agent_options =
            AgentOptions { key_variable: self.key_variable.clone(), ..AgentOptions::default() };
        agent_options.environment.clone_from(&self.environment);
        agent_options.limits.memory = self.memory << 20;
        agent_options.uci.options.clone_from(&self.options);
        let mut config = MatchConfig {
            games: self.games,
            seed: self.seed,
            openings: self.openings,
            time: self.time(),
            margin: self.time_margin,
            think: self.think,
            retries: self.retries,
            lenient: self.lenient,
            max_plies: self.max_plies,
            agent_options,
            ..MatchConfig::new(label, game, agents)
        };
        config.agents[0].options.clone_from(&self.option_a);
        config.agents[1].options.clone_from(&self.option_b);
        config
    }

    /// Reads the nets of both agents.
    fn choose_nets(&self, config: &mut MatchConfig) -> Result<(), CliError> {
        for (agent, flag) in config.agents.iter_mut().zip([&self.net_a, &self.net_b]) {
            if flag.is_some() && !matches!(agent.address, Address::Player(_)) {
                let why = "--net-a and --net-b are for built-in players; a UCI engine has options";
                return Err(CliError::Usage(why.to_owned()));
            }
            agent.net = files::net_choice(&config.game.rules, flag.as_deref())?;
        }
        Ok(())
    }

    fn time(&self) -> Option<TimeControl> {
        let per_move = self.move_time;
        match self.tc {
            Some(control) => Some(TimeControl { per_move, ..control }),
            None => per_move.map(|time| TimeControl { per_move: Some(time), ..TimeControl::default() }),
        }
    }
}

fn failure(error: &MatchError) -> CliError {
    match error {
        MatchError::Settings(_) | MatchError::File { .. } => CliError::Usage(error.to_string()),
        _ => CliError::No(error.to_string()),
    }
}

/// Warns about values that are too short to be hidden.
fn warn_of_unhidden_values(config: &MatchConfig) -> io::Result<()> {
    let names = config.unhidden();
    if names.is_empty() {
        return Ok(());
    }
    let mut err = anstream::stderr().lock();
    writeln!(err, "warning: values of fewer than 4 bytes are not hidden: {}", join_and(&names))
}

fn report_resumed(resumed: &Resumed) -> io::Result<()> {
    let mut err = anstream::stderr().lock();
    if let Some(line) = resumed.torn_line {
        writeln!(err, "Line {line} of games.jsonl is incomplete and ignored.")?;
    }
    if resumed.finished + resumed.in_progress > 0 {
        let over = pluralize(resumed.finished as usize, "game");
        writeln!(err, "Resuming: {over} over, {} under way.", resumed.in_progress)?;
    }
    Ok(())
}
