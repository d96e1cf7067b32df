//! All games of a session. They live in memory, and there is room for so many.

use std::collections::BTreeMap;

use super::Terms;
use super::answer::Refused;
use super::table::Table;
use crate::text::truncate;

/// So many games at once.
pub(super) const MOST_GAMES: usize = 64;

/// So many bytes of games that were sent along. What the engine makes of a byte can be a hundred times as large.
const MOST_BYTES: usize = 2 << 20;

/// The games, by number.
#[derive(Debug)]
pub(super) struct Hall {
    /// What holds for all of them.
    pub(super) terms: Terms,
    tables: BTreeMap<u64, Table>,
    /// How many there have been. A number is never given twice.
    opened: u64,
}

impl Hall {
    /// Without a game.
    pub(super) fn new(terms: Terms) -> Self {
        Hall { terms, tables: BTreeMap::new(), opened: 0 }
    }

    /// Takes a game in and gives it its id. If there is no room, the oldest that are over have to go.
    pub(super) fn seat(&mut self, table: Table) -> Result<(String, &mut Table), Refused> {
        if !has_room(self.tables.values().filter(|other| !other.is_over()), &table) {
            return Err(full());
        }
        while !has_room(self.tables.values(), &table) {
            let oldest = self.tables.iter().find(|(_, other)| other.is_over()).map(|(number, _)| *number);
            self.tables.remove(&oldest.ok_or_else(full)?);
        }
        self.opened += 1;
        Ok((id(self.opened), self.tables.entry(self.opened).or_insert(table)))
    }

    /// The game of an id, with the id as it is written.
    pub(super) fn find(&mut self, text: &str) -> Result<(String, &mut Table), Refused> {
        let number = text.strip_prefix(PREFIX).and_then(|number| number.parse().ok());
        let number = number.filter(|number| id(*number) == text).unwrap_or(0);
        let opened = self.opened;
        match self.tables.get_mut(&number) {
            Some(table) => Ok((id(number), table)),
            None if (1..=opened).contains(&number) => Err(Refused::argument(
                "id",
                format!("names {text}, which was over and has made room for another game"),
            )),
            None => Err(Refused::argument(
                "id",
                format!("names no game: there is no `{}`; new_game gives ids", truncate(text, 40)),
            )),
        }
    }
}

/// Whether a game fits in beside others.
fn has_room<'t>(others: impl Iterator<Item = &'t Table> + Clone, table: &Table) -> bool {
    let bytes: usize = others.clone().map(|other| other.source.bytes).sum();
    others.count() < MOST_GAMES && bytes + table.source.bytes <= MOST_BYTES
}

fn full() -> Refused {
    Refused::because(format!(
        "there is room for {MOST_GAMES} games and for {MOST_BYTES} bytes of games of your own, and none of those that \
         are played is over: finish one, or resign it"
    ))
}

/// What ids begin with.
const PREFIX: &str = "g";

fn id(number: u64) -> String {
    format!("{PREFIX}{number}")
}
