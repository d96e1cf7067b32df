//! What the client can do, as it says in `initialize`.

use gen_lsp_types::{ClientCapabilities, MarkupKind};

#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    /// Whether explanations may be Markdown.
    pub(super) markdown: bool,
    /// Whether a diagnostic may have a link.
    pub(super) links: bool,
    /// Whether diagnostics may refer to the version of the document.
    pub(super) versions: bool,
}

impl Client {
    pub(super) fn new(capabilities: ClientCapabilities) -> Self {
        let document = capabilities.text_document.unwrap_or_default();
        let formats = document.hover.and_then(|hover| hover.content_format).unwrap_or_default();
        let publishing = document.publish_diagnostics.unwrap_or_default();
        Client {
            markdown: formats.contains(&MarkupKind::Markdown),
            links: publishing.diagnostics_capabilities.code_description_support == Some(true),
            versions: publishing.version_support == Some(true),
        }
    }
}
