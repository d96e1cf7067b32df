//! The strength of the search: matches against Debian's engines and our simpler players at 100 ms per move. If an engine is
//! not installed, the measurement fails and writes no figure.

use std::path::Path;

use super::build;
use crate::shell::{Result, json, output};

/// A tenth of a second per move, two games at a time.
const PACE: [&str; 4] = ["--think", "0.1", "--concurrency", "2"];

/// The score of our search in a match.
#[derive(Default)]
struct Score {
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Score {
    fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    #[expect(clippy::cast_precision_loss, reason = "there are few games")]
    fn percent(&self) -> f64 {
        100.0 * self.points / self.games() as f64
    }

    fn row(&self, label: &str) -> String {
        let Score { points, wins, draws, losses } = self;
        let row = format!("| {label} | {wins} | {draws} | {losses} | {points} | {:.0} % |\n", self.percent());
        print!("{row}");
        row
    }
}

const HEAD: &str = "| opponent | won | drawn | lost | score | |\n|---|---|---|---|---|---|\n";

/// Plays our search against an opponent.
fn play(opponent: &str, games: u32, more: &[&str]) -> Result<Score> {
    let games = games.to_string();
    let words = ["match", "player:search", opponent, "--games", &games, "--format", "json"];
    let answer = output("target/release/tabiya", &[&words[..], &PACE, more].concat(), "")?;
    let last = answer.lines().last().unwrap_or_default();
    let ours = &json(last)?["agents"][0];
    let count = |key: &str| ours[key].as_u64().ok_or_else(|| format!("no {key} in {last}"));
    let points = ours["score"].as_f64().ok_or_else(|| format!("no score in {last}"))?;
    Ok(Score { points, wins: count("wins")?, draws: count("draws")?, losses: count("losses")? })
}

fn installed(program: &'static str) -> Result<String> {
    if Path::new(program).exists() {
        Ok(format!("uci:{program}"))
    } else {
        Err(format!("{program} is not installed (Debian has it as a package)"))
    }
}

/// Plays chess against Stockfish at limited strength.
pub(super) fn stockfish() -> Result<String> {
    build()?;
    let engine = installed("/usr/games/stockfish")?;
    let (mut figure, mut failures) = (String::from(HEAD), String::new());
    for (elo, games) in [(1350, 20), (1600, 20), (1800, 100), (2000, 20), (2200, 20), (2400, 20)] {
        let option = format!("UCI_Elo={elo}");
        let limited = ["--option-b", "UCI_LimitStrength=true", "--option-b", &option];
        let result = play(&engine, games, &limited)?;
        figure.push_str(&result.row(&format!("stockfish, Elo {elo}")));
        if elo == 1800 && result.percent() < 50.0 {
            failures.push_str("less than half against 1800\n");
        }
    }
    judge(figure, &failures)
}

/// Returns the figure, or an error with it if a requirement is missed.
fn judge(figure: String, failures: &str) -> Result<String> {
    if failures.is_empty() { Ok(figure) } else { Err(format!("{figure}\n{failures}")) }
}

/// Plays variants against Fairy-Stockfish, at its lowest skill and then higher until it wins more.
pub(super) fn fairy() -> Result<String> {
    build()?;
    let engine = installed("/usr/games/fairy-stockfish")?;
    let (mut figure, mut failures) = (String::from(HEAD), String::new());
    for game in ["capablanca", "knightmate", "almost", "losalamos"] {
        for skill in [0, 3, 6, 9, 12, 15, 18, 20] {
            let option = format!("Skill Level={skill}");
            let games = if skill == 0 { 40 } else { 12 };
            let result = play(&engine, games, &["--game", game, "--option-b", &option])?;
            figure.push_str(&result.row(&format!("{game}, skill {skill}")));
            let is_less = result.percent() < 50.0;
            if is_less && skill == 0 {
                failures.push_str(&format!("{game}: less than half at skill 0\n"));
            } else if is_less {
                break;
            }
        }
    }
    judge(figure, &failures)
}

/// Plays Enochian chess against simpler players: all arrays, both sets of rules, each team as either agent.
pub(super) fn teams() -> Result<String> {
    build()?;
    let listed = output("target/release/tabiya", &["enochian", "arrays", "--format", "json"], "")?;
    let listed = json(&listed)?;
    let names: Vec<&str> =
        listed.as_array().into_iter().flatten().filter_map(|array| array["name"].as_str()).collect();
    let (mut figure, mut failures) = (String::from(HEAD), String::new());
    for (opponent, least) in [("random", 98.0), ("greedy", 85.0)] {
        for rules in ["document", "zalewski"] {
            let mut sum = Score::default();
            for name in &names {
                let more = ["--game", "enochian", "--rules", rules, "--array", name];
                let one = play(&format!("player:{opponent}"), 4, &more)?;
                if name.contains("prototype") {
                    // Two of its armies cannot move, so it has a row and is not part of the sum.
                    figure.push_str(&one.row(&format!("{opponent}, {rules}, {name}")));
                    continue;
                }
                sum.points += one.points;
                sum.wins += one.wins;
                sum.draws += one.draws;
                sum.losses += one.losses;
            }
            figure.push_str(&sum.row(&format!("{opponent}, {rules}, {} arrays", names.len() - 1)));
            #[expect(clippy::cast_precision_loss, reason = "there are few games")]
            let won = 100.0 * sum.wins as f64 / sum.games() as f64;
            if won < least {
                failures.push_str(&format!("{opponent}, {rules}: {won:.1} % won\n"));
            }
        }
    }
    judge(figure, &failures)
}
