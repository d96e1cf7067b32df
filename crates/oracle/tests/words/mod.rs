//! Counts the words of the language that legal moves of random specs use.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tabiya_engine::{Move, Position, Rules};
use tabiya_players::SplitMix;

/// Keys whose values are words.
const WORDS: [&str; 6] = ["condition", "action", "event", "area", "on", "skip"];

/// Keys that are words themselves.
const KEYS: [&str; 16] = [
    "hurdles",
    "over",
    "beyond",
    "until",
    "same_tag",
    "replaces",
    "square",
    "gates",
    "along",
    "lost",
    "legs",
    "captures",
    "anywhere",
    "same_piece",
    "repeats",
    "moves",
];

/// The plies of the random game in which moves are counted.
const PLIES: usize = 12;

/// By word: the number of specs in which a legal move used it.
#[derive(Default)]
pub(crate) struct WordCounts(BTreeMap<String, u64>);

impl WordCounts {
    /// Plays a random game of a spec and counts the words of all legal moves on the way.
    pub(crate) fn add(&mut self, rules: &Rules, text: &str, seed: u64) {
        let spec: Value = serde_json::from_str(text).expect("a spec is JSON");
        let mut used = BTreeSet::new();
        let mut dice = SplitMix::new(seed);
        let mut position = rules.start();
        for _ in 0..PLIES {
            let moves = rules.legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            gather(&spec["restrictions"], &mut used);
            gather(&spec["priority"], &mut used);
            for played in &moves {
                gather_move(rules, &spec, &position, *played, &mut used);
            }
            position = rules.play_unchecked(&position, moves[dice.below(moves.len())]);
        }
        for word in used {
            *self.0.entry(word).or_insert(0) += 1;
        }
    }

    /// Writes all words with their counts, on one line.
    pub(crate) fn line(&self) -> String {
        let words: Vec<String> = self.0.iter().map(|(word, specs)| format!("{word} {specs}")).collect();
        format!("words that legal moves use, with the number of specs: {}", words.join(", "))
    }
}

/// Gathers the words of the definition of a move, and of the triggers that it sets off.
fn gather_move(rules: &Rules, spec: &Value, position: &Position, played: Move, used: &mut BTreeSet<String>) {
    let pattern = usize::from(played.pattern);
    for (before, _) in rules.parts(position, played).iter().skip(1) {
        gather(&spec["turns"]["then"][before.part() - 1], used);
    }
    if played.dropped().is_some() {
        used.insert("drop".into());
        gather(&spec["hands"]["drops"][pattern], used);
    } else {
        let piece = &spec["pieces"][rules.moving_kind(position, played).index()];
        let moves = piece["moves"].as_array().map_or(0, Vec::len);
        match pattern.checked_sub(moves) {
            None => gather(&piece["moves"][pattern], used),
            Some(_) => drop(used.insert("castling".into())),
        }
    }
    let Some(triggers) = spec["triggers"].as_array() else { return };
    let next = rules.play_unchecked(position, played);
    for trigger in triggers {
        if trigger["on"].as_str().is_some_and(|event| happens(rules, position, &next, played, event)) {
            gather(trigger, used);
        }
    }
}

/// Returns whether the event happens, as far as the position shows it.
fn happens(rules: &Rules, before: &Position, after: &Position, played: Move, event: &str) -> bool {
    let mover = rules.mover(before);
    match event {
        "CAPTURED" => after.piece_count() < before.piece_count(),
        "PROMOTED" => played.promotion.is_some(),
        "DROPPED" => played.dropped().is_some(),
        "STAYED" => played.from == played.to,
        "CHECK" => rules.gives_check(after, mover),
        _ => played.dropped().is_none(),
    }
}

/// Gathers the words in a value.
fn gather(value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|entry| gather(entry, used)),
        Value::Object(object) => {
            for (key, entry) in object {
                if let Some(word) = entry.as_str().filter(|_| WORDS.contains(&key.as_str())) {
                    used.insert(format!("{key} {word}"));
                } else if KEYS.contains(&key.as_str()) {
                    used.insert(key.clone());
                }
                gather(entry, used);
            }
        }
        _ => {}
    }
}
