//! Every fast path agrees with the oracle on random games of the usual forms.
#![allow(clippy::print_stdout, reason = "the figure of `cargo xtask prove`")]

use tabiya_engine::Backend;
use tabiya_oracle::{compare, tame};

/// How many random specs; `cargo xtask prove tame` sets more.
fn games() -> u64 {
    std::env::var("TABIYA_TAME").ok().and_then(|text| text.parse().ok()).unwrap_or(250)
}

#[test]
fn engine_and_oracle_agree_on_games_of_the_usual_forms() {
    let (mut played, mut positions, mut on_path) = (0u64, 0u64, [0u64; Backend::ALL.len()]);
    for seed in 0..games() {
        let text = tame::spec(seed);
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
    // A comparison of nothing would prove nothing.
    assert!(played * 2 > games() && on_path[1] * 4 > played, "{played} played, {on_path:?} on each path");
    println!("{played} games, {positions} positions, on each path {on_path:?}");
}
