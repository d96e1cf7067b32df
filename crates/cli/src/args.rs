//! What may stand on the command line. Each verb defines its own arguments beside its code; this file has what they
//! share, so that a game and a state are named in the same way everywhere.

use clap::{Parser, Subcommand, ValueEnum};
use tabiya_notation::State;
use tabiya_spec::Choices;

use crate::chosen::{self, Chosen};
use crate::commands::{
    agent, analyse, check, enochian, explain, games, judge, r#match, mcp, moves, perft, play, serve, show,
    solve, tensor, tune, uci, verify,
};
use crate::failure::Failure;

/// Chess-family games as data: one JSON file holds the rules, and this program checks, shows and plays it.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// How the answer is printed: for people, or for programs, who can rely on it.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) format: Format,
    /// What is asked.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tabiya serve                          play in the browser
  tabiya games                          which games there are
  tabiya play chess --seat BLACK=random play against chance
  tabiya check mygame.json              every fault of a file

GAME is a name from `tabiya games` or the path of a JSON file.
Exit status: 0 good, 1 the answer is no, 2 wrong usage.";

/// For whom the answer is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    // No doc comments on these: with them the help of every verb grows by a table.
    #[default]
    Text,
    Json,
    // Of tensors only.
    Npy,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Games(games::Args),
    Enochian(enochian::Args),
    Check(check::Args),
    Explain(explain::Args),
    Show(show::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Solve(solve::Args),
    Analyse(analyse::Args),
    Tune(tune::Args),
    Tensor(tensor::Args),
    Play(play::Args),
    Match(Box<r#match::Args>),
    Verify(verify::Args),
    Agent(agent::Args),
    Judge(judge::Args),
    Uci(uci::Args),
    Mcp(mcp::Args),
    Serve(Box<serve::Args>),
}

/// A game and one of its states.
#[derive(Debug, clap::Args)]
pub(crate) struct GameAndState {
    /// A game of the library, or the path of a JSON file.
    #[arg(value_name = "GAME")]
    game: String,
    /// Where to start instead of the game's own start: board text, JSON as `show --format json` prints it, or @FILE
    /// with either.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    #[command(flatten)]
    choice: Choice,
}

/// What a game leaves open.
#[derive(Debug, clap::Args)]
pub(crate) struct Choice {
    /// How the game is set up, if its file has several arrays. `tabiya explain GAME` lists them.
    #[arg(long, value_name = "NAME")]
    array: Option<String>,
    /// Which of its sets of rules is played.
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// An option of the game; counts more than --rules. May be given for each option.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
}

impl Choice {
    /// The same for whoever reads the game.
    pub(crate) fn choices(&self) -> Choices {
        Choices { layout: self.array.clone(), preset: self.rules.clone(), options: self.options.clone() }
    }
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is written NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl GameAndState {
    /// Reads both.
    pub(crate) fn open(&self) -> Result<(Chosen, State), Failure> {
        let chosen = self.game_with(&self.choices())?;
        let state = self.state_of(&chosen)?;
        Ok((chosen, state))
    }

    /// The game as it was named.
    pub(crate) fn name(&self) -> &str {
        &self.game
    }

    /// What was chosen.
    pub(crate) fn choices(&self) -> Choices {
        self.choice.choices()
    }

    /// The game with another choice.
    pub(crate) fn game_with(&self, choices: &Choices) -> Result<Chosen, Failure> {
        chosen::game_with(&self.game, choices)
    }

    /// Where to start.
    pub(crate) fn state_of(&self, chosen: &Chosen) -> Result<State, Failure> {
        chosen::state(&chosen.game.rules, self.state.as_deref())
    }
}
