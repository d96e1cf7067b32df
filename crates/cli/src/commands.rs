//! The verbs, one file each: arguments, text output and JSON output.

pub(crate) mod agent;
pub(crate) mod analyse;
pub(crate) mod betza;
pub(crate) mod check;
pub(crate) mod enochian;
pub(crate) mod expand;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod games;
pub(crate) mod import;
pub(crate) mod judge;
pub(crate) mod lsp;
pub(crate) mod r#match;
pub(crate) mod mcp;
pub(crate) mod moves;
pub(crate) mod new;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tensor;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod uci;
pub(crate) mod verify;

use crate::args::{Command, Format};
use crate::error::{CliError, CommandResult};
use crate::output::Output;

/// Runs a verb and returns the exit status.
pub(crate) fn run(command: &Command, out: &mut Output) -> CommandResult {
    if out.format == Format::Npy && !matches!(command, Command::Tensor(_)) {
        return Err(CliError::Usage("`--format npy` is for `tabiya tensor` only; use text or json".into()));
    }
    if out.format == Format::Ini && !matches!(command, Command::Export(_)) {
        return Err(CliError::Usage("`--format ini` is for `tabiya export` only; use text or json".into()));
    }
    match command {
        Command::Games(args) => games::run(args, out),
        Command::Enochian(args) => enochian::run(args, out),
        Command::Check(args) => check::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::Expand(args) => expand::run(args, out),
        Command::Fmt(args) => fmt::run(args, out),
        Command::Betza(args) => betza::run(args, out),
        Command::New(args) => new::run(args, out),
        Command::Import(args) => import::run(args, out),
        Command::Export(args) => export::run(args, out),
        Command::Show(args) => show::run(args, out),
        Command::Moves(args) => moves::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Solve(args) => solve::run(args, out),
        Command::Analyse(args) => analyse::run(args, out),
        Command::Tensor(args) => tensor::run(args, out),
        Command::Tune(args) => tune::run(args, out),
        Command::Train(args) => train::run(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Match(args) => r#match::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Agent(args) => agent::run(args, out),
        Command::Judge(args) => judge::run(args, out),
        Command::Uci(args) => uci::run(args, out),
        Command::Lsp(args) => lsp::run(args, out),
        Command::Mcp(args) => mcp::run(args, out),
        Command::Serve(args) => serve::run(args, out),
    }
}
