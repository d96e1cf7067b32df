//! The system prompt of chat models.

use tabiya_referee::RULEBOOK;
use tabiya_spec::Game;

/// Returns the agent protocol and, unless the game is chess, the rules of the game.
pub(crate) fn rulebook(game: &Game, is_chess: bool) -> String {
    if is_chess {
        return RULEBOOK.to_owned();
    }
    let name = &*game.spec.name;
    let rules = tabiya_spec::english(game);
    format!("{RULEBOOK}\n\nThe game that you play is not chess, but {name}. These are its rules.\n\n{rules}")
}
