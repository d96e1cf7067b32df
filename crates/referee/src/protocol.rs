//! The agent protocol (`docs/agent-protocol.md`): what agents are told, what they may answer, and what a referee says to
//! it. Chess has a form of its own, every other game the general one ([`Form`]).
//!
//! ```
//! use tabiya_referee::Game;
//! use tabiya_referee::protocol::{Finding, Protocol, Rule, Strictness};
//!
//! let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let protocol = Protocol::new(&rules);
//!
//! let mut game = Game::new(rules);
//! let mut scribe = protocol.scribe();
//! assert!(scribe.state_line(&game).starts_with(r#"{"board":{"a1":"R","b1":"N","#));
//!
//! let verdict = protocol.judge(&mut game, r#"{"from":"e2","to":"e4","promotion":null}"#, Strictness::Strict);
//! assert_eq!((verdict.finding, verdict.uci.as_deref()), (Finding::Move, Some("e2e4")));
//!
//! let verdict = protocol.judge(&mut game, r#"{"from":"e2","to":"e4","promotion":null}"#, Strictness::Strict);
//! assert_eq!(verdict.refused.unwrap().rule, Rule::OwnPiece, "it is Black's turn, and e2 is empty");
//!
//! let brief = protocol.reader().read(&scribe.state_line(&game)).unwrap();
//! assert_eq!(brief.state, *game.state());
//! assert_eq!(brief.earlier.len(), 1);
//! ```

mod brief;
mod chess;
mod form;
mod general;
mod line;
mod object;
mod output;
mod rule;
mod scribe;
mod verdict;

use std::sync::Arc;

use serde_json::Value;
use tabiya_engine::{Move, Position, Rules};
use tabiya_notation::uci;

pub use brief::{BadState, Brief, HISTORY_LIMIT, Reader, STATE_LIMIT};
pub use form::Form;
pub use line::{Case, Prompt, read_case, read_prompt};
pub use output::{OUTPUT_LIMIT, Strictness};
pub use rule::{Refused, Rule};
pub use scribe::Scribe;
pub use verdict::{Finding, Verdict, bad_state_json};

use crate::{Act, Game};
use output::Answer;
use rule::Wish;

/// The protocol of one game.
#[derive(Clone, Debug)]
pub struct Protocol {
    form: Form,
    rules: Arc<Rules>,
}

impl Protocol {
    /// The protocol for a game. Finding out the form takes a moment, so keep it.
    pub fn new(rules: &Arc<Rules>) -> Self {
        Protocol { form: Form::of(rules), rules: Arc::clone(rules) }
    }

    /// The form of its messages.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Somebody who writes down the states of one game.
    pub fn scribe(&self) -> Scribe {
        Scribe::new(self.form)
    }

    /// Somebody who reads states.
    pub fn reader(&self) -> Reader {
        Reader::new(self.form, Arc::clone(&self.rules))
    }

    /// What an output of the player to move means: an act that is ready to be submitted, and whether other text around
    /// the object was forgiven. Moves are legal; whether claims hold and offers stand is for the game to say.
    pub fn understand(
        &self,
        game: &Game,
        output: &str,
        strictness: Strictness,
    ) -> Result<(Act, bool), Refused> {
        let (answer, lenient) = output::answer(self.form, &self.rules, output, strictness)?;
        let refuse = |refused: Refused| Refused { lenient, ..refused };
        if game.end().is_some() {
            return Err(refuse(Refused::by_game(game, &crate::Illegal::GameOver)));
        }
        let position = &game.state().position;
        let act = match answer {
            Answer::Move(wish) => Act::Move(wish.grant(&self.rules, position).map_err(refuse)?),
            Answer::Claim { code, announced } => self.claim(game, code, announced).map_err(refuse)?,
            Answer::Offer => Act::Offer,
            // There is an answer to each question, and it names the question.
            Answer::Accept | Answer::Decline if game.proposal().is_some() => {
                return Err(refuse(Refused::by_game(game, &crate::Illegal::AnswerFirst)));
            }
            Answer::AcceptExchange | Answer::DeclineExchange if game.proposal().is_none() => {
                return Err(refuse(Refused::by_game(game, &crate::Illegal::NoOffer)));
            }
            Answer::Accept | Answer::AcceptExchange => Act::Accept,
            Answer::Decline | Answer::DeclineExchange => Act::Decline,
            Answer::Resign => Act::Resign,
            Answer::Exchange => Act::Exchange,
            Answer::Withdraw(heir) => Act::Withdraw(heir),
            Answer::Throw => Act::Throw,
        };
        Ok((act, lenient))
    }

    /// An announced move that is not legal sinks a claim that depends on it, and no other.
    fn claim(&self, game: &Game, code: String, announced: Option<Wish>) -> Result<Act, Refused> {
        let wish = announced.map(|wish| wish.grant(&self.rules, &game.state().position));
        match wish.transpose() {
            Ok(announced) => Ok(Act::Claim { code, announced }),
            Err(refused) => {
                let bare = Act::Claim { code: code.clone(), announced: None };
                if game.clone().submit(&bare).is_ok() {
                    return Ok(bare);
                }
                let code = code.to_lowercase();
                let why = format!("{code} rests on an announced move that is not legal ({})", refused.why);
                Err(Refused::new(Rule::FalseClaim, &why))
            }
        }
    }

    /// Judges an output of the player to move. What it leads to happens in the game; if it is not accepted, nothing does.
    pub fn judge(&self, game: &mut Game, output: &str, strictness: Strictness) -> Verdict {
        let (act, lenient) = match self.understand(game, output, strictness) {
            Ok(understood) => understood,
            Err(refused) => return Verdict::refused(game, refused),
        };
        let uci = match act {
            Act::Move(played) | Act::Claim { announced: Some(played), .. } => {
                Some(self.uci(&game.state().position, played))
            }
            _ => None,
        };
        match game.submit(&act) {
            Ok(event) => Verdict::accepted(game, event, uci, lenient),
            Err(illegal) => {
                let refused = Refused { lenient, ..Refused::by_game(game, &illegal) };
                Verdict::refused(game, refused)
            }
        }
    }

    /// An act that the game did not allow, in the words of the protocol.
    pub fn refusal(&self, game: &Game, illegal: &crate::Illegal) -> Refused {
        Refused::by_game(game, illegal)
    }

    /// A verdict for programs.
    pub fn verdict_json(&self, verdict: &Verdict) -> Value {
        verdict.to_json(self.form, &self.rules)
    }

    /// What a player does, as an agent writes it; moves are legal in the game's position.
    pub fn act_json(&self, game: &Game, act: &Act) -> Value {
        output::act_json(self.form, game, act)
    }

    fn uci(&self, position: &Position, played: Move) -> String {
        uci(&self.rules, position, played)
    }
}
