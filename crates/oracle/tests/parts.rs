//! Turns of several parts: published counts of Amazons, duck chess and international draughts, and agreement with the oracle.

use tabiya_notation::{parse_uci, uci};
use tabiya_oracle::{Oracle, compare};
use tabiya_spec::Game;

fn load(name: &str) -> Game {
    let path = format!("{}/tests/parts/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let loaded = tabiya_spec::load(&std::fs::read(path).unwrap());
    loaded.game.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics))
}

#[test]
fn published_counts_hold() {
    let counts: [(&str, &[u64]); 3] =
        [("amazons", &[2_176]), ("duck", &[640, 379_440]), ("draughts", &[9, 81, 658, 4_265, 27_117])];
    for (name, counts) in counts {
        let rules = load(name).rules;
        for (depth, nodes) in (1..).zip(counts) {
            assert_eq!(rules.perft(&rules.start(), depth), *nodes, "{name} {depth}");
        }
    }
}

#[test]
fn engine_and_oracle_agree_on_draughts() {
    let game = load("draughts");
    let oracle = Oracle::new(&game.spec);
    assert_eq!(oracle.perft(&oracle.start(), 3), 658);
    let walk = compare::compare(&game, 60, 1, 7).unwrap();
    assert!(walk.positions > 30, "{walk:?}");
}

#[test]
fn a_turn_is_one_move() {
    let game = load("draughts");
    let rules = &game.rules;
    let text = "10/10/10/5m4/10/3m4m1/2M6K/10/10/10 w - -";
    let state = tabiya_notation::parse_state(&game.rules, text).unwrap();
    let moves = rules.legal_moves(&state.position);
    assert_eq!(moves.len(), 1, "the longest capture must be made");
    assert_eq!(uci(rules, &state.position, moves[0]), "c4e6,e6g8");
    assert_eq!(parse_uci(rules, &state.position, "c4e6"), Ok(moves[0]), "the rest follows");
    let next = rules.play(&state.position, moves[0]).unwrap();
    assert_eq!(next.piece_count(), state.position.piece_count() - 2);
    let refused = parse_uci(rules, &state.position, "j4h6").unwrap_err();
    assert!(refused.to_string().contains("`priority`"), "{refused}");
}

#[test]
fn parts_lead_to_the_same_position_one_by_one() {
    let game = load("amazons");
    let rules = &game.rules;
    let start = rules.start();
    let played = parse_uci(rules, &start, "d1d7,d7g7").unwrap();
    let mut position = start.clone();
    for (before, part) in rules.parts(&start, played) {
        assert_eq!(before, position);
        position = rules.play_part(&position, part).unwrap();
    }
    assert_eq!(position, rules.play(&start, played).unwrap());
    assert_eq!(position.part(), 0);
    assert!(parse_uci(rules, &start, "d1d7,d7d7").is_err());
}
