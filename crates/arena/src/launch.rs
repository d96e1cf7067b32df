//! What a process is started with: its command line, the little of our environment that it may see, and its limits.

/// The variables of our environment that every agent process sees, where they are set.
pub const INHERITED: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// How to start an agent process.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// The command line. It is split into words as a shell would split it, but no shell runs: no variables, no
    /// patterns, no pipes.
    pub command: String,
    /// More variables that it may see, by name. What they hold, keys for instance, is hidden in everything that the
    /// process says.
    pub environment: Vec<String>,
    /// What it may use up.
    pub limits: Limits,
}

impl Launch {
    /// A command with the usual environment and limits.
    pub fn new(command: impl Into<String>) -> Self {
        Self { command: command.into(), ..Self::default() }
    }
}

/// The program and its arguments, or why there is none.
pub(crate) fn words(command: &str) -> Result<Vec<String>, &'static str> {
    match shlex::split(command) {
        None => Err("a quote is not closed in its command line"),
        Some(words) if words.is_empty() => Err("its command line is empty"),
        Some(words) => Ok(words),
    }
}

/// What a process may use up. The limits hold for each process that an agent starts, not for all of them together;
/// where this process itself may have less, an agent gets that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Address space in bytes; 4 GiB unless told otherwise. Runtimes that reserve much more than they use (Java,
    /// Node) need a larger number.
    pub memory: u64,
    /// CPU time in seconds over the whole game; an hour unless told otherwise. The process gets `SIGXCPU`, a second
    /// later `SIGKILL`.
    pub cpu_seconds: u64,
    /// Open descriptors; 256 unless told otherwise.
    pub open_files: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 4 << 30, cpu_seconds: 3600, open_files: 256 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_without_a_shell() {
        assert_eq!(words("python3 'my agent.py' --n=3").unwrap(), ["python3", "my agent.py", "--n=3"]);
        assert_eq!(words("echo $HOME | cat").unwrap(), ["echo", "$HOME", "|", "cat"]);
        assert!(words("echo 'half").is_err());
        assert!(words("  ").is_err());
    }
}
