//! `tabiya agent`: one of our players behind the agent protocol, for any match. One state on a line in, one object on a line
//! out. A line that cannot be answered gets no answer: nothing is made up.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;
use tabiya_engine::Move;
use tabiya_players::{Chooser, Equipment, Limits, NAMES, Score, Thought, by_name};
use tabiya_referee::protocol::{Protocol, Reader, read_prompt};
use tabiya_referee::{Act, Game, bargain, prudent};

use super::judge::LONGEST_LINE;
use crate::args::Choice;
use crate::chosen;
use crate::failure::Failure;
use crate::number::whole;
use crate::output::Output;
use crate::play::input::{Line, read_line_within};
use crate::text::{listed, nearest};
use crate::value_file;

/// Play as an agent: a state on a line of standard input, an object on a line of standard output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya agent
  tabiya agent --player greedy --seed 7
  tabiya agent --game fourplayer --player random

What states and objects look like is told in docs/agent-protocol.md.")]
pub(crate) struct Args {
    /// Who plays: random, greedy, mcts, search, or level1 to level10.
    #[arg(long, value_name = "PLAYER", default_value = "search")]
    player: String,
    /// A game of the library, or the path of a JSON file.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    #[command(flatten)]
    choice: Choice,
    /// What pieces are worth to it, from a file of `tabiya tune`; without it, the rules tell.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// What chance starts from: the same number gives the same answers.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 0..=u64::MAX))]
    seed: u64,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let rules = chosen::game_with(&args.game, &args.choice.choices())?.game.rules;
    let protocol = Protocol::new(&rules);
    let values = args.values.as_deref().map(|file| value_file::read(&rules, file)).transpose()?;
    let equipment = Equipment { seed: args.seed, values, ..Equipment::default() };
    let player = by_name(&args.player, equipment).ok_or_else(|| unknown(&args.player))?;
    let mut agent = Agent { reader: protocol.reader(), protocol, player, given: Vec::new() };
    let mut input = io::stdin().lock();
    let mut status = ExitCode::SUCCESS;
    loop {
        let answer = match read_line_within(&mut input, LONGEST_LINE)? {
            Line::End => return Ok(status),
            Line::Text(line) if line.trim().is_empty() => continue,
            Line::Text(line) => agent.answer(&line),
            Line::TooLong => Err(format!("the line has more than {LONGEST_LINE} bytes")),
            Line::NotText => Err("the line is not UTF-8".to_owned()),
        };
        match answer {
            Ok(answer) => out.json(&answer)?,
            Err(why) => {
                status = ExitCode::from(Failure::NO);
                writeln!(anstream::stderr().lock(), "no answer: {why}")?;
            }
        }
    }
}

fn unknown(name: &str) -> Failure {
    let hint =
        nearest(name, NAMES.into_iter()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Failure::Usage(format!("there is no player called `{name}`{hint}\nThere are: {}.", listed(&NAMES)))
}

struct Agent {
    protocol: Protocol,
    reader: Reader,
    player: Box<dyn Chooser + Send>,
    /// What it has answered to this state; whatever is refused is not said again.
    given: Vec<Act>,
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("given", &self.given).finish_non_exhaustive()
    }
}

impl Agent {
    /// The answer to a line, or why there is none.
    fn answer(&mut self, line: &str) -> Result<Value, String> {
        let prompt = read_prompt(line);
        if !prompt.is_refusal {
            self.given.clear();
        }
        let brief = self.reader.read(prompt.state).map_err(|bad| bad.to_string())?;
        let game = brief.game(self.protocol.rules());
        if let Some(end) = game.end() {
            return Err(format!("the game is over by {}", end.reason.replace('_', " ")));
        }
        let act = self.act(&game).ok_or("every answer has been refused")?;
        let answer = self.protocol.act_json(&game, &act);
        self.given.push(act);
        Ok(answer)
    }

    /// The player's choice; if that was refused, its move without a claim; if that was refused, too, any other move.
    fn act(&mut self, game: &Game) -> Option<Act> {
        if let Some(act) = bargain(game) {
            let plain = if game.proposal().is_some() { Act::Decline } else { Act::Throw };
            let acts = [Some(act), Some(plain).filter(|_| game.proposal().is_some() || game.awaits_throw())];
            let fresh = acts.into_iter().flatten().find(|act| !self.given.contains(act));
            if fresh.is_some() {
                return fresh;
            }
        }
        let (chosen, would_draw) = self.think(game)?;
        let others = game.rules().legal_moves(&game.state().position).into_iter().map(Act::Move);
        let acts = [prudent(game, chosen, would_draw), Act::Move(chosen)].into_iter().chain(others);
        acts.into_iter().find(|act| !self.given.contains(act))
    }

    /// The move that the player would make, and whether a draw is as good to it: it does not think that it is better
    /// off, or does not think at all.
    fn think(&mut self, game: &Game) -> Option<(Move, bool)> {
        let score = Cell::new(None);
        let watch = |thought: &Thought| score.set(Some(thought.score));
        let earlier = game.earlier_keys();
        let limits = Limits { watch: Some(&watch), earlier: &earlier, ..Limits::default() };
        let chosen = self.player.choose_within(game.rules(), &game.state().position, &limits)?;
        let would_draw = match score.get() {
            Some(Score::Standing(standing)) => standing <= 0,
            Some(Score::Win(_)) => false,
            Some(Score::Loss(_)) | None => true,
        };
        Some((chosen, would_draw))
    }
}
