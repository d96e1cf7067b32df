//! Instruction counts of perft, which do not vary between runs. The test run fails if one has grown by more than a tenth
//! over `docs/instructions.tsv`; `cargo xtask instructions --bless` rewrites the file.

#![allow(clippy::cast_precision_loss, reason = "ratios of counts far below 2^52")]

use std::fmt::Write as _;

use crate::shell::{self, Result, command, root, run};

/// Game, position, depth, path and expected nodes.
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

/// The allowed growth of a count.
const RATIO_MAX: f64 = 1.10;

/// Returns whether this machine has PEXT, which the counts assume.
pub(crate) fn has_pext() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::arch::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// Compares the counts with the file, or rewrites it.
pub(crate) fn check(bless: bool) -> Result {
    println!("\n=== instruction counts, by callgrind");
    run("cargo", &["build", "--release", "--locked", "-p", "tabiya-notation", "--example", "count"])?;
    let known = shell::read(FILE).unwrap_or_default();
    let mut written = String::from("game\tstate\tdepth\tpath\tnodes\tinstructions\n");
    let mut grown = Vec::new();
    for (game, state, depth, path, nodes) in COUNTS {
        let row = format!("{game}\t{state}\t{depth}\t{path}\t{nodes}");
        let count = instructions(game, state, *depth, path, *nodes)?;
        let _ = writeln!(written, "{row}\t{count}");
        let before = known.lines().find_map(|line| line.strip_prefix(&row)?.trim().parse::<u64>().ok());
        let ratio = before.map(|before| count as f64 / before as f64);
        let shown = ratio.map_or_else(|| "new".to_owned(), |ratio| format!("{ratio:.3} of the known count"));
        println!("{game} depth {depth} {path}: {:.1} per node, {shown}", count as f64 / *nodes as f64);
        if ratio.is_none_or(|ratio| ratio > RATIO_MAX) {
            grown.push(format!("{game} depth {depth} {path}: {count} instructions, {shown}"));
        }
    }
    if bless {
        return shell::write(FILE, &written);
    }
    if grown.is_empty() {
        return Ok(());
    }
    let grown = grown.join("\n  ");
    Err(format!(
        "perft takes more instructions than {FILE} allows (`cargo xtask instructions --bless` accepts them):\n  {grown}"
    ))
}

/// Counts the instructions of one perft, without loading the game.
fn instructions(game: &str, state: &str, depth: u32, path: &str, nodes: u64) -> Result<u64> {
    let out = "target/callgrind.out";
    let file = format!("--callgrind-out-file={}", root().join(out).display());
    let (example, depth) = ("target/release/examples/count", depth.to_string());
    let arguments =
        ["--tool=callgrind", "--toggle-collect=count::counted", &file, example, game, state, &depth, path];
    let ran =
        command("valgrind", &arguments).output().map_err(|error| format!("cannot run valgrind: {error}"))?;
    if String::from_utf8_lossy(&ran.stdout).trim() != nodes.to_string() {
        return Err(format!("{game} depth {depth} {path}: not {nodes} nodes: {ran:?}"));
    }
    let profile = shell::read(out)?;
    let total =
        profile.lines().find_map(|line| line.strip_prefix("summary:").or(line.strip_prefix("totals:")));
    total.and_then(|it| it.trim().parse().ok()).ok_or_else(|| "callgrind gave no total".to_owned())
}
