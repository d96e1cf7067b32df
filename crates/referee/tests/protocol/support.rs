//! Games, states and verdicts for the tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};
use tabiya_engine::Rules;
use tabiya_notation::{parse_state, parse_uci};
use tabiya_referee::protocol::{Protocol, Strictness};
use tabiya_referee::{Action, Dice, Game};

/// The rules of a game of the library; each is read once.
pub(crate) fn rules(name: &str) -> Arc<Rules> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Rules>>> = Mutex::new(BTreeMap::new());
    let load = || tabiya_spec::library::load(name).expect("a library game").rules;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(name.to_owned()).or_insert_with(load).clone()
}

pub(crate) fn chess() -> Protocol {
    static CHESS: OnceLock<Protocol> = OnceLock::new();
    CHESS.get_or_init(|| Protocol::new(&rules("chess"))).clone()
}

/// The protocol of the game.
fn protocol(game: &Game) -> Protocol {
    let chess = chess();
    if Arc::ptr_eq(chess.rules(), game.rules()) { chess } else { Protocol::new(game.rules()) }
}

/// A game of chess from a position on.
pub(crate) fn game(fen: &str) -> Game {
    let rules = rules("chess");
    let state = parse_state(&rules, fen).expect(fen);
    Game::resume(rules, state, &[], Dice::default())
}

/// The game after moves.
pub(crate) fn after(mut game: Game, moves: &str) -> Game {
    for text in moves.split_whitespace() {
        let played = parse_uci(game.rules(), &game.state().position, text).expect(text);
        game.submit(&Action::Move(played)).expect(text);
    }
    game
}

/// The state of a position as agents receive it.
pub(crate) fn state(fen: &str) -> Value {
    sent(&game(fen))
}

/// The state of a game as agents receive it.
pub(crate) fn sent(game: &Game) -> Value {
    let line = protocol(game).state_writer().state_line(game);
    serde_json::from_str(&line).expect("a state is JSON")
}

/// The game of a state.
pub(crate) fn game_of(state: &Value) -> Game {
    let protocol = chess();
    let parsed =
        protocol.state_reader().read(&state.to_string()).unwrap_or_else(|bad| panic!("{state}: {bad}"));
    parsed.game(&rules("chess"))
}

/// A move of chess as an output.
pub(crate) fn output(text: &str) -> Value {
    let promotion = text.get(4..).filter(|letter| !letter.is_empty()).map(str::to_uppercase);
    json!({ "from": &text[..2], "to": &text[2..4], "promotion": promotion })
}

/// What the referee says to an output in a state.
pub(crate) fn verdict(state: &Value, output: &str) -> Value {
    verdict_of(&mut game_of(state), output, Strictness::Strict)
}

/// What the referee says to an output in a game.
pub(crate) fn verdict_of(game: &mut Game, output: &str, strictness: Strictness) -> Value {
    let protocol = protocol(game);
    let verdict = protocol.judge(game, output, strictness);
    protocol.judgement_json(&verdict)
}

/// What the referee says to a move in a position of chess.
pub(crate) fn verdict_on(fen: &str, text: &str) -> Value {
    verdict(&state(fen), &output(text).to_string())
}

/// Every reason against a state of chess.
pub(crate) fn reasons(state: &Value) -> Vec<String> {
    chess().state_reader().read(&state.to_string()).expect_err("an invalid state").reasons
}
