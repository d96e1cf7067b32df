//! A file as a patch on a game of the library.

use tabiya_spec::diagnostic::Diagnostic;
use tabiya_spec::{Choices, Game, expand, library, load};

fn game(text: &str) -> Game {
    let loaded = load(text.as_bytes());
    loaded.game.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))
}

fn perft(game: &Game, depth: u32) -> u64 {
    game.rules.perft(&game.rules.start(), depth)
}

#[test]
fn a_game_is_a_patch_on_another() {
    let same = game(r#"{ "name": "Mine", "extends": "chess" }"#);
    let chess = library::load("chess").unwrap();
    assert_eq!(perft(&same, 4), 197_281);
    assert_eq!(same.spec.name.as_str(), "Mine");
    assert!(same.spec.about.is_none(), "a description of another game is not inherited");
    assert_ne!(same.hash, chess.hash);
    let amazon =
        game(r#"{ "name": "Amazons", "extends": "chess", "pieces": [{ "code": "QUEEN", "betza": "QN" }] }"#);
    assert_eq!(perft(&amazon, 3), perft(&library::load("amazon").unwrap(), 3));
    let knightmate = game(
        r#"{ "name": "K", "extends": "chess", "setup": "rkbqnbkr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBKR",
             "leader": "KNIGHT", "endings": null, "quiet": null,
             "pieces": [{ "code": "KING", "betza": "K" }, { "code": "PAWN", "moves": [
               { "betza": "fmWfceF", "modifiers": [{ "action": "TRANSFORM", "conditions": [{ "condition": "LAST_RANK" }],
                 "options": ["QUEEN", "ROOK", "BISHOP", "KING"] }] }, { "betza": "ifmnD" }] }] }"#,
    );
    assert_eq!(perft(&knightmate, 1), 18);
    assert!(knightmate.spec.endings.is_empty(), "null removes a key");
}

#[test]
fn endings_are_added_and_replaced_by_code() {
    let codes = |endings: &str| -> Vec<String> {
        let game = game(&format!(r#"{{ "name": "E", "extends": "chess", "endings": {endings} }}"#));
        game.spec.endings.iter().map(|ending| ending.code.to_string()).collect()
    };
    let hill = r#"{ "code": "HILL", "result": "WIN", "when": [{ "condition": "COUNT", "piece": ["KING"], "in": "LAST_RANK", "min": 1 }] }"#;
    let chess = codes("[]");
    let with_hill = codes(&format!("[{hill}]"));
    assert_eq!((with_hill[0].as_str(), &with_hill[1..]), ("HILL", &chess[..]));
    let quicker =
        codes(r#"[{ "code": "FIFTY_MOVE_RULE", "when": [{ "condition": "QUIET", "turns": 20 }] }]"#);
    assert_eq!(quicker.len(), chess.len());
    let without = codes(r#"[{ "code": "DEAD_POSITION", "remove": true }]"#);
    assert_eq!(without.len(), chess.len() - 3);
    let without = codes(r#"[{ "id": "FLAG_KNIGHT", "remove": true }]"#);
    assert_eq!(without.len(), chess.len() - 1);
    let changed = codes(r#"[{ "id": "KNIGHT", "code": "LONE_KNIGHT" }]"#);
    assert_eq!((changed.len(), changed[1].as_str()), (chess.len(), "LONE_KNIGHT"), "it stays in its place");
}

#[test]
fn entries_can_be_removed_and_moves_added() {
    let game = game(
        r#"{ "name": "R", "extends": "chess", "setup": "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR",
             "endings": null,
             "pieces": [{ "code": "QUEEN", "remove": true }, { "code": "ROOK", "like": ["ROOK"], "betza": "F" },
               { "code": "KING", "like": "KING", "moves": [{ "betza": "D" }], "castling": null },
               { "code": "PAWN", "promotion": { "to": "ROOK" } }] }"#,
    );
    let codes: Vec<&str> = game.spec.pieces.iter().map(|piece| piece.code.as_str()).collect();
    assert_eq!(codes, ["PAWN", "KNIGHT", "BISHOP", "ROOK", "KING"]);
    let moves: Vec<usize> = game.spec.pieces.iter().map(|piece| piece.moves.len()).collect();
    assert_eq!(moves, [4, 8, 4, 8, 12]);
    assert!(game.spec.pieces[4].castling.is_empty());
}

#[test]
fn regions_and_null_replace_what_is_inherited() {
    let zone = |check: &str| {
        let text = format!(
            r#"{{ "name": "Z", "extends": "chess", "conditions": [{{ "code": "LAST_RANK", "check": {check} }}] }}"#
        );
        let value: serde_json::Value =
            serde_json::from_str(&expand(text.as_bytes(), &Choices::default()).unwrap()).unwrap();
        value["conditions"][0]["check"]["BLACK"].as_array().unwrap().len()
    };
    assert_eq!(
        [zone(r#"{ "own_ranks": 8 }"#), zone(r#"{ "own_ranks": [-1, -2] }"#), zone(r#""a1-b2""#)],
        [8, 16, 4]
    );
    assert_eq!(zone(r#"{ "BLACK": "a1", "WHITE": "h8" }"#), 1);
}

#[test]
fn other_arrays_are_a_line() {
    let text = r#"{ "name": "Other", "extends": "gardner", "setup": "kqrbn/ppppp/5/PPPPP/NBRQK" }"#;
    let other = game(text);
    assert_eq!(other.rules.legal_moves(&other.rules.start()).len(), 6);
    let long = expand(text.as_bytes(), &Choices::default()).unwrap();
    assert!(!long.contains("extends"));
    assert_eq!(perft(&game(&long), 3), perft(&other, 3));
}

#[test]
fn problems_of_inherited_values_name_the_game_and_the_line() {
    let problems = |text: &str| -> Vec<Diagnostic> { load(text.as_bytes()).diagnostics };
    let found = problems(r#"{ "name": "Small", "extends": "chess", "board": { "dimensions": [7, 8] } }"#);
    assert!(!found.is_empty());
    assert!(found.iter().all(|it| it.pointer == "/extends" && it.line == 1), "{found:#?}");
    let text = library::find("chess").unwrap().json;
    let line = 1 + text[..text.find(r#""setup""#).unwrap()].matches('\n').count();
    let expected = format!("In `chess`, line {line}: ");
    assert!(found.iter().any(|it| it.message.starts_with(&expected)), "{expected}: {found:#?}");

    let found = problems(
        r#"{ "name": "Small", "extends": "chess", "pieces": [{ "code": "QUEEN", "betza": "Qx" }] }"#,
    );
    assert_eq!(found[0].code.as_str(), "bad-betza");
    assert_eq!((found[0].pointer.as_str(), found[0].span.len()), ("/pieces/0/betza", 1));
}

#[test]
fn what_cannot_be_extended_is_reported() {
    for (value, help) in [
        (r#""ches""#, "did you mean `chess`?"),
        ("4", "write \"extends\": \"chess\""),
        (r#""../secret""#, "`tabiya games` lists the games"),
        (r#""schema""#, "`tabiya games` lists the games"),
    ] {
        let found = load(format!(r#"{{ "name": "X", "extends": {value} }}"#).as_bytes()).diagnostics;
        let [only] = found.as_slice() else { panic!("{found:#?}") };
        assert_eq!((only.code.as_str(), only.pointer.as_str()), ("bad-extends", "/extends"));
        assert_eq!(only.help.as_deref(), Some(help));
    }
}

#[test]
fn what_cannot_be_removed_or_stands_twice_is_an_error() {
    let messages = |text: &str| -> Vec<String> {
        let loaded = tabiya_spec::load(text.as_bytes());
        assert!(loaded.game.is_none(), "{text}");
        loaded
            .diagnostics
            .into_iter()
            .map(|it| format!("{} {}", it.message, it.help.unwrap_or_default()))
            .collect()
    };
    let removed = messages(
        r#"{ "name": "R", "extends": "chess", "endings": [{ "code": "DEAD_POSTION", "remove": true }],
             "pieces": [{ "code": "QUEN", "remove": true }] }"#,
    );
    assert_eq!(removed.len(), 2, "{removed:?}");
    assert!(removed[0].contains("`DEAD_POSITION`") && removed[1].contains("`QUEEN`"), "{removed:?}");
    for text in [
        r#"{ "name": "R", "extends": "chess", "pieces": [{ "code": "QUEEN", "betza": "R" }], "pieces": [] }"#,
        r#"{ "name": "R", "extends": "chess", "pieces": [{ "code": "QUEEN", "betza": "R", "betza": "Q" }] }"#,
        r#"{ "name": "R", "extends": "chess", "$comment": "a", "$comment": "b" }"#,
    ] {
        let found = messages(text);
        assert!(found.len() == 1 && found[0].contains("appears twice"), "{text}: {found:?}");
    }
}
