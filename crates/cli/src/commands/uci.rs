//! `tabiya uci`: a chess engine for programs that show boards to people.

use std::process::ExitCode;

use crate::failure::Failure;
use crate::output::Output;
use crate::uci;

/// Play as a UCI engine on standard input and output, in any chess program.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya uci
  printf 'uci\\nposition startpos moves e2e4\\ngo depth 4\\n' | tabiya uci

A chess program starts it by itself: give it the path of tabiya and the argument uci. It plays every game of the
library that has two players (option UCI_Variant).")]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    uci::serve(out)?;
    Ok(ExitCode::SUCCESS)
}
