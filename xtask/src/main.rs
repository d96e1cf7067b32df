//! The project's own chores. `cargo xtask test` is the gate that every change passes; `cargo xtask prove` measures at
//! full size and writes its figures into `docs/measurements.md`; `cargo xtask bench` compares with others.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "chores talk to the person who runs them")]

mod bench;
mod gate;
mod instructions;
mod prove;
mod python;
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
    /// The gate: formatting, lints, house rules, every test, the documentation, the Python package, the README's
    /// first command.
    Test,
    /// The house rules alone.
    Tidy,
    /// Instructions that counting takes, against docs/instructions.tsv.
    Instructions {
        /// Write the file anew.
        #[arg(long)]
        bless: bool,
    },
    /// The pictures of the papers: the page tests make them, in a real browser.
    Pictures,
    /// The Python package: built, installed where nothing else is, and tested.
    Python,
    /// Measurements at full size; without a name, all of them.
    Prove {
        /// Which: perft, wild, tame, mutants, rogues, referee, solve, learn …
        name: Option<String>,
    },
    /// The engine beside others; written into docs/performance.md.
    Bench {
        /// Which: perft, tensor.
        name: String,
        /// How often each contender counts; fewer than five are shown, not written.
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().chore {
        Chore::Test => gate::run(),
        Chore::Tidy => tidy::run(),
        Chore::Instructions { bless } => instructions::check(bless),
        Chore::Pictures => gate::pictures(),
        Chore::Python => python::run(),
        Chore::Prove { name } => prove::run_named(name.as_deref()),
        Chore::Bench { name, rounds } => bench::run(&name, rounds),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}
