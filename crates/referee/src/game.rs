//! One game under the laws: its history, its offers, its end.

use std::fmt;
use std::sync::Arc;

use tabiya_engine::{Identity, Move, Player, PlayerSet, Position, Rules, Tally, Trigger};
use tabiya_notation::State;

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Rules>,
    state: State,
    /// What all earlier positions were for repetition, oldest first; and the present one.
    earlier: Vec<Identity>,
    present: Identity,
    offer: Option<Offer>,
    end: Option<End>,
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
    /// Resignation.
    Resign,
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
    /// A player resigned: the game is over.
    Resigned,
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

impl Game {
    /// A game from its start.
    pub fn new(rules: Arc<Rules>) -> Self {
        let state = State::new(rules.start());
        Game::resume(rules, state, &[])
    }

    /// A game from a position on, with all earlier positions, oldest first. An ending that holds already is found.
    pub fn resume(rules: Arc<Rules>, state: State, earlier: &[Position]) -> Self {
        let earlier = earlier.iter().map(|position| rules.identity(position)).collect();
        let present = rules.identity(&state.position);
        let mut game = Game { rules, state, earlier, present, offer: None, end: None };
        game.end = game.automatic_end();
        game
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

    /// What all earlier positions were for repetition, oldest first.
    pub fn earlier(&self) -> &[Identity] {
        &self.earlier
    }

    /// What the position counts for: how often it has been there, and for how long it has been quiet.
    pub fn tally(&self) -> Tally {
        Tally { repetitions: self.seen(&self.present) + 1, quiet: self.state.quiet }
    }

    /// Who offers a draw that the player to move may accept, and has not accepted yet.
    pub fn draw_offer(&self) -> Option<Player> {
        self.offer.filter(|offer| !offer.accepted.contains(self.mover())).map(|offer| offer.by)
    }

    /// How it ended.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// What the player to move does. An illegal act changes nothing.
    pub fn submit(&mut self, act: &Act) -> Result<Event, Illegal> {
        if self.end.is_some() {
            return Err(Illegal::GameOver);
        }
        let mover = self.mover();
        match act {
            Act::Move(played) => self.play(*played),
            Act::Claim { code, announced } => self.claim(code, *announced),
            Act::Offer if !self.rules.blueprint().draw_offers => Err(Illegal::NoDrawOffers),
            Act::Offer => match self.offer {
                Some(offer) if offer.by == mover => Err(Illegal::SecondOffer),
                // Whoever answers an offer with an offer of his own has not accepted it.
                _ => {
                    self.offer = Some(Offer { by: mover, accepted: PlayerSet::EMPTY.with(mover) });
                    Ok(Event::Offered)
                }
            },
            Act::Accept => self.accept(mover),
            Act::Decline => {
                self.draw_offer().ok_or(Illegal::NoOffer)?;
                self.offer = None;
                Ok(Event::Declined)
            }
            Act::Resign => {
                self.lose(mover, "resignation");
                Ok(Event::Resigned)
            }
        }
    }

    /// A player loses for a reason that lies outside of the rules: an illegal output, a crash.
    pub fn forfeit(&mut self, player: Player, reason: &str) {
        if self.end.is_none() {
            self.lose(player, reason);
        }
    }

    /// A player's flag fell: he loses, unless the game's rules say otherwise (FIDE 6.9).
    pub fn flag_fell(&mut self, player: Player) {
        if self.end.is_some() {
            return;
        }
        let position = &self.state.position;
        let ending = self.rules.ending(position, self.tally(), Trigger::Flag, player, None);
        match ending {
            Some(ending) => {
                self.end = Some(End { winners: ending.winners, reason: ending.code.to_lowercase() });
            }
            None => self.lose(player, "timeout"),
        }
    }

    fn lose(&mut self, player: Player, reason: &str) {
        let winners = self.rules.alive(&self.state.position).without(PlayerSet::EMPTY.with(player));
        self.end = Some(End { winners, reason: reason.to_owned() });
    }

    fn accept(&mut self, mover: Player) -> Result<Event, Illegal> {
        let offer =
            self.offer.as_mut().filter(|offer| !offer.accepted.contains(mover)).ok_or(Illegal::NoOffer)?;
        offer.accepted = offer.accepted.with(mover);
        if self.rules.alive(&self.state.position).without(offer.accepted).is_empty() {
            self.end = Some(End { winners: PlayerSet::EMPTY, reason: "agreement".to_owned() });
        }
        Ok(Event::Accepted)
    }

    fn play(&mut self, played: Move) -> Result<Event, Illegal> {
        let mover = self.mover();
        let (state, present) = self.after(played).ok_or(Illegal::Move)?;
        self.earlier.push(std::mem::replace(&mut self.present, present));
        self.state = state;
        // An offer lapses when somebody moves on who has not accepted it; the one who made it has.
        self.offer = self.offer.filter(|offer| offer.accepted.contains(mover));
        self.end = self.automatic_end();
        Ok(Event::Moved)
    }

    /// The state after a legal move, and what it is for repetition.
    fn after(&self, played: Move) -> Option<(State, Identity)> {
        let State { position, quiet, round } = &self.state;
        let kind = position.piece(played.from)?.kind;
        let next = self.rules.play(position, played).ok()?;
        let quiet = if self.rules.is_loud(position, kind, &next) { 0 } else { quiet.saturating_add(1) };
        let is_new_round = next.slot() <= position.slot();
        let round = round.saturating_add(u32::from(is_new_round));
        let identity = self.rules.identity(&next);
        Some((State { position: next, quiet, round }, identity))
    }

    fn claim(&mut self, code: &str, announced: Option<Move>) -> Result<Event, Illegal> {
        let endings = &self.rules.blueprint().endings;
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
            let after = self.after(played).ok_or_else(|| Illegal::AnnouncedMove(code.to_owned()))?;
            let (state, identity) = after;
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

    /// Mate and stalemate, then the endings of the rules in their order.
    fn automatic_end(&self) -> Option<End> {
        let position = &self.state.position;
        if let Some(outcome) = self.rules.outcome(position) {
            return Some(End { winners: outcome.winners, reason: self.rules.reason(outcome.reason) });
        }
        let ending = self.rules.ending(position, self.tally(), Trigger::Rule, self.mover(), None)?;
        Some(End { winners: ending.winners, reason: ending.code.to_lowercase() })
    }
}
