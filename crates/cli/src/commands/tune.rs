//! `tabiya tune`: learns piece values from games that the search plays against itself.

use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::json;
use tabiya_arena::{Tuned, Tuning, values_json};
use tabiya_engine::Rules;

use crate::args::{GameAndState, thread_count, whole};
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::output::Output;
use crate::progress::Progress;
use crate::text::sanitize;

/// Learn piece values from games of the search against itself.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya tune chess --out chess-values.json
  tabiya tune mygame.json --games 1000 --nodes 5000 --out values.json
  tabiya tune chess --values chess-values.json --out better.json
  tabiya play chess --seat BLACK=search --values chess-values.json

By default, players derive piece values from the rules. After learning, the new values play a
separate match against the old ones, and the result is printed.
The same seed gives the same values, on any number of threads.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
    /// Number of games to learn from.
    #[arg(long, value_name = "N", default_value_t = 300, allow_negative_numbers = true, value_parser = whole::<u32>(1..=1_000_000))]
    games: u32,
    /// Number of games of the new values against the old ones [default: a fifth of --games]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(0..=1_000_000))]
    proof: Option<u32>,
    /// Positions that a player examines before each move.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000_000))]
    nodes: u64,
    /// Random seed. The same seed gives the same values.
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// A game is drawn after this many moves.
    #[arg(long, value_name = "N", default_value_t = 400, allow_negative_numbers = true, value_parser = whole::<u32>(1..=20_000))]
    max_plies: u32,
    /// Games played at the same time [default: number of processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Start from the values of a file instead of those derived from the rules.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Write the new values to a file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (loaded, start) = args.game.open()?;
    let rules = loaded.game.rules;
    let values = args.values.as_deref().map(|file| files::piece_values(&rules, file)).transpose()?;
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
    let progress = Progress::new("game", 0);
    let tuned = tuning.run(thread_count(args.threads), &|lap| {
        progress.set_length(u64::from(lap.of));
        let message = if lap.is_proof { "against the old values" } else { "to learn from" };
        progress.update(u64::from(lap.done), || message.to_owned());
    });
    progress.finish();
    let tuned = tuned.map_err(|why| CliError::Usage(why.to_string()))?;
    let file = values_json(&rules, &tuned.after);
    if let Some(path) = &args.out {
        files::write(path, &format!("{file:#}\n"))?;
    }
    let [before, after] = tuned.error;
    let [won, drawn, lost] = tuned.proof;
    let json = || {
        json!({
            "game": loaded.label,
            "lessons": tuned.lessons,
            "error": { "before": before, "after": after },
            "proof": { "won": won, "drawn": drawn, "lost": lost },
            "values": file,
        })
    };
    out.answer(json, |out| report(&rules, &loaded.label, &tuned, out))
}

fn report(rules: &Rules, label: &str, tuned: &Tuned, out: &mut Output) -> io::Result<()> {
    writeln!(out, "{}: {} positions\n", sanitize(label), tuned.lessons)?;
    writeln!(out, "{:<16} {:<20} {:>7} {:>7}", "", "", "before", "now")?;
    for (old, new) in tuned.before.weights().iter().zip(tuned.after.weights()) {
        if old.value == 0 && new.value == 0 {
            continue;
        }
        let whose = new
            .kind
            .map_or_else(|| "position".to_owned(), |kind| sanitize(&rules.kind(kind).code).to_string());
        writeln!(out, "{whose:<16} {:<20} {:>7} {:>7}", new.name, old.value, new.value)?;
    }
    let [before, after] = tuned.error;
    let [won, drawn, lost] = tuned.proof;
    writeln!(out, "\nMean squared error of the predicted results: {before:.4} before, {after:.4} now.")?;
    if won + drawn + lost > 0 {
        writeln!(out, "The new values against the old ones: {won} won, {drawn} drawn, {lost} lost.")?;
    }
    Ok(())
}
