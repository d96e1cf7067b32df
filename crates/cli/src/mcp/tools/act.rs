//! Acting in a game. Every tool submits an output of the agent protocol.

use serde_json::{Value, json};
use tabiya_referee::{Action, ActionKind, Ruling, Verdict};

use super::{ID, Tool, id};
use crate::mcp::answer::{Answer, ToolError};
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::description;
use crate::mcp::game::ModelGame;
use crate::mcp::games::Games;
use crate::position_summary::player_name;
use crate::text::sanitize;

/// Longer outputs are not read.
const MAX_OUTPUT: usize = 64 << 10;

/// The default and the largest number of nodes of a search.
const NODES: u64 = 20_000;
const MAX_NODES: u64 = 100_000;

const OUTPUT: Argument = Argument {
    name: "output",
    about: "What the side to move does, as one JSON object. In chess a move is \
        {\"from\":\"e2\",\"to\":\"e4\",\"promotion\":null}; in other games \
        {\"from\":[4,1],\"to\":[4,3],\"promotion\":null}, squares as file and rank from 0, with \"id\" \
        if two moves lead to the same square. Or {\"action\":\"offer_draw\"}, \"accept_draw\", \
        \"decline_draw\", \"resign\", or {\"action\":\"claim_draw\",\"reason\":…}; in games that have it, \
        \"exchange\", \"accept_exchange\", \"decline_exchange\", \"throw\", or \
        {\"action\":\"withdraw\",\"to\":…}.",
    kind: Kind::Document(MAX_OUTPUT),
    is_required: true,
};

const REASON: Argument = Argument {
    name: "reason",
    about: "The claim, such as threefold_repetition or fifty_move_rule; `claims` of the state lists \
        those of this game.",
    kind: Kind::Text,
    is_required: true,
};

const MOVE: Argument = Argument {
    name: "move",
    about: "A move that you announce but do not make, after which the claim is valid; an object as in submit.",
    kind: Kind::Document(MAX_OUTPUT),
    is_required: false,
};

const PLAYER: Argument = Argument {
    name: "player",
    about: "The built-in player: random, greedy (looks one move ahead), mcts (Monte Carlo tree search), search (alpha-beta), or level1 to level10.",
    kind: Kind::Word(&tabiya_players::NAMES),
    is_required: true,
};

const NODES_ARGUMENT: Argument = Argument {
    name: "nodes",
    about: "How many nodes the player may search; more nodes play better. The default is 20000.",
    kind: Kind::Whole(1..=MAX_NODES),
    is_required: false,
};

pub(super) const SUBMIT: Tool = Tool {
    name: "submit",
    about: "Play for the side to move: submit one output object of the agent protocol and get the \
        referee's verdict. An illegal or malformed output is rejected with the rule that it breaks, and loses \
        the game when no retries are left (`retries_left`).",
    arguments: &[ID, OUTPUT],
    is_read_only: false,
    answer: submit,
};

pub(super) const OFFER_DRAW: Tool = Tool {
    name: "offer_draw",
    about: "Offer a draw for the side to move, which still has to move; the next player can then \
        accept. The same as submitting {\"action\":\"offer_draw\"}.",
    arguments: &[ID],
    is_read_only: false,
    answer: |games, arguments| judge(games, id(arguments), &json!({ "action": "offer_draw" }).to_string()),
};

pub(super) const CLAIM_DRAW: Tool = Tool {
    name: "claim_draw",
    about: "Claim a draw for the side to move. A claim that is valid neither now nor after the \
        announced move is an illegal output. The same as submitting \
        {\"action\":\"claim_draw\",\"reason\":…}.",
    arguments: &[ID, REASON, MOVE],
    is_read_only: false,
    answer: claim_draw,
};

pub(super) const RESIGN: Tool = Tool {
    name: "resign",
    about: "Resign for the side to move. The same as submitting {\"action\":\"resign\"}.",
    arguments: &[ID],
    is_read_only: false,
    answer: |games, arguments| judge(games, id(arguments), &json!({ "action": "resign" }).to_string()),
};

pub(super) const PLAY_REPLY: Tool = Tool {
    name: "play_reply",
    about: "Let a built-in player move for the side to move, so that you have an opponent.",
    arguments: &[ID, PLAYER, NODES_ARGUMENT],
    is_read_only: false,
    answer: play_reply,
};

fn submit(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    judge(games, id(arguments), &arguments.document(OUTPUT.name).unwrap_or_default())
}

fn claim_draw(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let reason = arguments.text(REASON.name).unwrap_or_default();
    let (_, game) = games.find(id(arguments))?;
    let known = description::claims(game);
    if !known.iter().any(|code| code == reason) {
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(ToolError::argument(
            REASON.name,
            format!("cannot be claimed in this game; its claims are {known}"),
        ));
    }
    let mut output = json!({ "action": "claim_draw", "reason": reason });
    if let Some(text) = arguments.document(MOVE.name) {
        let played: Value = serde_json::from_str(&text)
            .map_err(|error| ToolError::argument(MOVE.name, format!("is not JSON: {error}")))?;
        output["move"] = played;
    }
    judge(games, id(arguments), &output.to_string())
}

/// Returns the game, if it is not over.
fn open<'g>(games: &'g mut Games, id: &str) -> Result<(String, &'g mut ModelGame), ToolError> {
    let (id, game) = games.find(id)?;
    match game.session.end() {
        Some(end) => {
            let end = description::end_text(game.session.rules(), end);
            Err(ToolError::argument(ID.name, format!("names {id}, which is over. {end}")))
        }
        None => Ok((id, game)),
    }
}

/// Judges what a model does, no matter by which tool.
fn judge(games: &mut Games, id: &str, output: &str) -> Result<Answer, ToolError> {
    let (id, game) = open(games, id)?;
    let actor = player_name(game.session.rules(), game.session.actor());
    let ruling = game.judge(output);
    let mut data = description::brief(&id, game);
    data["verdict"] = game.judgement_json(&ruling);
    let words = sentence(&actor, game, &ruling);
    Ok(Answer { words: format!("{words}\n\n{}", description::standing(game)), data })
}

/// Describes what happened in a sentence.
fn sentence(actor: &str, game: &ModelGame, ruling: &Ruling) -> String {
    let Verdict::Accepted(kind) = ruling.verdict else {
        let why = ruling.rejected.as_ref().map(|rejected| sanitize(&rejected.why)).unwrap_or_default();
        let then = if ruling.is_forgiven {
            format!("Nothing has changed. Retries left on this move: {}.", game.session.retries_left())
        } else {
            format!("{actor} loses the game by it.")
        };
        return format!("Rejected as {}: {why}. {then}", ruling.verdict);
    };
    match kind {
        ActionKind::Move => {
            let last = game.turns.last();
            last.map(|turn| format!("{actor} plays {} ({}).", turn.text, turn.san)).unwrap_or_default()
        }
        ActionKind::Claim => format!("{actor} claims a draw, and the claim is valid."),
        ActionKind::Offer => format!("{actor} offers a draw and still has to move."),
        ActionKind::Accept => format!("{actor} accepts the draw."),
        ActionKind::Decline => format!("{actor} declines the draw and still has to move."),
        ActionKind::Resign => format!("{actor} resigns."),
        ActionKind::Exchange => format!("{actor} proposes to exchange captured leaders."),
        ActionKind::Withdraw => format!("{actor} hands the army over to a partner."),
        ActionKind::Throw => format!("{actor} throws the die."),
    }
}

fn play_reply(games: &mut Games, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let (id, game) = open(games, id(arguments))?;
    let mover = player_name(game.session.rules(), game.session.actor());
    let player = arguments.text(PLAYER.name).unwrap_or_default();
    let nodes = arguments.whole(NODES_ARGUMENT.name).unwrap_or(NODES);
    if let Some(answer) = game.answer_proposal() {
        let words = if answer == Action::Accept { "accepts" } else { "declines" };
        let words = format!("{mover} ({player}) {words} the exchange.");
        let data = description::brief(&id, game);
        return Ok(Answer { words: format!("{words}\n\n{}", description::standing(game)), data });
    }
    let turn = game.reply(player, nodes).ok_or_else(|| ToolError::because("the player finds no move"))?;
    let words = format!("{mover} ({player}) plays {} ({}).", turn.text, turn.san);
    let (text, san) = (turn.text.clone(), turn.san.clone());
    let mut data = description::brief(&id, game);
    data["played"] = json!({ "player": player, "text": text, "san": san });
    Ok(Answer { words: format!("{words}\n\n{}", description::standing(game)), data })
}
