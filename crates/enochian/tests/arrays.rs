//! The built-in arrays load, random games with them end, and problems of a user's file are reported with their lines.

use std::collections::BTreeSet;

use tabiya_enochian::{
    Army, DEFAULT_PAWN_DIRECTIONS, DEFAULT_PROMOTION_ZONES, DEFAULT_THRONE_SQUARES, DiagonalSystem,
    Direction, Game, PieceKind, RuleSet, TABLET_OF_FIRE_PROTOTYPE, available_arrays, find_array_by_name,
    read_arrays,
};

/// A file with one small array.
const MINE: &str = "\
arrays:
  - name: Mine
    turn_order: [blue, red, black, yellow]
    throne_squares: { blue: [h8], red: [h1], black: [a1], yellow: [a8] }
    pawn_directions: { blue: west, red: north, black: east, yellow: south }
    promotion_zones: { blue: file a }
    piece_placements:
      - { square: h8, army: blue, kind: king }
      - { square: h1, army: red, kind: king }
      - { square: a1, army: black, kind: king }
      - { square: a8, army: yellow, kind: king }
";

const ELEMENTS: [&str; 4] = ["Fire", "Earth", "Air", "Water"];

fn historical() -> impl Iterator<Item = String> {
    ELEMENTS.iter().flat_map(|board| ELEMENTS.iter().map(move |setting| format!("{setting} of {board}")))
}

#[test]
fn all_arrays_are_built_in() {
    assert_eq!(available_arrays().len(), 36);
    assert_eq!(available_arrays()[0].name, "Tablet of Fire (prototype)");
    for name in historical().chain(ELEMENTS[1..].iter().map(|element| format!("Tablet of {element}"))) {
        assert!(find_array_by_name(&name).is_some(), "{name}");
    }
    assert!(find_array_by_name(" fire OF fire ").is_some());
    assert!(find_array_by_name("Fire of Ice").is_none());
    // The historical arrays can be played in both directions.
    for name in historical() {
        let [array, reversed] = [name.clone(), format!("{name}, widdershins")]
            .map(|name| find_array_by_name(&name).expect("a built-in array"));
        let [first, second, third, fourth] = array.turn_order;
        assert_eq!(reversed.turn_order, [first, fourth, third, second], "{name}");
        assert_eq!(reversed.piece_placements, array.piece_placements, "{name}");
        let game = Game::from_array_spec(reversed).expect("a valid array");
        assert_eq!(game.army_to_move(), Some(first), "{name}");
    }
    // The prototype overrides the direction of Black.
    let zones = TABLET_OF_FIRE_PROTOTYPE.promotion_zones;
    for army in [Army::Blue, Army::Red, Army::Yellow] {
        assert_eq!(zones[army.index()], DEFAULT_PROMOTION_ZONES[army.index()], "{army}");
    }
    assert_eq!(zones[Army::Black.index()], zones[Army::Blue.index()]);
}

#[test]
fn historical_arrays_have_36_pieces_on_32_squares() {
    for name in historical() {
        let array = find_array_by_name(&name).expect("a built-in array");
        let pieces = &array.piece_placements;
        let squares: BTreeSet<u8> = pieces.iter().map(|piece| piece.square).collect();
        assert_eq!((pieces.len(), squares.len()), (36, 32), "{name}");
        for square in
            squares.iter().filter(|square| pieces.iter().filter(|piece| piece.square == **square).count() > 1)
        {
            assert!(array.throne_squares.iter().any(|thrones| thrones.contains(square)), "{name}: {square}");
        }
        for army in Army::ALL {
            let own: Vec<_> = pieces.iter().filter(|piece| piece.army == army).collect();
            assert_eq!(own.len(), 9, "{name} {army}");
            let sharer = own.iter().find(|piece| Some(piece.kind) == array.first_sharer);
            let king = own.iter().find(|piece| piece.kind == PieceKind::King);
            assert_eq!(sharer.map(|piece| piece.square), king.map(|piece| piece.square), "{name} {army}");
        }
    }
}

#[test]
fn blue_and_red_are_passed_over_until_the_board_opens() {
    let mut game = Game::default();
    let mut movers = BTreeSet::new();
    for ply in 0..400 {
        let Some(army) = game.army_to_move() else { break };
        movers.insert(army);
        let moves = game.legal_moves();
        let text = game.move_text(moves[ply * 7919 % moves.len()]);
        game.play(&text).expect("a legal move");
        if movers.len() == 4 {
            return;
        }
    }
    panic!("only {movers:?} ever moved");
}

#[test]
fn all_problems_of_an_array_are_reported() {
    let bad = "\
arrays:
  - name: Odd
    turn_order: [blue, red, green, yellow]
    throne_squares: { blue: [h8], red: [h1], black: [a1], yellow: [] }
    pawn_directions: { blue: west, red: north, black: up, yellow: south }
    piece_placements:
      - { square: h8, army: blue, kind: king }
      - { square: g8, army: blue, kind: king }
      - { square: a1, army: black, kind: king }
      - { square: c3, army: red, kind: king }
      - { square: c3, army: red, kind: rook }
      - { square: d4, army: green, kind: rook }
      - { square: e9, army: red, kind: rook }
      - { square: e5, army: red, kind: pawn }
      - { square: b1, army: red, kind: bishop, diagonal_system: cancer }
";
    let faults = read_arrays(bad).expect_err("an invalid file").0;
    let found = |line: u64, what: &str| {
        let fits = faults.iter().any(|fault| fault.line == line && fault.message.contains(what));
        assert!(fits, "line {line}: {what}, not in\\n{faults:#?}");
    };
    found(3, "`green` is not an army");
    found(3, "every army once");
    found(4, "no throne for yellow");
    found(5, "`up` is not north");
    found(8, "second king");
    found(11, "c3 has 2 pieces");
    found(12, "`green` is not an army");
    found(13, "`e9` is not a square");
    found(14, "needs a `patron`");
    found(15, "b1 belongs to the diagonal system aries");
    assert!(faults.iter().any(|fault| fault.message.contains("yellow has no king")));
    assert!(
        read_arrays("arrays: 3").is_err() && read_arrays("").is_err() && read_arrays("arrays: []").is_err()
    );
}

/// Two kings, two pieces on one square, an unknown army, no throne, a bishop on the wrong diagonal system.
#[test]
fn five_problems_are_reported_with_their_lines() {
    let good = format!(
        "{MINE}      - {{ square: c3, army: red, kind: rook }}
      - {{ square: b1, army: red, kind: bishop, diagonal_system: aries }}
"
    );
    assert_eq!(read_arrays(&good).map(|arrays| arrays.len()), Ok(1));
    let reported = |changes: &[(&str, &str)]| {
        let bad = changes.iter().fold(good.clone(), |text, (from, to)| text.replace(from, to));
        let faults = read_arrays(&bad).expect_err("an invalid file").0;
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let king = ("square: c3, army: red, kind: rook", "square: c3, army: red, kind: king");
    let square = ("square: c3", "square: b1");
    let army = ("army: yellow", "army: green");
    let throne = (", yellow: [a8] }", ", yellow: [] }");
    let network = ("diagonal_system: aries", "diagonal_system: cancer");
    let alone = "only a king and one piece of its team can share a square, and only a throne";
    assert_eq!(reported(&[king]), ["line 12: red has a second king"]);
    assert_eq!(reported(&[square]), [format!("line 13: b1 has 2 pieces: {alone}")]);
    assert_eq!(reported(&[throne]), ["line 4: `throne_squares` has no throne for yellow"]);
    assert_eq!(reported(&[network]), ["line 13: b1 belongs to the diagonal system aries, not cancer"]);
    assert_eq!(
        reported(&[army])[1],
        "line 11: `green` is not an army; the armies are blue, red, black, yellow"
    );
    assert_eq!(reported(&[king, square, army, throne, network]).len(), 6, "with that yellow has no king");
    // A missing key is reported with the rest.
    let gone = ("    turn_order: [blue, red, black, yellow]\n", "");
    let without = reported(&[gone, network]);
    assert_eq!(without.len(), 2, "{without:?}");
    assert_eq!(without[0], "line 2: `Mine` has no `turn_order`");
}

#[test]
fn thrones_and_pawn_directions_override_those_of_the_rules_document() {
    let read = |text: &str| read_arrays(text).unwrap_or_else(|errors| panic!("{errors}")).remove(0);
    let plain: String = MINE
        .lines()
        .filter(|line| !line.contains("throne_") && !line.contains("pawn_"))
        .fold(String::new(), |text, line| {
            text + line.replace("blue: file a", "blue: rank 8").as_str() + "\n"
        });
    let array = read(&plain);
    let thrones = DEFAULT_THRONE_SQUARES.map(|squares| squares.to_vec());
    assert_eq!((&array.throne_squares, array.pawn_directions), (&thrones, DEFAULT_PAWN_DIRECTIONS));
    assert_eq!(array.promotion_zones, DEFAULT_PROMOTION_ZONES);
    assert_eq!(array.throne_squares, TABLET_OF_FIRE_PROTOTYPE.throne_squares);
    let changed = plain.replace(
        "    piece_placements:",
        "    throne_squares: { red: [h1] }\n    pawn_directions: { black: north }\n    piece_placements:",
    );
    let array = read(&changed);
    assert_eq!((&array.throne_squares[0], &array.throne_squares[1]), (&thrones[0], &vec![7]));
    assert_eq!(array.pawn_directions[2], Direction::North);
}

#[test]
fn every_problem_of_a_built_array_is_reported() {
    let mut array = find_array_by_name("Fire of Fire").expect("a built-in array").clone();
    array.piece_placements.retain(|piece| piece.kind != PieceKind::King);
    array.turn_order = [Army::Blue; 4];
    array.throne_squares[1].clear();
    array.promotion_zones = DEFAULT_PROMOTION_ZONES;
    array.piece_placements[3].square = 64;
    let problems = Game::from_array_spec(&array).expect_err("an invalid array").0;
    for wanted in [
        "`turn_order` must list every army once",
        "`throne_squares` has no throne for red",
        "blue promotes on file a, where its pawns are heading",
        "64 is not a square; the squares are 0 (a1) to 63 (h8)",
        "blue has no king in `Fire of Fire`",
        "red has no king in `Fire of Fire`",
        "black has no king in `Fire of Fire`",
        "yellow has no king in `Fire of Fire`",
    ] {
        assert!(problems.iter().any(|problem| problem == wanted), "{wanted}: {problems:#?}");
    }
    for array in available_arrays() {
        assert_eq!(array.problems(), [""; 0], "{}", array.name);
    }
}

#[test]
fn the_controller_map_says_who_moves() {
    let two = MINE.replace(
        "    piece_placements:",
        "    controller_map: { 1: [blue, black], 2: [red, yellow] }\n    piece_placements:",
    );
    let two = format!(
        "{two}      - {{ square: c3, army: red, kind: rook }}\n      - {{ square: f6, army: black, kind: rook }}\n"
    );
    let array = &read_arrays(&two).expect("a valid file")[0];
    assert_eq!(array.controller_map, [vec![Army::Blue, Army::Black], vec![Army::Red, Army::Yellow]]);
    let mut game = Game::from_array_spec(array).expect("a valid array");
    let persons: Vec<Option<usize>> = (0..4)
        .map(|_| {
            let person = game.person_to_move();
            let text = game.move_text(game.legal_moves()[0]);
            game.play(&text).expect("a legal move");
            person
        })
        .collect();
    assert_eq!(persons, [Some(0), Some(1), Some(0), Some(1)]);
    // A person with two armies may give back a king that either of them captured.
    let option = |game: &Game| format!("{:?}", game.rules().mechanics().exchange);
    let by_team = Game::with_rules(array, RuleSet::Document, &[("CAPTOR", "TEAM")]).expect("a valid array");
    let by_player =
        Game::with_rules(array, RuleSet::Document, &[("CAPTOR", "PLAYER")]).expect("a valid array");
    assert_eq!(option(&game), option(&by_team));
    assert_ne!(option(&game), option(&by_player));
    let default = Game::default();
    assert_eq!(default.person_to_move(), Some(Army::Black.index()));
    let bad = two.replace("1: [blue, black], 2: [red, yellow]", "1: [blue, red], 2: [black, red], 3: []");
    let faults: Vec<String> =
        read_arrays(&bad).expect_err("an invalid map").0.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "line 7: `controller_map` assigns red twice",
            "line 7: `controller_map` does not assign yellow",
            "line 7: `controller_map` gives one person blue and red, which are enemies",
            "line 7: `controller_map` gives one person black and red, which are enemies",
            "line 7: `controller_map` has a person without an army",
        ]
    );
}

#[test]
fn a_game_ends_after_many_quiet_turns() {
    let rooks =
        "      - { square: c3, army: red, kind: rook }\n      - { square: f6, army: black, kind: rook }\n";
    let array = &read_arrays(&format!("{MINE}{rooks}")).expect("a valid file")[0];
    let mut game =
        Game::with_rules(array, RuleSet::Document, &[("QUIET_LIMIT", "50")]).expect("a valid array");
    // Kings step to and fro in their corners.
    for turn in 0..50 {
        assert_eq!(game.quiet_turns(), turn);
        let moves = game.legal_moves();
        let king = moves.iter().find(|played| {
            let text = game.move_text(**played);
            text.starts_with('K') && ["a1", "a2", "h1", "h2", "a8", "a7", "h8", "h7"].contains(&&text[3..])
        });
        let text = game.move_text(*king.expect("a step"));
        game.play(&text).expect("a legal move");
    }
    let outcome = game.outcome().expect("the game is over");
    assert_eq!((game.rules().reason(outcome.reason).as_str(), outcome.winners.len()), ("quiet", 0));
    assert_eq!((game.army_to_move(), game.legal_moves().len()), (None, 0));
    assert_eq!(game.play("Kh8h7").map_err(|error| error.to_string()), Err("the game is over".to_owned()));
}

#[test]
fn the_names_of_the_networks_depend_on_the_rule_set() {
    let array = find_array_by_name("Fire of Fire").expect("a built-in array");
    // Black's queen stands on a2 and its bishop on a3.
    for (rules, queen, bishop) in [
        (RuleSet::Document, DiagonalSystem::Aries, DiagonalSystem::Cancer),
        (RuleSet::Zalewski, DiagonalSystem::Cancer, DiagonalSystem::Aries),
    ] {
        let game = Game::with_rules(array, rules, &[]).expect("a valid array");
        let found = [8, 16, 0, 63].map(|square| game.diagonal_system(square));
        assert_eq!(found, [Some(queen), Some(bishop), None, None], "{rules:?}");
    }
}

/// Each part besides the arrays with a problem, then all of them at once.
#[test]
fn the_other_parts_of_the_file_are_checked() {
    let shipped = include_str!("../../../docs/enochian-rules.yaml");
    let (header, _) = shipped.split_once("arrays:").expect("the arrays come last");
    let good = format!("{header}{MINE}");
    assert_eq!(read_arrays(&good).map(|arrays| arrays.len()), Ok(1));
    let reported = |changes: &[(&str, &str)]| {
        let bad = changes.iter().fold(good.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        });
        let faults = read_arrays(&bad).expect_err("an invalid file").0;
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let cases = [
        (("files: 8", "files: 9"), "line 3: `board`: the board has 8 files, not 9"),
        (("bit_0: a1", "bit_0: h1"), "line 3: `board`: bit 0 of a mask is a1, not `h1`"),
        (("air: [blue, black]", "air: [blue, red]"), "line 5: `teams`: air consists of blue and black"),
        (("armies: [blue, red", "armies: [red, red"), "line 7: `armies` must list every army once"),
        (
            ("2: [red, yellow]", "2: [red]"),
            "line 10: `controller_map`: in two_players each player has the two armies of a team",
        ),
        (
            ("0x55AA55AA55AA55AA", "0x55AA55AA55AA55AB"),
            "line 12: `diagonal_systems`: the mask of aries is 0x55AA55AA55AA55AA",
        ),
        (
            ("1: [[king], [pawn]]", "1: [[king, pawn]]"),
            "line 16: `die`: under the rule set zalewski a 1 moves king, or if it cannot move, pawn",
        ),
        ((", 6: [[pawn]]", ", 7: [[pawn]]"), "line 15: `die`: the die has 6 faces, and there is no 7"),
        (("blue: file a", "blue: rank 8"), "line 22: blue promotes on file a"),
    ];
    for (change, what) in cases {
        let faults = reported(&[change]);
        assert!(faults[0].starts_with(what), "{faults:#?} {what}");
    }
    // One of each, an unknown key and a wrong form: all at once, in the order of the file, each place once.
    let unknown = ("arrays:", "colour: red\narrays:");
    let form = ("turn_order: [blue, red, black, yellow]", "turn_order: blue");
    let changes: Vec<_> = cases.iter().map(|(change, _)| *change).chain([unknown, form]).collect();
    let all = reported(&changes);
    assert_eq!(all.len(), cases.len() + 2, "without the zone, with the missing face: {all:#?}");
    let key = "line 17: unknown key `colour`; the keys are board, armies, teams, controller_map, \
               diagonal_systems, die, arrays";
    assert!(all.iter().any(|fault| fault == key), "{all:#?}");
    assert_eq!(all.last().map(String::as_str), Some("line 20: expected sequence start"));
    let twice =
        good.replace(MINE, &format!("{MINE}{}", MINE.replace("arrays:\n", "").replace("Mine", "mine")));
    let twice = read_arrays(&twice).expect_err("two arrays with one name").to_string();
    assert_eq!(twice, "line 28: `mine` is already the name of the array on line 18\n");
}

/// Plays random games with every array under both rule sets.
#[test]
fn random_games_end() {
    for array in available_arrays() {
        for (seed, rules) in [(1usize, RuleSet::Document), (2, RuleSet::Zalewski)] {
            let mut game = Game::with_rules(array, rules, &[]).expect("a valid array");
            for ply in 0..300 {
                let moves = game.legal_moves();
                assert_eq!(moves.is_empty(), game.outcome().is_some(), "{} {rules:?} {ply}", array.name);
                let Some(played) = moves.get((ply * 7919 + seed * 104_729) % moves.len().max(1)) else {
                    break;
                };
                let text = game.move_text(*played);
                game.play(&text).unwrap_or_else(|error| panic!("{} {text}: {error}", array.name));
            }
        }
    }
}
