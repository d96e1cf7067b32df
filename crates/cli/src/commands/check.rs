//! `tabiya check`: reports every diagnostic of game files, as text with excerpts or as JSON.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use tabiya_spec::code::Code;
use tabiya_spec::diagnostic::Severity;

use crate::diagnostic_report::{Problem, render};
use crate::error::{CliError, CommandResult};
use crate::files;
use crate::game_source;
use crate::output::Output;
use crate::text::{did_you_mean, pluralize, sanitize};

/// Check game files and report every error, with its place and how to fix it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya check mygame.json
  tabiya check games/*.json --format json
  tabiya check --explain unknown-key

Exit status: 0 if every file can be played (warnings may remain), 1 if one cannot.")]
pub(crate) struct Args {
    /// Game files.
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    files: Vec<PathBuf>,
    /// Explain a diagnostic code instead of checking files.
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    explain: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    if let Some(code) = &args.explain {
        return explain(code, out);
    }
    let mut is_valid = true;
    let mut reports = Vec::new();
    for path in &args.files {
        let checked = CheckedFile::read(path);
        is_valid &= !checked.problems.iter().any(|problem| problem.severity() == Severity::Error);
        if out.is_json() {
            reports.push(checked.to_json());
        } else {
            checked.print(out)?;
        }
    }
    if out.is_json() {
        out.json(&json!({ "files": reports }))?;
    }
    Ok(if is_valid { ExitCode::SUCCESS } else { ExitCode::from(CliError::EXIT_NO) })
}

/// A file and its problems.
struct CheckedFile {
    file: String,
    bytes: Vec<u8>,
    problems: Vec<Problem>,
    left_out: usize,
}

impl CheckedFile {
    fn read(path: &Path) -> CheckedFile {
        let file = path.display().to_string();
        match files::bytes(path) {
            Ok(bytes) => {
                let loaded = game_source::with_loader(path, |loader| loader.check_all(&bytes));
                let problems = loaded.diagnostics.into_iter().map(Problem::Diagnostic).collect();
                CheckedFile { file, bytes, problems, left_out: loaded.left_out }
            }
            Err(error) => {
                let problems = vec![Problem::Unreadable(files::reason(&error))];
                CheckedFile { file, bytes: Vec::new(), problems, left_out: 0 }
            }
        }
    }

    /// Returns the report of the file. The key `left_out` is present if diagnostics were omitted.
    fn to_json(&self) -> Value {
        let diagnostics: Vec<Value> = self.problems.iter().map(Problem::to_json).collect();
        let mut report = json!({ "file": self.file, "diagnostics": diagnostics });
        if self.left_out > 0 {
            report["left_out"] = self.left_out.into();
        }
        report
    }

    fn print(&self, out: &mut Output) -> io::Result<()> {
        write!(out, "{}", render(&self.file, &self.bytes, &self.problems))?;
        writeln!(out, "{}: {}", sanitize(&self.file), self.summary())
    }

    fn summary(&self) -> String {
        let count = |severity| self.problems.iter().filter(|problem| problem.severity() == severity).count();
        let mut parts = Vec::new();
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            if severity == Severity::Note && parts.is_empty() {
                parts.push("ok".to_owned());
            }
            if count(severity) > 0 {
                parts.push(pluralize(count(severity), &severity.to_string()));
            }
        }
        if self.left_out > 0 {
            parts.push(format!("{} more not shown", self.left_out));
        }
        parts.join(", ")
    }
}

fn explain(name: &str, out: &mut Output) -> CommandResult {
    let entry = if name == Problem::UNREADABLE {
        UNREADABLE
    } else {
        let code = Code::find(name).ok_or_else(|| unknown_code(name))?;
        tabiya_spec::explain(code)
    };
    out.answer(|| json!({ "code": name, "text": entry }), |out| writeln!(out, "{entry}"))
}

const UNREADABLE: &str = "\
### unreadable

The file does not exist, is a directory, or is not readable. Give the path of a readable JSON file.";

fn unknown_code(name: &str) -> CliError {
    let codes = || Code::ALL.iter().map(|code| code.as_str()).chain([Problem::UNREADABLE]);
    let hint = did_you_mean(name, codes());
    let list = codes().collect::<Vec<_>>().join("\n  ");
    CliError::Usage(format!("there is no code `{}`{hint}\nThe codes are:\n  {list}", sanitize(name)))
}
