//! The machine on which everything is measured: what it is called, what it can do, and the one core that all share.

use std::fs;
use std::process::Command;

use crate::shell::command;

/// Instructions that a generator of moves may use.
const TELLING: &[&str] = &[
    "popcnt",
    "bmi1",
    "bmi2",
    "avx2",
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512vbmi",
    "avx512_vbmi2",
    "avx512_bitalg",
    "avx512_vpopcntdq",
    "gfni",
];

/// The machine.
pub(crate) struct Machine {
    name: String,
    features: Vec<String>,
    /// The core that everybody is bound to; `None` if they cannot be bound.
    core: Option<String>,
}

impl Machine {
    /// Looks at it.
    pub(crate) fn look() -> Self {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let value = |key: &str| {
            let line = text.lines().find(|line| line.starts_with(key));
            line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
        };
        let can_bind = command("taskset", &["--version"]).output().is_ok_and(|it| it.status.success());
        Machine {
            name: value("model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
            features: value("flags").unwrap_or_default().split(' ').map(str::to_owned).collect(),
            core: last_core().filter(|_| can_bind),
        }
    }

    /// Whether it has an instruction set.
    pub(crate) fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|it| it == feature)
    }

    /// A program on the one core.
    pub(crate) fn pinned(&self, program: &str) -> Command {
        match &self.core {
            Some(core) => command("taskset", &["-c", core, program]),
            None => Command::new(program),
        }
    }

    /// How and on what it was measured.
    pub(crate) fn text(&self, name: &str, rounds: u32) -> String {
        let features: Vec<&str> = TELLING.iter().copied().filter(|feature| self.has(feature)).collect();
        let bound = if self.core.is_some() { "" } else { ", which the system chose" };
        format!(
            "Measured with `cargo xtask bench {name} --rounds {rounds}` on one core{bound}, in time of that core: {} ({}).\n\n",
            self.name,
            if features.is_empty() { "nothing special".into() } else { features.join(", ") }
        )
    }
}

/// The last core that we may use; the first ones have more to do.
fn last_core() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    list.trim().rsplit([',', '-']).next().map(str::to_owned)
}
