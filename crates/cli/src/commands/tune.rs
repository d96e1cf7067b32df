//! `tabiya tune`: what pieces are worth, learned from games that the search plays against itself.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tabiya_arena::{Lap, Tuned, Tuning, values_json};
use tabiya_engine::Rules;

use crate::args::GameAndState;
use crate::failure::Failure;
use crate::files::reason_against_writing;
use crate::number::whole;
use crate::output::Output;
use crate::text::plain;
use crate::value_file;

/// Learn what pieces are worth from games of the search against itself.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya tune chess --out chess-values.json
  tabiya tune mygame.json --games 1000 --nodes 5000 --out values.json
  tabiya tune chess --values chess-values.json --out better.json
  tabiya play chess --seat BLACK=search --values chess-values.json

Without a file, our players find out from the rules what pieces are worth. The new values play against the old ones in
games that nobody learned from: what comes of it is told.
The same seed gives the same values, on any number of threads.")]
pub(crate) struct Args {
    #[command(flatten)]
    what: GameAndState,
    /// How many games are played to learn from.
    #[arg(long, value_name = "N", default_value_t = 300, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=1_000_000))]
    games: u32,
    /// How many games the new values play against the old ones; without it, a fifth of the others.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 0..=1_000_000))]
    proof: Option<u32>,
    /// How many positions a player looks at before each move.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 1..=1_000_000_000))]
    nodes: u64,
    /// What chance starts from: the same number gives the same values.
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u64>(text, 0..=u64::MAX))]
    seed: u64,
    /// A game that is not over after so many moves is a draw.
    #[arg(long, value_name = "N", default_value_t = 400, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 1..=20_000))]
    max_plies: u32,
    /// Play so many games at once; without it, as many as there are processors.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| whole::<u16>(text, 1..=1024))]
    threads: Option<u16>,
    /// Start from the values of a file.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Write the new values to a file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let (chosen, start) = args.what.open()?;
    let rules = chosen.game.rules;
    let values = args.values.as_deref().map(|file| value_file::read(&rules, file)).transpose()?;
    let tuning = Tuning {
        rules: rules.clone(),
        start,
        values,
        games: args.games,
        proof: args.proof.unwrap_or(args.games / 5),
        nodes: args.nodes,
        seed: args.seed,
        max_plies: args.max_plies,
    };
    let available = || thread::available_parallelism().map_or(1, usize::from);
    let bar = bar();
    let tuned = tuning.run(args.threads.map_or_else(available, usize::from), &|lap| step(&bar, lap));
    bar.finish_and_clear();
    let tuned = tuned.map_err(|why| Failure::Usage(why.to_string()))?;
    let file = values_json(&rules, &tuned.after);
    if let Some(path) = &args.out {
        write_to(path, &format!("{file:#}\n"))?;
    }
    let [before, after] = tuned.error;
    let [won, drawn, lost] = tuned.proof;
    if out.is_json() {
        out.json(&json!({
            "game": chosen.label,
            "lessons": tuned.lessons,
            "error": { "before": before, "after": after },
            "proof": { "won": won, "drawn": drawn, "lost": lost },
            "values": file,
        }))?;
    } else {
        report(&rules, &chosen.label, &tuned, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn report(rules: &Rules, label: &str, tuned: &Tuned, out: &mut Output) -> io::Result<()> {
    writeln!(out, "{}: {} positions\n", plain(label), tuned.lessons)?;
    writeln!(out, "{:<16} {:<20} {:>7} {:>7}", "", "", "before", "now")?;
    for (old, new) in tuned.before.numbers().iter().zip(tuned.after.numbers()) {
        if old.value == 0 && new.value == 0 {
            continue;
        }
        let whose =
            new.kind.map_or_else(|| "position".to_owned(), |kind| plain(&rules.kind(kind).code).to_string());
        writeln!(out, "{whose:<16} {:<20} {:>7} {:>7}", new.name, old.value, new.value)?;
    }
    let [before, after] = tuned.error;
    let [won, drawn, lost] = tuned.proof;
    writeln!(
        out,
        "\nResults differ from what the values expect by {before:.4} before, {after:.4} now (mean square)."
    )?;
    if won + drawn + lost > 0 {
        writeln!(out, "The new values against the old ones: {won} won, {drawn} drawn, {lost} lost.")?;
    }
    Ok(())
}

fn write_to(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| {
        let why = reason_against_writing(path, &error);
        Failure::Usage(format!("`{}` cannot be written: {why}", path.display()))
    })
}

fn bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{elapsed} {wide_bar} game {pos} of {len} {msg}");
    let bar = ProgressBar::new(0);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn step(bar: &ProgressBar, lap: Lap) {
    bar.set_length(u64::from(lap.of));
    bar.set_position(u64::from(lap.done));
    bar.set_message(if lap.is_proof { "against the old values" } else { "to learn from" });
}
