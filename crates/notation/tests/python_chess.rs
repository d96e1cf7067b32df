//! Compares PGN of chess with python-chess: it reads our files, and we read its files.
//!
//! `cargo xtask test` installs python-chess and sets `TABIYA_PYTHON`. Without it the test prints a note and passes.
#![allow(clippy::print_stderr, reason = "reports a skipped test")]

mod support;

use support::{game, python, random_play};
use tabiya_notation::{State, parse_state, pgn, simplified_fen};

/// Reads games from standard input; prints errors, result and final position of each, then the games.
const SCRIPT: &str = "\
import sys, io, chess.pgn
text = io.StringIO(sys.stdin.read())
games = list(iter(lambda: chess.pgn.read_game(text), None))
for game in games:
    board = game.end().board()
    print(len(game.errors), game.headers['Result'], ' '.join(board.fen().split()[:4]), sep='|')
print('====')
for game in games:
    print(game, end='\\n\\n')
";

#[test]
fn pgn_is_compatible_with_python_chess() {
    if python("import chess.pgn", "").is_none() {
        eprintln!("skipped: python-chess is not installed");
        return;
    }
    let chess = game("chess");
    let rules = &chess.rules;
    let mut records = Vec::new();
    for seed in 0..40 {
        let mut record = pgn::Game::new(State::new(rules.start()));
        record.moves = random_play(rules, seed, 160, |_| {});
        record.set_tag("White", "a \"quoted\" \\ name");
        if seed % 2 == 1 {
            record.remarks.push(pgn::Remark { after: 7, note: pgn::Note::Comment("so far ".repeat(30)) });
            record.remarks.push(pgn::Remark { after: 8, note: pgn::Note::Nag(3) });
        }
        records.push(record);
    }
    let start = parse_state(rules, "r3k2r/pP6/8/8/4pP2/8/8/R3K2R b KQkq f3 0 7").expect("a state");
    records.push(pgn::Game::new(start));
    let file: String = records.iter().map(|record| pgn::write(rules, record).expect("legal moves")).collect();

    let answer = python(SCRIPT, &file).expect("python-chess reads the file");
    let (lines, again) = answer.split_once("====\n").expect("the script prints it");
    for (record, line) in records.iter().zip(lines.lines()) {
        let last = record
            .moves
            .iter()
            .fold(record.start.position.clone(), |position, played| rules.play_unchecked(&position, *played));
        assert_eq!(line, format!("0|*|{}", simplified_fen(rules, &last)));
    }
    assert_eq!(lines.lines().count(), records.len());

    let read: Vec<pgn::Game> = pgn::games(rules, again)
        .map(|read| read.unwrap_or_else(|error| panic!("{error}\n{again}")))
        .collect();
    assert_eq!(read.len(), records.len());
    for (read, record) in read.iter().zip(&records) {
        assert_eq!(read.moves, record.moves);
    }
    assert_eq!(read[0].tag("White"), Some("a \"quoted\" \\ name"));

    // The movetext is identical, check and mate signs included; only comments are wrapped differently.
    let movetexts = |text: &str| -> Vec<Vec<String>> {
        let texts =
            text.split("\n\n").filter(|part| !part.trim_start().starts_with('[') && !part.contains('{'));
        let words = texts.map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        words.filter(|words| !words.is_empty()).collect()
    };
    assert_eq!(movetexts(&file).len(), 21);
    assert_eq!(movetexts(again), movetexts(&file));
}
