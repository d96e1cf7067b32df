//! Measurements at full size. Each runs the real program, asserts its result, and writes its figures into
//! `docs/measurements.md`.

mod learning;
mod matches;
mod search;

use std::time::Instant;

use serde_json::Value;

use crate::shell::{self, Result, command, output, run, succeeds};
use crate::tools;

/// How a measurement is taken.
enum Measure {
    /// A test at full size: package, test, and the environment variable with the size.
    Test(&'static str, &'static str, (&'static str, &'static str)),
    /// A function that returns the figure.
    Run(fn() -> Result<String>),
    /// A function of a file that the user may name.
    File(fn(Option<&str>) -> Result<String>),
}

use Measure::{File, Run, Test};

const MEASUREMENTS: &[(&str, Measure)] = &[
    ("perft", Run(perft)),
    // Engine and oracle on random specs.
    ("wild", Test("tabiya-oracle", "random_specs", ("TABIYA_RANDOM_SPECS", "20000"))),
    // Every fast path and the oracle on random games of the usual forms.
    ("tame", Test("tabiya-oracle", "chesslike_specs", ("TABIYA_CHESSLIKE_SPECS", "20000"))),
    // Mutated specs are diagnosed or play without a panic.
    ("mutants", Test("tabiya-oracle", "mutants", ("TABIYA_MUTANTS", "50000"))),
    // Every array under both sets of rules, to depth 5 by engine and oracle, and 500 random games each.
    // Castling from all arrays of Chess960, and imported variants, beside Fairy-Stockfish.
    ("chess960", Test("tabiya-notation", "chess960", ("TABIYA_CHESS960", "960"))),
    ("import", Test("tabiya-ini", "variants", ("TABIYA_INI_GAMES", "300"))),
    ("enochian", Test("tabiya-oracle", "enochian", ("TABIYA_ENOCHIAN", "full"))),
    ("dead", File(dead)),
    ("rate", Run(rate)),
    ("rogues", Run(rogues)),
    ("referee", Run(referee)),
    // Proofs of forced wins beside those of a simple prover.
    ("solve", Test("tabiya-players", "proofs", ("TABIYA_SOLVE", "200"))),
    // The levels against each other.
    ("levels", Test("tabiya-players", "levels", ("TABIYA_LEVELS", "20"))),
    ("search", Run(search::search)),
    ("stockfish", Run(matches::stockfish)),
    ("fairy", Run(matches::fairy)),
    ("teams", Run(matches::teams)),
    ("learn", Run(learning::learn)),
    // A thousand games with two sockets each, at a thousand moves a second.
    ("serve", Test("tabiya-cli", "load", ("TABIYA_LOAD", "1000"))),
    // One hostile address against a server, while others play.
    ("attack", Test("tabiya-cli", "attack", ("TABIYA_ATTACK", "full"))),
    ("deny", Run(deny)),
];

/// Runs one measurement, or all.
pub(crate) fn run_named(name: Option<&str>, file: Option<&str>) -> Result {
    let chosen: Vec<_> =
        MEASUREMENTS.iter().filter(|(known, _)| name.is_none_or(|name| name == *known)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = MEASUREMENTS.iter().map(|(name, _)| *name).collect();
        return Err(format!("unknown measurement; the measurements are {}", names.join(", ")));
    }
    for (name, measure) in chosen {
        let started = Instant::now();
        let figure = match measure {
            Test(package, test, size) => large_test(package, test, *size)?,
            Run(figure) => figure()?,
            File(figure) => figure(file)?,
        };
        let figure = format!("{}\n\nTook {:.0} s.", figure.trim_end(), started.elapsed().as_secs_f64());
        println!("\n{figure}");
        write(name, &figure)?;
    }
    Ok(())
}

/// Checks all known perft counts through the binary.
fn perft() -> Result<String> {
    build()?;
    let table = shell::read("crates/oracle/tests/perft.tsv")?;
    let mut figure =
        String::from("| game | state | depth | nodes | million nodes per second |\n|---|---|---|---|---|\n");
    for row in table.lines().skip(1) {
        let [game, state, depth, nodes] = row.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("not a row of the table: {row}"));
        };
        let mut arguments = vec!["perft", game, depth, "--format", "json"];
        if state != "start" {
            arguments.extend(["--state", state]);
        }
        let answer: Value = shell::json(&output("target/release/tabiya", &arguments, "")?)?;
        let counted = answer["nodes"].to_string();
        if counted != nodes {
            return Err(format!("{row}: counted {counted}"));
        }
        let seconds = answer["seconds"].as_f64().unwrap_or(f64::NAN);
        let rate = nodes.parse::<f64>().unwrap_or(f64::NAN) / seconds / 1e6;
        println!("{game} {depth} {nodes} {seconds:.2} s");
        if seconds > 0.1 {
            figure.push_str(&format!("| {game} | `{state}` | {depth} | {nodes} | {rate:.1} |\n"));
        }
    }
    Ok(format!("All {} known counts hold.\n\n{figure}", table.lines().count() - 1))
}

/// Compares who can still win with known answers, if a file of them is given, and with an exhaustive search.
fn dead(file: Option<&str>) -> Result<String> {
    let exhaustive = large_test("tabiya-oracle", "dead", ("TABIYA_DEAD_POSITIONS", "10000"))?;
    let Some(file) = file else { return Ok(exhaustive) };
    let example =
        ["run", "--release", "--locked", "--quiet", "-p", "tabiya-notation", "--example", "dead", "--", file];
    Ok(format!("{exhaustive}\n\n```text\n{}```\n", output("cargo", &example, "")?))
}

/// Measures the cost of a move of Enochian chess beside one of chess on the same path. Fails above the allowed ratio.
fn rate() -> Result<String> {
    example("tabiya-notation", "rate")
}

/// Plays a hundred games against every kind of misbehaving agent.
fn rogues() -> Result<String> {
    run("cargo", &["build", "--release", "--locked", "-p", "tabiya-arena", "--examples"])?;
    large_test("tabiya-arena", "unreliable", ("TABIYA_ROGUES", "100"))
}

/// Measures the cost of a move in referee and arena. Each example fails above its limit.
fn referee() -> Result<String> {
    let figure = |name| Ok(format!("`{name}`:\n\n{}", example("tabiya-arena", name)?));
    Ok(["thousand_games", "scripted", "pingpong"]
        .map(figure)
        .into_iter()
        .collect::<Result<Vec<_>>>()?
        .join("\n"))
}

/// Runs an example and returns its output as a block of text.
fn example(package: &str, name: &str) -> Result<String> {
    let arguments = ["run", "--release", "--locked", "--quiet", "-p", package, "--example", name];
    Ok(format!("```text\n{}```\n", output("cargo", &arguments, "")?))
}

/// Checks licences and sources of all dependencies, and known advisories where their database can be fetched.
fn deny() -> Result<String> {
    if !succeeds("cargo", &["deny", "--version"]) {
        run("cargo", &["install", "--locked", "--quiet", "cargo-deny"])?;
    }
    run("cargo", &["deny", "--locked", "check", "licenses", "bans", "sources"])?;
    let checked = command("cargo", &["deny", "--locked", "check", "advisories"]).output();
    let checked = checked.map_err(|error| error.to_string())?;
    let printed =
        [checked.stderr, checked.stdout].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let advisories = match checked.status.success() {
        true => "No advisory is known against them (RustSec).",
        false if printed.contains("failed to fetch advisory database") => {
            "Advisories (RustSec) could not be fetched on this machine."
        }
        false => return Err(printed),
    };
    Ok(format!("Licences, bans and sources of all dependencies conform to deny.toml. {advisories}"))
}

/// Builds the binary.
fn build() -> Result {
    run("cargo", &["build", "--release", "--locked"])
}

/// Runs a test at a larger size and returns the figures it prints.
fn large_test(package: &str, test: &str, (variable, size): (&str, &str)) -> Result<String> {
    let arguments = ["test", "--release", "--locked", "-p", package, "--test", test];
    run("cargo", &[&arguments[..], &["--no-run"]].concat())?;
    println!("{variable}={size}");
    let shown = command("cargo", &[&arguments[..], &["--", "--nocapture"]].concat())
        .env(variable, size)
        .env("TABIYA_PYTHON", tools::python_chess_path())
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    if !shown.status.success() {
        return Err(format!("{text}{}", String::from_utf8_lossy(&shown.stderr)));
    }
    let marks = ["games,", "words that", "exhaustive search", "under attack"];
    let figures: Vec<&str> =
        text.lines().filter(|line| marks.iter().any(|mark| line.contains(mark))).collect();
    if figures.is_empty() { Err("the test prints no figure".to_owned()) } else { Ok(figures.join("\n\n")) }
}

/// Replaces the section of this name.
fn write(name: &str, figure: &str) -> Result {
    let path = "docs/measurements.md";
    let text = shell::read(path)?;
    let heading = format!("\n## {name}\n");
    let section = format!("{heading}\n{figure}\n");
    let text = match text.find(&heading) {
        None => text + &section,
        Some(start) => {
            let rest = &text[start + heading.len()..];
            let after = rest.find("\n## ").map_or("", |end| &rest[end..]);
            format!("{}{section}{after}", &text[..start])
        }
    };
    shell::write(path, &text)
}
