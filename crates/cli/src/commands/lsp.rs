//! `tabiya lsp`: a language server for game files, over standard input and output.

use crate::error::CommandResult;
use crate::lsp;
use crate::output::Output;

/// Serve editors on standard input and output (Language Server Protocol): errors, completion and explanations while typing.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya lsp

Editors start it; docs/editors.md shows how to configure them.")]
pub(crate) struct Args {
    /// Accepted and ignored: some editors add it.
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(crate) fn run(_: &Args, _: &mut Output) -> CommandResult {
    lsp::serve()
}
