//! What a player can do, and the one table of what each action is called.
//!
//! An action has up to three names: in verdicts and records (`offer`), as players type it (`draw`), and in the agent protocol
//! (`offer_draw`).

use tabiya_engine::{Move, Player, Position, Rules};
use tabiya_notation::{MoveError, clip, parse_uci, uci};

use crate::Game;

/// Something that the player to act does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Makes a move.
    Move(Move),
    /// Claims an ending by its code. The claim may rest on a move that is announced but not made (FIDE 9.2.1, 9.3.1).
    Claim {
        /// The code, as the spec writes it.
        code: String,
        /// The announced move.
        announced: Option<Move>,
    },
    /// Offers a draw. The player still has to move (FIDE 9.1.2).
    Offer,
    /// Accepts the draw offer or the proposed exchange.
    Accept,
    /// Declines the draw offer or the proposed exchange.
    Decline,
    /// Resigns. Partners resign only together: until all have done so, the game goes on.
    Resign,
    /// Proposes to exchange captured leaders. The owner of the other leader answers; the player still has to move.
    Exchange,
    /// Hands the army over to a partner.
    Withdraw(Player),
    /// Throws the die, where another action was possible first.
    Throw,
}

/// An action without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is a variant of `Action`, which describes it")]
pub enum ActionKind {
    Move,
    Claim,
    Offer,
    Accept,
    Decline,
    Resign,
    Exchange,
    Withdraw,
    Throw,
}

/// For each kind: its name in verdicts and records, as players type it, and in the agent protocol. Moves are written as moves.
const NAMES: [(ActionKind, &str, &str, &str); 9] = [
    (ActionKind::Move, "move", "move", "move"),
    (ActionKind::Claim, "claim", "claim", "claim_draw"),
    (ActionKind::Offer, "offer", "draw", "offer_draw"),
    (ActionKind::Accept, "accept", "accept", "accept_draw"),
    (ActionKind::Decline, "decline", "decline", "decline_draw"),
    (ActionKind::Resign, "resign", "resign", "resign"),
    (ActionKind::Exchange, "exchange", "exchange", "exchange"),
    (ActionKind::Withdraw, "withdraw", "withdraw", "withdraw"),
    (ActionKind::Throw, "throw", "throw", "throw"),
];

/// In the agent protocol, the answer to a partner's resignation has a separate name.
pub(crate) const DECLINE_RESIGNATION: &str = "decline_resignation";

/// In the agent protocol, the answers to a proposed exchange have separate names.
pub(crate) const EXCHANGE_ANSWERS: [(ActionKind, &str); 2] =
    [(ActionKind::Accept, "accept_exchange"), (ActionKind::Decline, "decline_exchange")];

impl ActionKind {
    /// Every kind.
    pub const ALL: [ActionKind; 9] = {
        let mut all = [ActionKind::Move; 9];
        let mut index = 0;
        while index < all.len() {
            all[index] = NAMES[index].0;
            index += 1;
        }
        all
    };

    /// The name in verdicts and records: `offer`.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// The word that players type: `draw`.
    pub fn typed(self) -> &'static str {
        NAMES[self as usize].2
    }

    /// The `action` of the agent protocol: `offer_draw`.
    pub fn protocol_name(self) -> &'static str {
        NAMES[self as usize].3
    }

    /// The action of this kind, if it takes no arguments.
    pub(crate) fn bare(self) -> Option<Action> {
        match self {
            ActionKind::Offer => Some(Action::Offer),
            ActionKind::Accept => Some(Action::Accept),
            ActionKind::Decline => Some(Action::Decline),
            ActionKind::Resign => Some(Action::Resign),
            ActionKind::Exchange => Some(Action::Exchange),
            ActionKind::Throw => Some(Action::Throw),
            ActionKind::Move | ActionKind::Claim | ActionKind::Withdraw => None,
        }
    }
}

impl Action {
    /// The kind.
    pub fn kind(&self) -> ActionKind {
        match self {
            Action::Move(_) => ActionKind::Move,
            Action::Claim { .. } => ActionKind::Claim,
            Action::Offer => ActionKind::Offer,
            Action::Accept => ActionKind::Accept,
            Action::Decline => ActionKind::Decline,
            Action::Resign => ActionKind::Resign,
            Action::Exchange => ActionKind::Exchange,
            Action::Withdraw(_) => ActionKind::Withdraw,
            Action::Throw => ActionKind::Throw,
        }
    }

    /// Writes the action for the position in which it is done. [`Game::parse_action`] reads it back there.
    pub fn text(&self, rules: &Rules, position: &Position) -> String {
        let word = self.kind().typed();
        match self {
            Action::Move(played) => uci(rules, position, *played),
            Action::Claim { code, announced } => {
                let with = announced.map(|played| format!(" {}", uci(rules, position, played)));
                format!("{word} {}{}", code.to_lowercase(), with.unwrap_or_default())
            }
            Action::Withdraw(partner) => format!("{word} {}", rules.player(*partner).name),
            _ => word.to_owned(),
        }
    }
}

/// Why a text is not an action.
#[derive(Clone, Debug)]
pub enum ParseActionError {
    /// It is not a legal move.
    Move(MoveError),
    /// It names a claim or a player that the game does not have, or leaves one out.
    Argument(String),
}

tabiya_engine::error_messages! { ParseActionError:
    ParseActionError::Move(error) => "{error}";
    ParseActionError::Argument(why) => "{why}";
}

/// The longest name that an error repeats, in characters.
const NAME_SHOWN: usize = 60;

impl Game {
    /// Parses an action: a move in any notation, or `draw`, `resign`, `claim threefold_repetition`, `withdraw YELLOW` and the
    /// like.
    ///
    /// # Errors
    ///
    /// Says why the text is not an action, and for a move why it is not legal.
    pub fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let bare = ActionKind::ALL.into_iter().find(|kind| kind.typed() == text).and_then(ActionKind::bare);
        if let Some(action) = bare {
            return Ok(action);
        }
        let argument = |kind: ActionKind| text.strip_prefix(kind.typed())?.strip_prefix(' ');
        if let Some(code) = argument(ActionKind::Claim) {
            return self.parse_claim(code);
        }
        if let Some(name) = argument(ActionKind::Withdraw) {
            let is_named = |player: &Player| self.rules().player(*player).name.eq_ignore_ascii_case(name);
            let partner = self.rules().players().find(is_named);
            return partner.map(Action::Withdraw).ok_or_else(|| {
                ParseActionError::Argument(format!("there is no player called {}", clip(name, NAME_SHOWN)))
            });
        }
        if text == ActionKind::Withdraw.typed() {
            return Err(ParseActionError::Argument(self.withdrawal_help()));
        }
        self.parse_uci(text).map(Action::Move)
    }

    fn parse_uci(&self, text: &str) -> Result<Move, ParseActionError> {
        parse_uci(self.rules(), &self.state().position, text).map_err(ParseActionError::Move)
    }

    /// Parses what follows `claim`: a code, and possibly an announced move behind it (FIDE 9.2.1, 9.3.1).
    fn parse_claim(&self, text: &str) -> Result<Action, ParseActionError> {
        if let Some(action) = self.claim_action(text) {
            return Ok(action);
        }
        let split = text.rsplit_once(' ');
        match split.and_then(|(code, uci)| Some((self.claim_action(code)?, uci))) {
            Some((Action::Claim { code, .. }, uci)) => {
                Ok(Action::Claim { code, announced: Some(self.parse_uci(uci)?) })
            }
            _ => Err(ParseActionError::Argument(format!(
                "nothing called {} can be claimed",
                clip(text, NAME_SHOWN)
            ))),
        }
    }

    fn withdrawal_help(&self) -> String {
        let word = ActionKind::Withdraw.typed();
        let name = |partner| format!("`{word} {}`", self.rules().player(partner).name);
        let forms: Vec<String> = self.withdrawal_targets().iter().map(name).collect();
        match forms.as_slice() {
            [] => "no partner can take over your army now".to_owned(),
            _ => format!("name the partner who takes over your army: {}", forms.join(" or ")),
        }
    }

    /// Returns the claim of that code, in upper or lower case.
    pub fn claim_action(&self, code: &str) -> Option<Action> {
        let known = self.claims().find(|known| known.eq_ignore_ascii_case(code))?.to_owned();
        Some(Action::Claim { code: known, announced: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_kinds() {
        for (index, kind) in ActionKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
    }
}
