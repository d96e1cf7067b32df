//! The tool that starts a game.

use serde_json::json;
use tabiya_notation::parse_state_strict;

use super::Tool;
use crate::mcp::answer::{Answer, ToolError};
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::description;
use crate::mcp::game::ModelGame;
use crate::mcp::games::Games;
use crate::mcp::source::{self, GAME, SPEC, Source};

const STATE: Argument = Argument {
    name: "state",
    about: "Starting position: board text (for chess a FEN), or the state as JSON. It must be reachable in a \
        game.",
    kind: Kind::Document(source::MAX_BYTES),
    is_required: false,
};

const SEED: Argument = Argument {
    name: "seed",
    about: "Random seed of the built-in players; the same seed gives the same moves. Default 0.",
    kind: Kind::Whole(0..=u64::MAX),
    is_required: false,
};

/// The number of reasons that are listed. An invalid state may have one for each square.
const MAX_REASONS: usize = 50;

pub(super) const NEW_GAME: Tool = Tool {
    name: "new_game",
    about: "Start a game and get its id: a library game (`game`) or a custom one (`spec`), from its start or \
        from a `state`. Up to 64 games are kept; a new one replaces the oldest finished one.",
    arguments: &[GAME, SPEC, STATE, SEED],
    is_read_only: false,
    answer: new_game,
};

fn new_game(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let source = Source::of(arguments)?;
    let start = match arguments.document(STATE.name) {
        Some(text) => Some(parse_state_strict(&source.game.rules, &text).map_err(|error| {
            let mut reasons = error.reasons;
            reasons.truncate(MAX_REASONS);
            ToolError::argument(STATE.name, "is not a reachable state of this game:")
                .with_lines(&reasons)
                .with("reasons", json!(reasons))
        })?),
        None => None,
    };
    let seed = arguments.whole(SEED.name).unwrap_or(0);
    let (id, game) = games.add(ModelGame::new(source, start, seed, games.options.retries))?;
    let mut answer = description::state(&id, game);
    let warnings = &game.source.warnings;
    if !warnings.data.is_empty() {
        answer.data["warnings"] = json!(warnings.data);
        answer.words.push_str("\nThe game can be played, but has warnings:");
        answer.words.extend(warnings.lines.iter().map(|line| format!("\n- {line}")));
    }
    Ok(answer)
}
