//! `tabiya check`: every fault of every file at once, for people with the lines of the file, for programs as data.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use tabiya_spec::code::Code;

use crate::failure::Failure;
use crate::files;
use crate::output::Output;
use crate::report::{Problem, render};
use crate::text::{counted, nearest, plain};

/// Check game files and tell every fault, with its place and what to do about it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya check mygame.json
  tabiya check games/*.json --format json
  tabiya check --explain unknown-key

Exit status: 0 if every file can be played (warnings may remain), 1 if one cannot.")]
pub(crate) struct Args {
    /// The files.
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    files: Vec<PathBuf>,
    /// Tell what a code means, instead of checking.
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    explain: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    if let Some(code) = &args.explain {
        return explain(code, out);
    }
    let mut good = true;
    let mut reports = Vec::new();
    for path in &args.files {
        let checked = Checked::read(path);
        good &= !checked.problems.iter().any(Problem::is_error);
        if out.is_json() {
            reports.push(checked.to_json());
        } else {
            checked.print(out)?;
        }
    }
    if out.is_json() {
        out.json(&json!({ "files": reports }))?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(Failure::NO) })
}

/// A file and what is wrong with it.
struct Checked {
    file: String,
    bytes: Vec<u8>,
    problems: Vec<Problem>,
    left_out: usize,
}

impl Checked {
    fn read(path: &Path) -> Checked {
        let file = path.display().to_string();
        match files::bytes(path) {
            Ok(bytes) => {
                let loaded = tabiya_spec::check_all(&bytes);
                let problems = loaded.diagnostics.into_iter().map(Problem::Fault).collect();
                Checked { file, bytes, problems, left_out: loaded.left_out }
            }
            Err(error) => {
                let problems = vec![Problem::Unreadable(files::reason(&error))];
                Checked { file, bytes: Vec::new(), problems, left_out: 0 }
            }
        }
    }

    /// Faults beyond those that are kept are only counted; the key is there only if there are some.
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
        writeln!(out, "{}: {}", plain(&self.file), self.summary())
    }

    fn summary(&self) -> String {
        let errors = self.problems.iter().filter(|problem| problem.is_error()).count();
        let warnings = self.problems.len() - errors;
        let mut parts = Vec::new();
        for (number, noun) in [(errors, "error"), (warnings, "warning")] {
            if number > 0 {
                parts.push(counted(number, noun));
            }
        }
        if self.left_out > 0 {
            parts.push(format!("{} more not shown", self.left_out));
        }
        if parts.is_empty() { "ok".to_owned() } else { parts.join(", ") }
    }
}

fn explain(name: &str, out: &mut Output) -> Result<ExitCode, Failure> {
    let entry = if name == Problem::UNREADABLE {
        UNREADABLE
    } else {
        let code = Code::find(name).ok_or_else(|| unknown_code(name))?;
        tabiya_spec::explain(code)
    };
    if out.is_json() {
        out.json(&json!({ "code": name, "text": entry }))?;
    } else {
        writeln!(out, "{entry}")?;
    }
    Ok(ExitCode::SUCCESS)
}

const UNREADABLE: &str = "\
### unreadable

The file is not there, is a directory, or may not be read. Nothing is known about the game in it. Give the path of a
JSON file that you may read.";

fn unknown_code(name: &str) -> Failure {
    let codes = || Code::ALL.iter().map(|code| code.as_str()).chain([Problem::UNREADABLE]);
    let hint = nearest(name, codes()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let list = codes().collect::<Vec<_>>().join("\n  ");
    Failure::Usage(format!("there is no code `{}`{hint}\nThe codes are:\n  {list}", plain(name)))
}
