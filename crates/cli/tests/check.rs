//! `tabiya check`: every fault at its place, for people and for programs.

mod common;

use std::path::PathBuf;

use common::tabiya;
use tempfile::TempDir;

const BAD: &str = "{\n  \"name\": \"BAD\",\n  \"bord\": {}\n}\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, contents).expect("written");
        path.to_str().expect("a plain name").to_owned()
    }

    fn chess(&self) -> String {
        self.file("chess.json", tabiya_spec::library::find("chess").expect("chess").json)
    }
}

#[test]
fn a_good_file_is_ok() {
    let folder = Folder::new();
    let said = tabiya(&["check", &folder.chess()]);
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    assert!(said.out.ends_with("chess.json: ok\n"), "{}", said.out);
}

#[test]
fn faults_are_drawn_with_their_lines() {
    let folder = Folder::new();
    let (bad, good) = (folder.file("bad.json", BAD), folder.chess());
    let said = tabiya(&["check", &bad, &good]);
    assert_eq!(said.status, 1);
    assert!(said.out.contains("bad.json:3:3: error[unknown-key]"), "{}", said.out);
    assert!(said.out.contains("3 │   \"bord\": {}"), "{}", said.out);
    assert!(said.out.contains("bad.json: ") && said.out.contains(" errors"), "{}", said.out);
    assert!(said.out.contains("chess.json: ok"), "the other file is checked as well: {}", said.out);
}

#[test]
fn faults_are_data() {
    let folder = Folder::new();
    let bad = folder.file("bad.json", BAD);
    let said = tabiya(&["check", &bad, "--format", "json"]);
    assert_eq!(said.status, 1);
    let report = said.json();
    assert_eq!(report["files"][0]["file"], bad);
    let faults = report["files"][0]["diagnostics"].as_array().expect("a list");
    let keys: Vec<&str> = faults[0].as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["code", "severity", "message", "help", "pointer", "line", "column"]);
    let unknown = faults.iter().find(|fault| fault["code"] == "unknown-key").expect("it is told");
    assert_eq!(unknown["severity"], "error");
    assert_eq!(unknown["pointer"], "/bord");
    assert_eq!((&unknown["line"], &unknown["column"]), (&3.into(), &3.into()));
    assert_eq!(unknown["help"], "did you mean `board`?");
    let missing = faults.iter().find(|fault| fault["code"] == "missing-key").expect("it is told");
    assert_eq!(missing["pointer"], "", "a missing key points at the object that lacks it");
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_checked() {
    let folder = Folder::new();
    let here = folder.0.path().to_str().expect("a plain name").to_owned();
    let said = tabiya(&["check", &here, "nowhere.json", &folder.chess()]);
    assert_eq!(said.status, 1);
    assert!(
        said.out.contains("it is a directory") && said.out.contains("there is no such file"),
        "{}",
        said.out
    );
    assert!(said.out.contains("chess.json: ok"));
    let report = tabiya(&["check", &here, "--format", "json"]).json();
    assert_eq!(report["files"][0]["diagnostics"][0]["code"], "unreadable");
    assert_eq!(report["files"][0]["diagnostics"][0]["severity"], "error");
}

#[test]
fn files_that_are_no_text_do_no_harm() {
    let folder = Folder::new();
    let files = [
        folder.file("empty.json", ""),
        folder.file("binary.json", b"{ \"name\": \"\xff\xfe\" }"),
        folder.file("escape.json", "{ \"\x1b[31mname\": \x1b }"),
        folder.file("mark.json", "\u{feff}{ \"nme\": 1 }"),
        folder.file("deep.json", "[".repeat(100_000)),
        folder.file("long.json", format!("{{ \"name\": {} }}", "7".repeat(100_000))),
    ];
    for file in &files {
        let said = tabiya(&["check", file]);
        assert_eq!(said.status, 1, "{file}");
        assert!(!said.out.contains('\x1b'), "{file}");
        assert!(said.out.lines().all(|line| line.chars().count() < 400), "{file}");
    }
    let large = folder.file("large.json", vec![b' '; (16 << 20) + 1]);
    assert!(tabiya(&["check", &large]).out.contains("file-too-large"));
}

#[test]
fn a_long_line_is_not_shown() {
    let folder = Folder::new();
    let one_line = format!("{{ \"name\": \"BAD\", \"bord\": [{}1] }}", "1, ".repeat(200));
    let said = tabiya(&["check", &folder.file("long.json", one_line)]);
    assert!(said.out.contains("long.json:1:18: error[unknown-key]"), "{}", said.out);
    assert!(!said.out.contains("│"), "{}", said.out);
}

#[test]
fn codes_are_explained() {
    let said = tabiya(&["check", "--explain", "unknown-key"]);
    assert_eq!(said.status, 0);
    assert!(said.out.contains("unknown-key"), "{}", said.out);
    assert_eq!(tabiya(&["check", "--explain", "unreadable"]).status, 0);
    let entry = tabiya(&["check", "--explain", "unknown-key", "--format", "json"]).json();
    assert_eq!(entry["code"], "unknown-key");

    let unknown = tabiya(&["check", "--explain", "unknown-kez"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("did you mean `unknown-key`?") && unknown.err.contains("letter-clash"));
    let nothing_like_it = tabiya(&["check", "--explain", "nonsense"]);
    assert_eq!(nothing_like_it.status, 2);
    assert!(!nothing_like_it.err.contains("did you mean"), "{}", nothing_like_it.err);
    assert!(nothing_like_it.err.contains("\n  no-squares\n"), "{}", nothing_like_it.err);
    assert_eq!(tabiya(&["check"]).status, 2);
    assert_eq!(tabiya(&["check", "x.json", "--explain", "syntax"]).status, 2);
}

#[test]
fn a_key_as_long_as_a_book_is_whole_for_programs_and_short_for_people() {
    let folder = Folder::new();
    let key = "k".repeat(1 << 20);
    let file = folder.file("book.json", format!("{{ \"{key}\": 1 }}"));
    let said = tabiya(&["check", &file]);
    assert_eq!(said.status, 1);
    assert!(said.out.len() < 20_000, "{} bytes", said.out.len());
    let report = tabiya(&["check", &file, "--format", "json"]).json();
    let faults = report["files"][0]["diagnostics"].as_array().expect("a list");
    assert!(faults.iter().any(|fault| fault["pointer"] == format!("/{key}")));
}
