//! Imports every built-in variant and compares the legal moves and the results of random games with Fairy-Stockfish
//! (`pyffish`). Library games of the same name are compared, too.
//!
//! `cargo xtask test` installs pyffish and sets `TABIYA_PYTHON`. Without it the test prints a note and passes.
//! `TABIYA_INI_GAMES` sets the number of games for each variant, `TABIYA_INI_ONLY` the variants.
#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "reports a skipped test, and the variants that need a missing mechanic"
)]

#[path = "../../notation/tests/support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use support::python;
use tabiya_engine::{Move, Piece, Player, Position, Rules, Square, Termination};
use tabiya_ini::import;
use tabiya_notation::legal_moves_uci;

/// Plays random games of each variant on standard input.
const GAMES: &str = include_str!("games.py");

/// Variants in which a king at its goal waits for a last move. Fairy-Stockfish ends the game one move earlier if that move cannot
/// help; in our games it is made, and its result is the same.
const RACES: [&str; 1] = ["racingkings"];

/// Variants in which a mate by a dropped pawn is illegal. In Fairy-Stockfish it is legal and loses.
const PAWN_DROP_MATES: [&str; 9] = [
    "checkshogi",
    "euroshogi",
    "gorogoro",
    "judkins",
    "mini",
    "minishogi",
    "okisakishogi",
    "shogi",
    "torishogi",
];

/// Variants in which Fairy-Stockfish lets a player pass in check, if the generals face each other. By the rules, a check must be
/// answered.
const PASSES_IN_CHECK: [&str; 2] = ["janggi", "janggitraditional"];

/// Keys that do not affect which moves are legal or what the board alone decides.
const OF_HISTORY: [&str; 1] = ["chasingRule"];

/// Variants with rules about captures, checks, royal pieces, goals, counts and hands. Each must be imported completely, apart from
/// keys of history.
const COMPLETE: [&str; 59] = [
    "3check",
    "5check",
    "antichess",
    "armageddon",
    "asean",
    "cambodian",
    "capahouse",
    "chessgi",
    "checkshogi",
    "codrus",
    "coregal",
    "crazyhouse",
    "dobutsu",
    "dragon",
    "euroshogi",
    "extinction",
    "giveaway",
    "gorogoro",
    "grand",
    "grasshopper",
    "horde",
    "janggi",
    "janggicasual",
    "janggitraditional",
    "jesonmor",
    "judkins",
    "karouk",
    "kinglet",
    "kingofthehill",
    "kyotoshogi",
    "loop",
    "losers",
    "makruk",
    "manchu",
    "micro",
    "mini",
    "minishogi",
    "minixiangqi",
    "misere",
    "nightrider",
    "nocastle",
    "okisakishogi",
    "omicron",
    "opulent",
    "placement",
    "pocketknight",
    "racingkings",
    "seirawan",
    "shako",
    "shogi",
    "shouse",
    "sittuyin",
    "spartan",
    "suicide",
    "tencubed",
    "threekings",
    "torishogi",
    "xiangqi",
    "yarishogi",
];

/// Library games that are not those of the same name: the bare king of our shatranj does not stop the game.
const OTHER_RULES: [&str; 1] = ["shatranj"];

/// Library games whose moves are written in another way: Fairy-Stockfish adds what follows from the move.
const OTHER_TEXT: [&str; 2] = ["joust", "kyotoshogi"];

/// Variants under which library games have other names.
const OTHER_NAMES: [(&str, &str); 2] = [("3check", "threecheck"), ("5check", "fivecheck")];

/// Prints the legal moves after others.
const MOVES: &str = "\
import sys, pyffish
name, chess960, *played = sys.stdin.read().split()
print(*sorted(pyffish.legal_moves(name, pyffish.start_fen(name), played, chess960 == '1')))
";

fn games() -> u32 {
    std::env::var("TABIYA_INI_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Returns the games of a variant: from a folder of transcripts that `games.py` made elsewhere, or played now.
fn transcript(name: &str, is_960: bool, seed: usize) -> String {
    if let Ok(folder) = std::env::var("TABIYA_INI_TRANSCRIPTS") {
        return std::fs::read_to_string(format!("{folder}/{name}.txt")).expect("a transcript");
    }
    let order = format!("{name} {} {} {seed}\n", u8::from(is_960), games());
    python(GAMES, &order).expect("pyffish answers")
}

/// Returns our legal moves with their texts there: castling is king takes rook with `chess960`, and a piece that becomes its
/// promoted form or changes back has only a sign.
fn ours(rules: &Rules, position: &Position, variant: Variant<'_>) -> Vec<(Move, String)> {
    let text = |(played, text): (Move, String)| {
        let name = |square| rules.board().name(square);
        let castling = rules.castling(position, played).filter(|_| variant.is_960);
        if let Some(castling) = castling {
            return (played, format!("{}{}", name(castling.from), name(castling.partner)));
        }
        let letter = |kind| rules.kind(kind).symbol.written(Player(0));
        let Some(becomes) = played.promotion.filter(|_| played.dropped().is_none()) else {
            return (played, text);
        };
        let (before, after) = (letter(rules.moving_kind(position, played)), letter(becomes));
        let squares = || format!("{}{}", name(played.from), name(played.to));
        match (before, after) {
            // Fairy-Stockfish says nothing about a piece that stays what it is.
            _ if before == after => (played, squares()),
            _ if after.strip_prefix('+') == Some(before) => (played, squares() + "+"),
            _ if before.strip_prefix('+') == Some(after) => (played, squares() + "-"),
            _ => (played, text),
        }
    };
    legal_moves_uci(rules, position).into_iter().map(text).collect()
}

#[derive(Clone, Copy)]
struct Variant<'n> {
    name: &'n str,
    is_960: bool,
}

/// Returns the result of a game that is over, as in PGN.
fn result(rules: &Rules, position: &Position) -> Option<&'static str> {
    let winners = rules.outcome(position)?.winners;
    Some(match (winners.contains(Player(0)), winners.contains(Player(1))) {
        (true, _) => "1-0",
        (_, true) => "0-1",
        _ => "1/2",
    })
}

/// Returns whether every move leads to this result.
fn is_decided(rules: &Rules, position: &Position, wanted: &str) -> bool {
    let mut moves = legal_moves_uci(rules, position).into_iter();
    moves.all(|(played, _)| {
        let next = rules.play(position, played).expect("a legal move");
        result(rules, &next) == Some(wanted)
    })
}

/// Rules that also allow what only Fairy-Stockfish allows: in some variants, a mate by a dropped pawn is legal there and loses.
struct Lenient {
    rules: Arc<Rules>,
    position: Position,
}

impl Lenient {
    fn new(variant: Variant<'_>) -> Option<Self> {
        if !PAWN_DROP_MATES.contains(&variant.name) {
            return None;
        }
        let text = format!("[lenient:{}]\nshogiPawnDropMateIllegal = false\n", variant.name);
        let imported = import(&text, Some("lenient")).expect("a variant");
        let rules = tabiya_spec::load(imported.json.as_bytes()).game.expect("a game").rules;
        Some(Lenient { position: rules.start(), rules })
    }

    /// Returns the drops that mate.
    fn mates(&self, variant: Variant<'_>) -> Vec<String> {
        let drops =
            ours(&self.rules, &self.position, variant).into_iter().filter(|(_, text)| text.contains('@'));
        let mates = drops.filter(|(played, _)| {
            let next = self.rules.play(&self.position, *played).expect("a legal move");
            self.rules.outcome(&next).is_some_and(|outcome| outcome.reason == Termination::Checkmate)
        });
        mates.map(|(_, text)| text).collect()
    }

    fn play(&mut self, variant: Variant<'_>, chosen: &str) {
        let moves = ours(&self.rules, &self.position, variant);
        if let Some((played, _)) = moves.iter().find(|(_, text)| text == chosen) {
            self.position = self.rules.play(&self.position, *played).expect("a legal move");
        }
    }
}

/// Replays the games that pyffish played. Returns the first difference, and the number of positions.
fn replay(rules: &Rules, variant: Variant<'_>, transcript: &str) -> (Option<String>, usize) {
    let mut lenient = Lenient::new(variant);
    let mut position = rules.start();
    let mut played: Vec<&str> = Vec::new();
    let mut positions = 0;
    let mut is_left = false;
    for line in transcript.lines() {
        let [chosen, count, digest] = line.split_ascii_whitespace().collect::<Vec<_>>()[..] else {
            position = rules.start();
            if let Some(lenient) = &mut lenient {
                lenient.position = lenient.rules.start();
            }
            played.clear();
            is_left = false;
            continue;
        };
        if is_left {
            continue;
        }
        positions += 1;
        let moves = ours(rules, &position, variant);
        let mut mine: BTreeSet<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
        if chosen == "over" && RACES.contains(&variant.name) && is_decided(rules, &position, digest) {
            continue;
        }
        if chosen == "over" && mine.is_empty() {
            let result = result(rules, &position);
            if result != Some(digest) {
                let text = format!("{}: {result:?}, not {digest}: {}", variant.name, played.join(" "));
                return (Some(text), positions);
            }
            continue;
        }
        let mates = lenient.as_ref().map_or_else(Vec::new, |lenient| lenient.mates(variant));
        mine.extend(mates.iter().map(String::as_str));
        let is_passing = |square: String| format!("{square}{square}");
        let pass = king(rules, &position).map(is_passing).filter(|_| PASSES_IN_CHECK.contains(&variant.name));
        let pass = pass.filter(|pass| theirs_has_one_more(&mine, pass, count) && chosen != "over");
        mine.extend(pass.as_deref());
        let text = mine.iter().copied().collect::<Vec<_>>().join(" ");
        let hash = Sha256::digest(text).iter().take(8).fold(0_u64, |hash, byte| hash << 8 | u64::from(*byte));
        if format!("{hash:016x}") != digest || mine.len().to_string() != count {
            return (Some(difference(variant, &played, &mine)), positions);
        }
        let Some((next, _)) = moves.iter().find(|(_, text)| text == chosen) else {
            // The game leaves our rules.
            is_left = true;
            continue;
        };
        position = rules.play(&position, *next).expect("a legal move");
        if let Some(lenient) = &mut lenient {
            lenient.play(variant, chosen);
        }
        played.push(chosen);
    }
    (None, positions)
}

/// Returns the library game that is the same as a variant.
fn library_game(variant: &str) -> Option<tabiya_spec::Game> {
    let name = OTHER_NAMES.iter().find(|(there, _)| *there == variant).map_or(variant, |(_, name)| name);
    let is_same = !OTHER_RULES.contains(&name) && !OTHER_TEXT.contains(&name);
    tabiya_spec::library::load(name).ok().filter(|_| is_same)
}

/// Returns the square of the leader of the player to move.
fn king(rules: &Rules, position: &Position) -> Option<String> {
    let leader = rules.leader()?;
    let own = |(_, piece): &(Square, Piece)| piece.player == rules.mover(position) && piece.kind == leader;
    position.pieces().find(own).map(|(square, _)| rules.board().name(square))
}

/// Returns whether a move is missing, and only one.
fn theirs_has_one_more(mine: &BTreeSet<&str>, text: &str, count: &str) -> bool {
    !mine.contains(text) && count.parse() == Ok(mine.len() + 1)
}

fn difference(variant: Variant<'_>, played: &[&str], mine: &BTreeSet<&str>) -> String {
    let Variant { name, is_960 } = variant;
    let order = format!("{name} {} {}", u8::from(is_960), played.join(" "));
    let answer = python(MOVES, &order).expect("pyffish answers");
    let theirs: BTreeSet<&str> = answer.split_ascii_whitespace().collect();
    let more: Vec<&&str> = mine.difference(&theirs).collect();
    let fewer: Vec<&&str> = theirs.difference(mine).collect();
    format!("{name}: after {}: we add {more:?}, we lack {fewer:?}", played.join(" "))
}

#[test]
fn imported_variants_have_the_moves_of_fairy_stockfish() {
    let Some(names) = python("import pyffish\nprint(' '.join(pyffish.variants()))", "") else {
        eprintln!("skipped: pyffish is not installed");
        return;
    };
    let only = std::env::var("TABIYA_INI_ONLY").ok();
    let is_wanted = |name: &str| only.as_ref().is_none_or(|only| only.split(' ').any(|it| it == name));
    let mut different = Vec::new();
    let mut missing = Vec::new();
    let mut compared = BTreeSet::new();
    let (mut positions, mut library, mut played_games) = (0, 0, 0);
    for (index, name) in names.split_ascii_whitespace().enumerate().filter(|(_, name)| is_wanted(name)) {
        let imported = match import("", Some(name)) {
            Ok(imported) => imported,
            Err(error) => {
                different.push(format!("{name}: {error}"));
                continue;
            }
        };
        let keys: Vec<&str> = imported.left_out.iter().map(|it| it.key.as_str()).collect();
        if !keys.is_empty() {
            missing.push(format!("{name}: {}", keys.join(" ")));
        }
        let is_complete = keys.iter().all(|key| OF_HISTORY.contains(key));
        let ours = library_game(name);
        if !is_complete && ours.is_none() {
            continue;
        }
        let is_960 = ["fischerandom", "caparandom"].contains(&name);
        let variant = Variant { name, is_960 };
        let transcript = transcript(name, is_960, index);
        if is_complete {
            let loaded = tabiya_spec::load(imported.json.as_bytes());
            let game = loaded.game.unwrap_or_else(|| panic!("{name}: {:#?}", loaded.diagnostics));
            let (difference, seen) = replay(&game.rules, variant, &transcript);
            different.extend(difference);
            positions += seen;
            played_games += transcript.lines().filter(|line| *line == "game").count();
            compared.insert(name);
        }
        if let Some(game) = ours {
            let (difference, seen) = replay(&game.rules, variant, &transcript);
            different.extend(difference.map(|text| format!("library: {text}")));
            assert!(seen > 0, "{name}: no position");
            library += 1;
        }
    }
    println!(
        "{} variants, {} games, {positions} positions; {library} library games compared. {} variants need a missing mechanic:",
        compared.len(),
        played_games,
        missing.len()
    );
    for line in &missing {
        println!("  {line}");
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
    let incomplete: Vec<&str> =
        COMPLETE.into_iter().filter(|name| is_wanted(name) && !compared.contains(name)).collect();
    assert!(incomplete.is_empty(), "not imported completely: {incomplete:?}");
}
