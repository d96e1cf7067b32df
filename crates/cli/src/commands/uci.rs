//! `tabiya uci`: a UCI engine for chess programs.

use std::process::ExitCode;

use crate::error::CommandResult;
use crate::output::Output;
use crate::uci;

/// Run as a UCI engine on standard input and output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya uci
  printf 'uci\\nposition startpos moves e2e4\\ngo depth 4\\n' | tabiya uci

In a chess program, enter the path of tabiya and the argument uci. The engine plays every
two-player game of the library (option UCI_Variant).")]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, out: &mut Output) -> CommandResult {
    uci::serve(out)?;
    Ok(ExitCode::SUCCESS)
}
