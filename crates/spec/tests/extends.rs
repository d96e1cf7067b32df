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
    let line = 1 + text[..text.find(r#""starting_positions""#).unwrap()].matches('\n').count() + 1;
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
