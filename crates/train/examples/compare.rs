//! Plays a match of two nets at a fixed number of nodes a move, or of a net against none:
//!
//! ```sh
//! cargo run --release -p tabiya-train --example compare -- gardner gardner.net none 200 1000
//! ```
//!
//! The arguments are the game, the two nets (a file, `none` or `bundled`), the number of pairs of games and that of nodes.

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;

use tabiya_engine::Rules;
use tabiya_players::{Net, NetChoice};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, first, second, pairs, nodes] = &arguments[..] else {
        return Err("expected GAME NET NET PAIRS NODES".into());
    };
    let rules = tabiya_spec::library::load(game)?.rules;
    let nets = [choice(&rules, first)?, choice(&rules, second)?];
    let threads = std::env::var("THREADS").ok().and_then(|threads| threads.parse().ok()).unwrap_or(1);
    let score =
        tabiya_train::compare(&rules, [&nets[0], &nets[1]], nodes.parse()?, pairs.parse()?, 1, threads);
    let (games, points) = (score.games(), f64::from(score.won) + f64::from(score.drawn) / 2.0);
    let elo = score.elo().map_or_else(String::new, |elo| {
        format!("{:+.0} ± {:.0} Elo", elo.difference, elo.error.unwrap_or(f64::INFINITY))
    });
    let share = 100.0 * points / f64::from(games.max(1));
    let (won, drawn, lost) = (score.won, score.drawn, score.lost);
    writeln!(std::io::stdout(), "{game} {nodes} nodes: +{won} ={drawn} -{lost} {share:.1} % {elo}")?;
    Ok(())
}

fn choice(rules: &Rules, name: &str) -> Result<NetChoice, Box<dyn Error>> {
    Ok(match name {
        "none" => NetChoice::Nothing,
        "bundled" => NetChoice::Bundled,
        file => NetChoice::Given(Arc::new(Net::read(rules, &std::fs::read(file)?)?)),
    })
}
