//! Words of Betza notation that together say a list of moves.

use serde_json::{Value, json};

use crate::diagnostic::Diagnostics;
use crate::{parse, short};

/// Directions of straight leaps and slides, the shortest first.
const STRAIGHT: [&str; 20] = [
    "", "f", "b", "l", "r", "s", "v", "fs", "bs", "fl", "fr", "bl", "br", "lv", "rv", "fb", "fbl", "fbr",
    "flr", "blr",
];

/// Directions of crooked leaps.
const CROOKED: [&str; 21] = [
    "", "f", "b", "s", "v", "ff", "bb", "ll", "rr", "fs", "bs", "fh", "bh", "lh", "rh", "fr", "fl", "br",
    "bl", "hl", "hr",
];

/// Atoms with their steps. Those that cover most come first.
const ATOMS: [(&str, &[(i64, i64)]); 24] = [
    ("Q", &[(1, 0), (1, 1)]),
    ("K", &[(1, 0), (1, 1)]),
    ("R", &[(1, 0)]),
    ("B", &[(1, 1)]),
    ("NN", &[(2, 1)]),
    ("N", &[(2, 1)]),
    ("W", &[(1, 0)]),
    ("F", &[(1, 1)]),
    ("D", &[(2, 0)]),
    ("A", &[(2, 2)]),
    ("C", &[(3, 1)]),
    ("Z", &[(3, 2)]),
    ("H", &[(3, 0)]),
    ("G", &[(3, 3)]),
    ("W2", &[(1, 0)]),
    ("W3", &[(1, 0)]),
    ("W4", &[(1, 0)]),
    ("F2", &[(1, 1)]),
    ("F3", &[(1, 1)]),
    ("F4", &[(1, 1)]),
    ("DD", &[(2, 0)]),
    ("AA", &[(2, 2)]),
    ("CC", &[(3, 1)]),
    ("ZZ", &[(3, 2)]),
];

/// The flag that `e` sets and tests.
const EN_PASSANT: &str = "EN_PASSANT";

/// A cover of some moves: a word, and the moves that it does not say.
pub(super) struct Cover {
    pub(super) word: String,
    pub(super) rest: Vec<Value>,
}

/// Finds words that say as many of the moves as possible. Moves have no `id`. `slots` is the length of the turn order.
pub(super) fn cover(moves: &[Value], slots: usize) -> Cover {
    let text: Vec<String> = moves.iter().map(canonical).collect();
    let passes = text.iter().any(|text| text.contains(EN_PASSANT));
    let candidates = candidates(moves, passes, slots);
    let mut left: Vec<usize> = (0..moves.len()).collect();
    let mut words: Vec<(usize, &str)> = Vec::new();
    loop {
        let covers = |said: &[String]| said.iter().all(|it| left.iter().any(|index| text[*index] == *it));
        let fitting = candidates.iter().filter(|(_, said)| !said.is_empty() && covers(said));
        let Some((word, said)) = fitting.max_by_key(|(word, said)| (said.len(), usize::MAX - word.len()))
        else {
            break;
        };
        let first = left.iter().position(|index| said.contains(&text[*index])).map_or(0, |at| left[at]);
        words.push((first, word));
        left.retain(|index| !said.contains(&text[*index]));
    }
    words.sort_by_key(|(first, _)| *first);
    Cover {
        word: words.into_iter().map(|(_, word)| word).collect(),
        rest: left.into_iter().map(|index| moves[index].clone()).collect(),
    }
}

/// Returns the words whose steps occur, each with the moves that it says.
fn candidates(moves: &[Value], passes: bool, slots: usize) -> Vec<(String, Vec<String>)> {
    let occurs = |(x, y): &(i64, i64)| {
        moves.iter().any(|it| {
            let step = |index: usize| it["step"][index].as_i64().unwrap_or(0).abs();
            (step(0).max(step(1)), step(0).min(step(1))) == (*x, *y)
        })
    };
    let is_used = |text: &str| moves.iter().any(|it| it.to_string().contains(text));
    let (starts, lame) = (is_used("FIRST_MOVE"), is_used("PATH_EMPTY") || is_used("SQUARE"));
    let hops = is_used("\"hurdles\":1");
    let mut words = Vec::new();
    for (atom, steps) in ATOMS.iter().filter(|(_, steps)| steps.iter().all(occurs)) {
        let is_crooked = steps.iter().any(|(x, y)| *y != 0 && x != y);
        let directions: &[&str] = if is_crooked { &CROOKED } else { &STRAIGHT };
        for direction in directions {
            for kind in ["", "m", "c"] {
                for first in [&[""][..], &["i"]].into_iter().take(1 + usize::from(starts)).flatten() {
                    for way in [&[""][..], &["n"]].into_iter().take(1 + usize::from(lame)).flatten() {
                        words.push(format!("{first}{direction}{kind}{way}{atom}"));
                    }
                    // The letter of a single step would mean the same.
                    for hop in ["p", "g"].into_iter().filter(|_| hops && !["K", "W", "F"].contains(atom)) {
                        words.push(format!("{first}{direction}{kind}{hop}{atom}"));
                    }
                }
            }
            if passes && *atom == "F" {
                words.push(format!("{direction}ce{atom}"));
            }
        }
    }
    let said = said(&words, passes, slots);
    words.into_iter().zip(said).collect()
}

/// Returns the moves that each word says, in the long form without `id`.
fn said(words: &[String], passes: bool, slots: usize) -> Vec<Vec<String>> {
    const PASSING: &str = "fceF";
    words
        .chunks(200)
        .flat_map(|words| {
            let piece = |word: &String| {
                let mut moves = vec![json!({ "betza": word })];
                moves.extend(passes.then(|| json!({ "betza": PASSING })));
                json!({ "code": word, "moves": moves })
            };
            let pieces: Vec<Value> = words.iter().map(piece).collect();
            let order = vec![json!("A"); slots.max(1)];
            let file = json!({ "turns": { "order": order }, "pieces": pieces }).to_string();
            let mut diags = Diagnostics::new(&file);
            let mut json = parse::document(&file, &mut diags).expect("written as JSON");
            short::expand(&mut json, &mut diags);
            let long = short::value(&json);
            let moves = |piece: &Value| -> Vec<String> {
                let mut moves: Vec<Value> = piece["moves"].as_array().cloned().unwrap_or_default();
                moves.truncate(moves.len() - if passes { 2.min(moves.len()) } else { 0 });
                moves.iter_mut().for_each(without_id);
                moves.iter().map(canonical).collect()
            };
            let failed = diags.any_error();
            let pieces = long["pieces"].as_array().cloned().unwrap_or_default();
            let all: Vec<Vec<String>> = pieces.iter().map(moves).collect();
            if failed { one_by_one(words, &all) } else { all }
        })
        .collect()
}

/// Drops the words that cannot be read.
fn one_by_one(words: &[String], all: &[Vec<String>]) -> Vec<Vec<String>> {
    let is_word = |word: &String| short::betza::parse(word).is_ok();
    words.iter().zip(all).map(|(word, said)| if is_word(word) { said.clone() } else { Vec::new() }).collect()
}

/// Removes the number of a move.
pub(super) fn without_id(entry: &mut Value) {
    if let Value::Object(entry) = entry {
        entry.shift_remove("id");
    }
}

/// Returns a move as text, with its keys and conditions sorted.
fn canonical(entry: &Value) -> String {
    let mut entry = entry.clone();
    if let Some(Value::Array(conditions)) = entry.get_mut("conditions") {
        conditions.sort_by_cached_key(Value::to_string);
    }
    if let Some(Value::Array(actions)) = entry.get_mut("actions") {
        actions.sort_by_cached_key(Value::to_string);
    }
    entry.sort_all_objects();
    entry.to_string()
}
