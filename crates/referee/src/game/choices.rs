//! What the player to act can do.

use tabiya_engine::{Exchange, PlayerSet, Trigger};

use super::{Game, Proposal};
use crate::Action;

/// Everything that the player to act can do, except to resign.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate choice")]
pub struct Choices {
    /// Whether a move is due: no proposal waits for its answer, and the die is thrown.
    pub can_move: bool,
    /// Whether a draw can be offered.
    pub offer: bool,
    /// Whether a draw offer, a proposed exchange or a partner's resignation can be accepted or declined.
    pub answer: bool,
    /// The claims that hold now, by their codes.
    pub claims: Vec<String>,
    /// Whether the die must be thrown.
    pub throw: bool,
    /// The exchange that can be proposed.
    pub exchange: Option<Exchange>,
    /// The partners who can take over the army.
    pub withdraw: PlayerSet,
}

impl Game {
    /// Returns what the player to act can do.
    pub fn choices(&self) -> Choices {
        let is_free = self.end.is_none() && !self.must_answer();
        let throw = self.awaits_throw();
        Choices {
            can_move: is_free && !throw,
            offer: is_free && self.rules.blueprint().draw_offers() && !self.has_offered(self.actor()),
            answer: self.end.is_none() && (self.must_answer() || self.draw_offer().is_some()),
            claims: self.holding_claims().into_iter().map(str::to_owned).collect(),
            throw: throw && is_free,
            exchange: self.possible_exchange().filter(|_| is_free),
            withdraw: self.withdrawal_targets(),
        }
    }

    /// Whether the player to act must accept or decline: a proposed exchange, or a question out of turn.
    pub fn must_answer(&self) -> bool {
        self.proposal().is_some() || self.asked_out_of_turn().is_some()
    }

    /// The exchange that can be proposed now: once a turn at most, and before the die is thrown.
    pub fn possible_exchange(&self) -> Option<Exchange> {
        let is_open = self.exchange == Proposal::None && self.end.is_none();
        is_open.then(|| self.rules.exchange(&self.state.position)).flatten()
    }

    /// The partners who can take over the army whose turn it is.
    pub fn withdrawal_targets(&self) -> PlayerSet {
        let is_open = self.end.is_none() && !self.must_answer();
        if is_open { self.rules.heirs(&self.state.position) } else { PlayerSet::EMPTY }
    }

    /// The codes of all claims of this game, whether they hold or not.
    pub fn claims(&self) -> impl Iterator<Item = &str> {
        let endings = self.rules.endings().iter();
        endings.filter(|plan| plan.by == Trigger::Claim).map(|plan| plan.code.as_str())
    }

    /// The codes of the claims that hold now.
    pub fn holding_claims(&self) -> Vec<&str> {
        let (position, tally, mover) = (&self.state.position, self.tally(), self.mover());
        let holds =
            |code: &str| self.rules.ending(position, tally, Trigger::Claim, mover, Some(code)).is_some();
        let mut holding: Vec<&str> = Vec::new();
        if self.end.is_none() {
            for code in self.claims() {
                if !holding.contains(&code) && holds(code) {
                    holding.push(code);
                }
            }
        }
        holding
    }

    /// Returns the actions of which one must be done before the game goes on: answering a proposal, throwing the die, or
    /// moving. Every game reaches its end by doing one of them again and again.
    pub fn required_actions(&self) -> Vec<Action> {
        if self.end.is_some() {
            Vec::new()
        } else if self.must_answer() {
            vec![Action::Accept, Action::Decline]
        } else if self.awaits_throw() {
            vec![Action::Throw]
        } else {
            self.rules.legal_moves(&self.state.position).into_iter().map(Action::Move).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> Game {
        let spec = tabiya_spec::library::load(name).unwrap();
        Game::new(spec.rules)
    }

    #[test]
    fn action_text_reads_back() {
        for name in ["chess", "enochian", "nightrider"] {
            let mut game = game(name);
            for turn in 0..40 {
                let actions = game.required_actions();
                for action in &actions {
                    let text = action.text(game.rules(), &game.state().position);
                    assert_eq!(game.parse_action(&text).ok().as_ref(), Some(action), "{name}: {text}");
                }
                let Some(action) = actions.get(turn * 7 % actions.len().max(1)) else { break };
                game.submit(action).unwrap();
            }
        }
    }

    #[test]
    fn claims_hold_on_repetition() {
        let mut game = game("chess");
        let parse = |game: &Game, text: &str| game.parse_action(text).unwrap();
        assert!(game.holding_claims().is_empty());
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            game.submit(&parse(&game, text)).unwrap();
        }
        assert_eq!(game.holding_claims(), ["THREEFOLD_REPETITION"]);
        let announced = parse(&game, "claim threefold_repetition g1f3");
        assert!(matches!(announced, Action::Claim { announced: Some(_), .. }));
        let text = announced.text(game.rules(), &game.state().position);
        assert_eq!(text, "claim threefold_repetition g1f3");
        assert!(game.parse_action("claim threefold_repetition g1g5").is_err());
        game.submit(&parse(&game, "claim threefold_repetition")).unwrap();
        assert!(game.holding_claims().is_empty() && game.required_actions().is_empty());
    }
}
