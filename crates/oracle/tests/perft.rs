//! Known perft counts of every game. This test checks the quick ones; `cargo xtask prove perft` checks all with the binary.

use tabiya_notation::parse_state;

/// Chess in the core vocabulary of the format, which has no letters. Castling is written as in the first description of the
/// format, so it does not need the rook; the counts from the start do not depend on that.
const PLAIN_CHESS: &str = include_str!("plain_chess.json");

/// Larger counts are left to `cargo xtask prove perft`.
const MAX_NODES: u64 = 1_000_000;

#[test]
fn games_reach_known_counts() {
    let table = include_str!("perft.tsv");
    let mut checked = std::collections::BTreeMap::new();
    for row in table.lines().skip(1) {
        let [name, state, depth, nodes] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if nodes > MAX_NODES {
            continue;
        }
        let rules = tabiya_spec::library::load(name).expect("a library game").rules;
        let position = match state {
            "start" => rules.start(),
            text => {
                parse_state(&rules, text).unwrap_or_else(|error| panic!("{name} {text}: {error}")).position
            }
        };
        assert_eq!(rules.perft(&position, depth), nodes, "{row}");
        *checked.entry(name).or_insert(0) += 1;
    }
    // Trefoil, Cambodian chess and Ka Ouk have no counts yet; the oracle checks them.
    let library = tabiya_spec::library::games().len();
    assert_eq!(checked.len(), library - 3, "{checked:?}");
}

#[test]
fn chess_without_letters_is_chess() {
    let rules = tabiya_spec::load(PLAIN_CHESS.as_bytes()).game.expect("it can be played").rules;
    let start = tabiya_notation::State::new(rules.start());
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(tabiya_notation::fen(&rules, &start), text);
    assert_eq!(
        (1..=4).map(|depth| rules.perft(&start.position, depth)).collect::<Vec<_>>(),
        [20, 400, 8902, 197_281]
    );
    let middle = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    let middle = parse_state(&rules, middle).expect("the letters are those of chess").position;
    assert_eq!((1..=3).map(|depth| rules.perft(&middle, depth)).collect::<Vec<_>>(), [46, 2079, 89_890]);
}

/// Removes the key `letter` from every piece of a file.
fn without_letters(json: &str) -> String {
    let long = tabiya_spec::expand(json.as_bytes(), &tabiya_spec::Choices::default()).expect("a game");
    let mut game: serde_json::Value = serde_json::from_str(&long).expect("JSON");
    for piece in game["pieces"].as_array_mut().expect("a list") {
        piece.as_object_mut().expect("an object").remove("letter");
    }
    game.to_string()
}

#[test]
fn library_games_without_letters_count_as_before() {
    for entry in tabiya_spec::library::games() {
        let rules = tabiya_spec::library::load(entry.name).expect("a library game").rules;
        let loaded = tabiya_spec::load(without_letters(entry.json).as_bytes());
        let plain = loaded.game.unwrap_or_else(|| panic!("{}: {:?}", entry.name, loaded.diagnostics)).rules;
        let depth = (1..4).rev().find(|depth| rules.perft(&rules.start(), *depth) < 30_000).unwrap_or(1);
        assert_eq!(plain.perft(&plain.start(), depth), rules.perft(&rules.start(), depth), "{}", entry.name);
        let state = tabiya_notation::State::new(plain.start());
        let text = tabiya_notation::fen(&plain, &state);
        let read = parse_state(&plain, &text).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        assert_eq!(plain.identity(&read.position), plain.identity(&state.position), "{}", entry.name);
    }
}
