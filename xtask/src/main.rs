//! The project's own chores. `cargo xtask test` is the gate that every change passes; `cargo xtask prove` measures at
//! full size and writes its figures into `docs/measurements.md`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "chores talk to the person who runs them")]

mod gate;
mod prove;
mod shell;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's own chores.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// The gate: formatting, lints, house rules, every test, the documentation, the README's first command.
    Test,
    /// The house rules alone.
    Tidy,
    /// Measurements at full size; without a name, all of them.
    Prove {
        /// Which: perft, wild, mutants.
        name: Option<String>,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().chore {
        Chore::Test => gate::run(),
        Chore::Tidy => tidy::run(),
        Chore::Prove { name } => prove::run_named(name.as_deref()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}
