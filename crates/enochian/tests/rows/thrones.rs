//! Shared thrones: who may join, which piece moves, and what a capture takes.

use crate::table::{BOTH, game, prototype};

/// A king and one other piece of its team share a throne; a capture takes both. Under `zalewski` only from the start.
#[test]
fn d06_sharing() {
    // Blue's rook joins its ally's king on a throne of Blue.
    let joins = "4k2r/8/8/8/.k2R4/8/8/1K1.K4 blue - -";
    let table = prototype("document").set(joins);
    assert_eq!(table.legal("d4d1").play("d4d1").at("d1"), "BLACK KING + BLUE ROOK");
    prototype("zalewski").set(joins).illegal("d4d1").legal("d4d2");
    // Almost: c1 is not a throne.
    prototype("document").set("4k2r/8/8/8/.k1R5/8/8/K1.K5 blue - -").illegal("c4c1").legal("c4c2");
    for rules in BOTH {
        let shared = prototype(rules).set("3r3k/8/8/8/8/8/7T/3K+R1.K1.k red - -");
        let taken = shared.play("d8d1");
        assert_eq!(taken.at("d1"), "RED ROOK", "{rules}: both are gone");
        assert!(taken.is_frozen("BLUE"), "{rules}");
        // In corner arrays two pieces share each throne at the start, under both rule sets.
        assert_eq!(game(rules, "Fire of Fire", "").at("h8"), "BLUE KING + BLUE KNIGHT", "{rules}");
    }
    // The knight leaves the throne and may return only under `document`.
    let parted = "7K/8/6N1/8/8/8/r6.T/k3.K3 blue - - captive=y:blue";
    game("zalewski", "Fire of Fire", "").set(parted).illegal("g6h8").legal("g6f8");
    game("document", "Fire of Fire", "").set(parted).legal("g6h8");
}

/// A piece may join a king that stands alone on any throne. A king never joins, and there is never a third piece.
#[test]
fn d19_who_may_enter_a_throne() {
    let table = prototype("document");
    // Also on an enemy's throne, and by a pawn's step.
    table.set("4.K3/7r/8/8/4R3/k7/8/K6.k blue - -").legal("e4e8");
    let pawn = table.set("7k/7r/8/K7/.T7/8/8/3.K3.k black - -");
    assert_eq!(pawn.play("a4a5").at("a5"), "BLUE KING + BLACK RPAWN");
    // No third piece, no king joining a friend, no two kings.
    table.set("4k2r/8/8/8/.k2R4/8/8/1.K1K+N4 blue - -").illegal("d4d1").legal("d4d2");
    table.set("4k2r/8/8/8/.k7/8/7.T/3QK2.K blue - -").illegal("e1d1").legal("e1e2");
    table.set("4k2r/8/8/8/.k7/8/7T/2.KK4 black - -").illegal("c1d1").legal("c1c2");
    // A capture does not join; an enemy's king is captured.
    let enemy = table.set("4k2r/8/8/8/.k2R4/8/8/1K1k1.K2 blue - -");
    assert_eq!(enemy.play("d4d1").at("d1"), "BLUE ROOK");
    // They may part and join again; a frozen guest stays behind.
    let again = table.set("4k2r/8/8/.k7/8/8/8/1.K1K+R4 blue - -").play("d1d3 h8h7 b1a1 a5a6");
    again.legal("d3d1");
    let frozen = table.set("4k2r/8/8/.k7/8/8/8/3K+.R4 blue - - captive=black:r");
    assert_eq!(frozen.play("d1c1").at("d1"), "BLACK ROOK");
    prototype("zalewski").set("4.K3/7r/8/8/4R3/k7/8/K6.k blue - -").illegal("e4e8");
}

/// King and guest may make the same step. These are two moves, distinguished by the piece.
#[test]
fn d24_the_kind_of_the_piece_is_part_of_the_move() {
    for rules in BOTH {
        let own = prototype(rules).set("4k3/7r/8/8/8/8/8/.k2K+R2.K1 blue - -");
        let found = own.moves("d1");
        assert!(found.contains("Kd1e1") && found.contains("Rd1e1"), "{rules}: {found}");
        assert!(found.contains("Rd1f1"), "{rules}: {found}");
        own.legal("d1f1").illegal("d1e1 Kd1f1 Nd1f1");
        assert_eq!(own.play("Kd1e1").at("d1"), "BLUE ROOK");
        assert_eq!(own.play("Rd1e1").at("d1"), "BLUE KING");
        // An ally's guest moves on the ally's turn, so the move is unambiguous.
        let allied = prototype(rules).set("4k3/7r/8/8/8/8/8/.k2K+.R2.K1 blue - -");
        assert!(allied.moves("d1").split(' ').any(|text| text == "Kd1e1"), "{rules}");
        assert_eq!(allied.play("d1e1 h7h6").legal("d1d4").turn(), "BLACK", "{rules}");
    }
}

/// A piece that may capture one of two pieces on a square captures both, even a frozen guest.
#[test]
fn d25_capture_on_a_shared_square() {
    for rules in BOTH {
        // Bishops and queens capture their own kind together with a king.
        let bishop = prototype(rules).set("7k/8/8/8/6b1/8/7T/3K+B1.K1.k red - -");
        assert!(bishop.in_check("BLUE"), "{rules}");
        assert_eq!(bishop.play("g4d1").at("d1"), "RED BISHOP", "{rules}");
        let queen = prototype(rules).set("7k/8/8/8/8/3q4/7T/3K+Q1.K1.k red - -");
        assert_eq!(queen.play("d3d1").at("d1"), "RED QUEEN", "{rules}");
        prototype(rules).set("7k/8/8/8/8/3q4/7T/1K1Q1.K1.k red - -").illegal("d3d1");
        // Red's pawns move left and capture there.
        let pawn = prototype(rules).set("7k/8/8/8/8/8/4t2T/3K+R1.K1.k red - -");
        assert_eq!(pawn.play("e2d1").at("d1"), "RED RPAWN", "{rules}");
        // A frozen guest is captured with the king; alone it could not be captured.
        let both = prototype(rules).set("3r3k/8/8/8/8/8/7T/3K+.R3.k red - - captive=black:y");
        assert_eq!(both.play("d8d1").end(), "RED YELLOW leader_captured", "{rules}");
        prototype(rules)
            .set("3r3k/8/8/8/8/8/K6T/3.R3.k red - - captive=black:y")
            .illegal("d8d1")
            .legal("d8d2");
    }
}
