//! The state of the server: what the client can do, and its open documents.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use gen_lsp_types::{
    CompletionOptions, CompletionRequest, DefinitionRequest, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentFormattingRequest, DocumentSymbolRequest,
    HoverRequest, InitializeRequest, InitializeResult, LspNotificationMethod as Told,
    LspRequestMethod as Asked, Notification as _, PositionEncodingKind, PublishDiagnosticsNotification,
    PublishDiagnosticsParams, Request as _, SaveOptions, ServerCapabilities, ServerInfo, TextDocumentItem,
    TextDocumentPositionParams, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use lsp_server::{ErrorCode, Notification, Request, Response, ResponseError};
use serde_json::{Value, from_value, to_value};

use super::answers;
use super::checker::{Checked, Job};
use super::client::Client;
use super::document::Document;
use super::positions::Lines;
use crate::error::CliError;
use crate::text::clip;

/// The pause after the last change until a document is checked.
const PAUSE: Duration = Duration::from_millis(150);

/// The documents that may be open at once.
const MAX_DOCUMENTS: usize = 1000;

pub(super) struct Server {
    /// What the client can do, after the handshake.
    client: Option<Client>,
    is_shut_down: bool,
    documents: BTreeMap<String, Document>,
    jobs: Sender<Job>,
    /// Whether a document is being checked. The next waits.
    is_checking: bool,
}

impl Server {
    pub(super) fn new(jobs: Sender<Job>) -> Self {
        Server { client: None, is_shut_down: false, documents: BTreeMap::new(), jobs, is_checking: false }
    }

    /// Returns the status after `exit`, which must follow `shutdown`.
    pub(super) fn exit_status(&self) -> ExitCode {
        if self.is_shut_down { ExitCode::SUCCESS } else { ExitCode::from(CliError::EXIT_NO) }
    }

    /// Returns when the next document has to be checked.
    pub(super) fn due(&self) -> Option<Instant> {
        let times = self.documents.values().filter_map(|document| document.check_at);
        times.min().filter(|_| !self.is_checking)
    }

    /// Starts to check the document that has waited longest.
    pub(super) fn start_check(&mut self) {
        let waiting = self.documents.iter_mut().filter(|(_, document)| document.check_at.is_some());
        let Some((uri, document)) = waiting.min_by_key(|(_, document)| document.check_at) else { return };
        document.check_at = None;
        let (text, edition) = (document.text.clone(), document.edition);
        let job = Job { uri: Uri(uri.clone()), edition, text, links: self.client.is_some_and(|it| it.links) };
        self.is_checking = self.jobs.send(job).is_ok();
    }

    /// Returns the diagnostics to show, unless the document has changed meanwhile.
    pub(super) fn checked(&mut self, checked: Checked) -> Option<Notification> {
        self.is_checking = false;
        let Checked { uri, edition, diagnostics } = checked;
        let document = self.documents.get_mut(&uri.0).filter(|it| it.edition == edition)?;
        let had = std::mem::replace(&mut document.has_diagnostics, !diagnostics.is_empty());
        // The first answer is sent even if it is empty: the client may show what an earlier server found.
        let is_news = !diagnostics.is_empty() || had || edition == 0;
        let version = self.client.filter(|it| it.versions).map(|_| document.version);
        is_news.then(|| publish(PublishDiagnosticsParams { uri, version, diagnostics }))
    }

    /// Answers a request.
    pub(super) fn respond(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        // A panic becomes an error, so that the client gets an answer.
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
        let failed = |_| Err(error(ErrorCode::InternalError, "the request has failed".into()));
        Response { id, response_result: answered.unwrap_or_else(failed) }
    }

    /// Documents that are not open and files that are not games have no answers.
    fn answer(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let Some(client) = self.client else { return self.shake_hands(method, params) };
        match Asked::from(method) {
            _ if self.is_shut_down => Err(not_now(method)),
            Asked::Initialize => Err(not_now(method)),
            Asked::Shutdown => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            Asked::TextDocumentCompletion => ask::<CompletionRequest>(params, |it| {
                self.at(&it.text_document_position_params, |uri, text, offset| {
                    Some(answers::completion(uri, text, offset).into())
                })
            }),
            Asked::TextDocumentHover => ask::<HoverRequest>(params, |it| {
                self.at(&it.text_document_position_params, |uri, text, offset| {
                    answers::hover(uri, text, offset, client.markdown)
                })
            }),
            Asked::TextDocumentDefinition => ask::<DefinitionRequest>(params, |it| {
                self.at(&it.text_document_position_params, answers::definition)
            }),
            Asked::TextDocumentFormatting => ask::<DocumentFormattingRequest>(params, |it| {
                answers::formatting(&it.text_document.uri, self.text(&it.text_document.uri)?)
            }),
            Asked::TextDocumentDocumentSymbol => ask::<DocumentSymbolRequest>(params, |it| {
                let symbols = self.text(&it.text_document.uri).map(answers::symbols);
                Some(symbols.unwrap_or_default().into())
            }),
            _ => {
                let why = format!("there is no method `{}`", clip(method, 40));
                Err(error(ErrorCode::MethodNotFound, why))
            }
        }
    }

    /// Answers the first request.
    fn shake_hands(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        if Asked::from(method) != InitializeRequest::METHOD {
            let why = "the first request must be `initialize`";
            return Err(error(ErrorCode::ServerNotInitialized, why.into()));
        }
        ask::<InitializeRequest>(params, |it| {
            self.client = Some(Client::new(it.capabilities));
            abilities()
        })
    }

    /// Returns the text of an open document that is a game file.
    fn text(&self, uri: &Uri) -> Option<&str> {
        self.documents.get(&uri.0).and_then(Document::game_text)
    }

    /// Answers a question about a position.
    fn at<A>(
        &self,
        place: &TextDocumentPositionParams,
        answer: impl FnOnce(&Uri, &str, usize) -> Option<A>,
    ) -> Option<A> {
        let uri = &place.text_document.uri;
        let text = self.text(uri)?;
        answer(uri, text, Lines::new(text).offset(place.position))
    }

    /// Handles a notification. Unknown and malformed ones are ignored, as the protocol says.
    pub(super) fn notified(&mut self, told: Notification) -> serde_json::Result<Option<Notification>> {
        let Notification { method, params } = told;
        match Told::from(&*method) {
            _ if self.client.is_none() || self.is_shut_down => {}
            Told::TextDocumentDidOpen => {
                self.open(from_value::<DidOpenTextDocumentParams>(params)?.text_document);
            }
            Told::TextDocumentDidChange => self.change(from_value(params)?),
            // A saved file may be the parent of others.
            Told::TextDocumentDidSave => {
                self.documents.values_mut().for_each(|it| it.check_at = Some(Instant::now()));
            }
            Told::TextDocumentDidClose => {
                let uri = from_value::<DidCloseTextDocumentParams>(params)?.text_document.uri;
                let closed = self.documents.remove(&uri.0).filter(|document| document.has_diagnostics);
                let empty = PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() };
                return Ok(closed.map(|_| publish(empty)));
            }
            _ => {}
        }
        Ok(None)
    }

    fn open(&mut self, item: TextDocumentItem) {
        let Uri(uri) = item.uri;
        if self.documents.len() < MAX_DOCUMENTS || self.documents.contains_key(&uri) {
            self.documents.insert(uri, Document::new(item.version, item.text));
        }
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = &params.text_document.text_document_identifier.uri;
        let Some(document) = self.documents.get_mut(&uri.0) else { return };
        params.content_changes.into_iter().for_each(|change| document.change(change));
        document.version = params.text_document.version;
        document.edition += 1;
        document.check_at = Some(Instant::now() + PAUSE);
    }
}

/// Returns what the server can do.
fn abilities() -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(SaveOptions { include_text: Some(false) }.into()),
        ..Default::default()
    };
    let triggers = ["\"", ":", "["].map(str::to_owned).to_vec();
    let capabilities = ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(sync.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers),
            ..Default::default()
        }),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        document_formatting_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        ..Default::default()
    };
    let info = ServerInfo { name: "tabiya".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
    InitializeResult { capabilities, server_info: Some(info) }
}

/// Answers a request if its parameters are well-formed.
fn ask<R: gen_lsp_types::Request>(
    params: Value,
    answer: impl FnOnce(R::Params) -> R::Result,
) -> Result<Value, ResponseError> {
    let params = from_value(params).map_err(|it| error(ErrorCode::InvalidParams, it.to_string()))?;
    to_value(answer(params)).map_err(|it| error(ErrorCode::InternalError, it.to_string()))
}

fn publish(params: PublishDiagnosticsParams) -> Notification {
    Notification::new(PublishDiagnosticsNotification::METHOD.to_string(), params)
}

fn not_now(method: &str) -> ResponseError {
    error(ErrorCode::InvalidRequest, format!("`{}` is not allowed now", clip(method, 40)))
}

fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}
