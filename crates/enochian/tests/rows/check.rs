//! Check: what a checked king must do, what a safe king may do, and stalemate.

use crate::table::{BOTH, prototype};

/// A checked king must move if it can, even if that does not help. A safe king may enter check only under `document`.
#[test]
fn d08_checked_kings() {
    for rules in BOTH {
        let checked = prototype(rules).set("r3k3/8/8/8/8/8/7R/K5.K.k blue - -");
        assert_eq!(checked.moves(""), "a1a2 a1b1 a1b2", "{rules}: a2 stays in check");
        let safe = prototype(rules).set("1r2k3/8/8/8/8/8/7R/K5.K.k blue - -");
        safe.legal("h2h8 a1a2");
        if rules == "document" {
            safe.legal("a1b1 a1b2")
        } else {
            safe.illegal("a1b1 a1b2")
        };
    }
}

/// An army is stalemated if its king is safe but would be attacked after every move. It is then passed over.
#[test]
fn d20_stalemate() {
    for rules in BOTH {
        let alone = prototype(rules).set("1r2k3/8/8/8/8/.k7/7r/K5.K.T blue - -");
        assert_eq!((alone.turn(), alone.end().as_str()), ("RED", "-"), "{rules}");
        // With one safe move the unsafe ones are legal too, if the king may enter check.
        let pawn = prototype(rules).set("1r2k3/8/8/8/4T3/.k7/7r/K5.K.T blue - -");
        let expected = if rules == "document" { "a1a2 a1b1 a1b2 e4e5" } else { "e4e5" };
        assert_eq!(pawn.moves(""), expected, "{rules}");
        // The pawn move exposes the king, so it is not safe; without the bishop it is.
        let shield = prototype(rules).set(".k3k2b/8/8/8/1n6/8/1T1n4/K5.K.T blue - -");
        assert_eq!(shield.turn(), "RED", "{rules}");
        let free = prototype(rules).set(".k3k1b1/8/8/8/1n6/8/1T1n4/K5.K.T blue - -");
        free.legal("b2b3");
    }
}

/// Under `document` the king may always enter check, under `zalewski` only from check. Pieces are never pinned.
#[test]
fn d21_entering_check_and_pins() {
    for rules in BOTH {
        prototype(rules).set("r3k3/8/8/8/R7/8/8/K5.K.k blue - -").legal("a4b4 a4a8");
        // A knight on b2 does not check a1. Whether the king may capture it depends on its protection.
        let alone = prototype(rules).set("4k2r/8/8/8/8/8/1n5R/K5.K.k blue - -");
        alone.legal("a1b2");
        let guarded = prototype(rules).set("1r2k3/8/8/8/8/8/1n5R/K5.K.k blue - -");
        if rules == "document" {
            guarded.legal("a1b2")
        } else {
            guarded.illegal("a1b2")
        };
        // A checked king may move into another check.
        prototype(rules).set("rr2k3/8/8/8/8/8/7R/K5.K.k blue - -").legal("a1b1 a1a2 a1b2");
    }
}

/// If a checked king can move, no other piece may; if it cannot, every move is legal.
#[test]
fn d26_moves_of_a_checked_king() {
    for rules in BOTH {
        let table = prototype(rules);
        // Enclosed by its own pieces and checked by a knight: all moves are legal, helpful or not.
        table.set("4k3/8/8/8/8/1n6/TR5.T/KT4.K.k blue - -").legal("a2b3 a2a3 b2c2");
        // Almost: b1 is free, so no other piece may move, even to capture the knight.
        let free = table.set("4k3/8/8/8/8/1n6/TR5.T/K5.K.k blue - -");
        assert_eq!(free.moves(""), "a1b1", "{rules}");
        // The king may capture enemies, protected or not, kings included, but not frozen pieces.
        let kings = table.set("1r6/8/8/8/.k7/8/TR5.T/Kk4.K1 blue - -");
        assert_eq!(kings.moves(""), "a1b1", "{rules}");
        let frozen = table.set("1r6/8/8/8/.k7/1.n6/TR5.T/Kt4.K1 blue - - captive=r:black");
        frozen.legal("a2b3 b2c2").illegal("a1b1");
        // The piece on the same throne may not move either.
        let shared = table.set("3rk3/8/8/8/8/8/8/.k2K+R2.K1 blue - -");
        shared.illegal("Rd1d2 Rd1h1").legal("Kd1d2");
        // A throne occupied by a friend is not an escape square.
        let closed = table.set("4k3/8/8/8/8/3n4/3TTT1.T/3QKR.K.k blue - -");
        closed.illegal("e1d1").legal("e2d3 d1d3 f2f3");
        // A checked army without a move is passed over; the game goes on.
        let stuck = table.set("8/8/8/8/.k7/tn6/TT6/KT4.K.T blue - - captive=r:black");
        assert_eq!((stuck.turn(), stuck.end().as_str()), ("BLACK", "-"), "{rules}");
    }
}
