//! Ptah: a marked square that wins for the king of the querent.

use crate::table::{BOTH, game, prototype};

/// The marked square is e4, and Blue is the querent.
const MARKED: &str = "PTAH=true PTAH_SQUARE=e4 QUERENT=BLUE";
/// Blue's king stands beside the marked square.
const BESIDE: &str = "7k/7t/8/8/3K4/8/.T7/.K6.k blue - -";

/// The querent wins if its king stays on the square, unattacked, from the end of its turn to its next turn.
#[test]
fn d42_ptah() {
    for rules in BOTH {
        let table = game(rules, "", MARKED).set(BESIDE);
        let arrived = table.play("d4e4 h8g8 a2a3");
        assert_eq!(arrived.end(), "-", "{rules}: not before the round is over");
        assert_eq!(arrived.play("h1g1").end(), "BLUE BLACK ptah", "{rules}");
        // Almost: beside the square; on it but attacked in between; left again.
        assert_eq!(table.play("d4e5 h8g8 a2a3 h1g1").end(), "-", "{rules}");
        let rook = table.set("7k/7r/8/8/3K4/8/.T7/.K6.k blue - -").play("d4e4 h7e7 a2a3 h1g1");
        assert_eq!((rook.end().as_str(), rook.turn()), ("-", "BLUE"), "{rules}");
        // An attack in one turn suffices, even if the attacker is captured before the round ends.
        let passing = table.set("7k/.R6r/7t/8/3K4/8/8/.K6.k blue - -").play("d4e4 h7e7 a7e7 h1g1");
        assert_eq!((passing.end().as_str(), passing.turn()), ("-", "BLUE"), "{rules}");
        // Standing there is not enough: the hold begins at the end of the querent's own turn.
        let stands = table.set("7k/7t/8/8/4K3/8/.T7/.K6.k red - -").play("h8g8 a2a3 h1g1");
        assert_eq!((stands.end().as_str(), stands.turn()), ("-", "BLUE"), "{rules}");
        // Another king, another square, no marked square.
        let others = table.set("7k/7t/8/8/3.K4/8/T7/K6.k black - -").play("d4e4 h1g1 a2a3 h8g8");
        assert_eq!(others.end(), "-", "{rules}: Black does not ask");
        let elsewhere = game(rules, "", "PTAH=true PTAH_SQUARE=e5 QUERENT=BLUE").set(BESIDE);
        assert_eq!(elsewhere.play("d4e4 h8g8 a2a3 h1g1").end(), "-", "{rules}");
        assert_eq!(prototype(rules).set(BESIDE).play("d4e4 h8g8 a2a3 h1g1").end(), "-", "{rules}");
        // Capturing both kings still wins.
        let kings = table.set("k7/R7/8/8/8/8/8/6.KK blue - - captive=y:black").play("a7a8");
        assert_eq!(kings.end(), "BLUE BLACK leader_captured", "{rules}");
        // The querent wins even without a legal move, enclosed by its own and by Red's frozen pieces.
        let shut = "8/8/8/2ttttt1/2tTTTt1/2tTKTt1/2tTTTt1/.K6.k yellow - - captive=r:blue holding=blue";
        let shut = game(rules, "", "PTAH=true PTAH_SQUARE=e3 QUERENT=BLUE").set(shut);
        assert_eq!(shut.play("h1h2").end(), "BLUE BLACK ptah", "{rules}");
    }
}
