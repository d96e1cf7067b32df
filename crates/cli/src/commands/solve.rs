//! `tabiya solve`: proves or refutes that the side to move can force a win in a number of moves, for any game.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_engine::{Move, PlayerSet, Position, Rules};
use tabiya_notation::{san, uci};
use tabiya_players::{Answer, Key, Progress as ProofProgress, Proof, Refutation, Task, prove};

use crate::args::{GameAndState, whole};
use crate::error::{CliError, CommandResult};
use crate::output::Output;
use crate::position_summary::player_names;
use crate::progress::Progress;
use crate::styles::STRONG;
use crate::text::{group_digits, join_and, pluralize, sanitize};

/// Prove or refute a forced win.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya solve chess --mate 2 --state 'kbK5/pp6/1P6/8/8/8/8/R7 w - -'
  tabiya solve gardner --mate 2 --state '4k/5/R4/1R3/K4 w - -' --all --format json

Partners are one side; all other players cooperate against it. Only moves count.
Exit status: 0 if the win is forced, 1 if it is not or could not be decided.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
    /// Maximum number of moves of the side to move.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1..=u64::from(Task::MAX_MOVES)))]
    mate: u32,
    /// Try every first move and report its result.
    #[arg(long)]
    all: bool,
    /// Give up after this many positions.
    #[arg(long, value_name = "LIMIT", default_value_t = Task::NODES, allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000_000_000))]
    nodes: u64,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (loaded, state) = args.game.open()?;
    let (rules, position) = (&*loaded.game.rules, &state.position);
    let progress = Progress::delayed("first move", 0);
    let watch = |proof: &ProofProgress| {
        progress.set_length(proof.of as u64);
        progress.update(proof.first as u64 + 1, || {
            let moves = pluralize(proof.moves as usize, "move");
            format!("wins in {moves}, {} positions", group_digits(proof.nodes))
        });
    };
    let task = Task { moves: args.mate, nodes: args.nodes, all: args.all, on_progress: Some(&watch) };
    let start = Instant::now();
    let proof = prove(rules, position, &task);
    let time = start.elapsed();
    progress.finish();
    let proof = proof.map_err(|why| CliError::Usage(why.to_string()))?;
    let solved = Solved { rules, position, task: &task, proof: &proof, time };
    let success = out.answer(|| solved.to_json(&loaded.label), |out| solved.print(out))?;
    let is_won = matches!(proof.answer, Answer::Won { .. });
    Ok(if is_won { success } else { ExitCode::from(CliError::EXIT_NO) })
}

/// A question and its answer.
struct Solved<'s> {
    rules: &'s Rules,
    position: &'s Position,
    task: &'s Task<'s>,
    proof: &'s Proof,
    time: Duration,
}

impl Solved<'_> {
    fn side(&self) -> PlayerSet {
        let decider = self.rules.decider(self.position, self.rules.mover(self.position));
        self.rules.team(decider)
    }

    fn to_json(&self, game: &str) -> Value {
        let (word, moves, keys, line, refutations) = match &self.proof.answer {
            Answer::Won { moves, keys, line, refutations } => {
                ("yes", json!(moves), &keys[..], &line[..], &refutations[..])
            }
            Answer::Refuted(refutations) => ("no", Value::Null, &[][..], &[][..], &refutations[..]),
            Answer::Open { .. } => ("open", Value::Null, &[][..], &[][..], &[][..]),
        };
        let key = |key: &Key| json!({ "move": self.text(key.first), "moves": key.moves });
        let refutation = |it: &Refutation| json!({ "move": self.text(it.first), "reply": self.reply(it).map(|(next, reply)| uci(self.rules, &next, reply)) });
        json!({
            "game": game,
            "mate": self.task.moves,
            "side": player_names(self.rules, self.side()),
            "answer": word,
            "moves": moves,
            "keys": keys.iter().map(key).collect::<Value>(),
            "line": self.along(line).map(|(position, played)| uci(self.rules, &position, played)).collect::<Value>(),
            "refutations": refutations.iter().map(refutation).collect::<Value>(),
            "nodes": self.proof.nodes,
            "seconds": self.time.as_secs_f64(),
        })
    }

    fn print(&self, out: &mut Output) -> io::Result<()> {
        let side = join_and(&player_names(self.rules, self.side()));
        let wanted = pluralize(self.task.moves as usize, "move");
        let wins = if self.side().len() == 1 { "wins" } else { "win" };
        match &self.proof.answer {
            Answer::Won { moves, keys, line, refutations } => {
                let within = pluralize(*moves as usize, "move");
                writeln!(out, "{STRONG}{side} {wins} in {within}.{STRONG:#}\n\n  {}", self.numbered(line))?;
                if self.task.all {
                    let keys: Vec<String> = keys.iter().map(|key| self.key(key)).collect();
                    writeln!(out, "\nFirst moves that win in at most {wanted}: {}", keys.join(", "))?;
                    self.print_refutations(refutations, out)?;
                }
            }
            Answer::Refuted(refutations) => {
                writeln!(out, "{STRONG}{side} cannot force a win in {wanted}.{STRONG:#}")?;
                self.print_refutations(refutations, out)?;
            }
            Answer::Open { .. } => {
                let nodes = group_digits(self.task.nodes);
                writeln!(
                    out,
                    "{STRONG}Not decided within {nodes} positions.{STRONG:#} Raise the limit with --nodes."
                )?;
            }
        }
        let (nodes, seconds) = (group_digits(self.proof.nodes), self.time.as_secs_f64());
        writeln!(out, "\n{nodes} positions in {seconds:.3} s")
    }

    fn print_refutations(&self, refutations: &[Refutation], out: &mut Output) -> io::Result<()> {
        if refutations.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nFirst moves that do not, and the reply:")?;
        for it in refutations {
            let first = sanitize(&san(self.rules, self.position, it.first)).into_owned();
            let reply = self.reply(it).map(|(next, reply)| san(self.rules, &next, reply));
            writeln!(out, "  {first}  {}", reply.as_deref().map_or("-".into(), sanitize))?;
        }
        Ok(())
    }

    fn key(&self, key: &Key) -> String {
        let first = sanitize(&san(self.rules, self.position, key.first)).into_owned();
        format!("{first} ({})", key.moves)
    }

    /// Formats a line in SAN, with a number before each move of the winning side.
    fn numbered(&self, line: &[Move]) -> String {
        let side = self.side();
        let mut number = 0;
        let words = self.along(line).map(|(position, played)| {
            let text = sanitize(&san(self.rules, &position, played)).into_owned();
            if side.contains(self.rules.decider(&position, self.rules.mover(&position))) {
                number += 1;
                format!("{number}. {text}")
            } else {
                text
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Returns the moves of a line, each with the position before it.
    fn along<'l>(&'l self, line: &'l [Move]) -> impl Iterator<Item = (Position, Move)> + 'l {
        let mut position = self.position.clone();
        line.iter().map(move |played| {
            let next = self.rules.play_unchecked(&position, *played);
            (std::mem::replace(&mut position, next), *played)
        })
    }

    fn reply(&self, it: &Refutation) -> Option<(Position, Move)> {
        it.reply.map(|reply| (self.rules.play_unchecked(self.position, it.first), reply))
    }

    fn text(&self, first: Move) -> String {
        uci(self.rules, self.position, first)
    }
}
