//! A Model Context Protocol server on standard input and output: models play games through tools (`docs/mcp.md`).
//!
//! Messages are JSON-RPC, one per line. One request is answered before the next line is read, so answers come in
//! the order of the requests and none is lost when the input ends. Games come from the library or with the call,
//! never from a file; they live in memory and end with the session.

mod answer;
mod arguments;
mod description;
mod diagnostics;
mod game;
mod games;
mod instructions;
mod server;
mod source;
mod tools;

use std::io::{self, Write as _};

use crate::line_reader::{Line, read_line_within};
use server::Server;

/// The longest message that is read. The largest game fits into it with every character escaped.
const MESSAGE_BYTES_MAX: usize = 2 << 20;

/// The options of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct McpOptions {
    /// Whether legal moves are listed.
    pub(crate) legal_moves: bool,
    /// Rejected outputs forgiven per move.
    pub(crate) retries: u32,
}

/// Serves until the input ends or the output is closed.
pub(crate) fn serve(options: McpOptions) -> io::Result<()> {
    let mut server = Server::new(options);
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    loop {
        let answer = match read_line_within(&mut input, MESSAGE_BYTES_MAX)? {
            Line::End => return Ok(()),
            Line::TooLong => Some(server::too_long(MESSAGE_BYTES_MAX)),
            Line::Text(line) => server.answer(&line),
            Line::NotText => None,
        };
        if let Some(answer) = answer
            && writeln!(out, "{answer}").and_then(|()| out.flush()).is_err()
        {
            // The client has stopped reading, so there is nothing left to answer.
            return Ok(());
        }
    }
}
