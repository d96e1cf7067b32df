//! Endings and their order, the order of effects, and withdrawal.

use crate::table::{BOTH, game, prototype};

/// Draws: both kings of a team bare, four bare kings, no army can move, many quiet turns.
#[test]
fn d14_draws() {
    for rules in BOTH {
        let table = prototype(rules);
        assert_eq!(table.set("k6r/8/8/8/8/8/8/K5.K.k blue - -").end(), "draw bare_kings", "{rules}");
        assert_eq!(table.set("k7/8/8/8/8/8/8/K5.K.k blue - -").end(), "draw bare_kings", "{rules}");
        assert_eq!(table.set("k6r/8/8/8/8/8/T7/K5.K.k blue - -").end(), "-", "{rules}: one pawn is enough");
        assert_eq!(table.set("k6r/8/8/8/8/8/.T7/K5.K.k blue - -").end(), "-", "{rules}: the ally's as well");
    }
}

/// The game is drawn after 200 turns without a capture, pawn move or exchange; the number is an option.
#[test]
fn d23_quiet_turns() {
    for rules in BOTH {
        let board = "k6r/8/8/8/8/8/TR6/K5.K.k blue - -";
        let table = prototype(rules).set(board);
        assert_eq!((table.end_after(199), table.end_after(200)), (None, Some("QUIET")), "{rules}");
        // The limit stops the game: nothing is counted beyond it.
        let perft = |quiet, depth| table.rules.perft_with_quiet(&table.position, quiet, depth);
        assert_eq!((perft(200, 1), perft(200, 0)), (0, 1), "{rules}");
        assert_eq!(perft(199, 1), table.rules.perft(&table.position, 1), "{rules}");
        assert_eq!(perft(197, 3), table.rules.perft(&table.position, 3), "{rules}");
        let pawn = table.play("a2a3");
        assert_eq!(
            perft(199, 2),
            pawn.rules.perft(&pawn.position, 1),
            "{rules}: only the pawn's move goes on"
        );
        let ending = table.rules.outcome_with_quiet(&table.position, 200).expect("an outcome");
        assert_eq!(
            (table.rules.reason(ending.reason).as_str(), ending.winners.len()),
            ("quiet", 0),
            "{rules}"
        );
        assert_eq!(table.rules.outcome_with_quiet(&table.position, 199), None, "{rules}");
        let never = game(rules, "", "QUIET_LIMIT=0").set(board);
        assert_eq!(never.end_after(100_000), None, "{rules}");
        assert_eq!(game(rules, "", "QUIET_LIMIT=50").set(board).end_after(50), Some("QUIET"), "{rules}");
        let kind =
            |code: &str| table.rules.kinds().find(|kind| table.rules.kind(*kind).code == code).expect(code);
        let is_loud = |code: &str, played: &str| {
            table.rules.is_zeroing(&table.position, kind(code), &table.play(played).position)
        };
        assert!(is_loud("RPAWN", "a2a3") && !is_loud("ROOK", "b2b3"), "{rules}");
        let takes = prototype(rules).set("k6r/8/8/8/8/8/TR5r/K5.K.k blue - -");
        assert!(
            takes.rules.is_zeroing(&takes.position, kind("ROOK"), &takes.play("b2h2").position),
            "{rules}"
        );
    }
}

/// Captive kings are judged before bare kings. A team with one captive and one bare king plays on. Repetition is ignored.
#[test]
fn d35_ends_and_their_order() {
    for rules in BOTH {
        let table = prototype(rules);
        // The capture of the second king also leaves bare kings: it is a win, not a draw.
        let wins = table.set("k7/R7/8/8/8/8/8/6.KK blue - - captive=y:black").play("a7a8");
        assert_eq!(wins.end(), "BLUE BLACK leader_captured", "{rules}");
        // The capture of the last rook of Air leaves two bare kings.
        let bare = table.set("k6r/8/8/8/7R/8/8/K5.K.k red - -").play("h8h4");
        assert_eq!(bare.end(), "draw bare_kings", "{rules}");
        // One king captive, the other bare, without and with frozen pieces.
        assert_eq!(table.set("k6r/8/8/8/8/8/8/K6.k blue - - captive=black:r").end(), "-", "{rules}");
        assert_eq!(table.set("k6r/8/8/8/8/8/8/K1.T4.k blue - - captive=black:r").end(), "-", "{rules}");
        // An exchange may leave two bare kings.
        let prisoners = table.set("7K/8/8/8/8/8/7.t/.k7 blue - - captive=r:blue,black:y");
        assert_eq!(prisoners.exchange().end(), "draw bare_kings", "{rules}");
        // A setup may have both kings of a team captive.
        let over = table.set("k6r/8/8/8/8/8/8/7.k red - - captive=black:r,blue:y");
        assert_eq!(over.end(), "RED YELLOW leader_captured", "{rules}");
        assert!(over.rules.endings().iter().all(|ending| ending.code != "REPETITION"), "{rules}");
    }
    // Endings are also judged after a turn lost to the die: Yellow's stalemate ends the game.
    let dice = game("zalewski", "", "DIVINATION=true DIE_AND_CHECK=HOLDS");
    let passes = dice.set(".k7/7R/8/8/8/8/8/KR4.K1 black - - captive=r:blue").throw(2);
    assert_eq!(passes.end(), "draw stalemate_of_the_last");
}

/// The order: captures, demotion, promotion, freezing, seizure and thaw, concourse, waiting pawns, check, endings, turn.
#[test]
fn d44_order_of_effects() {
    // A king and its own pawn are captured together: the army freezes before waiting pawns are promoted.
    let corners = game("zalewski", "Fire of Fire", "");
    let own = corners.set("4r2K+H/8/3A4/D7/8/8/3T4/.K3.k2k red - -").play("e8h8");
    assert_eq!((own.at("h8").as_str(), own.at("a5").as_str()), ("RED ROOK", "BLUE QPAWN"));
    // A king and its ally's pawn are captured together: the ally is not frozen, and its pawn on file h is promoted.
    let ally = corners.set("4r2K+.H/8/8/7.D/8/2.A5/2.T5/.K3.k2k red - -").play("e8h8");
    assert_eq!((ally.at("h5").as_str(), ally.is_frozen("BLUE")), ("BLACK QUEEN", true));
    // Check is judged after that: if the king captures a pawn, Red's waiting pawn becomes a rook and attacks it.
    let waits = "4t3/.k7/8/a5.T1/d7/4h3/5K2/2.K4k blue - -";
    corners.set(waits).illegal("f2e3").legal("f2g3");
    corners.set(&waits.replace("4t3", "3t4")).legal("f2e3");
    game("document", "Fire of Fire", "").set(waits).legal("f2e3");
    // A king captures an enemy king on its ally's throne: first the enemy freezes, then the ally thaws.
    let seizes = prototype("document").set("7.k/8/8/kK6/8/8/3.R3t/8 blue - - captive=black:r").play("b5a5");
    assert!(seizes.is_frozen("RED") && !seizes.is_frozen("BLACK"));
    assert_eq!((seizes.controller("BLACK"), seizes.turn()), ("BLUE", "BLACK"));
    // Demotion precedes promotion: the new queen does not become a pawn.
    for rules in BOTH {
        let doubled = prototype(rules).set("6t1/1D6/4k3/8/.k7/8/7Q/K1.K5 blue - -").play("b7b8q");
        assert_eq!((doubled.at("b8").as_str(), doubled.at("h2").as_str()), ("BLUE QUEEN", "BLUE QPAWN"));
    }
}

/// Withdrawal is not a move. Under `zalewski` the ally takes over the army permanently; when the ally's king is captured,
/// both armies freeze.
#[test]
fn d48_withdrawal() {
    let board = "k6r/8/8/8/8/8/T7/K5.K.k blue - -";
    let document = prototype("document").set(board);
    assert!(document.rules.heirs(&document.position).is_empty());
    let zalewski = prototype("zalewski").set(board);
    let black = zalewski.army("BLACK");
    assert_eq!(zalewski.rules.heirs(&zalewski.position).iter().collect::<Vec<_>>(), [black]);
    let position = zalewski.rules.play_withdrawal(&zalewski.position, black).expect("a withdrawal to Black");
    let handed = crate::table::Table { position, ..zalewski.clone() };
    assert_eq!((handed.controller("BLUE"), handed.turn()), ("BLACK", "BLUE"), "it takes no turn");
    assert_eq!(handed.moves(""), zalewski.moves(""), "and changes no move");
    assert!(handed.rules.heirs(&handed.position).is_empty(), "a second withdrawal is impossible");
    // When the ally's king is captured, the withdrawn army freezes too; control by a throne would only end.
    let beside = "k6r/8/8/8/8/8/T7/K5.K.k red - - control=blue:black";
    let falls = "k7/8/8/8/8/8/T7/K4r.K1 red - - captive=y:black control=blue:black";
    let [seized, withdrawn] =
        ["", " withdrawn=blue"].map(|extra| zalewski.set(&format!("{falls}{extra}")).play("f1g1"));
    assert!(!seized.is_frozen("BLUE") && seized.controller("BLUE") == "-");
    assert!(withdrawn.is_frozen("BLUE") && withdrawn.is_frozen("BLACK"));
    assert!(
        withdrawn.to_string().ends_with("frozen=blue,black,y control=blue:black withdrawn=blue"),
        "{withdrawn}"
    );
    assert!(!zalewski.set(&format!("{beside} withdrawn=blue")).play("h8h7").is_frozen("BLUE"));
    // An ally whose king is captive cannot take over an army.
    let alone = zalewski.set("k6r/8/8/8/8/8/T7/K6.k blue - - captive=black:r");
    assert!(alone.rules.heirs(&alone.position).is_empty());
}
