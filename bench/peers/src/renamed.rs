//! Chess under other names: the same game with other codes and another order. It must be as fast as chess, because paths
//! are chosen by the rules and not by names.

use serde_json::{Value, json};
use tabiya_engine::{Kind, Position, Rules};

use crate::games::library;

/// How chess is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Renaming {
    /// Other codes, and pieces in another order.
    Names,
    /// Also a piece that can never arise.
    UnusedPiece,
    /// Also Black's orientation a rotation, with castling written for both sides.
    Rotated,
}

/// Codes of chess with their new codes and letters, in the order of the new file.
const CODES: [(&str, &str, &str); 6] = [
    ("KING", "ABBOT", "A"),
    ("ROOK", "WALL", "W"),
    ("PAWN", "NOVICE", "N"),
    ("QUEEN", "STORM", "S"),
    ("KNIGHT", "HARE", "H"),
    ("BISHOP", "PRIOR", "P"),
];
const WORDS: [(&str, &str); 4] =
    [("LAST_RANK", "FAR_EDGE"), ("EN_PASSANT", "HASTY"), ("WHITE", "DAWN"), ("BLACK", "DUSK")];

impl Renaming {
    /// Returns the renaming with this game name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "renamed" => Some(Renaming::Names),
            "renamed-stranger" => Some(Renaming::UnusedPiece),
            "renamed-rotated" => Some(Renaming::Rotated),
            _ => None,
        }
    }

    /// Returns the spec.
    pub fn spec(self) -> Value {
        let mut spec = library("chess");
        let pieces = spec["pieces"].as_array_mut().expect("chess has pieces");
        pieces.sort_by_key(|piece| CODES.iter().position(|(code, ..)| piece["code"] == *code));
        for (piece, (_, _, letter)) in pieces.iter_mut().zip(CODES) {
            piece["letter"] = letter.into();
            piece["moves"].as_array_mut().expect("pieces have moves").reverse();
        }
        if self != Renaming::Names {
            pieces.insert(3, unused_piece());
        }
        if self == Renaming::Rotated {
            castle_both_ways(&mut pieces[0]["moves"]);
            spec["players"][1]["direction"] = json!([[-1, 0], [0, -1]]);
        }
        rename(&mut spec);
        spec["name"] = "Renamed".into();
        spec
    }
}

/// Returns a piece that no player starts with or promotes to.
fn unused_piece() -> Value {
    let both = json!([{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]);
    let steps = [[1, 3], [3, 1], [3, -1], [1, -3], [-1, -3], [-3, -1], [-3, 1], [-1, 3]];
    let moves: Vec<Value> = (0..)
        .zip(steps)
        .map(|(id, step): (u32, _)| json!({ "id": id, "step": step, "actions": both.clone() }))
        .collect();
    json!({ "code": "CAMEL", "letter": "C", "moves": moves })
}

/// Adds mirrored castling moves. The king's right is the king's side for White and the queen's side for Black, whose board
/// is rotated; the added moves have no rook where the other player castles.
fn castle_both_ways(moves: &mut Value) {
    let moves = moves.as_array_mut().expect("the king has moves");
    let mut mirrored: Vec<Value> =
        moves.iter().filter(|each| each["side_effects"][0]["action"] == "MOVE").cloned().collect();
    for (id, each) in (10_u32..).zip(&mut mirrored) {
        mirror(each);
        each["id"] = id.into();
    }
    moves.extend(mirrored);
}

/// Swaps left and right in every offset.
fn mirror(value: &mut Value) {
    match value {
        Value::Array(list) if list.len() == 2 && list.iter().all(Value::is_i64) => {
            list[0] = (-list[0].as_i64().expect("an offset is made of numbers")).into();
        }
        Value::Array(list) => list.iter_mut().for_each(mirror),
        Value::Object(object) => object.values_mut().for_each(mirror),
        _ => {}
    }
}

/// Renames codes and players, in keys and values.
fn rename(value: &mut Value) {
    let other = |word: &str| {
        let code = CODES.iter().find(|(code, ..)| *code == word).map(|(_, new, _)| *new);
        code.or_else(|| WORDS.iter().find(|(old, _)| *old == word).map(|(_, new)| *new))
    };
    match value {
        Value::String(text) => {
            if let Some(new) = other(text) {
                *text = new.into();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(rename),
        Value::Object(object) => {
            let renamed = std::mem::take(object).into_iter().map(|(key, mut value)| {
                rename(&mut value);
                (other(&key).map_or(key, Into::into), value)
            });
            *object = renamed.collect();
        }
        _ => {}
    }
}

/// A position of chess in the other game: the same squares, each piece under its new code.
pub fn translate(chess: &Rules, renamed: &Rules, position: &Position) -> Position {
    let kind = |old: Kind| {
        let new = CODES.iter().find(|(code, ..)| *code == chess.kind(old).code).map(|(_, new, _)| *new);
        renamed
            .kinds()
            .find(|kind| Some(renamed.kind(*kind).code.as_str()) == new)
            .expect("it has a new code")
    };
    let mut setup = chess.setup(position);
    for (_, piece) in &mut setup.pieces {
        piece.kind = kind(piece.kind);
    }
    renamed.position(&setup).expect("the same position is one of the renamed game")
}
