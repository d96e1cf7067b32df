//! Exchange of prisoners: who proposes, who answers, and where kings return.

use crate::table::{BOTH, game, prototype};

/// Blue and Yellow are free. `captive=` follows.
const TWO_FREE: &str = "7K/7R/8/8/8/8/7.t/.k7 blue - -";

/// If one king of each team is captive, the captor of one may propose an exchange. Both armies thaw.
#[test]
fn d11_exchange() {
    for rules in BOTH {
        let table = prototype(rules).set(&format!("{TWO_FREE} captive=r:blue,black:y"));
        assert_eq!(table.offer(), "BLUE asks YELLOW: BLACK a5, RED e8", "{rules}");
        let after = table.exchange();
        assert_eq!((after.at("a5").as_str(), after.at("e8").as_str()), ("BLACK KING", "RED KING"), "{rules}");
        assert!(!after.is_frozen("RED") && !after.is_frozen("BLACK"), "{rules}");
        assert_eq!((after.turn(), after.offer().as_str()), ("BLUE", "-"), "{rules}: it takes no turn");
        // Almost: only one king is captive.
        let one = prototype(rules).set("7K/7R/8/8/8/.K7/7.t/.k7 blue - - captive=r:blue");
        assert_eq!(one.offer(), "-", "{rules}");
    }
    // Under `zalewski` the answering player must have captured the requested king.
    let by_captive = format!("{TWO_FREE} captive=r:blue,black:r");
    assert_eq!(prototype("document").set(&by_captive).offer(), "BLUE asks YELLOW: BLACK a5, RED e8");
    assert_eq!(prototype("zalewski").set(&by_captive).offer(), "-");
}

/// The player to move proposes if that player captured the enemy king; the player of the other team with a free king
/// answers.
#[test]
fn d33_who_proposes_and_answers() {
    for rules in BOTH {
        let table = prototype(rules);
        let others = format!("{TWO_FREE} captive=r:black,black:y");
        assert_eq!(table.set(&others).offer(), "-", "{rules}: Black took it, not Blue");
        let yellow = TWO_FREE.replace("blue", "yellow");
        let mine = table.set(&format!("{yellow} captive=r:blue,black:y"));
        assert_eq!(mine.offer(), "YELLOW asks BLUE: RED e8, BLACK a5", "{rules}");
        // A player may also propose on the turn of a controlled army.
        let controlled =
            "7K/7R/8/8/8/3.R4/7.t/.k7 black - - captive=r:blue,black:y frozen=r control=black:blue";
        assert_eq!(table.set(controlled).offer(), "BLUE asks YELLOW: BLACK a5, RED e8", "{rules}");
        // The captor is the player who moved the capturing piece.
        let taken = table.set("k6K/R7/8/8/8/8/7.t/.k2.K4 blue - - control=blue:black").play("a7a8");
        assert_eq!(taken.position.captor(taken.army("RED")), Some(taken.army("BLACK")), "{rules}");
    }
    // An exchange is possible only before the die is thrown.
    let dice = game("document", "", "DIVINATION=true").set(&format!("{TWO_FREE} captive=r:blue,black:y"));
    assert_eq!(dice.offer(), "BLUE asks YELLOW: BLACK a5, RED e8");
    assert_eq!(dice.throw(5).offer(), "-");
    assert_eq!(dice.throw(2).offer(), "-", "nor between two throws");
}

/// A king returns to its first empty throne, or to the nearest square that no unfrozen enemy attacks.
#[test]
fn d34_where_kings_return() {
    for rules in BOTH {
        let offer = |board: &str| {
            let text = format!("{board} blue - - captive=r:blue,black:y");
            prototype(rules)
                .set(&text)
                .offer()
                .split_once(": ")
                .map_or("-".to_owned(), |(_, it)| it.to_owned())
        };
        // A throne may be attacked: the rook on e2 attacks e8, and Yellow's rook on h5 attacks a5.
        assert_eq!(offer("7K/8/8/7.r/8/8/4R2.t/.k7"), "BLACK a5, RED e8", "{rules}");
        assert_eq!(offer("4N2K/7R/8/T7/8/8/7.t/.k7"), "BLACK a4, RED d8", "{rules}");
        assert_eq!(
            offer("7K/7R/8/T7/T7/8/7.t/.k7"),
            "BLACK a3, RED e8",
            "{rules}: the lowest of the nearest"
        );
        assert_eq!(
            offer("7K/7R/8/T7/T7/7.r/7.t/.k7"),
            "BLACK b4, RED e8",
            "{rules}: the third rank is attacked"
        );
        assert_eq!(offer("7K/7R/8/T7/T7/7r/7.t/.k7"), "BLACK b4, RED e8", "{rules}: Red thaws, and attacks");
        // Yellow's pawns attack to the right, so a8 is safe. If all free squares are attacked, there is no offer.
        let full = ".t.t.t.t.t.t.t.t";
        let rest = format!("{full}/{full}/.t.t.t.tK.t.t.t/{full}/{full}");
        let safe = offer(&format!("1.t.t.t.t.t.t1/T.t.t.t.t.t.t.t/{rest}/.t.t.t.t.t.t.k.t"));
        assert_eq!(safe, "BLACK a8, RED h8", "{rules}");
        let none = offer(&format!(".t.t.t.t.t.t.t1/T.t.t.t.t.t.t.t/{rest}/.t.t.t.t.t.t.k1"));
        assert_eq!(none, "-", "{rules}");
    }
    // Control of a returning army ends.
    let board = "7K/7R/8/8/8/3.R4/7.t/.k7 blue - - captive=r:blue,black:y frozen=r control=black:blue";
    let back = prototype("document").set(board).exchange();
    assert_eq!((back.controller("BLACK"), back.at("a5").as_str()), ("-", "BLACK KING"));
}

/// With two players a partner's captures count as one's own; nothing else differs.
#[test]
fn d38_two_players_or_four() {
    for rules in BOTH {
        let others = format!("{TWO_FREE} captive=r:black,black:y");
        let (four, two) = (prototype(rules), game(rules, "", "CAPTOR=TEAM"));
        assert_eq!(four.set(&others).offer(), "-", "{rules}");
        assert_eq!(two.set(&others).offer(), "BLUE asks YELLOW: BLACK a5, RED e8", "{rules}");
        for depth in 1..4 {
            let count = |table: &crate::table::Table| table.rules.perft(&table.position, depth);
            assert_eq!(count(&four), count(&two), "{rules} {depth}");
        }
        let seizes = "7k/7t/8/1K6/8/8/3.T4/.K6.k blue - -";
        assert_eq!(two.set(seizes).play("b5a5").controller("BLACK"), "BLUE", "{rules}");
    }
}
