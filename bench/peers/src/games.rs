//! Games and positions by name: those of the library, and those generated for the measurement.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use tabiya_engine::{Position, Rules};

use crate::{growth, renamed};

/// Rules by the name of the game, each compiled once.
///
/// Besides the library games there are `square-N` and `cross-N` (see [`growth`]) and the names of [`renamed::Renaming`], which
/// accept positions of chess.
#[derive(Default)]
pub struct Library {
    known: HashMap<String, Arc<Rules>>,
}

impl Library {
    /// Returns the rules of a game.
    pub fn rules(&mut self, name: &str) -> Arc<Rules> {
        self.known.entry(name.into()).or_insert_with(|| compile(&spec(name))).clone()
    }

    /// Returns a position of a game and its rules.
    pub fn position(&mut self, name: &str, state: &str) -> (Arc<Rules>, Position) {
        let rules = self.rules(name);
        let position = if state == "start" {
            rules.start()
        } else if renamed::Renaming::named(name).is_some() {
            let chess = self.rules("chess");
            renamed::translate(&chess, &rules, &parse(&chess, state))
        } else {
            parse(&rules, state)
        };
        (rules, position)
    }
}

fn parse(rules: &Rules, state: &str) -> Position {
    tabiya_notation::parse_state(rules, state).unwrap_or_else(|error| panic!("{state}: {error}")).position
}

/// Returns the spec of a library game.
pub fn library(name: &str) -> Value {
    let entry = tabiya_spec::library::find(name).unwrap_or_else(|| panic!("there is no game {name}"));
    serde_json::from_str(entry.json).expect("the library is JSON")
}

fn spec(name: &str) -> Value {
    if let Some(renaming) = renamed::Renaming::named(name) {
        return renaming.spec();
    }
    match name.split_once('-') {
        Some(("square", side)) => growth::square(side.parse().expect("a number of squares")),
        Some(("cross", players)) => growth::cross(players.parse().expect("a number of players")),
        _ => library(name),
    }
}

fn compile(spec: &Value) -> Arc<Rules> {
    let loaded = tabiya_spec::load(spec.to_string().as_bytes());
    match loaded.game {
        Some(game) => game.rules,
        None => panic!("{}: {:#?}", spec["name"], loaded.diagnostics),
    }
}
