//! The games that one file can describe, for a check of the whole file.

use std::collections::HashSet;

use jsonc_parser::ast::Value as Json;

use super::Choices;
use super::options::{members, read_options};
use crate::code::Code;
use crate::limits;

/// Returns every preset, every layout and every single option value, up to a limit.
pub(crate) fn variants(json: &Json<'_>) -> Vec<Choices> {
    let names = |key: &str| -> Vec<String> {
        members(json, key)
            .iter()
            .take(limits::CHOICES)
            .map(|property| property.name.as_str().into())
            .collect()
    };
    let presets =
        names("presets").into_iter().map(|preset| Choices { preset: Some(preset), ..Choices::default() });
    let layouts =
        names("layouts").into_iter().map(|layout| Choices { layout: Some(layout), ..Choices::default() });
    let options = read_options(json);
    let single = options.iter().flat_map(|open| {
        let others = open.values.iter().filter(|value| !open.is(&value.setting));
        others.map(|value| Choices {
            options: vec![(open.name.to_owned(), value.setting.to_string())],
            ..Choices::default()
        })
    });
    let mut seen = HashSet::new();
    let all = presets.chain(layouts).chain(single);
    let all = all.filter(|choices| seen.insert(format!("{choices:?}")));
    all.take(limits::VARIANTS).collect()
}

/// Whether a diagnostic with this code says that something is never used.
pub(crate) fn is_unused_warning(code: Code) -> bool {
    matches!(
        code,
        Code::UnusedPiece
            | Code::UnusedCondition
            | Code::FlagNeverSet
            | Code::FlagNeverTested
            | Code::PlayerNeverMoves
    )
}
