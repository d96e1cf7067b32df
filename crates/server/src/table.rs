//! One table: a game under the referee, who sits there, what was done, and who listens.
//!
//! Whatever happens goes one way: it is tried on the game, written into the journal, and told to everybody once it is
//! written. The same lines, read back, give the same table.

mod doing;
mod showing;

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tabiya_arena::Seat;
use tabiya_engine::{Player, PlayerSet};
use tabiya_notation::{State, parse_state};
use tabiya_referee::{Clock, Dice, End, Game, TimeControl};

use crate::book::{Book, Shelf, Source};
use crate::keys::Key;
use crate::listeners::Listeners;
use crate::refusal::No;
use crate::wire::{ActView, ChoiceBody, ClockBody, ExchangeView, Man};
use crate::{limits, view};

/// Everything that does not change about a table, as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) source: Source,
    pub(crate) choice: ChoiceBody,
    /// The rules it was opened with: other rules would make another game of it.
    pub(crate) hash: String,
    pub(crate) seats: Vec<SeatTerms>,
    pub(crate) watch: Key,
    pub(crate) clock: Option<ClockBody>,
    pub(crate) start: Option<String>,
    pub(crate) seed: u64,
}

/// Who sits at one seat, for which players.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SeatTerms {
    pub(crate) players: Vec<usize>,
    pub(crate) who: Who,
}

/// A person, with the key that admits him; or a program, by the name that the operator gave it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Who {
    Human(Key),
    Player(String),
    Agent(String),
}

impl SeatTerms {
    /// The players that sit there.
    pub(crate) fn set(&self) -> PlayerSet {
        self.players.iter().map(|player| Player(*player as u8)).collect()
    }

    /// Whether a person sits there.
    pub(crate) fn is_human(&self) -> bool {
        matches!(self.who, Who::Human(_))
    }
}

/// A line of a table's journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    /// Something was done.
    Done {
        player: usize,
        deed: Deed,
        ms: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<Box<ExchangeView>>,
    },
    /// An agent answered, and that was not accepted.
    Asked(Box<ExchangeView>),
    /// Everything after so many acts was taken back.
    Undo { keep: usize },
}

/// Something that is done at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Deed {
    /// What a player says: a move, an offer, a claim.
    Say(String),
    /// A flag fell.
    Flag,
    /// A program loses, for something that is no chess.
    Forfeit(String),
    /// The game is over, and nobody has won it.
    Break(String),
}

impl Deed {
    /// As it stands in the list of moves.
    fn text(&self) -> &str {
        match self {
            Deed::Say(text) => text,
            Deed::Flag => "flag",
            Deed::Forfeit(reason) | Deed::Break(reason) => reason,
        }
    }
}

/// A table.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) book: Arc<Book>,
    pub(crate) terms: Terms,
    /// Which seat each player has.
    pub(crate) seat_of: Vec<usize>,
    /// Who opened it, for the limit of tables per address.
    pub(crate) owner: Option<IpAddr>,
    pub(crate) listeners: Listeners,
    /// The agents that have come to the board, by seat.
    pub(crate) agents: Mutex<BTreeMap<usize, Seat>>,
    start: State,
    inner: Mutex<Inner>,
    /// Whether the journal could not be written: then nothing more happens here.
    is_lost: AtomicBool,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What changes at a table.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) game: Game,
    /// How it ended outside of the rules.
    broken_off: Option<End>,
    clock: Option<Clock>,
    /// Since when whoever is asked thinks.
    since: Instant,
    acts: Vec<(Deed, ActView)>,
    /// How many lines the journal has.
    lines: usize,
    /// How often anything has changed: what was thought about an older state is worth nothing.
    pub(crate) epoch: u64,
    /// The last exchanges with agents.
    asked: VecDeque<ExchangeView>,
    /// Whether somebody looks at the clock.
    is_watched: bool,
    /// Whether a program has been called and waits for a core. Its clock stands still.
    is_queued: bool,
}

impl Inner {
    fn new(game: Game, clock: Option<Clock>) -> Self {
        Inner {
            game,
            broken_off: None,
            clock,
            since: Instant::now(),
            acts: Vec::new(),
            lines: 0,
            epoch: 0,
            asked: VecDeque::new(),
            is_watched: false,
            is_queued: false,
        }
    }

    /// How it ended.
    pub(crate) fn end(&self) -> Option<&End> {
        self.broken_off.as_ref().or(self.game.end())
    }

    /// A program that waited for a core begins to think.
    pub(crate) fn begins_to_think(&mut self) {
        (self.is_queued, self.since) = (false, Instant::now());
    }

    /// How many acts were done.
    pub(crate) fn seen(&self) -> usize {
        self.acts.len()
    }

    /// The moves so far, as text.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.acts.iter().filter(|(_, view)| view.san.is_some()).map(|(_, view)| view.text.clone()).collect()
    }

    /// Whether the clock runs. It starts with the first act, so that everybody can come first.
    fn is_running(&self) -> bool {
        self.clock.is_some() && !self.acts.is_empty() && self.end().is_none() && !self.is_queued
    }

    /// How long whoever is asked has thought.
    fn thought(&self) -> Duration {
        if self.is_running() || self.clock.is_none() && !self.acts.is_empty() {
            self.since.elapsed()
        } else {
            Duration::ZERO
        }
    }

    /// How long whoever is asked may still think.
    pub(crate) fn left(&self) -> Option<Duration> {
        let budget = self.clock.as_ref().filter(|_| self.is_running())?.budget(self.game.actor())?;
        Some(budget.saturating_sub(self.since.elapsed()))
    }

    /// The clocks as they stand this very moment.
    fn clock_now(&self) -> Option<Clock> {
        let mut clock = self.clock.clone()?;
        if self.is_running() {
            clock.think(self.game.actor(), self.since.elapsed());
        }
        Some(clock)
    }

    /// The clocks, for programs that plan their time.
    pub(crate) fn clock(&self) -> Clock {
        self.clock_now()
            .unwrap_or_else(|| Clock::new(TimeControl::default(), self.game.rules().players().count()))
    }

    fn note(&mut self, asked: ExchangeView) {
        self.asked.push_back(asked);
        if self.asked.len() > limits::EXCHANGES {
            self.asked.pop_front();
        }
    }
}

impl Table {
    /// A table at which nothing has happened yet.
    pub(crate) fn new(id: String, terms: Terms, book: Arc<Book>, owner: Option<IpAddr>) -> Result<Self, No> {
        let rules = &book.game.rules;
        let start = match &terms.start {
            None => State::new(rules.start()),
            Some(text) => parse_state(rules, text)
                .map_err(|error| No::rule("bad_start", format!("it cannot begin there: {error}")))?,
        };
        let mut seat_of = vec![usize::MAX; rules.players().count()];
        for (seat, taken) in terms.seats.iter().enumerate() {
            taken.players.iter().for_each(|player| seat_of[*player] = seat);
        }
        let game = begin(&book, &start, terms.seed);
        let inner = Mutex::new(Inner::new(game, clock(&terms, seat_of.len())));
        Ok(Table {
            id,
            book,
            terms,
            seat_of,
            owner,
            listeners: Listeners::default(),
            agents: Mutex::default(),
            start,
            inner,
            is_lost: AtomicBool::new(false),
        })
    }

    /// A table as it was when its last line was written.
    pub(crate) fn restore(id: String, body: &str, lines: &[String], shelf: &Shelf) -> Result<Self, No> {
        let unreadable =
            |_| No::rule("unreadable", "this table was kept by another version and cannot be read");
        let terms: Terms = serde_json::from_str(body).map_err(unreadable)?;
        let book = shelf.book(&terms.source, &terms.choice)?;
        if book.game.hash.to_string() != terms.hash {
            let why = "the rules of this game have changed since the table was opened, so it cannot go on";
            return Err(No::rule("other_rules", why));
        }
        let table = Table::new(id, terms, book, None)?;
        {
            let mut inner = table.lock();
            for line in lines {
                let line = serde_json::from_str(line).map_err(unreadable)?;
                table.replay(&mut inner, line)?;
                inner.lines += 1;
            }
            inner.since = Instant::now();
        }
        Ok(table)
    }

    /// Does again what a line says.
    fn replay(&self, inner: &mut Inner, line: Line) -> Result<(), No> {
        match line {
            Line::Done { player, deed, ms, asked } => {
                let act = self.try_out(inner, Player(player as u8), &deed, ms)?;
                inner.acts.push((deed, act));
                if let Some(asked) = asked {
                    inner.note(*asked);
                }
            }
            Line::Asked(asked) => inner.note(*asked),
            Line::Undo { keep } => self.take_back(inner, keep)?,
        }
        Ok(())
    }

    /// Takes everything back after so many acts: the game is played again up to there.
    fn take_back(&self, inner: &mut Inner, keep: usize) -> Result<(), No> {
        let mut acts = std::mem::take(&mut inner.acts);
        acts.truncate(keep);
        let game = begin(&self.book, &self.start, self.terms.seed);
        let fresh = Inner::new(game, clock(&self.terms, self.seat_of.len()));
        let Inner { lines, epoch, is_watched, .. } = *inner;
        let asked = std::mem::take(&mut inner.asked);
        *inner = Inner { lines, epoch: epoch + 1, is_watched, asked, ..fresh };
        for (deed, act) in acts {
            let player = Player(act.by.unwrap_or(act.player) as u8);
            let act = self.try_out(inner, player, &deed, act.ms)?;
            inner.acts.push((deed, act));
        }
        inner.asked.retain(|asked| asked.seen < keep);
        Ok(())
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The only seat of a person, if there is just one.
    fn only_human(&self) -> Option<usize> {
        let mut humans = self.terms.seats.iter().enumerate().filter(|(_, seat)| seat.is_human());
        let (only, _) = humans.next()?;
        humans.next().is_none().then_some(only)
    }

    /// Whether its journal could not be written.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// Whether agents sit here.
    pub(crate) fn has_agents(&self) -> bool {
        self.terms.seats.iter().any(|seat| matches!(seat.who, Who::Agent(_)))
    }

    /// Whether programs play among themselves.
    pub(crate) fn is_show(&self) -> bool {
        !self.terms.seats.iter().any(SeatTerms::is_human)
    }

    /// Who comes with a key: somebody for a seat, or somebody who watches (`None`).
    pub(crate) fn admit(&self, key: &str) -> Result<Option<usize>, No> {
        let fits = |seat: &SeatTerms| matches!(&seat.who, Who::Human(own) if own.is(key));
        match self.terms.seats.iter().position(fits) {
            None if !self.terms.watch.is(key) => {
                Err(No::not_found("there is no such table, or this is not its key"))
            }
            seat => Ok(seat),
        }
    }

    /// The men at the start.
    fn start_men(&self) -> Vec<Man> {
        let game = begin(&self.book, &self.start, self.terms.seed);
        view::men(&self.book.game.rules, &game.state().position)
    }

    /// Where it began.
    pub(crate) fn start(&self) -> &State {
        &self.start
    }

    /// Whether it may leave the memory: nobody is here, and nothing will happen by itself.
    pub(crate) fn is_idle(&self) -> bool {
        let inner = self.lock();
        let waits_for_program = || !self.terms.seats[self.seat_of[inner.game.actor().index()]].is_human();
        let is_waiting = inner.end().is_some() || !inner.is_running() && !waits_for_program();
        is_waiting && inner.since.elapsed() > limits::FORGETTING && self.listeners.is_empty()
    }
}

fn begin(book: &Book, start: &State, seed: u64) -> Game {
    Game::resume(book.game.rules.clone(), start.clone(), &[], Dice::seeded(seed))
}

fn clock(terms: &Terms, players: usize) -> Option<Clock> {
    let ClockBody { seconds, increment } = terms.clock?;
    let control = TimeControl {
        game: Some(Duration::from_secs_f64(seconds)),
        increment: Duration::from_secs_f64(increment),
        per_move: None,
    };
    Some(Clock::new(control, players))
}
