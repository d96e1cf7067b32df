//! Chess in disguise: the same game, written down so that nothing in the file looks like it. What is fast for chess
//! must be fast by what the rules are, not by how they are called or in which order they stand.

use serde_json::{Value, json};
use tabiya_engine::{Kind, Position, Rules};

use crate::games::library;

/// How chess is written down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Disguise {
    /// Every code another, pieces in another order.
    Names,
    /// Also a piece that can never arise.
    Stranger,
    /// Also Black's orientation a rotation, with castling written for both sides.
    Rotated,
}

/// Codes of chess, with the codes and letters that stand for them, in the order in which they are written.
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

impl Disguise {
    /// By the name of the game that it makes.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "renamed" => Some(Disguise::Names),
            "renamed-stranger" => Some(Disguise::Stranger),
            "renamed-rotated" => Some(Disguise::Rotated),
            _ => None,
        }
    }

    /// The spec.
    pub fn spec(self) -> Value {
        let mut spec = library("chess");
        let pieces = spec["pieces"].as_array_mut().expect("chess has pieces");
        pieces.sort_by_key(|piece| CODES.iter().position(|(code, ..)| piece["code"] == *code));
        for (piece, (_, _, letter)) in pieces.iter_mut().zip(CODES) {
            piece["letter"] = letter.into();
            piece["moves"].as_array_mut().expect("pieces have moves").reverse();
        }
        if self != Disguise::Names {
            pieces.insert(3, stranger());
        }
        if self == Disguise::Rotated {
            castle_both_ways(&mut pieces[0]["moves"]);
            spec["players"][1]["direction"] = json!([[-1, 0], [0, -1]]);
        }
        rename(&mut spec);
        spec["name"] = "Renamed".into();
        spec
    }
}

/// Nobody starts with it and nobody is promoted to it.
fn stranger() -> Value {
    let both = json!([{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]);
    let steps = [[1, 3], [3, 1], [3, -1], [1, -3], [-1, -3], [-3, -1], [-3, 1], [-1, 3]];
    let moves: Vec<Value> = (0..)
        .zip(steps)
        .map(|(id, step): (u32, _)| json!({ "id": id, "step": step, "actions": both.clone() }))
        .collect();
    json!({ "code": "CAMEL", "letter": "C", "moves": moves })
}

/// The king's own right hand is the king's side for White and the queen's side for Black, whose board is rotated. The
/// new moves are the old ones seen in a mirror; none of them has a partner where the other player castles.
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

/// Changes left and right in every offset.
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

/// Renames whatever has a name of its own, keys included.
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
