//! Turns: armies that are passed over, frozen, controlled, or stalemated.

use crate::table::{BOTH, prototype};

/// All other armies are enclosed by their own and by Red's frozen pieces.
const SHUT: &str = ".k.tt5/.t.tt5/8/8/8/tt4tt/TT4.T.T/KT4.T.K blue - - captive=r:blue";
/// Yellow's king in the corner is safe, but would be attacked after every move.
const CORNERED: &str = ".k7/7R/8/8/8/8/8/KR4.K1 black - -";

/// A stalemated army is passed over. Under `zalewski` the game is drawn if its ally is captive or controlled.
#[test]
fn d13_stalemate_passes() {
    let allied = ".k7/7R/8/8/4k2t/8/8/KR4.K1 black - -";
    for rules in BOTH {
        let passed = prototype(rules).set(allied).play("g1f1");
        assert_eq!((passed.turn(), passed.end().as_str()), ("BLUE", "-"), "{rules}");
        // The rook leaves the seventh rank, and Yellow can move again.
        assert_eq!(passed.play("h7h8 e4e5 f1g1").turn(), "YELLOW", "{rules}");
    }
    let ends = |rules: &str| prototype(rules).set(&format!("{CORNERED} captive=r:blue")).play("g1f1").end();
    assert_eq!((ends("document").as_str(), ends("zalewski").as_str()), ("-", "draw stalemate_of_the_last"));
}

/// The turn goes to the next army that can move. If none can, the game is drawn. A skip is not a turn.
#[test]
fn d22_skipping() {
    let document = prototype("document");
    assert_eq!(document.set(SHUT).end(), "draw nobody_can_move");
    for rules in BOTH {
        // Almost: one of Yellow's pawns can move.
        let open = prototype(rules).set(&SHUT.replacen(".tt5", ".t6", 1));
        assert_eq!((open.turn(), open.moves("").as_str()), ("YELLOW", "b8c8"), "{rules}");
        // Only Yellow can move, and moves again.
        let again = prototype(rules).set(&SHUT.replacen(".k.tt5", ".k.t6", 1)).play("b8c8");
        assert_eq!(again.turn(), "YELLOW", "{rules}");
        // The first army may be passed over at the start; perft does not count skips.
        let start = prototype(rules);
        assert_eq!(start.turn(), "BLACK", "{rules}");
        assert_eq!(start.rules.perft(&start.position, 1), start.moves("").split(' ').count() as u64);
        // A checked army without a move is passed over too.
        let checked = prototype(rules).set("8/8/8/8/.k7/tn6/TT6/KT4.K.T blue - - captive=r:black");
        assert_eq!(checked.turn(), "BLACK", "{rules}");
    }
}

/// A frozen army loses its turns. A controlled army keeps its turns, and its controller chooses the moves.
#[test]
fn d28_turns_of_frozen_and_controlled_armies() {
    for rules in BOTH {
        let table = prototype(rules);
        let frozen = table.set("7r/8/8/8/8/1R6/.K5.k1/K7 blue - - captive=r:blue").play("b3b4");
        assert_eq!(frozen.turn(), "BLACK", "{rules}: not Red");
        let controlled = table.set("7k/7r/8/.T7/8/8/8/K4.K1.k black - - control=black:blue");
        assert_eq!(controlled.turn(), "BLACK", "{rules}");
        let (blue, black) = (controlled.army("BLUE"), controlled.army("BLACK"));
        assert_eq!(controlled.rules.decider(&controlled.position, black), blue, "{rules}");
        assert_eq!(controlled.rules.decider(&controlled.position, blue), blue, "{rules}");
        assert_eq!(controlled.play("a5a6").turn(), "YELLOW", "{rules}: the order stays");
    }
}

/// Under `zalewski` stalemate draws if the ally's king is captive or the ally is controlled through a throne.
#[test]
fn d36_stalemate_when_the_ally_is_out() {
    let zalewski = prototype("zalewski");
    let draw = "draw stalemate_of_the_last";
    assert_eq!(zalewski.set(&format!("{CORNERED} captive=r:blue")).play("g1f1").end(), draw);
    let allied = ".k7/7R/8/8/4k2t/8/8/KR4.K1 black - -";
    assert_eq!(zalewski.set(&format!("{allied} control=r:y")).play("g1f1").end(), draw);
    assert_eq!(zalewski.set(allied).play("g1f1").end(), "-");
    assert_eq!(
        zalewski.set(&format!("{allied} control=r:y withdrawn=r")).play("g1f1").end(),
        "-",
        "no throne"
    );
    // Stalemate is judged when the turn comes.
    assert_eq!(zalewski.set(&format!("{CORNERED} captive=r:blue")).end(), "-");
    // A checked army without a move is not stalemated.
    let checked = ".kt6/ttN5/8/8/8/8/8/KR4.K1 black - - captive=r:blue";
    assert_eq!(zalewski.set(checked).play("g1f1").end(), "-");
    assert_eq!(prototype("document").set(&format!("{allied} control=r:y")).play("g1f1").end(), "-");
    // With all armies enclosed, Yellow's stalemate precedes the ending that no army can move.
    assert_eq!(zalewski.set(SHUT).end(), draw);
}
