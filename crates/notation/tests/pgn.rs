//! PGN: round trips, files from other programs, and errors with their places.

mod support;

use support::{every_game, game, random_play};
use tabiya_engine::{Player, PlayerSet};
use tabiya_notation::pgn::{self, Note, PgnError, Remark};
use tabiya_notation::{State, parse_san, parse_state};

/// Parses a text as chess games.
fn read(text: &str) -> Vec<Result<pgn::Game, PgnError>> {
    pgn::games(&game("chess").rules, text).collect()
}

fn read_one(text: &str) -> pgn::Game {
    match read(text).as_slice() {
        [Ok(game)] => game.clone(),
        other => panic!("{other:?}"),
    }
}

/// Checks the only error of a text: line, column, and a part of the reason.
fn assert_fails(text: &str, (line, column): (usize, usize), reason: &str) {
    let errors: Vec<PgnError> = read(text).into_iter().filter_map(Result::err).collect();
    match errors.as_slice() {
        [error] => {
            assert_eq!((error.line, error.column), (line, column), "{error}");
            assert!(error.reason.contains(reason), "{error}");
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn files_from_other_programs_are_read() {
    let text = "\u{feff}; a file of one game\r\n\
        [Event \"A \\\"grand\\\" \\\\ match\"]\r\n[Site \"?\"]\r\n[Result \"1/2-1/2\"]\r\n\
        % skipped text }{\r\n\r\n\
        {The start} 1.e4 $1 e5!? {long\r\n   comment} ; to the end\r\n\
        2.Nf3 (2.f4 exf4 (2... d5 {(} 3. exd5) 3. Nf3) 2... Nc6 3 Bb5 a6?? 4. O-O Nf6 5... d4 exd4 1/2-1/2\r\n";
    let read = read_one(text);
    assert_eq!(read.tag("Event"), Some("A \"grand\" \\ match"));
    assert_eq!(read.tag("Result"), None, "stored as the winners");
    assert_eq!(read.winners, Some(PlayerSet::EMPTY));
    assert_eq!(read.moves.len(), 10);
    let comment = |text: &str| Note::Comment(text.into());
    let notes = [
        (0, comment("The start")),
        (1, Note::Nag(1)),
        (2, Note::Nag(5)),
        (2, comment("long comment")),
        (2, comment("to the end")),
        (6, Note::Nag(4)),
    ];
    assert_eq!(read.remarks, notes.map(|(after, note)| Remark { after, note }));
}

#[test]
fn empty_files_have_no_games() {
    for text in ["", " \n\n", "; nothing\n", "{ nothing }", "%\n", "\u{feff}"] {
        assert!(read(text).is_empty(), "{text:?}");
    }
}

#[test]
fn errors_have_places() {
    assert_fails("1. e4 e5 2. Ke3 *", (1, 13), "the KING cannot move from e1 to e3");
    assert_fails("1. e4\n  Nd2 *", (2, 3), "the KNIGHT cannot move from b8 to d2");
    assert_fails("1. e4 e5", (1, 9), "no result");
    assert_fails("1. e4 (1. d4 *", (1, 7), "the variation is not closed");
    assert_fails("1. e4 ) *", (1, 7), "does not close a variation");
    assert_fails("(1. e4) *", (1, 1), "precedes the first move");
    assert_fails("1. e4 {ä} {oh *", (1, 11), "the comment is not closed");
    assert_fails("1. e4 $256 *", (1, 7), "$256");
    assert_fails("1. e4 > *", (1, 7), "`>` has no meaning");
    assert_fails("[Event \"x]\n\n*", (1, 1), "the value of the tag Event is not closed");
    assert_fails("[Event]\n\n*", (1, 1), "the tag Event has no value");
    assert_fails("[\"x\"]\n\n*", (1, 1), "a name and a value");
    assert_fails("[Event \"x\"\n\n*", (1, 1), "does not end with `]`");
    assert_fails("[Event \"x\"]\n[Site \"\"]\n[Site \"\"]\n\n*", (3, 1), "the tag Site appears twice");
    assert_fails("[Result \"1-0\"]\n\n1. e4 0-1", (1, 1), "the tag says 1-0");
    assert_fails("1. e4 1-0-0", (1, 7), "not a result of this game");
    assert_fails("[SetUp \"1\"]\n\n*", (1, 1), "there is none");
    assert_fails("[SetUp \"0\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - -\"]\n\n*", (2, 1), "there is a FEN");
    assert_fails("[SetUp \"1\"]\n[FEN \"x\"]\n\n*", (2, 1), "four or six fields");
    assert_fails("1. f3 e5 2. g4 Qh4# 3. a3 0-1", (1, 24), "the game is over");
}

#[test]
fn parsing_continues_with_the_next_game_after_an_error() {
    let good = "[Event \"good\"]\n[Site \"?\"]\n\n1. e4 *\n\n";
    for bad in [
        "[Event \"bad\n[Site \"?\"]\n\n1. e4 *\n\n",
        "[Event \"bad\"]\n[Site ?]\n[Round \"?\"]\n\n1. e4 *\n\n",
        "[Event \"bad\"]\n[Site \"?\"]\n\n1. e4 {never closed *\n\n",
        "[Event \"bad\"]\n[Site \"?\"]\n\n1. e4 (1. d4 *\n\n",
        "[Event \"bad\"]\n[Site \"?\"]\n\n1. e4 e5\n\n",
        "[Event \"bad\"]\n[Site \"?\"]\n\n",
        "[Event \"bad\"]\n[Event \"?\"]\n\n",
        "[Event \"bad\"]\n[Site \"?\"]\n\n1. e5 *\n\n",
        "[Event \"bad\"]\n[Site \"?\"]\n\n1. e4 e5 ]]] [%clk 1] *\n\n",
        "}\n",
    ] {
        let text = format!("{good}{bad}{good}");
        let found = read(&text);
        let goods = found.iter().flatten().filter(|game| game.tag("Event") == Some("good")).count();
        assert_eq!(goods, 2, "{bad}\n{found:#?}");
        assert!(found.iter().any(Result::is_err), "{bad}");
    }
}

#[test]
fn broken_games_take_linear_time() {
    let text = "[A \"b\"]\n{\n".repeat(50_000);
    assert_eq!(read(&text).len(), 50_000);
    let deep = format!("1. e4 {} *", "(".repeat(500_000));
    assert_eq!(read(&deep).len(), 1);
    let closed = format!("1. e4 {}{} *", "(".repeat(200_000), ")".repeat(200_000));
    assert_eq!(read_one(&closed).moves.len(), 1);
}

#[test]
fn chess_is_written_in_export_format() {
    let chess = game("chess");
    let rules = &chess.rules;
    let mut record = pgn::Game::new(State::new(rules.start()));
    record.set_tag("White", "Ada \"the\" \\ first");
    record.set_tag("Annotator", "tab\there");
    record.set_tag("Time Control", "60");
    record.winners = Some([Player(1)].into_iter().collect());
    record.remark(Note::Comment("The fool's mate, {played} slowly: ".repeat(3)));
    let mut position = rules.start();
    for text in ["f3", "e5", "g4", "Qh4#"] {
        let played = parse_san(rules, &position, text).expect("a move");
        position = rules.play_unchecked(&position, played);
        record.moves.push(played);
        if text == "f3" {
            record.remark(Note::Nag(2));
            record.remark(Note::Comment("[%clk 0:01]".into()));
        }
    }
    let expected = "\
[Event \"?\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"Ada \\\"the\\\" \\\\ first\"]
[Black \"?\"]
[Result \"0-1\"]
[Annotator \"tab here\"]
[Termination \"normal\"]
[Time_Control \"60\"]

{The fool's mate, (played) slowly: The fool's mate, (played) slowly: The fool's
mate, (played) slowly:} 1. f3 $2 {[%clk 0:01]} 1... e5 2. g4 Qh4# 0-1

";
    let text = pgn::write(rules, &record).expect("legal moves");
    assert_eq!(text, expected);
    let again = read_one(&text);
    assert_eq!(again.moves, record.moves);
    assert_eq!(pgn::write(rules, &again).as_deref(), Ok(expected));
}

#[test]
fn another_starting_position_is_written_as_fen() {
    let chess = game("chess");
    let start = parse_state(&chess.rules, "4k3/8/8/8/8/8/8/4K2R b K - 3 7").expect("a state");
    let mut record = pgn::Game::new(start.clone());
    for text in ["Kd7", "O-O"] {
        let position = record
            .moves
            .iter()
            .fold(start.position.clone(), |position, played| chess.rules.play_unchecked(&position, *played));
        record.moves.push(parse_san(&chess.rules, &position, text).expect("a move"));
    }
    let text = pgn::write(&chess.rules, &record).expect("legal moves");
    assert!(text.contains(
        "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 7\"]\n[SetUp \"1\"]\n[Termination \"unterminated\"]\n"
    ));
    assert!(text.ends_with("\n\n7... Kd7 8. O-O *\n\n"), "{text}");
    let read = read_one(&text);
    assert_eq!(read.start, start);
    assert_eq!(read.moves, record.moves);
}

#[test]
fn every_game_round_trips() {
    // Moves alone do not record the throws of a die.
    for (name, game) in every_game().filter(|(_, game)| game.rules.faces().is_none()) {
        let rules = &game.rules;
        let mut file = String::new();
        let mut records = Vec::new();
        for seed in 0..3 {
            let mut record = pgn::Game::new(State::new(rules.start()));
            record.set_tag("Variant", name);
            record.moves = random_play(rules, seed, 100, |_| {});
            record.winners = match seed {
                0 => None,
                1 => Some(PlayerSet::EMPTY),
                _ => Some([Player(1)].into_iter().collect()),
            };
            record.remarks.push(Remark { after: 3, note: Note::Comment("so far".into()) });
            file.push_str(&pgn::write(rules, &record).expect("legal moves"));
            records.push(record);
        }
        assert!(file.lines().all(|line| line.starts_with('[') || line.chars().count() < 80), "{name}");
        let read: Vec<pgn::Game> = pgn::games(rules, &file)
            .map(|read| read.unwrap_or_else(|error| panic!("{name}: {error}\n{file}")))
            .collect();
        assert_eq!(read.len(), records.len(), "{name}");
        for (read, record) in read.iter().zip(&records) {
            assert_eq!((&read.moves, &read.remarks), (&record.moves, &record.remarks), "{name}");
            assert_eq!((read.winners, read.tag("Variant")), (record.winners, Some(name)));
        }
        let again: String = read.iter().map(|read| pgn::write(rules, read).expect("legal moves")).collect();
        assert_eq!(again, file, "{name}");
    }
}

#[test]
fn files_with_several_variants_are_read() {
    let mut file = String::new();
    for name in ["gardner", "fourplayer", "chess"] {
        let game = game(name);
        let mut record = pgn::Game::new(State::new(game.rules.start()));
        record.set_tag("Variant", name);
        record.moves = random_play(&game.rules, 5, 10, |_| {});
        file.push_str(&pgn::write(&game.rules, &record).expect("legal moves"));
    }
    let names: Vec<String> = pgn::entries(&file)
        .map(|entry| {
            let entry = entry.expect("PGN that was just written");
            let name = entry.tag("Variant").expect("a Variant tag").to_owned();
            assert_eq!(entry.read(&game(&name).rules).expect("a game").moves.len(), 10);
            name
        })
        .collect();
    assert_eq!(names, ["gardner", "fourplayer", "chess"]);
}

#[test]
fn illegal_games_are_not_written() {
    let chess = game("chess");
    let mut record = pgn::Game::new(State::new(chess.rules.start()));
    let first = chess.rules.legal_moves(&chess.rules.start())[0];
    record.moves = vec![first, first];
    assert!(pgn::write(&chess.rules, &record).is_err());
}
