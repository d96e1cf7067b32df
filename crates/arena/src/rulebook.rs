//! What a model is told before its first move: the protocol, and the rules of a game that nobody has heard of.

use tabiya_spec::Game;

/// The page for agents is written so that it is all they need.
const PROTOCOL: &str = tabiya_referee::RULEBOOK;

/// The rules in words, for chat models.
pub(crate) fn rulebook(game: &Game, is_chess: bool) -> String {
    if is_chess {
        return PROTOCOL.to_owned();
    }
    let name = &*game.spec.name;
    let rules = tabiya_spec::english(game);
    format!("{PROTOCOL}\n\nThe game that you play is not chess, but {name}. These are its rules.\n\n{rules}")
}
