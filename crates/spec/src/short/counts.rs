//! All pieces but some: `"not_piece": ["BISHOP"]` in a condition `COUNT` stands for the list of all other kinds except the
//! leader, and in an effect of a trigger for the list of all other kinds.

use jsonc_parser::ast::{Object, Value as Json};

use super::{Short, json};
use crate::code::Code;
use crate::read::shorten;

/// Writes out the counts of a file.
pub(super) fn expand(root: &mut Object<'_>, short: &mut Short<'_, '_>) {
    let leaders = json::leaders(root);
    let pieces = json::get(root, "pieces").and_then(Json::as_array);
    let codes = pieces.into_iter().flat_map(|pieces| &pieces.elements);
    let codes = codes.filter_map(|piece| json::text(json::get(piece.as_object()?, "code")?));
    let all: Vec<String> = codes.map(str::to_owned).collect();
    for key in ["endings", "pieces", "restrictions", "priority", "hands", "triggers"] {
        if let Some(value) = json::get_mut(root, key) {
            walk(value, &all, &leaders, short);
        }
    }
}

fn walk(value: &mut Json<'_>, all: &[String], leaders: &[String], short: &mut Short<'_, '_>) {
    match value {
        Json::Array(array) => array.elements.iter_mut().for_each(|it| walk(it, all, leaders, short)),
        Json::Object(object) => {
            if json::get(object, "condition").and_then(json::text) == Some("COUNT") {
                count(object, all, leaders, short);
            }
            if let Some(Json::Array(effects)) = json::get_mut(object, "effects") {
                for effect in &mut effects.elements {
                    if let Json::Object(effect) = effect {
                        count(effect, all, &[], short);
                    }
                }
            }
            object.properties.iter_mut().for_each(|it| walk(&mut it.value, all, leaders, short));
        }
        _ => {}
    }
}

fn count(condition: &mut Object<'_>, all: &[String], leaders: &[String], short: &mut Short<'_, '_>) {
    let Some(Json::Array(listed)) = json::get(condition, "not_piece") else { return };
    let at = json::span(listed);
    if json::get(condition, "piece").is_some() {
        let help = "write `piece` or `not_piece`";
        short.report(Code::Mistyped, at.clone(), "Only one of `piece` and `not_piece` is possible.", help);
    }
    let mut excluded: Vec<String> = leaders.to_vec();
    let unknown: Vec<_> = listed.elements.iter().filter(|it| !is_one_of(it, all)).cloned().collect();
    excluded.extend(listed.elements.iter().filter_map(json::text).map(str::to_owned));
    for code in unknown {
        let name = json::text(&code).unwrap_or_default();
        let near = crate::suggest::nearest(name, all.iter().map(String::as_str));
        let help =
            near.map_or_else(|| "list codes of pieces".into(), |near| format!("did you mean `{near}`?"));
        let message = format!("There is no piece `{}`.", shorten(name));
        short.report(Code::UnknownPiece, json::span(&code), message, help);
    }
    let counted: Vec<Json<'_>> = all
        .iter()
        .filter(|code| !excluded.contains(code))
        .map(|code| json::string(code.clone(), &at))
        .collect();
    json::take(condition, "not_piece");
    if !short.spend_squares(counted.len(), at.clone()) {
        return;
    }
    json::take(condition, "piece");
    json::put(condition, "piece", json::list(counted, &at));
}

fn is_one_of(code: &Json<'_>, all: &[String]) -> bool {
    json::text(code).is_some_and(|code| all.iter().any(|it| it == code))
}
