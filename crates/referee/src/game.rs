//! One game under the laws: its history, its offers, its end.

mod accord;
mod snapshot;
mod words;

use std::fmt;
use std::sync::Arc;

use tabiya_engine::{
    Die, Exchange, Identity, Move, Player, PlayerSet, Position, Rules, Step, Tally, Termination, Trigger,
};
use tabiya_notation::State;

use crate::Dice;

pub use snapshot::Snapshot;

/// If so many turns in a row pass because the die allows nothing, it never will.
const MOST_PASSES: u32 = 1000;

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Rules>,
    state: State,
    /// What all earlier positions were for repetition, oldest first; and the present one.
    earlier: Vec<Identity>,
    present: Identity,
    /// Everything that happened, oldest first.
    steps: Vec<Step>,
    dice: Dice,
    offer: Option<Offer>,
    exchange: Proposal,
    /// Who would give up together with all partners.
    resigning: PlayerSet,
    end: Option<End>,
}

/// Whether an exchange of captured leaders has been proposed on this turn: it may be once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proposal {
    None,
    Stands(Exchange),
    Settled,
}

/// A draw that somebody offers.
#[derive(Clone, Copy, Debug)]
struct Offer {
    by: Player,
    accepted: PlayerSet,
}

/// What a player whose turn it is may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A move.
    Move(Move),
    /// The claim of an ending, by its code; it may rest on a move that is announced and not made (FIDE 9.2.1, 9.3.1).
    Claim {
        /// The code, as the spec writes it.
        code: String,
        /// The move.
        announced: Option<Move>,
    },
    /// The offer of a draw; the move is still to come (FIDE 9.1.2).
    Offer,
    /// Agreement to the offer that stands.
    Accept,
    /// Refusal of the offer that stands; the move is still to come.
    Decline,
    /// Resignation. Partners give up only together: until all have said so, the move is still to come.
    Resign,
    /// The proposal to exchange captured leaders, which somebody else answers; the move is still to come.
    Exchange,
    /// The army is handed over to a partner, who moves it from now on.
    Withdraw(Player),
    /// The die is thrown, where something else could have been done before it.
    Throw,
}

/// What an act led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move was made.
    Moved,
    /// A claim held: the game is over.
    Claimed,
    /// An offer stands; the same player is to move.
    Offered,
    /// An offer was accepted; the game is over once everybody has.
    Accepted,
    /// An offer was refused; the same player is to move.
    Declined,
    /// A player resigned: the game is over, once all partners have.
    Resigned,
    /// An exchange is proposed; who must agree is asked.
    Proposed,
    /// An army was handed over.
    Withdrew,
    /// The die was thrown.
    Thrown,
}

/// Why an act is not allowed. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The game is over.
    GameOver,
    /// The move is not legal.
    Move,
    /// The game has no ending of this code that can be claimed.
    NoSuchClaim(String),
    /// What is claimed does not hold, neither now nor after the announced move.
    FalseClaim(String),
    /// The claim rests on an announced move that is not legal.
    AnnouncedMove(String),
    /// There is no offer to answer.
    NoOffer,
    /// A second offer on one move.
    SecondOffer,
    /// Draws are not agreed on in this game.
    NoDrawOffers,
    /// The player has given up already; the partner must agree.
    Resigned,
    /// A proposal must be answered before anything else is done.
    AnswerFirst,
    /// No leaders can be exchanged now, or it was proposed on this turn before.
    NoExchange,
    /// The army cannot be handed over to that player.
    NoWithdrawal,
    /// No throw is awaited.
    NoThrow,
    /// The die must be thrown first.
    ThrowFirst,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::GameOver => f.write_str("the game is over"),
            Illegal::Move => f.write_str("the move is not legal"),
            Illegal::NoSuchClaim(code) => write!(f, "nothing called {} can be claimed", code.to_lowercase()),
            Illegal::FalseClaim(code) => write!(f, "the claim {} does not hold", code.to_lowercase()),
            Illegal::AnnouncedMove(code) => {
                write!(f, "the claim {} rests on an announced move that is not legal", code.to_lowercase())
            }
            Illegal::NoOffer => f.write_str("there is no offer to answer"),
            Illegal::SecondOffer => f.write_str("only one offer may be made on a move"),
            Illegal::NoDrawOffers => f.write_str("draws are not agreed on in this game"),
            Illegal::Resigned => f.write_str("you have given up already, and a partner must do so, too"),
            Illegal::AnswerFirst => f.write_str("the proposed exchange must be accepted or declined first"),
            Illegal::NoExchange => f.write_str("no exchange can be proposed now"),
            Illegal::NoWithdrawal => f.write_str("the army cannot be handed over to that player"),
            Illegal::NoThrow => f.write_str("no throw is awaited"),
            Illegal::ThrowFirst => f.write_str("the die must be thrown first"),
        }
    }
}

impl std::error::Error for Illegal {}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won; nobody, if it is a draw.
    pub winners: PlayerSet,
    /// Why, as programs see it: `checkmate`, `fivefold_repetition`, `resignation` …
    pub reason: String,
}

/// The state after a legal move, with its counters.
pub fn state_after(rules: &Rules, state: &State, played: Move) -> Option<State> {
    let State { position, quiet, .. } = state;
    let next = rules.play(position, played).ok()?;
    let kind = rules.moving_kind(position, played);
    let quiet = if rules.is_zeroing(position, kind, &next) { 0 } else { quiet.saturating_add(1) };
    Some(State { quiet, round: round_after(state, &next), position: next })
}

/// The number of the round in which a turn comes after this one.
fn round_after(state: &State, next: &Position) -> u32 {
    let is_new = next.slot() <= state.position.slot();
    state.round.saturating_add(u32::from(is_new))
}

impl Game {
    /// A game from its start; the die, if there is one, has the seed 0.
    pub fn new(rules: Arc<Rules>) -> Self {
        let state = State::new(rules.start());
        Game::resume(rules, state, &[], Dice::default())
    }

    /// A game from a position on, with all earlier positions, oldest first, and what the die is thrown from. An ending
    /// that holds already is found.
    pub fn resume(rules: Arc<Rules>, state: State, earlier: &[Position], dice: Dice) -> Self {
        let earlier = earlier.iter().map(|position| rules.identity(position)).collect();
        let present = rules.identity(&state.position);
        let mut game = Game {
            rules,
            state,
            earlier,
            present,
            steps: Vec::new(),
            dice,
            offer: None,
            exchange: Proposal::None,
            resigning: PlayerSet::EMPTY,
            end: None,
        };
        game.go_on();
        game
    }

    /// The same game, in which the exchange that is possible has been proposed and waits for its answer.
    #[must_use]
    pub fn with_proposal(mut self) -> Self {
        self.exchange = self.rules.exchange(&self.state.position).map_or(Proposal::None, Proposal::Stands);
        self
    }

    /// The same game, in which a player has offered a draw before it went on.
    #[must_use]
    pub fn with_offer(mut self, by: Player) -> Self {
        self.offer = Some(Offer { by, accepted: PlayerSet::EMPTY.with(by) });
        self
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The position, with its counters.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whose turn it is.
    pub fn mover(&self) -> Player {
        self.rules.mover(&self.state.position)
    }

    /// Who is asked: whoever must answer a proposal; else who moves for the army whose turn it is.
    pub fn actor(&self) -> Player {
        match self.exchange {
            Proposal::Stands(exchange) => exchange.answerer,
            _ => self.rules.decider(&self.state.position, self.mover()),
        }
    }

    /// The exchange that was proposed and waits for an answer.
    pub fn proposal(&self) -> Option<Exchange> {
        match self.exchange {
            Proposal::Stands(exchange) => Some(exchange),
            _ => None,
        }
    }

    /// The exchange that may be proposed now: at most once on a turn, and before the die is thrown.
    pub fn possible_exchange(&self) -> Option<Exchange> {
        let is_open = self.exchange == Proposal::None && self.end.is_none();
        is_open.then(|| self.rules.exchange(&self.state.position)).flatten()
    }

    /// The partners to whom the army whose turn it is may be handed over.
    pub fn heirs(&self) -> PlayerSet {
        let is_open = self.end.is_none() && self.proposal().is_none();
        if is_open { self.rules.heirs(&self.state.position) } else { PlayerSet::EMPTY }
    }

    /// Everything that happened since the game was begun or taken up, oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What all earlier positions were for repetition, oldest first.
    pub fn earlier(&self) -> &[Identity] {
        &self.earlier
    }

    /// The keys of all earlier positions, oldest first, for players who would not like to repeat them.
    pub fn earlier_keys(&self) -> Vec<u64> {
        self.earlier.iter().map(|identity| identity.position().key()).collect()
    }

    /// What the position counts for: how often it has been there, and for how long it has been quiet.
    pub fn tally(&self) -> Tally {
        Tally { repetitions: self.seen(&self.present) + 1, quiet: self.state.quiet }
    }

    /// Who offers a draw that the player to move may accept, and has not accepted yet.
    pub fn draw_offer(&self) -> Option<Player> {
        self.offer.filter(|offer| !offer.accepted.contains(self.actor())).map(|offer| offer.by)
    }

    /// Who offers a draw that has neither been agreed on nor lapsed, whoever has to answer next.
    pub fn standing_offer(&self) -> Option<Player> {
        self.offer.map(|offer| offer.by)
    }

    /// How it ended.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// What the player does who is asked. An illegal act changes nothing.
    pub fn submit(&mut self, act: &Act) -> Result<Event, Illegal> {
        if self.end.is_some() {
            return Err(Illegal::GameOver);
        }
        let actor = self.actor();
        match act {
            Act::Resign if self.resigning.contains(actor) => Err(Illegal::Resigned),
            Act::Resign => Ok(self.resign(PlayerSet::EMPTY.with(actor))),
            Act::Accept | Act::Decline if self.proposal().is_some() => self.answer(*act == Act::Accept),
            _ if self.proposal().is_some() => Err(Illegal::AnswerFirst),
            Act::Move(played) => self.play(*played),
            Act::Claim { code, announced } => self.claim(code, *announced),
            Act::Offer if !self.rules.blueprint().draw_offers() => Err(Illegal::NoDrawOffers),
            Act::Offer => match self.offer {
                Some(offer) if offer.by == actor => Err(Illegal::SecondOffer),
                // Whoever answers an offer with an offer of his own has not accepted it.
                _ => {
                    self.offer = Some(Offer { by: actor, accepted: PlayerSet::EMPTY.with(actor) });
                    Ok(Event::Offered)
                }
            },
            Act::Accept => self.accept(actor),
            Act::Decline => {
                self.draw_offer().ok_or(Illegal::NoOffer)?;
                self.offer = None;
                Ok(Event::Declined)
            }
            Act::Exchange => {
                let exchange = self.possible_exchange().ok_or(Illegal::NoExchange)?;
                self.exchange = Proposal::Stands(exchange);
                Ok(Event::Proposed)
            }
            Act::Withdraw(heir) => {
                let next =
                    self.rules.play_withdrawal(&self.state.position, *heir).ok_or(Illegal::NoWithdrawal)?;
                self.state.position = next;
                self.steps.push(Step::Withdrawal(*heir));
                Ok(Event::Withdrew)
            }
            Act::Throw if self.awaits_throw() => {
                self.exchange = Proposal::Settled;
                self.go_on();
                Ok(Event::Thrown)
            }
            Act::Throw => Err(Illegal::NoThrow),
        }
    }

    fn play(&mut self, played: Move) -> Result<Event, Illegal> {
        let actor = self.actor();
        if self.awaits_throw() {
            return Err(Illegal::ThrowFirst);
        }
        let state = state_after(&self.rules, &self.state, played).ok_or(Illegal::Move)?;
        // An offer lapses when somebody moves on who has not accepted it; the one who made it has. So does the wish to
        // give up, when a partner moves on.
        self.offer = self.offer.filter(|offer| offer.accepted.contains(actor));
        if !self.resigning.contains(actor) {
            self.resigning = self.resigning.without(self.rules.team(actor));
        }
        self.take(Step::Move(played), state, true);
        Ok(Event::Moved)
    }

    /// The game goes on from another state.
    fn take(&mut self, step: Step, state: State, is_other_turn: bool) {
        self.steps.push(step);
        self.state = state;
        let present = self.rules.identity(&self.state.position);
        self.earlier.push(std::mem::replace(&mut self.present, present));
        if is_other_turn {
            self.exchange = Proposal::None;
        }
        self.go_on();
    }

    /// Whether the die must be thrown before the next move.
    pub fn awaits_throw(&self) -> bool {
        self.end.is_none() && matches!(self.rules.die(&self.state.position), Some(Die::Awaited(_)))
    }

    /// Does again what a record says was done. Throws come from the dice by themselves, unless something could have been
    /// done before them.
    pub fn retrace(&mut self, step: Step) -> Result<(), Illegal> {
        match step {
            Step::Move(played) => self.submit(&Act::Move(played))?,
            Step::Throw(_) if self.awaits_throw() => self.submit(&Act::Throw)?,
            Step::Throw(_) => Event::Thrown,
            Step::Exchange => {
                self.submit(&Act::Exchange)?;
                self.submit(&Act::Accept)?
            }
            Step::Withdrawal(heir) => self.submit(&Act::Withdraw(heir))?,
        };
        Ok(())
    }

    /// Looks for the end; if the game goes on, the die is thrown, unless something may be done before.
    fn go_on(&mut self) {
        for _ in 0..MOST_PASSES {
            self.end = self.automatic_end();
            if !self.awaits_throw() || self.possible_exchange().is_some() || !self.throw() {
                return;
            }
        }
        let reason = Termination::NobodyCanMove.as_str().to_owned();
        self.end = Some(End { winners: PlayerSet::EMPTY, reason });
    }

    /// Throws until the die allows something, or the turn has passed; or there is nothing more to throw.
    fn throw(&mut self) -> bool {
        while let Some(Die::Awaited(throws)) = self.rules.die(&self.state.position) {
            let face = self.rules.faces().and_then(|faces| self.dice.throw(faces));
            let next = face.and_then(|face| Some((face, self.rules.throw(&self.state.position, face)?)));
            let Some((face, next)) = next else { return false };
            self.steps.push(Step::Throw(face));
            let passes = throws == 1 && !matches!(self.rules.die(&next), Some(Die::Shows(_)));
            if passes {
                let present = self.rules.identity(&next);
                self.earlier.push(std::mem::replace(&mut self.present, present));
                self.exchange = Proposal::None;
                self.state.quiet = self.state.quiet.saturating_add(1);
                self.state.round = round_after(&self.state, &next);
            }
            self.state.position = next;
            if passes {
                break;
            }
        }
        true
    }

    fn claim(&mut self, code: &str, announced: Option<Move>) -> Result<Event, Illegal> {
        let endings = self.rules.endings();
        if !endings.iter().any(|ending| ending.by == Trigger::Claim && ending.code == code) {
            return Err(Illegal::NoSuchClaim(code.to_owned()));
        }
        let mover = self.mover();
        let holds = |position: &Position, tally: Tally| {
            let ending = self.rules.ending(position, tally, Trigger::Claim, mover, Some(code))?;
            Some(End { winners: ending.winners, reason: ending.code.to_lowercase() })
        };
        let mut end = holds(&self.state.position, self.tally());
        if let (None, Some(played)) = (&end, announced) {
            let after = state_after(&self.rules, &self.state, played);
            let state = after.ok_or_else(|| Illegal::AnnouncedMove(code.to_owned()))?;
            let identity = self.rules.identity(&state.position);
            let again = u32::from(identity == self.present);
            let tally = Tally { repetitions: self.seen(&identity) + again + 1, quiet: state.quiet };
            end = holds(&state.position, tally);
        }
        self.end = Some(end.ok_or_else(|| Illegal::FalseClaim(code.to_owned()))?);
        Ok(Event::Claimed)
    }

    /// How often a position is among the earlier ones.
    fn seen(&self, identity: &Identity) -> u32 {
        let same = |other: &&Identity| other.key() == identity.key() && *other == identity;
        self.earlier.iter().filter(same).count() as u32
    }

    fn automatic_end(&self) -> Option<End> {
        end_of(&self.rules, &self.state.position, self.tally())
    }
}

/// How a game ends by its rules once it has come to a position: mate and stalemate, then the endings of the rules in their
/// order; and after all of them what is only found when the next turn has come.
pub fn end_of(rules: &Rules, position: &Position, tally: Tally) -> Option<End> {
    end_of_known(rules, position, tally, Known::default())
}

/// What is known already of a position whose end is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// There is a legal move.
    pub can_move: bool,
    /// Nobody's win is ruled out.
    pub is_open: bool,
}

/// The same for whoever knows something already, and will not have it found out again.
pub fn end_of_known(rules: &Rules, position: &Position, tally: Tally, known: Known) -> Option<End> {
    let goes_on = position.ended().is_none() && known.can_move;
    let outcome = if goes_on { None } else { rules.outcome(position) };
    let on_board =
        outcome.map(|outcome| End { winners: outcome.winners, reason: rules.reason(outcome.reason) });
    let is_found_later = outcome.is_none_or(|outcome| rules.is_about_turn(outcome.reason));
    if !is_found_later {
        return on_board;
    }
    let ending = if known.is_open {
        rules.ending_if_winnable(position, tally)
    } else {
        rules.ending(position, tally, Trigger::Rule, rules.mover(position), None)
    };
    let listed = ending.map(|it| End { winners: it.winners, reason: it.code.to_lowercase() });
    listed.or(on_board)
}

/// How a game would end if whoever moves claimed everything that he may.
pub fn claim_of(rules: &Rules, position: &Position, tally: Tally) -> Option<End> {
    let ending = rules.ending(position, tally, Trigger::Claim, rules.mover(position), None)?;
    Some(End { winners: ending.winners, reason: ending.code.to_lowercase() })
}
