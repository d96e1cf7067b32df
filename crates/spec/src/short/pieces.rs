//! Pieces: the moves of other kinds (`like`), Betza notation (`betza`), and the numbers of moves.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use jsonc_parser::ast::{Object, StringLit, Value as Json};

use super::moves::{self, Context};
use super::{Short, json};
use crate::code::Code;
use crate::limits;
use crate::read::shorten;

/// Writes out the moves of all pieces.
pub(super) fn expand(root: &mut Object<'_>, short: &mut Short<'_, '_>) {
    let slots =
        json::get(root, "turns").and_then(Json::as_object).and_then(|turns| json::get(turns, "order"));
    let slots = slots.and_then(Json::as_array).map_or(2, |order| order.elements.len());
    let duration = (slots.clamp(2, limits::SLOTS) - 1) as i32;
    if let Some(Json::Object(turns)) = json::get_mut(root, "turns")
        && let Some(Json::Array(then)) = json::get_mut(turns, "then")
    {
        for part in &mut then.elements {
            if let Json::Object(part) = part
                && let Some(moves) = own_moves(part, duration, short)
            {
                set_moves(part, moves);
            }
        }
    }
    let Some(Json::Array(pieces)) = json::get_mut(root, "pieces") else { return };
    let mut own: HashMap<String, Own<'_>> = HashMap::new();
    for piece in &mut pieces.elements {
        let Json::Object(piece) = piece else { continue };
        let moves = own_moves(piece, duration, short);
        let like = like(piece, short);
        if let Some(code) = json::get(piece, "code").and_then(json::text) {
            own.entry(code.to_owned()).or_insert(Own { moves, like });
        } else if let Some(moves) = moves {
            set_moves(piece, moves);
        }
    }
    let mut next_id = 1 + own
        .values()
        .filter_map(|own| own.moves.as_ref())
        .flat_map(|it| &it.list)
        .filter_map(id)
        .max()
        .unwrap_or(0);
    for piece in &mut pieces.elements {
        let Json::Object(piece) = piece else { continue };
        let Some(code) = json::get(piece, "code").and_then(json::text).map(str::to_owned) else { continue };
        let mut list = Vec::new();
        let whole = json::span(&*piece);
        let at = own[&code].moves.as_ref().map_or(whole.start..whole.start + 1, |moves| moves.at.clone());
        match collect(&code, &own, &mut Vec::new(), &mut list, &mut next_id, short) {
            Some(true) => set_moves(piece, Moves { list, at }),
            Some(false) => {}
            None => set_moves(piece, Moves { list: vec![moves::stand_in(&at)], at }),
        }
    }
    for piece in &mut pieces.elements {
        if let Json::Object(piece) = piece {
            number_castles(piece);
        }
    }
}

/// The moves that a piece lists itself, and the kinds whose moves it has too.
struct Own<'a> {
    /// `None` if the piece has no key for moves.
    moves: Option<Moves<'a>>,
    like: Vec<StringLit<'a>>,
}

/// A list of moves and its place.
struct Moves<'a> {
    list: Vec<Json<'a>>,
    at: Range<usize>,
}

/// Takes the moves and the Betza word out of a piece.
fn own_moves<'a>(piece: &mut Object<'a>, duration: i32, short: &mut Short<'_, '_>) -> Option<Moves<'a>> {
    let word = json::take(piece, "betza");
    let listed = match json::get(piece, "moves") {
        Some(Json::Array(_)) => json::take(piece, "moves"),
        // The reader reports what is not a list.
        _ => None,
    };
    let at = listed.as_ref().or(word.as_ref()).map(json::span)?;
    let entries = match listed {
        Some(Json::Array(array)) => Some(array.elements),
        _ => None,
    };
    let words = entries.iter().flatten().filter_map(|entry| json::get(entry.as_object()?, "betza"));
    let en_passant = word.iter().chain(words).filter_map(json::text).any(|word| word.contains('e'));
    let context = Context { en_passant, duration };
    let mut moves = Vec::new();
    match word {
        Some(Json::StringLit(word)) => {
            let nothing = Object { range: word.range, properties: Vec::new() };
            moves::expand_word(&word, &nothing, context, short, &mut moves);
        }
        Some(other) => {
            let at = json::span(&other);
            short.report(Code::BadBetza, at, "Betza notation is a text.", "write \"betza\": \"fmWfcF\"");
        }
        None => {}
    }
    for entry in entries.into_iter().flatten() {
        moves::expand(entry, context, short, &mut moves);
    }
    Some(Moves { list: moves, at })
}

/// Takes the kinds whose moves a piece has too.
fn like<'a>(piece: &mut Object<'a>, short: &mut Short<'_, '_>) -> Vec<StringLit<'a>> {
    let codes = match json::take(piece, "like") {
        None => return Vec::new(),
        Some(Json::Array(array)) => array.elements,
        Some(single) => vec![single],
    };
    let mut kinds: Vec<StringLit<'a>> = Vec::new();
    for code in codes {
        match code {
            Json::StringLit(code) if kinds.iter().all(|kind| kind.value != code.value) => kinds.push(code),
            Json::StringLit(_) => {}
            other => {
                let help = "write \"like\": [\"ROOK\", \"KNIGHT\"]";
                short.report(Code::Mistyped, json::span(&other), "`like` lists codes of pieces.", help);
            }
        }
    }
    kinds
}

/// Adds the moves of a kind, those of the kinds it is like first. Returns whether the kind lists moves, or `None`
/// after a problem.
fn collect<'a>(
    code: &str,
    own: &HashMap<String, Own<'a>>,
    open: &mut Vec<String>,
    all: &mut Vec<Json<'a>>,
    next_id: &mut i32,
    short: &mut Short<'_, '_>,
) -> Option<bool> {
    let kind = own.get(code)?;
    open.push(code.to_owned());
    for other in &kind.like {
        let at = json::span(other);
        if open.iter().any(|code| *code == other.value) {
            let chain = open.join(" → ");
            let message = format!("`{}` would be like itself: {}.", shorten(&other.value), shorten(&chain));
            short.report(Code::LikeCycle, at, message, "remove one of the kinds from `like`");
            return None;
        }
        if !own.contains_key(&*other.value) {
            let codes = own.keys().map(String::as_str).collect::<Vec<_>>();
            let near = crate::suggest::nearest(&other.value, codes);
            let help = near.map_or_else(
                || "list the code of another piece".into(),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("There is no piece `{}`.", shorten(&other.value));
            short.report(Code::UnknownPiece, at, message, help);
            return None;
        }
        let mut copied = Vec::new();
        if collect(&other.value, own, open, &mut copied, next_id, short)? {
            all.extend(renumbered(copied, next_id));
        }
        if all.len() > limits::MOVES {
            let message = format!("The piece has more than {} moves.", limits::MOVES);
            short.report(Code::TooMany, at, message, "list fewer kinds in `like`");
            return None;
        }
        if !short.spend_moves(all.len(), at) {
            return None;
        }
    }
    open.pop();
    if let Some(moves) = &kind.moves {
        all.extend(moves.list.iter().cloned());
    }
    Some(kind.moves.is_some() || !kind.like.is_empty())
}

/// Gives copied moves numbers that no other move has, and changes the conditions that refer to them.
fn renumbered<'a>(mut copied: Vec<Json<'a>>, next_id: &mut i32) -> Vec<Json<'a>> {
    let refers = copied.iter().any(|entry| refers(entry));
    let base = *next_id;
    for entry in &mut copied {
        if refers {
            *next_id = (*next_id).max(base + id(entry).unwrap_or(0) + 1);
            shift(entry, base);
        } else if let Json::Object(entry) = entry {
            json::take(entry, "id");
        }
    }
    copied
}

/// Returns whether a condition of a move refers to another move.
fn refers(json: &Json<'_>) -> bool {
    match json {
        Json::Object(object) => {
            object.properties.iter().any(|it| it.name.as_str() == "move_id" || refers(&it.value))
        }
        Json::Array(array) => array.elements.iter().any(refers),
        _ => false,
    }
}

/// Adds to the number of a move and to the numbers that it refers to.
fn shift(json: &mut Json<'_>, base: i32) {
    match json {
        Json::Object(object) => {
            for property in &mut object.properties {
                match json::integer(&property.value) {
                    Some(id) if ["id", "move_id"].contains(&property.name.as_str()) => {
                        property.value = json::number(id.saturating_add(base), &json::span(&property.value));
                    }
                    _ => shift(&mut property.value, base),
                }
            }
        }
        Json::Array(array) => array.elements.iter_mut().for_each(|element| shift(element, base)),
        _ => {}
    }
}

fn id(entry: &Json<'_>) -> Option<i32> {
    json::get(entry.as_object()?, "id").and_then(json::integer)
}

/// Sets the moves of a piece and numbers those without a number.
fn set_moves<'a>(piece: &mut Object<'a>, mut moves: Moves<'a>) {
    let taken: HashSet<i32> = moves.list.iter().filter_map(id).collect();
    let mut free = (0..).filter(|id| !taken.contains(id));
    for entry in &mut moves.list {
        let Json::Object(entry) = entry else { continue };
        if json::get(entry, "id").is_none() {
            let whole = json::span(&*entry);
            let id = json::number(free.next().unwrap_or(0), &(whole.start..whole.start + 1));
            entry.properties.insert(0, json::entry("id", id));
        }
    }
    json::put(piece, "moves", json::list(moves.list, &moves.at));
}

/// Numbers the castling moves without a number after the other moves.
fn number_castles(piece: &mut Object<'_>) {
    let listed = |piece: &Object<'_>, key: &str| -> Vec<i32> {
        let entries = json::get(piece, key).and_then(Json::as_array);
        entries.into_iter().flat_map(|array| &array.elements).filter_map(id).collect()
    };
    let mut taken = listed(piece, "moves");
    taken.extend(listed(piece, "castling"));
    let mut next = taken.into_iter().max().map_or(0, |last| last.saturating_add(1));
    let Some(Json::Array(castles)) = json::get_mut(piece, "castling") else { return };
    for castle in &mut castles.elements {
        let Json::Object(castle) = castle else { continue };
        if json::get(castle, "id").is_none() {
            let at = json::span(&*castle);
            castle.properties.insert(0, json::entry("id", json::number(next, &(at.start..at.start + 1))));
            next = next.saturating_add(1);
        }
    }
}
