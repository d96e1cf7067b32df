//! JSON pointers into the original file, for values of a file whose choices have been resolved.

use std::ops::Range;

use jsonc_parser::ast::Value as Json;
use jsonc_parser::common::Ranged;

use crate::place::{Place, Places, Step};

/// Returns the JSON pointer to the value with this byte range, or to the innermost value around it.
pub(crate) fn to_span(root: &Json<'_>, span: &Range<usize>) -> String {
    let mut ways = Places::new(0..0);
    let (mut at, mut json) = (Place::ROOT, root);
    while (json.range().start, json.range().end) != (span.start, span.end) {
        let around = |json: &Json<'_>| json.range().start <= span.start && span.end <= json.range().end;
        let inner = match json {
            Json::Object(object) => {
                let property = object.properties.iter().find(|property| {
                    property.name.range().start <= span.start && span.end <= property.value.range().end
                });
                property.map(|property| (Step::Key(property.name.as_str().into()), &property.value))
            }
            Json::Array(array) => {
                let index = array.elements.partition_point(|element| element.range().end < span.end);
                array.elements.get(index).filter(|it| around(it)).map(|it| (Step::Index(index as u32), it))
            }
            _ => None,
        };
        let Some((step, value)) = inner else { break };
        at = ways.add(at, step, span.clone());
        // A key denotes its value.
        if !around(value) {
            break;
        }
        json = value;
    }
    ways.pointer(at)
}

#[cfg(test)]
mod tests {
    use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

    use super::*;

    #[test]
    fn values_and_keys_are_found_by_their_bytes() {
        let text = r#"{ "a": [1, { "b/c": [true] }], "d": {} }"#;
        let json =
            parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).unwrap().value.unwrap();
        for (part, expected) in [
            ("[true]", "/a/1/b~1c"),
            ("true", "/a/1/b~1c/0"),
            ("1", "/a/0"),
            ("\"d\"", "/d"),
            ("{}", "/d"),
            (text, ""),
        ] {
            let start = text.find(part).unwrap();
            assert_eq!(to_span(&json, &(start..start + part.len())), expected, "{part}");
        }
    }
}
