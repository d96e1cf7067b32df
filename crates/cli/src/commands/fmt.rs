//! `tabiya fmt`: rewrites game files into their shortest form.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::diagnostic_report::{Problem, render};
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::game_source;
use crate::output::Output;
use crate::text::{sanitize, sanitize_lines};

/// Rewrite game files into their shortest form. The rules, and so the hash of the game, stay the same.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya fmt mygame.json
  tabiya fmt mygame.json --stdout
  tabiya fmt games/*.json --check

Exit status: 0, or 1 with --check if a file would change.")]
pub(crate) struct Args {
    /// Game files.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print the result instead of rewriting the file.
    #[arg(long, conflicts_with = "check")]
    stdout: bool,
    /// Only report which files would change.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let mut reports: Vec<Value> = Vec::new();
    let mut would_change = false;
    let mut failure = None;
    for path in &args.files {
        let (before, after) = match formatted(path) {
            Ok(texts) => texts,
            // The other files are still formatted.
            Err(error) if out.is_json() => {
                reports
                    .push(json!({ "file": path.display().to_string(), "error": error.to_json()["error"] }));
                failure = Some(ExitCode::from(CliError::EXIT_NO));
                continue;
            }
            Err(error) => {
                failure = Some(error.report(out));
                continue;
            }
        };
        let changes = before != after.as_bytes();
        would_change |= changes;
        if changes && !args.check && !args.stdout {
            files::replace(path, &after)?;
        }
        let name = path.display().to_string();
        let lines = |text: &[u8]| String::from_utf8_lossy(text).lines().count();
        if out.is_json() {
            let text = args.stdout.then_some(&after);
            reports.push(json!({
                "file": name, "changes": changes, "text": text,
                "lines": [lines(&before), lines(after.as_bytes())], "bytes": [before.len(), after.len()],
            }));
        } else if args.stdout {
            writeln!(out, "{}", sanitize_lines(&after))?;
        } else if changes {
            let done = if args.check { "would change" } else { "rewritten" };
            let (from, to) = (lines(&before), lines(after.as_bytes()));
            writeln!(out, "{}: {done}, {from} to {to} lines", sanitize(&name))?;
        } else {
            writeln!(out, "{}: unchanged", sanitize(&name))?;
        }
    }
    if out.is_json() {
        out.json(&json!({ "files": reports }))?;
    }
    if let Some(status) = failure {
        return Ok(status);
    }
    Ok(if args.check && would_change { ExitCode::from(CliError::EXIT_NO) } else { ExitCode::SUCCESS })
}

/// Returns a file before and after.
fn formatted(path: &Path) -> Result<(Vec<u8>, String), CliError> {
    let name = path.display().to_string();
    let bytes = files::bytes(path)
        .map_err(|error| CliError::Usage(format!("`{name}` cannot be read: {}", files::reason(&error))))?;
    let text = game_source::with_loader(path, |loader| loader.format(&bytes));
    match text {
        Ok(text) => Ok((bytes, text)),
        Err(loaded) => {
            let problems: Vec<Problem> = loaded.diagnostics.into_iter().map(Problem::Diagnostic).collect();
            Err(CliError::InvalidGame {
                report: render(&name, &bytes, &problems),
                diagnostics: problems.iter().map(Problem::to_json).collect(),
                left_out: loaded.left_out,
                game: name,
            })
        }
    }
}
