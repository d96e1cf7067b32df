//! The release build from an empty target folder: its time, its largest parts, and the size of the binary. Crates must
//! have been downloaded.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use serde_json::Value;

use super::Report;
use super::comparison::median;
use super::machine::Machine;
use crate::shell::{self, Result, root, run};

const FOLDER: &str = "target/bench/build";

/// Requirements on a machine with two cores.
const SECONDS_MAX: f64 = 200.0;
const MEGABYTES_MAX: f64 = 25.0;

/// Rows of the table.
const ROWS: usize = 20;

/// Builds as often as there are rounds.
pub(super) fn measure(_: &Machine, rounds: u32) -> Result<Report> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let folder = root().join(FOLDER);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
        }
        let started = Instant::now();
        run("cargo", &["build", "--release", "--locked", "--timings", "--target-dir", FOLDER])?;
        times.push(started.elapsed().as_secs_f64());
    }
    let binary = format!("{FOLDER}/release/tabiya{}", std::env::consts::EXE_SUFFIX);
    let size = fs::metadata(root().join(&binary)).map_err(|error| format!("{binary}: {error}"))?.len();
    let megabytes = f64::from(u32::try_from(size / 1000).unwrap_or(u32::MAX)) / 1000.0;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let shown: Vec<String> = times.iter().map(|seconds| format!("{seconds:.0} s")).collect();
    let seconds = median(times).ok_or("no round")?;
    let text = format!(
        "`cargo build --release` on {cores} cores, crates downloaded, {rounds} runs: {}. The binary has {megabytes:.1} MB.\n\n{}",
        shown.join(", "),
        table(&shell::read(&format!("{FOLDER}/cargo-timings/cargo-timing.html"))?)?
    );
    let mut missed = Vec::new();
    if cores >= 2 && seconds > SECONDS_MAX {
        missed.push(format!("{seconds:.0} s, at most {SECONDS_MAX} are allowed"));
    }
    if megabytes > MEGABYTES_MAX {
        missed.push(format!("{megabytes:.1} MB, at most {MEGABYTES_MAX} are allowed"));
    }
    Ok(Report { text, missed, ..Report::default() })
}

/// Lists crates by compile time, build scripts included, from cargo's report of the last build.
fn table(report: &str) -> Result<String> {
    let data = report.split_once("const UNIT_DATA = ").and_then(|(_, rest)| rest.split_once("];"));
    let data = data.ok_or("cargo's timing report has no unit data")?.0;
    let units: Vec<Value> =
        serde_json::from_str(&format!("{data}]")).map_err(|error| format!("unit data: {error}"))?;
    let mut crates: BTreeMap<&str, f64> = BTreeMap::new();
    for unit in &units {
        *crates.entry(unit["name"].as_str().unwrap_or_default()).or_default() +=
            unit["duration"].as_f64().unwrap_or(0.0);
    }
    let mut rows: Vec<(&str, f64)> = crates.into_iter().collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let total: f64 = rows.iter().map(|(_, seconds)| seconds).sum();
    let rest: f64 = rows.iter().skip(ROWS).map(|(_, seconds)| seconds).sum();
    let mut text = String::from("| crate | seconds of one core |\n|---|---|\n");
    for (name, seconds) in rows.iter().take(ROWS) {
        text += &format!("| {name} | {seconds:.1} |\n");
    }
    text += &format!("| {} others | {rest:.1} |\n| total | {total:.1} |\n", rows.len().saturating_sub(ROWS));
    Ok(text)
}

#[cfg(test)]
mod tests {
    #[test]
    fn units_of_a_crate_are_added_up() {
        let report = "const UNIT_DATA = [{\"name\":\"a\",\"duration\":1.5},{\"name\":\"b\",\"duration\":1},{\"name\":\"a\",\"duration\":2}];\n";
        let table = super::table(report).unwrap();
        assert!(table.contains("| a | 3.5 |\n| b | 1.0 |\n") && table.contains("| total | 4.5 |"), "{table}");
    }
}
