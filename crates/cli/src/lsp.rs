//! The language server: help for game files in editors, over standard input and output.
//!
//! `lsp-server` reads and writes messages, and ends at the first one that is malformed. `gen-lsp-types` has the types of the
//! Language Server Protocol.
//!
//! A file is checked on its own thread when typing pauses; results for an older version are dropped, so fast typing does not
//! queue work.

mod answers;
mod checker;
mod client;
mod document;
mod positions;
mod server;
mod stored_files;
mod uri;

use std::process::ExitCode;
use std::{io, thread};

use crossbeam_channel::{Sender, at, bounded, never, select_biased};
use lsp_server::Message;

use self::server::Server;
use crate::error::{CliError, CommandResult};
use crate::text::clip;

/// Messages that may wait. The client is slowed down beyond that.
const MAX_WAITING: usize = 64;

/// Serves the client on standard input and output until it asks to exit or closes the input.
pub(crate) fn serve() -> CommandResult {
    let (sender, messages) = bounded(MAX_WAITING);
    thread::spawn(move || read_all(&sender));
    let (sender, results) = bounded(1);
    let mut server = Server::new(checker::start(sender));
    let mut output = io::stdout().lock();
    loop {
        let due = server.due().map_or_else(never, at);
        let answer = select_biased! {
            recv(results) -> checked => checked.ok().and_then(|it| server.checked(it)).map(Message::from),
            recv(messages) -> message => match message {
                Ok(Ok(Message::Request(request))) => Some(server.respond(request).into()),
                Ok(Ok(Message::Notification(it))) if it.method == "exit" => return Ok(server.exit_status()),
                Ok(Ok(Message::Notification(it))) => server.notified(it).ok().flatten().map(Message::from),
                // The server asks nothing.
                Ok(Ok(Message::Response(_))) => None,
                // The error quotes the message, which may be a whole document.
                Ok(Err(error)) => return Err(CliError::No(clip(&error.to_string(), 200).into_owned())),
                Err(_) => return Ok(ExitCode::SUCCESS),
            },
            recv(due) -> _ => {
                server.start_check();
                None
            }
        };
        answer.map_or(Ok(()), |answer| answer.write(&mut output))?;
    }
}

/// Reads messages until the input ends or is malformed.
fn read_all(messages: &Sender<io::Result<Message>>) {
    let mut input = io::stdin().lock();
    while let Some(message) = Message::read(&mut input).transpose() {
        let is_last = message.is_err();
        if messages.send(message).is_err() || is_last {
            return;
        }
    }
}
