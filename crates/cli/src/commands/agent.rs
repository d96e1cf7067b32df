//! `tabiya agent`: a built-in player behind the agent protocol. It reads one state per line and writes one answer per
//! line. A line that cannot be answered gets no answer.

use std::cell::Cell;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;
use tabiya_engine::Move;
use tabiya_players::{Chooser, Limits, NAMES, PlayerOptions, Score, SearchInfo, by_name};
use tabiya_referee::protocol::{Protocol, StateReader, read_prompt};
use tabiya_referee::{Action, Game, action_before_moving, claim_or_move};

use super::judge::MAX_LINE_BYTES;
use crate::args::{Choice, whole};
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::game_source;
use crate::line_reader::{Line, read_line_within};
use crate::output::Output;
use crate::text::{did_you_mean, join_and};

/// Run a built-in player as an agent: reads a state per line, writes an answer per line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya agent
  tabiya agent --player greedy --seed 7
  tabiya agent --game fourplayer --player random

docs/agent-protocol.md describes states and answers.")]
pub(crate) struct Args {
    /// Player: random, greedy, mcts, search, or level1 to level10.
    #[arg(long, value_name = "PLAYER", default_value = "search")]
    player: String,
    /// A game of the library, or the path of a JSON file.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    #[command(flatten)]
    choice: Choice,
    /// Read piece values from a file written by `tabiya tune`. By default they are derived from the rules.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Net: a file of `tabiya train`, or none [default: the one that comes with the program, if the game has one]
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Random seed. The same seed gives the same answers.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let rules = game_source::load_with(&args.game, &args.choice.choices())?.game.rules;
    let protocol = Protocol::new(&rules);
    let values = args.values.as_deref().map(|file| files::piece_values(&rules, file)).transpose()?;
    let net = files::net_choice(&rules, args.net.as_deref())?;
    let equipment = PlayerOptions { seed: args.seed, values, net, ..PlayerOptions::default() };
    let player = by_name(&args.player, equipment).ok_or_else(|| unknown_player(&args.player))?;
    let mut agent = Agent { reader: protocol.state_reader(), protocol, player, given: Vec::new() };
    let mut input = io::stdin().lock();
    let mut status = ExitCode::SUCCESS;
    loop {
        let answer = match read_line_within(&mut input, MAX_LINE_BYTES)? {
            Line::End => return Ok(status),
            Line::Text(line) if line.trim().is_empty() => continue,
            Line::Text(line) => agent.answer(&line),
            Line::TooLong => Err(format!("the line has more than {MAX_LINE_BYTES} bytes")),
            Line::NotText => Err("the line is not UTF-8".to_owned()),
        };
        match answer {
            Ok(answer) => out.json(&answer)?,
            Err(why) => {
                status = ExitCode::from(CliError::EXIT_NO);
                writeln!(anstream::stderr().lock(), "no answer: {why}")?;
            }
        }
    }
}

fn unknown_player(name: &str) -> CliError {
    let hint = did_you_mean(name, NAMES);
    CliError::Usage(format!("there is no player `{name}`{hint}\nThe players are: {}.", join_and(&NAMES)))
}

struct Agent {
    protocol: Protocol,
    reader: StateReader,
    player: Box<dyn Chooser + Send>,
    /// Answers given to the current state. A rejected answer is not repeated.
    given: Vec<Action>,
}

impl Agent {
    /// Returns the answer to a line, or why there is none.
    fn answer(&mut self, line: &str) -> Result<Value, String> {
        let prompt = read_prompt(line);
        if !prompt.is_refusal {
            self.given.clear();
        }
        let parsed = self.reader.read(prompt.state).map_err(|bad| bad.to_string())?;
        let game = parsed.game(self.protocol.rules());
        if let Some(end) = game.end() {
            return Err(format!("the game is over by {}", end.reason.replace('_', " ")));
        }
        let act = self.choose_action(&game).ok_or("every answer has been rejected")?;
        let answer = self.protocol.action_json(&game, &act);
        self.given.push(act);
        Ok(answer)
    }

    /// Returns the first answer not given yet: the player's choice, then its move without a claim, then any legal move.
    fn choose_action(&mut self, game: &Game) -> Option<Action> {
        if let Some(act) = action_before_moving(game) {
            let fallback = if game.must_answer() { Action::Decline } else { Action::Throw };
            let acts = [Some(act), Some(fallback).filter(|_| game.must_answer() || game.awaits_throw())];
            let untried = acts.into_iter().flatten().find(|act| !self.given.contains(act));
            if untried.is_some() {
                return untried;
            }
        }
        let (chosen, would_draw) = self.choose_move(game)?;
        let others = game.rules().legal_moves(&game.state().position).into_iter().map(Action::Move);
        let acts = [claim_or_move(game, chosen, would_draw), Action::Move(chosen)].into_iter().chain(others);
        acts.into_iter().find(|act| !self.given.contains(act))
    }

    /// Returns the move of the player, and whether it would accept a draw: its score is not positive, or it has none.
    fn choose_move(&mut self, game: &Game) -> Option<(Move, bool)> {
        let score = Cell::new(None);
        let watch = |thought: &SearchInfo| score.set(Some(thought.score));
        let earlier = game.earlier_keys();
        let limits = Limits { on_info: Some(&watch), earlier: &earlier, ..Limits::default() };
        let chosen = self.player.choose_within(game.rules(), &game.state().position, &limits)?;
        let would_draw = match score.get() {
            Some(Score::Centipawns(standing)) => standing <= 0,
            Some(Score::Win(_)) => false,
            Some(Score::Loss(_)) | None => true,
        };
        Some((chosen, would_draw))
    }
}
