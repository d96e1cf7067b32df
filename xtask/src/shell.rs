//! Runs other programs from the root of the project.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The result of a task; an error is a sentence for the person who runs it.
pub(crate) type Result<T = ()> = std::result::Result<T, String>;

/// Returns the root of the project.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_owned()
}

/// Reads a file of the project.
pub(crate) fn read(path: &str) -> Result<String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

/// Writes a file of the project.
pub(crate) fn write(path: &str, text: &str) -> Result {
    std::fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))
}

/// Parses JSON. The error shows the start of the text.
pub(crate) fn json(text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|error| format!("{text:.200}: {error}"))
}

/// Prepares a command in the root of the project.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Returns whether a command runs and succeeds. Its output is not shown.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    command(program, arguments).stdin(Stdio::null()).output().is_ok_and(|it| it.status.success())
}

/// Runs a command and shows its output; fails if it does.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result {
    run_with(program, arguments, &[])
}

/// Runs a command with environment variables.
pub(crate) fn run_with(program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Result {
    let mut command = command(program, arguments);
    command.envs(variables.iter().copied());
    show(command, program, arguments)
}

/// Runs a command in a folder of the project.
pub(crate) fn run_in(folder: &str, program: &str, arguments: &[&str]) -> Result {
    let mut command = command(program, arguments);
    command.current_dir(root().join(folder));
    show(command, program, arguments)
}

fn show(mut command: Command, program: &str, arguments: &[&str]) -> Result {
    let shown = format!("{program} {}", arguments.join(" "));
    println!("\n=== {shown}");
    let status = command.status().map_err(|error| format!("cannot run {shown}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed")) }
}

/// Runs a command with input and returns its standard output; fails if it does.
pub(crate) fn output(program: &str, arguments: &[&str], input: &str) -> Result<String> {
    let shown = format!("{program} {}", arguments.join(" "));
    let fail = |error: std::io::Error| format!("cannot run {shown}: {error}");
    let mut child =
        command(program, arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(fail)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(fail)?;
    }
    let output = child.wait_with_output().map_err(fail)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("{shown} failed: {text}")) }
}
