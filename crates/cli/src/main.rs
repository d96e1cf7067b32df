//! The `tabiya` binary: parses the command line, calls the other crates, and prints the answer as text or JSON. It
//! contains no rules of any game. Each verb has a file under `commands`.

mod analysis;
mod args;
mod board_drawing;
mod choices;
mod commands;
mod diagnostic_report;
mod error;
mod files;
mod game_source;
mod line_reader;
mod lsp;
mod match_report;
mod mcp;
mod move_list;
mod output;
mod perft;
mod play;
mod position_summary;
mod progress;
mod styles;
mod text;
mod uci;
mod usage_error;
mod web;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::error::CommandResult;
use crate::output::Output;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => {
            let mut out = Output::new(cli.format);
            run(&cli, &mut out).unwrap_or_else(|error| error.report(&mut out))
        }
        Err(error) => usage_error::report(&error),
    }
}

fn run(cli: &Cli, out: &mut Output) -> CommandResult {
    let status = commands::run(&cli.command, out)?;
    out.flush()?;
    Ok(status)
}
