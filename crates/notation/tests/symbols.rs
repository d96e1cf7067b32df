//! Pieces with plus signs before their letter, and pieces with a character for each player: board text, diagrams and
//! moves.

use std::sync::Arc;

use tabiya_engine::Rules;
use tabiya_notation::{State, diagram, fen, parse_san, parse_state, parse_uci, san, uci};

/// Returns a game on a board of three files: kings, rooks, and pawns that become dragons. The arguments are the
/// keys `letter` or `letters` of rook and dragon.
fn game(rook: &str, dragon: &str) -> Arc<Rules> {
    let step = |id: i32, step: &str, more: &str| {
        format!(
            r#"{{ "id": {id}, "step": {step}, {more}
                "actions": [{{ "state": "EMPTY", "action": "MOVE" }}, {{ "state": "ENEMY", "action": "CAPTURE" }}] }}"#
        )
    };
    let around = |more: &str| {
        let steps = ["[0, 1]", "[1, 0]", "[0, -1]", "[-1, 0]"];
        let moves: Vec<String> = (0..).zip(steps).map(|(id, to)| step(id, to, more)).collect();
        format!("[{}]", moves.join(", "))
    };
    let slide = r#""repeat": { "loop": true },"#;
    let promotes = r#""modifiers": [{ "action": "TRANSFORM", "conditions": [{ "condition": "END" }],
        "options": ["DRAGON", "ROOK"] }],"#;
    let text = format!(
        r#"{{ "name": "X", "leader": "KING", "board": {{ "dimensions": [3, 5] }},
        "players": [
            {{ "name": "RED", "direction": "UP", "starting_positions": [
                {{ "piece": "KING", "positions": [[2, 0]] }}, {{ "piece": "PAWN", "positions": [[1, 3], [2, 3]] }},
                {{ "piece": "DRAGON", "positions": [[2, 1], [1, 1]] }}] }},
            {{ "name": "BLACK", "direction": "DOWN", "starting_positions": [
                {{ "piece": "KING", "positions": [[0, 4]] }}, {{ "piece": "ROOK", "positions": [[0, 3]] }},
                {{ "piece": "DRAGON", "positions": [[0, 1]] }}] }}],
        "turns": {{ "order": ["RED", "BLACK"] }},
        "conditions": [{{ "code": "END", "type": "POSITION", "check": {{
            "RED": [[0, 4], [1, 4], [2, 4]], "BLACK": [[0, 0], [1, 0], [2, 0]] }} }}],
        "pieces": [
            {{ "code": "KING", "moves": {king} }}, {{ "code": "ROOK", {rook}, "moves": {slides} }},
            {{ "code": "DRAGON", {dragon}, "moves": {slides} }},
            {{ "code": "PAWN", "moves": [{pawn}] }}] }}"#,
        king = around(""),
        slides = around(slide),
        pawn = step(0, "[0, 1]", promotes),
    );
    let loaded = tabiya_spec::load(text.as_bytes());
    loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)).rules
}

/// Asserts that the start is written like this, and that board text and every move can be read back.
fn check(rules: &Rules, text: &str) {
    let state = State::new(rules.start());
    assert_eq!(fen(rules, &state), text);
    let read = parse_state(rules, text).expect("board text");
    assert_eq!(rules.identity(&read.position), rules.identity(&state.position));
    let position = &state.position;
    for played in rules.legal_moves(position) {
        assert_eq!(parse_uci(rules, position, &uci(rules, position, played)), Ok(played));
        assert_eq!(parse_san(rules, position, &san(rules, position, played)), Ok(played));
        let next = rules.play_unchecked(position, played);
        for answer in rules.legal_moves(&next) {
            assert_eq!(parse_uci(rules, &next, &uci(rules, &next, answer)), Ok(answer));
            assert_eq!(parse_san(rules, &next, &san(rules, &next, answer)), Ok(answer));
        }
    }
}

#[test]
fn letters_may_have_plus_signs() {
    let rules = game(r#""letter": "R""#, r#""letter": "+R""#);
    check(&rules, "k2/rPP/3/+r+R+R/2K r - - 0 1");
    let start = rules.start();
    let to_dragon = parse_uci(&rules, &start, "b4b5+r").expect("a promotion");
    assert_eq!(san(&rules, &start, to_dragon), "b5=+R#");
    assert_eq!(uci(&rules, &start, to_dragon), "b4b5+r");
    for text in ["b5=+R", "b5+R", "b5+R+", "b5=+r", "b5=DRAGON"] {
        assert_eq!(parse_san(&rules, &start, text), Ok(to_dragon), "{text}");
    }
    let dragon = parse_san(&rules, &start, "+Rxa2").expect("a move of the dragon");
    assert_eq!(
        (san(&rules, &start, dragon).as_str(), uci(&rules, &start, dragon).as_str()),
        ("+Rxa2", "b2a2")
    );
    let drawn = "5 k  .  .\n4 r  P  P\n3 .  .  .\n2 +r +R +R\n1 .  .  K\n  a  b  c";
    assert_eq!(diagram(&rules, &start), drawn);
    let error = parse_state(&rules, "k2/rPP/3/+k+R+R/2K r - -").expect_err("there is no such piece");
    assert_eq!(error.to_string(), "rank 2: `+k` is not a piece of this game");
}

#[test]
fn each_player_may_have_a_character() {
    let rules =
        game(r#""letters": { "RED": "俥", "BLACK": "車" }"#, r#""letters": { "RED": "龍", "BLACK": "+車" }"#);
    check(&rules, "k2/車PP/3/+車龍龍/2K r - - 0 1");
    let start = rules.start();
    let to_dragon = parse_uci(&rules, &start, "b4b5龍").expect("a promotion");
    assert_eq!(san(&rules, &start, to_dragon), "b5=龍#");
    assert_eq!(parse_san(&rules, &start, "b5+車"), Ok(to_dragon), "any character of the kind");
    let next = rules.play_unchecked(&start, parse_san(&rules, &start, "龍c3").expect("legal"));
    let rook = parse_uci(&rules, &next, "a4b4").expect("legal");
    assert_eq!(san(&rules, &next, rook), "車xb4");
}
