//! A UCI engine on standard input and output, for every two-player game.
//!
//! One thread reads lines, one searches, and this one executes commands and answers, so that a search can be stopped.
//! Commands that cannot be executed during a search wait until it ends. At the end of the input the engine completes what
//! it was asked for, so that it can be used in a pipe.

mod command;
mod engine;
mod go;
mod options;
mod search;

use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use tabiya_players::Chooser;

use crate::error::CliError;
use crate::game_source::LoadedGame;
use crate::line_reader::{Line, read_line};
use crate::output::Output;
use engine::{Engine, Next};

/// A built-in player. It moves into the search thread and comes back with the best move.
type Player = Box<dyn Chooser + Send>;

/// An event from another thread.
enum Event {
    /// A line was read.
    Line(Line),
    /// The search has an `info` line.
    Info(String),
    /// The search is over: the player and its best move.
    BestMove(Player, String),
}

/// Capacity of the event channel.
const MAX_EVENTS: usize = 16;

/// Runs until `quit` or the end of the input, and begins with this game.
pub(crate) fn serve(game: LoadedGame, out: &mut Output) -> Result<(), CliError> {
    let (sender, events) = sync_channel(MAX_EVENTS);
    let lines = sender.clone();
    thread::Builder::new().spawn(move || read(&lines)).map_err(|error| no_thread(&error))?;
    let mut engine = Engine::new(game, sender, out);
    for event in &events {
        if engine.handle(event)? == Next::Quit {
            break;
        }
    }
    engine.quit(&events)
}

fn read(events: &SyncSender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        // An input that cannot be read has ended.
        let line = read_line(&mut input).unwrap_or(Line::End);
        let is_last = line == Line::End;
        if events.send(Event::Line(line)).is_err() || is_last {
            return;
        }
    }
}

fn no_thread(error: &io::Error) -> CliError {
    CliError::No(format!("cannot start a thread: {error}"))
}
