//! Programs at the board: our own players, and the agents that the operator named. Each is asked on a thread that may block,
//! within a budget of time and of memory, and whatever an agent does wrong ends its game and nothing else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_arena::{AgentFault, Seat, ThinkTime, TurnRequest, choose_action, time_for_move};
use tabiya_engine::SplitMix;
use tabiya_notation::fen;
use tabiya_players::{Limits, PlayerOptions, by_name};
use tabiya_referee::protocol::{Refused, Strictness};
use tabiya_referee::record::Form;
use tabiya_referee::{Act, Clock, Game, bargain};

use crate::api_error::ApiError;
use crate::lobby::Lobby;
use crate::room::{GameEvent, Occupant, Room};
use crate::socket_types::AgentAnswerView;
use crate::{limits, lock};

/// What a program is asked about.
struct Question {
    game: Game,
    clock: Clock,
    /// How long it may think, if there is a clock.
    left: Option<Duration>,
    texts: Vec<String>,
    seen: usize,
}

/// Asks whoever sits at a seat, and does what it says, unless the game has gone on meanwhile.
pub(crate) fn consult(lobby: &Arc<Lobby>, room: &Arc<Room>, seat: usize, epoch: u64) {
    let question = {
        let mut inner = room.lock();
        if inner.epoch != epoch || inner.end().is_some() {
            return;
        }
        inner.begins_to_think();
        room.watch_clock(lobby, &mut inner);
        let (game, clock) = (inner.game.clone(), inner.clock());
        Question { game, clock, left: inner.left(), texts: inner.texts(), seen: inner.seen() }
    };
    match &room.config.seats[seat].occupant {
        Occupant::Human(_) => {}
        Occupant::Player(name) => own_player(lobby, room, epoch, name, &question),
        Occupant::Agent(name) => agent(lobby, room, (seat, epoch), name, &question),
    }
}

/// One of our own players. It is made anew for each move, so that a thousand rooms remember nothing in between.
fn own_player(lobby: &Arc<Lobby>, room: &Arc<Room>, epoch: u64, name: &str, question: &Question) {
    let Question { game, clock, left, seen, .. } = question;
    let start = Instant::now();
    let mut chance = SplitMix::new(room.config.seed ^ (*seen as u64) << 32);
    let equipment = PlayerOptions {
        seed: chance.next_u64(),
        hash_megabytes: limits::HASH_MEGABYTES,
        ..PlayerOptions::default()
    };
    let of_clock = left.map(|_| time_for_move(clock, game.actor()));
    let think = of_clock.map_or(lobby.settings.think_time, |share| share.min(lobby.settings.think_time));
    let stop = || start.elapsed() >= think;
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let act = bargain(game).or_else(|| {
        by_name(name, equipment).and_then(|mut player| choose_action(player.as_mut(), game, &limits))
    });
    let position = &game.state().position;
    let verdict = act.as_ref().map_or("no_answer", word_of);
    let text = act.map(|act| act.text(game.rules(), position));
    let event = text.clone().map_or_else(|| GameEvent::Abort("no_answer".into()), GameEvent::Action);
    let asked = (!room.has_humans()).then(|| AgentAnswerView {
        seen: *seen,
        player: game.mover().index(),
        agent: name.to_owned(),
        state: Value::String(fen(game.rules(), game.state())),
        answer: text,
        verdict: verdict.to_owned(),
        why: None,
        ms: start.elapsed().as_millis() as u64,
    });
    let _ = room.program_does(lobby, epoch, event, asked);
}

/// An agent: it is asked until its answer is accepted, or until it has been wrong too often.
fn agent(lobby: &Arc<Lobby>, room: &Arc<Room>, (seat, epoch): (usize, u64), name: &str, question: &Question) {
    let Question { game, clock, left, texts, seen } = question;
    let actor = game.actor();
    let mut agents = lock(&room.agents);
    let sitting = agents.entry(seat).or_insert_with(|| come(lobby, room, name));
    let form = sitting.form();
    let mut scribe = room.loaded_game.protocol().scribe();
    let mut refused: Option<Refused> = None;
    for attempt in 0..=limits::AGENT_RETRIES {
        let state = match form {
            Form::Object => serde_json::from_str(&scribe.state_line(game)).unwrap_or_default(),
            Form::Text => json!(fen(game.rules(), game.state())),
        };
        let budget = left.map_or(lobby.settings.agent_time, |left| left.min(lobby.settings.agent_time));
        let think_time =
            if left.is_some() { ThinkTime::Clock } else { ThinkTime::Fixed(lobby.settings.think_time) };
        let (answer, taken) = sitting.ask(TurnRequest {
            game,
            form,
            clock,
            budget: Some(budget),
            refused: refused.as_ref(),
            texts,
            scribe: &mut scribe,
            think_time,
        });
        let said = answer.as_ref().ok().map(|text| clip(text));
        let exchange = |verdict: &str, why: Option<String>| AgentAnswerView {
            seen: *seen,
            player: actor.index(),
            agent: name.to_owned(),
            state: state.clone(),
            answer: said.clone(),
            verdict: verdict.to_owned(),
            why,
            ms: taken.as_millis() as u64,
        };
        let is_last = attempt == limits::AGENT_RETRIES;
        let (word, why) = match answer {
            Ok(text) => match understand(room, game, form, &text) {
                Ok(act) => {
                    let text = act.text(game.rules(), &game.state().position);
                    let asked = exchange(word_of(&act), None);
                    match room.program_does(lobby, epoch, GameEvent::Action(text), Some(asked)) {
                        Ok(()) => return,
                        // What it wanted is not allowed; or it is too late, and nothing is wanted any more.
                        Err(ApiError { body, .. }) if body.rule == "stale" || body.rule == "game_over" => {
                            return;
                        }
                        Err(ApiError { body, .. }) => ("illegal".to_owned(), body.why),
                    }
                }
                Err(wrong) => {
                    let word = if wrong.rule == tabiya_referee::protocol::Rule::Malformed {
                        "malformed"
                    } else {
                        "illegal"
                    };
                    let why = wrong.why.clone();
                    refused = Some(wrong);
                    (word.to_owned(), why)
                }
            },
            Err(fault) if fault.is_final() => {
                // Our players never see what an agent's machine said: it may be anything.
                let asked = exchange(fault.word(), Some(sentence(&fault).to_owned()));
                let event = if fault.voids() {
                    GameEvent::Abort("unreachable".into())
                } else {
                    GameEvent::Forfeit(fault.word().into())
                };
                let _ = room.program_does(lobby, epoch, event, Some(asked));
                return;
            }
            Err(fault) => (fault.word().to_owned(), sentence(&fault).to_owned()),
        };
        let asked = exchange(&word, Some(why));
        if is_last {
            let reason = if word == "malformed" { "malformed" } else { "illegal" };
            let _ = room.program_does(lobby, epoch, GameEvent::Forfeit(reason.into()), Some(asked));
        } else {
            room.program_failed(lobby, epoch, asked);
        }
    }
}

/// An agent comes to the board.
fn come(lobby: &Lobby, room: &Room, name: &str) -> Seat {
    let Some(address) = lobby.settings.agents.get(name) else {
        return Seat::Absent(AgentFault::CouldNotStart("it is not named any more".into()));
    };
    let view = &room.loaded_game.view;
    let variant = view.library.clone().unwrap_or_else(|| view.title.to_lowercase());
    let is_chess = view.library.as_deref() == Some("chess");
    let config = lobby.settings.agent_options.clone().for_game(&room.loaded_game.game, &variant, is_chess);
    Seat::connect(address, &config, room.config.seed).unwrap_or_else(Seat::Absent)
}

/// The agents of a room leave it.
pub(crate) fn dismiss(room: &Room) {
    let agents = std::mem::take(&mut *lock(&room.agents));
    for (_, mut seat) in agents {
        seat.finish("");
    }
}

fn understand(room: &Room, game: &Game, form: Form, text: &str) -> Result<Act, Refused> {
    match form {
        Form::Object => {
            room.loaded_game.protocol().understand(game, text, Strictness::Strict).map(|(act, _)| act)
        }
        Form::Text => game.read_act(text).map_err(|why| Refused {
            rule: tabiya_referee::protocol::Rule::Pattern,
            why,
            lenient: false,
        }),
    }
}

fn word_of(act: &Act) -> &'static str {
    match act {
        Act::Move(_) => "move",
        Act::Claim { .. } => "claim",
        Act::Offer => "offer",
        Act::Accept => "accept",
        Act::Decline => "decline",
        Act::Resign => "resign",
        Act::Exchange => "exchange",
        Act::Withdraw(_) => "withdraw",
        Act::Throw => "throw",
    }
}

/// A fault for clients: what an operating system says about a program has paths in it.
fn sentence(fault: &AgentFault) -> &'static str {
    match fault {
        AgentFault::Timeout => "it did not answer in time",
        AgentFault::Exited { .. } => "its program ended in the middle of the game",
        AgentFault::Closed(_) => "its program closed the line",
        AgentFault::Malformed(_) => "its answer cannot be read",
        AgentFault::TooLong => "it wrote more than one answer may hold",
        AgentFault::Unsolicited => "it spoke without being asked",
        AgentFault::Unreachable(_) => "it could not be reached",
        AgentFault::CouldNotStart(_) => "it could not be started",
        _ => "it did not leave as it should",
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(limits::MAX_ANSWER_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
