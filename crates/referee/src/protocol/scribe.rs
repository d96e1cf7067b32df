//! What agents are told, as lines of JSON.

use serde_json::{Value, json};

use super::brief::player_name;
use super::form::Form;
use super::rule::Refused;
use super::{chess, general};
use crate::Game;

/// Writes the states of one game. Earlier positions never change, so each is written once and then remembered.
#[derive(Clone, Debug)]
pub struct Scribe {
    form: Form,
    /// How many earlier positions are written in `history`.
    written: usize,
    /// Their texts in quotes, with commas between them.
    history: String,
}

impl Scribe {
    pub(super) fn new(form: Form) -> Self {
        Scribe { form, written: 0, history: String::new() }
    }

    /// The state as the player to move is told it, on one line. The game is always the same one, and never goes back.
    pub fn state_line(&mut self, game: &Game) -> String {
        self.catch_up(game);
        let mut line = match self.form {
            Form::Chess => chess::write(game, &self.history),
            Form::General => general::write(game, &self.history),
        };
        if let Some(player) = game.draw_offer() {
            let name = Value::from(player_name(self.form, game.rules(), player));
            line.push_str(&format!(",\"draw_offer\":{name}"));
        }
        if self.form == Form::General {
            line.push_str(&general::occasions(game));
        }
        line.push('}');
        line
    }

    /// The same after an output that was not accepted, if the player is asked again.
    pub fn refusal_line(&mut self, game: &Game, refused: &Refused) -> String {
        let refused = json!({ "rule": refused.rule.word(), "why": refused.why });
        format!("{{\"refused\":{refused},\"state\":{}}}", self.state_line(game))
    }

    fn catch_up(&mut self, game: &Game) {
        for identity in game.earlier().get(self.written..).unwrap_or_default() {
            let text = match self.form {
                // Nothing in it needs to be escaped.
                Form::Chess => format!("\"{}\"", chess::four_fields(game.rules(), identity.position())),
                Form::General => Value::from(general::earlier_text(game.rules(), identity)).to_string(),
            };
            if self.written > 0 {
                self.history.push(',');
            }
            self.history.push_str(&text);
            self.written += 1;
        }
    }
}
