//! The scalar path of the engine agrees with the oracle on random relatives of chess with hands, hurdles, endings decided
//! by the board, and others.
#![allow(clippy::print_stdout, reason = "the figure of `cargo xtask prove`")]

use tabiya_engine::Backend;
use tabiya_oracle::{compare, variant_spec};

/// Returns the number of random specs; `cargo xtask prove` sets more.
fn games() -> u64 {
    std::env::var("TABIYA_VARIANT_SPECS").ok().and_then(|text| text.parse().ok()).unwrap_or(200)
}

/// The keys whose games must be covered, with the number of specs on the scalar path.
const KEYS: [&str; 8] =
    ["hands", "priority", "counters", "endings", "hurdles", "PATH_EMPTY", "SQUARE", "beyond"];

#[test]
fn engine_and_oracle_agree_on_variants() {
    let (mut played, mut positions, mut on_path) = (0u64, 0u64, 0u64);
    let mut covered = [0u64; KEYS.len()];
    for seed in 0..games() {
        let text = variant_spec::spec(seed);
        let Some(game) = tabiya_spec::load(text.as_bytes()).game else { continue };
        played += 1;
        if game.rules.perft_on(Backend::Scalar, &game.rules.start(), 1).is_some() {
            on_path += 1;
            for (key, count) in KEYS.iter().zip(&mut covered) {
                *count += u64::from(text.contains(&format!("\"{key}\"")));
            }
        }
        match compare::compare(&game, 24, 1, seed)
            .and_then(|one| Ok((one, compare::compare(&game, 2, 3, seed)?)))
        {
            Ok((line, tree)) => positions += line.positions + tree.positions,
            Err(difference) => panic!("seed {seed}: {difference}\n{text}"),
        }
    }
    // Enough must have been compared.
    assert!(played * 2 > games() && on_path * 2 > played, "{played} played, {on_path} on the scalar path");
    assert!(covered.iter().all(|count| count * 50 > on_path), "{KEYS:?}: {covered:?} of {on_path}");
    println!("{played} games, {positions} positions, {on_path} on the scalar path, {KEYS:?}: {covered:?}");
}
