//! Pawns: directions, promotion, and privileged pawns.

use crate::table::{BOTH, game, prototype};

/// Four pawns in the open, one of each army.
const MARCH: &str = ".K6k/8/1.t3t2/8/8/3T4/2.T5/K6.k";

/// The array determines pawn directions: up, left, up, right on the prototype; left, up, right, down in the corners.
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

/// On its last line a pawn becomes its patron. Under `zalewski` this requires a lost pawn, and thrones are special.
#[test]
fn d12_promotion() {
    for rules in BOTH {
        let plain = prototype(rules).set("7k/1T6/8/8/8/R7/7t/K5.K.k blue - -");
        assert_eq!(plain.moves("b7"), "b7b8r", "{rules}: to its patron, though there is a rook");
        let almost = prototype(rules).set("7k/8/1T6/8/8/R7/7t/K5.K.k blue - -");
        assert_eq!(almost.moves("b6"), "b6b7", "{rules}");
        let captures = prototype(rules).set("r6k/1T6/8/8/8/R7/7t/K5.K.k blue - -");
        assert_eq!(captures.moves("b7"), "b7a8r b7b8r", "{rules}");
        // Blue's pawns move left here. a8 is Yellow's throne, and knights shared the thrones at the start.
        let throne = game(rules, "Fire of Fire", "").set("1D5K/8/8/8/8/R7/6r1/.K3.k2k blue - -");
        assert_eq!(throne.moves("b8"), if rules == "document" { "b8a8q" } else { "b8a8n" }, "{rules}");
        let beside = game(rules, "Fire of Fire", "").set("7K/1D6/8/8/8/R7/6r1/.K3.k2k blue - -");
        assert_eq!(beside.moves("b7"), "b7a7q", "{rules}");
    }
}

/// A pawn of an army that has lost no pawn waits on the line. When one is captured, all waiting pawns are promoted.
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
    // The loss of another army's pawn, or of another piece, does not count.
    let others = game("zalewski", "Fire of Fire", "").set("7K/8/3A4/D7/8/3R2r1/H2T4/.K3.k2k red - -");
    assert_eq!(others.play("g3d3").at("a5"), "BLUE QPAWN");
    // On a throne it becomes the first sharer.
    let throne = game("zalewski", "Fire of Fire", "").set("D6K/8/3A4/8/8/3H2r1/3T4/.K3.k2k red - -");
    assert_eq!(throne.play("g3d3").at("a8"), "BLUE KNIGHT");
    // Under `document`, pawns that start on their last line stay pawns.
    let start = prototype("document");
    assert_eq!((start.at("a7").as_str(), start.at("h6").as_str()), ("RED RPAWN", "YELLOW RPAWN"));
    let there = prototype("document").set("7k/8/8/t7/8/8/R6.T/K5.K.k red - -");
    assert_eq!(there.moves("a5"), "");
    assert_eq!(there.play("h8g8").at("a5"), "RED RPAWN");
}

/// The last pawn beside a king, king and queen, or king and bishop may choose; a duplicated piece becomes a pawn.
#[test]
fn d31_privileged_pawns() {
    for rules in BOTH {
        let blue = |pieces: &str| {
            let board = format!("6t1/1T6/4k3/8/.k7/8/{pieces}/K1.K5 blue - -");
            prototype(rules).set(&board).moves("b7")
        };
        let any = "b7b8b b7b8n b7b8q b7b8r";
        for pieces in ["8", "7Q", "7B"] {
            assert_eq!(blue(pieces), any, "{rules} {pieces}");
        }
        for pieces in ["7R", "7N", "6QB", "6QQ", "7T", "6QT"] {
            assert_eq!(blue(pieces), "b7b8r", "{rules} {pieces}");
        }
        assert_eq!(blue("7.R"), any, "{rules}: only the army's own pieces count");
        let queens = prototype(rules).set("6t1/1T6/4k3/8/.k7/8/7Q/K1.K5 blue - -");
        let doubled = queens.play("b7b8q");
        assert_eq!(
            (doubled.at("b8").as_str(), doubled.at("h2").as_str()),
            ("BLUE QUEEN", "BLUE QPAWN"),
            "{rules}"
        );
        assert_eq!(queens.play("b7b8b").at("h2"), "BLUE QUEEN", "{rules}: another kind changes nothing");
        // Only the privileged promotion demotes.
        let plain = prototype(rules).set("6t1/1D6/4k3/8/.k7/8/6RQ/K1.K5 blue - -").play("b7b8q");
        assert_eq!(plain.at("h2"), "BLUE QUEEN", "{rules}");
        // The demoted piece stays a pawn on its square, even on a throne or the last line.
        let last = prototype(rules).set("1t4Q1/1T6/4k3/8/.k7/8/8/K1.K5 blue - -");
        assert_eq!(last.moves("b7"), "", "{rules}: the way is barred");
        let last = prototype(rules).set("t5Q1/1T6/4k3/8/.k7/8/8/K1.K5 blue - -").play("b7b8q");
        assert_eq!(last.at("g8"), "BLUE QPAWN", "{rules}");
        // Without a king there is no privilege.
        let orphan = "6t1/1T6/4k3/8/.k7/8/8/2.K5 blue - - captive=blue:r frozen=  control=blue:black";
        assert_eq!(prototype(rules).set(&orphan.replace("  ", " ")).moves("b7"), "b7b8r", "{rules}");
        // On a corner throne it may choose too.
        let throne = game(rules, "Fire of Fire", "").set("1T5K/8/8/8/8/8/6r1/.K3.k2k blue - -");
        assert_eq!(throne.moves("b8"), "b8a8b b8a8n b8a8q b8a8r", "{rules}");
    }
}

/// The promotion line is the last line in the direction of the pawns, wherever the army starts.
#[test]
fn d46_promotion_lines() {
    for array in tabiya_enochian::available_arrays() {
        for army in tabiya_enochian::Army::ALL {
            let line = array.pawn_directions[army.index()].last_line();
            assert_eq!(array.promotion_zones[army.index()], line, "{} {army}", array.name);
        }
    }
    // Red starts in the north of the prototype and moves west: a pawn promotes on a1, not on b8.
    for rules in BOTH {
        let west = prototype(rules).set("1t5k/8/8/8/8/r7/7.T/Kt4.K.k red - -");
        assert_eq!(west.moves("b8"), "b8a8r", "{rules}");
        let south = prototype(rules).set("1t5k/8/8/8/8/r7/2t4.T/K5.K.k red - -");
        assert_eq!(south.moves("c2"), "c2b2", "{rules}: the first rank is not Red's line");
    }
}
