//! The protocol: JSON-RPC requests in, answers out.
//!
//! Two lifecycles exist. Up to version 2025-11-25 a client begins with `initialize`; from 2026-07-28 each request
//! names its version and capabilities in `_meta`. A session may use either. The few methods that a server of tools needs
//! are written out here: an SDK would be the largest dependency of the program.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};

use super::answer::result;
use super::games::Games;
use super::tools::{self, Tool};
use super::{McpOptions, instructions};

/// Versions of the protocol, oldest first.
const VERSIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
/// The newest version that begins with `initialize`, and the first one that does not.
const LAST_HANDSHAKE: &str = VERSIONS[3];
const FIRST_INLINE: &str = VERSIONS[4];

/// Keys of `_meta` that a request without a handshake needs.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
const UNSUPPORTED_VERSION: i32 = -32022;

/// An error of the protocol. A tool that rejects its arguments answers with a result instead.
struct RpcError {
    code: i32,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    fn new(code: i32, message: impl Into<String>) -> Self {
        RpcError { code, message: message.into(), data: None }
    }

    fn answer(self, id: Option<&Value>) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = self.data {
            error["data"] = data;
        }
        match id {
            Some(id) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
            None => json!({ "jsonrpc": "2.0", "error": error }),
        }
    }
}

/// Answers a line that was not read because of its length.
pub(super) fn too_long(bytes_max: usize) -> Value {
    RpcError::new(INVALID_REQUEST, format!("a message has at most {bytes_max} bytes")).answer(None)
}

/// How the client started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lifecycle {
    /// Not started yet.
    New,
    /// With `initialize`.
    Handshake,
    /// With a request that has its own metadata, as all later ones must.
    Inline,
}

/// A session.
pub(super) struct Server {
    options: McpOptions,
    games: Games,
    lifecycle: Lifecycle,
}

/// A request, in the form that JSON-RPC demands.
struct Request<'a> {
    id: &'a Value,
    method: &'a str,
    params: Option<&'a Value>,
}

impl<'a> Request<'a> {
    /// Reads a message. `Ok(None)` is a notification or an answer, neither of which is answered.
    fn read(message: &'a Value) -> Result<Option<Self>, RpcError> {
        let invalid = || RpcError::new(INVALID_REQUEST, "this is not a request of JSON-RPC 2.0");
        let [method, id, result, error, params] =
            ["method", "id", "result", "error", "params"].map(|key| message.get(key));
        let params = params.filter(|params| !params.is_null());
        if message["jsonrpc"] != "2.0" || params.is_some_and(|params| !params.is_object()) {
            return Err(invalid());
        }
        let has_id = id.is_some_and(is_id);
        match (method.map(Value::as_str), id, result, error) {
            (Some(Some(method)), Some(id), None, None) if has_id => Ok(Some(Request { id, method, params })),
            (Some(Some(_)), None, None, None) => Ok(None),
            (None, _, Some(_), None) if has_id => Ok(None),
            (None, _, None, Some(error)) if error["code"].is_i64() && error["message"].is_string() => {
                Ok(None)
            }
            _ => Err(invalid()),
        }
    }

    fn param(&self, key: &str) -> Option<&'a Value> {
        self.params?.get(key)
    }

    /// The version that the request itself names.
    fn version(&self) -> Option<&'a str> {
        self.param("_meta")?.get(VERSION_KEY)?.as_str()
    }

    /// Checks that the request says everything that a handshake would have said.
    fn check_metadata(&self) -> Result<(), RpcError> {
        let meta = self.param("_meta");
        let has_capabilities = meta.and_then(|meta| meta.get(CAPABILITIES_KEY)).is_some_and(Value::is_object);
        let missing = [(VERSION_KEY, self.version().is_none()), (CAPABILITIES_KEY, !has_capabilities)];
        let missing: Vec<&str> =
            missing.into_iter().filter(|(_, is_missing)| *is_missing).map(|(key, _)| key).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing = missing.join(", ");
        let message = format!("request _meta is missing or has malformed required fields: {missing}");
        Err(RpcError::new(INVALID_PARAMS, message))
    }
}

/// Whether JSON-RPC lets a value be the id of a request.
fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_i64()
}

impl Server {
    /// Starts a session without a game.
    pub(super) fn new(options: McpOptions) -> Self {
        Server { options, games: Games::new(options), lifecycle: Lifecycle::New }
    }

    /// Answers a line. Lines that are not JSON and notifications get no answer.
    pub(super) fn answer(&mut self, line: &str) -> Option<Value> {
        // Some shells begin a stream with a byte order mark.
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let message: Value = serde_json::from_str(line).ok()?;
        let request = match Request::read(&message) {
            Ok(request) => request?,
            Err(error) => {
                return Some(error.answer(message.get("id").filter(|id| is_id(id))));
            }
        };
        Some(match self.respond(&request) {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": request.id, "result": result }),
            Err(error) => error.answer(Some(request.id)),
        })
    }

    fn respond(&mut self, request: &Request<'_>) -> Result<Value, RpcError> {
        let is_new = self.lifecycle == Lifecycle::New;
        if request.method == "initialize" {
            return self.initialize(request);
        }
        if request.method == "ping" && is_new {
            return Ok(json!({}));
        }
        let version = request.version();
        let is_inline = version.is_some_and(|version| version >= FIRST_INLINE);
        if is_new || is_inline || self.lifecycle == Lifecycle::Inline || request.method == "server/discover" {
            request.check_metadata()?;
        }
        if let Some(version) = version.filter(|version| !VERSIONS.contains(version)) {
            let data = json!({ "requested": version, "supported": VERSIONS });
            let error = RpcError::new(UNSUPPORTED_VERSION, "Unsupported protocol version");
            return Err(RpcError { data: Some(data), ..error });
        }
        if request.method == "server/discover" {
            return Ok(self.discover());
        }
        if is_new {
            self.lifecycle = Lifecycle::Inline;
        }
        self.dispatch(request, is_inline)
    }

    fn dispatch(&mut self, request: &Request<'_>, is_inline: bool) -> Result<Value, RpcError> {
        let mut result = match request.method {
            "ping" if self.lifecycle == Lifecycle::Handshake && !is_inline => return Ok(json!({})),
            "tools/call" => return self.call(request, is_inline),
            "tools/list" => json!({ "tools": tools::all(self.options).map(Tool::offer).collect::<Vec<_>>() }),
            // Some clients ask for these without being offered them.
            "prompts/list" => json!({ "prompts": [] }),
            "resources/list" => json!({ "resources": [] }),
            "resources/templates/list" => json!({ "resourceTemplates": [] }),
            method => return Err(unknown_method(method)),
        };
        if let (true, Value::Object(listed)) = (is_inline, &mut result) {
            // Since version 2026-07-28, lists start with these keys.
            let hints =
                [("resultType", json!("complete")), ("ttlMs", json!(0)), ("cacheScope", json!("private"))];
            for (place, (key, value)) in hints.into_iter().enumerate() {
                listed.shift_insert(place, key.to_owned(), value);
            }
        }
        Ok(result)
    }

    fn initialize(&mut self, request: &Request<'_>) -> Result<Value, RpcError> {
        let asked = request.param("protocolVersion").and_then(Value::as_str);
        let has_form = request.param("capabilities").is_some_and(Value::is_object)
            && request
                .param("clientInfo")
                .is_some_and(|about| about["name"].is_string() && about["version"].is_string());
        let Some(asked) = asked.filter(|_| has_form) else { return Err(unknown_method("initialize")) };
        if self.lifecycle == Lifecycle::New {
            self.lifecycle = Lifecycle::Handshake;
        }
        let is_known = asked < FIRST_INLINE && VERSIONS.contains(&asked);
        Ok(json!({
            "protocolVersion": if is_known { asked } else { LAST_HANDSHAKE },
            "capabilities": { "tools": {} },
            "serverInfo": about(),
            "instructions": instructions::text(self.options),
        }))
    }

    fn discover(&self) -> Value {
        json!({
            "resultType": "complete",
            "supportedVersions": VERSIONS,
            "capabilities": { "tools": {} },
            "instructions": instructions::text(self.options),
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": { "io.modelcontextprotocol/serverInfo": about() },
        })
    }

    /// Calls a tool. A panic becomes an error, so that the client gets an answer and other games continue.
    fn call(&mut self, request: &Request<'_>, is_inline: bool) -> Result<Value, RpcError> {
        let malformed = || unknown_method("tools/call");
        let name = request.param("name").and_then(Value::as_str).ok_or_else(malformed)?;
        let none = Map::new();
        let given = match request.param("arguments") {
            None | Some(Value::Null) => &none,
            Some(given) => given.as_object().ok_or_else(malformed)?,
        };
        let tool = tools::find(self.options, name).map_err(|why| RpcError::new(INVALID_PARAMS, why))?;
        let answered = catch_unwind(AssertUnwindSafe(|| tool.call(&mut self.games, given)));
        let answered = answered
            .map_err(|_| RpcError::new(INTERNAL_ERROR, "the tool has failed; other games continue"))?;
        Ok(result(answered, is_inline))
    }
}

/// The error for a method that does not exist, or whose parameters are invalid.
fn unknown_method(method: &str) -> RpcError {
    let method = crate::text::clip(method, 40);
    match &*method {
        "initialize" | "tools/call" | "tools/list" => {
            RpcError::new(INVALID_PARAMS, format!("the parameters of {method} are invalid"))
        }
        _ => RpcError::new(METHOD_NOT_FOUND, format!("there is no method `{method}`")),
    }
}

fn about() -> Value {
    json!({
        "name": "tabiya",
        "title": "Tabiya",
        "version": env!("CARGO_PKG_VERSION"),
        "description": env!("CARGO_PKG_DESCRIPTION"),
    })
}
