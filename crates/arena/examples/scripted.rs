//! Measures the time for a move of a match without thinking: games between two processes that answer at once from a
//! script, with referee, clocks and journal. The time to start and end the processes is measured with games that end with
//! the first answer, and subtracted.
//!
//! `cargo run --release -p tabiya-arena --example scripted [GAMES]`
#![allow(clippy::print_stdout, reason = "prints measurements")]
#![cfg_attr(not(target_os = "linux"), allow(unused), reason = "agent processes need Linux")]
#![allow(clippy::cast_precision_loss, reason = "plies are few")]

use std::env;
use std::error::Error;
use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::time::{Duration, Instant};

use tabiya_arena::{MatchConfig, MatchRunner, Openings};
use tabiya_players::{Chooser as _, Random};
use tabiya_referee::protocol::Protocol;
use tabiya_referee::{Action, Game};
use tabiya_spec::library;

/// The allowed time for a move on a quiet machine.
const BUDGET_US: f64 = 60.0;
const ROUNDS: u32 = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["resign", seed] => answer(seed.parse()?, true),
        ["play", seed] => answer(seed.parse()?, false),
        [games] => measure(games.parse()?),
        _ => measure(20),
    }
}

fn chess() -> Result<tabiya_spec::Game, Box<dyn Error>> {
    Ok(library::load("chess")?)
}

/// Returns the answers of both sides of a random game.
fn script(seed: u64) -> Result<[Vec<String>; 2], Box<dyn Error>> {
    let rules = chess()?.rules;
    let protocol = Protocol::new(&rules);
    let (mut game, mut player) = (Game::new(rules), Random::new(seed));
    let mut answers = [Vec::new(), Vec::new()];
    while let Some(played) = player.choose(game.rules(), &game.state().position) {
        let act = Action::Move(played);
        answers[game.mover().index()].push(protocol.action_json(&game, &act).to_string());
        if game.submit(&act).is_err() {
            break;
        }
    }
    Ok(answers)
}

fn answer(seed: u64, resigns: bool) -> Result<(), Box<dyn Error>> {
    let [white, black] = script(seed)?;
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut line = Vec::new();
    let mut own = None;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let is_white = || String::from_utf8_lossy(&line).contains("\"turn\":\"white\"");
        let own = own.get_or_insert_with(|| if is_white() { white.iter() } else { black.iter() });
        let text = own.next().filter(|_| !resigns).map_or(r#"{"action":"resign"}"#, String::as_str);
        output.write_all(text.as_bytes())?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

/// Returns the wall time and the number of answers of a match of one game.
fn game(mode: &str, seed: u32) -> Result<(Duration, u64), Box<dyn Error>> {
    let program = env::current_exe()?.display().to_string();
    let address = || format!("process:'{program}' {mode} {seed}").parse();
    let agents = [address()?, address()?];
    let config =
        MatchConfig { games: 1, openings: Openings::None, ..MatchConfig::new("chess", chess()?, agents) };
    let folder = tempfile::tempdir()?;
    let runner = MatchRunner::open(&config, Some(folder.path()))?;
    let start = Instant::now();
    let standings = runner.play(1, &|_| {})?;
    let took = start.elapsed();
    let faults: u32 = standings.agents.iter().map(tabiya_arena::Standing::faults).sum();
    assert_eq!((standings.played, faults), (1, 0), "{:?}", standings.reasons);
    Ok((took, standings.agents.iter().map(|agent| agent.answers).sum()))
}

fn measure(games: u32) -> Result<(), Box<dyn Error>> {
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let (mut whole, mut bare, mut plies) = (Duration::ZERO, Duration::ZERO, 0);
        for seed in 0..games {
            let (took, answers) = game("play", seed)?;
            whole += took;
            plies += answers;
            bare += game("resign", seed)?.0;
        }
        let per_ply = whole.saturating_sub(bare).as_secs_f64() * 1e6 / plies as f64;
        println!("{games} games, {plies} moves: {per_ply:.1} µs wall time per move");
        best = best.min(per_ply);
    }
    println!("best of {ROUNDS}: {best:.1} µs (allowed: {BUDGET_US})");
    if best > BUDGET_US { Err("a move takes too long; is the machine quiet?".into()) } else { Ok(()) }
}
