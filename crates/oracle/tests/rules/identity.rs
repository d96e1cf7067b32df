//! When two positions count as the same.

use proptest::prelude::*;
use serde_json::{Value, json};
use tabiya_oracle::Mark;

use crate::chess::{chess, set_up};
use crate::table::{Game, Table, at, king, quiet, rook, step, with};

/// The same table with a flag on a piece.
fn flagged(mut table: Table, square: &str, flag: &str, remaining: Option<u32>, slot: Option<usize>) -> Table {
    let piece = table.state.pieces.get_mut(&at(square)).expect("a piece");
    piece.flags.insert(flag.into(), Mark { remaining, slot });
    table
}

/// The same table with no flag at all.
fn plain(mut table: Table) -> Table {
    table.state.pieces.values_mut().for_each(|piece| piece.flags.clear());
    table
}

#[test]
fn knights_may_come_back() {
    assert!(chess().same(&chess().play("g1f3 g8f6 f3g1 f6g8")));
    assert!(!chess().same(&chess().play("g1f3 g8f6 f3g1")), "not on another turn");
    assert!(!chess().same(&chess().play("e2e4")));
}

#[test]
fn a_right_to_castle_counts_and_what_is_left_of_a_lost_one_does_not() {
    let with_rights = |rights: &str| set_up(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights}"));
    assert!(!with_rights("KQkq").same(&with_rights("Kkq")));
    assert!(!with_rights("K").same(&with_rights("Q")));
    let both = with_rights("KQkq");
    assert!(both.clone().moved("a1 h1").same(&both.clone().moved("e1")), "an unmoved king without a rook");
    assert!(both.clone().moved("e1 a1").same(&both.clone().moved("e1")), "an unmoved rook without its king");
    assert!(!both.clone().moved("a1").same(&both.clone().moved("e1")));
    assert!(both.clone().moved("a1 h1").same(&both.moved("a1 h1 e1")));
}

#[test]
fn an_unmoved_pawn_counts() {
    let table = set_up("4k3/8/8/8/8/8/4P3/4K3 w -");
    assert!(!table.same(&table.clone().moved("e2")));
    let captured = set_up("4k3/8/8/8/8/8/8/R3K3 w Q").without("a1");
    assert!(captured.same(&captured.clone().moved("e1")), "the rook is gone for good");
}

#[test]
fn en_passant_counts_if_it_is_legal_now() {
    let check = |fen: &str, expected: bool| {
        let table = set_up(fen).play("e2e4");
        assert_eq!(!table.same(&plain(table.clone())), expected, "{fen}");
    };
    check("4k3/8/8/8/3p4/8/4P3/4K3 w -", true);
    check("4k3/8/8/8/2p5/8/4P3/4K3 w -", false); // no pawn is near
    check("3k4/8/8/8/3p4/8/4P3/3RK3 w -", false); // the pawn is pinned
    check("8/8/8/8/k2p3R/8/4P3/4K3 w -", false); // both pawns would leave the row of the king
}

/// A white runner and a black hunter that may step aside if the runner, three squares in front, is hot.
fn hunt(condition: &Value) -> Table {
    let game = Game::new(5, 5, "WHITE BLACK").kind("RUNNER", [quiet(0, 0, 1)]);
    let game =
        game.kind("HUNTER", [with(quiet(0, 1, 0), json!({ "conditions": [condition] })), step(1, 0, 1)]);
    let mut table = game.stand("WHITE RUNNER", "c2").stand("BLACK HUNTER", "c5").table();
    table.state.slot = 1;
    table
}

#[test]
fn a_flag_counts_only_if_a_condition_names_it() {
    let table = hunt(&json!({ "condition": "CHECK_STATE", "state": "HOT", "position": [0, 3] }));
    assert!(table.same(&flagged(table.clone(), "c2", "ICY", None, None)));
    assert!(!table.same(&flagged(table.clone(), "c2", "HOT", None, None)));
}

#[test]
fn a_flag_in_its_last_turn_counts_only_if_it_is_of_use_now() {
    let near = hunt(&json!({ "condition": "CHECK_STATE", "state": "HOT", "position": [0, 3] }));
    let far = hunt(&json!({ "condition": "CHECK_STATE", "state": "HOT", "position": [0, 2] }));
    assert!(!near.same(&flagged(near.clone(), "c2", "HOT", Some(1), Some(0))));
    assert!(far.same(&flagged(far.clone(), "c2", "HOT", Some(1), Some(0))));
    assert!(!far.same(&flagged(far.clone(), "c2", "HOT", Some(2), Some(0))), "two turns: there may be a use");
    assert!(!far.same(&flagged(far.clone(), "c2", "HOT", Some(1), Some(1))), "this turn does not count");
    assert!(!far.same(&flagged(far.clone(), "c2", "HOT", None, None)), "it stays for ever");
}

#[test]
fn where_either_of_two_flags_is_enough_one_of_them_stays() {
    let if_hot = |x: i32| {
        let hot = json!([{ "condition": "CHECK_STATE", "state": "HOT", "position": [x, 1] }]);
        json!({ "action": "TRANSFORM", "conditions": hot, "options": ["ROOK"] })
    };
    let promotes = with(quiet(0, 0, 1), json!({ "modifiers": [if_hot(1), if_hot(-1)] }));
    let game = Game::new(5, 5, "WHITE BLACK").kind("HUNTER", [promotes]).kind("ROOK", rook());
    let mut table = game.stand("WHITE ROOK", "b4 d4").stand("BLACK HUNTER", "c5").table();
    table.state.slot = 1;
    let left = flagged(table.clone(), "b4", "HOT", Some(1), Some(0));
    let both = flagged(left.clone(), "d4", "HOT", Some(1), Some(0));
    assert_eq!((table.moves("c5").as_str(), left.moves("c5").as_str()), ("c4", "c4=ROOK"));
    assert!(!left.same(&table));
    assert!(!both.same(&table), "each by itself could go, but not both");
}

#[test]
fn a_definition_that_is_not_rooted_may_look_anywhere() {
    let asks = |condition: Value| with(quiet(0, 0, 1), json!({ "conditions": [condition] }));
    let game = |condition: Value| {
        let game = Game::new(5, 5, "WHITE BLACK").kind("ASKER", [asks(condition)]).kind("ROOK", rook());
        game.stand("WHITE ASKER", "a1").stand("WHITE ROOK", "e1").stand("BLACK ROOK", "e5").table()
    };
    for word in ["PIECE_FIRST_MOVE", "ROOK_FIRST_MOVE"] {
        let table = game(json!({ "condition": word, "position": [1, 0] }));
        assert!(!table.same(&table.clone().moved("e5")), "{word}");
        assert!(!table.same(&table.clone().moved("a1")), "{word} may look at the asker, too");
    }
    let table =
        game(json!({ "condition": "SQUARE", "position": [1, 0], "piece": ["ROOK"], "unmoved": false }));
    assert!(!table.same(&table.clone().moved("e5")));
    assert!(table.same(&table.clone().moved("a1")), "it looks at rooks only");
    let table = game(json!({ "condition": "SQUARE", "position": [1, 0], "piece": ["ROOK"] }));
    assert!(table.same(&table.clone().moved("e5")), "it does not ask about moves");
}

#[test]
fn a_rooted_definition_looks_at_fixed_squares() {
    let asks = |condition: Value| {
        with(quiet(0, 0, 1), json!({ "conditions": [{ "condition": "FIRST_MOVE" }, condition] }))
    };
    let game = |condition: Value| {
        let game = Game::new(5, 5, "WHITE BLACK").kind("ASKER", [asks(condition)]).kind("ROOK", rook());
        game.stand("WHITE ASKER", "a1").stand("WHITE ROOK", "b1 c1").stand("BLACK ROOK", "e5").table()
    };
    let table = game(json!({ "condition": "PIECE_FIRST_MOVE", "position": [1, 0] }));
    assert!(!table.same(&table.clone().moved("b1")));
    assert!(table.same(&table.clone().moved("c1 e5")));
    assert!(table.clone().moved("b1").same(&table.clone().moved("a1")), "either way it is lost");
    let table = game(json!({ "condition": "ROOK_FIRST_MOVE", "position": [1, 0] }));
    assert!(!table.clone().moved("b1").same(&table.clone().moved("a1")), "b1 may become empty");
    let beside = json!({ "condition": "SQUARE", "anchor": "TARGET", "position": [1, 0], "unmoved": true });
    assert!(!game(beside.clone()).same(&game(beside).moved("e5")), "from the landing: any square");
}

#[test]
fn first_move_counts_in_an_action_or_a_modifier_too() {
    let first = json!([{ "condition": "FIRST_MOVE" }]);
    let in_action = json!({ "actions": [{ "state": "EMPTY", "action": "MOVE", "conditions": first }] });
    let in_modifier =
        json!({ "modifiers": [{ "action": "TRANSFORM", "conditions": first, "options": ["ROOK"] }] });
    for (keys, expected) in [(in_action, false), (in_modifier, false), (json!({}), true)] {
        let game = Game::new(5, 5, "WHITE BLACK")
            .kind("PAWN", [with(quiet(0, 0, 1), keys.clone())])
            .kind("ROOK", rook());
        let table = game.stand("WHITE PAWN", "a1").stand("BLACK ROOK", "e5").table();
        assert_eq!(table.same(&table.clone().moved("a1")), expected, "{keys}");
    }
}

#[test]
fn the_dead_have_no_first_move() {
    let double = with(quiet(0, 0, 2), json!({ "conditions": [{ "condition": "FIRST_MOVE" }] }));
    let game = Game::new(5, 5, "WHITE BLACK RED").kind("PAWN", [double]).kind("KING", king());
    let game = game.stand("WHITE KING", "a1").stand("BLACK KING", "e5").stand("BLACK PAWN", "c5");
    let mut table = game.stand("RED KING", "a5").table();
    assert!(!table.same(&table.clone().moved("c5")));
    table.state.eliminated.insert("BLACK".into());
    assert!(table.same(&table.clone().moved("c5")));
}

/// A white king that castles with a rook or a pawn on c1, and pawns that are promoted on the squares listed.
fn castle(piece: &str, goals: &[(&str, &str)], options: &[&str]) -> Table {
    let castles = json!({ "conditions": [
        { "condition": "FIRST_MOVE" },
        { "condition": "SQUARE", "position": [2, 0], "state": "ALLY", "piece": [piece], "unmoved": true },
    ] });
    let promotes = json!({ "modifiers": [
        { "action": "TRANSFORM", "conditions": [{ "condition": "GOAL" }], "options": options },
    ] });
    let game = Game::new(5, 5, "WHITE BLACK").position("GOAL", "", goals).kind("ROOK", rook());
    let game =
        game.kind("PAWN", [with(step(0, 0, 1), promotes)]).kind("KING", [with(quiet(0, 0, 1), castles)]);
    game.stand("WHITE KING", "a1").stand("WHITE ROOK", "c1").stand("BLACK PAWN", "c4").table()
}

#[test]
fn a_fresh_piece_may_renew_a_lost_right() {
    let revives = |table: Table| {
        let lost = table.moved("c1");
        !lost.same(&lost.clone().moved("a1"))
    };
    assert!(!revives(castle("ROOK", &[("WHITE", "c5")], &["ROOK"])), "never on c1");
    assert!(!revives(castle("ROOK", &[("BLACK", "c1")], &["ROOK"])), "only an enemy");
    assert!(revives(castle("ROOK", &[("WHITE", "c1")], &["PAWN", "ROOK"])));
    assert!(!revives(castle("ROOK", &[("WHITE", "c1")], &["PAWN"])), "never a rook");
}

#[test]
fn a_promoted_piece_may_bring_a_question() {
    let table = |options: &[&str]| castle("ROOK", &[("WHITE", "a5")], options).moved("a1");
    assert!(table(&["ROOK"]).same(&table(&["ROOK"]).moved("c1")), "the king has moved");
    assert!(!table(&["KING"]).same(&table(&["KING"]).moved("c1")), "another king may come");
}

#[test]
fn identity_is_its_own_identity() {
    let table = set_up("r3k2r/8/8/8/3p4/8/4P3/R3K2R w Kq").play("e2e4");
    let once = table.oracle().identity(&table.state);
    assert_eq!(table.oracle().identity(&once), once);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// What is wiped out must not be missed: the same moves are legal, now and after each of them.
    #[test]
    fn nothing_is_lost(choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..60)) {
        let mut table = set_up("r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R w KQkq");
        for choice in choices {
            let legal = table.oracle().legal(&table.state);
            if legal.is_empty() {
                break;
            }
            table.state = table.oracle().play(&table.state, choice.get(&legal)).expect("a move of the list");
        }
        let oracle = table.oracle();
        let plain = oracle.identity(&table.state);
        prop_assert_eq!(oracle.legal(&plain), oracle.legal(&table.state));
        for ply in oracle.legal(&plain) {
            let (before, after) = (oracle.play(&table.state, &ply), oracle.play(&plain, &ply));
            let (before, after) = (before.expect("a legal move"), after.expect("a legal move"));
            prop_assert_eq!(oracle.identity(&before), oracle.identity(&after));
            prop_assert_eq!(oracle.legal(&before), oracle.legal(&after));
        }
    }
}
