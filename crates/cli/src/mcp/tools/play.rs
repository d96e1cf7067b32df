//! Doing something in a game. Whatever a model does, by whichever tool, is judged as an output of the agent protocol.

use serde_json::{Value, json};
use tabiya_referee::Act;
use tabiya_referee::protocol::{Finding, Verdict};

use super::{ID, Tool, id};
use crate::mcp::answer::{Answer, Refused};
use crate::mcp::arguments::{Argument, Arguments, Kind};
use crate::mcp::hall::Hall;
use crate::mcp::table::{MOST_TURNS, Table};
use crate::mcp::telling;
use crate::position_summary::player_name;
use crate::text::sanitize;

/// An output is much shorter; what is longer is not read.
const MOST_OUTPUT: usize = 64 << 10;

/// A player who looks ahead looks at so many positions, if nobody says otherwise, and at so many at most.
const NODES: u64 = 20_000;
const MOST_NODES: u64 = 100_000;

const OUTPUT: Argument = Argument {
    name: "output",
    about: "What the side to move does, as one JSON object. In chess a move is \
        {\"from\":\"e2\",\"to\":\"e4\",\"promotion\":null}; in other games \
        {\"from\":[4,1],\"to\":[4,3],\"promotion\":null}, squares as column and row from 0, with \"id\" \
        where two moves lead to the same square. Or {\"action\":\"offer_draw\"}, \"accept_draw\", \
        \"decline_draw\", \"resign\", or {\"action\":\"claim_draw\",\"reason\":…}; in games that have it, \
        \"exchange\", \"accept_exchange\", \"decline_exchange\", \"throw\", or \
        {\"action\":\"withdraw\",\"to\":…}.",
    kind: Kind::Document(MOST_OUTPUT),
    is_required: true,
};

const REASON: Argument = Argument {
    name: "reason",
    about: "What is claimed, such as threefold_repetition or fifty_move_rule; `claims` of the state lists \
        what this game knows.",
    kind: Kind::Text,
    is_required: true,
};

const MOVE: Argument = Argument {
    name: "move",
    about: "A move that you announce and do not make, after which the claim holds; an object as in submit.",
    kind: Kind::Document(MOST_OUTPUT),
    is_required: false,
};

const PLAYER: Argument = Argument {
    name: "player",
    about: "Who chooses the move: random, greedy (looks one move ahead), mcts (tries moves out), search (looks further), or level1 to level10.",
    kind: Kind::Word(&tabiya_players::NAMES),
    is_required: true,
};

const NODES_ARGUMENT: Argument = Argument {
    name: "nodes",
    about: "How many positions the player may look at; more plays better. Without it, 20000.",
    kind: Kind::Whole(1..=MOST_NODES),
    is_required: false,
};

pub(super) const SUBMIT: Tool = Tool {
    name: "submit",
    about: "Play for the side to move: submit one output object of the agent protocol and get the \
        referee's verdict. An illegal or malformed output is told with the rule that it breaks, and loses \
        the game once no retry is left (`retries_left`).",
    arguments: &[ID, OUTPUT],
    only_looks: false,
    answer: submit,
};

pub(super) const OFFER_DRAW: Tool = Tool {
    name: "offer_draw",
    about: "Offer a draw for the side to move, who still has to make a move; the next player may then \
        accept. The same as submitting {\"action\":\"offer_draw\"}.",
    arguments: &[ID],
    only_looks: false,
    answer: |hall, arguments| judge(hall, id(arguments), &json!({ "action": "offer_draw" }).to_string()),
};

pub(super) const CLAIM_DRAW: Tool = Tool {
    name: "claim_draw",
    about: "Claim a draw for the side to move. A claim that does not hold, neither now nor after the \
        announced move, is an illegal output. The same as submitting \
        {\"action\":\"claim_draw\",\"reason\":…}.",
    arguments: &[ID, REASON, MOVE],
    only_looks: false,
    answer: claim_draw,
};

pub(super) const RESIGN: Tool = Tool {
    name: "resign",
    about: "Give the game up for the side to move. The same as submitting {\"action\":\"resign\"}.",
    arguments: &[ID],
    only_looks: false,
    answer: |hall, arguments| judge(hall, id(arguments), &json!({ "action": "resign" }).to_string()),
};

pub(super) const PLAY_REPLY: Tool = Tool {
    name: "play_reply",
    about: "Let a built-in player make the move of the side to move, so that you have an opponent.",
    arguments: &[ID, PLAYER, NODES_ARGUMENT],
    only_looks: false,
    answer: play_reply,
};

fn submit(hall: &mut Hall, arguments: &Arguments<'_>) -> Result<Answer, Refused> {
    judge(hall, id(arguments), &arguments.document(OUTPUT.name).unwrap_or_default())
}

fn claim_draw(hall: &mut Hall, arguments: &Arguments<'_>) -> Result<Answer, Refused> {
    let reason = arguments.text(REASON.name).unwrap_or_default();
    let (_, table) = hall.find(id(arguments))?;
    let known = telling::claims(table.rules());
    if !known.iter().any(|code| code == reason) {
        let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
        return Err(Refused::argument(
            REASON.name,
            format!("is nothing that can be claimed in this game: what can is {known}"),
        ));
    }
    let mut output = json!({ "action": "claim_draw", "reason": reason });
    if let Some(text) = arguments.document(MOVE.name) {
        let played: Value = serde_json::from_str(&text)
            .map_err(|error| Refused::argument(MOVE.name, format!("is not JSON: {error}")))?;
        output["move"] = played;
    }
    judge(hall, id(arguments), &output.to_string())
}

/// The game, if something can still be done in it.
fn open<'h>(hall: &'h mut Hall, id: &str) -> Result<(String, &'h mut Table), Refused> {
    let (id, table) = hall.find(id)?;
    match table.game.end() {
        Some(end) => {
            let end = telling::end_text(table.rules(), end);
            Err(Refused::argument(
                ID.name,
                format!("names {id}, in which nothing can be done any more. {end}"),
            ))
        }
        None if table.is_too_long() => Err(Refused::argument(
            ID.name,
            format!("names {id}, which is broken off: no game is longer than {MOST_TURNS} moves here"),
        )),
        None => Ok((id, table)),
    }
}

/// The one door for everything that a model does.
fn judge(hall: &mut Hall, id: &str, output: &str) -> Result<Answer, Refused> {
    let terms = hall.terms;
    let (id, table) = open(hall, id)?;
    let mover = player_name(table.rules(), table.game.actor());
    let verdict = table.judge(output, terms.retries);
    let mut data = telling::brief(&id, table, terms);
    data["verdict"] = table.verdict_json(&verdict);
    let words = said(&mover, table, &verdict, data["retries_left"].as_u64().unwrap_or(0));
    Ok(Answer { words: format!("{words}\n\n{}", telling::standing(table)), data })
}

/// What happened, in a sentence.
fn said(mover: &str, table: &Table, verdict: &Verdict, retries_left: u64) -> String {
    match verdict.finding {
        Finding::Move => {
            let last = table.turns.last();
            last.map(|turn| format!("{mover} plays {} ({}).", turn.text, turn.san)).unwrap_or_default()
        }
        Finding::Claim => format!("{mover} claims a draw, and the claim holds."),
        Finding::Offer => format!("{mover} offers a draw, and still has to make a move."),
        Finding::Accept => format!("{mover} accepts the draw."),
        Finding::Decline => format!("{mover} declines the draw, and still has to make a move."),
        Finding::Resign => format!("{mover} resigns."),
        Finding::Exchange => format!("{mover} proposes to exchange captured leaders."),
        Finding::Withdraw => format!("{mover} hands the army over to a partner."),
        Finding::Throw => format!("{mover} throws the die."),
        Finding::Illegal | Finding::Malformed => {
            let why = verdict.refused.as_ref().map(|refused| sanitize(&refused.why)).unwrap_or_default();
            let word = verdict.finding.word();
            let so = match verdict.end {
                Some(_) => format!("{mover} loses by it."),
                None => format!("Nothing has changed. Retries left on this move: {retries_left}."),
            };
            format!("Refused as {word}: {why}. {so}")
        }
    }
}

fn play_reply(hall: &mut Hall, arguments: &Arguments<'_>) -> Result<Answer, Refused> {
    let terms = hall.terms;
    let (id, table) = open(hall, id(arguments))?;
    let mover = player_name(table.rules(), table.game.actor());
    let player = arguments.text(PLAYER.name).unwrap_or_default();
    let nodes = arguments.whole(NODES_ARGUMENT.name).unwrap_or(NODES);
    if let Some(answer) = table.answer_proposal() {
        let words = if answer == Act::Accept { "accepts" } else { "declines" };
        let words = format!("{mover} ({player}) {words} the exchange.");
        let data = telling::brief(&id, table, terms);
        return Ok(Answer { words: format!("{words}\n\n{}", telling::standing(table)), data });
    }
    let turn = table.reply(player, nodes).ok_or_else(|| Refused::because("the player finds no move"))?;
    let words = format!("{mover} ({player}) plays {} ({}).", turn.text, turn.san);
    let (text, san) = (turn.text.clone(), turn.san.clone());
    let mut data = telling::brief(&id, table, terms);
    data["played"] = json!({ "player": player, "text": text, "san": san });
    Ok(Answer { words: format!("{words}\n\n{}", telling::standing(table)), data })
}
