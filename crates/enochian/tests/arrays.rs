//! The arrays: all load, the game file has the same, and whatever is wrong with a file of one's own is told with its line.

use std::collections::BTreeSet;

use serde_json::Value;
use tabiya_enochian::{
    Army, DEFAULT_PROMOTION_ZONES, Game, PieceKind, RuleSet, TABLET_OF_FIRE_PROTOTYPE, available_arrays,
    find_array_by_name, layout_json, read_arrays,
};

const ELEMENTS: [&str; 4] = ["Fire", "Earth", "Air", "Water"];

fn historical() -> impl Iterator<Item = String> {
    ELEMENTS.iter().flat_map(|board| ELEMENTS.iter().map(move |setting| format!("{setting} of {board}")))
}

#[test]
fn every_array_of_the_papers_is_there() {
    assert_eq!(available_arrays().len(), 20);
    assert_eq!(available_arrays()[0].name, "Tablet of Fire (prototype)");
    for name in historical().chain(ELEMENTS[1..].iter().map(|element| format!("Tablet of {element}"))) {
        assert!(find_array_by_name(&name).is_some(), "{name}");
    }
    assert!(find_array_by_name(" fire OF fire ").is_some());
    assert!(find_array_by_name("Fire of Ice").is_none());
    // The prototype overrides the direction of Black.
    let zones = TABLET_OF_FIRE_PROTOTYPE.promotion_zones;
    for army in [Army::Blue, Army::Red, Army::Yellow] {
        assert_eq!(zones[army.index()], DEFAULT_PROMOTION_ZONES[army.index()], "{army}");
    }
    assert_eq!(zones[Army::Black.index()], zones[Army::Blue.index()]);
}

#[test]
fn historical_arrays_have_36_men_on_32_squares() {
    for name in historical() {
        let array = find_array_by_name(&name).expect("it is there");
        let men = &array.piece_placements;
        let squares: BTreeSet<u8> = men.iter().map(|man| man.square).collect();
        assert_eq!((men.len(), squares.len()), (36, 32), "{name}");
        for square in
            squares.iter().filter(|square| men.iter().filter(|man| man.square == **square).count() > 1)
        {
            assert!(array.throne_squares.iter().any(|thrones| thrones.contains(square)), "{name}: {square}");
        }
        for army in Army::ALL {
            let own: Vec<_> = men.iter().filter(|man| man.army == army).collect();
            assert_eq!(own.len(), 9, "{name} {army}");
            let sharer = own.iter().find(|man| Some(man.kind) == array.first_sharer);
            let king = own.iter().find(|man| man.kind == PieceKind::King);
            assert_eq!(sharer.map(|man| man.square), king.map(|man| man.square), "{name} {army}");
        }
    }
}

/// The game file is made from the arrays: they are the same.
#[test]
fn the_game_file_has_the_same_layouts() {
    let entry = tabiya_spec::library::find("enochian").expect("it is in the library");
    let file: Value = serde_json::from_str(entry.json).expect("it is JSON");
    let layouts = file["layouts"].as_object().expect("there are layouts");
    for array in available_arrays() {
        assert_eq!(layouts.get(&array.name), Some(&layout_json(array)), "{}", array.name);
    }
    let others = layouts.keys().filter(|name| find_array_by_name(name).is_none());
    for name in others {
        let (array, way) = name.split_once(", ").expect(name);
        assert_eq!(way, "widdershins");
        let mut turned = find_array_by_name(array).expect(name).clone();
        turned.turn_order[1..].reverse();
        let turned = layout_json(&turned);
        let mut found = layouts[name].clone();
        found["about"] = turned["about"].clone();
        assert_eq!(found, turned, "{name}");
    }
    // The file by itself is the prototype.
    let prototype = layout_json(&TABLET_OF_FIRE_PROTOTYPE);
    for player in file["players"].as_array().expect("players") {
        let same = &prototype["players"][player["name"].as_str().expect("a name")];
        assert_eq!(
            (&player["direction"], &player["starting_positions"]),
            (&same["direction"], &same["starting_positions"])
        );
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
fn a_file_with_every_fault_is_told_all_of_them() {
    let bad = "\
arrays:
  - name: Odd
    turn_order: [blue, red, green, yellow]
    throne_squares: { blue: [h8], red: [h1], black: [a1] }
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
    let faults = read_arrays(bad).expect_err("it is full of faults").0;
    let found = |line: u64, what: &str| {
        let fits = faults.iter().any(|fault| fault.line == line && fault.what.contains(what));
        assert!(fits, "line {line}: {what}, not in\\n{faults:#?}");
    };
    found(3, "`green` is no army");
    found(3, "every army once");
    found(4, "no throne for yellow");
    found(5, "`up` is none of north");
    found(8, "second king");
    found(11, "2 men stand on c3");
    found(12, "`green` is no army");
    found(13, "`e9` is no square");
    found(14, "needs a `patron`");
    found(15, "b1 lies on the network of aries");
    assert!(faults.iter().any(|fault| fault.what.contains("yellow has no king")));
    assert!(
        read_arrays("arrays: 3").is_err() && read_arrays("").is_err() && read_arrays("arrays: []").is_err()
    );
}

/// Two kings, two men on one square, an unknown army, no throne, a bishop on the other network: one array with just these.
#[test]
fn five_faults_are_told_with_their_lines() {
    let good = "\
arrays:
  - name: Mine
    turn_order: [blue, red, black, yellow]
    throne_squares: { blue: [h8], red: [h1], black: [a1], yellow: [a8] }
    pawn_directions: { blue: west, red: north, black: east, yellow: south }
    piece_placements:
      - { square: h8, army: blue, kind: king }
      - { square: h1, army: red, kind: king }
      - { square: a1, army: black, kind: king }
      - { square: a8, army: yellow, kind: king }
      - { square: c3, army: red, kind: rook }
      - { square: b1, army: red, kind: bishop, diagonal_system: aries }
";
    assert_eq!(read_arrays(good).map(|arrays| arrays.len()), Ok(1));
    let told = |changes: &[(&str, &str)]| {
        let bad = changes.iter().fold(good.to_owned(), |text, (from, to)| text.replace(from, to));
        let faults = read_arrays(&bad).expect_err("it is faulty").0;
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let king = ("square: c3, army: red, kind: rook", "square: c3, army: red, kind: king");
    let square = ("square: c3", "square: b1");
    let army = ("army: yellow", "army: green");
    let throne = (", yellow: [a8] }", " }");
    let network = ("diagonal_system: aries", "diagonal_system: cancer");
    let alone = "only a king and one man of his team share a square, and only a throne";
    assert_eq!(told(&[king]), ["line 11: red has a second king"]);
    assert_eq!(told(&[square]), [format!("line 12: 2 men stand on b1: {alone}")]);
    assert_eq!(told(&[throne]), ["line 4: `throne_squares` has no throne for yellow"]);
    assert_eq!(told(&[network]), ["line 12: b1 lies on the network of aries, and not on cancer"]);
    assert_eq!(told(&[army])[1], "line 10: `green` is no army; the armies are blue, red, black, yellow");
    assert_eq!(told(&[king, square, army, throne, network]).len(), 6, "with that yellow has no king");
    // What is left out altogether is told beside all the rest.
    let gone = ("    throne_squares: { blue: [h8], red: [h1], black: [a1], yellow: [a8] }\n", "");
    let without = told(&[gone, network]);
    assert_eq!(without.len(), 2, "{without:?}");
    assert_eq!(without[0], "line 2: `Mine` has no `throne_squares`");
}

/// What stands around the arrays, each part with a fault, and the form of one array beside them all.
#[test]
fn what_stands_around_the_arrays_is_checked() {
    let shipped = include_str!("../../../docs/enochian-rules.yaml");
    let (frame, _) = shipped.split_once("arrays:").expect("the arrays come last");
    let mine = "\
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
    let good = format!("{frame}{mine}");
    assert_eq!(read_arrays(&good).map(|arrays| arrays.len()), Ok(1));
    let told = |changes: &[(&str, &str)]| {
        let bad = changes.iter().fold(good.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        });
        let faults = read_arrays(&bad).expect_err("it is faulty").0;
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let cases = [
        (("files: 8", "files: 9"), "line 3: `board`: there are 8 files, not 9"),
        (("bit_0: a1", "bit_0: h1"), "line 3: `board`: bit 0 of a mask is a1, not `h1`"),
        (("air: [blue, black]", "air: [blue, red]"), "line 5: `teams`: air are blue and black"),
        (("armies: [blue, red", "armies: [red, red"), "line 7: `armies` must name every army once"),
        (
            ("2: [red, yellow]", "2: [red]"),
            "line 10: `controller_map`: of two_players each has the two armies of a team, and every army has a player",
        ),
        (
            ("0x55AA55AA55AA55AA", "0x55AA55AA55AA55AB"),
            "line 12: `diagonal_systems`: the mask of aries is 0x55AA55AA55AA55AA",
        ),
        (
            ("1: [[king], [pawn]]", "1: [[king, pawn]]"),
            "line 16: `die`: by the rules zalewski a 1 moves king, and if it cannot move pawn",
        ),
        ((", 6: [[pawn]]", ", 7: [[pawn]]"), "line 15: `die`: it has 6 faces, and no 7"),
        (("blue: file a", "blue: rank 8"), "line 22: blue promotes on file a"),
    ];
    for (change, what) in cases {
        let faults = told(&[change]);
        assert!(faults[0].starts_with(what), "{faults:#?} {what}");
    }
    // One of each, an unknown key and a fault of form: all at once, in the order of the file, each place told once.
    let unknown = ("arrays:", "colour: red\narrays:");
    let form = ("turn_order: [blue, red, black, yellow]", "turn_order: blue");
    let changes: Vec<_> = cases.iter().map(|(change, _)| *change).chain([unknown, form]).collect();
    let all = told(&changes);
    assert_eq!(all.len(), cases.len() + 2, "without the zone, with the missing face: {all:#?}");
    let key = "line 17: there is no key `colour`; the keys are board, armies, teams, controller_map, \
               diagonal_systems, die, arrays";
    assert!(all.iter().any(|fault| fault == key), "{all:#?}");
    assert_eq!(all.last().map(String::as_str), Some("line 20: expected sequence start"));
    let twice =
        good.replace(mine, &format!("{mine}{}", mine.replace("arrays:\n", "").replace("Mine", "mine")));
    let twice = read_arrays(&twice).expect_err("two of one name").to_string();
    assert_eq!(twice, "line 28: `mine` is the name of another array, on line 18\n");
}

/// Both sets of rules, every array: some games at random, to an end.
#[test]
fn random_games_end() {
    for array in available_arrays() {
        for (seed, rules) in [(1usize, RuleSet::Document), (2, RuleSet::Zalewski)] {
            let mut game = Game::with_rules(array, rules, &[]).expect("it is sound");
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
