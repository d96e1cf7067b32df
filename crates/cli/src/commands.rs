//! The verbs, one file each: its arguments, its answer for people, its answer for programs.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod games;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod show;

use std::process::ExitCode;

use crate::args::Command;
use crate::failure::Failure;
use crate::output::Output;

/// Answers what was asked.
pub(crate) fn run(command: &Command, out: &mut Output) -> Result<ExitCode, Failure> {
    match command {
        Command::Games(args) => games::run(args, out),
        Command::Check(args) => check::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::Show(args) => show::run(args, out),
        Command::Moves(args) => moves::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Play(args) => play::run(args, out),
    }
}
