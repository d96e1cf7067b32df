//! Tools that show a game without changing it.

use anstream::adapter::strip_str;
use serde_json::json;
use tabiya_notation::{fen, pgn};

use super::{ID, Tool, id};
use crate::mcp::answer::{Answer, ToolError};
use crate::mcp::arguments::Arguments;
use crate::mcp::description;
use crate::mcp::game::{ModelGame, Turn};
use crate::mcp::games::Games;
use crate::move_list;

/// The number of moves that are listed. Writing one may require comparing it with all others.
const MAX_MOVES: usize = 500;

pub(super) const STATE: Tool = Tool {
    name: "state",
    about: "Show a game: the state object of the agent protocol, a drawing of the board, the player to move, \
        repetitions of the position, draw offers, and the result.",
    arguments: &[ID],
    is_read_only: true,
    answer: state,
};

pub(super) const LEGAL_MOVES: Tool = Tool {
    name: super::LEGAL_MOVES,
    about: "List every legal move of the side to move; submit accepts the `output` of each.",
    arguments: &[ID],
    is_read_only: true,
    answer: legal_moves,
};

pub(super) const HISTORY: Tool = Tool {
    name: "history",
    about: "Return all moves of a game so far, and the game as PGN.",
    arguments: &[ID],
    is_read_only: true,
    answer: history,
};

fn state(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let (id, game) = games.find(id(arguments))?;
    Ok(description::state(&id, game))
}

fn legal_moves(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let (id, game) = games.find(id(arguments))?;
    let (rules, position) = (game.session.rules(), game.session.position());
    // After an agreed draw the position still has moves, but none is legal.
    let mut moves = if game.session.end().is_some() { Vec::new() } else { rules.legal_moves(position) };
    let left_out = moves.len().saturating_sub(MAX_MOVES);
    moves.truncate(MAX_MOVES);
    let mut list = move_list::to_json(rules, position, &moves);
    for (entry, played) in list.iter_mut().zip(&moves) {
        entry["output"] = game.output(*played);
    }
    let player = &rules.player(game.session.actor()).name;
    let mut data = json!({ "id": id, "player": player, "moves": list });
    let mut words = if game.session.end().is_some() {
        description::standing(game)
    } else {
        strip_str(&move_list::to_text(rules, game.session.state(), &moves)).to_string()
    };
    if left_out > 0 {
        data["left_out"] = json!(left_out);
        words.push_str(&format!("and {left_out} more"));
    }
    Ok(Answer { words, data })
}

fn history(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let (id, game) = games.find(id(arguments))?;
    let rules = game.session.rules();
    let pgn = pgn::write(rules, &record(game)).map_err(|_| ToolError::because("a move cannot be written"))?;
    let turn = |(number, turn): (usize, &Turn)| {
        let player = &rules.player(turn.player).name;
        json!({ "turn": number + 1, "player": player, "text": turn.text, "san": turn.san })
    };
    let data = json!({
        "id": id,
        "game": game.source.label,
        "start": fen(rules, &game.session.options().start),
        "moves": game.turns.iter().enumerate().map(turn).collect::<Vec<_>>(),
        "end": game.session.end().map(|end| description::end_json(rules, end)),
        "pgn": pgn,
    });
    Ok(Answer { words: pgn, data })
}

/// The game of a PGN without the tag `Variant`.
const DEFAULT_VARIANT: &str = "chess";

fn record(game: &ModelGame) -> pgn::Game {
    let mut record = pgn::Game::new(game.session.options().start.clone());
    let source = &game.source;
    if !source.is_in_library || source.label != DEFAULT_VARIANT {
        record.set_tag("Variant", &source.label);
    }
    if let Some(end) = game.session.end() {
        record.set_tag("Termination", &end.reason);
        record.winners = Some(end.winners);
    }
    game.session.game().steps().iter().for_each(|step| record.push(*step));
    record
}
