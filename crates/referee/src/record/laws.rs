//! What a referee knows of a game before anybody plays it: its rules, how agents are asked and understood, and the hash
//! that pins records to it.

use std::sync::Arc;

use tabiya_engine::Rules;
use tabiya_notation::{MoveError, parse_uci};

use super::line::Form;
use crate::protocol::{Protocol, Refused, Rule, Strictness};
use crate::{Act, Game, Illegal};

/// What can be said in a word.
const WORDS: [(&str, Act); 4] =
    [("accept", Act::Accept), ("decline", Act::Decline), ("exchange", Act::Exchange), ("throw", Act::Throw)];

/// How an act that is no move is said in a word, if it is.
pub fn act_word(act: &Act) -> Option<&'static str> {
    WORDS.iter().find(|(_, known)| known == act).map(|(word, _)| *word)
}

/// The rules of a game for a referee. A copy costs next to nothing.
#[derive(Clone, Debug)]
pub struct Laws {
    rules: Arc<Rules>,
    protocol: Protocol,
    hash: Arc<str>,
}

impl Laws {
    /// Of rules with this hash. It takes a moment, so keep it.
    pub fn new(rules: &Arc<Rules>, hash: &str) -> Self {
        Laws { rules: Arc::clone(rules), protocol: Protocol::new(rules), hash: hash.into() }
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// How agents are asked.
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// The hash of the rules.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What an output of the player to move means, and whether other text around it was forgiven.
    pub(super) fn understand(
        &self,
        game: &Game,
        form: Form,
        lenient: bool,
        text: &str,
    ) -> Result<(Act, bool), Refused> {
        let strictness = if lenient { Strictness::Lenient } else { Strictness::Strict };
        match form {
            Form::Object => self.protocol.understand(game, text, strictness),
            Form::Text => self.read_act(game, text).map(|act| (act, false)),
        }
    }

    /// Whoever answers with text moves, and says in a word what comes before a move in some games.
    fn read_act(&self, game: &Game, text: &str) -> Result<Act, Refused> {
        if let Some(act) = WORDS.into_iter().find(|(word, _)| *word == text) {
            return Ok(act.1);
        }
        let error = match parse_uci(&self.rules, &game.state().position, text) {
            Ok(played) => return Ok(Act::Move(played)),
            Err(error) => error,
        };
        let rule = match &error {
            MoveError::Illegal { .. } => Rule::Pattern,
            MoveError::NeedsPromotion { .. } => Rule::PromotionMissing,
            MoveError::Ambiguous(_) => Rule::Ambiguous,
            _ => Rule::Malformed,
        };
        Err(Refused { rule, why: error.to_string(), lenient: false })
    }

    /// An act that the game did not allow.
    pub(super) fn refusal(&self, game: &Game, illegal: &Illegal) -> Refused {
        self.protocol.refusal(game, illegal)
    }
}
