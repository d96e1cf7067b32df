//! Tensors and environments beside others: canonical tensors beside `memset` and a plain copy, and the Python package beside
//! other packages.

use serde_json::Value;

use super::Report;
use super::machine::Machine;
use crate::python;
use crate::shell::{Result, output};

/// A required ratio.
struct Requirement {
    name: &'static str,
    least: f64,
    found: Option<f64>,
}

/// Measures everything.
pub(super) fn measure(machine: &Machine, rounds: u32) -> Result<Report> {
    let encode = ["run", "--release", "--quiet", "-p", "tabiya-tensor", "--example", "encode"];
    let written = read(&output("cargo", &encode, "")?)?;
    let python = python::benchmark_environment()?;
    let rates = read(&output(&python, &["-P", "bench/tensor/measure.py", &rounds.to_string()], "")?)?;
    let nanoseconds = |place: &str, what: &str| written[place][what].as_f64();
    let share =
        |place: &str, one: &str, other: &str| Some(nanoseconds(place, one)? / nanoseconds(place, other)?);
    let rate = |name: &str| rates[name].as_f64();
    let times = |one: &str, other: &str| Some(rate(one)? / rate(other)?);
    let requirements = [
        Requirement {
            name: "`get_canonical_board()` / python-chess + numpy",
            least: 50.0,
            found: times("single", "python-chess + numpy"),
        },
        Requirement {
            name: "batch of tensors / `memset`, in cache",
            least: 0.6,
            found: share("cache", "fill_ns", "sets_ns"),
        },
        Requirement {
            name: "batch of tensors / plain copy, in memory",
            least: 0.7,
            found: share("memory", "copy_ns", "sets_ns"),
        },
        Requirement {
            name: "`BatchEnv` / OpenSpiel, one core",
            least: 8.0,
            found: times("batch", "OpenSpiel"),
        },
        Requirement {
            name: "`BatchEnv` / PettingZoo, one core",
            least: 500.0,
            found: times("batch", "PettingZoo"),
        },
        Requirement {
            name: "`BatchEnv`, two cores / one",
            least: 1.7,
            found: times("batch on two cores", "batch of 1,024 on one core"),
        },
    ];
    let mut text = machine.text("tensor", rounds);
    text += "\n| a tensor of 4,608 bytes, ns | in cache | in memory |\n|---|---|---|\n";
    for (what, name) in [
        ("fill_ns", "`memset`"),
        ("copy_ns", "plain copy"),
        ("sets_ns", "from sets (`Compact::expand`)"),
        ("positions_ns", "from positions (`Encoding::write`)"),
    ] {
        let shown = |place: &str| nanoseconds(place, what).map_or("–".into(), |ns| format!("{ns:.0}"));
        text += &format!("| {name} | {} | {} |\n", shown("cache"), shown("memory"));
    }
    text += "\n| from Python | positions per second |\n|---|---|\n";
    for (name, rate) in rates.as_object().into_iter().flatten() {
        text += &format!("| {name} | {:.0} |\n", rate.as_f64().unwrap_or(0.0));
    }
    text += "\n| ratio | required | measured |\n|---|---|---|\n";
    for Requirement { name, least, found } in &requirements {
        let found = found.map_or_else(|| "missing".into(), |found| format!("{found:.2}"));
        text += &format!("| {name} | {least} | {found} |\n");
    }
    let missed = requirements.iter().filter(|it| it.found.is_none_or(|found| found < it.least));
    let missed = missed.map(|it| it.name.to_owned()).collect();
    Ok(Report { text, missed, ..Report::default() })
}

fn read(text: &str) -> Result<Value> {
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).map_err(|error| format!("{line:.200}: {error}"))
}
