//! Tensors and environments beside others: canonical tensors against `memset` and a plain copy, and the package against
//! those that people use now, in one run.

use serde_json::Value;

use super::machine::Machine;
use crate::python;
use crate::shell::{Done, output};

/// What speed is held to: the name of a ratio, what it must be, and what it is.
struct Bar {
    name: &'static str,
    wanted: f64,
    found: Option<f64>,
}

/// Measures everything; the text for the paper, and what is not as it must be.
pub(crate) fn measure(machine: &Machine, rounds: u32) -> Done<(String, Vec<&'static str>)> {
    let encode = ["run", "--release", "--quiet", "-p", "tabiya-tensor", "--example", "encode"];
    let written = read(&output("cargo", &encode, "")?)?;
    let python = python::for_benchmark()?;
    let rates = read(&output(&python, &["-P", "bench/tensor/measure.py", &rounds.to_string()], "")?)?;
    let nanoseconds = |place: &str, what: &str| written[place][what].as_f64();
    let share =
        |place: &str, one: &str, other: &str| Some(nanoseconds(place, one)? / nanoseconds(place, other)?);
    let rate = |name: &str| rates[name].as_f64();
    let times = |one: &str, other: &str| Some(rate(one)? / rate(other)?);
    let bars = [
        Bar {
            name: "`get_canonical_board()` / python-chess + numpy",
            wanted: 50.0,
            found: times("single", "python-chess + numpy"),
        },
        Bar {
            name: "batch of tensors / `memset`, in cache",
            wanted: 0.6,
            found: share("cache", "fill_ns", "sets_ns"),
        },
        Bar {
            name: "batch of tensors / plain copy, in memory",
            wanted: 0.7,
            found: share("memory", "copy_ns", "sets_ns"),
        },
        Bar { name: "`BatchEnv` / OpenSpiel, one core", wanted: 8.0, found: times("batch", "OpenSpiel") },
        Bar { name: "`BatchEnv` / PettingZoo, one core", wanted: 500.0, found: times("batch", "PettingZoo") },
        Bar {
            name: "`BatchEnv`, two cores / one",
            wanted: 1.7,
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
    text += "\n| from Python | positions a second |\n|---|---|\n";
    for (name, rate) in rates.as_object().into_iter().flatten() {
        text += &format!("| {name} | {:.0} |\n", rate.as_f64().unwrap_or(0.0));
    }
    text += "\n| ratio | wanted | measured |\n|---|---|---|\n";
    for Bar { name, wanted, found } in &bars {
        let found = found.map_or_else(|| "missing".into(), |found| format!("{found:.2}"));
        text += &format!("| {name} | {wanted} | {found} |\n");
    }
    println!("\n{text}");
    let missed = bars.iter().filter(|bar| bar.found.is_none_or(|found| found < bar.wanted));
    Ok((text, missed.map(|bar| bar.name).collect()))
}

fn read(text: &str) -> Done<Value> {
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).map_err(|error| format!("{line:.200}: {error}"))
}
