//! A playable game: its spec, its compiled rules, and the hash that ties saved games to it.

use std::fmt;
use std::sync::Arc;

use jsonc_parser::ast::Value as Json;
use sha2::{Digest, Sha256};
use tabiya_engine::{Position, Rules, Symbol, Tally, Trigger};

use crate::canonical::canonical;
use crate::choices::AvailableChoices;
use crate::code::Code;
use crate::compile::compile;
use crate::diagnostic::Diagnostics;
use crate::model::GameSpec;
use crate::place::At;
use crate::read::shorten;
use crate::short;

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
        let rules =
            Rules::compile(compile(&spec)).expect("a checked spec compiles").with_content_hash(hash.0);
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
    let (rules, tally) = (&game.rules, Tally::new(1, 0));
    let ending = rules.ending(start, tally, Trigger::Rule, rules.mover(start), None);
    if let Some(ending) = ending.filter(|_| !diags.has(Code::EndingAlwaysHolds)) {
        let message = format!("The game is over before it starts: {}.", shorten(ending.code));
        diags.report(Code::AlreadyDecided, game.spec.endings.place(), message);
    }
}

/// SHA-256 hash of the rules of a game. It does not depend on how the file says them: white space, the order of keys, of
/// pieces and of moves, the numbers of moves, short forms and descriptions do not affect it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Hashes a game in the long form, given the symbols of its pieces.
    pub(crate) fn of(json: &Json<'_>, symbols: &[Symbol]) -> Self {
        ContentHash(Sha256::digest(canonical(short::value(json), symbols)).into())
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
