//! `tabiya match`: two agents meet, with progress, a table, and a journal from which a match goes on.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tabiya_arena::{Address, AddressError, Match, MatchError, Meeting, Openings, Resumed, Table, Terms};
use tabiya_referee::TimeControl;
use tabiya_spec::Choices;

use crate::chosen::{self, Chosen};
use crate::failure::Failure;
use crate::number::whole;
use crate::output::Output;
use crate::scores;
use crate::text::{counted, listed, plain};

/// Let two agents play a match.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya match player:search player:random --games 20
  tabiya match 'process:python3 my_agent.py' uci:stockfish --games 100 --tc 60+0.6 --concurrency 4 --out match1
  tabiya match chat:http://localhost:8080/v1#tiny player:greedy --retries 3 --lenient --move-time 120

An agent is process:CMD, http:URL, uci:CMD, chat:URL#MODEL or player:NAME (random, greedy, mcts,
search, level1 to level10).
With --out, the same command goes on with a match that was broken off.")]
pub(crate) struct Args {
    /// One agent; it has the first seat in the first game, and seats change with every game.
    #[arg(value_name = "A")]
    first: String,
    /// The other agent.
    #[arg(value_name = "B")]
    second: String,
    /// A game of the library, or the path of a JSON file.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    /// How the game is set up, if its file has several arrays.
    #[arg(long, value_name = "NAME")]
    array: Option<String>,
    /// Which of its sets of rules is played.
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// An option of the game; --option is one of UCI engines. May be given for each option.
    #[arg(long = "game-option", value_name = "NAME=VALUE", value_parser = pair)]
    game_options: Vec<(String, String)>,
    /// How many games they play.
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=100_000))]
    games: u32,
    /// What chance starts from: the same number gives the same openings.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 0..=u64::MAX))]
    seed: u64,
    /// Play so many games at once.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = |text: &str| whole::<u16>(text, 1..=1024))]
    concurrency: u16,
    /// Seconds for the game, and seconds that each move adds: 60+0.6.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    tc: Option<TimeControl>,
    /// Seconds for each move; without this and --tc, everybody is waited for for a minute.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    move_time: Option<Duration>,
    /// Seconds that engines and our own players think about each move, whatever time they have.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    think: Option<Duration>,
    /// Forgive so many outputs on each move that cannot be accepted, and say what was wrong with them.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 0..=1000))]
    retries: u32,
    /// Take the answer out of the text around it.
    #[arg(long)]
    lenient: bool,
    /// How games begin: book (chess by its openings, other games by a few moves at random) or none.
    #[arg(long, value_name = "KIND", default_value = "book", value_parser = openings)]
    openings: Openings,
    /// After so many moves nobody has won.
    #[arg(long, value_name = "N", default_value_t = 4000, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=20_000))]
    max_plies: u32,
    /// Set an option of every UCI engine. May be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// Set an option of A, if it is a UCI engine.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    option_a: Vec<(String, String)>,
    /// Set an option of B, if it is a UCI engine.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    option_b: Vec<(String, String)>,
    /// A variable of the environment that agent processes may see. Its value is hidden in all that is written, if it has
    /// at least 4 bytes.
    #[arg(long = "env", value_name = "NAME")]
    environment: Vec<String>,
    /// The variable that holds the key for chat endpoints.
    #[arg(long, value_name = "NAME", default_value = "OPENAI_API_KEY")]
    key_variable: String,
    /// How much memory an agent process may use, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 4096, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 1..=1_048_576))]
    memory: u64,
    /// The folder for games.jsonl, games.pgn, table.json and match.json.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The reader of the command line would repeat what it cannot read, and that may be a password.
fn address(text: &str, place: &str) -> Result<Address, Failure> {
    text.parse().map_err(|error: AddressError| {
        let value = if error.is_secret() { String::new() } else { format!(" '{}'", plain(text)) };
        Failure::Usage(format!("invalid value{value} for '<{place}>': {error}"))
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok().filter(|number| (0.001..=1e6).contains(number));
    number.map(Duration::from_secs_f64).ok_or_else(|| "it must be seconds from 0.001 to 1000000".to_owned())
}

fn openings(text: &str) -> Result<Openings, String> {
    let found = Openings::WORDS.into_iter().find(|(word, _)| *word == text);
    found.map(|(_, kind)| kind).ok_or_else(|| "it must be book or none".to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it must be NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let agents = [address(&args.first, "A")?, address(&args.second, "B")?];
    let is_engine = |agent: &Address| matches!(agent, Address::Uci(_));
    if !args.options.is_empty() && !agents.iter().any(is_engine) {
        let why = "--option is for UCI engines, and there is none; --game-option sets an option of the game";
        return Err(Failure::Usage(why.to_owned()));
    }
    let contest = args.contest(chosen::game_with(&args.game, &args.choices())?, agents);
    warn_of_short_values(&contest)?;
    let meeting = Meeting::open(&contest, args.out.as_deref()).map_err(|error| failure(&error))?;
    let resumed = meeting.resumed().clone();
    if !out.is_json() {
        tell_resumed(&resumed)?;
    }
    let meter = Meter::new(meeting.table(), !out.is_json() && io::stderr().is_terminal());
    let table = meeting.play(usize::from(args.concurrency), &|table| meter.step(table));
    meter.finish();
    let table = table.map_err(|error| failure(&error))?;
    if out.is_json() {
        let mut answer = table.to_json();
        answer["game"] = json!(contest.label);
        answer["spec"] = json!(contest.game.hash.to_string());
        answer["resumed"] =
            json!({ "over": resumed.over, "under_way": resumed.under_way, "torn_line": resumed.torn });
        out.json(&answer)?;
    } else {
        write!(out, "{}", scores::table(&contest.label, &table))?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn choices(&self) -> Choices {
        let (layout, preset) = (self.array.clone(), self.rules.clone());
        Choices { layout, preset, options: self.game_options.clone() }
    }

    fn contest(&self, chosen: Chosen, agents: [Address; 2]) -> Match {
        let Chosen { label, game } = chosen;
        let mut terms = Terms { key_variable: self.key_variable.clone(), ..Terms::default() };
        terms.environment.clone_from(&self.environment);
        terms.limits.memory = self.memory << 20;
        terms.uci.options.clone_from(&self.options);
        let mut contest = Match {
            games: self.games,
            seed: self.seed,
            openings: self.openings,
            time: self.time(),
            think: self.think,
            retries: self.retries,
            lenient: self.lenient,
            max_plies: self.max_plies,
            terms,
            ..Match::new(label, game, agents)
        };
        contest.agents[0].options.clone_from(&self.option_a);
        contest.agents[1].options.clone_from(&self.option_b);
        contest
    }

    fn time(&self) -> Option<TimeControl> {
        let per_move = self.move_time;
        match self.tc {
            Some(control) => Some(TimeControl { per_move, ..control }),
            None => per_move.map(|time| TimeControl { per_move: Some(time), ..TimeControl::default() }),
        }
    }
}

fn failure(error: &MatchError) -> Failure {
    match error {
        MatchError::Settings(_) | MatchError::File { .. } => Failure::Usage(error.to_string()),
        _ => Failure::No(error.to_string()),
    }
}

/// Whoever thinks that all values are hidden must know of those that are not.
fn warn_of_short_values(contest: &Match) -> io::Result<()> {
    let names = contest.unhidden();
    if names.is_empty() {
        return Ok(());
    }
    let mut err = anstream::stderr().lock();
    writeln!(err, "warning: values of fewer than 4 bytes are not hidden: {}", listed(&names))
}

fn tell_resumed(resumed: &Resumed) -> io::Result<()> {
    let mut err = anstream::stderr().lock();
    if let Some(line) = resumed.torn {
        writeln!(err, "Line {line} of games.jsonl was torn and is dropped.")?;
    }
    if resumed.over + resumed.under_way > 0 {
        let over = counted(resumed.over as usize, "game");
        writeln!(err, "Going on: {over} over, {} under way.", resumed.under_way)?;
    }
    Ok(())
}

/// A line on standard error that tells how the match stands, if somebody looks.
struct Meter(Option<ProgressBar>);

impl Meter {
    fn new(table: &Table, watched: bool) -> Self {
        let bar = watched.then(|| {
            let style = ProgressStyle::with_template("{elapsed} {wide_bar} game {pos} of {len}, {msg}");
            let bar = ProgressBar::new(u64::from(table.games));
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        let meter = Meter(bar);
        meter.step(table);
        meter
    }

    fn step(&self, table: &Table) {
        if let Some(bar) = &self.0 {
            let [a, b] = &table.agents;
            bar.set_position(u64::from(table.played + table.void));
            bar.set_message(format!("{} : {}", scores::points(a.score()), scores::points(b.score())));
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
