//! Reads and builds JSON values with byte ranges.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use jsonc_parser::ast::{Array, NumberLit, Object, ObjectProp, ObjectPropName, StringLit, Value as Json};
use jsonc_parser::common::Ranged;

use crate::model::Coord;

/// The largest number that is built: longer than any step on any board.
const MAX_NUMBER: i32 = 4096;

pub(super) fn span(json: &impl Ranged) -> Range<usize> {
    let range = json.range();
    range.start..range.end
}

fn range(span: &Range<usize>) -> jsonc_parser::common::Range {
    jsonc_parser::common::Range { start: span.start, end: span.end }
}

/// Returns the byte range of a part of a string. Text with escapes has no exact parts; its range is that of the whole.
pub(super) fn part(text: &StringLit<'_>, part: Range<usize>) -> Range<usize> {
    let whole = span(text);
    if whole.len() == text.value.len() + 2 {
        whole.start + 1 + part.start..whole.start + 1 + part.end
    } else {
        whole
    }
}

pub(super) fn get<'j, 'a>(object: &'j Object<'a>, key: &str) -> Option<&'j Json<'a>> {
    object.properties.iter().find(|property| property.name.as_str() == key).map(|property| &property.value)
}

pub(super) fn get_mut<'j, 'a>(object: &'j mut Object<'a>, key: &str) -> Option<&'j mut Json<'a>> {
    let mut properties = object.properties.iter_mut();
    properties.find(|property| property.name.as_str() == key).map(|property| &mut property.value)
}

/// Removes a key. Its range is that of the key and the value.
pub(super) fn take<'a>(object: &mut Object<'a>, key: &str) -> Option<Json<'a>> {
    let index = object.properties.iter().position(|property| property.name.as_str() == key)?;
    Some(object.properties.remove(index).value)
}

/// Adds a key at the end.
pub(super) fn put<'a>(object: &mut Object<'a>, key: &'static str, value: Json<'a>) {
    object.properties.push(entry(key, value));
}

/// Returns a key with its value.
pub(super) fn entry<'a>(key: impl Into<Cow<'a, str>>, value: Json<'a>) -> ObjectProp<'a> {
    let range = value.range();
    ObjectProp { range, name: ObjectPropName::String(StringLit { range, value: key.into() }), value }
}

pub(super) fn integer(json: &Json<'_>) -> Option<i32> {
    json.as_number_lit().and_then(|number| number.value.parse().ok())
}

/// Returns two or three integers as coordinates.
pub(super) fn read_coord(json: &Json<'_>) -> Option<Coord> {
    match json.as_array()?.elements.as_slice() {
        [x, y] => Some(Coord::flat(integer(x)?, integer(y)?)),
        [x, y, z] => Some(Coord { x: integer(x)?, y: integer(y)?, z: integer(z)? }),
        _ => None,
    }
}

pub(super) fn text<'a>(json: &'a Json<'_>) -> Option<&'a str> {
    json.as_string_lit().map(|text| text.value.as_ref())
}

pub(super) fn string<'a>(value: impl Into<Cow<'a, str>>, at: &Range<usize>) -> Json<'a> {
    Json::StringLit(StringLit { range: range(at), value: value.into() })
}

pub(super) fn number<'a>(value: i32, at: &Range<usize>) -> Json<'a> {
    static NUMBERS: LazyLock<Vec<String>> =
        LazyLock::new(|| (-MAX_NUMBER..=MAX_NUMBER).map(|number| number.to_string()).collect());
    let index = (value.clamp(-MAX_NUMBER, MAX_NUMBER) + MAX_NUMBER) as usize;
    Json::NumberLit(NumberLit { range: range(at), value: &NUMBERS[index] })
}

pub(super) fn boolean<'a>(value: bool, at: &Range<usize>) -> Json<'a> {
    Json::BooleanLit(jsonc_parser::ast::BooleanLit { range: range(at), value })
}

pub(super) fn list<'a>(elements: Vec<Json<'a>>, at: &Range<usize>) -> Json<'a> {
    Json::Array(Array { range: range(at), elements })
}

pub(super) fn coordinates<'a>((x, y): (i32, i32), at: &Range<usize>) -> Json<'a> {
    list(vec![number(x, at), number(y, at)], at)
}

/// Returns coordinates as a list: of two numbers, or of three on a higher level.
pub(super) fn coord<'a>(Coord { x, y, z }: Coord, at: &Range<usize>) -> Json<'a> {
    if z == 0 {
        return coordinates((x, y), at);
    }
    list(vec![number(x, at), number(y, at), number(z, at)], at)
}

pub(super) fn object<'a, const N: usize>(
    fields: [(&'static str, Json<'a>); N],
    at: &Range<usize>,
) -> Json<'a> {
    let properties = fields.into_iter().map(|(key, value)| entry(key, value)).collect();
    Json::Object(Object { range: range(at), properties })
}

/// Returns the codes of the leaders of a file: `leader` is a code, or an object with one code or several.
pub(super) fn leaders(root: &Object<'_>) -> Vec<String> {
    let leader = match get(root, "leader") {
        Some(Json::Object(leader)) => get(leader, "piece"),
        other => other,
    };
    match leader {
        Some(Json::Array(list)) => list.elements.iter().filter_map(text).map(str::to_owned).collect(),
        other => other.and_then(text).map(str::to_owned).into_iter().collect(),
    }
}
