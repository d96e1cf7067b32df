//! Runs the real binary and collects its output.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The output of a finished command.
pub(crate) struct CliOutput {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl CliOutput {
    /// Parses standard output as one JSON value.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }

    /// Parses each line of standard output as a JSON value.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

/// Runs `tabiya` without input.
pub(crate) fn tabiya(arguments: &[&str]) -> CliOutput {
    tabiya_with_input(arguments, "")
}

/// Runs `tabiya` with this standard input.
pub(crate) fn tabiya_with_input(arguments: &[&str], input: impl Into<Vec<u8>>) -> CliOutput {
    tabiya_in(Path::new("."), arguments, input)
}

/// Runs `tabiya` in a folder.
pub(crate) fn tabiya_in(folder: &Path, arguments: &[&str], input: impl Into<Vec<u8>>) -> CliOutput {
    let mut command = Command::cargo_bin("tabiya").expect("the binary is built");
    command.current_dir(folder).env("NO_COLOR", "1").args(arguments).write_stdin(input);
    let output = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes UTF-8");
    let run = CliOutput {
        status: output.status.code().expect("it is not killed"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run
}

/// Splits a command line into words. Blanks between single quotes are kept.
pub(crate) fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Returns a chess state of the agent protocol without castling rights and history.
pub(crate) fn chess_state(board: &Value, turn: &str) -> Value {
    json!({
        "board": board, "turn": turn,
        "castling": {
            "white": { "kingside": false, "queenside": false }, "black": { "kingside": false, "queenside": false }
        },
        "en_passant": null, "halfmove_clock": 0, "fullmove_number": 1, "position_history": []
    })
}

/// A temporary folder.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Returns the path of the folder.
    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// Returns the path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a UTF-8 path").to_owned()
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, contents).expect("the file is written");
        path
    }
}

/// Returns a Python with the module `chess`: the one that the test run has installed, or that of the system. Without one,
/// prints that the test is skipped.
#[allow(clippy::print_stderr, reason = "a skipped test is reported")]
pub(crate) fn python() -> Option<PathBuf> {
    let python = PathBuf::from(env::var_os("TABIYA_PYTHON").unwrap_or_else(|| "python3".into()));
    let mut import = std::process::Command::new(&python);
    let done = import.args(["-c", "import chess.engine, chess.pgn"]).stderr(Stdio::null()).status();
    let has_chess = done.is_ok_and(|status| status.success());
    if !has_chess {
        eprintln!("skipped: {} has no module chess", python.display());
    }
    has_chess.then_some(python)
}
