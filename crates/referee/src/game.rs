//! One game under its rules: history, offers, dice and the end.

mod choices;
mod draw_offer;
mod ending;
mod out_of_turn;
mod playing;
mod resignation;
mod snapshot;

use std::sync::Arc;

use tabiya_engine::{Exchange, Identity, Player, PlayerSet, Position, Rules, Step, Tally};
use tabiya_notation::State;

use crate::Dice;

pub use choices::Choices;
pub use ending::{KnownFacts, end_by_claim, end_by_rule, end_by_rule_knowing};
pub use playing::state_after;
pub use snapshot::Snapshot;

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Rules>,
    state: State,
    /// The identities of all earlier positions for repetition, oldest first; and the current one.
    earlier: Vec<Identity>,
    present: Identity,
    /// All steps, oldest first.
    steps: Vec<Step>,
    dice: Dice,
    /// The draw offers that stand, oldest first; at most one per player.
    offers: Vec<Offer>,
    exchange: Proposal,
    /// Players whose turn was skipped and who must answer before the game goes on, in turn order.
    asked: Vec<Player>,
    /// Players who resign as soon as all their partners do.
    resigning: PlayerSet,
    end: Option<End>,
    /// Whether a record is replayed, in which the game goes on: its end is not looked for.
    goes_on: bool,
}

/// The state of the exchange of captured leaders on this turn. It can be proposed once a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proposal {
    None,
    Stands(Exchange),
    Settled,
}

/// A draw offer.
#[derive(Clone, Copy, Debug)]
struct Offer {
    by: Player,
    /// The slot of the army on whose turn it was made.
    slot: u16,
    accepted: PlayerSet,
}

/// Why an action is not allowed. The game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalAction {
    /// The game is over.
    GameOver,
    /// The move is not legal.
    Move,
    /// The game has no claim of this code.
    NoSuchClaim(String),
    /// The claim does not hold, neither now nor after the announced move.
    FalseClaim(String),
    /// The claim rests on an announced move that is not legal.
    AnnouncedMove(String),
    /// There is no offer to answer.
    NoOffer,
    /// A second offer on one move.
    SecondOffer,
    /// The game has no draws by agreement.
    NoDrawOffers,
    /// The player has resigned already; the partners have not.
    Resigned,
    /// A proposed exchange, or the question to a player out of turn, must be answered first.
    AnswerFirst,
    /// No exchange is possible now, or one was proposed on this turn before.
    NoExchange,
    /// The army cannot be handed over to that player.
    NoWithdrawal,
    /// The die is not to be thrown now.
    NoThrow,
    /// The die must be thrown first.
    ThrowFirst,
}

tabiya_engine::error_messages! { IllegalAction:
    IllegalAction::GameOver => "the game is over";
    IllegalAction::Move => "the move is not legal";
    IllegalAction::NoSuchClaim(code) => "nothing called {} can be claimed", code.to_lowercase();
    IllegalAction::FalseClaim(code) => "the claim {} does not hold", code.to_lowercase();
    IllegalAction::AnnouncedMove(code)
        => "the claim {} rests on an announced move that is not legal", code.to_lowercase();
    IllegalAction::NoOffer => "there is no offer to answer";
    IllegalAction::SecondOffer => "only one offer can be made per move";
    IllegalAction::NoDrawOffers => "this game has no draws by agreement";
    IllegalAction::Resigned => "you have resigned already; the game goes on until your partner resigns too";
    IllegalAction::AnswerFirst => "the offer must be accepted or declined first";
    IllegalAction::NoExchange => "no exchange can be proposed now";
    IllegalAction::NoWithdrawal => "that player cannot take over the army";
    IllegalAction::NoThrow => "the die is not to be thrown now";
    IllegalAction::ThrowFirst => "the die must be thrown first";
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The winners; empty for a draw.
    pub winners: PlayerSet,
    /// The reason, as programs see it: `checkmate`, `fivefold_repetition`, `resignation` …
    pub reason: String,
}

impl End {
    pub(crate) fn draw(reason: &str) -> Self {
        End { winners: PlayerSet::EMPTY, reason: reason.to_owned() }
    }
}

impl Game {
    /// Starts a game; its dice, if any, have the seed 0.
    pub fn new(rules: Arc<Rules>) -> Self {
        let state = State::new(rules.start());
        Game::resume(rules, state, &[], Dice::default())
    }

    /// Continues a game from a state. `earlier` holds all positions before it, oldest first. If the game is over in this
    /// state, [`Game::end`] says so.
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
            offers: Vec::new(),
            exchange: Proposal::None,
            asked: Vec::new(),
            resigning: PlayerSet::EMPTY,
            end: None,
            goes_on: false,
        };
        game.advance();
        game
    }

    /// Returns the same game with the possible exchange proposed and not yet answered.
    #[must_use]
    pub fn with_proposal(mut self) -> Self {
        self.exchange = self.rules.exchange(&self.state.position).map_or(Proposal::None, Proposal::Stands);
        self
    }

    /// Returns the same game with a draw offered by a player.
    #[must_use]
    pub fn with_offer(mut self, by: Player) -> Self {
        let slot = self.rules.order().iter().position(|player| *player == by).unwrap_or_default() as u16;
        self.offers.push(Offer { by, slot, accepted: PlayerSet::EMPTY.with(by) });
        self
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The position with its counters.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The player whose turn it is.
    pub fn mover(&self) -> Player {
        self.rules.mover(&self.state.position)
    }

    /// The player who acts next: the one who answers a proposal, the one who is asked out of turn, or else the one who decides
    /// for the army to move.
    pub fn actor(&self) -> Player {
        match (self.exchange, self.asked_out_of_turn()) {
            (Proposal::Stands(exchange), _) => exchange.answerer,
            (_, Some(asked)) => asked,
            _ => self.rules.decider(&self.state.position, self.mover()),
        }
    }

    /// The proposed exchange that has not been answered.
    pub fn proposal(&self) -> Option<Exchange> {
        match self.exchange {
            Proposal::Stands(exchange) => Some(exchange),
            _ => None,
        }
    }

    /// All steps since the game was started or resumed, oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The faces of the die since the game was started or resumed, oldest first.
    pub fn throws(&self) -> impl Iterator<Item = u8> {
        self.steps.iter().filter_map(|step| match step {
            Step::Throw(face) => Some(*face),
            _ => None,
        })
    }

    /// The identities of all earlier positions for repetition, oldest first.
    pub fn earlier(&self) -> &[Identity] {
        &self.earlier
    }

    /// The keys of all earlier positions, oldest first, for a search that avoids repetition.
    pub fn earlier_keys(&self) -> Vec<u64> {
        self.earlier.iter().map(|identity| identity.position().key()).collect()
    }

    /// The history of the position: its repetitions, perpetual check, and the quiet turns before it.
    pub fn tally(&self) -> Tally {
        self.rules.tally(self.earlier.iter(), &self.present, self.state.quiet)
    }

    /// Players who resign as soon as all their partners do.
    pub fn resigning(&self) -> PlayerSet {
        self.resigning
    }

    /// How the game ended.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }
}
