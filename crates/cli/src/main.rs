//! The one binary, `tabiya`. It holds no rule of any game: it reads what it is asked, asks the other rooms, and prints
//! the answer for people or for programs. Each verb has its own file under `commands`.

mod args;
mod chosen;
mod commands;
mod count;
mod draw;
mod failure;
mod files;
mod move_list;
mod output;
mod palette;
mod play;
mod report;
mod standing;
mod text;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::Output;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => answer(&cli).unwrap_or_else(|failure| failure.report()),
        Err(error) => {
            // Nobody is left to be told that the help could not be printed.
            let _ = error.print();
            ExitCode::from(if error.use_stderr() { Failure::USAGE } else { 0 })
        }
    }
}

fn answer(cli: &Cli) -> Result<ExitCode, Failure> {
    let mut out = Output::new(cli.format);
    let status = commands::run(&cli.command, &mut out)?;
    out.flush()?;
    Ok(status)
}
