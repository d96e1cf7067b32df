//! How many instructions a count takes: the figure that does not wobble. The gate fails if one has grown by more than a
//! tenth over `docs/instructions.tsv`; `cargo xtask instructions --bless` writes the file anew.

#![allow(clippy::cast_precision_loss, reason = "ratios of counts far below 2^52")]

use std::fmt::Write;
use std::fs;

use crate::shell::{Done, command, root, run};

/// What is counted: a game, a position, a depth, a path, and the nodes that must come out.
const COUNTS: &[(&str, &str, u32, &str, u64)] = &[
    ("chess", "start", 4, "scalar", 197_281),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, "scalar", 97_862),
    ("capablanca", "start", 3, "scalar", 25_228),
    ("chess", "start", 3, "general", 8_902),
    ("fourplayer", "start", 2, "general", 395),
    ("enochian:Earth of Air:document", "start", 3, "general", 2_223),
    ("enochian:Earth of Air:zalewski", "start", 3, "general", 2_223),
];

const FILE: &str = "docs/instructions.tsv";

/// The most that a figure may grow.
const SLACK: f64 = 1.10;

/// Compares with the file, or writes it.
pub(crate) fn check(bless: bool) -> Done {
    println!("\n=== instructions, by callgrind");
    if !std::arch::is_x86_feature_detected!("bmi2") {
        println!("This machine has no PEXT, so its figures are not those of {FILE}: skipped.");
        return Ok(());
    }
    run("cargo", &["build", "--release", "--locked", "-p", "tabiya-notation", "--example", "count"])?;
    let known = fs::read_to_string(root().join(FILE)).unwrap_or_default();
    let mut written = String::from("game\tstate\tdepth\tpath\tnodes\tinstructions\n");
    let mut grown = Vec::new();
    for (game, state, depth, path, nodes) in COUNTS {
        let row = format!("{game}\t{state}\t{depth}\t{path}\t{nodes}");
        let count = instructions(game, state, *depth, path, *nodes)?;
        let _ = writeln!(written, "{row}\t{count}");
        let before = known.lines().find_map(|line| line.strip_prefix(&row)?.trim().parse::<u64>().ok());
        let ratio = before.map(|before| count as f64 / before as f64);
        let shown = ratio.map_or_else(|| "new".to_owned(), |ratio| format!("{ratio:.3} of what is known"));
        println!("{game} depth {depth} {path}: {:.1} a node, {shown}", count as f64 / *nodes as f64);
        if ratio.is_none_or(|ratio| ratio > SLACK) {
            grown.push(format!("{game} depth {depth} {path}: {count} instructions, {shown}"));
        }
    }
    if bless {
        return fs::write(root().join(FILE), written)
            .map_err(|error| format!("cannot write {FILE}: {error}"));
    }
    if grown.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "counting takes more instructions than {FILE} allows (`cargo xtask instructions --bless` accepts it):\n  {}",
            grown.join("\n  ")
        ))
    }
}

/// The instructions of one count, without loading the game.
fn instructions(game: &str, state: &str, depth: u32, path: &str, nodes: u64) -> Done<u64> {
    let out = root().join("target/callgrind.out");
    let (example, file) =
        ("target/release/examples/count", format!("--callgrind-out-file={}", out.display()));
    let depth = depth.to_string();
    let arguments =
        ["--tool=callgrind", "--toggle-collect=count::counted", &file, example, game, state, &depth, path];
    let done =
        command("valgrind", &arguments).output().map_err(|error| format!("cannot run valgrind: {error}"))?;
    if String::from_utf8_lossy(&done.stdout).trim() != nodes.to_string() {
        return Err(format!("{game} depth {depth} {path}: not {nodes} nodes: {done:?}"));
    }
    let profile = fs::read_to_string(&out).map_err(|error| format!("callgrind wrote nothing: {error}"))?;
    let summary =
        profile.lines().find_map(|line| line.strip_prefix("summary:").or(line.strip_prefix("totals:")));
    summary.and_then(|it| it.trim().parse().ok()).ok_or_else(|| "callgrind gave no total".to_owned())
}
