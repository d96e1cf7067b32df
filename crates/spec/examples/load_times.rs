//! Measures how long loading and compiling each library game takes: the median of 21 runs in milliseconds.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "measures time and prints it")]

use std::time::Instant;

use tabiya_spec::library;

const RUNS: usize = 21;

fn main() {
    for entry in library::games() {
        let mut times: Vec<f64> = (0..RUNS)
            .map(|_| {
                let start = Instant::now();
                assert!(tabiya_spec::load(entry.json.as_bytes()).game.is_some(), "{}", entry.name);
                start.elapsed().as_secs_f64() * 1000.0
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("{:<18}{:>8.2} ms", entry.name, times[RUNS / 2]);
    }
}
