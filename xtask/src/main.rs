//! Tasks of the project: `test` runs every check, `prove` measures at full size and writes `docs/measurements.md`, `bench`
//! measures speed and build time.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tasks report to the person who runs them")]

mod bench;
mod instructions;
mod prove;
mod python;
mod shell;
mod test_run;
mod tidy;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tasks of the project.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every check: formatting, lints, tests, documentation, the Python package, the README's first command.
    ///
    /// Lists what it will install before it installs anything. Tests whose tools cannot be installed are skipped and
    /// listed at the end; with CI=true that is a failure.
    Test {
        /// Run formatting, lints and the tests that need no other program, and install nothing.
        #[arg(long)]
        quick: bool,
    },
    /// Check project rules: file headers, wording, paths in documents, dependencies between crates, licences.
    Tidy,
    /// Compare instruction counts of perft with docs/instructions.tsv.
    Instructions {
        /// Rewrite the file.
        #[arg(long)]
        bless: bool,
    },
    /// Take the screenshots of the documents in a real browser.
    Pictures,
    /// Build, install and test the Python package.
    Python,
    /// Measure at full size and write docs/measurements.md.
    Prove {
        /// One measurement (perft, wild, tame, mutants, rogues, referee, solve, learn …); all if left out.
        name: Option<String>,
        /// For `dead`: a file of positions with known answers, such as the test vectors of the Chess Unwinnability Analyzer.
        file: Option<String>,
    },
    /// Measure speed beside other programs, or the build, and write docs/performance.md.
    Bench {
        /// perft, tensor or build.
        name: String,
        /// Repetitions of each measurement. Fewer than five (three for build) are shown, not written.
        #[arg(long)]
        rounds: Option<u32>,
    },
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Test { quick: true } => test_run::quick(),
        Task::Test { quick: false } => test_run::full(),
        Task::Tidy => tidy::run(),
        Task::Instructions { bless } => instructions::check(bless),
        Task::Pictures => test_run::pictures(),
        Task::Python => python::run(),
        Task::Prove { name, file } => prove::run_named(name.as_deref(), file.as_deref()),
        Task::Bench { name, rounds } => bench::run(&name, rounds),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}
