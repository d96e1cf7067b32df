//! Looking at a game without touching it.

use anstream::adapter::strip_str;
use serde_json::{Value, json};
use tabiya_notation::{fen, pgn};

use super::{ID, Tool, id};
use crate::mcp::answer::{Answer, Refused};
use crate::mcp::arguments::Arguments;
use crate::mcp::hall::Hall;
use crate::mcp::table::{Table, Turn};
use crate::mcp::telling;
use crate::move_list;

/// Positions with more moves than that have so many listed: how one is written may depend on all others.
const MOST_MOVES: usize = 500;

pub(super) const STATE: Tool = Tool {
    name: "state",
    about: "Show how a game stands: the state object of the agent protocol, the board as a drawing, whose \
        turn it is, how often the position has been there, draw offers, and how it ended.",
    arguments: &[ID],
    only_looks: true,
    answer: state,
};

pub(super) const LEGAL_MOVES: Tool = Tool {
    name: super::LEGAL_MOVES,
    about: "List every legal move of the side to move; `output` of each is what submit takes.",
    arguments: &[ID],
    only_looks: true,
    answer: legal_moves,
};

pub(super) const HISTORY: Tool = Tool {
    name: "history",
    about: "Tell all moves of a game so far, and the whole game as PGN.",
    arguments: &[ID],
    only_looks: true,
    answer: history,
};

fn state(hall: &mut Hall, arguments: &Arguments<'_>) -> Result<Answer, Refused> {
    let terms = hall.terms;
    let (id, table) = hall.find(id(arguments))?;
    Ok(telling::state(&id, table, terms))
}

fn legal_moves(hall: &mut Hall, arguments: &Arguments<'_>) -> Result<Answer, Refused> {
    let (id, table) = hall.find(id(arguments))?;
    let (rules, position) = (table.rules(), &table.game.state().position);
    // An agreed draw leaves moves on the board that nobody may make.
    let mut moves = if table.is_over() { Vec::new() } else { rules.legal_moves(position) };
    let left_out = moves.len().saturating_sub(MOST_MOVES);
    moves.truncate(MOST_MOVES);
    let entry = |played| {
        let mut entry = move_list::to_json(rules, position, played);
        entry["output"] = table.output(played);
        entry
    };
    let list: Vec<Value> = moves.iter().copied().map(entry).collect();
    let player = &rules.player(table.game.actor()).name;
    let mut data = json!({ "id": id, "player": player, "moves": list });
    let mut words = if table.is_over() {
        telling::standing(table)
    } else {
        strip_str(&move_list::to_text(rules, position, &moves)).to_string()
    };
    if left_out > 0 {
        data["left_out"] = json!(left_out);
        words.push_str(&format!("and {left_out} more"));
    }
    Ok(Answer { words, data })
}

fn history(hall: &mut Hall, arguments: &Arguments<'_>) -> Result<Answer, Refused> {
    let (id, table) = hall.find(id(arguments))?;
    let rules = table.rules();
    let pgn = pgn::write(rules, &record(table)).map_err(|_| Refused::because("a move cannot be written"))?;
    let turn = |(number, turn): (usize, &Turn)| {
        let player = &rules.player(turn.player).name;
        json!({ "turn": number + 1, "player": player, "text": turn.text, "san": turn.san })
    };
    let data = json!({
        "id": id,
        "game": table.source.label,
        "start": fen(rules, &table.start),
        "moves": table.turns.iter().enumerate().map(turn).collect::<Vec<_>>(),
        "end": table.game.end().map(|end| telling::end_json(rules, end)),
        "pgn": pgn,
    });
    Ok(Answer { words: pgn, data })
}

/// A record that does not say what is played is one of chess.
const UNSAID: &str = "chess";

fn record(table: &Table) -> pgn::Game {
    let mut record = pgn::Game::new(table.start.clone());
    let source = &table.source;
    if !source.is_in_library || source.label != UNSAID {
        record.set_tag("Variant", &source.label);
    }
    if let Some(end) = table.game.end() {
        record.set_tag("Termination", &end.reason);
        record.winners = Some(end.winners);
    }
    table.game.steps().iter().for_each(|step| record.push(*step));
    record
}
