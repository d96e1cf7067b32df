//! Doing an action, and what follows from it: the next turn, the die, the end.

use tabiya_engine::{Die, Move, PlayerSet, Position, Rules, Step, Tally, Termination, Trigger};
use tabiya_notation::State;

use super::{End, Game, IllegalAction, Proposal, end_by_rule};
use crate::Action;

/// If this many turns in a row pass because the die allows no move, the game is over.
const MAX_PASSES: u32 = 1000;

/// Returns the state after a legal move, with its counters.
pub fn state_after(rules: &Rules, state: &State, played: Move) -> Option<State> {
    let State { position, quiet, .. } = state;
    let next = rules.play(position, played).ok()?;
    let kind = rules.moving_kind(position, played);
    let quiet = if rules.is_zeroing(position, kind, &next) { 0 } else { quiet.saturating_add(1) };
    Some(State { quiet, round: round_after(state, &next), position: next })
}

/// The number of the round to which the next position belongs.
fn round_after(state: &State, next: &Position) -> u32 {
    let is_new = next.slot() <= state.position.slot();
    state.round.saturating_add(u32::from(is_new))
}

impl Game {
    /// Does an action for the player to act.
    ///
    /// # Errors
    ///
    /// An illegal action changes nothing.
    pub fn submit(&mut self, action: &Action) -> Result<(), IllegalAction> {
        if self.end.is_some() {
            return Err(IllegalAction::GameOver);
        }
        let actor = self.actor();
        if self.proposal().is_none() && self.asked_out_of_turn().is_some() {
            return self.answer_out_of_turn(actor, action);
        }
        match action {
            Action::Resign if self.resigning.contains(actor) => Err(IllegalAction::Resigned),
            Action::Resign => {
                self.resign(PlayerSet::EMPTY.with(actor));
                Ok(())
            }
            Action::Accept | Action::Decline if self.proposal().is_some() => {
                self.answer_exchange(*action == Action::Accept)
            }
            _ if self.proposal().is_some() => Err(IllegalAction::AnswerFirst),
            Action::Move(played) => self.play(*played),
            Action::Claim { code, announced } => self.claim(code, *announced),
            Action::Offer => self.offer_draw(actor),
            Action::Accept => self.accept_draw(actor),
            Action::Decline => self.decline_draw(actor),
            Action::Exchange => {
                let exchange = self.possible_exchange().ok_or(IllegalAction::NoExchange)?;
                self.exchange = Proposal::Stands(exchange);
                Ok(())
            }
            Action::Withdraw(partner) => {
                let next = self.rules.play_withdrawal(&self.state.position, *partner);
                self.state.position = next.ok_or(IllegalAction::NoWithdrawal)?;
                self.steps.push(Step::Withdrawal(*partner));
                Ok(())
            }
            Action::Throw if self.awaits_throw() => {
                let slot = self.state.position.slot();
                self.exchange = Proposal::Settled;
                self.advance();
                if self.state.position.slot() != slot {
                    self.ask_skipped(slot);
                }
                Ok(())
            }
            Action::Throw => Err(IllegalAction::NoThrow),
        }
    }

    fn play(&mut self, played: Move) -> Result<(), IllegalAction> {
        let actor = self.actor();
        if self.awaits_throw() {
            return Err(IllegalAction::ThrowFirst);
        }
        let state = state_after(&self.rules, &self.state, played).ok_or(IllegalAction::Move)?;
        // A move by a player who has not accepted the offer declines it, and a move by a partner who has not resigned plays on.
        self.drop_offers_not_accepted_by(actor);
        if !self.resigning.contains(actor) {
            self.resigning = self.resigning.without(self.rules.team(actor));
        }
        self.enter(Step::Move(played), state, true);
        Ok(())
    }

    /// Continues the game in another state.
    pub(super) fn enter(&mut self, step: Step, state: State, is_other_turn: bool) {
        let slot = self.state.position.slot();
        self.steps.push(step);
        self.state = state;
        self.remember();
        if is_other_turn {
            self.exchange = Proposal::None;
        }
        self.advance();
        if is_other_turn {
            self.ask_skipped(slot);
        }
    }

    /// Adds the identity of a new position to the history.
    pub(super) fn remember(&mut self) {
        let present = self.rules.identity(&self.state.position);
        self.earlier.push(std::mem::replace(&mut self.present, present));
    }

    /// Whether the die must be thrown before the next move.
    pub fn awaits_throw(&self) -> bool {
        self.end.is_none() && matches!(self.rules.die(&self.state.position), Some(Die::Awaited(_)))
    }

    /// Repeats a recorded step. The dice repeat their throws, except where the player had a choice before the throw.
    ///
    /// # Errors
    ///
    /// A step that is not allowed changes nothing.
    pub fn replay_step(&mut self, step: Step) -> Result<(), IllegalAction> {
        match step {
            Step::Move(played) => self.submit(&Action::Move(played)),
            Step::Throw(_) if self.awaits_throw() => self.submit(&Action::Throw),
            Step::Throw(_) => Ok(()),
            Step::Exchange => {
                self.submit(&Action::Exchange)?;
                self.submit(&Action::Accept)
            }
            Step::Withdrawal(partner) => self.submit(&Action::Withdraw(partner)),
        }
    }

    /// Sets whether the next actions belong to a record in which the game goes on. Its end is not looked for then, which takes
    /// most of the time of a move.
    pub(crate) fn set_goes_on(&mut self, goes_on: bool) {
        self.goes_on = goes_on;
    }

    /// Checks for the end of the game and, if it goes on, throws the die, unless another action is possible first.
    pub(super) fn advance(&mut self) {
        for _ in 0..MAX_PASSES {
            let find_end = || end_by_rule(&self.rules, &self.state.position, self.tally());
            self.end = if self.goes_on { None } else { find_end() };
            if !self.awaits_throw() || self.possible_exchange().is_some() || !self.throw() {
                return;
            }
        }
        self.end = Some(End::draw(Termination::NobodyCanMove.as_str()));
    }

    /// Throws until the die allows a move or the turn passes. Returns false if the dice are used up.
    fn throw(&mut self) -> bool {
        while let Some(Die::Awaited(throws)) = self.rules.die(&self.state.position) {
            let face = self.rules.faces().and_then(|faces| self.dice.throw(faces));
            let next = face.and_then(|face| Some((face, self.rules.throw(&self.state.position, face)?)));
            let Some((face, next)) = next else { return false };
            self.steps.push(Step::Throw(face));
            let passes = throws == 1 && !matches!(self.rules.die(&next), Some(Die::Shows(_)));
            if passes {
                self.exchange = Proposal::None;
                self.state.quiet = self.state.quiet.saturating_add(1);
                self.state.round = round_after(&self.state, &next);
            }
            self.state.position = next;
            if passes {
                self.remember();
                break;
            }
        }
        true
    }

    fn claim(&mut self, code: &str, announced: Option<Move>) -> Result<(), IllegalAction> {
        if !self.claims().any(|known| known == code) {
            return Err(IllegalAction::NoSuchClaim(code.to_owned()));
        }
        let mover = self.mover();
        let holds = |position: &Position, tally: Tally| {
            let ending = self.rules.ending(position, tally, Trigger::Claim, mover, Some(code))?;
            Some(End { winners: ending.winners, reason: ending.code.to_lowercase() })
        };
        let mut end = holds(&self.state.position, self.tally());
        if let (None, Some(played)) = (&end, announced) {
            let after = state_after(&self.rules, &self.state, played);
            let state = after.ok_or_else(|| IllegalAction::AnnouncedMove(code.to_owned()))?;
            let identity = self.rules.identity(&state.position);
            let earlier = self.earlier.iter().chain([&self.present]);
            end = holds(&state.position, self.rules.tally(earlier, &identity, state.quiet));
        }
        self.end = Some(end.ok_or_else(|| IllegalAction::FalseClaim(code.to_owned()))?);
        Ok(())
    }
}
