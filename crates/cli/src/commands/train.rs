//! `tabiya train`: makes a net for a game from games that the search plays against itself.

use std::cell::RefCell;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tabiya_train::{Budget, Generation, MatchScore, Progress, TrainError, Trained, Training, export};

use crate::args::{GameAndState, thread_count, whole};
use crate::error::{CliError, CommandResult};
use crate::output::Output;
use crate::text::sanitize;

/// Train a net for a game from games of the search against itself.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya train chess --hours 8 --out chess.net
  tabiya train chess --hours 8 --out chess.net --resume
  tabiya train mygame.json --positions 200000 --generations 3 --threads 1 --out mygame.net
  tabiya train chess --out chess.net --export data    positions for PyTorch
  tabiya play chess --seat BLACK=search --net chess.net

Each generation plays games, learns from the positions of all games so far, and plays a match against
the best net before it; the winner plays the games of the next generation. FILE.train holds the
positions and the progress, from which --resume continues after an interruption.
With --positions, the same seed gives the same net. With --hours, the result depends on the speed of
the machine.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
    /// File for the net [default: NAME.net]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Hours that the training takes [default: 1]
    #[arg(long, value_name = "H", value_parser = hours, conflicts_with = "positions")]
    hours: Option<f64>,
    /// Positions to learn from in each generation, instead of a time.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000_000))]
    positions: Option<u64>,
    /// Number of generations.
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true, value_parser = whole::<u32>(1..=100))]
    generations: u32,
    /// Positions that the search examines before each move; a quarter of it in games before a net is accepted.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000_000))]
    nodes: u64,
    /// Neurons for each view: a multiple of 32 up to 512.
    #[arg(long, value_name = "N", default_value_t = 128, allow_negative_numbers = true, value_parser = neurons)]
    hidden: usize,
    /// Random seed.
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Number of threads [default: number of processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Continue the training of the same file.
    #[arg(long)]
    resume: bool,
    /// Write the positions of the training of the same file into a folder, for other programs, and do nothing else.
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
}

fn hours(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok().filter(|number| (0.001..=10_000.0).contains(number));
    number.ok_or_else(|| "it must be hours from 0.001 to 10000".to_owned())
}

fn neurons(text: &str) -> Result<usize, String> {
    let number: Option<usize> = text.parse().ok();
    let number = number.filter(|number| (32..=512).contains(number) && number.is_multiple_of(32));
    number.ok_or_else(|| "it must be a multiple of 32 from 32 to 512".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (loaded, start) = args.game.open()?;
    let rules = loaded.game.rules;
    let file = args.out.clone().unwrap_or_else(|| default_file(&loaded.label));
    let mut folder = file.clone().into_os_string();
    folder.push(".train");
    let folder = PathBuf::from(folder);
    if let Some(to) = &args.export {
        let exported = export(&rules, &folder, to).map_err(|error| failure(&error))?;
        let json = || json!({ "game": loaded.label, "positions": exported.positions });
        return out.answer(json, |out| writeln!(out, "{} positions in {}", exported.positions, to.display()));
    }
    let budget = match args.positions {
        Some(positions) => Budget::Positions(positions),
        None => Budget::Seconds(args.hours.unwrap_or(1.0) * 3600.0),
    };
    let training = Training {
        rules,
        start,
        budget,
        generations: args.generations,
        nodes: args.nodes,
        hidden: args.hidden,
        seed: args.seed,
        threads: thread_count(args.threads),
        folder,
        resume: args.resume,
        provenance: provenance(args, &loaded.label),
    };
    let begin = Instant::now();
    let out = RefCell::new(out);
    let trained = training.run(&|| begin.elapsed().as_secs_f64(), &mut |progress, left| {
        // Progress that cannot be written must not stop hours of work.
        let _unwritten = report(&mut out.borrow_mut(), &progress, left);
    });
    let out = out.into_inner();
    let trained = trained.map_err(|error| failure(&error))?;
    if let Some(net) = &trained.net {
        std::fs::write(&file, net.to_bytes())
            .map_err(|error| CliError::Usage(format!("`{}` cannot be written: {error}", file.display())))?;
    }
    finish(&trained, &file, &loaded.label, out)
}

fn finish(trained: &Trained, file: &Path, label: &str, out: &mut Output) -> CommandResult {
    let Trained { net, generations } = trained;
    let json = || {
        json!({
            "game": label,
            "file": net.as_ref().map(|_| file.display().to_string()),
            "generations": generations.iter().map(generation_json).collect::<Vec<_>>(),
        })
    };
    out.answer(json, |out| {
        for it in generations {
            let result = if it.accepted { "accepted" } else { "rejected" };
            let (number, positions, score) = (it.number, it.positions, describe(&it.score));
            writeln!(
                out,
                "generation {number}: {positions} positions, error {:.5}, {score}: {result}",
                it.loss
            )?;
        }
        match net {
            Some(net) => writeln!(out, "{}: {}", file.display(), sanitize(net.provenance())),
            None => writeln!(out, "No net gained anything; train longer."),
        }
    })
    .map(|status| if net.is_some() { status } else { std::process::ExitCode::from(CliError::EXIT_NO) })
}

/// Shows progress: a line of JSON on standard output, or a line of text on standard error.
fn report(out: &mut Output, progress: &Progress, left: Option<f64>) -> io::Result<()> {
    if out.is_json() {
        out.json(&progress_json(progress, left))?;
        return out.flush();
    }
    let left = left.map_or_else(String::new, |left| format!("; {:.0} minutes left", left / 60.0));
    let mut err = anstream::stderr().lock();
    match progress {
        Progress::Games { generation, positions } => {
            writeln!(err, "generation {generation}: {positions} positions{left}")
        }
        Progress::Learning { generation, epoch, loss, test_loss } => {
            writeln!(
                err,
                "generation {generation}: epoch {epoch}, error {loss:.5}, on new positions {test_loss:.5}{left}"
            )
        }
        Progress::Match { generation, score } => {
            writeln!(err, "generation {generation}: match {}{left}", describe(score))
        }
    }
}

fn describe(score: &MatchScore) -> String {
    let MatchScore { won, drawn, lost, .. } = score;
    let elo = score.elo().map(|elo| {
        let error = elo.error.map_or_else(String::new, |error| format!(" ± {error:.0}"));
        format!(", {:+.0}{error} Elo", elo.difference)
    });
    format!("+{won} ={drawn} -{lost}{}", elo.unwrap_or_default())
}

fn score_json(score: &MatchScore) -> Value {
    let MatchScore { won, drawn, lost, .. } = score;
    let elo = score.elo();
    json!({
        "won": won, "drawn": drawn, "lost": lost,
        "elo": elo.map(|elo| elo.difference), "error": elo.and_then(|elo| elo.error),
    })
}

fn generation_json(generation: &Generation) -> Value {
    let Generation { number, positions, loss, score, accepted } = generation;
    json!({
        "generation": number, "positions": positions, "error": loss,
        "match": score_json(score), "accepted": accepted,
    })
}

fn progress_json(progress: &Progress, left: Option<f64>) -> Value {
    let mut value = match progress {
        Progress::Games { generation, positions } => {
            json!({ "generation": generation, "phase": "games", "positions": positions })
        }
        Progress::Learning { generation, epoch, loss, test_loss } => json!({
            "generation": generation, "phase": "learning", "epoch": epoch, "error": loss, "test_error": test_loss,
        }),
        Progress::Match { generation, score } => {
            json!({ "generation": generation, "phase": "match", "match": score_json(score) })
        }
    };
    value["seconds_left"] = json!(left.map(f64::round));
    value
}

/// Returns the command without paths, and the date, as the net will carry them.
fn provenance(args: &Args, label: &str) -> String {
    let budget = match (args.positions, args.hours) {
        (Some(positions), _) => format!("--positions {positions}"),
        (None, hours) => format!("--hours {}", hours.unwrap_or(1.0)),
    };
    let Args { generations, nodes, hidden, seed, .. } = args;
    let name = Path::new(label).file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!(
        "tabiya train {name} {budget} --generations {generations} --nodes {nodes} --hidden {hidden} --seed {seed}; {}",
        date()
    )
}

/// Returns the date of today, in the calendar of Gregory.
fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil((seconds / 86_400) as i64);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Converts a number of days since 1970-01-01 to year, month and day.
fn civil(days: i64) -> (i64, i64, i64) {
    // Years begin in March here, so that leap days come last. 400 years have 146,097 days.
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + 400 * era + i64::from(month <= 2), month, day)
}

fn default_file(label: &str) -> PathBuf {
    PathBuf::from(Path::new(label).file_stem().unwrap_or_default()).with_extension("net")
}

fn failure(error: &TrainError) -> CliError {
    match error {
        TrainError::NoPositions => CliError::No(error.to_string()),
        _ => CliError::Usage(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_454), (2026, 1, 1));
        assert_eq!(civil(20_089), (2025, 1, 1));
    }
}
