//! Whether a net learns from our search: king and queen against king on five by five squares, where the best play is known.

use serde_json::Value;

use crate::python;
use crate::shell::{self, Result, root, run, succeeds};

/// Required share of won positions in which the net alone shortens the mate.
const SHORTENING: f64 = 0.6;
/// Required share of won positions from which net and search mate.
const MATES: f64 = 0.95;

/// Files with the learning curves.
const CURVE: &str = "target/learning.json";
const TORCH: &str = "target/learning-torch";

pub(super) fn learn() -> Result<String> {
    let (python, wheel) = python::installed()?;
    if !has(&python, "matplotlib") {
        python::install(&python, &["matplotlib"])?;
    }
    let loop_in_numpy =
        ["-B", "python/examples/train_numpy.py", "--json", CURVE, "--plot", "docs/learning.png"];
    run(&python, &loop_in_numpy)?;
    let written = shell::json(&shell::read(CURVE)?)?;
    let curve = written["curve"].as_array().ok_or("the training loop wrote no curve")?;
    let last = reached(curve.last())?;
    let mut figure = format!(
        "King and queen against king on 5 by 5 squares: {} positions with White to move, all won. A random move \
         shortens the mate in {:.1} % of them, and 64 simulations without a net mate from {:.1} %, always against the best \
         defence. Mates of the last rows of both loops are from all positions, of others from 200.\n\n\
         | | iterations | games | minutes | the net alone shortens the mate | net and 64 simulations mate |\n\
         |---|---|---|---|---|---|\n",
        written["won"],
        100.0 * number(&written["chance"])?,
        100.0 * number(&written["alone"])?
    );
    let early = curve.iter().find(|point| point["shortening"].as_f64() >= Some(SHORTENING));
    for (name, point) in [("numpy, before", curve.first()), ("numpy", early), ("numpy", curve.last())] {
        figure.push_str(&row(name, point)?);
    }
    let torch = match with_torch(&wheel)? {
        None => "No python here has PyTorch, so `train_alphazero.py` was not measured.".to_owned(),
        Some(python) => {
            let example = ["-B", "python/examples/train_alphazero.py", "--out", TORCH];
            run(&python, &example)?;
            let curve = shell::json(&shell::read(&format!("{TORCH}/curve.json"))?)?;
            let point = curve.as_array().and_then(|curve| curve.last());
            figure.push_str(&row("PyTorch", point)?);
            enough("PyTorch", reached(point)?)?;
            let point = point.ok_or("no point")?;
            format!(
                "The net of PyTorch, with 32 simulations and in either seat in half of the games, scores {:.1} % against \
                 random moves and {:.1} % against the same search without a net. The side with the queen must win, so 75 % \
                 is the most against a player that never mates.",
                100.0 * number(&point["random"])?,
                100.0 * number(&point["search"])?
            )
        }
    };
    println!("{figure}\n{torch}");
    enough("numpy", last)?;
    Ok(format!("{figure}\n![how both shares rise](learning.png)\n\n{torch}\n"))
}

/// Returns both shares at a point of a curve.
fn reached(point: Option<&Value>) -> Result<(f64, f64)> {
    let point = point.ok_or("the curve is empty")?;
    Ok((number(&point["shortening"])?, number(&point["mates"])?))
}

fn enough(name: &str, (shortening, mates): (f64, f64)) -> Result {
    if shortening >= SHORTENING && mates >= MATES {
        return Ok(());
    }
    Err(format!(
        "{name} has learned too little: it shortens the mate in {shortening:.3} (required {SHORTENING}) and mates in \
         {mates:.3} (required {MATES})"
    ))
}

fn row(name: &str, point: Option<&Value>) -> Result<String> {
    let (shortening, mates) = reached(point)?;
    let point = point.ok_or("the curve is empty")?;
    let minutes =
        point["seconds"].as_f64().map(|it| it / 60.0).or(point["minutes"].as_f64()).ok_or("no time")?;
    let (iterations, games) = (number(&point["iteration"])?, number(&point["games"])?);
    let (shortening, mates) = (100.0 * shortening, 100.0 * mates);
    Ok(format!("| {name} | {iterations} | {games} | {minutes:.1} | {shortening:.1} % | {mates:.1} % |\n"))
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().ok_or_else(|| format!("{value} is not a number"))
}

fn has(python: &str, module: &str) -> bool {
    succeeds(python, &["-c", &format!("import {module}")])
}

/// Returns a Python with PyTorch and the package, if some Python here has PyTorch. PyTorch is not downloaded: it is larger
/// than everything else together.
fn with_torch(wheel: &str) -> Result<Option<String>> {
    let Some(base) = ["python3", "/usr/bin/python3"].into_iter().find(|python| has(python, "torch")) else {
        return Ok(None);
    };
    let folder = root().join("target/venv-torch").display().to_string();
    run(base, &["-m", "venv", "--clear", "--system-site-packages", &folder])?;
    let python = format!("{folder}/bin/python3");
    // Keeps the numpy that this PyTorch was built for.
    python::install(&python, &["--no-deps", wheel])?;
    Ok(Some(python))
}
