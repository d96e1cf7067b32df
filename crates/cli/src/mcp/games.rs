//! The games of one server. They live in memory, and their number is limited.

use std::collections::BTreeMap;

use super::Terms;
use super::answer::Refused;
use super::game::ModelGame;
use tabiya_notation::clip;

/// The most games at once.
pub(super) const MAX_GAMES: usize = 64;

/// The most bytes of game files that models have sent. The engine may need a hundred times as much.
const MAX_BYTES: usize = 2 << 20;

/// The games, by number.
#[derive(Debug)]
pub(super) struct Games {
    /// The options of the server.
    pub(super) terms: Terms,
    games: BTreeMap<u64, ModelGame>,
    /// The number of the last game. Numbers are not used twice.
    last: u64,
}

impl Games {
    /// Creates a server without games.
    pub(super) fn new(terms: Terms) -> Self {
        Games { terms, games: BTreeMap::new(), last: 0 }
    }

    /// Adds a game and returns its id. If there is no room, the oldest finished games are removed.
    pub(super) fn add(&mut self, game: ModelGame) -> Result<(String, &mut ModelGame), Refused> {
        if !has_room(self.games.values().filter(|other| !other.session.end().is_some()), &game) {
            return Err(full());
        }
        while !has_room(self.games.values(), &game) {
            let oldest =
                self.games.iter().find(|(_, other)| other.session.end().is_some()).map(|(number, _)| *number);
            self.games.remove(&oldest.ok_or_else(full)?);
        }
        self.last += 1;
        Ok((id(self.last), self.games.entry(self.last).or_insert(game)))
    }

    /// Returns the game of an id, and the id.
    pub(super) fn find(&mut self, text: &str) -> Result<(String, &mut ModelGame), Refused> {
        let number = text.strip_prefix(PREFIX).and_then(|number| number.parse().ok());
        let number = number.filter(|number| id(*number) == text).unwrap_or(0);
        let last = self.last;
        match self.games.get_mut(&number) {
            Some(game) => Ok((id(number), game)),
            None if (1..=last).contains(&number) => Err(Refused::argument(
                "id",
                format!("names {text}, a finished game that was removed to make room for another"),
            )),
            None => Err(Refused::argument(
                "id",
                format!("names no game: there is no `{}`; new_game returns ids", clip(text, 40)),
            )),
        }
    }
}

/// Whether there is room for a game beside others.
fn has_room<'g>(others: impl Iterator<Item = &'g ModelGame> + Clone, game: &ModelGame) -> bool {
    let bytes: usize = others.clone().map(|other| other.source.bytes).sum();
    others.count() < MAX_GAMES && bytes + game.source.bytes <= MAX_BYTES
}

fn full() -> Refused {
    Refused::because(format!(
        "there is room for {MAX_GAMES} games and for {MAX_BYTES} bytes of your own game files, and no game is over: \
         finish one or resign it"
    ))
}

/// The prefix of ids.
const PREFIX: &str = "g";

fn id(number: u64) -> String {
    format!("{PREFIX}{number}")
}
