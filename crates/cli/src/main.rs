//! The one binary, `tabiya`. It holds no rule of any game: it reads what it is asked, asks the other rooms, and prints
//! the answer for people or for programs. Each verb has its own file under `commands`.

mod agreed;
mod analysis;
mod args;
mod chosen;
mod commands;
mod count;
mod draw;
mod failure;
mod files;
mod mcp;
mod misuse;
mod move_list;
mod number;
mod offered;
mod output;
mod palette;
mod play;
mod report;
mod scores;
mod standing;
mod text;
mod uci;
mod value_file;
mod web;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::Output;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => {
            let mut out = Output::new(cli.format);
            answer(&cli, &mut out).unwrap_or_else(|failure| failure.report(&mut out))
        }
        Err(error) => misuse::report(&error),
    }
}

fn answer(cli: &Cli, out: &mut Output) -> Result<ExitCode, Failure> {
    let status = commands::run(&cli.command, out)?;
    out.flush()?;
    Ok(status)
}
