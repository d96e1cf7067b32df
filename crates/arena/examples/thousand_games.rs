//! A thousand games of chess between players who move at random, with every line written down and checked again; and what
//! the referee costs beside the players, in microseconds of the processor for each move.
//!
//! `cargo run --release -p tabiya-arena --example thousand_games [GAMES]`
#![allow(clippy::print_stdout, reason = "this is what it is for")]
#![allow(clippy::cast_precision_loss, reason = "plies are few")]

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tabiya_arena::{FileLines, Match, Meeting, Table};
use tabiya_referee::record::{Laws, Replays};
use tabiya_spec::library;

/// A move must not cost the referee more.
const BUDGET_US: f64 = 20.0;

fn main() -> Result<(), Box<dyn Error>> {
    let games: u32 = std::env::args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    let chess = library::load("chess")?;
    let laws = Laws::new(&chess.rules, &chess.hash.to_string());
    let agents = ["player:random".parse()?, "player:random".parse()?];
    let contest = Match { games, seed: 1000, ..Match::new("chess", chess, agents) };

    let (table, took) = timed(|| Meeting::open(&contest, None)?.play(1, &|_| {}));
    tell("without a journal", &table?, took)?;
    let folder = tempfile::tempdir()?;
    let (table, took) = timed(|| Meeting::open(&contest, Some(folder.path()))?.play(1, &|_| {}));
    let table = table?;
    tell("with a journal", &table, took)?;
    assert_eq!((table.played, table.void), (games, 0));

    let (checked, took) = timed(|| check(folder.path(), &laws));
    let (plies, over) = checked?;
    assert_eq!(over, games, "every game is there");
    assert_eq!(plies, answers(&table), "every move is there");
    println!("checked again: {over} games, {:.2} µs for each move", per_ply(took, plies));
    for (reason, count) in &table.reasons {
        println!("{count:6} {reason}");
    }
    Ok(())
}

/// Runs and says how long the processor took: others may use the machine, too.
fn timed<T>(action: impl FnOnce() -> T) -> (T, Duration) {
    let now = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
    let start = now();
    let done = action();
    (done, now().saturating_sub(start))
}

fn answers(table: &Table) -> u64 {
    table.agents.iter().map(|agent| agent.answers).sum()
}

fn per_ply(time: Duration, plies: u64) -> f64 {
    time.as_secs_f64() * 1e6 / plies as f64
}

/// What is not the players' own time is the referee's.
fn tell(what: &str, table: &Table, took: Duration) -> Result<(), Box<dyn Error>> {
    let players = Duration::from_micros(table.agents.iter().map(|agent| agent.time_us).sum());
    let plies = answers(table);
    let referee = per_ply(took.saturating_sub(players), plies);
    println!(
        "{what}: {} games, {plies} moves, {:.2} µs for each, of which the referee {referee:.2} µs; at most {BUDGET_US} are allowed",
        table.played,
        per_ply(took, plies),
    );
    if referee > BUDGET_US { Err("a move costs the referee too much".into()) } else { Ok(()) }
}

/// Plays the whole journal again: how many answers, how many games.
fn check(folder: &Path, laws: &Laws) -> Result<(u64, u32), Box<dyn Error>> {
    let mut replays = Replays::new();
    let (mut plies, mut over) = (0, 0);
    for line in FileLines::new(BufReader::new(File::open(folder.join("games.jsonl"))?)) {
        let line = line?;
        let content = line.line?;
        plies += u64::from(matches!(content, tabiya_referee::record::Line::Answer(_)));
        let heard = replays.line(&content, |_| Ok(laws.clone()));
        assert_eq!(heard.differences, Vec::<String>::new(), "line {}", line.number);
        over += u32::from(heard.closed.is_some());
    }
    assert!(replays.unfinished().is_empty(), "every game is over");
    Ok((plies, over))
}
