//! Castling by files: `{ "with": ["ROOK"], "files": { "g": "f", "c": "d" } }` is one castling move for each file to which
//! the piece goes, with the file of its partner, on the first rank of each player.

use jsonc_parser::ast::{Object, Value as Json};

use super::{Short, json};
use crate::code::Code;

/// Writes out the castling moves of all pieces. Their squares are still regions.
pub(super) fn expand(root: &mut Object<'_>, short: &mut Short<'_, '_>) {
    let Some(Json::Array(pieces)) = json::get_mut(root, "pieces") else { return };
    for piece in &mut pieces.elements {
        let Json::Object(piece) = piece else { continue };
        if let Some(castling) = json::get_mut(piece, "castling")
            && let Json::Object(given) = castling
        {
            let at = json::span(&*given);
            *castling = json::list(by_files(given, short), &at);
        }
    }
}

fn by_files<'a>(given: &Object<'a>, short: &mut Short<'_, '_>) -> Vec<Json<'a>> {
    let unknown = given.properties.iter().find(|it| !["with", "files"].contains(&it.name.as_str()));
    if let Some(property) = unknown {
        let message = "Castling by files has only the keys `with` and `files`.";
        let help = "write a list of castling moves for anything else";
        short.report(Code::UnknownKey, json::span(&property.value), message, help);
    }
    let Some(Json::Object(files)) = json::get(given, "files") else {
        let message = "Castling needs the files to which the piece and its partner go.";
        let help = "write \"files\": { \"g\": \"f\", \"c\": \"d\" }";
        short.report(Code::BadCastling, json::span(given), message, help);
        return Vec::new();
    };
    let mut moves = Vec::new();
    for property in &files.properties {
        let at = json::span(&property.value);
        let square = |file: Json<'a>| {
            let own_rank = ("own_ranks", json::number(1, &at));
            json::object([("files", file), own_rank], &at)
        };
        let to = square(json::string(property.name.as_str().to_owned(), &at));
        let mut castle = Object { range: given.range, properties: Vec::new() };
        if let Some(with) = json::get(given, "with") {
            json::put(&mut castle, "with", with.clone());
        }
        json::put(&mut castle, "to", to);
        json::put(&mut castle, "with_to", square(property.value.clone()));
        moves.push(Json::Object(castle));
    }
    moves
}
