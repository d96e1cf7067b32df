//! Runs one game of a match.

use std::sync::atomic::{AtomicBool, Ordering};

use tabiya_engine::Step;
use tabiya_notation::parse_state;
use tabiya_referee::protocol::StateWriter;
use tabiya_referee::record::{Answer, Departure, Finish, Header, Line, Recorder};
use tabiya_referee::{AgentFault, Reply, Verdict};

use crate::config::{MatchConfig, MatchPlan};
use crate::error::MatchError;
use crate::journal::Journal;
use crate::seat::{Seat, ThinkTime, TurnRequest};
use crate::standings::{Tally, agent_at};

/// A game that is new or resumed.
#[derive(Debug)]
pub(crate) struct GameRunner {
    pub(crate) header: Header,
    pub(crate) recorder: Recorder,
    pub(crate) tally: Tally,
    /// Whether the journal contains its first line.
    pub(crate) is_started: bool,
}

/// A game that remains to be played.
#[derive(Debug)]
pub(crate) enum Job {
    /// A new game, which is set up when it starts.
    New { id: u32, attempt: u32 },
    /// An interrupted game.
    Resume(Box<GameRunner>),
}

impl Job {
    /// Sets the game up.
    pub(crate) fn into_runner(self, plan: &MatchPlan) -> Result<GameRunner, MatchError> {
        match self {
            Job::New { id, attempt } => GameRunner::new(plan, id, attempt),
            Job::Resume(runner) => Ok(*runner),
        }
    }
}

/// Data that all games of a match share.
#[derive(Debug)]
pub(crate) struct MatchContext<'m> {
    pub(crate) plan: &'m MatchPlan,
    pub(crate) journal: Option<&'m Journal>,
    /// Whether each agent was started before.
    pub(crate) was_started: [AtomicBool; 2],
    /// Whether the match is stopped.
    pub(crate) stop: AtomicBool,
}

impl MatchContext<'_> {
    fn write(&self, line: &Line) -> Result<(), MatchError> {
        self.journal.map_or(Ok(()), |journal| journal.write(line))
    }

    /// Starts the agent of a seat. A failure stops the match if the agent was never started, because the address is
    /// probably wrong. Later it is the agent's fault and loses the game.
    fn seat(&self, id: u32, seat: usize) -> Result<Seat, MatchError> {
        let agent = agent_at(id, seat);
        let address = &self.plan.config.agents[agent].address;
        match Seat::connect(address, &self.plan.agent_options[agent], self.plan.seat_seed(id, seat)) {
            Ok(connected) => {
                self.was_started[agent].store(true, Ordering::Relaxed);
                Ok(connected)
            }
            Err(fault) if self.was_started[agent].load(Ordering::Relaxed) => Ok(Seat::Absent(fault)),
            Err(fault) => {
                let why = self.plan.secrets.hide(&fault.to_string()).into_owned();
                Err(MatchError::CouldNotStart { agent: self.plan.names[agent].clone(), why })
            }
        }
    }
}

impl GameRunner {
    fn new(plan: &MatchPlan, id: u32, attempt: u32) -> Result<Self, MatchError> {
        let header = plan.header(id, attempt);
        let recorder = Recorder::new(&plan.laws, &header).map_err(MatchError::Game)?;
        let tally = Tally::new(&header);
        Ok(GameRunner { header, recorder, tally, is_started: false })
    }

    /// Plays the game to its end. Returns `None` if the match is stopped before.
    pub(crate) fn play(&mut self, context: &MatchContext<'_>) -> Result<Option<Finish>, MatchError> {
        // A game that was interrupted after its last move needs no agents.
        let mut seats =
            if self.recorder.session().result().is_none() { self.seats(context)? } else { Vec::new() };
        if !self.is_started {
            context.write(&Line::Start(self.header.clone()))?;
        }
        self.write_throws(context)?;
        let mut state_writer = context.plan.laws.protocol().state_writer();
        while self.recorder.session().result().is_none() {
            if context.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let answer = self.ask(&mut seats, &mut state_writer, context);
            self.tally.count(&answer);
            context.write(&Line::Answer(answer))?;
            self.write_throws(context)?;
        }
        let departures = self.finish_seats(&mut seats, context);
        Ok(self.recorder.finish(departures))
    }

    /// Writes new throws of the die.
    fn write_throws(&mut self, context: &MatchContext<'_>) -> Result<(), MatchError> {
        self.recorder.take_throws().into_iter().try_for_each(|throw| context.write(&Line::Throw(throw)))
    }

    fn seats(&self, context: &MatchContext<'_>) -> Result<Vec<Seat>, MatchError> {
        let mut seats: Vec<Seat> = (0..self.header.seats.len())
            .map(|seat| context.seat(self.header.id, seat))
            .collect::<Result<_, _>>()?;
        if context.plan.config.time.is_none() && context.plan.config.think.is_none() {
            self.catch_up(&mut seats);
        }
        Ok(seats)
    }

    /// Repeats the choices of built-in players, which restores their state in a resumed game.
    fn catch_up(&self, seats: &mut [Seat]) {
        let rules = self.recorder.session().game().rules();
        let Ok(start) = parse_state(rules, &self.header.start) else { return };
        let mut position = start.position;
        let mut moves = 0;
        for step in self.recorder.session().game().steps() {
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

    fn ask(
        &mut self,
        seats: &mut [Seat],
        state_writer: &mut StateWriter,
        context: &MatchContext<'_>,
    ) -> Answer {
        let MatchConfig { time, think, .. } = &context.plan.config;
        let think_time = match think {
            Some(time) => ThinkTime::Fixed(*time),
            None if time.is_some() => ThinkTime::Clock,
            None => ThinkTime::Default,
        };
        let seat = &mut seats[self.recorder.session().game().actor().index()];
        let (answer, taken) = seat.ask(TurnRequest::new(self.recorder.session(), state_writer, think_time));
        let secrets = &context.plan.secrets;
        match answer {
            Ok(text) => self.recorder.hear(Reply::Output(&secrets.hide(&text)), taken),
            // The agent may be asked again, with this reason, like after any other malformed answer.
            Err(AgentFault::Malformed(why)) => {
                let why = secrets.hide(&format!("malformed: the answer cannot be read: {why}")).into_owned();
                self.recorder.hear(Reply::Fault(Verdict::Malformed, &why), taken)
            }
            Err(AgentFault::Unsolicited { output: Some(text) }) => {
                self.recorder.hear(Reply::Unsolicited(&secrets.hide(&text)), taken)
            }
            Err(AgentFault::Unfinished { output }) => {
                self.recorder.hear(Reply::Unfinished(&secrets.hide(&output)), taken)
            }
            Err(fault) => {
                let verdict = fault.verdict().unwrap_or(Verdict::Closed);
                self.recorder.hear(Reply::Fault(verdict, &secrets.hide(&fault.to_string())), taken)
            }
        }
    }

    /// Ends the agents and returns their faults.
    fn finish_seats(&self, seats: &mut [Seat], context: &MatchContext<'_>) -> Vec<Departure> {
        let hide = |text: &str| context.plan.secrets.hide(text).into_owned();
        let faults =
            seats.iter_mut().zip(&self.header.seats).filter_map(|(seat, taken)| seat.finish(&taken.player));
        faults.map(|departure| Departure { stderr: hide(&departure.stderr), ..departure }).collect()
    }
}
