//! `tabiya check`: every diagnostic with its place, as text and as JSON.

use crate::common::{Folder, tabiya};

const BAD: &str = "{\n  \"name\": \"BAD\",\n  \"bord\": {}\n}\n";

/// Writes the file of chess.
fn chess(folder: &Folder) -> String {
    folder.write("chess.json", tabiya_spec::library::find("chess").expect("chess").json)
}

#[test]
fn a_valid_file_is_ok() {
    let folder = Folder::new();
    let run = tabiya(&["check", &chess(&folder)]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.ends_with("chess.json: ok\n"), "{}", run.stdout);
}

#[test]
fn diagnostics_are_shown_with_their_lines() {
    let folder = Folder::new();
    let (bad, good) = (folder.write("bad.json", BAD), chess(&folder));
    let run = tabiya(&["check", &bad, &good]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("bad.json:3:3: error[unknown-key]"), "{}", run.stdout);
    assert!(run.stdout.contains("3 │   \"bord\": {}"), "{}", run.stdout);
    assert!(run.stdout.contains("bad.json: ") && run.stdout.contains(" errors"), "{}", run.stdout);
    assert!(run.stdout.contains("chess.json: ok"), "the other file is checked as well: {}", run.stdout);
}

#[test]
fn diagnostics_are_printed_as_json() {
    let folder = Folder::new();
    let bad = folder.write("bad.json", BAD);
    let run = tabiya(&["check", &bad, "--format", "json"]);
    assert_eq!(run.status, 1);
    let report = run.json();
    assert_eq!(report["files"][0]["file"], bad);
    let faults = report["files"][0]["diagnostics"].as_array().expect("a list");
    let keys: Vec<&str> = faults[0].as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["code", "severity", "message", "help", "pointer", "line", "column"]);
    let unknown = faults.iter().find(|fault| fault["code"] == "unknown-key").expect("a diagnostic");
    assert_eq!(unknown["severity"], "error");
    assert_eq!(unknown["pointer"], "/bord");
    assert_eq!((&unknown["line"], &unknown["column"]), (&3.into(), &3.into()));
    assert_eq!(unknown["help"], "did you mean `board`?");
    let missing = faults.iter().find(|fault| fault["code"] == "missing-key").expect("a diagnostic");
    assert_eq!(missing["pointer"], "", "a missing key points at the object that lacks it");
}

#[test]
fn unreadable_files_are_reported_and_the_rest_checked() {
    let folder = Folder::new();
    let here = folder.path(".");
    let run = tabiya(&["check", &here, "nowhere.json", &chess(&folder)]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains("it is a directory") && run.stdout.contains("there is no such file"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("chess.json: ok"));
    let report = tabiya(&["check", &here, "--format", "json"]).json();
    assert_eq!(report["files"][0]["diagnostics"][0]["code"], "unreadable");
    assert_eq!(report["files"][0]["diagnostics"][0]["severity"], "error");
}

#[test]
fn binary_and_malformed_files_are_reported() {
    let folder = Folder::new();
    let files = [
        folder.write("empty.json", ""),
        folder.write("binary.json", b"{ \"name\": \"\xff\xfe\" }"),
        folder.write("escape.json", "{ \"\x1b[31mname\": \x1b }"),
        folder.write("mark.json", "\u{feff}{ \"nme\": 1 }"),
        folder.write("deep.json", "[".repeat(100_000)),
        folder.write("long.json", format!("{{ \"name\": {} }}", "7".repeat(100_000))),
    ];
    for file in &files {
        let run = tabiya(&["check", file]);
        assert_eq!(run.status, 1, "{file}");
        assert!(!run.stdout.contains('\x1b'), "{file}");
        assert!(run.stdout.lines().all(|line| line.chars().count() < 400), "{file}");
    }
    let large = folder.write("large.json", vec![b' '; (16 << 20) + 1]);
    assert!(tabiya(&["check", &large]).stdout.contains("file-too-large"));
}

#[test]
fn a_long_line_is_not_shown() {
    let folder = Folder::new();
    let one_line = format!("{{ \"name\": \"BAD\", \"bord\": [{}1] }}", "1, ".repeat(200));
    let run = tabiya(&["check", &folder.write("long.json", one_line)]);
    assert!(run.stdout.contains("long.json:1:18: error[unknown-key]"), "{}", run.stdout);
    assert!(!run.stdout.contains("│"), "{}", run.stdout);
}

#[test]
fn codes_are_explained() {
    let run = tabiya(&["check", "--explain", "unknown-key"]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("unknown-key"), "{}", run.stdout);
    assert_eq!(tabiya(&["check", "--explain", "unreadable"]).status, 0);
    let entry = tabiya(&["check", "--explain", "unknown-key", "--format", "json"]).json();
    assert_eq!(entry["code"], "unknown-key");

    let unknown = tabiya(&["check", "--explain", "unknown-kez"]);
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.stderr.contains("did you mean `unknown-key`?") && unknown.stderr.contains("letter-clash")
    );
    let nothing_like_it = tabiya(&["check", "--explain", "nonsense"]);
    assert_eq!(nothing_like_it.status, 2);
    assert!(!nothing_like_it.stderr.contains("did you mean"), "{}", nothing_like_it.stderr);
    assert!(nothing_like_it.stderr.contains("\n  no-squares\n"), "{}", nothing_like_it.stderr);
    assert_eq!(tabiya(&["check"]).status, 2);
    assert_eq!(tabiya(&["check", "x.json", "--explain", "syntax"]).status, 2);
}

#[test]
fn long_keys_are_truncated_in_text_but_not_in_json() {
    let folder = Folder::new();
    let key = "k".repeat(1 << 20);
    let file = folder.write("book.json", format!("{{ \"{key}\": 1 }}"));
    let run = tabiya(&["check", &file]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.len() < 20_000, "{} bytes", run.stdout.len());
    let report = tabiya(&["check", &file, "--format", "json"]).json();
    let faults = report["files"][0]["diagnostics"].as_array().expect("a list");
    assert!(faults.iter().any(|fault| fault["pointer"] == format!("/{key}")));
}

/// Returns a game with kings and knights, whose letters are not given, and rooks that castle without a condition.
fn knights() -> String {
    let step = |id: i32, more: &str| {
        format!(
            r#"{{ "id": {id}, "step": [{id}, 1], "actions": [{{ "state": "EMPTY", "action": "MOVE" }}]{more} }}"#
        )
    };
    let carry =
        r#", "side_effects": [{ "action": "MOVE", "piece": "KNIGHT", "from": [3, 0], "to": [1, 0] }]"#;
    let army = |y: i32| {
        let (king, knight) = (format!("[[0, {y}]]"), format!("[[3, {y}]]"));
        format!(
            r#"[{{ "piece": "KING", "positions": {king} }}, {{ "piece": "KNIGHT", "positions": {knight} }}]"#
        )
    };
    let moves: Vec<String> = (0..3).map(|id| step(id, carry)).collect();
    format!(
        r#"{{ "name": "Knights", "leader": "KING", "board": {{ "dimensions": [5, 5] }},
  "players": [
    {{ "name": "WHITE", "direction": "UP", "starting_positions": {} }},
    {{ "name": "BLACK", "direction": "DOWN", "starting_positions": {} }}],
  "turns": {{ "order": ["WHITE", "BLACK"] }},
  "pieces": [
    {{ "code": "KNIGHT", "moves": [{}] }},
    {{ "code": "KING", "moves": [
      {}] }}] }}"#,
        army(0),
        army(4),
        step(1, ""),
        moves.join(",\n      ")
    )
}

#[test]
fn chosen_letters_are_a_note() {
    let folder = Folder::new();
    let file = folder.write("knights.json", knights());
    let run = tabiya(&["check", &file]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("note[chosen-letter]"), "{}", run.stdout);
    assert!(run.stdout.contains("`KNIGHT` is written `N` in board text."), "{}", run.stdout);
    assert!(run.stdout.ends_with("knights.json: 3 warnings, 1 note\n"), "{}", run.stdout);
    let rules = tabiya(&["explain", &file]).stdout;
    assert!(rules.contains("KNIGHT (letter N") && rules.contains("KING (letter K"), "{rules}");
    let plain = knights().replace("\"side_effects\"", "\"modifiers\": [], \"side_effects\"");
    let plain = plain.replace(r#"{ "action": "MOVE", "piece": "KNIGHT", "from": [3, 0], "to": [1, 0] }"#, "");
    let run = tabiya(&["check", &folder.write("plain.json", plain)]);
    assert!(run.stdout.ends_with("plain.json: ok, 1 note\n"), "{}", run.stdout);
}

#[test]
fn warnings_with_the_same_code_are_shown_together() {
    let folder = Folder::new();
    let file = folder.write("knights.json", knights());
    let run = tabiya(&["check", &file]);
    assert_eq!(run.stdout.matches("warning[castling-without-rook]").count(), 1, "{}", run.stdout);
    assert!(run.stdout.contains("also at 2 other places:"), "{}", run.stdout);
    let report = tabiya(&["check", &file, "--format", "json"]).json();
    let found = report["files"][0]["diagnostics"].as_array().expect("a list");
    assert_eq!(found.iter().filter(|it| it["code"] == "castling-without-rook").count(), 3, "JSON has each");
}
