//! The engines that are compared, as processes that answer one request after the other: libraries built for this machine,
//! ours built with the release profile, and Fairy-Stockfish if it is installed.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::bench::comparison::{Answer, Request};
use crate::bench::fairy::{self, Fairy};
use crate::bench::machine::Machine;
use crate::shell::{self, Result, root, run_with};
use crate::tools;

const MANIFEST: &str = "bench/peers/Cargo.toml";
const NATIVE: &str = "target/bench/native";
const PLAIN: &str = "target/bench/plain";
const OURS: &str = "target/bench/plain/release/ours";

/// The engines.
pub(crate) struct Engines {
    libraries: Option<Process>,
    ours: Process,
    weigher: Process,
    fairy: Option<Fairy>,
    names: Vec<String>,
}

/// The size of a game and of its start position.
pub(crate) struct Weight {
    pub(crate) squares: u64,
    pub(crate) pieces: u64,
    /// Legal moves at the start.
    pub(crate) moves: u64,
    pub(crate) bytes: u64,
    /// Moves generated on the way to the count.
    pub(crate) generated: u64,
}

impl Engines {
    /// Builds and starts them, with the libraries for chess if wanted. Installs Fairy-Stockfish if it is missing and can be
    /// installed.
    pub(crate) fn start(machine: &Machine, with_libraries: bool) -> Result<Self> {
        let build = ["build", "--locked", "--manifest-path", MANIFEST];
        let features = if machine.has("bmi2") { "pext" } else { "others" };
        let native =
            ["--profile", "others", "--bin", "peers", "--features", features, "--target-dir", NATIVE];
        if with_libraries {
            run_with("cargo", &[&build[..], &native].concat(), &[("RUSTFLAGS", "-C target-cpu=native")])?;
        }
        let plain = ["--release", "--bin", "ours", "--bin", "weigh", "--target-dir", PLAIN];
        run_with("cargo", &[&build[..], &plain].concat(), &[("RUSTFLAGS", "")])?;
        let names = shell::output(OURS, &["--paths"], "")?;
        if let Err(why) = tools::install_program(fairy::NAME) {
            println!("{why}");
        }
        let fairy = Fairy::start(machine)?;
        if fairy.is_none() {
            println!("Fairy-Stockfish is not installed (Debian: fairy-stockfish), so it is left out.");
        }
        Ok(Engines {
            libraries: with_libraries
                .then(|| Process::start(machine.pinned("target/bench/native/others/peers")))
                .transpose()?,
            ours: Process::start(machine.pinned(OURS))?,
            weigher: Process::start(machine.pinned("target/bench/plain/release/weigh"))?,
            fairy,
            names: serde_json::from_str(&names).map_err(|error| format!("{names}: {error}"))?,
        })
    }

    /// Returns the paths through our engine, from the slowest.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.names.iter().filter(|name| !name.contains("made")).cloned().collect()
    }

    /// Returns whether Fairy-Stockfish is installed.
    pub(crate) fn has_fairy(&self) -> bool {
        self.fairy.is_some()
    }

    /// Runs a perft; `None` if the engine does not support the game or position.
    pub(crate) fn perft(&mut self, request: &Request) -> Result<Option<Answer>> {
        if request.engine == fairy::NAME {
            return self.fairy.as_mut().map(|fairy| fairy.perft(request)).transpose();
        }
        let Request { engine, game, state, depth, nodes } = request;
        let is_ours = self.names.contains(engine);
        let process = if is_ours { Some(&mut self.ours) } else { self.libraries.as_mut() };
        let Some(process) = process else { return Ok(None) };
        let answer = process.ask(&format!("{engine}\t{game}\t{state}\t{depth}\t{nodes}"))?;
        let seconds = answer["seconds"].as_f64();
        Ok(seconds.map(|seconds| Answer { seconds, checks: answer["checks"].as_u64() }))
    }

    /// Measures the start position of a game.
    pub(crate) fn weigh(&mut self, request: &Request) -> Result<Weight> {
        let answer = self.weigher.ask(&format!("{}\t{}", request.game, request.depth))?;
        let get = |key: &str| answer[key].as_u64().ok_or(format!("{answer}: no {key}"));
        if get("nodes")? != request.nodes {
            return Err(format!("{request:?}: the fastest path counts {}", answer["nodes"]));
        }
        Ok(Weight {
            squares: get("squares")?,
            pieces: get("pieces")?,
            moves: get("moves")?,
            bytes: get("bytes")?,
            generated: get("generated")?,
        })
    }
}

/// A process that answers each line with a line. It ends when its input does.
pub(crate) struct Process {
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    child: Child,
}

impl Process {
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let command = command.current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or("a process without pipes")?;
        Ok(Process { input: Some(input), output: BufReader::new(output), child })
    }

    pub(crate) fn send(&mut self, line: &str) -> Result {
        let input = self.input.as_mut().ok_or("the process has ended")?;
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(|error| format!("{line}: {error}"))
    }

    pub(crate) fn receive(&mut self) -> Result<String> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(0) => Err("an engine has ended".into()),
            Ok(_) => Ok(line),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns the CPU seconds of all its threads, which other load on the machine does not change.
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        let fail = |error: std::io::Error| format!("CPU time of an engine: {error}");
        let mut nanoseconds = 0.0;
        for thread in std::fs::read_dir(format!("/proc/{}/task", self.child.id())).map_err(fail)? {
            let text =
                std::fs::read_to_string(thread.map_err(fail)?.path().join("schedstat")).map_err(fail)?;
            let first = text.split_whitespace().next().unwrap_or_default();
            nanoseconds += first.parse::<f64>().map_err(|error| format!("{text}: {error}"))?;
        }
        Ok(nanoseconds / 1e9)
    }

    fn ask(&mut self, line: &str) -> Result<Value> {
        self.send(line)?;
        let answer = self.receive().map_err(|error| format!("{line}: {error}"))?;
        shell::json(&answer).map_err(|error| format!("{line}: {error}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
