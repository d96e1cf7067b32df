//! A game that can be played: its spec, its compiled rules, and the hash that pins saved games to it.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tabiya_engine::{Position, Rules, Tally, Trigger};

use crate::choices::{Chosen, Offer};
use crate::code::Code;
use crate::compile::compile;
use crate::diagnostic::Faults;
use crate::model::GameSpec;
use crate::place::At;
use crate::read::shorten;

/// A game, ready to be played.
#[derive(Clone, Debug)]
pub struct Game {
    /// What the file says.
    pub spec: Arc<GameSpec>,
    /// What the engine makes of it.
    pub rules: Arc<Rules>,
    /// What a saved game refers to.
    pub hash: ContentHash,
    /// What the file lets choose, and what was chosen.
    pub choices: Offer,
}

impl Game {
    /// The spec has no errors.
    pub(crate) fn new(spec: GameSpec, hash: ContentHash, choices: Offer) -> Game {
        let rules = Rules::compile(compile(&spec)).expect("a checked spec compiles");
        Game { spec: Arc::new(spec), rules: Arc::new(rules), hash, choices }
    }
}

/// Warnings that only the engine can give: what is wrong with the start.
pub(crate) fn suspect_start(game: &Game, faults: &mut Faults<'_>) {
    let (spec, rules) = (&game.spec, &game.rules);
    let start = rules.start();
    let names = |players: tabiya_engine::PlayerSet| -> String {
        players.iter().map(|player| rules.player(player).name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if let Some(outcome) = rules.outcome(&start) {
        let message = format!("The game is over before it starts: {}.", rules.reason(outcome.reason));
        faults.report(Code::AlreadyDecided, spec.players.place(), message);
        return;
    }
    if !start.eliminated().is_empty() {
        let message = format!(
            "Out of the game before it starts, for want of a legal move: {}.",
            names(start.eliminated())
        );
        faults.report(Code::AlreadyDecided, spec.players.place(), message);
    }
    suspect_endings(game, &start, faults);
    let fallen = rules
        .legal_moves(&start)
        .into_iter()
        .map(|played| rules.play_unchecked(&start, played).eliminated().without(start.eliminated()))
        .find(|fallen| !fallen.is_empty());
    if let Some(fallen) = fallen {
        let place = spec.leader.as_ref().map_or(spec.players.place(), At::place);
        let message = format!("The first move of the game can put a player out: {}.", names(fallen));
        faults.report(Code::LeaderCanBeTaken, place, message);
    }
}

/// An ending that holds at the start. One that always holds has been told.
fn suspect_endings(game: &Game, start: &Position, faults: &mut Faults<'_>) {
    let (rules, tally) = (&game.rules, Tally { repetitions: 1, quiet: 0 });
    let ending = rules.ending(start, tally, Trigger::Rule, rules.mover(start), None);
    if let Some(ending) = ending.filter(|_| !faults.told(Code::EndingAlwaysHolds)) {
        let message = format!("The game is over before it starts: {}.", shorten(ending.code));
        faults.report(Code::AlreadyDecided, game.spec.endings.place(), message);
    }
}

/// SHA-256 of what a game file says about the game: white space, the order of keys, `$schema` and `about` do not count.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of a text that has been read as JSON, and of a choice that makes it another game than it is by itself.
    pub(crate) fn of(text: &str, chosen: Option<&Chosen>) -> Self {
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
