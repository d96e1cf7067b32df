//! Writes states for agents, as lines of JSON.

use serde_json::{Value, json};

use super::dialect::Dialect;
use super::rejection::RejectedAnswer;
use super::state_reader::player_name;
use super::{chess, general};
use crate::Game;

/// A writer for the states of one game. It keeps the text of earlier positions, which never change.
#[derive(Clone, Debug)]
pub struct StateWriter {
    dialect: Dialect,
    /// The number of earlier positions in `history`.
    written: usize,
    /// The earlier positions, as quoted texts with commas between them.
    history: String,
}

impl StateWriter {
    pub(super) fn new(dialect: Dialect) -> Self {
        StateWriter { dialect, written: 0, history: String::new() }
    }

    /// Writes the state for the player to act on one line. The writer always gets the same game, which never goes back.
    pub fn state_line(&mut self, game: &Game) -> String {
        self.catch_up(game);
        let mut line = match self.dialect {
            Dialect::Chess => chess::write(game, &self.history),
            Dialect::General => general::write(game, &self.history),
        };
        if let Some(player) = game.draw_offer() {
            let name = Value::from(player_name(self.dialect, game.rules(), player));
            line.push_str(&format!(",\"draw_offer\":{name}"));
        }
        if self.dialect == Dialect::General {
            line.push_str(&general::occasions(game));
        }
        line.push('}');
        line
    }

    /// Writes a rejection with the state, for a player who is asked again.
    pub fn rejection_line(&mut self, game: &Game, rejected: &RejectedAnswer) -> String {
        let refused = json!({ "rule": rejected.rule.word(), "why": rejected.why });
        format!("{{\"refused\":{refused},\"state\":{}}}", self.state_line(game))
    }

    fn catch_up(&mut self, game: &Game) {
        for identity in game.earlier().get(self.written..).unwrap_or_default() {
            let text = match self.dialect {
                // The text needs no escapes.
                Dialect::Chess => format!("\"{}\"", chess::four_fields(game.rules(), identity.position())),
                Dialect::General => Value::from(general::earlier_text(game.rules(), identity)).to_string(),
            };
            if self.written > 0 {
                self.history.push(',');
            }
            self.history.push_str(&text);
            self.written += 1;
        }
    }
}
