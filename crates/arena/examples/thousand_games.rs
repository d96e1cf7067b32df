//! Plays a thousand random games of chess, verifies every line of their journal, and measures the CPU time of the referee
//! for each move.
//!
//! `cargo run --release -p tabiya-arena --example thousand_games [GAMES]`
#![allow(clippy::print_stdout, reason = "prints measurements")]
#![allow(clippy::cast_precision_loss, reason = "plies are few")]

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use tabiya_arena::{MatchConfig, MatchRunner, RecordReader, Standings};
use tabiya_referee::Laws;
use tabiya_referee::record::Replays;
use tabiya_spec::library;

/// The allowed time of the referee for a move.
const BUDGET_US: f64 = 20.0;

fn main() -> Result<(), Box<dyn Error>> {
    let games: u32 = std::env::args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    let chess = library::load("chess")?;
    let laws = Laws::new(&chess.rules, &chess.hash.to_string());
    let agents = ["player:random".parse()?, "player:random".parse()?];
    let config = MatchConfig { games, seed: 1000, ..MatchConfig::new("chess", chess, agents) };

    let (standings, took) = timed(|| MatchRunner::open(&config, None)?.play(1, &|_| {}));
    report("without a journal", &standings?, took)?;
    let folder = tempfile::tempdir()?;
    let (standings, took) = timed(|| MatchRunner::open(&config, Some(folder.path()))?.play(1, &|_| {}));
    let standings = standings?;
    report("with a journal", &standings, took)?;
    assert_eq!((standings.played, standings.void), (games, 0));

    let (checked, took) = timed(|| check(folder.path(), &laws));
    let (plies, over) = checked?;
    assert_eq!(over, games, "all games");
    assert_eq!(plies, answers(&standings), "all moves");
    println!("verified: {over} games, {:.2} µs per move", per_ply(took, plies));
    for (reason, count) in &standings.reasons {
        println!("{count:6} {reason}");
    }
    Ok(())
}

/// Runs an action and measures its CPU time, which does not depend on other processes.
fn timed<T>(action: impl FnOnce() -> T) -> (T, Duration) {
    let start = cpu_time();
    let done = action();
    (done, cpu_time().saturating_sub(start))
}

#[cfg(target_os = "linux")]
fn cpu_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Returns wall time, where CPU time is not available.
#[cfg(not(target_os = "linux"))]
fn cpu_time() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}

fn answers(standings: &Standings) -> u64 {
    standings.agents.iter().map(|agent| agent.answers).sum()
}

fn per_ply(time: Duration, plies: u64) -> f64 {
    time.as_secs_f64() * 1e6 / plies as f64
}

/// Prints the time for each move. Time that is not spent by players is spent by the referee.
fn report(what: &str, standings: &Standings, took: Duration) -> Result<(), Box<dyn Error>> {
    let players = Duration::from_micros(standings.agents.iter().map(|agent| agent.time_us).sum());
    let plies = answers(standings);
    let referee = per_ply(took.saturating_sub(players), plies);
    println!(
        "{what}: {} games, {plies} moves, {:.2} µs per move, of which referee {referee:.2} µs (allowed: {BUDGET_US})",
        standings.played,
        per_ply(took, plies),
    );
    if referee > BUDGET_US { Err("the referee needs too much time for a move".into()) } else { Ok(()) }
}

/// Verifies the journal and returns its number of answers and games.
fn check(folder: &Path, laws: &Laws) -> Result<(u64, u32), Box<dyn Error>> {
    let mut replays = Replays::new();
    let (mut plies, mut over) = (0, 0);
    for line in RecordReader::new(BufReader::new(File::open(folder.join("games.jsonl"))?)) {
        let line = line?;
        let content = line.line?;
        plies += u64::from(matches!(content, tabiya_referee::record::Line::Answer(_)));
        let heard = replays.line(&content, |_| Ok(laws.clone()));
        assert_eq!(heard.differences, Vec::<String>::new(), "line {}", line.number);
        over += u32::from(heard.closed.is_some());
    }
    assert!(replays.unfinished().is_empty(), "all games are finished");
    Ok((plies, over))
}
