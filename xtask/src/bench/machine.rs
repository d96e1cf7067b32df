//! The machine: its name, its instruction sets, and the core that every measured process runs on.

use std::fs;
use std::process::Command;

use crate::shell::{command, succeeds};

/// Instruction sets that matter to move generators.
const RELEVANT: &str = "popcnt bmi1 bmi2 avx2 avx512f avx512bw avx512vl avx512vbmi avx512_vbmi2 avx512_bitalg \
    avx512_vpopcntdq gfni";

/// The machine.
pub(crate) struct Machine {
    name: String,
    features: Vec<String>,
    /// The core that processes are bound to; `None` if they cannot be bound.
    core: Option<String>,
}

impl Machine {
    /// Reads the properties of this machine.
    pub(crate) fn detect() -> Self {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let value = |key: &str| {
            let line = text.lines().find(|line| line.starts_with(key));
            line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
        };
        Machine {
            name: value("model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
            features: value("flags").unwrap_or_default().split(' ').map(str::to_owned).collect(),
            core: last_core().filter(|_| succeeds("taskset", &["--version"])),
        }
    }

    /// Returns whether it has an instruction set.
    pub(crate) fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|it| it == feature)
    }

    /// Prepares a program bound to the core.
    pub(crate) fn pinned(&self, program: &str) -> Command {
        match &self.core {
            Some(core) => command("taskset", &["-c", core, program]),
            None => Command::new(program),
        }
    }

    /// Describes how and where the figures were measured.
    pub(crate) fn text(&self, name: &str, rounds: u32) -> String {
        let features: Vec<&str> = RELEVANT.split(' ').filter(|feature| self.has(feature)).collect();
        let bound = if self.core.is_some() { "" } else { ", chosen by the system" };
        format!(
            "Measured with `cargo xtask bench {name} --rounds {rounds}` on one core{bound}, CPU time: {} ({}).\n\n",
            self.name,
            if features.is_empty() { "no special instructions".into() } else { features.join(", ") }
        )
    }
}

/// Returns the last core that we may use; the first ones are busier.
fn last_core() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    list.trim().rsplit([',', '-']).next().map(str::to_owned)
}
