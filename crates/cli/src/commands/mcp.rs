//! `tabiya mcp`: games as tools for language models, over standard input and output.

use std::process::ExitCode;

use crate::args::whole;
use crate::error::CommandResult;
use crate::mcp::{self, McpOptions};
use crate::output::Output;

/// Serve games as tools for language models (Model Context Protocol) on standard input and output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya mcp
  tabiya mcp --retries 3 --no-legal-moves

MCP clients start it; docs/mcp.md shows how to configure them.")]
pub(crate) struct Args {
    /// Do not list legal moves; the model must find them.
    #[arg(long)]
    no_legal_moves: bool,
    /// Illegal or malformed outputs forgiven per move. One more loses the game.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u32>(0..=1000))]
    retries: u32,
}

pub(crate) fn run(args: &Args, _: &mut Output) -> CommandResult {
    mcp::serve(McpOptions { legal_moves: !args.no_legal_moves, retries: args.retries })?;
    Ok(ExitCode::SUCCESS)
}
