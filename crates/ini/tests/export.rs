//! Exports games of the library and compares their moves with those of Fairy-Stockfish (`pyffish`) for the exported text.
#![allow(clippy::print_stderr, reason = "reports a skipped test")]

#[path = "../../notation/tests/support/mod.rs"]
mod support;

use support::{every_game, python, random_play};
use tabiya_ini::export;
use tabiya_notation::{legal_moves_uci, uci};

/// Reads the text of a variant up to a blank line, then lists of moves, and prints the legal moves after each.
const SCRIPT: &str = "\
import sys, pyffish
text, _, games = sys.stdin.read().partition('\\n\\n')
pyffish.load_variant_config(text)
name = text[1:text.index(']')]
start = pyffish.start_fen(name)
for line in games.splitlines():
    print(' '.join(sorted(pyffish.legal_moves(name, start, line.split()))))
";

#[test]
fn exported_games_have_the_same_moves_in_fairy_stockfish() {
    let has_judge = python("import pyffish", "").is_some();
    let mut exported_names = Vec::new();
    for (name, game) in every_game() {
        let json = tabiya_spec::library::find(name).expect("a library game").json;
        // Not a name that Fairy-Stockfish knows.
        let Ok(exported) = export(&game, json.as_bytes(), &format!("our-{name}")) else { continue };
        exported_names.push(name);
        if !has_judge {
            continue;
        }
        let rules = &game.rules;
        let mut ours = Vec::new();
        let mut lines = Vec::new();
        for seed in 0..2 {
            let mut position = rules.start();
            let mut played: Vec<String> = Vec::new();
            for next in random_play(rules, seed, 60, |_| {}) {
                let mut moves: Vec<String> =
                    legal_moves_uci(rules, &position).into_iter().map(|(_, text)| text).collect();
                moves.sort();
                ours.push(moves.join(" "));
                lines.push(played.join(" "));
                played.push(uci(rules, &position, next));
                position = rules.play(&position, next).expect("a legal move");
            }
        }
        let input = format!("{}\n{}\n", exported.text, lines.join("\n"));
        let theirs = python(SCRIPT, &input).expect("pyffish answers");
        for ((line, ours), theirs) in lines.iter().zip(&ours).zip(theirs.lines()) {
            assert_eq!(ours, theirs, "{name} after {line}\n{}", exported.text);
        }
        assert_eq!(theirs.lines().count(), ours.len(), "{name}");
    }
    eprintln!("exported: {exported_names:?}");
    let expected = [
        "almost",
        "amazon",
        "antichess",
        "capablanca",
        "chess",
        "coregal",
        "embassy",
        "extinction",
        "gardner",
        "grasshopper",
        "janus",
        "kinglet",
        "kingofthehill",
        "knightmate",
        "losalamos",
        "losers",
        "nightrider",
        "shako",
        "shatranj",
        "threekings",
    ];
    for name in expected {
        assert!(exported_names.contains(&name), "{name} is not exported");
    }
}

#[test]
fn what_cannot_be_exported_is_explained() {
    for (name, reason) in
        [("fourplayer", "two players"), ("enochian", "nothing like"), ("trefoil", "two players")]
    {
        let game = tabiya_spec::library::load(name).expect("a library game");
        let json = tabiya_spec::library::find(name).expect("a library game").json;
        let faults = export(&game, json.as_bytes(), name).expect_err("it has no equivalent");
        assert!(faults.iter().any(|fault| fault.contains(reason)), "{name}: {faults:?}");
    }
}
