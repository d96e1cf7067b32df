//! The answers to requests about a document, as the protocol writes them.

use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, Definition, DefinitionResponse, DocumentSymbol,
    Hover, Location, MarkupContent, MarkupKind, SymbolKind, TextEdit, Uri,
};
use tabiya_spec::editing::{self, Completion, CompletionKind, outline};

use super::document::with_loader;
use super::positions::Lines;
use super::{stored_files, uri};

/// Returns the list of completions.
pub(super) fn completion(uri: &Uri, text: &str, offset: usize) -> CompletionList {
    let found = with_loader(uri, |loader| loader.complete(text, offset));
    let lines = Lines::new(text);
    // The next letter of a word changes what fits.
    let is_incomplete = found.iter().any(|it| it.kind == CompletionKind::Letter);
    let items = found.into_iter().enumerate().map(|(index, it)| completion_item(index, it, text, &lines));
    CompletionList { is_incomplete, items: items.collect(), ..Default::default() }
}

fn completion_item(index: usize, completion: Completion, text: &str, lines: &Lines<'_>) -> CompletionItem {
    let Completion { label, insert, replaced, kind, description } = completion;
    // Editors compare this with the text that is replaced, which may begin with a quote.
    let is_quoted = text[replaced.clone()].starts_with('"');
    let filter = if is_quoted { format!("\"{label}\"") } else { label.clone() };
    CompletionItem {
        label,
        kind: Some(item_kind(kind)),
        detail: Some(kind.as_str().to_owned()),
        documentation: Some(MarkupContent { kind: MarkupKind::Markdown, value: description }.into()),
        filter_text: Some(filter),
        sort_text: Some(format!("{index:05}")),
        text_edit: Some(TextEdit { range: lines.range(&replaced), new_text: insert }.into()),
        ..Default::default()
    }
}

/// Returns the kind of the protocol, which decides the icon.
fn item_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Key => CompletionItemKind::Property,
        CompletionKind::Piece => CompletionItemKind::Class,
        CompletionKind::Player => CompletionItemKind::Module,
        CompletionKind::Condition => CompletionItemKind::Field,
        CompletionKind::Flag => CompletionItemKind::EnumMember,
        CompletionKind::Option => CompletionItemKind::Enum,
        CompletionKind::Value => CompletionItemKind::Value,
        CompletionKind::Ending => CompletionItemKind::Event,
        CompletionKind::Game => CompletionItemKind::File,
        CompletionKind::Letter => CompletionItemKind::Text,
        CompletionKind::Object => CompletionItemKind::Snippet,
        _ => CompletionItemKind::Keyword,
    }
}

/// Returns the explanation of what stands at an offset.
pub(super) fn hover(uri: &Uri, text: &str, offset: usize, markdown: bool) -> Option<Hover> {
    let hover = with_loader(uri, |loader| loader.hover(text, offset))?;
    let contents = if markdown {
        MarkupContent { kind: MarkupKind::Markdown, value: to_markdown(&hover) }
    } else {
        MarkupContent { kind: MarkupKind::PlainText, value: hover.to_string() }
    };
    Some(Hover { contents: contents.into(), range: Some(Lines::new(text).range(&hover.span)) })
}

fn to_markdown(hover: &editing::Hover) -> String {
    let editing::Hover { title, text, block, .. } = hover;
    let block = if block.is_empty() { String::new() } else { format!("````text\n{block}\n````") };
    let parts = [format!("**{title}**"), text.clone(), block];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Returns where the code at an offset is defined.
pub(super) fn definition(uri: &Uri, text: &str, offset: usize) -> Option<DefinitionResponse> {
    let found = with_loader(uri, |loader| loader.definition(text, offset))?;
    let (uri, text) = match (&found.game, &found.text) {
        (Some(game), Some(text)) => (uri::from_path(&stored_files::inherited(game)?), text.as_str()),
        _ => (uri.clone(), text),
    };
    Some(Definition::from(Location { uri, range: Lines::new(text).range(&found.span) }).into())
}

/// Returns the edits that bring a document into its shortest form, or `None` if it has errors.
pub(super) fn formatting(uri: &Uri, text: &str) -> Option<Vec<TextEdit>> {
    let new_text = with_loader(uri, |loader| loader.format(text.as_bytes())).ok()?;
    let edit = (new_text != text).then(|| TextEdit { range: Lines::new(text).whole(), new_text });
    Some(edit.into_iter().collect())
}

/// Returns the named parts of a document.
pub(super) fn symbols(text: &str) -> Vec<DocumentSymbol> {
    let lines = Lines::new(text);
    let symbol = |entry: editing::OutlineEntry| {
        let name = if entry.name.trim().is_empty() { "?".to_owned() } else { entry.name };
        let (range, selection) = (lines.range(&entry.span), lines.range(&entry.name_span));
        let (detail, kind) = (Some(entry.section.to_owned()), symbol_kind(entry.section));
        DocumentSymbol::new(name, detail, kind, None, None, range, selection, None)
    };
    outline(text).into_iter().map(symbol).collect()
}

/// Returns the kind of the protocol for a part of a file, which decides the icon.
fn symbol_kind(section: &str) -> SymbolKind {
    match section {
        "pieces" => SymbolKind::Class,
        "players" => SymbolKind::Object,
        "conditions" => SymbolKind::Field,
        "endings" => SymbolKind::Event,
        "options" => SymbolKind::Enum,
        _ => SymbolKind::Property,
    }
}
