//! Running other programs from the root of the project.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A reason in words is all that a chore needs.
pub(crate) type Done<T = ()> = Result<T, String>;

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_owned()
}

/// A command in the root of the project.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command, its output shown; an error if it fails.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Done {
    run_with(program, arguments, &[])
}

/// The same with some variables set.
pub(crate) fn run_with(program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Done {
    let mut command = command(program, arguments);
    command.envs(variables.iter().copied());
    show(command, program, arguments)
}

/// The same in a folder of the project.
pub(crate) fn run_in(folder: &str, program: &str, arguments: &[&str]) -> Done {
    let mut command = command(program, arguments);
    command.current_dir(root().join(folder));
    show(command, program, arguments)
}

fn show(mut command: Command, program: &str, arguments: &[&str]) -> Done {
    let shown = format!("{program} {}", arguments.join(" "));
    println!("\n=== {shown}");
    let status = command.status().map_err(|error| format!("cannot run {shown}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed")) }
}

/// Runs a command with some input and returns what it printed; an error if it fails.
pub(crate) fn output(program: &str, arguments: &[&str], input: &str) -> Done<String> {
    use std::io::Write;
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
