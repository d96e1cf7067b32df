//! The real binary, and what its answers are compared with.

#![allow(dead_code, reason = "each file of tests uses its part of it")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use assert_cmd::Command;
use serde_json::Value;

/// What the program said.
pub(crate) struct Said {
    /// Exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Said {
    /// The one JSON value on standard output.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }

    /// A JSON value on each line of standard output.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

/// Runs `tabiya` with these words, and this text on standard input.
pub(crate) fn tabiya_reading(words: &[&str], input: impl Into<Vec<u8>>) -> Said {
    tabiya_in(Path::new("."), words, input)
}

/// The same in a folder.
pub(crate) fn tabiya_in(folder: &Path, words: &[&str], input: impl Into<Vec<u8>>) -> Said {
    let mut command = Command::cargo_bin("tabiya").expect("the binary is built");
    command.current_dir(folder).env("NO_COLOR", "1").args(words).write_stdin(input);
    let output = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes UTF-8");
    let said = Said {
        status: output.status.code().expect("it is not killed"),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    assert!(!said.err.contains("panicked"), "{}", said.err);
    said
}

/// Runs `tabiya` with these words.
pub(crate) fn tabiya(words: &[&str]) -> Said {
    tabiya_reading(words, "")
}

/// A python that knows chess: the one that the gate has made, or the one that is there. `None`, with a word about it, if
/// it knows nothing.
#[allow(clippy::print_stderr, reason = "a test that cannot run says so")]
pub(crate) fn python() -> Option<PathBuf> {
    let python = PathBuf::from(env::var_os("TABIYA_PYTHON").unwrap_or_else(|| "python3".into()));
    let mut import = std::process::Command::new(&python);
    let done = import.args(["-c", "import chess.engine, chess.pgn"]).stderr(Stdio::null()).status();
    let knows_chess = done.is_ok_and(|status| status.success());
    if !knows_chess {
        eprintln!("skipped: {} has no module chess", python.display());
    }
    knows_chess.then_some(python)
}
