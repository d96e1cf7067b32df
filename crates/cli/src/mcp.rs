//! A server of the Model Context Protocol on standard input and output: models play games as tools (`docs/mcp.md`).
//!
//! It is a face like the others. Games come from the library or along with the call, never from a file; they live in
//! memory and end with the session.

mod answer;
mod arguments;
mod faults;
mod hall;
mod instructions;
mod lines;
mod server;
mod source;
mod table;
mod telling;
mod tools;
mod wire;

use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use server::Server;
use wire::Wire;

/// What holds for a whole session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// Whether legal moves are listed.
    pub(crate) legal_moves: bool,
    /// How many outputs are forgiven on each move.
    pub(crate) retries: u32,
}

/// Serves until the input ends.
pub(crate) fn serve(terms: Terms) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let served = runtime.block_on(async {
        // The verb has locked standard output for itself, and this is written to from another thread.
        let stdout = tokio::fs::File::from_std(File::from(io::stdout().as_fd().try_clone_to_owned()?));
        match Server::new(terms).serve(Wire::new(tokio::io::stdin(), stdout)).await {
            Ok(session) => session.waiting().await.map(|_| ()).map_err(io::Error::other),
            // The client went away before it had said anything.
            Err(
                ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. },
            ) => Ok(()),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    });
    // Somebody may have stopped listening without closing our input, which a thread still waits for.
    runtime.shutdown_background();
    served
}
