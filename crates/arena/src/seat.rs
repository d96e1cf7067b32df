//! Who sits at a place in one game: an agent behind a wire, one of our own players, or nobody, if the agent did not come.

use std::cell::Cell;
use std::fmt;
use std::time::{Duration, Instant};

use tabiya_engine::{Player, Position, Rules};
use tabiya_notation::{fen, uci};
use tabiya_players::{Chooser, Limits, Score, SearchInfo, by_name};
use tabiya_referee::protocol::{Refused, Scribe};
use tabiya_referee::record::{Arbiter, Departure, Form, act_word};
use tabiya_referee::{Act, Clock, Game, TimeControl, bargain};

use crate::address::Address;
use crate::agent::{Agent, Answers, DAY, Fault, Question};
use crate::search::{Search, Think};
use crate::terms::{Terms, connect};

/// How long an engine thinks where nobody has set a clock.
const MOMENT: Duration = Duration::from_millis(100);

/// Who is behind by so much stands clearly worse, in hundredths.
const CLEAR: i32 = 50;

/// Somebody at a place.
pub enum Seat {
    /// An agent, over a wire.
    Agent(Box<dyn Agent>),
    /// One of our own players.
    Own(Box<dyn Chooser + Send>),
    /// Nobody: the agent did not come, for this reason.
    Empty(Fault),
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seat::Agent(_) => "Agent",
            Seat::Own(_) => "Own",
            Seat::Empty(_) => "Empty",
        })
    }
}

/// What is asked, and how long the answer may take.
#[derive(Debug)]
pub struct Asked<'g> {
    /// The game.
    pub game: &'g Game,
    /// In which form this seat answers.
    pub form: Form,
    /// The clocks.
    pub clock: &'g Clock,
    /// How long the answer may take; as long as it likes if `None`.
    pub budget: Option<Duration>,
    /// Why the last answer was refused, if this is another try.
    pub refused: Option<&'g Refused>,
    /// The moves so far, as text.
    pub texts: &'g [String],
    /// Who writes down the states.
    pub scribe: &'g mut Scribe,
    /// How long to think.
    pub pace: Pace,
}

impl<'g> Asked<'g> {
    /// What is asked next in a game with an arbiter.
    pub(crate) fn by(arbiter: &'g Arbiter, scribe: &'g mut Scribe, pace: Pace) -> Self {
        Asked {
            game: arbiter.game(),
            form: arbiter.form(),
            clock: arbiter.clock(),
            budget: arbiter.budget(),
            refused: arbiter.refused(),
            texts: arbiter.texts(),
            scribe,
            pace,
        }
    }
}

/// How long somebody thinks about a move.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// As it likes.
    Own,
    /// As the clock allows.
    Clock,
    /// So long.
    Told(Duration),
}

impl Seat {
    /// Somebody comes to the board, or does not.
    pub fn take(address: &Address, terms: &Terms, seed: u64) -> Result<Self, Fault> {
        match address {
            Address::Player(name) => by_name(name, seed)
                .map(Seat::Own)
                .ok_or_else(|| Fault::CouldNotStart(format!("there is no player `{name}`"))),
            _ => connect(address, terms).map(Seat::Agent),
        }
    }

    /// Asks for an answer, and says how long it took. An answer that the wire let through came in time.
    pub fn ask(&mut self, asked: Asked<'_>) -> (Result<String, Fault>, Duration) {
        let budget = asked.budget.unwrap_or(DAY);
        // Our players and engines know moves and nothing else; what comes before is decided for them.
        let is_free = asked.form == Form::Text && !matches!(self, Seat::Empty(_));
        let before = is_free.then(|| bargain(asked.game)).flatten();
        if let Some(word) = before.as_ref().and_then(act_word) {
            return (Ok(word.to_owned()), Duration::ZERO);
        }
        match self {
            Seat::Empty(fault) => (Err(fault.clone()), Duration::ZERO),
            Seat::Own(chooser) => {
                let start = Instant::now();
                let answer = choose(chooser.as_mut(), &asked, start);
                (answer, start.elapsed())
            }
            Seat::Agent(agent) => {
                let question = Prepared::new(asked);
                let start = Instant::now();
                let answer = agent.ask(&question.question(start + budget.min(DAY)));
                let taken = start.elapsed();
                match answer {
                    Err(Fault::Timeout) => (Err(Fault::Timeout), taken.max(budget)),
                    answer => (answer, taken.min(budget)),
                }
            }
        }
    }

    /// Brings one of our own players to where it was in a game that was broken off: it has chosen once for each of its
    /// moves.
    pub(crate) fn catch_up(&mut self, rules: &Rules, position: &Position) {
        if let Seat::Own(chooser) = self {
            chooser.choose(rules, position);
        }
    }

    /// In which form it answers.
    pub fn form(&self) -> Form {
        match self {
            Seat::Agent(agent) if agent.answers() == Answers::Object => Form::Object,
            _ => Form::Text,
        }
    }

    /// The game is over. Says what was wrong with how it left.
    pub fn leave(&mut self, seat: &str) -> Option<Departure> {
        let Seat::Agent(agent) = self else { return None };
        let farewell = agent.finish();
        farewell.fault.map(|fault| Departure {
            seat: seat.to_owned(),
            fault: fault.word().to_owned(),
            exit: farewell.exit,
            stderr: farewell.stderr,
        })
    }
}

/// What a program does whom people play against: its move, or before that its answer to an offer of a draw. `None` where
/// there is no move.
///
/// Who looks ahead accepts if it stands clearly worse; who does not has no opinion, and plays on.
pub fn consider(chooser: &mut dyn Chooser, game: &Game, limits: &Limits<'_>) -> Option<Act> {
    let score = Cell::new(None);
    let watch = |thought: &SearchInfo| score.set(Some(thought.score));
    let earlier = game.earlier_keys();
    let limits = Limits { on_info: Some(&watch), earlier: &earlier, ..*limits };
    let chosen = chooser.choose_within(game.rules(), &game.state().position, &limits)?;
    if game.draw_offer().is_none() {
        return Some(Act::Move(chosen));
    }
    let is_worse = match score.get() {
        Some(Score::Centipawns(standing)) => standing <= -CLEAR,
        Some(Score::Loss(_)) => true,
        Some(Score::Win(_)) | None => false,
    };
    Some(if is_worse { Act::Accept } else { Act::Decline })
}

fn choose(chooser: &mut dyn Chooser, asked: &Asked<'_>, start: Instant) -> Result<String, Fault> {
    let game = asked.game;
    let (rules, position) = (game.rules(), &game.state().position);
    let earlier = game.earlier_keys();
    let limits = Limits { earlier: &earlier, ..Limits::default() };
    let time = match asked.pace {
        Pace::Own => None,
        Pace::Clock => Some(share(asked.clock, game.actor())),
        Pace::Told(time) => Some(time),
    };
    let deadline = time.map(|time| start + time);
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let stop: Option<&dyn Fn() -> bool> = if deadline.is_some() { Some(&is_late) } else { None };
    let chosen = chooser.choose_within(rules, position, &Limits { stop, ..limits });
    let played = chosen.ok_or_else(|| Fault::Malformed("the player found no move".into()))?;
    Ok(uci(rules, position, played))
}

/// How much of its time one of our own players spends on a move: what leaves enough for some thirty more.
pub fn share(clock: &Clock, player: Player) -> Duration {
    let TimeControl { increment, per_move, .. } = *clock.control();
    let left = clock.left(player);
    let of_game = left.map(|left| (left / 30 + increment / 4 * 3).min(left / 2));
    let of_move = per_move.map(|time| time / 10 * 9);
    [of_game, of_move].into_iter().flatten().min().unwrap_or(MOMENT)
}

/// A question that is written down before the clock starts.
struct Prepared<'g> {
    /// A line of the protocol; or for an engine the state, if moves alone do not lead to it.
    line: String,
    moves: Option<&'g [String]>,
    /// How long an engine is told to think.
    think: Option<Think>,
}

impl<'g> Prepared<'g> {
    fn new(asked: Asked<'g>) -> Self {
        let Asked { game, form, clock, budget, refused, texts, scribe, pace } = asked;
        match form {
            Form::Object => {
                let line = match refused {
                    Some(refused) => scribe.refusal_line(game, refused),
                    None => scribe.state_line(game),
                };
                Prepared { line, moves: None, think: None }
            }
            Form::Text => {
                // Where not everything is a move, moves alone do not lead to the position.
                let is_all = game.steps().len() == texts.len();
                let line = if is_all { String::new() } else { fen(game.rules(), game.state()) };
                Prepared {
                    line,
                    moves: Some(texts).filter(|_| is_all),
                    think: Some(think(clock, budget, pace)),
                }
            }
        }
    }

    fn question(&self, deadline: Instant) -> Question<'_> {
        let start = Some(self.line.as_str()).filter(|_| self.moves.is_none());
        let search = self.think.map(|think| Search { start, moves: self.moves.unwrap_or_default(), think });
        Question { search, ..Question::new(&self.line, deadline) }
    }
}

/// What an engine is told about time.
fn think(clock: &Clock, budget: Option<Duration>, pace: Pace) -> Think {
    let TimeControl { game, increment, per_move } = *clock.control();
    // The answer has to travel. What was spent on this move before, on an output that was forgiven, is gone.
    let move_time = per_move.and(budget).map(|time| time.saturating_sub((time / 10).min(MOMENT)));
    match (pace, game, move_time) {
        (Pace::Told(time), ..) | (Pace::Clock, None, Some(time)) => Think::MoveTime(time),
        (Pace::Own, ..) | (Pace::Clock, None, None) => Think::MoveTime(MOMENT),
        (Pace::Clock, Some(_), move_time) => {
            // An engine may heed only its clocks, which know no limit for a move. None spends a tenth of what it has on
            // one, and beside that the increment.
            let most = per_move.map_or(Duration::MAX, |time| time.saturating_mul(10));
            let most_added = per_move.map_or(Duration::MAX, |time| time / 2);
            let left = |player| clock.left(Player(player)).unwrap_or_default().min(most);
            Think::Clock {
                remaining: [left(0), left(1)],
                increment: [increment.min(most_added); 2],
                moves_to_go: None,
                move_time,
            }
        }
    }
}
