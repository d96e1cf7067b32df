//! Measurements at full size. Each runs the real thing, asserts its answer, and writes its figure into
//! `docs/measurements.md`.

mod learning;
mod sparring;
mod thinking;

use std::fs;
use std::time::Instant;

use serde_json::Value;

use crate::shell::{Done, command, output, root, run};

type Proof = (&'static str, fn() -> Done<String>);

const PROOFS: &[Proof] = &[
    ("perft", perft),
    ("wild", wild),
    ("tame", tame),
    ("mutants", mutants),
    ("enochian", enochian),
    ("rate", rate),
    ("rogues", rogues),
    ("referee", referee),
    ("solve", solve),
    ("levels", levels),
    ("search", thinking::search),
    ("stockfish", sparring::stockfish),
    ("fairy", sparring::fairy),
    ("teams", sparring::teams),
    ("learn", learning::learn),
    ("serve", serve),
    ("deny", deny),
];

/// Runs one measurement, or all.
pub(crate) fn run_named(name: Option<&str>) -> Done {
    let chosen: Vec<&Proof> =
        PROOFS.iter().filter(|(known, _)| name.is_none_or(|name| name == *known)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = PROOFS.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no such measurement; there are {}", names.join(", ")));
    }
    for (name, proof) in chosen {
        let started = Instant::now();
        let figure = proof()?;
        let figure = format!("{}\n\nTook {:.0} s.", figure.trim_end(), started.elapsed().as_secs_f64());
        println!("\n{figure}");
        write(name, &figure)?;
    }
    Ok(())
}

/// All known counts, through the binary.
fn perft() -> Done<String> {
    run("cargo", &["build", "--release", "--locked"])?;
    let table =
        fs::read_to_string(root().join("crates/oracle/tests/perft.tsv")).map_err(|it| it.to_string())?;
    let mut figure =
        String::from("| game | state | depth | nodes | million nodes a second |\n|---|---|---|---|---|\n");
    for row in table.lines().skip(1) {
        let [game, state, depth, nodes] = row.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("not a row of the table: {row}"));
        };
        let mut arguments = vec!["perft", game, depth, "--format", "json"];
        if state != "start" {
            arguments.extend(["--state", state]);
        }
        let answer = output("target/release/tabiya", &arguments, "")?;
        let answer: Value = serde_json::from_str(&answer).map_err(|error| format!("{answer}: {error}"))?;
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

/// Engine and oracle on 20,000 random specs.
fn wild() -> Done<String> {
    large_test("tabiya-oracle", "wild", ("TABIYA_WILD", "20000"))
}

/// Every fast path and the oracle on 20,000 random games of the usual forms.
fn tame() -> Done<String> {
    large_test("tabiya-oracle", "tame", ("TABIYA_TAME", "20000"))
}

/// Mutated specs are diagnosed, or play on without a panic.
fn mutants() -> Done<String> {
    large_test("tabiya-oracle", "mutants", ("TABIYA_MUTANTS", "50000"))
}

/// Enochian chess: every array under both sets of rules, to depth 5 by engine and oracle, and 500 random games each.
fn enochian() -> Done<String> {
    large_test("tabiya-oracle", "enochian", ("TABIYA_ENOCHIAN", "full"))
}

/// What a move of Enochian chess costs beside one of chess on the same path; it fails if that is too much.
fn rate() -> Done<String> {
    let arguments = ["run", "--release", "--locked", "--quiet", "-p", "tabiya-notation", "--example", "rate"];
    Ok(format!("```text\n{}```\n", output("cargo", &arguments, "")?))
}

/// A match of a hundred games against every kind of agent that misbehaves.
fn rogues() -> Done<String> {
    run("cargo", &["build", "--release", "--locked", "-p", "tabiya-arena", "--examples"])?;
    large_test("tabiya-arena", "unreliable", ("TABIYA_ROGUES", "100"))
}

/// What a move costs the referee and the arena; each example fails if it is more than is allowed.
fn referee() -> Done<String> {
    let example = |name: &str| {
        let arguments = ["run", "--release", "--locked", "--quiet", "-p", "tabiya-arena", "--example", name];
        Ok(format!("`{name}`:\n\n```text\n{}```\n", output("cargo", &arguments, "")?))
    };
    let figures: Done<Vec<String>> =
        ["thousand_games", "scripted", "pingpong"].into_iter().map(example).collect();
    Ok(figures?.join("\n"))
}

/// Proofs of forced wins, beside a prover that is plain enough to be believed.
fn solve() -> Done<String> {
    large_test("tabiya-players", "proofs", ("TABIYA_SOLVE", "200"))
}

/// Levels for people, all of them.
fn levels() -> Done<String> {
    large_test("tabiya-players", "levels", ("TABIYA_LEVELS", "20"))
}

/// A thousand games with two sockets each, a thousand moves a second.
fn serve() -> Done<String> {
    large_test("tabiya", "load", ("TABIYA_LOAD", "1000"))
}

/// Licences and sources of everything that we depend on, and what is known against it, where that can be asked.
fn deny() -> Done<String> {
    let there = command("cargo", &["deny", "--version"]).output().is_ok_and(|it| it.status.success());
    if !there {
        run("cargo", &["install", "--locked", "--quiet", "cargo-deny"])?;
    }
    run("cargo", &["deny", "--locked", "check", "licenses", "bans", "sources"])?;
    let asked = command("cargo", &["deny", "--locked", "check", "advisories"]).output();
    let asked = asked.map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&asked.stderr).into_owned() + &String::from_utf8_lossy(&asked.stdout);
    let advisories = match asked.status.success() {
        true => "Nothing is known against any of them (RustSec).",
        false if said.contains("failed to fetch advisory database") => {
            "What is known against them (RustSec) could not be asked from this machine."
        }
        false => return Err(said),
    };
    Ok(format!("Licences, bans and sources of all dependencies are as deny.toml wants them. {advisories}"))
}

/// A test with a larger size, and what it printed about it.
fn large_test(package: &str, test: &str, (variable, size): (&str, &str)) -> Done<String> {
    let arguments = ["test", "--release", "--locked", "-p", package, "--test", test];
    run("cargo", &[&arguments[..], &["--no-run"]].concat())?;
    println!("{variable}={size}");
    let shown = command("cargo", &[&arguments[..], &["--", "--nocapture"]].concat())
        .env(variable, size)
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    if !shown.status.success() {
        return Err(format!("{text}{}", String::from_utf8_lossy(&shown.stderr)));
    }
    let figures: Vec<&str> = text.lines().filter(|line| line.contains("games,")).collect();
    if figures.is_empty() { Err("the test printed no figure".to_owned()) } else { Ok(figures.join("\n\n")) }
}

/// Replaces the section of that name.
fn write(name: &str, figure: &str) -> Done {
    let path = root().join("docs/measurements.md");
    let head = "# Measurements\n\nFigures at full size, each written by `cargo xtask prove NAME`.\n";
    let text = fs::read_to_string(&path).unwrap_or_else(|_| head.into());
    let heading = format!("\n## {name}\n");
    let section = format!("{heading}\n{figure}\n");
    let text = match text.find(&heading) {
        None => text + &section,
        Some(start) => {
            let after = text[start + heading.len()..]
                .find("\n## ")
                .map_or(text.len(), |end| start + heading.len() + end);
            format!("{}{section}{}", &text[..start], &text[after..])
        }
    };
    fs::write(&path, text).map_err(|error| error.to_string())
}
