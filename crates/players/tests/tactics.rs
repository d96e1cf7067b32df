//! Players find mates, hanging pieces and short tactics.

mod support;

use support::{choice, choose_with_info, game, position};
use tabiya_players::{Greedy, Limits, NAMES, Score, Search, by_name};

/// Checks that players choose a move with every seed.
fn check_choice(name: &str, state: &str, players: &[&str], expected: &str) {
    let game = game(name);
    let position = position(&game.rules, state);
    for (player, seed) in players.iter().flat_map(|player| (0..5).map(move |seed| (player, seed))) {
        let mut player_of_seed = by_name(player, seed).expect("a player of that name");
        let chosen = choice(&game.rules, &position, &mut *player_of_seed);
        assert_eq!(chosen, expected, "{player} with seed {seed} in {name}: {state}");
    }
}

const BOTH: &[&str] = &["greedy", "search"];

#[test]
fn a_mate_in_one_is_found_in_any_game() {
    check_choice("chess", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", BOTH, "a1a8");
    // Mate is better than winning the queen.
    check_choice("chess", "6k1/5ppp/8/8/8/8/6PK/1q2R3 w - - 0 1", BOTH, "e1e8");
    check_choice("gardner", "k4/5/1K3/5/4R w - - 0 1", BOTH, "e1e5");
    check_choice("losalamos", "k5/6/1K4/6/6/5R w - - 0 1", BOTH, "f1f6");
    check_choice("capablanca", "k9/10/1K8/10/10/10/10/9R w - - 0 1", BOTH, "j1j8");
    check_choice("berolina", "k7/8/1K6/8/8/8/8/7R w - - 0 1", BOTH, "h1h8");
}

#[test]
fn eliminating_an_opponent_is_good() {
    // The rook moves from d4 to a4 and mates BLUE on the a-file.
    let mate =
        "***8***/***8***/***8***/k4.K8/14/4p9/13.k/14/14/1R12/3R10/***8***/***8***/***4K3*** r - - 0 1";
    check_choice("fourplayer", mate, BOTH, "d4a4");
}

#[test]
fn hanging_queens_are_captured() {
    check_choice("chess", "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", BOTH, "e3d5");
    check_choice("knightmate", "4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", BOTH, "d1d5");
    // En passant and promotion.
    check_choice("chess", "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", &["greedy"], "e5d6");
    check_choice("chess", "k7/5P2/8/8/8/8/8/K7 w - - 0 1", BOTH, "f7f8q");
}

#[test]
fn a_queen_does_not_capture_a_protected_pawn() {
    let game = game("chess");
    let position = position(&game.rules, "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1");
    for (name, seed) in BOTH.iter().flat_map(|name| (0..5).map(move |seed| (name, seed))) {
        let mut player = by_name(name, seed).expect("a player of that name");
        assert_ne!(choice(&game.rules, &position, &mut *player), "d2d6", "{name}");
    }
}

#[test]
fn search_sees_replies_and_forks() {
    // Capturing on e5 loses the rook to the knight on c6; the pawn on a6 is free.
    check_choice("chess", "7k/8/p1n5/4p3/8/8/8/R3R2K w - - 0 1", &["search"], "a1a6");
    // A knight fork wins the queen in three plies.
    let game = game("chess");
    let position = position(&game.rules, "q3k3/8/8/1N6/8/8/8/4K3 w - - 0 1");
    assert_eq!(choice(&game.rules, &position, &mut Search::new(0)), "b5c7");
}

#[test]
fn faster_mates_are_better() {
    let game = game("chess");
    let rules = &game.rules;
    let limits = Limits { depth: Some(5), ..Limits::default() };
    for (state, expected) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R1Q3K1 w - - 0 1", Score::Win(1)),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", Score::Win(3)),
        ("7k/5K2/8/8/8/8/8/6R1 b - - 0 1", Score::Loss(2)),
    ] {
        let (_, info) = choose_with_info(rules, &position(rules, state), &mut Search::new(1), limits);
        assert_eq!(info.expect("a depth was completed").score, expected, "{state}");
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let game = game("chess");
    for state in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        let position = position(&game.rules, state);
        for name in NAMES {
            let mut player = by_name(name, 0).expect("a player of that name");
            assert_eq!(player.choose(&game.rules, &position), None, "{name} in {state}");
        }
    }
}

#[test]
fn stalemate_is_avoided() {
    // Qf7 would be stalemate.
    let game = game("chess");
    let position = position(&game.rules, "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1");
    for seed in 0..20 {
        assert_ne!(choice(&game.rules, &position, &mut Greedy::new(seed)), "f2f7");
        assert_ne!(choice(&game.rules, &position, &mut Search::new(seed)), "f2f7");
    }
}

#[test]
fn games_without_a_leader_are_about_material() {
    let actions = r#"[{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]"#;
    let steps = ["[0,1]", "[1,0]", "[0,-1]", "[-1,0]"];
    let moves: Vec<String> = (0..4)
        .map(|id| {
            let step = steps[id];
            format!(r#"{{ "id": {id}, "step": {step}, "repeat": {{ "loop": true }}, "actions": {actions} }}"#)
        })
        .collect();
    let army = |name: &str, direction: &str, squares: &str| {
        let start = format!(r#"[{{ "piece": "ROOK", "positions": {squares} }}]"#);
        format!(r#"{{ "name": "{name}", "direction": "{direction}", "starting_positions": {start} }}"#)
    };
    let spec = format!(
        r#"{{ "name": "Rooks", "board": {{ "dimensions": [4, 4] }}, "players": [{}, {}],
            "turns": {{ "order": ["A", "B"] }}, "pieces": [{{ "code": "ROOK", "moves": [{}] }}] }}"#,
        army("A", "UP", "[[0,0], [3,0]]"),
        army("B", "DOWN", "[[0,3], [2,2]]"),
        moves.join(", ")
    );
    let game = tabiya_spec::load(spec.as_bytes()).game.expect("a sound spec");
    let start = game.rules.start();
    assert_eq!(choice(&game.rules, &start, &mut Greedy::new(3)), "a1a4");
    assert_eq!(choice(&game.rules, &start, &mut Search::new(3)), "a1a4");
}

#[test]
fn quiet_turns_draw_the_game() {
    // After 99 quiet turns, only a move of the pawn does not draw, unless it mates at once.
    let game = game("chess");
    let position = position(&game.rules, "7k/8/8/8/8/8/4P3/3Q3K w - - 99 90");
    let score_and_source = |quiet| {
        let limits = Limits { depth: Some(4), quiet, ..Limits::default() };
        let (played, info) = choose_with_info(&game.rules, &position, &mut Search::new(1), limits);
        let source = game.rules.board().name(played.expect("a move").from);
        (info.expect("a depth was completed").score, source)
    };
    let (score, source) = score_and_source(99);
    assert_eq!(source, "e2", "{score:?}");
    assert!(!matches!(score, Score::Centipawns(..=500)), "{score:?}");
    let without_pawn = support::position(&game.rules, "7k/8/8/8/8/8/8/3Q3K w - - 99 90");
    let limits = Limits { depth: Some(4), quiet: 99, ..Limits::default() };
    let (_, info) = choose_with_info(&game.rules, &without_pawn, &mut Search::new(1), limits);
    assert_eq!(info.expect("a depth was completed").score, Score::Centipawns(0));
}
