//! Elimination, the turn after it, and the end of the game.

use serde_json::json;

use crate::game::{Game, king, quiet, rook, slide, step, with};

fn game(columns: i32, rows: i32, order: &str) -> Game {
    Game::new(columns, rows, order).leader("KING").kind("KING", king()).kind("ROOK", rook())
}

#[test]
fn capturing_the_leader_wins_between_two_players() {
    let game = game(5, 5, "WHITE WHITE BLACK").stand("WHITE ROOK", "a1").stand("BLACK KING", "e5");
    let table = game.stand("BLACK ROOK", "e4").table().play("a1a5");
    assert_eq!(table.outcome(), "-");
    let won = table.clone().play("a5e5");
    assert_eq!(
        (won.outcome().as_str(), won.turn().as_str()),
        ("leader_captured WHITE", "WHITE without BLACK")
    );
    assert_eq!(won.oracle().legal(&won.state), []);
    assert_eq!((won.oracle().perft(&won.state, 0), won.oracle().perft(&won.state, 1)), (1, 0));
    assert_eq!(table.play("a5a4").outcome(), "-");
}

#[test]
fn without_a_leader_a_capture_ends_nothing() {
    let game = Game::new(5, 5, "WHITE WHITE BLACK").kind("KING", king()).kind("ROOK", rook());
    let table = game.stand("WHITE ROOK", "a5").stand("BLACK KING", "e5").stand("BLACK ROOK", "e4").table();
    assert_eq!(table.play("a5e5").outcome(), "-");
}

#[test]
fn among_more_players_the_owner_is_eliminated_and_its_pieces_stay() {
    let game = game(5, 5, "WHITE BLACK RED").stand("WHITE ROOK", "a5").stand("BLACK KING", "e5");
    let game = game.stand("BLACK ROOK", "e4").stand("RED KING", "a1").stand("RED ROOK", "b1");
    let table = game.table().play("a5e5");
    assert_eq!((table.turn().as_str(), table.outcome().as_str()), ("RED without BLACK", "-"));
    assert_eq!(table.at("e4"), "BLACK ROOK unmoved");
    let table = table.play("b1b4");
    assert_eq!(table.turn(), "WHITE without BLACK", "the slot of a player that is out is passed over");
    assert!(table.moves("e5").ends_with("e4"), "the dead can be captured, and stand in the way");
}

#[test]
fn any_captured_leader_eliminates_its_owner() {
    let game = game(5, 5, "WHITE WHITE BLACK").stand("WHITE ROOK", "a5").stand("BLACK KING", "e5 e1");
    assert_eq!(game.table().play("a5e5").outcome(), "leader_captured WHITE");
}

#[test]
fn checkmate_and_almost() {
    let corner =
        |rooks: &str| game(5, 5, "BLACK WHITE").stand("BLACK KING", "a5").stand("WHITE ROOK", rooks).table();
    assert_eq!(corner("e5 e4").outcome(), "checkmate WHITE");
    assert_eq!(corner("e5 e3").outcome(), "-");
    assert_eq!(corner("e5 b4").outcome(), "-", "the king takes");
}

#[test]
fn stalemate_and_almost() {
    let corner =
        |rooks: &str| game(5, 5, "BLACK WHITE").stand("BLACK KING", "a5").stand("WHITE ROOK", rooks).table();
    assert_eq!(corner("b1 e4").outcome(), "stalemate");
    assert_eq!(corner("c1 e4").outcome(), "-");
}

#[test]
fn without_a_leader_no_move_is_stalemate() {
    let game = Game::new(1, 3, "WHITE BLACK").kind("PAWN", [step(0, 0, 1), quiet(1, 0, 2)]);
    let table = game.stand("WHITE PAWN", "a1").stand("BLACK PAWN", "a3").table().play("a1a2 a3a2");
    assert_eq!(table.outcome(), "stalemate");
}

#[test]
fn mate_among_three_is_judged_on_the_turn_of_the_mated_player() {
    let up = with(quiet(0, 0, 1), json!({ "repeat": { "loop": true } }));
    let game = game(5, 6, "WHITE GREEN BLACK").kind("MONK", [up]).stand("WHITE ROOK", "d5 e1");
    let table = game.stand("BLACK KING", "a6").stand("GREEN MONK", "c2").table().play("e1e6");
    assert_eq!(
        (table.turn().as_str(), table.outcome().as_str()),
        ("GREEN", "-"),
        "mated, but not yet its turn"
    );
    assert_eq!(table.clone().play("c2c6").turn(), "BLACK", "Green has stepped between");
    let mated = table.play("c2c3");
    assert_eq!((mated.turn().as_str(), mated.outcome().as_str()), ("WHITE without BLACK", "-"));
    assert_eq!(mated.at("a6"), "BLACK KING unmoved", "its pieces stay");
}

#[test]
fn a_stalemated_player_among_three_is_eliminated_too() {
    let game = game(5, 5, "WHITE RED BLACK").stand("BLACK KING", "a5").stand("WHITE ROOK", "b1 e3");
    let table = game.stand("RED ROOK", "d2").table();
    assert_eq!(table.clone().play("e3e4 d2d1").turn(), "WHITE without BLACK");
    assert_eq!(table.play("e3e2 d2d1").turn(), "BLACK");
}

#[test]
fn the_last_two_play_by_the_rules_for_two() {
    let game = game(5, 5, "WHITE RED BLACK").stand("BLACK KING", "a5").stand("WHITE ROOK", "b1 e3");
    let table = game.stand("RED KING", "e1").table().play("e3e4 e1d2");
    assert_eq!((table.turn().as_str(), table.outcome().as_str()), ("WHITE without BLACK", "-"));
    let mut alone = table;
    alone.state.slot = 1;
    alone.state.pieces.retain(|_, piece| piece.player != "RED");
    assert_eq!(alone.outcome(), "stalemate", "with two alive this is a draw, not the end of one");
}

#[test]
fn the_start_is_settled_too() {
    let game = |rows| Game::new(3, rows, "WHITE BLACK RED").kind("PAWN", [quiet(0, 0, 1)]);
    let armies =
        |game: Game| game.stand("WHITE PAWN", "a3").stand("BLACK PAWN", "b3").stand("RED PAWN", "a1").table();
    assert_eq!(armies(game(3)).turn(), "BLACK without WHITE");
    assert_eq!(armies(game(4)).turn(), "WHITE");
}

#[test]
fn settling_may_eliminate_several_players_but_leaves_two() {
    let game = Game::new(3, 3, "WHITE BLACK RED GOLD").kind("PAWN", [quiet(0, 0, 1)]);
    let game = game.stand("WHITE PAWN", "a3").stand("BLACK PAWN", "b1").stand("RED PAWN", "c3");
    let table = game.stand("GOLD PAWN", "a2").table();
    assert_eq!((table.turn().as_str(), table.outcome().as_str()), ("RED without BLACK WHITE", "stalemate"));
}

#[test]
fn a_player_without_a_slot_attacks_until_its_leader_is_captured() {
    let game =
        game(5, 5, "WHITE BLACK").players(&["GHOST"]).stand("WHITE KING", "a1").stand("WHITE ROOK", "c1");
    let game = game.stand("BLACK KING", "e5").stand("GHOST KING", "c4").stand("GHOST ROOK", "b5");
    let table = game.table();
    assert_eq!(table.moves("a1"), "a2", "the rook of the ghost holds the b-file");
    let table = table.play("c1c4 e5d5");
    assert_eq!(table.turn(), "WHITE without GHOST", "the game goes on for the two that play it");
    assert_eq!(table.moves("a1"), "a2 b1 b2");
}

#[test]
fn a_player_without_a_slot_is_not_alive() {
    let game = |order: &str| {
        game(5, 5, order).players(&["GHOST"]).stand("GHOST KING", "e1").stand("BLACK KING", "a5")
    };
    let stuck = |rooks: &str| game("BLACK WHITE").stand("WHITE ROOK", rooks).table();
    assert_eq!(stuck("b1 e4").outcome(), "stalemate", "a draw of two, not the end of one of three");
    assert_eq!(stuck("e5 e4").outcome(), "checkmate WHITE", "the ghost wins nothing");
    let table = game("WHITE WHITE BLACK").stand("WHITE ROOK", "e5").table();
    assert_eq!(table.play("e5a5").outcome(), "leader_captured WHITE");
}

#[test]
fn a_game_for_one_player_goes_on() {
    let game = Game::new(3, 3, "WHITE").kind("PAWN", [slide(0, 0, 1)]).stand("WHITE PAWN", "a1");
    let table = game.table().play("a1a2");
    assert_eq!(table.outcome(), "-");
    assert_eq!(table.play("a2a3").outcome(), "stalemate");
}

#[test]
fn start_at_determines_the_first_player() {
    let text = r#"{
        "name": "B first", "board": { "dimensions": [2, 3] },
        "players": [
            { "name": "A", "direction": "UP", "starting_positions": [{ "piece": "PAWN", "positions": [[0, 0]] }] },
            { "name": "B", "direction": "DOWN", "starting_positions": [{ "piece": "PAWN", "positions": [[1, 2]] }] }
        ],
        "turns": { "order": ["A", "B"], "start_at": 1 },
        "pieces": [{ "code": "PAWN",
            "moves": [{ "id": 0, "step": [0, 1], "actions": [{ "state": "EMPTY", "action": "MOVE" }] }] }]
    }"#;
    let table = crate::table::Table::from_text(text);
    assert_eq!((table.turn().as_str(), table.moves("b3").as_str()), ("B", "b2"));
}

/// Returns the outcome of a stalemate of BLACK by WHITE, judged by the oracle. The engine agrees.
fn stalemate(order: &str, stuck: &str, more: impl Fn(Game) -> Game) -> String {
    let game = game(5, 5, order).says("stuck", json!(stuck));
    let game = more(game.stand("BLACK KING", "a5").stand("WHITE ROOK", "b1 e4"));
    game.agrees(2);
    let table = game.table();
    format!("{}, {}", table.turn(), table.outcome())
}

#[test]
fn stalemate_has_the_result_that_stuck_says() {
    let alone = |game: Game| game;
    assert_eq!(stalemate("BLACK WHITE", "ENDS", alone), "BLACK, stalemate");
    assert_eq!(stalemate("BLACK WHITE", "DRAWS", alone), "BLACK, stalemate");
    assert_eq!(stalemate("BLACK WHITE", "LOSES", alone), "BLACK, stalemate WHITE");
    assert_eq!(stalemate("BLACK WHITE", "WINS", alone), "BLACK, stalemate BLACK");
    let in_check = |game: Game| game.stand("WHITE ROOK", "e5");
    assert_eq!(stalemate("BLACK WHITE", "WINS", in_check), "BLACK, checkmate WHITE", "mate stays mate");
    assert_eq!(stalemate("BLACK WHITE", "DRAWS", in_check), "BLACK, checkmate WHITE");
}

#[test]
fn stalemate_among_three_eliminates_or_ends_the_game() {
    let third = |game: Game| game.stand("RED KING", "d1");
    assert_eq!(stalemate("BLACK WHITE RED", "LOSES", third), "WHITE without BLACK, -");
    assert_eq!(stalemate("BLACK WHITE RED", "DRAWS", third), "BLACK, stalemate");
    assert_eq!(stalemate("BLACK WHITE RED", "WINS", third), "BLACK, stalemate BLACK");
    let teams =
        json!([{ "name": "DARK", "players": ["BLACK", "RED"] }, { "name": "FAIR", "players": ["WHITE"] }]);
    let partners = |game: Game| third(game).says("teams", teams.clone());
    assert_eq!(stalemate("BLACK WHITE RED", "WINS", partners), "BLACK, stalemate BLACK RED");
    let mated = |game: Game| third(game).stand("WHITE ROOK", "e5");
    assert_eq!(
        stalemate("BLACK WHITE RED", "WINS", mated),
        "WHITE without BLACK, -",
        "a mated player is out"
    );
}

#[test]
fn without_a_leader_a_player_without_a_move_may_lose() {
    let game = |stuck: &str| {
        let game = Game::new(1, 3, "WHITE BLACK").says("stuck", json!(stuck));
        let game = game.kind("PAWN", [step(0, 0, 1), quiet(1, 0, 2)]);
        game.stand("WHITE PAWN", "a1").stand("BLACK PAWN", "a3")
    };
    game("LOSES").agrees(3);
    assert_eq!(game("LOSES").table().play("a1a2 a3a2").outcome(), "stalemate BLACK");
    assert_eq!(game("WINS").table().play("a1a2 a3a2").outcome(), "stalemate WHITE");
}

#[test]
fn a_player_who_can_win_by_stalemate_is_not_proved_unable_to_win() {
    let kings = |stuck: &str| {
        let game = game(5, 5, "BLACK WHITE").says("stuck", json!(stuck));
        game.stand("BLACK KING", "a5").stand("WHITE KING", "c4").stand("BLACK ROOK", "").text()
    };
    let is_dead = |stuck: &str| {
        let rules = tabiya_spec::load(kings(stuck).as_bytes()).game.expect("a game").rules;
        rules.is_dead(&rules.start())
    };
    assert_eq!(["ENDS", "DRAWS", "LOSES", "WINS"].map(is_dead), [true, true, false, false]);
}
