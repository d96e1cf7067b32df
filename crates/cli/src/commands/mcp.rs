//! `tabiya mcp`: the tools that let a model play, over standard input and output.

use std::process::ExitCode;

use crate::failure::Failure;
use crate::mcp::{self, Terms};
use crate::number::whole;
use crate::output::Output;

/// Serve games to models over the Model Context Protocol, on standard input and output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya mcp
  tabiya mcp --retries 3 --no-legal-moves

A client starts it by itself; see docs/mcp.md for how to tell it to.")]
pub(crate) struct Args {
    /// Do not list legal moves: a model has to find them.
    #[arg(long)]
    no_legal_moves: bool,
    /// Forgive so many illegal or malformed outputs on each move; one more loses the game.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 0..=1000))]
    retries: u32,
}

pub(crate) fn run(args: &Args, _: &mut Output) -> Result<ExitCode, Failure> {
    mcp::serve(Terms { legal_moves: !args.no_legal_moves, retries: args.retries })?;
    Ok(ExitCode::SUCCESS)
}
