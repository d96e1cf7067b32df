//! A playable game: its spec, its compiled rules, and the hash that ties saved games to it.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tabiya_engine::{Position, Rules, Tally, Trigger};

use crate::choices::{AvailableChoices, ResolvedChoices};
use crate::code::Code;
use crate::compile::compile;
use crate::diagnostic::Diagnostics;
use crate::model::GameSpec;
use crate::place::At;
use crate::read::shorten;

/// A game, ready to play.
#[derive(Clone, Debug)]
pub struct Game {
    /// The contents of the file.
    pub spec: Arc<GameSpec>,
    /// The compiled rules.
    pub rules: Arc<Rules>,
    /// The hash that saved games refer to.
    pub hash: ContentHash,
    /// The choices that the file offers and those made.
    pub choices: AvailableChoices,
    /// The number of values in the long form of the file, with the choices made.
    pub size: usize,
}

impl Game {
    /// Compiles a spec without errors.
    pub(crate) fn new(spec: GameSpec, hash: ContentHash, choices: AvailableChoices, size: usize) -> Game {
        let rules = Rules::compile(compile(&spec)).expect("a checked spec compiles");
        Game { spec: Arc::new(spec), rules: Arc::new(rules), hash, choices, size }
    }
}

/// Reports warnings about the starting position that need the engine.
pub(crate) fn warn_start(game: &Game, diags: &mut Diagnostics<'_>) {
    let (spec, rules) = (&game.spec, &game.rules);
    let start = rules.start();
    let names = |players: tabiya_engine::PlayerSet| -> String {
        players.iter().map(|player| rules.player(player).name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if let Some(outcome) = rules.outcome(&start) {
        let message = format!("The game is over before it starts: {}.", rules.reason(outcome.reason));
        diags.report(Code::AlreadyDecided, spec.players.place(), message);
        return;
    }
    if !start.eliminated().is_empty() {
        let message =
            format!("Out of the game before it starts, without a legal move: {}.", names(start.eliminated()));
        diags.report(Code::AlreadyDecided, spec.players.place(), message);
    }
    warn_endings(game, &start, diags);
    let fallen = rules
        .legal_moves(&start)
        .into_iter()
        .map(|played| rules.play_unchecked(&start, played).eliminated().without(start.eliminated()))
        .find(|fallen| !fallen.is_empty());
    if let Some(fallen) = fallen {
        let place = spec.leader.as_ref().map_or(spec.players.place(), At::place);
        let message = format!("The first move of the game can eliminate a player: {}.", names(fallen));
        diags.report(Code::LeaderCanBeTaken, place, message);
    }
}

/// Warns about an ending that holds at the start, unless it was reported to hold always.
fn warn_endings(game: &Game, start: &Position, diags: &mut Diagnostics<'_>) {
    let (rules, tally) = (&game.rules, Tally { repetitions: 1, quiet: 0 });
    let ending = rules.ending(start, tally, Trigger::Rule, rules.mover(start), None);
    if let Some(ending) = ending.filter(|_| !diags.has(Code::EndingAlwaysHolds)) {
        let message = format!("The game is over before it starts: {}.", shorten(ending.code));
        diags.report(Code::AlreadyDecided, game.spec.endings.place(), message);
    }
}

/// SHA-256 hash of the rules in a game file. Whitespace, key order, `$schema` and `about` do not affect it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes a JSON text and, if they are not the defaults, the choices made.
    pub(crate) fn of(text: &str, chosen: Option<&ResolvedChoices>) -> Self {
        let mut value: serde_json::Value = serde_json::from_str(text).unwrap_or_else(|_| text.into());
        if let Some(fields) = value.as_object_mut() {
            fields.shift_remove("$schema");
            fields.shift_remove("about");
        }
        value.sort_all_objects();
        let choice = chosen.map_or_else(String::new, |chosen| {
            serde_json::json!({ "layout": chosen.layout, "options": chosen.options }).to_string()
        });
        ContentHash(Sha256::digest(value.to_string() + &choice).into())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> ContentHash {
        ContentHash::of(text, None)
    }

    #[test]
    fn a_game_is_the_same_in_another_layout() {
        let game = plain(r#"{"name":"A","board":{"dimensions":[3,3]}}"#);
        let other = plain(r#"{ "board": { "dimensions": [3, 3] }, "about": "words", "name": "A" }"#);
        assert_eq!(game, other);
        assert_ne!(game, plain(r#"{"name":"A","board":{"dimensions":[3,4]}}"#));
        let offers = plain(r#"{"name":"A","board":{"dimensions":[3,3]},"draw_offers":false}"#);
        assert_ne!(game, offers, "how a game ends is part of it");
    }
}
