//! One game of a match, from the first question to the last farewell.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tabiya_engine::Step;
use tabiya_notation::parse_state;
use tabiya_referee::protocol::Scribe;
use tabiya_referee::record::{Answer, Arbiter, Departure, Finish, Header, Line, Reply, Verdict};

use crate::agent::Fault;
use crate::contest::{Match, Plan};
use crate::error::MatchError;
use crate::journal::Journal;
use crate::seat::{Asked, Pace, Seat};
use crate::table::{Tally, agent_at};

/// A game that is to be played, or to be played on.
#[derive(Debug)]
pub(crate) struct Bout {
    pub(crate) header: Header,
    pub(crate) arbiter: Arbiter,
    pub(crate) tally: Tally,
    /// Whether its first line is written already.
    pub(crate) is_under_way: bool,
}

/// A game that waits for its turn.
#[derive(Debug)]
pub(crate) enum Job {
    /// From its beginning; it is set up when its turn comes.
    Fresh { id: u32, attempt: u32 },
    /// From where it was broken off.
    UnderWay(Box<Bout>),
}

impl Job {
    /// The game, set up.
    pub(crate) fn bout(self, plan: &Plan) -> Result<Bout, MatchError> {
        match self {
            Job::Fresh { id, attempt } => Bout::new(plan, id, attempt),
            Job::UnderWay(bout) => Ok(*bout),
        }
    }
}

/// How a game was left.
pub(crate) enum Left {
    /// It is over.
    Over(Finish),
    /// It was broken off, because the match was.
    Open,
}

/// What all games of a match share.
#[derive(Debug)]
pub(crate) struct Hall<'m> {
    pub(crate) plan: &'m Plan,
    pub(crate) journal: Option<&'m Journal>,
    /// Whether each agent has come to the board before.
    pub(crate) has_come: [AtomicBool; 2],
    /// Whether the match is broken off.
    pub(crate) stop: AtomicBool,
}

impl Hall<'_> {
    fn write(&self, line: &Line) -> Result<(), MatchError> {
        self.journal.map_or(Ok(()), |journal| journal.write(line))
    }

    /// An agent that cannot even be started once is a mistake of whoever called for it. Later it is the agent's own.
    fn seat(&self, id: u32, seat: usize) -> Result<Seat, MatchError> {
        let agent = agent_at(id, seat);
        let address = &self.plan.contest.agents[agent].address;
        match Seat::take(address, &self.plan.terms[agent], self.plan.seat_seed(id, seat)) {
            Ok(taken) => {
                self.has_come[agent].store(true, Ordering::Relaxed);
                Ok(taken)
            }
            Err(fault) if self.has_come[agent].load(Ordering::Relaxed) => Ok(Seat::Empty(fault)),
            Err(fault) => {
                let why = self.plan.secrets.hide(&fault.to_string()).into_owned();
                Err(MatchError::CouldNotStart { agent: self.plan.names[agent].clone(), why })
            }
        }
    }
}

impl Bout {
    /// A game from its beginning.
    fn new(plan: &Plan, id: u32, attempt: u32) -> Result<Self, MatchError> {
        let header = plan.header(id, attempt);
        let arbiter = Arbiter::new(&plan.laws, &header).map_err(MatchError::Game)?;
        let tally = Tally::new(&header);
        Ok(Bout { header, arbiter, tally, is_under_way: false })
    }

    /// Plays it to its end, unless the match is broken off.
    pub(crate) fn play(&mut self, hall: &Hall<'_>) -> Result<Left, MatchError> {
        // A game that was broken off after its last move needs nobody any more.
        let mut seats = if self.arbiter.close().is_none() { self.seats(hall)? } else { Vec::new() };
        if !self.is_under_way {
            hall.write(&Line::Start(self.header.clone()))?;
        }
        self.write_throws(hall)?;
        let mut scribe = hall.plan.laws.protocol().scribe();
        while self.arbiter.close().is_none() {
            if hall.stop.load(Ordering::Relaxed) {
                return Ok(Left::Open);
            }
            let answer = self.ask(&mut seats, &mut scribe, hall);
            self.tally.count(&answer);
            hall.write(&Line::Answer(answer))?;
            self.write_throws(hall)?;
        }
        let departures = self.farewell(&mut seats, hall);
        let finish = self.arbiter.finish(departures);
        Ok(finish.map_or(Left::Open, Left::Over))
    }

    /// The throws of the die that nobody has written down yet.
    fn write_throws(&mut self, hall: &Hall<'_>) -> Result<(), MatchError> {
        self.arbiter.take_throws().into_iter().try_for_each(|throw| hall.write(&Line::Throw(throw)))
    }

    fn seats(&self, hall: &Hall<'_>) -> Result<Vec<Seat>, MatchError> {
        let mut seats: Vec<Seat> = (0..self.header.seats.len())
            .map(|seat| hall.seat(self.header.id, seat))
            .collect::<Result<_, _>>()?;
        if hall.plan.contest.time.is_none() && hall.plan.contest.think.is_none() {
            self.catch_up(&mut seats);
        }
        Ok(seats)
    }

    /// Our own players have seen the game so far.
    fn catch_up(&self, seats: &mut [Seat]) {
        let rules = self.arbiter.game().rules();
        let Ok(start) = parse_state(rules, &self.header.start) else { return };
        let mut position = start.position;
        let mut moves = 0;
        for step in self.arbiter.game().steps() {
            if matches!(step, Step::Move(_)) {
                if moves >= self.header.opening.len() {
                    let decider = rules.decider(&position, rules.mover(&position));
                    seats[decider.index()].catch_up(rules, &position);
                }
                moves += 1;
            }
            let Ok(next) = rules.play_step(&position, *step) else { return };
            position = next;
        }
    }

    fn ask(&mut self, seats: &mut [Seat], scribe: &mut Scribe, hall: &Hall<'_>) -> Answer {
        let Match { time, think, .. } = &hall.plan.contest;
        let pace = match think {
            Some(time) => Pace::Told(*time),
            None if time.is_some() => Pace::Clock,
            None => Pace::Own,
        };
        let seat = &mut seats[self.arbiter.game().actor().index()];
        let (answer, taken) = seat.ask(Asked::by(&self.arbiter, scribe, pace));
        let secrets = &hall.plan.secrets;
        match answer {
            Ok(text) => self.arbiter.hear(Reply::Output(&secrets.hide(&text)), taken),
            // The words go back to an agent that is asked again, so they are those of any other malformed answer.
            Err(Fault::Malformed(why)) => {
                let why = secrets.hide(&format!("malformed: the answer cannot be read: {why}")).into_owned();
                self.arbiter.hear(Reply::Fault(Verdict::Malformed, &why), taken)
            }
            Err(fault) => self.hear_fault(&fault, &secrets.hide(&fault.to_string()), taken),
        }
    }

    fn hear_fault(&mut self, fault: &Fault, why: &str, taken: Duration) -> Answer {
        // What an agent can be guilty of in a game has a verdict of the same word.
        let verdict = Verdict::of_word(fault.word()).unwrap_or(Verdict::Closed);
        self.arbiter.hear(Reply::Fault(verdict, why), taken)
    }

    fn farewell(&self, seats: &mut [Seat], hall: &Hall<'_>) -> Vec<Departure> {
        let hide = |text: &str| hall.plan.secrets.hide(text).into_owned();
        let left =
            seats.iter_mut().zip(&self.header.seats).filter_map(|(seat, taken)| seat.leave(&taken.player));
        left.map(|departure| Departure { stderr: hide(&departure.stderr), ..departure }).collect()
    }
}
