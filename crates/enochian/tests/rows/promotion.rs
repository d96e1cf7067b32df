//! Pawns: where they march, what becomes of them on the last line, and the privileged ones.

use crate::table::{BOTH, game, prototype};

/// Four pawns in the open, one of each army.
const MARCH: &str = ".K6k/8/1.t3t2/8/8/3T4/2.T5/K6.k";

/// Pawns march and promote as the array says: the prototype up, left, up, right; corners left, up, right, down.
#[test]
fn d02_pawn_directions() {
    for rules in BOTH {
        for (array, steps) in
            [("", ["d3d4", "f6e6", "c2c3", "b6c6"]), ("Fire of Fire", ["d3c3", "f6f7", "c2d2", "b6b5"])]
        {
            for (army, step) in ["blue", "red", "black", "yellow"].into_iter().zip(steps) {
                let pawn = game(rules, array, "").set(&format!("{MARCH} {army} - -"));
                assert_eq!(
                    pawn.moves(&step[..2]),
                    step,
                    "{rules} {array} {army}: one step, and no double one"
                );
            }
        }
    }
}

/// On its line a pawn becomes its patron; historically only if its army has lost a pawn, and on a throne another man.
#[test]
fn d12_promotion() {
    for rules in BOTH {
        let plain = prototype(rules).set("7k/1T6/8/8/8/R7/7t/K5.K.k blue - -");
        assert_eq!(plain.moves("b7"), "b7b8r", "{rules}: to its patron, though there is a rook");
        let almost = prototype(rules).set("7k/8/1T6/8/8/R7/7t/K5.K.k blue - -");
        assert_eq!(almost.moves("b6"), "b6b7", "{rules}");
        let captures = prototype(rules).set("r6k/1T6/8/8/8/R7/7t/K5.K.k blue - -");
        assert_eq!(captures.moves("b7"), "b7a8r b7b8r", "{rules}");
        // Blue's pawns march left here, and a8 is the throne of Yellow, who began with knights on thrones.
        let throne = game(rules, "Fire of Fire", "").set("1D5K/8/8/8/8/R7/6r1/.K3.k2k blue - -");
        assert_eq!(throne.moves("b8"), if rules == "document" { "b8a8q" } else { "b8a8n" }, "{rules}");
        let beside = game(rules, "Fire of Fire", "").set("7K/1D6/8/8/8/R7/6r1/.K3.k2k blue - -");
        assert_eq!(beside.moves("b7"), "b7a7q", "{rules}");
    }
}

/// A pawn of an army that has lost none waits on the line until one is taken; then all that wait are promoted at once.
#[test]
fn d30_waiting_pawns() {
    let all = "7K/8/3A4/1D6/8/3H2r1/3T4/.K3.k2k blue - -";
    let document = game("document", "Fire of Fire", "").set(all);
    assert_eq!(document.moves("b5"), "b5a5q");
    let zalewski = game("zalewski", "Fire of Fire", "").set(all);
    assert_eq!(zalewski.moves("b5"), "b5a5");
    let waits = zalewski.play("b5a5");
    assert_eq!(waits.at("a5"), "BLUE QPAWN");
    assert_eq!(waits.play("g3g2 a1b1 e1f1").moves("a5"), "", "a pawn on its line has no move");
    assert_eq!(waits.play("g3d3").at("a5"), "BLUE QUEEN", "in the move of the captor");
    assert_eq!(waits.play("g3g8").at("a5"), "BLUE QPAWN");
    // Another army's pawn, or a man that is no pawn, promotes nobody.
    let others = game("zalewski", "Fire of Fire", "").set("7K/8/3A4/D7/8/3R2r1/H2T4/.K3.k2k red - -");
    assert_eq!(others.play("g3d3").at("a5"), "BLUE QPAWN");
    // On a throne it becomes the first sharer.
    let throne = game("zalewski", "Fire of Fire", "").set("D6K/8/3A4/8/8/3H2r1/3T4/.K3.k2k red - -");
    assert_eq!(throne.play("g3d3").at("a8"), "BLUE KNIGHT");
    // By the document, pawns that stand on their line from the set-up stay pawns: nothing arrives.
    let start = prototype("document");
    assert_eq!((start.at("a7").as_str(), start.at("h6").as_str()), ("RED RPAWN", "YELLOW RPAWN"));
    let there = prototype("document").set("7k/8/8/t7/8/8/R6.T/K5.K.k red - -");
    assert_eq!(there.moves("a5"), "");
    assert_eq!(there.play("h8g8").at("a5"), "RED RPAWN");
}

/// The last pawn beside a king, or king and queen, or king and bishop, chooses; the man it doubles is a pawn again.
#[test]
fn d31_privileged_pawns() {
    for rules in BOTH {
        let blue = |men: &str| {
            let board = format!("6t1/1T6/4k3/8/.k7/8/{men}/K1.K5 blue - -");
            prototype(rules).set(&board).moves("b7")
        };
        let any = "b7b8b b7b8n b7b8q b7b8r";
        for men in ["8", "7Q", "7B"] {
            assert_eq!(blue(men), any, "{rules} {men}");
        }
        for men in ["7R", "7N", "6QB", "6QQ", "7T", "6QT"] {
            assert_eq!(blue(men), "b7b8r", "{rules} {men}");
        }
        assert_eq!(blue("7.R"), any, "{rules}: only the army's own men count");
        let queens = prototype(rules).set("6t1/1T6/4k3/8/.k7/8/7Q/K1.K5 blue - -");
        let doubled = queens.play("b7b8q");
        assert_eq!(
            (doubled.at("b8").as_str(), doubled.at("h2").as_str()),
            ("BLUE QUEEN", "BLUE QPAWN"),
            "{rules}"
        );
        assert_eq!(queens.play("b7b8b").at("h2"), "BLUE QUEEN", "{rules}: another kind changes nobody");
        // Only the privileged promotion demotes.
        let plain = prototype(rules).set("6t1/1D6/4k3/8/.k7/8/6RQ/K1.K5 blue - -").play("b7b8q");
        assert_eq!(plain.at("h2"), "BLUE QUEEN", "{rules}");
        // On the square where it stands, a throne or the last line; there it stays a pawn.
        let last = prototype(rules).set("1t4Q1/1T6/4k3/8/.k7/8/8/K1.K5 blue - -");
        assert_eq!(last.moves("b7"), "", "{rules}: the way is barred");
        let last = prototype(rules).set("t5Q1/1T6/4k3/8/.k7/8/8/K1.K5 blue - -").play("b7b8q");
        assert_eq!(last.at("g8"), "BLUE QPAWN", "{rules}");
        // Without a king there is no privilege.
        let orphan = "6t1/1T6/4k3/8/.k7/8/8/2.K5 blue - - captive=blue:r frozen=  control=blue:black";
        assert_eq!(prototype(rules).set(&orphan.replace("  ", " ")).moves("b7"), "b7b8r", "{rules}");
        // On a throne of the corners it chooses freely, too.
        let throne = game(rules, "Fire of Fire", "").set("1T5K/8/8/8/8/8/6r1/.K3.k2k blue - -");
        assert_eq!(throne.moves("b8"), "b8a8b b8a8n b8a8q b8a8r", "{rules}");
    }
}

/// "Home sector" and the names of the winds decide nothing: the promotion line is the last one where the pawns march.
#[test]
fn d46_promotion_lines() {
    for array in tabiya_enochian::available_arrays() {
        for army in tabiya_enochian::Army::ALL {
            let line = array.pawn_directions[army.index()].last_line();
            assert_eq!(array.promotion_zones[army.index()], line, "{} {army}", array.name);
        }
    }
    // Red sits in the north of the prototype and marches west: a pawn on b1 promotes on a1, one on b8 does not on b8.
    for rules in BOTH {
        let west = prototype(rules).set("1t5k/8/8/8/8/r7/7.T/Kt4.K.k red - -");
        assert_eq!(west.moves("b8"), "b8a8r", "{rules}");
        let south = prototype(rules).set("1t5k/8/8/8/8/r7/2t4.T/K5.K.k red - -");
        assert_eq!(south.moves("c2"), "c2b2", "{rules}: the first rank is no line of Red's");
    }
}
