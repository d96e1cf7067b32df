//! A randomly damaged spec is either diagnosed or playable. It never causes a panic or an illegal move.
#![allow(clippy::print_stdout, reason = "prints statistics for `cargo xtask prove`")]

use serde_json::Value;
use tabiya_engine::{Backend, Position, Rules};
use tabiya_oracle::random_spec;
use tabiya_players::{Chooser, Random, SplitMix};
use tabiya_spec::library;

/// Returns the number of mutants; `cargo xtask prove mutants` sets more.
fn mutants() -> u64 {
    std::env::var("TABIYA_MUTANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

/// A game in short forms.
const SHORT: &str = include_str!("../../spec/tests/fixtures/short.json");

/// Every valid mutant whose seed is a multiple of this is written in its shortest form, which takes many loads.
const FORMATTED: u64 = 20;

/// The number of moves to play with a valid mutant.
const PLIES: usize = 1000;

#[test]
fn damaged_specs_are_diagnosed_or_playable() {
    let library = library::games();
    let (mut diagnosed, mut played, mut formatted, mut plies) = (0u64, 0u64, 0u64, 0u64);
    for seed in 0..mutants() {
        let mut dice = SplitMix::new(seed);
        let text = match dice.below(4) {
            0 => library[dice.below(library.len())].json.to_owned(),
            1 => SHORT.to_owned(),
            _ => random_spec::spec(seed),
        };
        let text = mutate(&text, &mut dice);
        let loaded = tabiya_spec::load(text.as_bytes());
        let Some(game) = loaded.game else {
            assert!(!loaded.diagnostics.is_empty(), "seed {seed}: refused without a reason\n{text}");
            diagnosed += 1;
            continue;
        };
        played += 1;
        let expand = |text: &str| tabiya_spec::expand(text.as_bytes(), &tabiya_spec::Choices::default());
        let long = expand(&text).unwrap_or_else(|_| panic!("seed {seed}: no long form\n{text}"));
        assert_eq!(expand(&long).ok(), Some(long.clone()), "seed {seed}\n{text}");
        if seed % FORMATTED == 0 {
            let short = tabiya_spec::format(text.as_bytes()).expect("a valid file has a shortest form");
            let again = tabiya_spec::load(short.as_bytes()).game.map(|game| game.hash);
            assert_eq!(again, Some(game.hash), "seed {seed}\n{text}\n{short}");
            formatted += 1;
        }
        let mut player = Random::new(seed);
        let mut position = game.rules.start();
        for ply in 0..PLIES {
            if ply < 40 {
                paths_agree(&game.rules, &position).unwrap_or_else(|it| panic!("seed {seed}: {it}\n{text}"));
            }
            let Some(choice) = player.choose(&game.rules, &position) else { break };
            position = game.rules.play_unchecked(&position, choice);
            assert_eq!(position.key(), position.key_from_scratch(), "seed {seed}\n{text}");
            plies += 1;
        }
    }
    assert!(diagnosed > mutants() / 10 && played > mutants() / 10, "{diagnosed} diagnosed, {played} played");
    println!(
        "{} games, {diagnosed} diagnosed, {played} played, {plies} plies; {formatted} keep their hash in the shortest form",
        mutants()
    );
}

/// Checks that all paths that accept the position find the same moves and counts.
fn paths_agree(rules: &Rules, position: &Position) -> Result<(), String> {
    let moves = rules.legal_moves_on(Backend::General, position);
    for path in Backend::ALL {
        let found = rules.legal_moves_on(path, position);
        if found.is_some() && found != moves {
            return Err(format!("{path:?} finds {found:?}, not {moves:?} in {position:?}"));
        }
        let counted = rules.perft_on(path, position, 2);
        if counted.is_some() && counted != rules.perft_on(Backend::General, position, 2) {
            return Err(format!("{path:?} counts {counted:?} in {position:?}"));
        }
    }
    Ok(())
}

/// Damages the JSON tree in one to three places, or the text in one.
fn mutate(text: &str, dice: &mut SplitMix) -> String {
    if dice.below(10) == 0 {
        let mut bytes = text.as_bytes().to_vec();
        let at = dice.below(bytes.len());
        bytes[at] = b"{}[]\",:0-9aZ"[dice.below(12)];
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut value: Value = serde_json::from_str(text).expect("valid JSON");
    let whole = value.clone();
    for _ in 0..=dice.below(2) {
        let donor = pick(&whole, dice).clone();
        damage(pick_mut(&mut value, dice), donor, dice);
    }
    value.to_string()
}

fn pick<'v>(value: &'v Value, dice: &mut SplitMix) -> &'v Value {
    match value {
        Value::Array(items) if !items.is_empty() && dice.below(8) > 0 => {
            pick(&items[dice.below(items.len())], dice)
        }
        Value::Object(fields) if !fields.is_empty() && dice.below(8) > 0 => {
            let index = dice.below(fields.len());
            pick(fields.values().nth(index).expect("in range"), dice)
        }
        other => other,
    }
}

fn pick_mut<'v>(value: &'v mut Value, dice: &mut SplitMix) -> &'v mut Value {
    let children = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if children == 0 || dice.below(30) == 0 {
        return value;
    }
    let index = dice.below(children);
    let child = match value {
        Value::Array(items) => items.get_mut(index),
        Value::Object(fields) => fields.values_mut().nth(index),
        _ => None,
    };
    pick_mut(child.expect("in range"), dice)
}

fn damage(value: &mut Value, donor: Value, dice: &mut SplitMix) {
    match (dice.below(6), &mut *value) {
        (0, Value::Array(items)) if !items.is_empty() => {
            let index = dice.below(items.len());
            items.remove(index);
        }
        (1, Value::Array(items)) if !items.is_empty() => {
            let index = dice.below(items.len());
            items.push(items[index].clone());
        }
        (0, Value::Object(fields)) if !fields.is_empty() => {
            let key = fields.keys().nth(dice.below(fields.len())).expect("in range").clone();
            fields.shift_remove(&key);
        }
        (2 | 3, Value::Number(_)) => *value = Value::from(dice.below(9) as i64 - 4),
        (4, Value::Number(_)) => *value = Value::from([0, 1, 1_000_000, -1, 1023, i64::MAX][dice.below(6)]),
        (2 | 3, Value::String(text)) => {
            let words =
                ["EMPTY", "ENEMY", "ALLY", "NOT_EMPTY", "KING", "PAWN", "F", "CAPTURE", "MOVE", "UP", ""];
            *text = words[dice.below(words.len())].into();
        }
        _ => *value = donor,
    }
}
