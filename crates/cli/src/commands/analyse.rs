//! `tabiya analyse`: is a game any good? Figures from games that our players play against themselves.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use tabiya_arena::{Interim, Stage, Study};

use crate::analysis;
use crate::args::GameAndState;
use crate::failure::Failure;
use crate::files::reason_against_writing;
use crate::number::whole;
use crate::output::Output;

/// Measure a game by letting our players play it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya analyse chess
  tabiya analyse mygame.json --games 500 --player search --html report.html
  tabiya analyse fourplayer --games 20 --seed 7 --format json

Players: random, greedy (looks one move ahead), mcts (tries moves out), search (looks further), level1 to level10.
The same seed gives the same figures, on any number of threads.")]
pub(crate) struct Args {
    #[command(flatten)]
    what: GameAndState,
    /// How many games are played.
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=100_000))]
    games: u32,
    /// What chance starts from: the same number gives the same figures.
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 0..=u64::MAX))]
    seed: u64,
    /// Who plays all seats.
    #[arg(long, value_name = "NAME", default_value = "greedy")]
    player: String,
    /// How many positions a player who looks ahead looks at before each move.
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 1..=1_000_000_000))]
    nodes: u64,
    /// A game that is not over after so many moves has no end.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=20_000))]
    max_plies: u32,
    /// Play so many games at once; without it, as many as there are processors.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| whole::<u16>(text, 1..=1024))]
    threads: Option<u16>,
    /// Write a page with plots.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let (chosen, start) = args.what.open()?;
    let study = Study {
        start,
        games: args.games,
        seed: args.seed,
        player: args.player.clone(),
        nodes: args.nodes,
        max_plies: args.max_plies,
        ..Study::new(chosen.label, chosen.game.rules)
    };
    let available = || thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(available, usize::from);
    let names = study.rules.players().map(|player| study.rules.player(player).name.clone()).collect();
    let meter = Meter::new(names, io::stderr().is_terminal());
    let analysis = study.run(threads, &|interim| meter.step(interim));
    meter.finish();
    let analysis = analysis.map_err(|why| Failure::Usage(why.to_string()))?;
    if let Some(file) = &args.html {
        fs::write(file, analysis::page(&analysis)).map_err(|error| {
            let why = reason_against_writing(file, &error);
            Failure::Usage(format!("`{}` cannot be written: {why}", file.display()))
        })?;
    }
    if out.is_json() {
        out.json(&analysis.to_json())?;
    } else {
        write!(out, "{}", analysis::report(&analysis))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A bar on standard error that tells how it stands so far, if somebody looks.
struct Meter {
    /// The players, for games without teams.
    names: Vec<String>,
    bar: Option<Mutex<(ProgressBar, Stage)>>,
}

impl Meter {
    fn new(names: Vec<String>, watched: bool) -> Self {
        let bar = watched.then(|| {
            let style = ProgressStyle::with_template("{elapsed} {wide_bar} game {pos} of {len}, {msg}");
            let bar = ProgressBar::new(0);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            Mutex::new((bar, Stage::Games))
        });
        Meter { names, bar }
    }

    fn step(&self, interim: &Interim) {
        let Some(Ok(mut it)) = self.bar.as_ref().map(Mutex::lock) else { return };
        let (bar, stage) = &mut *it;
        if *stage != interim.stage {
            // What was found out so far stays on the screen.
            bar.println(bar.message());
            *stage = interim.stage;
        }
        bar.set_length(u64::from(interim.of));
        bar.set_position(u64::from(interim.done));
        bar.set_message(self.summary(interim));
    }

    fn summary(&self, interim: &Interim) -> String {
        let played: u32 = interim.wins.iter().sum::<u32>() + interim.draws;
        let mean = interim.plies / u64::from(played.max(1));
        let wins: Vec<String> = interim.wins.iter().map(u32::to_string).collect();
        let who = match interim.stage {
            Stage::Games if self.names.len() == interim.wins.len() => self.names.join(" : "),
            Stage::Games => "sides".to_owned(),
            Stage::Skill(deeper, shallower) => format!("{deeper} against {shallower}, sides"),
        };
        format!(
            "{} {}, {} without winner, {mean} moves",
            crate::text::plain(&who),
            wins.join(" : "),
            interim.draws
        )
    }

    fn finish(&self) {
        if let Some(Ok(it)) = self.bar.as_ref().map(Mutex::lock) {
            it.0.finish_and_clear();
        }
    }
}
