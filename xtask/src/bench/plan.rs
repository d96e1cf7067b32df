//! What is measured: positions and games with their known counts.

use std::collections::BTreeMap;

use crate::bench::comparison::{Comparison, Request};
use crate::bench::fairy;
use crate::shell::{self, Result};

/// Chess libraries; the first is the unit of comparison.
pub(crate) const LIBRARIES: [&str; 3] = ["cozy-chess", "chess", "shakmaty"];

/// The path that plays every game. It gets smaller depths, as do engines that are as slow.
pub(crate) const GENERAL: &str = "general";

/// Chess under other names: the game and its change, which adds to those before it.
pub(crate) const RENAMED: [(&str, &str); 3] = [
    ("renamed", "other codes, pieces and their moves in another order"),
    ("renamed-stranger", "also a piece that can never arise"),
    ("renamed-rotated", "also Black rotated instead of mirrored, castling written for both sides"),
];

/// A standard position: name, FEN, and three depths with their counts.
type Known = (&'static str, &'static str, [(u32, u64); 3]);

const POSITIONS: [Known; 6] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        [(4, 197_281), (5, 4_865_609), (6, 119_060_324)],
    ),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [(3, 97_862), (4, 4_085_603), (5, 193_690_690)],
    ),
    (
        "position 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        [(5, 674_624), (6, 11_030_083), (7, 178_633_661)],
    ),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        [(3, 9_467), (4, 422_333), (5, 15_833_292)],
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        [(3, 62_379), (4, 2_103_487), (5, 89_941_194)],
    ),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [(3, 89_890), (4, 3_894_594), (5, 164_075_551)],
    ),
];

/// Start positions of generated games: name, depth, count.
const GROWTH: [(&str, u32, u64); 7] = [
    ("square-8", 4, 197_561),
    ("square-10", 4, 443_735),
    ("square-16", 3, 72_676),
    ("square-32", 3, 652_256),
    ("cross-2", 4, 235_035),
    ("cross-3", 4, 183_245),
    ("cross-4", 4, 152_050),
];

fn request(engine: &str, game: &str, state: &str, (depth, nodes): (u32, u64)) -> Request {
    Request { engine: engine.into(), game: game.into(), state: state.into(), depth, nodes }
}

fn is_slow(engine: &str) -> bool {
    [GENERAL, fairy::NAME].contains(&engine)
}

/// Every engine on the six positions.
pub(crate) fn chess(paths: &[String]) -> Vec<Comparison> {
    let comparison = |(name, state, counts): &Known| {
        let engines = LIBRARIES.iter().copied().chain(paths.iter().map(String::as_str)).chain([fairy::NAME]);
        let requests = engines.map(|it| request(it, "chess", state, counts[if is_slow(it) { 1 } else { 2 }]));
        Comparison { name: (*name).into(), requests: requests.collect() }
    };
    POSITIONS.iter().map(comparison).collect()
}

/// Perft that makes the last move as well.
pub(crate) fn made() -> Vec<Comparison> {
    let comparison = |(name, state, counts): &Known| {
        let requests = ["cozy-chess, made", "ours, made"].map(|it| request(it, "chess", state, counts[1]));
        Comparison { name: (*name).into(), requests: requests.into() }
    };
    POSITIONS.iter().map(comparison).collect()
}

/// Chess under other names beside chess, on each path.
pub(crate) fn renamed(paths: &[String]) -> Vec<Comparison> {
    let comparison = |(name, state, counts): &Known| {
        let games = || ["chess"].into_iter().chain(RENAMED.map(|(game, _)| game));
        let requests = paths.iter().flat_map(|path| {
            games().map(move |game| request(path, game, state, counts[usize::from(path != GENERAL)]))
        });
        Comparison { name: format!("renamed, {name}"), requests: requests.collect() }
    };
    POSITIONS.iter().map(comparison).collect()
}

/// Larger boards and more players.
pub(crate) fn growth() -> Vec<Comparison> {
    let comparison = |(game, depth, nodes): (&str, u32, u64)| Comparison {
        name: game.into(),
        requests: vec![request(GENERAL, game, "start", (depth, nodes))],
    };
    GROWTH.map(comparison).into()
}

/// The start positions of all other library games with known counts.
pub(crate) fn games(paths: &[String]) -> Result<Vec<Comparison>> {
    let table = shell::read("crates/oracle/tests/perft.tsv")?;
    let mut starts: BTreeMap<&str, Vec<(u32, u64)>> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let [game, state, depth, nodes] = row.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("not a row of the table: {row}"));
        };
        // The second rank of a start position has no empty squares.
        let is_start =
            state == "start" || state.split('/').nth(1).is_some_and(|rank| !rank.contains(is_digit));
        if let (true, true, Ok(depth), Ok(nodes)) = (game != "chess", is_start, depth.parse(), nodes.parse())
        {
            starts.entry(game).or_default().push((depth, nodes));
        }
    }
    let comparison = |(game, counts): (&str, Vec<(u32, u64)>)| {
        let below = |limit: u64| counts.iter().copied().filter(|(_, nodes)| *nodes <= limit).max();
        let fairy = fairy::variant(game).map(|_| fairy::NAME);
        let engines = paths.iter().map(String::as_str).chain(fairy);
        let requests = engines.filter_map(|it| {
            let limit = if is_slow(it) { 10_000_000 } else { 150_000_000 };
            Some(request(it, game, "start", below(limit)?))
        });
        Comparison { name: game.into(), requests: requests.collect() }
    };
    Ok(starts.into_iter().map(comparison).collect())
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}
