//! The state of the server: what the client said, and its open documents.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::answers;
use super::checker::{Checked, Job};
use super::client::Client;
use super::document::Document;
use super::positions::Lines;
use super::transport::Incoming;
use crate::error::CliError;

/// The pause after the last change until a document is checked.
const PAUSE: Duration = Duration::from_millis(150);

/// The documents that may be open at once.
const MAX_DOCUMENTS: usize = 1000;

const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;
const METHOD_NOT_FOUND: i32 = -32_601;
const INVALID_PARAMS: i32 = -32_602;
const INTERNAL_ERROR: i32 = -32_603;
const NOT_INITIALIZED: i32 = -32_002;

/// What follows a message.
pub(super) enum Next {
    Send(Vec<Value>),
    Exit(ExitCode),
}

/// How far the session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
}

/// An error of a request.
struct RpcError(i32, String);

pub(super) struct Server {
    phase: Phase,
    client: Client,
    documents: BTreeMap<String, Document>,
    jobs: Sender<Job>,
    /// Whether a document is being checked. The next waits.
    is_checking: bool,
}

impl Server {
    pub(super) fn new(jobs: Sender<Job>) -> Self {
        Server {
            phase: Phase::New,
            client: Client::default(),
            documents: BTreeMap::new(),
            jobs,
            is_checking: false,
        }
    }

    /// Returns when the next document has to be checked.
    pub(super) fn due(&self) -> Option<Instant> {
        let times = self.documents.values().filter_map(|document| document.check_at);
        times.min().filter(|_| !self.is_checking)
    }

    /// Starts to check the document that has waited longest.
    pub(super) fn start_checks(&mut self) {
        let now = Instant::now();
        if self.is_checking {
            return;
        }
        let waiting = self.documents.iter_mut().filter(|(_, it)| it.check_at.is_some_and(|at| at <= now));
        let Some((uri, document)) = waiting.min_by_key(|(_, document)| document.check_at) else { return };
        document.check_at = None;
        let (text, edition) = (document.text.clone(), document.edition);
        let job = Job { uri: uri.clone(), edition, text, links: self.client.links };
        self.is_checking = self.jobs.send(job).is_ok();
    }

    /// Returns the diagnostics to show, unless the document has changed meanwhile.
    pub(super) fn checked(&mut self, checked: Checked) -> Vec<Value> {
        self.is_checking = false;
        let Checked { uri, edition, diagnostics } = checked;
        let Some(document) = self.documents.get_mut(&uri).filter(|it| it.edition == edition) else {
            return Vec::new();
        };
        let had = std::mem::replace(&mut document.has_diagnostics, !diagnostics.is_empty());
        // The first answer is sent even if it is empty: the client may show what an earlier server found.
        if diagnostics.is_empty() && !had && edition > 0 {
            return Vec::new();
        }
        let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
        if self.client.versions && document.version.is_i64() {
            params["version"] = document.version.clone();
        }
        vec![notification("textDocument/publishDiagnostics", &params)]
    }

    /// Handles a message.
    pub(super) fn receive(&mut self, incoming: Incoming) -> Next {
        let message = match incoming {
            Incoming::Message(message) => message,
            Incoming::NotJson => {
                return Next::Send(vec![failure(&Value::Null, PARSE_ERROR, "this is not JSON")]);
            }
            Incoming::TooLong => {
                return Next::Send(vec![failure(&Value::Null, INVALID_REQUEST, "the message is too long")]);
            }
            Incoming::End => return Next::Exit(ExitCode::SUCCESS),
        };
        let id = message.get("id").filter(|id| id.is_string() || id.is_i64()).cloned();
        let params = message.get("params").unwrap_or(&Value::Null);
        match (message.get("method").and_then(Value::as_str), id) {
            (Some("exit"), None) => {
                let is_clean = self.phase == Phase::ShutDown;
                Next::Exit(if is_clean { ExitCode::SUCCESS } else { ExitCode::from(CliError::EXIT_NO) })
            }
            (Some(method), None) => Next::Send(self.notified(method, params)),
            (Some(method), Some(id)) => {
                // A panic becomes an error, so that the client gets an answer.
                let answered = catch_unwind(AssertUnwindSafe(|| self.respond(method, params)));
                let failed = || Err(RpcError(INTERNAL_ERROR, "the request has failed".into()));
                Next::Send(vec![match answered.unwrap_or_else(|_| failed()) {
                    Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
                    Err(RpcError(code, why)) => failure(&id, code, &why),
                }])
            }
            // Answers of the client; the server asks nothing.
            (None, Some(_)) if message.get("result").or(message.get("error")).is_some() => {
                Next::Send(Vec::new())
            }
            (None, id) => {
                let why = "this is not a message of JSON-RPC 2.0";
                Next::Send(vec![failure(&id.unwrap_or_default(), INVALID_REQUEST, why)])
            }
        }
    }

    fn respond(&mut self, method: &str, params: &Value) -> Result<Value, RpcError> {
        match (self.phase, method) {
            (Phase::New, "initialize") => {
                self.phase = Phase::Running;
                self.client = Client::new(params);
                return Ok(abilities());
            }
            (Phase::New, _) => {
                return Err(RpcError(NOT_INITIALIZED, "the first request must be `initialize`".into()));
            }
            (Phase::Running, "initialize") | (Phase::ShutDown, _) => {
                let why = format!("`{}` is not allowed now", crate::text::clip(method, 40));
                return Err(RpcError(INVALID_REQUEST, why));
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                return Ok(Value::Null);
            }
            (Phase::Running, _) => {}
        }
        self.ask(method, params)
    }

    /// Answers a request about a document. Documents that are not open and files that are not games have no answers.
    fn ask(&self, method: &str, params: &Value) -> Result<Value, RpcError> {
        let invalid = || RpcError(INVALID_PARAMS, format!("the parameters of `{method}` are invalid"));
        let uri = || params.pointer("/textDocument/uri").and_then(Value::as_str).ok_or_else(invalid);
        let text = |uri: &str| self.documents.get(uri).and_then(Document::game_text);
        let at = |answer: &dyn Fn(&str, &str, usize) -> Value| {
            let uri = uri()?;
            let position = params.get("position").ok_or_else(invalid)?;
            let Some(text) = text(uri) else { return Ok(Value::Null) };
            let offset = Lines::new(text).offset(position).ok_or_else(invalid)?;
            Ok(answer(uri, text, offset))
        };
        match method {
            "textDocument/completion" => at(&answers::completion),
            "textDocument/hover" => {
                at(&|uri, text, offset| answers::hover(uri, text, offset, self.client.markdown))
            }
            "textDocument/definition" => at(&answers::definition),
            "textDocument/formatting" => {
                let uri = uri()?;
                Ok(text(uri).map_or(Value::Null, |text| answers::formatting(uri, text)))
            }
            "textDocument/documentSymbol" => Ok(text(uri()?).map_or_else(|| json!([]), answers::symbols)),
            _ => {
                let why = format!("there is no method `{}`", crate::text::clip(method, 40));
                Err(RpcError(METHOD_NOT_FOUND, why))
            }
        }
    }

    /// Handles a notification. Unknown and malformed ones are ignored, as the protocol says.
    fn notified(&mut self, method: &str, params: &Value) -> Vec<Value> {
        if self.phase != Phase::Running {
            return Vec::new();
        }
        let Some(uri) = params.pointer("/textDocument/uri").and_then(Value::as_str) else {
            return Vec::new();
        };
        match method {
            "textDocument/didOpen" => self.open(uri, &params["textDocument"]),
            "textDocument/didChange" => self.change(uri, params),
            // A saved file may be the parent of others.
            "textDocument/didSave" => {
                self.documents.values_mut().for_each(|it| it.check_at = Some(Instant::now()));
            }
            "textDocument/didClose" => {
                let closed = self.documents.remove(uri).filter(|document| document.has_diagnostics);
                let params = json!({ "uri": uri, "diagnostics": [] });
                return closed
                    .map(|_| notification("textDocument/publishDiagnostics", &params))
                    .into_iter()
                    .collect();
            }
            _ => {}
        }
        Vec::new()
    }

    fn open(&mut self, uri: &str, item: &Value) {
        let Some(text) = item["text"].as_str() else { return };
        if self.documents.len() >= MAX_DOCUMENTS && !self.documents.contains_key(uri) {
            return;
        }
        let mut document = Document::new(item["version"].clone(), text.to_owned());
        document.check_at = Some(Instant::now());
        self.documents.insert(uri.to_owned(), document);
    }

    fn change(&mut self, uri: &str, params: &Value) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let changes = params["contentChanges"].as_array().into_iter().flatten();
        for change in changes {
            // What follows a malformed change would be applied to a wrong text.
            if document.change(change).is_none() {
                break;
            }
        }
        document.version = params["textDocument"]["version"].clone();
        document.edition += 1;
        document.check_at = Some(Instant::now() + PAUSE);
    }
}

/// Returns what the server can do.
fn abilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
            "completionProvider": { "triggerCharacters": ["\"", ":", "["] },
            "hoverProvider": true,
            "definitionProvider": true,
            "documentFormattingProvider": true,
            "documentSymbolProvider": true,
        },
        "serverInfo": { "name": "tabiya", "version": env!("CARGO_PKG_VERSION") },
    })
}

fn notification(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

fn failure(id: &Value, code: i32, why: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } })
}
