//! Seats of a game: an agent, a built-in player, or an agent that could not be started.

use std::cell::Cell;
use std::fmt;
use std::time::{Duration, Instant};

use tabiya_engine::{Player, Position, Rules};
use tabiya_notation::{fen, uci};
use tabiya_players::{Chooser, Limits, PlayerOptions, Score, SearchInfo, by_name};
use tabiya_referee::protocol::{StateWriter, Strictness};
use tabiya_referee::record::Departure;
use tabiya_referee::{
    Action, AgentFault, AnswerFormat, Clock, Game, Session, TimeControl, Verdict, action_before_moving,
};

use crate::address::Address;
use crate::agent::{Agent, DAY, Question};
use crate::agent_options::{AgentOptions, connect};
use crate::uci_search::{UciSearch, UciTime};

/// The search time of an engine without a clock.
const DEFAULT_SEARCH_TIME: Duration = Duration::from_millis(100);

/// The time that a built-in player keeps in reserve, unless the limit for the move is very short.
const SHORTEST_RESERVE: Duration = Duration::from_millis(20);

/// The disadvantage, in hundredths of a pawn, from which a player accepts a draw.
const CLEARLY_WORSE: i32 = 50;

/// The occupant of a seat.
pub enum Seat {
    /// An external agent.
    Agent(Box<dyn Agent>),
    /// A built-in player.
    Player(Box<dyn Chooser + Send>),
    /// An agent that could not be started.
    Absent(AgentFault),
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seat::Agent(_) => "Agent",
            Seat::Player(_) => "Player",
            Seat::Absent(_) => "Absent",
        })
    }
}

/// The request for an answer at a seat.
#[derive(Debug)]
pub struct TurnRequest<'g> {
    /// The session.
    pub session: &'g Session,
    /// The format of the answer.
    pub format: AnswerFormat,
    /// The clocks.
    pub clock: &'g Clock,
    /// The time for the answer; unlimited if `None`.
    pub time_limit: Option<Duration>,
    /// The writer of states.
    pub state_writer: &'g mut StateWriter,
    /// The time to think.
    pub think_time: ThinkTime,
}

impl<'g> TurnRequest<'g> {
    /// Creates the next request of a session.
    pub fn new(session: &'g Session, state_writer: &'g mut StateWriter, think_time: ThinkTime) -> Self {
        TurnRequest {
            session,
            format: session.format(),
            clock: session.clock(),
            time_limit: session.time_limit(),
            state_writer,
            think_time,
        }
    }
}

/// The time that a built-in player or an engine thinks about a move.
#[derive(Clone, Copy, Debug)]
pub enum ThinkTime {
    /// The player's own limits; a short search for engines.
    Default,
    /// A part of the time on the clock.
    Clock,
    /// A fixed time.
    Fixed(Duration),
}

impl Seat {
    /// Creates a built-in player or starts an agent.
    ///
    /// # Errors
    ///
    /// Returns the fault of an agent that cannot be started.
    pub fn connect(address: &Address, options: &AgentOptions, seed: u64) -> Result<Self, AgentFault> {
        match address {
            Address::Player(name) => by_name(name, PlayerOptions { net: options.net.clone(), ..seed.into() })
                .map(Seat::Player)
                .ok_or_else(|| AgentFault::CouldNotStart(format!("there is no player `{name}`"))),
            _ => connect(address, options).map(Seat::Agent),
        }
    }

    /// Asks for an answer and returns it with the time that it took. Agents answer in time or fail.
    pub fn ask(&mut self, request: TurnRequest<'_>) -> (Result<String, AgentFault>, Duration) {
        let margin = request.clock.control().margin;
        let timeout = request.time_limit.map_or(DAY, |limit| limit.saturating_add(margin));
        // Built-in players and engines only know moves. Other actions are decided for them.
        let is_free = request.format == AnswerFormat::Text && !matches!(self, Seat::Absent(_));
        let before = is_free.then(|| action_before_moving(request.session.game())).flatten();
        if let Some(action) = before {
            let text = action.text(request.session.rules(), request.session.position());
            return (Ok(text), Duration::ZERO);
        }
        match self {
            Seat::Absent(fault) => (Err(fault.clone()), Duration::ZERO),
            Seat::Player(chooser) => {
                let start = Instant::now();
                let answer = choose(chooser.as_mut(), &request, start);
                (answer, start.elapsed())
            }
            Seat::Agent(agent) => {
                let question = PreparedQuestion::new(request);
                let start = Instant::now();
                let answer = agent.ask(&question.question(start + timeout.min(DAY)));
                let taken = start.elapsed();
                match answer {
                    Err(fault) if fault.verdict() == Some(Verdict::Timeout) => {
                        (Err(fault), taken.max(timeout))
                    }
                    answer => (answer, taken.min(timeout)),
                }
            }
        }
    }

    /// Repeats the choice of a built-in player, which restores its state in a resumed game.
    pub(crate) fn catch_up(&mut self, rules: &Rules, position: &Position) {
        if let Seat::Player(chooser) = self {
            chooser.choose(rules, position);
        }
    }

    /// Returns the form of the answers.
    pub fn format(&self) -> AnswerFormat {
        match self {
            Seat::Agent(agent) => agent.format(),
            _ => AnswerFormat::Text,
        }
    }

    /// Ends the agent after the game and returns its fault, if it has one.
    pub fn finish(&mut self, seat: &str) -> Option<Departure> {
        let Seat::Agent(agent) = self else { return None };
        let report = agent.finish();
        report.fault.map(|fault| Departure {
            seat: seat.to_owned(),
            fault: fault.word().to_owned(),
            exit: report.exit,
            stderr: report.stderr,
        })
    }
}

/// Returns the action of a built-in player against people: its move, or its answer to a draw offer. Returns `None` if there
/// is no legal move.
///
/// A player that searches accepts a draw if its position is clearly worse. Other players decline.
pub fn choose_action(chooser: &mut dyn Chooser, game: &Game, limits: &Limits<'_>) -> Option<Action> {
    let score = Cell::new(None);
    let on_info = |info: &SearchInfo| score.set(Some(info.score));
    let earlier = game.earlier_keys();
    let quiet = game.state().quiet;
    let limits = Limits { on_info: Some(&on_info), earlier: &earlier, quiet, ..*limits };
    let chosen = chooser.choose_within(game.rules(), &game.state().position, &limits)?;
    if game.draw_offer().is_none() {
        return Some(Action::Move(chosen));
    }
    let is_worse = match score.get() {
        Some(Score::Centipawns(score)) => score <= -CLEARLY_WORSE,
        Some(Score::Loss(_)) => true,
        Some(Score::Win(_)) | None => false,
    };
    Some(if is_worse { Action::Accept } else { Action::Decline })
}

fn choose(
    chooser: &mut dyn Chooser,
    request: &TurnRequest<'_>,
    start: Instant,
) -> Result<String, AgentFault> {
    let game = request.session.game();
    let (rules, position) = (game.rules(), &game.state().position);
    let earlier = game.earlier_keys();
    let limits = Limits { earlier: &earlier, quiet: game.state().quiet, ..Limits::default() };
    let time = match request.think_time {
        ThinkTime::Default => None,
        ThinkTime::Clock => Some(time_for_move(request.clock, game.actor())),
        ThinkTime::Fixed(time) => Some(time),
    };
    let deadline = time.map(|time| start + time);
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let stop: Option<&dyn Fn() -> bool> = if deadline.is_some() { Some(&is_late) } else { None };
    let chosen = chooser.choose_within(rules, position, &Limits { stop, ..limits });
    let played = chosen.ok_or_else(|| AgentFault::Malformed("the player found no move".into()))?;
    Ok(uci(rules, position, played))
}

/// Returns the time of a built-in player for a move, which leaves enough for about thirty more.
pub fn time_for_move(clock: &Clock, player: Player) -> Duration {
    let TimeControl { increment, per_move, .. } = *clock.control();
    let left = clock.left(player);
    let of_game = left.map(|left| (left / 30 + increment / 4 * 3).min(left / 2));
    // The end of a search may be noticed late on a busy machine.
    let of_move = per_move.map(|time| time.saturating_sub((time / 10).max(SHORTEST_RESERVE.min(time / 4))));
    [of_game, of_move].into_iter().flatten().min().unwrap_or(DEFAULT_SEARCH_TIME)
}

/// A question that is written before the clock starts.
struct PreparedQuestion<'g> {
    strictness: Strictness,
    /// A line of the protocol; for an engine the state, if moves alone do not lead to it.
    line: String,
    moves: Option<&'g [String]>,
    /// The search time of an engine.
    time: Option<UciTime>,
}

impl<'g> PreparedQuestion<'g> {
    fn new(request: TurnRequest<'g>) -> Self {
        let TurnRequest { session, format, clock, time_limit, state_writer, think_time } = request;
        let (game, moves) = (session.game(), session.moves());
        let strictness = session.options().strictness;
        match format {
            AnswerFormat::Object => {
                let line = match session.rejected() {
                    Some(rejected) => state_writer.rejection_line(game, rejected),
                    None => state_writer.state_line(game),
                };
                PreparedQuestion { strictness, line, moves: None, time: None }
            }
            AnswerFormat::Text => {
                // Moves alone lead to the position only if all steps are moves.
                let is_all = game.steps().len() == moves.len();
                let line = if is_all { String::new() } else { fen(game.rules(), game.state()) };
                PreparedQuestion {
                    strictness,
                    line,
                    moves: Some(moves).filter(|_| is_all),
                    time: Some(uci_time(clock, time_limit, think_time)),
                }
            }
        }
    }

    fn question(&self, deadline: Instant) -> Question<'_> {
        let start = Some(self.line.as_str()).filter(|_| self.moves.is_none());
        let search = self.time.map(|time| UciSearch { start, moves: self.moves.unwrap_or_default(), time });
        Question { search, strictness: self.strictness, ..Question::new(&self.line, deadline) }
    }
}

/// Returns the search time of an engine.
fn uci_time(clock: &Clock, budget: Option<Duration>, think_time: ThinkTime) -> UciTime {
    let TimeControl { game, increment, per_move, margin: _ } = *clock.control();
    // Keep some time for the transport. Time spent on rejected answers to this move is already deducted.
    let move_time =
        per_move.and(budget).map(|time| time.saturating_sub((time / 10).min(DEFAULT_SEARCH_TIME)));
    match (think_time, game, move_time) {
        (ThinkTime::Fixed(time), ..) | (ThinkTime::Clock, None, Some(time)) => UciTime::MoveTime(time),
        (ThinkTime::Default, ..) | (ThinkTime::Clock, None, None) => UciTime::MoveTime(DEFAULT_SEARCH_TIME),
        (ThinkTime::Clock, Some(_), move_time) => {
            // Some engines ignore `movetime` if there are clocks. Limit the clocks too: no engine spends more than a tenth
            // of its time plus the increment on a move.
            let most = per_move.map_or(Duration::MAX, |time| time.saturating_mul(10));
            let most_added = per_move.map_or(Duration::MAX, |time| time / 2);
            let left = |player| clock.left(Player(player)).unwrap_or_default().min(most);
            UciTime::Clock {
                remaining: [left(0), left(1)],
                increment: [increment.min(most_added); 2],
                moves_to_go: None,
                move_time,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_stop_before_the_limit() {
        let millis = |limit: u64| {
            let per_move = Some(Duration::from_millis(limit));
            let clock = Clock::new(TimeControl { per_move, ..TimeControl::default() }, 2);
            time_for_move(&clock, Player(0)).as_millis()
        };
        assert_eq!([20, 100, 1000].map(millis), [15, 80, 900]);
    }
}
