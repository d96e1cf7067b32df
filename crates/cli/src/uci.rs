//! An engine that speaks UCI on standard input and output, for every game of two players.
//!
//! One thread reads lines, one thinks, and this one obeys and answers, so that a search can be stopped. What cannot be
//! done during a search is kept until it is over; whoever wants that at once says `stop`. At the end of its input it
//! finishes what it was asked for, so that it can be used in a pipe.

mod engine;
mod go;
mod request;
mod settings;
mod thinking;

use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use crate::failure::Failure;
use crate::output::Output;
use crate::play::input::{Line, read_line};
use engine::{Engine, Next};
use thinking::Mind;

/// Something that happened outside of this thread.
enum Event {
    /// A line was read.
    Line(Line),
    /// The search has something to tell.
    Told(String),
    /// The search has chosen, or found nothing to choose.
    Chosen(Mind, String),
}

/// So many events may wait; whoever has more waits, too.
const EVENTS: usize = 16;

/// Plays until the input ends, or somebody says `quit`.
pub(crate) fn serve(out: &mut Output) -> Result<(), Failure> {
    let (sender, events) = sync_channel(EVENTS);
    let lines = sender.clone();
    thread::Builder::new().spawn(move || read(&lines)).map_err(|error| no_thread(&error))?;
    let mut engine = Engine::new(sender, out)?;
    for event in &events {
        if engine.handle(event)? == Next::Leave {
            break;
        }
    }
    engine.leave(&events)
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

fn no_thread(error: &io::Error) -> Failure {
    Failure::No(format!("there is no thread left: {error}"))
}
