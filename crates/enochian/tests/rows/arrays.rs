//! Properties of the array: thrones, promotion lines, turn order and pieces.

use tabiya_enochian::{
    Army, PieceKind, Placement, TABLET_OF_FIRE_PROTOTYPE, available_arrays, find_array_by_name,
};

use crate::table::{BOTH, game, prototype};

const ELEMENTS: [(&str, Army); 4] =
    [("Fire", Army::Red), ("Earth", Army::Black), ("Air", Army::Yellow), ("Water", Army::Blue)];
/// Clockwise, from Yellow's corner.
const DEOSIL: [Army; 4] = [Army::Yellow, Army::Blue, Army::Red, Army::Black];

fn from(first: Army) -> Vec<Army> {
    let start = DEOSIL.iter().position(|army| *army == first).expect("an army");
    (0..4).map(|step| DEOSIL[(start + step) % 4]).collect()
}

/// Returns the turn order of a game.
fn order(rules: &str, array: &str, options: &str) -> Vec<Army> {
    let table = game(rules, array, options);
    let slots = table.rules.order().iter();
    slots.map(|player| Army::ALL[player.index()]).collect()
}

fn pieces(name: &str) -> Vec<Placement> {
    let mut pieces = find_array_by_name(name).expect(name).piece_placements.clone();
    pieces.sort_by_key(|piece| (piece.square, piece.army, piece.kind));
    pieces
}

/// The prototype fills the board with four armies in bands. Blue and Red cannot move at first.
#[test]
fn d04_prototype() {
    let board = "rnbqkbnr/thadtaht/.t.h.a.d.t.a.h.t/.r.n.b.q.k.b.n.r/.T.H.A.D.T.A.H.T/.R.N.B.Q.K.B.N.R/THADTAHT/RNBQKBNR";
    for rules in BOTH {
        let start = prototype(rules);
        assert_eq!(start.to_string(), format!("{board} black - - 0 1"), "{rules}");
        assert_eq!(start.position.piece_count(), 64);
    }
}

/// The tablets of Water, Air and Earth have the line-ups of their historical namesakes and other turn orders.
#[test]
fn d05_tablets() {
    use Army::{Black, Blue, Red, Yellow};
    let listed = [
        ("Water", [Blue, Black, Yellow, Red]),
        ("Air", [Red, Yellow, Black, Blue]),
        ("Earth", [Yellow, Blue, Red, Black]),
    ];
    for (element, turns) in listed {
        let (tablet, namesake) = (format!("Tablet of {element}"), format!("{element} of {element}"));
        assert_eq!(pieces(&tablet), pieces(&namesake), "{element}");
        assert_eq!(order("document", &tablet, ""), turns, "{element}");
        assert_eq!(order("zalewski", &tablet, ""), order("zalewski", &namesake, ""), "{element}");
    }
}

/// The array determines thrones, directions, turn order and pieces; the rule set the rest. Every array works with both.
#[test]
fn d17_properties_of_the_array() {
    for array in available_arrays().iter().filter(|array| array.historical_order.is_none()) {
        let [document, zalewski] = BOTH.map(|rules| game(rules, &array.name, ""));
        assert_eq!(document.to_string(), zalewski.to_string(), "{}", array.name);
        assert_eq!(document.moves(""), zalewski.moves(""), "{}", array.name);
    }
    // Prototype and corner arrays keep their thrones under either rule set.
    let beside = "7k/7t/8/1K6/8/8/3.T4/.K6.k blue - -";
    assert_eq!(prototype("zalewski").set(beside).play("b5a5").controller("BLACK"), "BLUE");
    assert_eq!(game("document", "Fire of Fire", "").set(beside).play("b5a5").controller("BLACK"), "-");
}

/// Armies are named by colour: Yellow a8, Blue h8, Red h1, Black a1. Allies sit in opposite corners.
#[test]
fn d18_colours() {
    for array in available_arrays().iter().filter(|array| array.name != TABLET_OF_FIRE_PROTOTYPE.name) {
        let corners = Army::ALL.map(|army| array.throne_squares[army.index()].clone());
        assert_eq!(corners, [vec![63], vec![7], vec![0], vec![56]], "{}", array.name);
    }
}

/// Historical arrays go clockwise from the army of the board, or counterclockwise. In a divination the setting moves first.
#[test]
fn d45_turn_orders() {
    for (board, first) in ELEMENTS {
        for (setting, querent) in ELEMENTS {
            let name = format!("{setting} of {board}");
            for rules in BOTH {
                assert_eq!(order(rules, &name, ""), from(first), "{rules} {name}");
                let mut back = from(first);
                back[1..].reverse();
                assert_eq!(order(rules, &format!("{name}, widdershins"), ""), back, "{rules} {name}");
            }
            assert_eq!(order("document", &name, "DIVINATION=true"), from(first), "{name}");
            assert_eq!(order("zalewski", &name, "DIVINATION=true"), from(querent), "{name}");
        }
    }
}

/// The prototype has 16 pieces per army, corner arrays have 9, with one king each. Any piece may stand on a throne.
#[test]
fn d47_pieces() {
    for array in available_arrays() {
        let count = if array.name == TABLET_OF_FIRE_PROTOTYPE.name { 16 } else { 9 };
        for army in Army::ALL {
            let own = array.piece_placements.iter().filter(|piece| piece.army == army);
            assert_eq!(own.clone().count(), count, "{} {army}", array.name);
            assert_eq!(own.filter(|piece| piece.kind == PieceKind::King).count(), 1, "{} {army}", array.name);
        }
    }
    // Yellow's king stands on e5, a yellow rook on the throne h5, and a black pawn on h4.
    let start = prototype("document");
    assert_eq!((start.at("h5").as_str(), start.at("h4").as_str()), ("YELLOW ROOK", "BLACK RPAWN"));
    let bare = "8/8/8/8/3kK3/2t5/2T5/.K6.k blue - -";
    assert_eq!(game("document", "Fire of Fire", "").set(bare).at("h8"), "-");
}
