//! Seized thrones: control of the ally's army, and its end.

use crate::table::{BOTH, game, prototype};

/// Black's king is captive; Blue's king stands beside a5.
const ORPHANS: &str = "7k/7t/8/1K6/8/8/3.R4/7.k blue - - captive=black:r";
/// Both kings of Air are free.
const BESIDE: &str = "7k/7t/8/1K6/8/8/3.T4/.K6.k blue - -";

/// A king that moves to its ally's throne controls that army and, under `document`, thaws it. Leaving changes nothing.
#[test]
fn d10_seizure() {
    let document = prototype("document").set(ORPHANS).play("b5a5");
    assert_eq!((document.controller("BLACK"), document.is_frozen("BLACK")), ("BLUE", false));
    let black = document.play("h8g8");
    assert_eq!(black.legal("d2d3").turn(), "BLACK");
    let left = black.play("d2d3 h1g1 a5b6 g8h8");
    assert_eq!((left.controller("BLACK"), left.turn()), ("BLUE", "BLACK"), "control survives leaving");
    let zalewski = prototype("zalewski").set(ORPHANS).play("b5a5");
    assert_eq!((zalewski.controller("BLACK"), zalewski.is_frozen("BLACK")), ("BLUE", true));
    assert_eq!(zalewski.play("h8g8").turn(), "YELLOW");
    for rules in BOTH {
        let almost = prototype(rules).set(ORPHANS).play("b5b6");
        assert_eq!((almost.controller("BLACK"), almost.is_frozen("BLACK")), ("-", true), "{rules}");
    }
}

/// Only a move of the king onto a throne of its ally counts; other thrones do not.
#[test]
fn d29_conditions_of_a_seizure() {
    for rules in BOTH {
        let table = prototype(rules);
        assert_eq!(
            table.set(BESIDE).play("b5a5").controller("BLACK"),
            "BLUE",
            "{rules}: though its king lives"
        );
        let captures = table.set(&BESIDE.replace("/1K6/", "/rK6/")).play("b5a5");
        assert_eq!(captures.controller("BLACK"), "BLUE", "{rules}");
        // Enemy thrones and the own throne do not count.
        let enemy = table.set("7k/4K2t/8/8/8/8/3.T4/.K6.k blue - -").play("e7e8");
        assert!(["BLACK", "RED", "BLUE"].iter().all(|army| enemy.controller(army) == "-"), "{rules}");
        let own = table.set("7k/7t/8/8/8/8/3KT3/.K6.k blue - -").play("d2d1");
        assert_eq!(own.controller("BLACK"), "-", "{rules}");
        // Standing there does not count, even when the ally's king is captured; a step to the other throne does.
        let stands = table.set("7k/7t/8/K7/8/8/3.T4/.K3r2.k red - -");
        let fallen = stands.play("e1a1");
        assert_eq!((fallen.controller("BLACK"), fallen.is_frozen("BLACK")), ("-", true), "{rules}");
        assert_eq!(fallen.play("h1g1 a5a4").controller("BLACK"), "BLUE", "{rules}");
        // A throne occupied by a friend is closed.
        table.set(&BESIDE.replace("/1K6/", "/.NK6/")).illegal("b5a5").legal("b5a4");
        // Only a king can seize a throne.
        let rook = table.set("7k/7t/8/1R6/8/8/3.T4/K.K5.k blue - -").play("b5a5");
        assert_eq!(rook.controller("BLACK"), "-", "{rules}");
    }
    // A thawed army has no king and is never in check. Its king is still captive, so the next capture decides the game.
    let thawed = prototype("document").set(ORPHANS).play("b5a5 h8g8 d2d3 h1g1");
    assert!(!thawed.in_check("BLACK"));
    let lost =
        thawed.set("k7/K6t/8/8/8/8/3.R4/7.k red - - captive=black:r frozen= control=black:blue").play("a8a7");
    assert_eq!(lost.end(), "RED YELLOW leader_captured");
}

/// A captured king loses its control of other armies; control of the captive's army is only suspended. Control may be mutual.
#[test]
fn d37_captured_kings_and_control() {
    for rules in BOTH {
        let table = prototype(rules);
        let falls = table.set("K3k2r/8/8/8/8/8/3.T4/.K5.k1 red - - control=black:blue");
        let moved = falls.set("K3k3/r7/8/8/8/8/3.T4/.K5.k1 red - - control=black:blue").play("a7a8");
        assert_eq!(moved.controller("BLACK"), "-", "{rules}: Black's own player has it back");
        assert_eq!(falls.play("h8h7").controller("BLACK"), "BLUE", "{rules}");
        let sleeps = table.set("K3k3/8/8/8/8/8/r2.T4/.K5.k1 red - - control=black:blue").play("a2a1");
        assert_eq!((sleeps.controller("BLACK"), sleeps.is_frozen("BLACK")), ("BLUE", true), "{rules}");
        let mutual = table.set("K3k3/8/8/8/8/8/t2.T4/.K5.k1 blue - - control=black:blue,blue:black");
        let (blue, black) = (mutual.army("BLUE"), mutual.army("BLACK"));
        assert_eq!(mutual.rules.decider(&mutual.position, blue), black, "{rules}: and not on to Blue again");
        assert_eq!(mutual.rules.decider(&mutual.position, black), blue, "{rules}");
    }
}

/// Thrones depend on the array, not on the rule set: two per army on the prototype, one corner each elsewhere.
#[test]
fn d01_thrones() {
    for rules in BOTH {
        for (array, throne, beside) in [("", "a5", "a6"), ("", "a4", "a3"), ("Fire of Fire", "a1", "a2")] {
            let rank = |square: &str| usize::from(square.as_bytes()[1] - b'0');
            let mut ranks = ["7k", "7t", "8", "8", "8", "8", "8", "3.T2.K.k"];
            ranks[8 - rank(throne)] = if rank(throne) == 1 { "1K1.T2.K.k" } else { "1K6" };
            let board = ranks.join("/");
            let table = game(rules, array, "").set(&format!("{board} blue - -"));
            let from = format!("b{}", rank(throne));
            assert_eq!(
                table.play(&format!("{from}{throne}")).controller("BLACK"),
                "BLUE",
                "{rules} {throne}"
            );
            assert_eq!(table.play(&format!("{from}{beside}")).controller("BLACK"), "-", "{rules} {throne}");
        }
    }
}
