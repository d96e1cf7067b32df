//! Converts an array to a layout of the game file.

use serde_json::{Map, Value, json};

use crate::army::{Army, PieceKind};
use crate::array::ArraySpec;

fn code(kind: PieceKind, patron: Option<PieceKind>) -> String {
    match patron {
        Some(patron) => format!("{}PAWN", patron.letter()),
        None => kind.name().to_uppercase(),
    }
}

fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

/// Lists squares by name; none is an empty list.
fn list(squares: impl IntoIterator<Item = u8>) -> Value {
    let names: Vec<String> = squares.into_iter().map(name).collect();
    if names.is_empty() { json!([]) } else { json!(names.join(" ")) }
}

/// Lists the squares of a set, a line of the board as a range.
fn set(bits: u64) -> Value {
    let squares: Vec<u8> = (0..64).filter(|square| bits >> square & 1 == 1).collect();
    match squares.as_slice() {
        [first, .., last] if squares.len() == 8 && (last - first == 7 || last - first == 56) => {
            json!(format!("{}-{}", name(*first), name(*last)))
        }
        _ => list(squares),
    }
}

fn by_army(of: impl Fn(Army) -> Value) -> Value {
    let map: Map<String, Value> =
        Army::ALL.iter().map(|army| (army.name().to_uppercase(), of(*army))).collect();
    Value::Object(map)
}

/// Returns the layout as it appears in `games/enochian.json`.
pub fn layout_json(array: &ArraySpec) -> Value {
    let throne = |army: Army| list(array.throne_squares[army.index()].iter().copied());
    let mut conditions = Map::new();
    conditions.insert("THRONE".into(), by_army(throne));
    conditions.insert("LAST_LINE".into(), by_army(|army| set(array.promotion_zones[army.index()])));
    for kind in PieceKind::PATRONS {
        let is_sharer = array.first_sharer == Some(kind);
        let key = format!("THRONE_OF_{}", kind.name().to_uppercase());
        conditions.insert(key, by_army(|army| if is_sharer { throne(army) } else { json!([]) }));
    }
    let has_sharer = array.first_sharer.is_some();
    let shared = by_army(|army| if has_sharer { throne(army) } else { json!([]) });
    conditions.insert("SHARED_THRONE".into(), shared);
    json!({
        "about": array.about,
        "players": by_army(|army| player(array, army)),
        "turns": { "order": order(array) },
        "conditions": conditions,
    })
}

/// Returns the turn order with its options: the tablets have a different order in the rules document, and in a historical
/// divination the army of the setting moves first.
fn order(array: &ArraySpec) -> Value {
    let names = |order: [Army; 4]| order.map(|army| army.name().to_uppercase());
    let group = |only_if: Value, order: [Army; 4]| json!({ "only_if": only_if, "entries": names(order) });
    let turns = array.turn_order;
    let divination = array.divination_order();
    match array.historical_order {
        Some(historical) => json!([
            group(json!({ "TABLET_ORDER": "LISTED" }), turns),
            group(json!({ "TABLET_ORDER": "DEOSIL" }), historical),
        ]),
        None if divination != turns => json!([
            group(json!({ "DIVINATION": false }), turns),
            group(json!({ "DIVINATION": true, "DIVINATION_FIRST": "BOARD" }), turns),
            group(json!({ "DIVINATION": true, "DIVINATION_FIRST": "SETTING" }), divination),
        ]),
        None => json!(names(turns)),
    }
}

fn player(array: &ArraySpec, army: Army) -> Value {
    let majors = PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::Pawn).map(|kind| (kind, None));
    let pawns = PieceKind::PATRONS.into_iter().map(|patron| (PieceKind::Pawn, Some(patron)));
    let groups = majors.chain(pawns).filter_map(|(kind, patron)| {
        let placements = array.piece_placements.iter();
        let placements = placements.filter(|it| it.army == army && it.kind == kind && it.patron == patron);
        let squares: Vec<u8> = placements.map(|it| it.square).collect();
        (!squares.is_empty()).then(|| (code(kind, patron), list(squares)))
    });
    json!({
        "direction": array.pawn_directions[army.index()].word(),
        "starting_positions": groups.collect::<Map<String, Value>>(),
    })
}
