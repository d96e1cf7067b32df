//! Engine and oracle agree on random specs to depth 3.
#![allow(clippy::print_stdout, reason = "the figure of `cargo xtask prove`")]

mod words;

use tabiya_oracle::{compare, random_spec};

/// Returns the seeds of the random specs. `cargo xtask prove wild` sets more, and a part of them can be run elsewhere.
fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("TABIYA_RANDOM_FIRST").unwrap_or(0);
    first..first + number("TABIYA_RANDOM_SPECS").unwrap_or(600)
}

/// Specs on which engine and oracle once differed.
const DIFFERED_ONCE: [u64; 4] = [1642, 1648, 2754, 10521];

#[test]
fn engine_and_oracle_agree_on_random_specs() {
    let (mut played, mut positions, mut moves, mut ends) = (0, 0, 0, 0);
    let (mut throws, mut offers) = (0, 0);
    let mut words = words::WordCounts::default();
    for seed in seeds().chain(DIFFERED_ONCE) {
        let text = random_spec::spec(seed);
        if std::env::var_os("TABIYA_RANDOM_SHOW").is_some() {
            println!("{text}");
        }
        let loaded = tabiya_spec::load(text.as_bytes());
        let Some(game) = loaded.game else {
            let faults: Vec<_> = loaded.diagnostics.iter().map(|it| (it.code, &it.message)).collect();
            panic!("seed {seed}: a random spec has errors: {faults:?}\n{text}");
        };
        // Exchanges happen only late in a game.
        let line = if game.spec.exchange.is_some() { 40 } else { 0 };
        let compared = compare::compare(&game, 3, 4, seed)
            .and_then(|tree| Ok((tree, compare::compare(&game, line, 1, seed)?)));
        match compared {
            Ok((walk, line)) => {
                played += 1;
                words.add(&game.rules, &text, seed);
                positions += walk.positions;
                moves += walk.moves;
                ends += walk.ends;
                throws += walk.throws + line.throws;
                offers += walk.offers + line.offers;
            }
            Err(difference) => panic!("seed {seed}: {difference}\n{text}"),
        }
    }
    println!("{}", words.line());
    // Enough must have been compared.
    assert!(moves > 20 * played && ends > played / 20, "{played} games, {moves} moves, {ends} ends");
    assert!(throws > played && offers > played / 100, "{throws} throws, {offers} offers");
    println!(
        "{played} games, {positions} positions, {moves} moves, {ends} ends, {throws} throws, {offers} offers"
    );
}
