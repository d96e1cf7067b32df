//! Compares how games end by repetition, perpetual check and counts of moves with Fairy-Stockfish (`pyffish`).
//!
//! `cargo xtask test` installs pyffish and sets `TABIYA_PYTHON`. Without it the test prints a note and passes.
//! `TABIYA_INI_HISTORY` sets the number of games for each variant.
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "reports a skipped test and the figure")]

#[path = "../../notation/tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;

use support::python;
use tabiya_engine::{Identity, Move, Player, PlayerSet, Position, Rules, Trigger};
use tabiya_ini::{import, variants};
use tabiya_notation::legal_moves_uci;

/// Plays the games.
const GAMES: &str = include_str!("history.py");
const VARIANTS: &str = include_str!("history.ini");

/// A game of ours with its history.
struct Played {
    position: Position,
    earlier: Vec<Identity>,
    quiet: u32,
}

impl Played {
    fn new(rules: &Rules) -> Self {
        Played { position: rules.start(), earlier: Vec::new(), quiet: 0 }
    }

    /// Returns the result if a rule about history ends the game, or lets a player claim a draw.
    fn ending(&self, rules: &Rules) -> Option<&'static str> {
        let present = rules.identity(&self.position);
        let tally = rules.tally(self.earlier.iter(), &present, self.quiet);
        let own = rules.mover(&self.position);
        let by = |trigger| rules.ending(&self.position, tally, trigger, own, None);
        by(Trigger::Rule).or_else(|| by(Trigger::Claim)).map(|ending| result(ending.winners))
    }

    fn play(&mut self, rules: &Rules, text: &str) -> Result<(), String> {
        let moves = legal_moves_uci(rules, &self.position);
        // A piece that stays what it is has a letter here, and none there.
        let stays = |played: Move| played.promotion == Some(rules.moving_kind(&self.position, played));
        let fits = |(played, it): &&(Move, String)| {
            it == text || plain(it) == Some(text) || stays(*played) && it.starts_with(text)
        };
        let found = moves.iter().find(fits);
        let (played, _) = found.ok_or_else(|| format!("{text} is not legal"))?;
        let next = rules.play(&self.position, *played).expect("a legal move");
        let kind = rules.moving_kind(&self.position, *played);
        self.quiet = if rules.is_zeroing(&self.position, kind, &next) { 0 } else { self.quiet + 1 };
        self.earlier.push(rules.identity(&self.position));
        self.position = next;
        Ok(())
    }
}

/// Returns the text of a promotion with a sign instead of the piece.
fn plain(text: &str) -> Option<&str> {
    let (squares, sign) = text.split_at_checked(text.find('+')? + 1)?;
    (!sign.is_empty()).then_some(squares)
}

fn result(winners: PlayerSet) -> &'static str {
    match (winners.contains(Player(0)), winners.contains(Player(1))) {
        (true, _) => "1-0",
        (_, true) => "0-1",
        _ => "1/2",
    }
}

/// Replays a game and returns how it ended.
fn replay<'t>(rules: &Rules, lines: impl Iterator<Item = &'t str>) -> Result<String, String> {
    let mut played = Played::new(rules);
    for line in lines {
        let is_last = line == "over" || line == "cut" || line.starts_with("ends");
        let is_over = rules.outcome(&played.position).is_some();
        let ours = match played.ending(rules).filter(|_| !is_over) {
            Some(result) => format!("ends {result}"),
            None if is_over => "over".to_owned(),
            None => "goes on".to_owned(),
        };
        let theirs = if is_last && line != "cut" { line } else { "goes on" };
        if line != "cut" && ours != theirs {
            return Err(format!("{ours}, there {theirs}"));
        }
        if is_last {
            return Ok(line.to_owned());
        }
        played.play(rules, line)?;
    }
    Err("a game without an end".into())
}

#[test]
fn games_end_as_in_fairy_stockfish() {
    let count = std::env::var("TABIYA_INI_HISTORY").unwrap_or_else(|_| "1".into());
    let Some(transcript) = python(GAMES, &format!("{count} 1\n{VARIANTS}")) else {
        eprintln!("skipped: pyffish is not installed");
        return;
    };
    let names = variants(VARIANTS).expect("a file of variants");
    let mut rules = BTreeMap::new();
    for name in &names {
        let imported = import(VARIANTS, Some(name)).expect("a variant");
        assert!(imported.left_out.is_empty(), "{name}: {:?}", imported.left_out);
        let game = tabiya_spec::load(imported.json.as_bytes()).game.expect("a game");
        rules.insert(name.as_str(), game.rules);
    }
    let (mut ends, mut different) = (BTreeMap::<String, u32>::new(), Vec::new());
    let games: Vec<&str> = transcript.split("game ").skip(1).collect();
    for game in &games {
        let (name, moves) = game.split_once('\n').expect("a name and moves");
        match replay(&rules[name], moves.lines()) {
            Ok(end) => *ends.entry(end).or_default() += 1,
            Err(difference) => {
                different.push(format!("{name}: {difference}: {}", moves.replace('\n', " ")));
            }
        }
    }
    println!("{} games, {ends:?}", games.len());
    assert_eq!(games.len(), names.len() * count.parse::<usize>().expect("a number"));
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
}
