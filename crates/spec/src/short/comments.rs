//! Comments: `"$comment"`, a text or a list of texts, in any object. They are removed before anything else reads the file.

use jsonc_parser::ast::Value as Json;

/// The key of comments.
pub(crate) const COMMENT: &str = "$comment";

/// Removes all comments. A value of another type stays and is reported as an unknown key.
pub(crate) fn remove(json: &mut Json<'_>) {
    match json {
        Json::Object(object) => {
            object.properties.retain(|it| it.name.as_str() != COMMENT || !is_comment(&it.value));
            object.properties.iter_mut().for_each(|it| remove(&mut it.value));
        }
        Json::Array(array) => array.elements.iter_mut().for_each(remove),
        _ => {}
    }
}

fn is_comment(value: &Json<'_>) -> bool {
    match value {
        Json::StringLit(_) => true,
        Json::Array(array) => array.elements.iter().all(|it| matches!(it, Json::StringLit(_))),
        _ => false,
    }
}
