//! The language server: help for game files in editors, over standard input and output.
//!
//! It speaks the Language Server Protocol 3.17. The messages that it needs are few, so they are read and written as JSON values.
//! `lsp-server` would end at the first malformed message and allocate any length that a header announces; here, both are bounded
//! and survived.
//!
//! One thread reads messages, one checks files, and this one answers. A file is checked when typing pauses; results for an
//! older version are dropped, so fast typing does not queue work.

mod answers;
mod checker;
mod client;
mod document;
mod positions;
mod server;
mod stored_files;
mod transport;
mod uri;

use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use self::checker::Checked;
use self::server::{Next, Server};
use self::transport::{Incoming, read, write};

/// What the server waits for.
enum Event {
    /// A message, or the end of the input.
    Incoming(Incoming),
    /// The diagnostics of a file.
    Checked(Checked),
}

/// Messages that may wait. The client is slowed down beyond that.
const MAX_WAITING: usize = 64;

/// Serves the client on standard input and output until it asks to exit or closes the input.
pub(crate) fn serve() -> io::Result<ExitCode> {
    let (sender, events) = sync_channel(MAX_WAITING);
    let mut server = Server::new(checker::start(sender.clone()));
    thread::spawn(move || read_all(&sender));
    run(&mut server, &events, &mut io::stdout().lock())
}

fn read_all(events: &SyncSender<Event>) {
    let mut input = BufReader::new(io::stdin().lock());
    loop {
        let incoming = read(&mut input).unwrap_or(Incoming::End);
        let is_end = incoming == Incoming::End;
        if events.send(Event::Incoming(incoming)).is_err() || is_end {
            return;
        }
    }
}

fn run(server: &mut Server, events: &Receiver<Event>, output: &mut impl Write) -> io::Result<ExitCode> {
    loop {
        let event = match server.due() {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => events.recv_timeout(due.saturating_duration_since(Instant::now())),
        };
        let next = match event {
            Ok(Event::Incoming(Incoming::End)) | Err(RecvTimeoutError::Disconnected) => {
                return Ok(ExitCode::SUCCESS);
            }
            Ok(Event::Incoming(incoming)) => server.receive(incoming),
            Ok(Event::Checked(checked)) => Next::Send(server.checked(checked)),
            Err(RecvTimeoutError::Timeout) => {
                server.start_checks();
                Next::Send(Vec::new())
            }
        };
        match next {
            Next::Send(messages) => send(output, &messages)?,
            Next::Exit(status) => return Ok(status),
        }
    }
}

fn send(output: &mut impl Write, messages: &[Value]) -> io::Result<()> {
    messages.iter().try_for_each(|message| write(output, message))
}
