//! Measurements of speed, on one core, beside other programs; and of the build. Each prints its tables and writes them
//! into `docs/performance.md`.

mod build;
mod comparison;
mod engines;
mod fairy;
mod machine;
mod perft;
mod plan;
mod plot;
mod tables;
mod tensor;

use crate::shell::{self, Result};
use machine::Machine;

/// A benchmark with its number of rounds.
type Measure = fn(&Machine, u32) -> Result<Report>;

/// Runs the benchmark of this name.
pub(crate) fn run(name: &str, rounds: Option<u32>) -> Result {
    // Fewer rounds than the usual number are for trying out.
    let (measure, usual): (Measure, u32) = match name {
        "perft" => (perft::measure, 5),
        "games" => (perft::measure_games, 5),
        "tensor" => (tensor::measure, 5),
        "build" => (build::measure, 3),
        _ => {
            return Err(
                "unknown benchmark; the benchmarks are perft, games (a part of perft), tensor and build"
                    .into(),
            );
        }
    };
    let part = (name == "perft").then(|| run("games", rounds));
    let rounds = rounds.unwrap_or(usual);
    let report = measure(&Machine::detect(), rounds)?;
    println!("\n{}", report.text);
    if rounds < usual {
        println!("Fewer than {usual} rounds: the figures are not written.");
    } else {
        write(name, &report.text)?;
        if let Some(plot) = &report.plot {
            shell::write("docs/perft.svg", plot)?;
        }
    }
    part.transpose()?;
    if report.missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", report.missed.join("; "))) }
}

/// What a benchmark found.
#[derive(Default)]
struct Report {
    /// Tables in Markdown.
    text: String,
    /// A plot in SVG.
    plot: Option<String>,
    /// Requirements that are not met.
    missed: Vec<String>,
}

/// Replaces the section between the marks of a benchmark.
fn write(name: &str, text: &str) -> Result {
    let (begin, end) = (format!("<!-- written by `cargo xtask bench {name}` -->\n"), "<!-- until here -->\n");
    let path = "docs/performance.md";
    let page = shell::read(path)?;
    let around = page.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) = around.ok_or(format!("{path} has no section for {name}"))?;
    shell::write(path, &format!("{before}{begin}\n{text}\n{end}{after}"))
}
