//! Tensors and environments beside others: canonical tensors beside `memset` and a plain copy, and the Python package beside
//! other packages.

use serde_json::Value;

use super::Report;
use super::machine::Machine;
use crate::python;
use crate::shell::{Result, json, output};

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
    // Each ratio with the least that is required.
    let requirements = [
        ("`get_canonical_board()` / python-chess + numpy", 50.0, times("single", "python-chess + numpy")),
        ("batch of tensors / `memset`, in cache", 0.6, share("cache", "fill_ns", "sets_ns")),
        ("batch of tensors / plain copy, in memory", 0.7, share("memory", "copy_ns", "sets_ns")),
        ("`BatchEnv` / OpenSpiel, one core", 8.0, times("batch", "OpenSpiel")),
        ("`BatchEnv` / PettingZoo, one core", 500.0, times("batch", "PettingZoo")),
        ("`BatchEnv`, two cores / one", 1.7, times("batch on two cores", "batch of 1,024 on one core")),
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
    for (name, least, found) in &requirements {
        let found = found.map_or_else(|| "missing".into(), |found| format!("{found:.2}"));
        text += &format!("| {name} | {least} | {found} |\n");
    }
    let missed = requirements.iter().filter(|(_, least, found)| found.is_none_or(|found| found < *least));
    let missed = missed.map(|(name, ..)| (*name).to_owned()).collect();
    Ok(Report { text, missed, ..Report::default() })
}

/// Parses the last line of an output.
fn read(text: &str) -> Result<Value> {
    json(text.lines().last().unwrap_or_default())
}
