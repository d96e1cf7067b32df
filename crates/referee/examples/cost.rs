//! Measures the referee's time per ply in random games: the verdict on each move and the next state. Prints one line. `cargo run --release -p tabiya-referee --example cost [GAME [GAMES]]`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::time::{Duration, Instant};

use tabiya_players::{Chooser as _, Random};
use tabiya_referee::protocol::{Protocol, Strictness};
use tabiya_referee::{Action, ActionKind, Game, Verdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "chess".to_owned());
    let games: u32 = words.next().map_or(Ok(1000), |word| word.parse().map_err(|_| "how many games?"))?;
    let rules = tabiya_spec::library::load(&name)?.rules;
    let protocol = Protocol::new(&rules);
    let mut player = Random::new(1);
    let (mut plies, mut bytes) = (0u32, 0usize);
    let (mut judging, mut writing, mut submitting) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for _ in 0..games {
        let mut game = Game::new(rules.clone());
        let mut state_writer = protocol.state_writer();
        while game.end().is_none() && game.earlier().len() < 1000 {
            let start = Instant::now();
            bytes += state_writer.state_line(&game).len();
            writing += start.elapsed();
            let Some(played) = player.choose(&rules, &game.state().position) else { break };
            let output = protocol.action_json(&game, &Action::Move(played)).to_string();
            let mut other = game.clone();
            let start = Instant::now();
            let verdict = protocol.judge(&mut game, &output, Strictness::Strict);
            judging += start.elapsed();
            let start = Instant::now();
            other.submit(&Action::Move(played)).map_err(|error| error.to_string())?;
            submitting += start.elapsed();
            if verdict.verdict != Verdict::Accepted(ActionKind::Move) {
                return Err(format!("{output} is {}", verdict.verdict.word()).into());
            }
            plies += 1;
        }
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(plies.max(1));
    println!(
        "{name}: {plies} plies; a verdict takes {:.1} µs (the game itself {:.1}), a state {:.1} µs for {} bytes",
        micros(judging),
        micros(submitting),
        micros(writing),
        bytes / plies.max(1) as usize
    );
    Ok(())
}
