//! The games of one server. They live in memory, and their number is limited.

use std::collections::BTreeMap;

use super::McpOptions;
use super::answer::ToolError;
use super::game::ModelGame;
use tabiya_notation::clip;

/// The most games at once.
pub(super) const MAX_GAMES: usize = 64;

/// The most bytes of game files that models have sent. The engine may need a hundred times as much.
const MAX_BYTES: usize = 2 << 20;

/// The games, by number.
pub(super) struct Games {
    /// The options of the server.
    pub(super) options: McpOptions,
    by_number: BTreeMap<u64, ModelGame>,
    /// The number of the last game. Numbers are not used twice.
    last: u64,
}

impl Games {
    /// Creates a server without games.
    pub(super) fn new(options: McpOptions) -> Self {
        Games { options, by_number: BTreeMap::new(), last: 0 }
    }

    /// Adds a game and returns its id. If the limits are reached, the oldest finished games are removed.
    pub(super) fn add(&mut self, game: ModelGame) -> Result<(String, &mut ModelGame), ToolError> {
        if !fits(self.by_number.values().filter(|other| other.session.end().is_none()), &game) {
            return Err(full());
        }
        while !fits(self.by_number.values(), &game) {
            let oldest = self
                .by_number
                .iter()
                .find(|(_, other)| other.session.end().is_some())
                .map(|(number, _)| *number);
            self.by_number.remove(&oldest.ok_or_else(full)?);
        }
        self.last += 1;
        Ok((id(self.last), self.by_number.entry(self.last).or_insert(game)))
    }

    /// Returns the game of an id, and the id.
    pub(super) fn find(&mut self, text: &str) -> Result<(String, &mut ModelGame), ToolError> {
        let number = text.strip_prefix(PREFIX).and_then(|number| number.parse().ok());
        let number = number.filter(|number| id(*number) == text).unwrap_or(0);
        let last = self.last;
        match self.by_number.get_mut(&number) {
            Some(game) => Ok((id(number), game)),
            None if (1..=last).contains(&number) => Err(ToolError::argument(
                "id",
                format!("names {text}, a finished game that was replaced by another"),
            )),
            None => Err(ToolError::argument(
                "id",
                format!("names no game: there is no `{}`; new_game returns ids", clip(text, 40)),
            )),
        }
    }
}

/// Returns whether a game fits into the limits beside others.
fn fits<'g>(others: impl Iterator<Item = &'g ModelGame> + Clone, game: &ModelGame) -> bool {
    let bytes: usize = others.clone().map(|other| other.source.bytes).sum();
    others.count() < MAX_GAMES && bytes + game.source.bytes <= MAX_BYTES
}

fn full() -> ToolError {
    ToolError::because(format!(
        "at most {MAX_GAMES} games and {MAX_BYTES} bytes of custom games are kept, and no game is over: finish or \
         resign one"
    ))
}

/// The prefix of ids.
const PREFIX: &str = "g";

fn id(number: u64) -> String {
    format!("{PREFIX}{number}")
}
