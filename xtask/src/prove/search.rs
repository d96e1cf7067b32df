//! The speed of the search: positions per second with one and two threads.

use super::build;
use crate::shell::{Result, output};

/// Game, name and position.
const POSITIONS: [(&str, &str, &str); 4] = [
    ("chess", "opening", "startpos"),
    ("chess", "middle game", "fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"),
    ("chess", "endgame", "fen 8/5pk1/4p1p1/3pP2p/3P1P1P/1r4P1/R4K2/8 w - - 0 40"),
    ("capablanca", "opening", "startpos"),
];
/// Milliseconds per search.
const TIME_MS: u32 = 2000;
/// Searches per position; the median counts.
const ROUNDS: usize = 3;

pub(super) fn search() -> Result<String> {
    build()?;
    let mut figure = String::from(
        "| game | position | one thread, thousand positions per second | depth | two threads | depth | two / one |\n|---|---|---|---|---|---|---|\n",
    );
    let (mut product, mut count) = (1.0f64, 0);
    for (game, name, position) in POSITIONS {
        let mut results = [Vec::new(), Vec::new()];
        // In turn, so that other load on the machine affects both.
        for _ in 0..ROUNDS {
            for (index, results) in results.iter_mut().enumerate() {
                results.push(think(game, position, index + 1)?);
            }
        }
        let [(one, one_depth), (two, two_depth)] = results.map(|mut results| {
            results.sort_by(|a, b| a.0.total_cmp(&b.0));
            results[ROUNDS / 2]
        });
        let ratio = two / one;
        product *= ratio;
        count += 1;
        let row = format!(
            "| {game} | {name} | {:.0} | {one_depth} | {:.0} | {two_depth} | {ratio:.2} |\n",
            one / 1e3,
            two / 1e3
        );
        print!("{row}");
        figure.push_str(&row);
    }
    let mean = product.powf(1.0 / f64::from(count));
    figure.push_str(&format!("| geometric mean | | | | | | **{mean:.2}** |\n"));
    if mean < 1.2 { Err(format!("{figure}\na second thread adds too little")) } else { Ok(figure) }
}

/// Returns positions per second and the depth reached.
fn think(game: &str, position: &str, threads: usize) -> Result<(f64, u32)> {
    let input = format!(
        "setoption name UCI_Variant value {game}\nsetoption name Threads value {threads}\nposition {position}\ngo movetime {TIME_MS}\n"
    );
    let printed = output("target/release/tabiya", &["uci"], &input)?;
    let last =
        printed.lines().rfind(|line| line.starts_with("info depth")).ok_or("the search printed nothing")?;
    let words: Vec<&str> = last.split_whitespace().collect();
    let after = |name: &str| {
        let place = words.iter().position(|word| *word == name)?;
        words.get(place + 1)?.parse::<f64>().ok()
    };
    let rate = after("nps").ok_or_else(|| format!("no rate in {last}"))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a depth is a small number")]
    let depth = after("depth").ok_or_else(|| format!("no depth in {last}"))? as u32;
    Ok((rate, depth))
}
