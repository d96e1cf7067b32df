//! The tools: description, arguments and implementation of each. Arguments are validated before a tool sees them.

mod act;
mod inspect;
mod library;
mod new_game;

use serde_json::{Map, Value, json};

use super::McpOptions;
use super::answer::{Answer, ToolError};
use super::arguments::{Argument, Arguments, Kind};
use super::games::Games;

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    name: &'static str,
    /// The description for the model.
    about: &'static str,
    arguments: &'static [Argument],
    /// Whether it leaves games unchanged.
    is_read_only: bool,
    answer: fn(&mut Games, &Arguments<'_>) -> Result<Answer, ToolError>,
}

/// The argument that names a game in progress.
const ID: Argument = Argument {
    name: "id",
    about: "The id of a game, as returned by new_game.",
    kind: Kind::Text,
    is_required: true,
};

/// The tool that `--no-legal-moves` disables.
const LEGAL_MOVES: &str = "legal_moves";

/// All tools.
static TOOLS: &[Tool] = &[
    library::LIST_GAMES,
    library::RULES,
    new_game::NEW_GAME,
    inspect::STATE,
    inspect::LEGAL_MOVES,
    inspect::HISTORY,
    act::SUBMIT,
    act::OFFER_DRAW,
    act::CLAIM_DRAW,
    act::RESIGN,
    act::PLAY_REPLY,
];

/// Returns the enabled tools.
pub(super) fn all(options: McpOptions) -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().filter(move |tool| options.legal_moves || tool.name != LEGAL_MOVES)
}

/// Returns a tool by name, or why there is none.
pub(super) fn find(options: McpOptions, name: &str) -> Result<&'static Tool, String> {
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    match tool {
        Some(tool) if all(options).any(|other| other.name == tool.name) => Ok(tool),
        Some(_) => Err(format!("the tool {name} is disabled (--no-legal-moves)")),
        None => {
            let names: Vec<&str> = all(options).map(|tool| tool.name).collect();
            let hint = crate::text::did_you_mean(name, names.iter().copied());
            let (name, names) = (crate::text::clip(name, 40), names.join(", "));
            Err(format!("there is no tool `{name}`{hint} (the tools are {names})"))
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
                "readOnlyHint": self.is_read_only,
                "destructiveHint": false,
                "idempotentHint": self.is_read_only,
                "openWorldHint": false,
            },
        })
    }

    /// Validates the arguments and calls the tool.
    pub(super) fn call(&self, games: &mut Games, given: &Map<String, Value>) -> Result<Answer, ToolError> {
        (self.answer)(games, &Arguments::check(given, self.arguments)?)
    }
}

/// Returns the validated id.
fn id<'a>(arguments: &Arguments<'a>) -> &'a str {
    arguments.text(ID.name).unwrap_or_default()
}
