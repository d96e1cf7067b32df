//! `tabiya solve`: can the side to move force a win in so many moves? For any game, and with a proof.

use std::cell::RefCell;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use tabiya_engine::{Move, PlayerSet, Position, Rules};
use tabiya_notation::{move_text, san};
use tabiya_players::{Answer, Key, Progress, Proof, Refutation, Task, prove};

use crate::args::GameAndState;
use crate::failure::Failure;
use crate::number::whole;
use crate::output::Output;
use crate::palette::STRONG;
use crate::standing::names;
use crate::text::{counted, listed, plain, thousands};

/// Prove or refute a forced win.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya solve chess --mate 2 --state 'r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 0 1'
  tabiya solve gardner --mate 2 --state '4k/5/R4/1R3/K4 w - -' --all --format json

Partners are one side; all others are taken to play against it together. Only moves count.
Exit status: 0 it is forced, 1 it is not, or was not decided.")]
pub(crate) struct Args {
    #[command(flatten)]
    what: GameAndState,
    /// Win in at most so many moves of the side to move.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=u64::from(Task::MAX_MOVES)))]
    mate: u32,
    /// Try every first move, and tell of each what it leads to.
    #[arg(long)]
    all: bool,
    /// Give up after so many positions.
    #[arg(long, value_name = "LIMIT", default_value_t = Task::NODES, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 1..=1_000_000_000_000))]
    nodes: u64,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let (chosen, state) = args.what.open()?;
    let (rules, position) = (&*chosen.game.rules, &state.position);
    let meter = Meter::new(io::stderr().is_terminal());
    let watch = |progress: &Progress| meter.step(progress);
    let task = Task { moves: args.mate, nodes: args.nodes, all: args.all, watch: Some(&watch) };
    let start = Instant::now();
    let proof = prove(rules, position, &task);
    let time = start.elapsed();
    meter.finish();
    let proof = proof.map_err(|why| Failure::Usage(why.to_string()))?;
    let solved = Solved { rules, position, task: &task, proof: &proof, time };
    if out.is_json() {
        out.json(&solved.to_json(&chosen.label))?;
    } else {
        solved.print(out)?;
    }
    let is_won = matches!(proof.answer, Answer::Won { .. });
    Ok(if is_won { ExitCode::SUCCESS } else { ExitCode::from(Failure::NO) })
}

/// What was asked, and what was found out.
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
        let refutation = |it: &Refutation| json!({ "move": self.text(it.first), "reply": self.reply(it).map(|(next, reply)| move_text(self.rules, &next, reply)) });
        json!({
            "game": game,
            "mate": self.task.moves,
            "side": names(self.rules, self.side()),
            "answer": word,
            "moves": moves,
            "keys": keys.iter().map(key).collect::<Value>(),
            "line": self.along(line).map(|(position, played)| move_text(self.rules, &position, played)).collect::<Value>(),
            "refutations": refutations.iter().map(refutation).collect::<Value>(),
            "nodes": self.proof.nodes,
            "seconds": self.time.as_secs_f64(),
        })
    }

    fn print(&self, out: &mut Output) -> io::Result<()> {
        let side = listed(&names(self.rules, self.side()));
        let wanted = counted(self.task.moves as usize, "move");
        let wins = if self.side().len() == 1 { "wins" } else { "win" };
        match &self.proof.answer {
            Answer::Won { moves, keys, line, refutations } => {
                let within = counted(*moves as usize, "move");
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
                let nodes = thousands(self.task.nodes);
                writeln!(out, "{STRONG}Not decided within {nodes} positions.{STRONG:#} More with --nodes.")?;
            }
        }
        let (nodes, seconds) = (thousands(self.proof.nodes), self.time.as_secs_f64());
        writeln!(out, "\n{nodes} positions in {seconds:.3} s")
    }

    fn print_refutations(&self, refutations: &[Refutation], out: &mut Output) -> io::Result<()> {
        if refutations.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nFirst moves that do not, and the reply:")?;
        for it in refutations {
            let first = plain(&san(self.rules, self.position, it.first)).into_owned();
            let reply = self.reply(it).map(|(next, reply)| san(self.rules, &next, reply));
            writeln!(out, "  {first}  {}", reply.as_deref().map_or("-".into(), plain))?;
        }
        Ok(())
    }

    fn key(&self, key: &Key) -> String {
        let first = plain(&san(self.rules, self.position, key.first)).into_owned();
        format!("{first} ({})", key.moves)
    }

    /// The line as people write it: a number before each move of the side that wins.
    fn numbered(&self, line: &[Move]) -> String {
        let side = self.side();
        let mut number = 0;
        let words = self.along(line).map(|(position, played)| {
            let text = plain(&san(self.rules, &position, played)).into_owned();
            if side.contains(self.rules.decider(&position, self.rules.mover(&position))) {
                number += 1;
                format!("{number}. {text}")
            } else {
                text
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The moves of a line, each with the position in which it is made.
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
        move_text(self.rules, self.position, first)
    }
}

/// A bar on standard error, once the work takes longer than a second and somebody looks.
struct Meter {
    watched: bool,
    start: Instant,
    bar: RefCell<Option<ProgressBar>>,
}

impl Meter {
    const PATIENCE: Duration = Duration::from_secs(1);

    fn new(watched: bool) -> Self {
        Meter { watched, start: Instant::now(), bar: RefCell::new(None) }
    }

    fn step(&self, progress: &Progress) {
        if !self.watched || self.start.elapsed() < Self::PATIENCE {
            return;
        }
        let mut bar = self.bar.borrow_mut();
        let bar = bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(progress.of as u64);
            let style = ProgressStyle::with_template("{elapsed} {wide_bar} first move {pos} of {len}, {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        bar.set_position(progress.first as u64 + 1);
        let moves = counted(progress.moves as usize, "move");
        bar.set_message(format!("wins in {moves}, {} positions", thousands(progress.nodes)));
    }

    fn finish(&self) {
        if let Some(bar) = &*self.bar.borrow() {
            bar.finish_and_clear();
        }
    }
}
