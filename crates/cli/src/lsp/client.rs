//! What the client can do, as it says in `initialize`.

use serde_json::Value;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    /// Whether explanations may be Markdown.
    pub(super) markdown: bool,
    /// Whether a diagnostic may have a link.
    pub(super) links: bool,
    /// Whether diagnostics may refer to the version of the document.
    pub(super) versions: bool,
}

impl Client {
    pub(super) fn new(params: &Value) -> Self {
        let at = |path: &str| params.pointer(&format!("/capabilities/textDocument/{path}"));
        let is_set = |path: &str| at(path).and_then(Value::as_bool).unwrap_or(false);
        let formats = at("hover/contentFormat").and_then(Value::as_array);
        Client {
            markdown: formats.is_some_and(|formats| formats.iter().any(|it| it == "markdown")),
            links: is_set("publishDiagnostics/codeDescriptionSupport"),
            versions: is_set("publishDiagnostics/versionSupport"),
        }
    }
}
