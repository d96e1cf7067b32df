//! Every fast path of the engine agrees with the oracle on random chess-like games.
#![allow(clippy::print_stdout, reason = "the figure of `cargo xtask prove`")]

use tabiya_engine::Backend;
use tabiya_oracle::{chesslike_spec, compare};

/// Returns the number of random specs; `cargo xtask prove tame` sets more.
fn games() -> u64 {
    std::env::var("TABIYA_CHESSLIKE_SPECS").ok().and_then(|text| text.parse().ok()).unwrap_or(250)
}

#[test]
fn engine_and_oracle_agree_on_chesslike_specs() {
    let (mut played, mut positions, mut on_path) = (0u64, 0u64, [0u64; Backend::ALL.len()]);
    for seed in 0..games() {
        let text = chesslike_spec::spec(seed);
        let Some(game) = tabiya_spec::load(text.as_bytes()).game else { continue };
        played += 1;
        for (path, count) in Backend::ALL.into_iter().zip(&mut on_path) {
            *count += u64::from(game.rules.perft_on(path, &game.rules.start(), 1).is_some());
        }
        match compare::compare(&game, 14, 1, seed)
            .and_then(|one| Ok((one, compare::compare(&game, 2, 3, seed)?)))
        {
            Ok((line, tree)) => positions += line.positions + tree.positions,
            Err(difference) => panic!("seed {seed}: {difference}\n{text}"),
        }
    }
    // Enough must have been compared.
    assert!(played * 2 > games() && on_path[1] * 4 > played, "{played} played, {on_path:?} on each path");
    println!("{played} games, {positions} positions, on each path {on_path:?}");
}
