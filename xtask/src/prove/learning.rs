//! The whole loop of learning at full size: with a net in numpy, and with PyTorch where it can be had.

use std::fs;

use serde_json::Value;

use crate::python;
use crate::shell::{Done, output, root};

/// The net alone must shorten so many mates …
const SHORTENS: f64 = 0.6;
/// … and net and search mate from so many won positions.
const MATES: f64 = 0.95;

/// King and queen against king on five by five squares; the curve goes into `docs/learning.png`.
pub(super) fn learn() -> Done<String> {
    let python = python::for_learning()?;
    let folder = root().join("target");
    let (curve, plot) = (folder.join("learning.json"), root().join("docs/learning.png"));
    let paths = [curve.display().to_string(), plot.display().to_string()];
    let program = ["-P", "python/examples/train_numpy.py", "--json", &paths[0], "--plot", &paths[1]];
    println!("{}", output(&python, &program, "")?);
    let mut figure =
        format!("numpy: {}\n\n![the curve](learning.png)\n", told(&curve.display().to_string())?);
    match python::torch(&python) {
        None => figure += "\nPyTorch could not be had here, so `train_alphazero.py` was not run.\n",
        Some(python) => {
            let program = ["-P", "python/examples/train_alphazero.py", "--json", &paths[0]];
            println!("{}", output(&python, &program, "")?);
            figure += &format!("\nPyTorch: {}\n", told(&paths[0])?);
        }
    }
    Ok(figure)
}

/// What a curve says, if it is good enough.
fn told(path: &str) -> Done<String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let read: Value = serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
    let points = read["curve"].as_array().ok_or("there is no curve")?;
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Err("the curve is empty".into());
    };
    let of = |point: &Value, key: &str| point[key].as_f64().unwrap_or(f64::NAN);
    let (shortens, mates) = (of(last, "shortening"), of(last, "mates"));
    let text = format!(
        "in {:.0} s and {} games of self-play the share of won positions in which the net alone shortens the mate rose from \
         {:.1} % to {:.1} % (by chance: {:.1} %), and that from which net and 64 simulations mate against the best defence \
         from {:.1} % to {:.1} %, of {} positions.",
        of(last, "seconds"),
        last["games"],
        100.0 * of(first, "shortening"),
        100.0 * shortens,
        100.0 * of(&read, "chance"),
        100.0 * of(first, "mates"),
        100.0 * mates,
        read["won"],
    );
    if shortens >= SHORTENS && mates >= MATES {
        Ok(text)
    } else {
        Err(format!("not enough was learned: {text}"))
    }
}
