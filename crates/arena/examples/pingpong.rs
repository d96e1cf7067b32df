//! Measures the overhead of agents: the time per ply with an agent that answers at once, a raw round trip through two pipes
//! to the same program, and the time to start and end an agent.
//!
//! `cargo run --release -p tabiya-arena --example pingpong [PLIES]`
#![allow(clippy::print_stdout, reason = "prints measurements")]

use std::error::Error;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, iter};

use tabiya_arena::{AgentOptions, Question, connect};

const ROUNDS: usize = 5;
const GAMES: u32 = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let argument = env::args().nth(1);
    if argument.as_deref() == Some("echo") {
        return Ok(echo()?);
    }
    let plies: u32 = argument.map_or(Ok(20_000), |text| text.parse())?;
    let program = env::current_exe()?.display().to_string();
    // The length of a state in the middle of a game.
    let state = format!(r#"{{"position_history":["{}"]}}"#, "x".repeat(1000));
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(raw(&program, &state, plies)?);
        best[1] = best[1].min(agent(&program, &state, plies)?);
    }
    let [raw, agent] = best.map(|time| time.as_secs_f64() * 1e6 / f64::from(plies));
    println!("raw pipes {raw:.1} µs per ply, agent {agent:.1} µs per ply ({plies} plies, best of {ROUNDS})");
    let game = games(&program)?.as_secs_f64() * 1e3 / f64::from(GAMES);
    println!("starting and ending an agent {game:.1} ms per game ({GAMES} games)");
    Ok(())
}

fn games(program: &str) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    for _ in 0..GAMES {
        agent(program, "{}", 1)?;
    }
    Ok(start.elapsed())
}

fn agent(program: &str, state: &str, plies: u32) -> Result<Duration, Box<dyn Error>> {
    let mut agent = connect(&format!("process:'{program}' echo").parse()?, &AgentOptions::default())?;
    let far = Instant::now() + Duration::from_secs(600);
    agent.ask(&Question::new(state, far))?;
    let start = Instant::now();
    for _ in 0..plies {
        let question = Question::new(state, Instant::now() + Duration::from_secs(10));
        assert_eq!(agent.ask(&question)?.len(), state.len());
    }
    let took = start.elapsed();
    match agent.finish().fault {
        None => Ok(took),
        Some(fault) => Err(fault.into()),
    }
}

fn raw(program: &str, state: &str, plies: u32) -> Result<Duration, Box<dyn Error>> {
    let mut child = Command::new(program).arg("echo").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("a pipe is missing".into());
    };
    let mut output = BufReader::new(output);
    let question = format!("{state}\n");
    let mut answer = String::new();
    let mut start = Instant::now();
    for is_first in iter::once(true).chain(iter::repeat_n(false, plies as usize)) {
        answer.clear();
        input.write_all(question.as_bytes())?;
        output.read_line(&mut answer)?;
        assert_eq!(answer.len(), question.len());
        if is_first {
            start = Instant::now();
        }
    }
    let took = start.elapsed();
    drop(input);
    child.wait()?;
    Ok(took)
}

fn echo() -> std::io::Result<()> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        output.write_all(line.as_bytes())?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}
