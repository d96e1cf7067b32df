//! Helpers shared by the tests of this crate.
#![allow(dead_code, reason = "each test uses a part")]

use std::env;
use std::io::Write as _;
use std::process::{Command, Stdio};

use tabiya_engine::{Die, Move, Position, Rules};
use tabiya_players::{Chooser, Random, SplitMix};
use tabiya_spec::{Game, library};

/// Loads a library game.
pub(crate) fn game(name: &str) -> Game {
    library::load(name).expect("a library game")
}

/// Loads every library game.
pub(crate) fn every_game() -> impl Iterator<Item = (&'static str, Game)> {
    library::games().into_iter().map(|entry| (entry.name, game(entry.name)))
}

/// Plays random moves and returns them. `visit` sees every position on the way.
pub(crate) fn random_play(
    rules: &Rules,
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&Position),
) -> Vec<Move> {
    let mut player = Random::new(seed);
    let mut dice = SplitMix::new(seed);
    let mut position = rules.start();
    let mut moves = Vec::new();
    for _ in 0..plies {
        visit(&position);
        if let Some(Die::Awaited(_)) = rules.die(&position) {
            let face = 1 + dice.below(usize::from(rules.faces().expect("a die has faces"))) as u8;
            position = rules.throw(&position, face).expect("a throw is due");
            continue;
        }
        let Some(played) = player.choose(rules, &position) else { break };
        position = rules.play_unchecked(&position, played);
        moves.push(played);
    }
    moves
}

/// Returns the fenced blocks of a kind in a document, each with its game.
pub(crate) fn blocks(document: &'static str, kinds: &[&str], kind: &str) -> Vec<(Game, &'static str)> {
    let parts: Vec<&str> = document.split("\n```").collect();
    assert!(parts.len() % 2 == 1, "a fence is not closed");
    let mut blocks = Vec::new();
    for pair in parts.chunks_exact(2) {
        let (info, body) = pair[1].split_once('\n').expect("a fence ends its line");
        let (found, name) = info.split_once(' ').unwrap_or_else(|| panic!("a block is headed `{info}`"));
        assert!(kinds.contains(&found), "a block is headed `{info}`");
        if found == kind {
            blocks.push((game(name), body));
        }
    }
    assert!(!blocks.is_empty(), "no block is a `{kind}`");
    blocks
}

/// Returns the lines of a block, each with the answers that follow it after an arrow.
pub(crate) fn with_answers(body: &str) -> Vec<(&str, Vec<&str>)> {
    let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in body.lines() {
        match (line.strip_prefix("-> "), lines.last_mut()) {
            (Some(answer), Some((_, answers))) => answers.push(answer),
            (Some(_), None) => panic!("an answer without a question: {line}"),
            (None, _) => lines.push((line, Vec::new())),
        }
    }
    assert!(lines.iter().all(|(_, answers)| !answers.is_empty()), "a line has no answer:{body}");
    lines
}

/// Runs a Python script that reads all of its input before it prints. Returns `None` if it fails.
pub(crate) fn python(script: &str, input: &str) -> Option<String> {
    let python = env::var_os("TABIYA_PYTHON").unwrap_or_else(|| "python3".into());
    let mut child = Command::new(python)
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // The script reads all input before it prints, so the pipes cannot deadlock.
    child.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}
