//! The tools: what a model is told about each, what it takes, and who answers.
//!
//! Every call goes through one door: the arguments are looked at before the tool sees them, and what a tool does to a
//! game is done by the referee.

mod library;
mod look;
mod opening;
mod play;

use serde_json::{Map, Value, json};

use super::Terms;
use super::answer::{Answer, Refused};
use super::arguments::{Argument, Arguments, Kind};
use super::games::Games;

/// Something that a model can ask for.
#[derive(Debug)]
pub(super) struct Tool {
    name: &'static str,
    /// What it does, for the model.
    about: &'static str,
    arguments: &'static [Argument],
    /// Whether games are the same afterwards.
    only_looks: bool,
    answer: fn(&mut Games, &Arguments<'_>) -> Result<Answer, Refused>,
}

/// The argument that says which game.
const ID: Argument = Argument {
    name: "id",
    about: "The id of a game, as new_game gave it.",
    kind: Kind::Text,
    is_required: true,
};

/// The tool that a host may withhold.
const LEGAL_MOVES: &str = "legal_moves";

/// All of them.
static TOOLS: &[Tool] = &[
    library::LIST_GAMES,
    library::RULES,
    opening::NEW_GAME,
    look::STATE,
    look::LEGAL_MOVES,
    look::HISTORY,
    play::SUBMIT,
    play::OFFER_DRAW,
    play::CLAIM_DRAW,
    play::RESIGN,
    play::PLAY_REPLY,
];

/// The tools that there are under these terms.
pub(super) fn all(terms: Terms) -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().filter(move |tool| terms.legal_moves || tool.name != LEGAL_MOVES)
}

/// The tool of that name, or why there is none.
pub(super) fn find(terms: Terms, name: &str) -> Result<&'static Tool, String> {
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    match tool {
        Some(tool) if all(terms).any(|other| other.name == tool.name) => Ok(tool),
        Some(_) => Err(format!("the tool {name} is switched off (--no-legal-moves)")),
        None => {
            let names: Vec<&str> = all(terms).map(|tool| tool.name).collect();
            let near = crate::text::nearest_word(name, names.iter().copied());
            let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            let (name, names) = (crate::text::truncate(name, 40), names.join(", "));
            Err(format!("there is no tool `{name}`{hint} (there are {names})"))
        }
    }
}

impl Tool {
    /// Describes the tool for a client.
    pub(super) fn offer(&self) -> Value {
        let properties: Map<String, Value> =
            self.arguments.iter().map(|argument| (argument.name.to_owned(), argument.schema())).collect();
        let required = self.arguments.iter().filter(|argument| argument.is_required);
        let required: Vec<&str> = required.map(|argument| argument.name).collect();
        json!({
            "name": self.name,
            "description": self.about,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            },
            "annotations": {
                "readOnlyHint": self.only_looks,
                "destructiveHint": false,
                "idempotentHint": self.only_looks,
                "openWorldHint": false,
            },
        })
    }

    /// Does what is asked.
    pub(super) fn call(&self, games: &mut Games, given: &Map<String, Value>) -> Result<Answer, Refused> {
        (self.answer)(games, &Arguments::check(given, self.arguments)?)
    }
}

/// The id, which has been looked at.
fn id<'a>(arguments: &Arguments<'a>) -> &'a str {
    arguments.text(ID.name).unwrap_or_default()
}
