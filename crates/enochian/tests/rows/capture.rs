//! Captures: teams, frozen pieces, and the two diagonal systems.

use crate::table::{BOTH, game, prototype};

/// Blue and Black play against Red and Yellow.
#[test]
fn d03_teams() {
    for rules in BOTH {
        for array in ["", "Fire of Fire"] {
            let table = game(rules, array, "");
            let rook = table.set("7k/1.R6/8/1R2r3/8/8/1.r6/K5.K.k blue - -");
            rook.legal("b5e5 b5b2 b5b6").illegal("b5b7");
            let won = table.set("k7/R7/8/8/8/8/8/6.KK blue - - captive=y:black").play("a7a8");
            assert_eq!(won.end(), "BLUE BLACK leader_captured", "{rules} {array}");
        }
    }
}

/// Bishops and queens capture each other only within one diagonal system, and never their own kind. Their tag decides.
#[test]
fn d07_diagonal_systems() {
    // The networks have their names the other way round under `zalewski`.
    for (rules, other) in BOTH.into_iter().zip(["ARIES", "CANCER"]) {
        let bishop = prototype(rules);
        bishop.set("7k/8/8/8/5q2/8/7.T/K1B3.K.k blue - -").legal("c1f4");
        bishop
            .set(&format!("7k/8/8/8/5q2/8/7.T/K1B3.K.k blue - - tags=f4:{other}"))
            .illegal("c1f4")
            .legal("c1e3");
        bishop.set("7k/8/8/8/5b2/8/7.T/K1B3.K.k blue - -").illegal("c1f4").legal("c1e3");
        bishop.set("7k/8/8/8/3b4/8/3Q3.T/1K4.K.k blue - -").legal("d2d4");
        bishop.set(&format!("7k/8/8/8/3b4/8/3Q3.T/1K4.K.k blue - - tags=d2:{other}")).illegal("d2d4");
        bishop.set("7k/8/8/8/3q4/8/3Q3.T/1K4.K.k blue - -").illegal("d2d4");
        // The tag does not change when the piece moves.
        let walked = bishop
            .set(&format!("1.K5k/8/8/8/5q2/8/6.T1/K1B4.k blue - - tags=c1:{other}"))
            .play("c1d2 h8h7 b8a8 h1h2");
        walked.illegal("d2f4").legal("d2e3");
        // Other kinds capture and are captured on any square.
        bishop.set(&format!("7k/8/8/8/5r2/8/7.T/K1B3.K.k blue - - tags=c1:{other}")).legal("c1f4");
        bishop.set(&format!("7k/8/8/8/5q2/8/7.T/K4R.K.k blue - - tags=f4:{other}")).legal("f1f4");
    }
}

/// An army whose king is captured freezes: its pieces block, do not move or attack, and cannot be captured.
#[test]
fn d09_frozen_armies() {
    for rules in BOTH {
        let before = prototype(rules).set("k7/8/8/8/R3r3/8/.K5.k1/K3R3 blue - -");
        before.legal("e1e4");
        let after = before.play("a4a8");
        assert!(after.is_frozen("RED") && !after.is_frozen("YELLOW"), "{rules}");
        assert_eq!(after.turn(), "BLACK", "{rules}: Red is passed over");
        let blue = after.play("a2a3 g2g3");
        blue.illegal("e1e4 e1e5").legal("e1e3");
        // Red's rook on e4 would check a king on h4 if it were not frozen.
        let near = "R7/8/8/8/4r2K/8/.K5.k1/8 blue - -";
        assert!(prototype(rules).set(near).in_check("BLUE"), "{rules}");
        assert!(!prototype(rules).set(&format!("{near} captive=r:blue")).in_check("BLUE"), "{rules}");
    }
}

/// A team never captures, attacks or checks its own pieces. Frozen pieces block sliders and can be jumped over.
#[test]
fn d27_allies_and_frozen_pieces() {
    for rules in BOTH {
        let table = prototype(rules);
        let friends = table.set("7k/7r/8/8/R2.K4/8/8/K6.k blue - -");
        friends.illegal("a4d4 a4e4").legal("a4c4");
        assert!(!friends.in_check("BLACK"), "{rules}");
        let frozen = table.set("7k/7r/8/8/R2.R4/8/8/K6.k blue - - captive=black:r");
        frozen.illegal("a4d4 a4e4");
        // Queen and knight jump over Red's frozen pawns but cannot land on them.
        let leaps = table.set("8/8/8/2ttt3/2tQt3/2ttt3/8/KN4.K.k blue - - captive=r:black");
        leaps.legal("d4d6 d4f6 d4b2 b1d2 b1a3").illegal("d4d5 b1c3");
        let landing = table.set("8/8/3t4/8/3Q4/8/8/K5.K.k blue - - captive=r:black");
        landing.illegal("d4d6").legal("d4f6");
    }
}

/// Bishops and queens stay on one colour, and diagonal systems are colours, so the tag never matters separately.
#[test]
fn d32_diagonal_systems_are_colours() {
    let aries = |square: usize| (square % 8 + square / 8) % 2 == 1;
    let leaps = [(0, 2), (2, 2), (2, 0), (2, -2), (1, 1), (1, -1)];
    for square in 0..64usize {
        for (x, y) in leaps {
            let (to_x, to_y) = ((square % 8) as i32 + x, (square / 8) as i32 + y);
            if (0..8).contains(&to_x) && (0..8).contains(&to_y) {
                assert_eq!(aries(square), aries((to_y * 8 + to_x) as usize));
            }
        }
    }
    // A promoted piece has the diagonal system of its square: a bishop of that colour captures a queen made on b8.
    for rules in BOTH {
        let table = prototype(rules).set("7k/1D6/3b4/8/8/8/R6.T/K5.K.k blue - -").play("b7b8q");
        table.legal("d6b8");
    }
}
