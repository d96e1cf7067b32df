//! Claims and automatic endings, in their order.

use serde_json::{Value, json};
use tabiya_referee::protocol::Strictness;

use crate::support::{after, chess, game, game_of, output, sent, state, verdict, verdict_of, verdict_on};

fn claim(reason: &str) -> String {
    json!({ "action": "claim_draw", "reason": reason }).to_string()
}

fn claim_with(reason: &str, text: &str) -> String {
    json!({ "action": "claim_draw", "reason": reason, "move": output(text) }).to_string()
}

fn ended(said: &Value, result: &str, reason: &str) {
    assert_eq!((&said["result"], &said["end_reason"]), (&json!(result), &json!(reason)), "{said}");
}

const THREEFOLD: &str = "threefold_repetition";
const FIFTY: &str = "fifty_move_rule";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const DANCE: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn mate_and_stalemate() {
    ended(&verdict_on("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"), "white", "checkmate");
    ended(
        &verdict_on("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4"),
        "black",
        "checkmate",
    );
    ended(&verdict_on("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"), "draw", "stalemate");
}

#[test]
fn dead_positions_are_drawn_at_once() {
    // The last piece that could mate is captured: nothing, a bishop, a knight, bishops of one colour are left.
    for (fen, text) in [
        ("8/8/4k3/8/8/8/3p4/4K3 w - - 0 1", "e1d2"),
        ("8/8/4k3/8/8/8/3p4/4K2B w - - 0 1", "e1d2"),
        ("8/8/4k3/8/8/8/3p4/4K2N w - - 0 1", "e1d2"),
        ("5b2/8/4k3/8/8/8/3p4/2B1K3 w - - 0 1", "e1d2"),
    ] {
        let said = verdict_on(fen, text);
        assert_eq!(said["verdict"], "move");
        ended(&said, "draw", "dead_position");
    }
    // Bishops of both colours, two knights, a knight each: a mate is still possible.
    for (fen, text) in [
        ("2b5/8/4k3/8/8/8/3p4/2B1K3 w - - 0 1", "e1d2"),
        ("8/8/4k3/8/8/8/3p4/4K1NN w - - 0 1", "e1d2"),
        ("2n5/8/4k3/8/8/8/3p4/4K2N w - - 0 1", "e1d2"),
    ] {
        let said = verdict_on(fen, text);
        assert_eq!((&said["verdict"], &said["result"]), (&json!("move"), &Value::Null), "{fen}");
    }
}

#[test]
fn locked_pawns_are_dead_and_a_helpmate_is_not() {
    let locked = game("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1");
    assert_eq!(locked.end().expect("the position is locked").reason, "dead_position");
    assert_eq!(game("8/8/8/8/8/4k3/4n3/4K2N w - - 0 1").end(), None);
}

#[test]
fn threefold_is_claimed_and_fivefold_comes_by_itself() {
    let start = || game(START);
    let twice = after(start(), DANCE);
    let said = verdict(&sent(&twice), &claim(THREEFOLD));
    assert_eq!((&said["verdict"], &said["rule"]), (&json!("illegal"), &json!("false_claim")), "{said}");
    assert_eq!(said["result"], "black");

    let thrice = after(start(), &DANCE.repeat(2));
    assert_eq!(thrice.end(), None, "nothing happens without a claim");
    let said = verdict(&sent(&thrice), &claim(THREEFOLD));
    assert_eq!(
        said,
        json!({ "verdict": "claim", "uci": null, "result": "draw", "end_reason": THREEFOLD, "why": null })
    );
    assert_eq!(verdict(&sent(&thrice), &claim(FIFTY))["rule"], "false_claim");

    let nearly = after(start(), &format!("{}g1f3 g8f6 f3g1", DANCE.repeat(3)));
    ended(&verdict(&sent(&nearly), &output("f6g8").to_string()), "draw", "fivefold_repetition");
}

#[test]
fn the_last_entry_of_the_history_may_be_the_present() {
    let mut thrice = sent(&after(game(START), &DANCE.repeat(2)));
    let present = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_eq!(thrice["position_history"][0], present);
    thrice["position_history"].as_array_mut().expect("a list").push(json!(present));
    assert_eq!(game_of(&thrice).tally().repetitions, 3, "and not 4");
}

#[test]
fn no_position_follows_itself() {
    let mut padded = sent(&after(game(START), DANCE));
    let history = padded["position_history"].as_array_mut().expect("a list");
    let again = history[2].clone();
    history.insert(3, again);
    let bad =
        chess().state_reader().read(&padded.to_string()).expect_err("a repetition that was never played");
    assert_eq!(
        bad.reasons,
        ["position_history[3]: it is the position before it, and none can follow itself"]
    );

    // The last entry may be the present position, but only once.
    let mut present = sent(&after(game(START), DANCE));
    let start = present["position_history"][0].clone();
    let history = present["position_history"].as_array_mut().expect("a list");
    history.push(start.clone());
    assert_eq!(game_of(&present).tally().repetitions, 2);
    present["position_history"].as_array_mut().expect("a list").push(start);
    assert!(chess().state_reader().read(&present.to_string()).is_err());
}

#[test]
fn a_claim_may_rest_on_an_announced_move() {
    let before = sent(&after(game(START), &format!("{DANCE}g1f3 g8f6 f3g1")));
    assert_eq!(verdict(&before, &claim(THREEFOLD))["rule"], "false_claim");
    let said = verdict(&before, &claim_with(THREEFOLD, "f6g8"));
    assert_eq!((&said["verdict"], &said["uci"]), (&json!("claim"), &json!("f6g8")));
    ended(&said, "draw", THREEFOLD);
    assert_eq!(verdict(&before, &claim_with(THREEFOLD, "e7e5"))["rule"], "false_claim");
    let illegal = verdict(&before, &claim_with(THREEFOLD, "f6g7"));
    assert_eq!((&illegal["verdict"], &illegal["rule"]), (&json!("illegal"), &json!("false_claim")));
    assert!(illegal["why"].as_str().expect("why").contains("own target"), "{illegal}");
}

#[test]
fn a_claim_that_holds_now_needs_no_move() {
    let thrice = sent(&after(game(START), &DANCE.repeat(2)));
    let with_legal = verdict(&thrice, &claim_with(THREEFOLD, "e2e4"));
    assert_eq!((&with_legal["verdict"], &with_legal["uci"]), (&json!("claim"), &json!("e2e4")));
    let with_illegal = verdict(&thrice, &claim_with(THREEFOLD, "e2e5"));
    assert_eq!((&with_illegal["verdict"], &with_illegal["uci"]), (&json!("claim"), &Value::Null));
}

#[test]
fn once_the_king_has_moved_a_rook_that_comes_back_repeats() {
    // The king's first move ends all castling, so a rook that goes and comes back changes nothing.
    let moves = "e1e2 e8e7 h1h2 e7e8 h2h1 e8e7 h1h2 e7e8 h2h1 e8e7";
    let game = after(game("4k3/p7/8/8/8/8/P7/4K2R w K - 0 1"), moves);
    assert_eq!(game.tally().repetitions, 3);
    assert_eq!(verdict(&sent(&game), &claim(THREEFOLD))["verdict"], "claim");
}

#[test]
fn while_the_king_has_not_moved_a_rook_that_comes_back_does_not() {
    let moves = "h1h2 e8e7 h2h1 e7e8 h1h2 e8e7 h2h1 e7e8";
    let game = after(game("4k3/p7/8/8/8/8/P7/4K2R w K - 0 1"), moves);
    assert_eq!(game.tally().repetitions, 2, "the first time, White could still castle");
}

#[test]
fn a_right_to_capture_in_passing_counts_if_it_can_be_used() {
    // After e2e4 the pawn on d4 may take it; when the position comes back, it may not.
    let usable = after(game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4 e8d8 e1d1 d8e8 d1e1");
    assert_eq!(usable.tally().repetitions, 1);
    let shuffle = "e8d8 e1d1 d8e8 d1e1";
    let usable = after(usable, shuffle);
    assert_eq!(usable.tally().repetitions, 2);
    // The same with a pawn that is pinned to its king: it never may.
    let pinned = game("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1");
    let pinned = after(pinned, "e2e4 d8d7 e1e2 d7d8 e2e1");
    assert_eq!(pinned.tally().repetitions, 2, "d4xe3 was never legal: the rook sees the king");
    // And on an empty square.
    let alone = after(game("4k3/p7/8/8/8/8/P3P3/4K3 w - - 0 1"), "e2e4 e8d8 e1d1 d8e8 d1e1");
    assert_eq!(alone.tally().repetitions, 2);
    assert_eq!(after(alone, shuffle).tally().repetitions, 3);
}

#[test]
fn the_square_is_sent_always_and_remembered_only_if_it_counts() {
    let usable = after(game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4");
    assert_eq!(sent(&usable)["en_passant"], "e3");
    let usable = after(usable, "e8d8");
    assert_eq!(sent(&usable)["position_history"][1], "4k3/8/8/8/3pP3/8/8/4K3 b - e3");
    let alone = after(game(START), "e2e4");
    assert_eq!(sent(&alone)["en_passant"], "e3");
    let alone = after(alone, "e7e5");
    assert_eq!(sent(&alone)["en_passant"], "e6");
    assert_eq!(
        sent(&alone)["position_history"],
        json!([
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
        ])
    );
}

fn quiet(clock: u32) -> Value {
    state(&format!("4k3/8/8/8/8/8/8/R3K3 w Q - {clock} 90"))
}

#[test]
fn fifty_moves_are_claimed_and_seventy_five_come_by_themselves() {
    assert_eq!(verdict(&quiet(99), &claim(FIFTY))["rule"], "false_claim");
    ended(&verdict(&quiet(100), &claim(FIFTY)), "draw", FIFTY);
    assert_eq!(verdict(&quiet(100), &claim(THREEFOLD))["rule"], "false_claim");
    let announced = verdict(&quiet(99), &claim_with(FIFTY, "a1a2"));
    assert_eq!(announced["uci"], "a1a2");
    ended(&announced, "draw", FIFTY);
    let said = verdict(&quiet(148), &output("a1a2").to_string());
    assert_eq!(said["result"], Value::Null);
    ended(&verdict(&quiet(149), &output("a1a2").to_string()), "draw", "seventy_five_move_rule");
}

#[test]
fn captures_and_pawn_moves_start_the_count_again() {
    let fen = "4k3/8/8/8/8/8/p6P/R3K3 w Q - 149 90";
    for (text, clock) in [("a1a2", 0), ("h2h3", 0)] {
        let mut game = game(fen);
        let said = verdict_of(&mut game, &output(text).to_string(), Strictness::Strict);
        assert_eq!(said["result"], Value::Null, "{said}");
        assert_eq!(sent(&game)["halfmove_clock"], clock);
    }
    let announced = verdict(&state(&fen.replace("149", "99")), &claim_with(FIFTY, "h2h3"));
    assert_eq!(announced["rule"], "false_claim");
}

#[test]
fn mate_on_the_last_quiet_move_wins() {
    let said = verdict_on("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 149 100", "a1a8");
    ended(&said, "white", "checkmate");
    let said = verdict_on("7k/8/6K1/8/8/8/8/5Q2 w - - 149 100", "f1f7");
    ended(&said, "draw", "stalemate");
}

#[test]
fn a_dead_position_comes_before_the_counts() {
    // A bare king takes nothing on the 75th move: the board was dead before, so it is over already.
    let dead = state("8/8/4k3/8/8/4K3/8/8 w - - 149 100");
    ended(&verdict(&dead, &output("e3e4").to_string()), "draw", "dead_position");
    // A fivefold repetition on the 75th move is a repetition.
    let moves = format!("{}a1a2 e8e7 a2a1", "a1a2 e8e7 a2a1 e7e8 ".repeat(3));
    let mut state = sent(&after(game("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), &moves));
    state["halfmove_clock"] = json!(149);
    ended(&verdict(&state, &output("e7e8").to_string()), "draw", "fivefold_repetition");
}
