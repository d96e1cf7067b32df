//! Compares answers to "can this player still win?" with known ones: lines of two characters (`WB`, `W-`, `-B` or `--`: who
//! can win) and a FEN of chess. Prints shares and times; fails if an answer is wrong.
#![allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "a measurement prints its result")]

use std::time::Instant;

use tabiya_engine::{Player, PlayerSet, Winnability};
use tabiya_notation::parse_state;

fn main() -> Result<(), String> {
    let path = std::env::args().nth(1).ok_or("usage: dead FILE")?;
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let rules = tabiya_spec::library::load("chess").map_err(|error| error.to_string())?.rules;
    let (mut decided, mut dead, mut dead_found, mut ended) = (0, 0, 0, 0);
    let (mut impossible, mut impossible_found) = (0, 0);
    let mut times: Vec<f64> = Vec::new();
    let players: PlayerSet = [Player(0), Player(1)].into_iter().collect();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let (expected, fen) = line.split_once(' ').ok_or_else(|| format!("not a vector: {line}"))?;
        let fen = fen.trim();
        // A vector may leave out the last fields.
        let fen = format!("{fen}{}", " -".repeat(4usize.saturating_sub(fen.split(' ').count())));
        let position = parse_state(&rules, &fen).map_err(|error| format!("{fen}: {error}"))?.position;
        let start = Instant::now();
        let answers = rules.winnabilities(&position, players);
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        let answers: Vec<Winnability> = answers.into_iter().map(|(_, answer)| answer).collect();
        for (answer, character) in answers.iter().zip(expected.chars()) {
            let wanted = if character == '-' { Winnability::Impossible } else { Winnability::Possible };
            if *answer != Winnability::Unknown && *answer != wanted {
                return Err(format!("{line}: {answers:?}"));
            }
            impossible += u32::from(wanted == Winnability::Impossible);
            impossible_found += u32::from(*answer == Winnability::Impossible);
        }
        decided += u32::from(!answers.contains(&Winnability::Unknown));
        if expected == "--" {
            dead += 1;
            dead_found += u32::from(answers == [Winnability::Impossible; 2]);
            ended += u32::from(rules.is_dead(&position));
        }
    }
    let count = times.len();
    let share = |part: u32, whole: usize| 100.0 * f64::from(part) / whole as f64;
    times.sort_by(f64::total_cmp);
    println!("{count} vectors, both players: {decided} decided ({:.1} %), none wrong", share(decided, count));
    println!("dead positions: {dead_found} of {dead} proved; {ended} end a game");
    println!("a player who cannot win: {impossible_found} of {impossible} proved");
    println!(
        "time per vector: mean {:.2} ms, median {:.3} ms, 99 % below {:.1} ms, at most {:.1} ms",
        times.iter().sum::<f64>() / count as f64,
        times[count / 2],
        times[count * 99 / 100],
        times[count - 1]
    );
    Ok(())
}
