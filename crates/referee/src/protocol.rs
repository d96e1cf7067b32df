//! The agent protocol (`docs/agent-protocol.md`): the states that agents are sent, the answers that they may give, and the
//! referee's judgement of them. Chess has its own [`Dialect`]; all other games share the general one.
//!
//! ```
//! use tabiya_referee::protocol::{Protocol, Rule, Strictness};
//! use tabiya_referee::{ActionKind, Game, Verdict};
//!
//! let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let protocol = Protocol::new(&rules);
//!
//! let mut game = Game::new(rules);
//! let mut writer = protocol.state_writer();
//! assert!(writer.state_line(&game).starts_with(r#"{"board":{"a1":"R","b1":"N","#));
//!
//! let judgement = protocol.judge(&mut game, r#"{"from":"e2","to":"e4","promotion":null}"#, Strictness::Strict);
//! assert_eq!(judgement.verdict, Verdict::Accepted(ActionKind::Move));
//! assert_eq!(judgement.uci.as_deref(), Some("e2e4"));
//!
//! let judgement = protocol.judge(&mut game, r#"{"from":"e2","to":"e4","promotion":null}"#, Strictness::Strict);
//! assert_eq!(judgement.rejected.unwrap().rule, Rule::OwnPiece, "it is Black's turn, and e2 is empty");
//!
//! let parsed = protocol.state_reader().read(&writer.state_line(&game)).unwrap();
//! assert_eq!(parsed.state, *game.state());
//! assert_eq!(parsed.earlier.len(), 1);
//! ```

mod chess;
mod dialect;
mod general;
mod judgement;
mod line;
mod object;
mod output;
mod rejection;
mod state_reader;
mod state_writer;

use std::sync::Arc;

use serde_json::Value;
use tabiya_engine::Rules;
use tabiya_notation::uci;

pub use dialect::Dialect;
pub use judgement::{Judgement, bad_state_json};
pub use line::{Case, Prompt, read_case, read_prompt};
pub use output::{OUTPUT_LIMIT, Strictness, contains_object};
pub use rejection::{RejectedAnswer, Rule};
pub use state_reader::{BadState, HISTORY_LIMIT, ParsedState, STATE_LIMIT, StateReader};
pub use state_writer::StateWriter;

use crate::{Action, Game, IllegalAction};
use output::Answer;
use rejection::MoveRequest;

/// The agent protocol of one game.
#[derive(Clone, Debug)]
pub struct Protocol {
    dialect: Dialect,
    rules: Arc<Rules>,
}

impl Protocol {
    /// Creates the protocol of a game. Finding the dialect takes a moment, so keep it.
    pub fn new(rules: &Arc<Rules>) -> Self {
        Protocol { dialect: Dialect::of(rules), rules: Arc::clone(rules) }
    }

    /// The dialect of its messages.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Creates a writer for the states of one game.
    pub fn state_writer(&self) -> StateWriter {
        StateWriter::new(self.dialect)
    }

    /// Creates a reader of states.
    pub fn state_reader(&self) -> StateReader {
        StateReader::new(self.dialect, Arc::clone(&self.rules))
    }

    /// Parses an answer of the player to act. Returns the action and whether text around the object was ignored. Moves are
    /// legal; the game decides whether claims hold and offers stand.
    ///
    /// # Errors
    ///
    /// Names the rule that the answer breaks.
    pub fn parse_answer(
        &self,
        game: &Game,
        output: &str,
        strictness: Strictness,
    ) -> Result<(Action, bool), RejectedAnswer> {
        let (answer, lenient) = output::answer(self.dialect, &self.rules, output, strictness)?;
        let action = self.action(game, answer);
        action.map(|action| (action, lenient)).map_err(|rejected| RejectedAnswer { lenient, ..rejected })
    }

    fn action(&self, game: &Game, answer: Answer) -> Result<Action, RejectedAnswer> {
        if game.end().is_some() {
            return Err(RejectedAnswer::by_game(game, &IllegalAction::GameOver));
        }
        match answer {
            Answer::Move(request) => {
                request.legal_move(&self.rules, &game.state().position).map(Action::Move)
            }
            Answer::Claim { code, announced } => self.claim(game, code, announced),
            // Draw offers and proposed exchanges have different answers.
            Answer::Bare(Action::Accept | Action::Decline) if game.proposal().is_some() => {
                Err(RejectedAnswer::by_game(game, &IllegalAction::AnswerFirst))
            }
            Answer::OnExchange(_) if game.proposal().is_none() => {
                Err(RejectedAnswer::by_game(game, &IllegalAction::NoOffer))
            }
            Answer::OnResignation => {
                let is_asked = game.asked_out_of_turn().is_some() && game.draw_offer().is_none();
                let not_asked = || RejectedAnswer::by_game(game, &IllegalAction::NoOffer);
                is_asked.then_some(Action::Decline).ok_or_else(not_asked)
            }
            Answer::Bare(Action::Accept | Action::Decline)
                if game.asked_out_of_turn().is_some() && game.draw_offer().is_none() =>
            {
                Err(RejectedAnswer::by_game(game, &IllegalAction::NoOffer))
            }
            Answer::Bare(action) | Answer::OnExchange(action) => Ok(action),
            Answer::Withdraw(partner) => Ok(Action::Withdraw(partner)),
        }
    }

    /// An announced move that is not legal rejects only a claim that depends on it.
    fn claim(
        &self,
        game: &Game,
        code: String,
        announced: Option<MoveRequest>,
    ) -> Result<Action, RejectedAnswer> {
        let legal = announced.map(|request| request.legal_move(&self.rules, &game.state().position));
        match legal.transpose() {
            Ok(announced) => Ok(Action::Claim { code, announced }),
            Err(rejected) => {
                let bare = Action::Claim { code: code.clone(), announced: None };
                if game.clone().submit(&bare).is_ok() {
                    return Ok(bare);
                }
                let code = code.to_lowercase();
                let why = format!("{code} rests on an announced move that is not legal ({})", rejected.why);
                Err(RejectedAnswer::new(Rule::FalseClaim, &why))
            }
        }
    }

    /// Judges an answer of the player to act and plays it. A rejected answer changes nothing.
    pub fn judge(&self, game: &mut Game, output: &str, strictness: Strictness) -> Judgement {
        let (action, lenient) = match self.parse_answer(game, output, strictness) {
            Ok(parsed) => parsed,
            Err(rejected) => return Judgement::rejected(game, rejected),
        };
        let played = match action {
            Action::Move(played) | Action::Claim { announced: Some(played), .. } => {
                Some(uci(&self.rules, &game.state().position, played))
            }
            _ => None,
        };
        match game.submit(&action) {
            Ok(()) => Judgement::accepted(game, action.kind(), played, lenient),
            Err(illegal) => {
                let rejected = RejectedAnswer { lenient, ..RejectedAnswer::by_game(game, &illegal) };
                Judgement::rejected(game, rejected)
            }
        }
    }

    /// Describes an illegal action in the terms of the protocol.
    pub fn rejection(&self, game: &Game, illegal: &IllegalAction) -> RejectedAnswer {
        RejectedAnswer::by_game(game, illegal)
    }

    /// Writes a judgement as JSON.
    pub fn judgement_json(&self, judgement: &Judgement) -> Value {
        judgement.to_json(self.dialect, &self.rules)
    }

    /// Writes an action as an agent does. A move must be legal in the game's position.
    pub fn action_json(&self, game: &Game, action: &Action) -> Value {
        output::action_json(self.dialect, game, action)
    }
}
