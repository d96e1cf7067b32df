//! Checks `docs/command-line.md`: runs its examples, and compares its table of events with real games.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::{CliOutput, Folder, split_command, tabiya_in, tabiya_with_input};
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../../docs/command-line.md");

/// Returns the commands of all blocks headed `run`, each with the expected line.
fn examples() -> Vec<(&'static str, &'static str)> {
    let parts: Vec<&str> = DOCUMENT.split("\n```").collect();
    assert!(parts.len() % 2 == 1, "a fence is not closed");
    let bodies = parts.iter().skip(1).step_by(2).filter_map(|part| part.strip_prefix("run\n"));
    let mut examples = Vec::new();
    for body in bodies {
        let lines: Vec<&str> = body.lines().collect();
        assert!(lines.len().is_multiple_of(2), "a command lacks its answer: {body}");
        examples.extend(lines.chunks_exact(2).map(|pair| (pair[0], pair[1])));
    }
    examples
}

fn run(command: &str) -> CliOutput {
    let words = split_command(command);
    let (program, rest) = words.split_first().expect("a command");
    assert_eq!(program, "tabiya", "{command}");
    // The examples name files relative to the root of the repository.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    tabiya_in(&root, &rest.iter().map(String::as_str).collect::<Vec<_>>(), "")
}

#[test]
fn every_example_prints_what_is_shown() {
    let examples = examples();
    assert!(examples.len() > 10, "the blocks are not found");
    for (command, expected) in examples {
        let run = run(command);
        let printed = if run.stdout.is_empty() { &run.stderr } else { &run.stdout };
        let first = printed.lines().next().unwrap_or_default();
        match expected.strip_suffix('…') {
            Some(start) => assert!(first.starts_with(start.trim_end()), "{command}\n{first}"),
            None => assert_eq!(first, expected, "{command}"),
        }
    }
}

#[test]
fn every_verb_has_a_heading_and_an_example() {
    let verbs = "games check explain show moves perft solve analyse tensor play judge agent uci mcp serve";
    for verb in verbs.split(' ') {
        assert!(DOCUMENT.contains(&format!("\n## {verb}\n")), "{verb}");
        let command = format!("tabiya {verb}");
        assert!(examples().iter().any(|(example, _)| example.starts_with(&command)), "{verb}");
    }
}

/// Returns the names and keys of the table of events.
fn documented() -> BTreeMap<&'static str, Vec<&'static str>> {
    let (_, table) = DOCUMENT.split_once("### Events").expect("a section on events");
    let rows = table.lines().skip_while(|line| !line.starts_with("| `")).take_while(|l| l.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let quoted = |cell: &'static str| cell.split('`').skip(1).step_by(2).collect::<Vec<_>>();
        (quoted(cells[1])[0], quoted(cells[2]))
    })
    .collect()
}

fn play(words: &[&str], input: &str) -> Vec<Value> {
    tabiya_with_input(&[&["play", "--format", "json"], words].concat(), input).lines()
}

#[test]
fn every_event_has_the_documented_keys() {
    let folder = Folder::new();
    let file = folder.path("game.json");
    let all = format!(
        "help\nmoves\ne2\nstate\nrules\nnonsense\ne2e4\nundo\nsave {file}\nload {file}\ne2e4\nresign\nquit\n"
    );
    let mut events = play(&["chess"], &all);
    events.extend(play(&["chess", "--state", "8/P6k/8/8/8/8/7p/K7 w - -"], "a7a8\nmoves\n"));
    events
        .extend(play(&["chess", "--max-plies", "1", "--seat", "WHITE=random", "--seat", "BLACK=random"], ""));
    // The rook on d4 goes to a4, and BLUE in the corner of the a-file is mated by two rooks.
    let mate =
        "***8***/***8***/***8***/k4.K8/14/4p9/13.k/14/14/1R12/3R10/***8***/***8***/***4K3*** r - - 0 1";
    events.extend(play(&["fourplayer", "--state", mate], "d4a4\n"));
    events.extend(play(&["enochian", "--array", "Fire of Fire", "--divination", "--seed", "1"], "draw\n"));
    let documented = documented();
    let mut seen: Vec<&str> = Vec::new();
    for event in &events {
        let name = event["event"].as_str().expect("a name");
        let keys: Vec<&str> =
            event.as_object().expect("an object").keys().skip(1).map(String::as_str).collect();
        assert_eq!(documented.get(name), Some(&keys), "{name}");
        seen.push(name);
    }
    let missing: Vec<_> = documented.keys().filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
