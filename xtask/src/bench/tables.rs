//! The figures as tables in Markdown.

use crate::bench::comparison::{Timed, geometric_mean};
use crate::bench::fairy;
use crate::bench::perft::Figures;
use crate::bench::plan::{GENERAL, LIBRARIES, RENAMED};

/// Returns every table.
pub(crate) fn all(figures: &Figures) -> String {
    let missing = if figures.has_fairy { "" } else { "Fairy-Stockfish was not installed.\n\n" };
    let parts = [
        ("Chess, million nodes per second", rates(figures)),
        ("Chess, as a multiple of cozy-chess", ratios(figures)),
        ("Chess, every leaf made, million nodes per second", made(&figures.made)),
        ("Other games, million nodes per second", games(figures)),
        ("Chess under other names, as a multiple of chess", renamed(figures)),
        ("Larger boards and more players, general path", growth(figures)),
    ];
    let parts = parts.map(|(title, table)| format!("### {title}\n\n{table}"));
    format!("{missing}{}", parts.join("\n"))
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

fn games(figures: &Figures) -> String {
    let paths = &figures.paths;
    let last = ["Fairy-Stockfish".into(), "best path / Fairy-Stockfish".into()];
    let mut text = head(&[&[String::new()], &paths[..], &last].concat());
    for timed in &figures.games {
        let rates = paths.iter().map(|path| number(timed.rate(path))).collect();
        let theirs = timed.rate(fairy::NAME);
        let ratio = best(timed, paths).zip(theirs).map(|(ours, theirs)| ours / theirs);
        let last = vec![number(theirs), number(ratio)];
        text.push_str(&row(&[vec![timed.comparison.name.clone()], rates, last].concat()));
    }
    let with = figures.games.iter().filter(|timed| timed.rate(fairy::NAME).is_some());
    let mean = geometric_mean(with.map(|it| Some(best(it, paths)? / it.rate(fairy::NAME)?)));
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
