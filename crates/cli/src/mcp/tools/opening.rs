//! How a game begins.

use serde_json::json;
use tabiya_notation::parse_state_strict;

use super::Tool;
use crate::mcp::answer::{Answer, Refused};
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::description;
use crate::mcp::game::ModelGame;
use crate::mcp::games::Games;
use crate::mcp::source::{self, GAME, SPEC, Source};

const STATE: Argument = Argument {
    name: "state",
    about: "Where to begin instead of the game's own start: board text (for chess a FEN), or the state as \
        JSON. It must be one that a game can come to.",
    kind: Kind::Document(source::MOST_BYTES),
    is_required: false,
};

const SEED: Argument = Argument {
    name: "seed",
    about: "What the built-in players' chance starts from; the same number gives the same moves. Without \
        it, 0.",
    kind: Kind::Whole(0..=u64::MAX),
    is_required: false,
};

/// A state without sense has a reason against it for each of its squares; so many are enough.
const MOST_REASONS: usize = 50;

pub(super) const NEW_GAME: Tool = Tool {
    name: "new_game",
    about: "Begin a game and get its id: one of the library (`game`) or one of your own (`spec`), at its \
        start or from a `state`. Up to 64 games can be played at once; a finished one makes room.",
    arguments: &[GAME, SPEC, STATE, SEED],
    only_looks: false,
    answer: begin,
};

fn begin(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, Refused> {
    let source = Source::of(arguments)?;
    let start = match arguments.document(STATE.name) {
        Some(text) => Some(parse_state_strict(&source.game.rules, &text).map_err(|error| {
            let mut reasons = error.reasons;
            reasons.truncate(MOST_REASONS);
            Refused::argument(STATE.name, "is no state that this game can come to:")
                .with_lines(&reasons)
                .with("reasons", json!(reasons))
        })?),
        None => None,
    };
    let seed = arguments.whole(SEED.name).unwrap_or(0);
    let (id, game) = games.add(ModelGame::new(source, start, seed, games.terms.retries))?;
    let mut answer = description::state(&id, game);
    let warnings = &game.source.warnings;
    if !warnings.data.is_empty() {
        answer.data["warnings"] = json!(warnings.data);
        answer.words.push_str("\nThe game can be played, but some of it is probably not meant so:");
        answer.words.extend(warnings.lines.iter().map(|line| format!("\n- {line}")));
    }
    Ok(answer)
}
