//! What the referee needs to know about a game before it is played: its rules, its agent protocol and its content hash.

use std::sync::Arc;

use tabiya_engine::Rules;
use tabiya_notation::MoveError;

use crate::action::ParseActionError;
use crate::protocol::{Protocol, RejectedAnswer, Rule, Strictness};
use crate::{Action, AnswerFormat, Game};

/// Null moves, which UCI engines send when they have no legal move.
const NULL_MOVES: [&str; 2] = ["(none)", "0000"];

/// The rules of a game, its agent protocol and its content hash. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Laws {
    rules: Arc<Rules>,
    protocol: Protocol,
    hash: Arc<str>,
}

impl Laws {
    /// Creates the laws for rules with this content hash. This takes a moment, so keep them.
    pub fn new(rules: &Arc<Rules>, hash: &str) -> Self {
        Laws { rules: Arc::clone(rules), protocol: Protocol::new(rules), hash: hash.into() }
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The agent protocol.
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// The content hash of the rules.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Parses an answer of the player to act. Returns the action and whether text around it was ignored.
    ///
    /// # Errors
    ///
    /// Names the rule that the answer breaks.
    pub fn parse_answer(
        &self,
        game: &Game,
        format: AnswerFormat,
        strictness: Strictness,
        text: &str,
    ) -> Result<(Action, bool), RejectedAnswer> {
        match format {
            AnswerFormat::Object => self.protocol.parse_answer(game, text, strictness),
            AnswerFormat::Text => parse_text(game, text).map(|action| (action, false)),
        }
    }
}

fn parse_text(game: &Game, text: &str) -> Result<Action, RejectedAnswer> {
    if NULL_MOVES.contains(&text) {
        let why = format!("`{text}` is not a move");
        return Err(RejectedAnswer { rule: Rule::Pattern, why, lenient: false });
    }
    game.parse_action(text).map_err(|error| {
        let rule = match &error {
            ParseActionError::Move(MoveError::Illegal { .. }) => Rule::Pattern,
            ParseActionError::Move(MoveError::NeedsPromotion { .. }) => Rule::PromotionMissing,
            ParseActionError::Move(MoveError::Ambiguous(_)) => Rule::Ambiguous,
            _ => Rule::Malformed,
        };
        RejectedAnswer { rule, why: error.to_string(), lenient: false }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_resign_and_send_null_moves() {
        let chess = tabiya_spec::library::load("chess").unwrap();
        let laws = Laws::new(&chess.rules, "");
        let game = Game::new(chess.rules);
        let parse = |text| laws.parse_answer(&game, AnswerFormat::Text, Strictness::Strict, text);
        assert_eq!(parse("resign").unwrap().0, Action::Resign);
        for text in NULL_MOVES {
            assert_eq!(parse(text).unwrap_err().rule, Rule::Pattern, "{text}");
        }
        assert_eq!(parse("e2e5").unwrap_err().rule, Rule::Pattern);
        assert_eq!(parse("nonsense").unwrap_err().rule, Rule::Malformed);
    }
}
