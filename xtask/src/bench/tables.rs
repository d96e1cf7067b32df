//! The figures as tables in Markdown.

use crate::bench::comparison::{Timed, geometric_mean};
use crate::bench::fairy;
use crate::bench::perft::Figures;
use crate::bench::plan::{GENERAL, LIBRARIES, RENAMED};

/// Returns every table.
pub(crate) fn all(figures: &Figures) -> String {
    let missing = missing(figures.has_fairy);
    let parts = [
        ("Chess, million nodes per second", rates(figures)),
        ("Chess, as a multiple of cozy-chess", ratios(figures)),
        ("Chess, every leaf made, million nodes per second", made(&figures.made)),
        ("Chess under other names, as a multiple of chess", renamed(figures)),
        ("Larger boards and more players, general path", growth(figures)),
    ];
    let parts = parts.map(|(title, table)| format!("### {title}\n\n{table}"));
    format!("{missing}{}", parts.join("\n"))
}

fn missing(has_fairy: bool) -> &'static str {
    if has_fairy { "" } else { "Fairy-Stockfish was not installed.\n\n" }
}

/// Returns engines and their names, in the order of the tables.
pub(crate) fn engines(figures: &Figures) -> Vec<(&str, String)> {
    let others = LIBRARIES.iter().map(|it| (*it, (*it).to_owned()));
    let ours = figures.paths.iter().map(|it| (it.as_str(), format!("Tabiya, {it}")));
    let fairy = figures.has_fairy.then(|| (fairy::NAME, "Fairy-Stockfish".to_owned()));
    others.chain(fairy).chain(ours).collect()
}

/// Returns the rates of an engine as multiples of another's.
pub(crate) fn multiples(timed: &[Timed], engine: &str, of: &str) -> Vec<Option<f64>> {
    timed.iter().map(|timed| Some(timed.rate(engine)? / timed.rate(of)?)).collect()
}

fn head(cells: &[String]) -> String {
    let line = |fill: &str| format!("|{}\n", fill.repeat(cells.len()));
    format!("{}{}", row(cells), line("---|"))
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn names(timed: &[Timed]) -> Vec<String> {
    timed.iter().map(|timed| timed.comparison.name.clone()).collect()
}

fn number(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(value) if value < 9.95 => format!("{value:.1}"),
        Some(value) => format!("{value:.0}"),
    }
}

fn multiple(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(value) if value < 0.0995 => format!("{value:.3}"),
        Some(value) => format!("{value:.2}"),
    }
}

fn rates(figures: &Figures) -> String {
    let mut text = head(&[vec![String::new()], names(&figures.chess)].concat());
    for (engine, name) in engines(figures) {
        let rates = figures.chess.iter().map(|timed| number(timed.rate(engine))).collect();
        text.push_str(&row(&[vec![name], rates].concat()));
    }
    text
}

fn ratios(figures: &Figures) -> String {
    let titles = [vec![String::new()], names(&figures.chess), vec!["geometric mean".into()]].concat();
    let mut text = head(&titles);
    for (engine, name) in engines(figures) {
        let values = multiples(&figures.chess, engine, LIBRARIES[0]);
        let mean = format!("**{}**", multiple(geometric_mean(values.clone())));
        let values = values.into_iter().map(multiple).collect();
        text.push_str(&row(&[vec![name], values, vec![mean]].concat()));
    }
    text
}

fn made(timed: &[Timed]) -> String {
    let (theirs, ours) = ("cozy-chess, made", "ours, made");
    let mut text = head(&["", "cozy-chess", "Tabiya", "Tabiya / cozy-chess"].map(Into::into));
    let values = multiples(timed, ours, theirs);
    for (timed, value) in timed.iter().zip(&values) {
        let name = timed.comparison.name.clone();
        text.push_str(&row(&[name, number(timed.rate(theirs)), number(timed.rate(ours)), multiple(*value)]));
    }
    let mean = format!("**{}**", multiple(geometric_mean(values)));
    text + &row(&["geometric mean".into(), String::new(), String::new(), mean])
}

fn best(timed: &Timed, paths: &[String]) -> Option<f64> {
    paths.iter().filter_map(|path| timed.rate(path)).max_by(f64::total_cmp)
}

/// How many times as fast as Fairy-Stockfish the games must be: each of them, and all in the geometric mean.
const REQUIRED: (f64, f64) = (4.0, 10.0);

fn over_fairy(timed: &Timed, paths: &[String]) -> Option<f64> {
    Some(best(timed, paths)? / timed.rate(fairy::NAME)?)
}

/// Returns the games that are not as fast as required.
pub(crate) fn slower_than_required(games: &[Timed], paths: &[String]) -> Vec<String> {
    let ratios = games.iter().filter_map(|timed| Some((&timed.comparison.name, over_fairy(timed, paths)?)));
    let ratios: Vec<(&String, f64)> = ratios.collect();
    let mean = geometric_mean(ratios.iter().map(|(_, ratio)| Some(*ratio)));
    let slow = ratios.iter().filter(|(_, ratio)| *ratio < REQUIRED.0);
    let slow = slow.map(|(game, ratio)| format!("{game}: {ratio:.1} times Fairy-Stockfish"));
    let all = mean.filter(|mean| *mean < REQUIRED.1).map(|mean| format!("geometric mean {mean:.1}"));
    slow.chain(all).collect()
}

/// Returns the table of the games of the library.
pub(crate) fn games(games: &[Timed], paths: &[String], has_fairy: bool) -> String {
    let last = ["Fairy-Stockfish".into(), "best path / Fairy-Stockfish".into()];
    let mut text = format!("{}### Other games, million nodes per second\n\n", missing(has_fairy));
    text.push_str(&head(&[&[String::new()], paths, &last].concat()));
    for timed in games {
        let rates = paths.iter().map(|path| number(timed.rate(path))).collect();
        let theirs = timed.rate(fairy::NAME);
        let last = vec![number(theirs), number(over_fairy(timed, paths))];
        text.push_str(&row(&[vec![timed.comparison.name.clone()], rates, last].concat()));
    }
    let ratios = games.iter().filter_map(|timed| over_fairy(timed, paths));
    let mean = geometric_mean(ratios.map(Some));
    let gap = vec![String::new(); paths.len() + 1];
    text + &row(&[vec!["geometric mean".into()], gap, vec![format!("**{}**", number(mean))]].concat())
}

fn renamed(figures: &Figures) -> String {
    let paths = &figures.paths;
    let mut text = head(&[&["chess with".into()], &paths[..], &["best path".into()]].concat());
    for (game, change) in RENAMED {
        let mean = |rate: &dyn Fn(&Timed, &str) -> Option<f64>| {
            let values = figures.renamed.iter();
            multiple(geometric_mean(values.map(|timed| Some(rate(timed, game)? / rate(timed, "chess")?))))
        };
        let each = paths.iter().map(|path| mean(&|timed, game| timed.rate_in(path, game))).collect();
        let best = mean(&|timed, game| {
            paths.iter().filter_map(|path| timed.rate_in(path, game)).max_by(f64::total_cmp)
        });
        text.push_str(&row(&[vec![change.into()], each, vec![best]].concat()));
    }
    text
}

fn growth(figures: &Figures) -> String {
    let titles = "board,players,squares,pieces,legal moves,million nodes per second,ns per move,bytes";
    let mut text = head(&titles.split(',').map(Into::into).collect::<Vec<_>>());
    for (timed, weight) in &figures.growth {
        let name = &timed.comparison.name;
        let (board, players) = match name.split_once('-') {
            Some(("square", side)) => (format!("{side}×{side}"), "2"),
            Some((_, players)) => ("14×14 cross".into(), players),
            None => (name.clone(), ""),
        };
        let rate = timed.rate(GENERAL).map_or("–".into(), |rate| format!("{rate:.2}"));
        text.push_str(&row(&[
            board,
            players.into(),
            weight.squares.to_string(),
            weight.pieces.to_string(),
            weight.moves.to_string(),
            rate,
            number(timed.nanoseconds_per(weight.generated)),
            weight.bytes.to_string(),
        ]));
    }
    text
}
