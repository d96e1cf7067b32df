//! The answers to requests about a document, as the protocol writes them.

use serde_json::{Value, json};
use tabiya_spec::editing::{Completion, CompletionKind, Hover, outline};
use tabiya_spec::{Loaded, editing};

use super::document::with_loader;
use super::positions::Lines;
use super::{stored_files, uri};

/// Returns the list of completions.
pub(super) fn completion(uri: &str, text: &str, offset: usize) -> Value {
    let found = with_loader(uri, |loader| loader.complete(text, offset));
    let lines = Lines::new(text);
    let items: Vec<Value> =
        found.iter().enumerate().map(|(index, it)| completion_item(index, it, text, &lines)).collect();
    // The next letter of a word changes what fits.
    let is_incomplete = found.iter().any(|it| it.kind == CompletionKind::Letter);
    json!({ "isIncomplete": is_incomplete, "items": items })
}

fn completion_item(index: usize, completion: &Completion, text: &str, lines: &Lines<'_>) -> Value {
    let Completion { label, insert, replaced, kind, description } = completion;
    // Editors compare this with the text that is replaced, which may begin with a quote.
    let is_quoted = text[replaced.clone()].starts_with('"');
    let filter = if is_quoted { format!("\"{label}\"") } else { label.clone() };
    json!({
        "label": label,
        "kind": item_kind(*kind),
        "detail": kind.as_str(),
        "documentation": { "kind": "markdown", "value": description },
        "filterText": filter,
        "sortText": format!("{index:05}"),
        "textEdit": { "range": lines.range(replaced), "newText": insert },
    })
}

/// Returns the number of the protocol for a kind, which decides the icon.
fn item_kind(kind: CompletionKind) -> u8 {
    match kind {
        CompletionKind::Key => 10,
        CompletionKind::Piece => 7,
        CompletionKind::Player => 9,
        CompletionKind::Condition => 5,
        CompletionKind::Flag => 20,
        CompletionKind::Option => 13,
        CompletionKind::Value => 12,
        CompletionKind::Ending => 23,
        CompletionKind::Game => 17,
        CompletionKind::Letter => 1,
        CompletionKind::Object => 15,
        _ => 14,
    }
}

/// Returns the explanation of what stands at an offset, or null.
pub(super) fn hover(uri: &str, text: &str, offset: usize, markdown: bool) -> Value {
    let Some(hover) = with_loader(uri, |loader| loader.hover(text, offset)) else { return Value::Null };
    let contents = if markdown {
        json!({ "kind": "markdown", "value": to_markdown(&hover) })
    } else {
        json!({ "kind": "plaintext", "value": hover.to_string() })
    };
    json!({ "contents": contents, "range": Lines::new(text).range(&hover.span) })
}

fn to_markdown(hover: &Hover) -> String {
    let Hover { title, text, block, .. } = hover;
    let block = if block.is_empty() { String::new() } else { format!("````text\n{block}\n````") };
    let parts = [format!("**{title}**"), text.clone(), block];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Returns where the code at an offset is defined, or null.
pub(super) fn definition(uri: &str, text: &str, offset: usize) -> Value {
    let Some(found) = with_loader(uri, |loader| loader.definition(text, offset)) else { return Value::Null };
    let (target, text) = match (&found.game, &found.text) {
        (Some(game), Some(text)) => {
            let Some(path) = stored_files::inherited(game) else { return Value::Null };
            (uri::from_path(&path), text.as_str())
        }
        _ => (uri.to_owned(), text),
    };
    json!({ "uri": target, "range": Lines::new(text).range(&found.span) })
}

/// Returns the edits that bring a document into its shortest form, or null if it has errors.
pub(super) fn formatting(uri: &str, text: &str) -> Value {
    let formatted: Result<String, Box<Loaded>> = with_loader(uri, |loader| loader.format(text.as_bytes()));
    match formatted {
        Ok(new) if new == text => json!([]),
        Ok(new) => json!([{ "range": Lines::new(text).whole(), "newText": new }]),
        Err(_) => Value::Null,
    }
}

/// Returns the named parts of a document.
pub(super) fn symbols(text: &str) -> Value {
    let lines = Lines::new(text);
    let symbol = |entry: editing::OutlineEntry| {
        json!({
            "name": if entry.name.trim().is_empty() { "?".to_owned() } else { entry.name },
            "detail": entry.section,
            "kind": symbol_kind(entry.section),
            "range": lines.range(&entry.span),
            "selectionRange": lines.range(&entry.name_span),
        })
    };
    outline(text).into_iter().map(symbol).collect()
}

/// Returns the number of the protocol for a part of a file, which decides the icon.
fn symbol_kind(section: &str) -> u8 {
    match section {
        "pieces" => 5,
        "players" => 19,
        "conditions" => 8,
        "endings" => 24,
        "options" => 10,
        _ => 7,
    }
}
