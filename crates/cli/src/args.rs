//! The command line. Each verb defines its arguments beside its code; this file has what verbs share, so that a game, a
//! state and a number are written the same way everywhere.

use std::ops::RangeInclusive;

use clap::{Parser, Subcommand, ValueEnum};
use tabiya_notation::State;
use tabiya_spec::Choices;

use crate::commands::{
    agent, analyse, betza, check, enochian, expand, explain, export, fmt, games, import, judge, lsp, r#match,
    mcp, moves, new, perft, play, serve, show, solve, tensor, train, tune, uci, verify,
};
use crate::error::CliError;
use crate::game_source::{self, LoadedGame};

/// Check, show and play chess-family games. Each game is defined by one JSON file.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Output format: text for people, json for scripts.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tabiya serve                          play in the browser
  tabiya games                          list the games
  tabiya play chess --seat BLACK=random play against random moves
  tabiya check mygame.json              list every error in a file

GAME is a name from `tabiya games` or the path of a JSON file.
Exit status: 0 success, 1 negative answer, 2 usage error.";

/// Output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    // No doc comments here: clap would add a table of values to the help of every verb.
    #[default]
    Text,
    Json,
    // For `tabiya tensor` only.
    Npy,
    // For `tabiya export` only.
    Ini,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Games(games::Args),
    Enochian(enochian::Args),
    Check(check::Args),
    Explain(explain::Args),
    Expand(expand::Args),
    Fmt(fmt::Args),
    Betza(betza::Args),
    New(new::Args),
    Import(import::Args),
    Export(export::Args),
    Show(show::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Solve(solve::Args),
    Analyse(analyse::Args),
    Tune(tune::Args),
    Train(train::Args),
    Tensor(tensor::Args),
    Play(play::Args),
    Match(Box<r#match::Args>),
    Verify(verify::Args),
    Agent(agent::Args),
    Judge(judge::Args),
    Uci(uci::Args),
    Lsp(lsp::Args),
    Mcp(mcp::Args),
    Serve(Box<serve::Args>),
}

/// A game and one of its states.
#[derive(Debug, clap::Args)]
pub(crate) struct GameAndState {
    /// A game of the library, or the path of a JSON file.
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// Start from this state: board text, JSON as printed by `show --format json`, or @FILE with either.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    #[command(flatten)]
    choice: Choice,
}

/// The array, rules and options of a game.
#[derive(Debug, clap::Args)]
pub(crate) struct Choice {
    /// Starting array, if the game has several. `tabiya explain GAME` lists them. FILE#NAME is the array NAME
    /// of a YAML file that `tabiya enochian arrays FILE` accepts.
    #[arg(long, value_name = "NAME")]
    array: Option<String>,
    /// Set of rules, if the game has several.
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Set an option of the game; overrides --rules. May be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_value)]
    options: Vec<(String, String)>,
}

impl Choice {
    /// Returns the choices as the game loader takes them.
    pub(crate) fn choices(&self) -> Choices {
        Choices { layout: self.array.clone(), preset: self.rules.clone(), options: self.options.clone() }
    }
}

impl GameAndState {
    /// Loads both.
    pub(crate) fn open(&self) -> Result<(LoadedGame, State), CliError> {
        let loaded = self.game_with(&self.choices())?;
        let state = self.state_of(&loaded)?;
        Ok((loaded, state))
    }

    /// Returns the choices of the flags.
    pub(crate) fn choices(&self) -> Choices {
        self.choice.choices()
    }

    /// Loads the game with other choices than those of the flags.
    pub(crate) fn game_with(&self, choices: &Choices) -> Result<LoadedGame, CliError> {
        game_source::load_with(&self.game, choices)
    }

    /// Parses `--state`.
    pub(crate) fn state_of(&self, loaded: &LoadedGame) -> Result<State, CliError> {
        game_source::state(&loaded.game.rules, self.state.as_deref())
    }
}

/// Returns a parser of whole numbers in a range. Its message names the range.
pub(crate) fn whole<T: TryFrom<u64> + Send + Sync>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| format!("it must be a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Parses `NAME=VALUE`.
pub(crate) fn name_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it must be NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Returns the number of threads of a `--threads` flag. The default is one for each processor.
pub(crate) fn thread_count(flag: Option<u16>) -> usize {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    flag.map_or_else(available, usize::from)
}
