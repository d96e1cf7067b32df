//! New games, import, export and the shortest form.

use std::fs;

use crate::common::{Folder, tabiya, tabiya_in};

const VARIANTS: &str = "\
# Two variants.
[hill:chess]
flagPiece = k
flagRegion = d4 e4 d5 e5

[house:crazyhouse]
chasingRule = axf
pieceValueMg = p:100
speed = 3
";

#[test]
fn a_new_game_is_valid_and_extends_its_parent() {
    let folder = Folder::new();
    let run = tabiya_in(folder.root(), &["new", "Knight rush", "--from", "gardner"], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let text = fs::read_to_string(folder.root().join("knight-rush.json")).expect("a file");
    assert!(text.contains("\"$comment\"") && text.contains("\"extends\": \"gardner\""), "{text}");
    let run = tabiya_in(folder.root(), &["check", "knight-rush.json"], "");
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    let count = |game: &str| tabiya_in(folder.root(), &["perft", game, "3", "--format", "json"], "").json();
    assert_eq!(count("knight-rush.json")["nodes"], count("gardner")["nodes"]);
    let again = tabiya_in(folder.root(), &["new", "knight rush", "--from", "gardner"], "");
    assert_eq!(again.status, 2);
    assert!(again.stderr.contains("it exists already"), "{}", again.stderr);
    let unknown = tabiya_in(folder.root(), &["new", "x", "--from", "ches"], "");
    assert!(unknown.status == 2 && unknown.stderr.contains("did you mean `chess`"), "{}", unknown.stderr);
}

#[test]
fn a_variant_is_imported_and_what_it_lacks_is_listed_by_line() {
    let folder = Folder::new();
    fs::write(folder.root().join("variants.ini"), VARIANTS).expect("a file");
    let run =
        |arguments: &[&str]| tabiya_in(folder.root(), &[&["import", "variants.ini"], arguments].concat(), "");
    let hill = run(&["--variant", "hill", "--out", "hill.json"]);
    assert_eq!(hill.status, 0, "{}", hill.stderr);
    let explained = tabiya_in(folder.root(), &["explain", "hill.json"], "");
    assert!(
        explained.stdout.contains("Goal reached") || explained.stdout.contains("GOAL_REACHED"),
        "{}",
        explained.stdout
    );
    let house = run(&["--variant", "house", "--format", "json"]);
    assert_eq!(house.status, 1);
    let left_out = house.json()["left_out"].clone();
    let lines: Vec<(String, Option<u64>)> = left_out
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (it["key"].as_str().expect("a key").to_owned(), it["line"].as_u64()))
        .collect();
    for expected in [("chasingRule", Some(7)), ("speed", Some(9))] {
        assert!(lines.contains(&(expected.0.to_owned(), expected.1)), "{expected:?}: {lines:?}");
    }
    assert_eq!(house.json()["notes"][0]["key"], "pieceValueMg");
    let several = run(&[]);
    assert!(several.status == 1 && several.stderr.contains("hill, house"), "{}", several.stderr);
    let listed = run(&["--list"]);
    assert!(
        listed.stdout.contains("hill: complete") && listed.stdout.contains("house: without"),
        "{}",
        listed.stdout
    );
}

#[test]
fn files_that_cannot_be_imported_are_errors_at_their_line() {
    let folder = Folder::new();
    for (text, expected) in [
        ("[a:b]\n", "There is no variant `b`"),
        ("[a:chess\n", "variants.ini:1: The name of a variant ends"),
        ("[a:chess]\nmaxRank 9\n", "variants.ini:2: A line is"),
        ("maxRank = 9\n", "variants.ini:1: The first line"),
        ("[a:chess]\n[a:chess]\n", "variants.ini:2: The variant `a` is defined twice"),
        ("[a:chess]\nstartFen = 8/8 w - - 0 1\n", "`startFen` has 2 ranks"),
        ("", "The file has no variant"),
    ] {
        fs::write(folder.root().join("variants.ini"), text).expect("a file");
        let run = tabiya_in(folder.root(), &["import", "variants.ini"], "");
        assert_eq!(run.status, 1, "{text}");
        assert!(run.stderr.contains(expected), "{text}: {}", run.stderr);
    }
    fs::write(folder.root().join("variants.ini"), "[a:chess]\nmaxRank = many\nknight = 5\n").expect("a file");
    let run = tabiya_in(folder.root(), &["import", "variants.ini"], "");
    assert!(
        run.status == 1 && run.stderr.contains("variants.ini:2") && run.stderr.contains("variants.ini:3"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_game_is_exported_and_imported_again() {
    let folder = Folder::new();
    let exported = tabiya(&["export", "knightmate", "--format", "ini"]);
    assert_eq!(exported.status, 0, "{}", exported.stderr);
    assert!(exported.stdout.contains("king = k:N"), "{}", exported.stdout);
    fs::write(folder.root().join("knightmate.ini"), &exported.stdout).expect("a file");
    let imported = tabiya_in(folder.root(), &["import", "knightmate.ini", "--out", "again.json"], "");
    assert_eq!(imported.status, 0, "{}", imported.stderr);
    let count = |game: &str| tabiya_in(folder.root(), &["perft", game, "4", "--format", "json"], "").json();
    assert_eq!(count("again.json")["nodes"], count("knightmate")["nodes"]);
    let refused = tabiya(&["export", "fourplayer"]);
    assert!(refused.status == 1 && refused.stderr.contains("two players"), "{}", refused.stderr);
    assert_eq!(tabiya(&["show", "chess", "--format", "ini"]).status, 2);
}

#[test]
fn the_library_is_in_its_shortest_form() {
    let folder = Folder::new();
    let long = tabiya(&["expand", "gardner"]);
    let path = folder.root().join("long.json");
    fs::write(&path, &long.stdout).expect("a file");
    let run = tabiya_in(folder.root(), &["fmt", "long.json"], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let short = fs::read_to_string(&path).expect("a file");
    assert!(short.len() < long.stdout.len() / 2, "{short}");
    let run = tabiya_in(folder.root(), &["fmt", "long.json", "--check"], "");
    assert_eq!((run.status, run.stdout.trim()), (0, "long.json: unchanged"));
}

#[test]
fn formatting_keeps_comments_and_goes_on_after_a_bad_file() {
    let folder = Folder::new();
    folder.write("bad.json", "{");
    let commented = r#"{ "$comment": "one", "name": "C", "leader": "KING", "board": { "dimensions": [3, 3] }, "setup": "k2/3/2K",
        "pieces": [{ "code": "KING", "moves": [{ "$comment": ["two", "lines"], "step": [0, 1], "turned": "ROTATED" }] }] }"#;
    folder.write("good.json", commented);
    let run = tabiya_in(folder.root(), &["fmt", "bad.json", "good.json"], "");
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("bad.json") && run.stdout.contains("good.json: rewritten"), "{}", run.stdout);
    let text = fs::read_to_string(folder.root().join("good.json")).expect("a file");
    assert!(text.contains("\"one\"") && text.contains("\"lines\""), "{text}");
    let json = tabiya_in(folder.root(), &["fmt", "bad.json", "good.json", "--format", "json"], "").json();
    assert!(
        json["files"][0]["error"]["message"].is_string() && json["files"][1]["changes"] == false,
        "{json}"
    );
}
