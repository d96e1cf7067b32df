//! Programs in a room: built-in players and the agents that the operator configured. Each is asked on a thread that may block,
//! within its limits of time and memory. A fault of an agent ends its game and nothing else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_arena::{Seat, ThinkTime, TurnRequest, choose_action, time_for_move};
use tabiya_engine::SplitMix;
use tabiya_notation::{clip, fen};
use tabiya_players::{Limits, PlayerOptions, by_name};
use tabiya_referee::{AgentFault, AnswerFormat, Clock, Event, Reply, Session, Verdict, action_before_moving};

use crate::lobby::Lobby;
use crate::room::{Occupant, Room};
use crate::socket_types::AgentAnswerView;
use crate::{limits, lock};

/// A question to a program.
struct Question {
    epoch: u64,
    session: Session,
    /// The clocks at this time.
    clock: Clock,
    /// The time left, if there is a clock.
    left: Option<Duration>,
}

impl Question {
    fn answer_view(&self, name: &str, state: Value, answer: Option<String>, ms: u128) -> AgentAnswerView {
        AgentAnswerView {
            seen: self.session.log().len(),
            player: self.session.actor().index(),
            agent: name.to_owned(),
            state,
            answer,
            verdict: String::new(),
            why: None,
            ms: ms as u64,
        }
    }
}

/// Asks the program at a seat and applies its answer, unless the game has gone on since.
pub(crate) fn consult(lobby: &Arc<Lobby>, room: &Arc<Room>, seat: usize, epoch: u64) {
    let question = {
        let mut inner = room.lock();
        if inner.epoch != epoch || inner.session.end().is_some() {
            return;
        }
        inner.start_thinking();
        room.watch_clock(lobby, &mut inner);
        Question { epoch, session: inner.session.clone(), clock: inner.clock(), left: inner.time_left() }
    };
    match &room.config.seats[seat].occupant {
        Occupant::Human(_) => {}
        Occupant::Player(name) => ask_player(lobby, room, name, &question),
        Occupant::Agent(name) => ask_agent(lobby, room, seat, name, question),
    }
}

/// Asks a built-in player. It is created for each move, so that idle rooms use no memory for it.
fn ask_player(lobby: &Arc<Lobby>, room: &Arc<Room>, name: &str, question: &Question) {
    let Question { epoch, session, clock, left } = question;
    let game = session.game();
    let start = Instant::now();
    let mut random = SplitMix::new(room.config.seed ^ (session.log().len() as u64) << 32);
    let options = PlayerOptions {
        seed: random.next_u64(),
        hash_megabytes: limits::HASH_MEGABYTES,
        ..PlayerOptions::default()
    };
    let of_clock = left.map(|_| time_for_move(clock, game.actor()));
    let think = of_clock.map_or(lobby.settings.think_time, |share| share.min(lobby.settings.think_time));
    let stop = || start.elapsed() >= think;
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let action = action_before_moving(game).or_else(|| {
        by_name(name, options).and_then(|mut player| choose_action(player.as_mut(), game, &limits))
    });
    let verdict = action.as_ref().map_or(NO_ANSWER, |action| action.kind().name());
    let answer = (!room.has_humans()).then(|| {
        let text = action.as_ref().map(|action| action.text(game.rules(), session.position()));
        let state = Value::String(fen(game.rules(), game.state()));
        let view = question.answer_view(name, state, text, start.elapsed().as_millis());
        AgentAnswerView { player: game.mover().index(), verdict: verdict.to_owned(), ..view }
    });
    let event = action.map_or_else(|| Event::Abort(NO_ANSWER.to_owned()), Event::Action);
    room.program_acts(lobby, *epoch, event, answer);
}

/// The reason of a game in which a built-in player finds no move.
const NO_ANSWER: &str = "no_answer";

/// Asks an agent until its answer is accepted or it has no retries left.
fn ask_agent(lobby: &Arc<Lobby>, room: &Arc<Room>, seat: usize, name: &str, mut question: Question) {
    let mut agents = lock(&room.agents);
    let agent = agents.entry(seat).or_insert_with(|| connect(lobby, room, name));
    let format = agent.format();
    let mut writer = question.session.laws().protocol().state_writer();
    let limit = question.left.map_or(lobby.settings.agent_time, |left| left.min(lobby.settings.agent_time));
    let think_time = match question.left {
        Some(_) => ThinkTime::Clock,
        None => ThinkTime::Fixed(lobby.settings.think_time),
    };
    loop {
        let game = question.session.game();
        let state = match format {
            AnswerFormat::Object => serde_json::from_str(&writer.state_line(game)).unwrap_or_default(),
            AnswerFormat::Text => json!(fen(game.rules(), game.state())),
        };
        let request = TurnRequest {
            format,
            clock: &question.clock,
            time_limit: Some(limit),
            ..TurnRequest::new(&question.session, &mut writer, think_time)
        };
        let (answer, taken) = agent.ask(request);
        let text = answer.as_ref().ok().map(|text| clip(text, limits::MAX_ANSWER_LENGTH).into_owned());
        let view = question.answer_view(name, state, text, taken.as_millis());
        // Clients do not see what the operating system reports about a process.
        let reply = match &answer {
            Ok(text) => Reply::Output(text),
            Err(fault) => Reply::Fault(fault.verdict().unwrap_or(Verdict::Closed), fault.public_sentence()),
        };
        let again = room.hear(lobby, question.epoch, format, reply, |verdict, why| AgentAnswerView {
            verdict: verdict.to_owned(),
            why,
            ..view
        });
        match again {
            Some(session) => question.session = session,
            None => return,
        }
    }
}

/// Starts the agent of a seat.
fn connect(lobby: &Lobby, room: &Room, name: &str) -> Seat {
    let Some(address) = lobby.settings.agents.get(name) else {
        return Seat::Absent(AgentFault::CouldNotStart("it is no longer configured".into()));
    };
    let view = &room.loaded_game.view;
    let variant = view.library.clone().unwrap_or_else(|| view.title.to_lowercase());
    let is_chess = view.library.as_deref() == Some("chess");
    let options = lobby.settings.agent_options.clone().for_game(&room.loaded_game.game, &variant, is_chess);
    Seat::connect(address, &options, room.config.seed).unwrap_or_else(Seat::Absent)
}

/// Stops the agents of a room.
pub(crate) fn dismiss(room: &Room) {
    let agents = std::mem::take(&mut *lock(&room.agents));
    for (_, mut seat) in agents {
        seat.finish("");
    }
}
