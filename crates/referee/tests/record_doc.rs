//! The record in `docs/game-record.md` replays without differences.

use tabiya_referee::Laws;
use tabiya_referee::record::{Line, Replays};

const DOCUMENT: &str = include_str!("../../../docs/game-record.md");

/// The lines of the example, which are broken for the page.
fn lines() -> Vec<String> {
    let (_, section) = DOCUMENT.split_once("## The record of a match").expect("the section");
    let mut lines: Vec<String> = Vec::new();
    for line in section.lines().filter_map(|line| line.strip_prefix("    ")) {
        if line.starts_with('{') {
            lines.push(String::new());
        }
        lines.last_mut().expect("it begins with a brace").push_str(line.trim());
    }
    lines
}

#[test]
fn the_example_is_a_record() {
    let chess = tabiya_spec::library::load("chess").expect("a library game");
    let laws = Laws::new(&chess.rules, &chess.hash.to_string());
    let mut replays = Replays::new();
    let mut closed = 0;
    for text in lines() {
        let text = text.replace("sha256:…", laws.hash());
        let line = Line::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let heard = replays.line(&line, |_| Ok(laws.clone()));
        assert_eq!(heard.differences, Vec::<String>::new(), "{text}");
        closed += usize::from(heard.closed.is_some());
    }
    assert_eq!(closed, 1);
    assert!(replays.unfinished().is_empty());
}

/// Every key of a line has its row in a table, and every row its key.
#[test]
fn every_key_is_told() {
    for text in lines() {
        let line: serde_json::Value = serde_json::from_str(&text).expect(&text);
        let kind = line["line"].as_str().expect("a kind");
        let (_, table) = DOCUMENT.split_once(&format!("| key of `{kind}` |")).expect(kind);
        let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
        let mut listed: Vec<&str> = rows
            .flat_map(|row| row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2))
            .collect();
        let mut keys: Vec<&str> = line.as_object().expect("an object").keys().map(String::as_str).collect();
        keys.retain(|key| *key != "line" && (kind == "start" || *key != "id"));
        listed.sort_unstable();
        keys.sort_unstable();
        assert_eq!(listed, keys, "{kind}");
    }
}
