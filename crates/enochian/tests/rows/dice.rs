//! Divination: the moves that each face of the die allows.

use tabiya_engine::Die;

use crate::table::{BOTH, Table, game};

fn dice(rules: &str, text: &str) -> Table {
    game(rules, "", "DIVINATION=true").set(text)
}

/// One piece of each kind.
const ALL: &str = "7k/7t/8/8/2Q5/1R6/T1B5/K4N.K.k blue - -";

/// 1 king or pawn, 2 knight, 3 bishop, 4 queen, 5 rook, 6 pawn. No piece moves before the die is thrown.
#[test]
fn d15_the_table_of_the_die() {
    for rules in BOTH {
        let start = dice(rules, ALL);
        assert_eq!(start.moves(""), "", "{rules}");
        start.illegal("b3b4");
        for (face, square) in [(2, "f1"), (3, "c2"), (4, "c4"), (5, "b3"), (6, "a2")] {
            let thrown = start.throw(face);
            assert!(!thrown.moves("").is_empty(), "{rules} {face}");
            assert_eq!(thrown.moves(""), thrown.moves(square), "{rules} {face}");
        }
        start.throw(5).legal("b3b4").illegal("a2a3 c4c6");
        // Without the option there is no die.
        assert_eq!(game(rules, "", "").set(ALL).rules.faces(), None, "{rules}");
    }
}

/// The die restricts the legal moves, so a checked king needs a 1. Under `zalewski` the die overrides check.
#[test]
fn d39_dice_and_check() {
    let checked = "r3k3/8/8/8/8/8/7R/K5.K.k blue - -";
    let document = dice("document", checked);
    assert_eq!(
        document.rules.die(&document.throw(5).position),
        Some(Die::Awaited(3)),
        "a five does not help"
    );
    assert_eq!(document.throw(1).moves(""), "a1a2 a1b1 a1b2");
    let zalewski = dice("zalewski", checked);
    zalewski.throw(5).legal("h2h8 h2a2");
    // Under the die the king may enter check, and there is no stalemate.
    let safe = "1r2k3/8/8/8/8/8/7R/K5.K.k blue - -";
    dice("zalewski", safe).throw(1).legal("a1b1");
    game("zalewski", "", "").set(safe).illegal("a1b1");
    let stalemate = "1r2k3/8/8/8/8/.k7/7r/K5.K.T blue - -";
    assert_eq!(dice("zalewski", stalemate).turn(), "BLUE");
    assert_eq!(dice("document", stalemate).turn(), "RED");
    // So it does not draw the game either, not even that of an army whose king has no square.
    for last in [".k7/7R/8/8/8/8/8/KR4.K1", ".kt6/tt5R/8/8/8/8/8/KR4.K1"] {
        let last = format!("{last} black - - captive=r:blue");
        assert_eq!(game("zalewski", "", "").set(&last).play("g1f1").end(), "draw stalemate_of_the_last");
        assert_eq!(dice("zalewski", &last).throw(1).play("g1f1").end(), "-");
    }
    game("zalewski", "", "DIVINATION=true DIE_AND_CHECK=HOLDS")
        .set(safe)
        .throw(1)
        .illegal("a1b1")
        .legal("a1a2");
}

/// Up to four throws under `document`, one under `zalewski`; then the turn passes. An army without a move does not throw.
#[test]
fn d40_throws() {
    let rook = "7k/7t/8/8/8/1R6/8/K5.K.k blue - -";
    let mut table = dice("document", rook);
    for left in [4, 3, 2, 1] {
        assert_eq!(table.rules.die(&table.position), Some(Die::Awaited(left)));
        assert_eq!(table.turn(), "BLUE");
        table = table.throw(2);
    }
    assert_eq!(table.turn(), "RED");
    assert_eq!(table.rules.die(&table.position), Some(Die::Awaited(4)), "the next army has all throws");
    assert_eq!(dice("document", rook).throw(2).throw(5).play("b3b4").turn(), "RED");
    assert_eq!(dice("zalewski", rook).throw(2).turn(), "RED");
    // The number of throws is an option.
    for throws in 1..=20 {
        let table = game("document", "", &format!("DIVINATION=true THROWS={throws}")).set(rook);
        assert_eq!(table.rules.die(&table.position), Some(Die::Awaited(throws)));
    }
    for rules in BOTH {
        let start = table_at_start(rules);
        assert_eq!(start.turn(), "BLACK", "{rules}: Blue and Red are passed over, and throw nothing");
        // Numbers that are not on the die are rejected.
        assert!(
            start.rules.throw(&start.position, 0).is_none()
                && start.rules.throw(&start.position, 7).is_none()
        );
        let thrown = dice(rules, rook).throw(5);
        assert!(thrown.rules.throw(&thrown.position, 5).is_none(), "{rules}: it has been thrown");
    }
}

fn table_at_start(rules: &str) -> Table {
    game(rules, "", "DIVINATION=true")
}

/// A 1 moves king or pawn; under `zalewski` a pawn only if the king has no move.
#[test]
fn d41_throw_of_one() {
    assert_eq!(dice("document", ALL).throw(1).moves(""), "a1b1 a1b2 a2a3");
    assert_eq!(dice("zalewski", ALL).throw(1).moves(""), "a1b1 a1b2");
    let boxed = "7k/7t/8/8/8/8/TR6/KN4.K.k blue - -";
    for rules in BOTH {
        assert_eq!(dice(rules, boxed).throw(1).moves(""), "a2a3", "{rules}");
        // An army without a king moves pawns.
        let orphan = "7k/7t/8/8/8/1R6/T7/6.K.k blue - - captive=blue:r frozen= control=blue:black";
        assert_eq!(dice(rules, orphan).throw(1).moves(""), "a2a3", "{rules}");
    }
}
