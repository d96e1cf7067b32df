//! Tools that list games and describe rules.

use serde_json::json;
use tabiya_spec::{Game, english, library};

use super::Tool;
use crate::commands::games;
use crate::mcp::answer::{Answer, ToolError};
use crate::mcp::arguments::{Argument, Arguments};
use crate::mcp::games::Games;
use crate::mcp::source::{GAME, SPEC, Source};
use crate::text::{sanitize, sanitize_lines};

pub(super) const LIST_GAMES: Tool = Tool {
    name: "list_games",
    about: "List the games of the library: name, players, board and one sentence about each.",
    arguments: &[],
    is_read_only: true,
    answer: |_, _| Ok(list()),
};

pub(super) const RULES: Tool = Tool {
    name: "rules",
    about: "Describe the complete rules of a game in plain English: board, pieces, every move, how it ends. \
        Name a library game (`game`), a game in progress (`id`), or send a custom one (`spec`).",
    arguments: &[GAME, Argument { is_required: false, ..super::ID }, SPEC],
    is_read_only: true,
    answer: rules,
};

fn list() -> Answer {
    let all: Vec<(&str, Game)> = library::games().iter().map(|entry| (entry.name, entry.load())).collect();
    let line = |(name, game): &(&str, Game)| {
        let data = games::to_json(name, game);
        let about = data["about"].as_str().unwrap_or_default();
        let (players, board) = (game.rules.players().count(), game.rules.board());
        format!("{name}: {players} players, {}. {}", games::size_text(board), sanitize(about))
    };
    Answer {
        words: all.iter().map(line).collect::<Vec<_>>().join("\n"),
        data: json!({ "games": all.iter().map(|(name, game)| games::to_json(name, game)).collect::<Vec<_>>() }),
    }
}

fn rules(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let (label, text) = match arguments.text(super::ID.name) {
        Some(_) if arguments.text(GAME.name).is_some() || arguments.document(SPEC.name).is_some() => {
            return Err(ToolError::argument(
                super::ID.name,
                "cannot be combined with another game: name one of them",
            ));
        }
        Some(id) => {
            let (_, game) = games.find(id)?;
            (game.source.label.clone(), english(&game.source.game))
        }
        None => {
            let source = Source::of(arguments)?;
            (source.label, english(&source.game))
        }
    };
    Ok(Answer { words: sanitize_lines(&text), data: json!({ "game": label, "text": text }) })
}
