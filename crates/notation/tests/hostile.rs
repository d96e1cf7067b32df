//! No text makes a parser panic: random bytes, damaged text, truncated text.

mod support;

use support::{every_game, random_play};
use tabiya_engine::{Position, Rules};
use tabiya_notation::{
    State, fen, parse_san, parse_state, parse_state_strict, parse_uci, pgn, san, state_json, uci,
};
use tabiya_players::SplitMix;

/// Passes a text to every parser.
fn parse_everywhere(rules: &Rules, position: &Position, text: &str) {
    let _ = parse_state(rules, text);
    let _ = parse_state_strict(rules, text);
    for moves in [parse_uci(rules, position, text), parse_san(rules, position, text)] {
        match moves {
            Ok(played) => assert!(rules.legal_moves(position).contains(&played), "{text}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    for game in pgn::games(rules, text) {
        match game {
            Ok(game) => assert!(pgn::write(rules, &game).is_ok(), "{text}"),
            Err(error) => assert!(error.line >= 1 && error.column >= 1 && !error.reason.is_empty()),
        }
    }
}

/// Texts with a meaning for some parser, and some without.
const ALPHABET: &[&str] = &[
    "K",
    "Q",
    "R",
    "B",
    "N",
    "P",
    "k",
    "q",
    "p",
    "a",
    "e",
    "h",
    "x",
    "0",
    "1",
    "2",
    "8",
    "9",
    "/",
    "-",
    "=",
    "+",
    "#",
    "!",
    "?",
    ".",
    "*",
    ":",
    ",",
    ";",
    "%",
    "$",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "\\",
    " ",
    "\n",
    "\r",
    "\t",
    "\0",
    "O-O",
    "O-O-O",
    "0-0",
    "1-0",
    "1/2-1/2",
    "e.p.",
    "[FEN \"",
    "{\"pieces\":",
    "flags=",
    "out=",
    "é",
    "𝔎",
    "\u{feff}",
    "99999999999999999999",
    "-1",
];

fn noise(dice: &mut SplitMix) -> String {
    (0..dice.below(40)).map(|_| ALPHABET[dice.below(ALPHABET.len())]).collect()
}

/// Replaces, removes or inserts a few characters.
fn damaged(dice: &mut SplitMix, text: &str) -> String {
    let mut parts: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..=dice.below(3) {
        let at = dice.below(parts.len() + 1);
        let other = ALPHABET[dice.below(ALPHABET.len())].to_owned();
        match (dice.below(3), at < parts.len()) {
            (0, true) => drop(parts.remove(at)),
            (1, true) => parts[at] = other,
            _ => parts.insert(at, other),
        }
    }
    parts.concat()
}

/// Returns valid texts of a position: the state and its moves in both formats, and the game so far.
fn valid_texts(rules: &Rules, seed: u64) -> (Position, Vec<String>) {
    let mut record = pgn::Game::new(State::new(rules.start()));
    let mut last = rules.start();
    record.moves = random_play(rules, seed, 14, |position| last.clone_from(position));
    record.moves.pop();
    if rules.faces().is_some() {
        // Moves alone do not record the throws of a die.
        record.moves.clear();
    }
    let state = State::new(last.clone());
    let mut texts = vec![
        fen(rules, &state),
        state_json(rules, &state).to_string(),
        pgn::write(rules, &record).expect("legal moves"),
    ];
    for played in rules.legal_moves(&last).into_iter().take(6) {
        texts.extend([san(rules, &last, played), uci(rules, &last, played)]);
    }
    (last, texts)
}

#[test]
fn noise_does_not_panic() {
    let mut dice = SplitMix::new(1);
    for (_, game) in every_game() {
        let start = game.rules.start();
        for _ in 0..150 {
            parse_everywhere(&game.rules, &start, &noise(&mut dice));
            let bytes: Vec<u8> = (0..dice.below(30)).map(|_| dice.next_u64() as u8).collect();
            parse_everywhere(&game.rules, &start, &String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn damaged_text_does_not_panic() {
    let mut dice = SplitMix::new(2);
    for (_, game) in every_game() {
        let (position, texts) = valid_texts(&game.rules, 3);
        for text in &texts {
            for _ in 0..12 {
                parse_everywhere(&game.rules, &position, &damaged(&mut dice, text));
            }
        }
    }
}

#[test]
fn truncated_text_does_not_panic() {
    for (_, game) in every_game() {
        let (position, texts) = valid_texts(&game.rules, 4);
        for text in &texts {
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            for end in ends.iter().step_by(ends.len() / 60 + 1) {
                parse_everywhere(&game.rules, &position, &text[..*end]);
                parse_everywhere(&game.rules, &position, &text[*end..]);
            }
        }
    }
}

#[test]
fn long_texts_are_handled_quickly() {
    let chess = support::game("chess");
    let start = chess.rules.start();
    for part in
        ["a", "1", "/", "(", "{", "[", "x", "#", "e4 ", "=Q", ".", "-", "!", "O-O-", "[A \"", "k=", "e.p."]
    {
        parse_everywhere(&chess.rules, &start, &part.repeat(100_000));
    }
}
