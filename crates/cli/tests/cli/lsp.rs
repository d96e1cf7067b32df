//! `tabiya lsp`: an editor that writes messages by hand. Every wait has a timeout.

use std::fs;
use std::io::{BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A test that waits longer has failed.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A game without errors.
const DUEL: &str = r#"{
  "name": "Duel",
  "leader": "KING",
  "board": { "dimensions": [4, 4] },
  "setup": "2rk/4/4/KR2",
  "pieces": [
    { "code": "KING", "betza": "K" },
    { "code": "ROOK", "betza": "R" }
  ]
}
"#;

/// An editor and its server.
struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    folder: TempDir,
    asked: i64,
    version: i64,
    /// Notifications that were read while waiting for an answer.
    published: Vec<Value>,
}

impl Editor {
    fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut server = Command::new(assert_cmd::cargo::cargo_bin!("tabiya"))
            .arg("lsp")
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let (input, output) = (server.stdin.take(), server.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Editor { server, input, messages, folder, asked: 0, version: 0, published: Vec::new() }
    }

    /// Starts a server and performs the handshake.
    fn new() -> Self {
        let mut editor = Editor::start();
        let publishing = json!({ "codeDescriptionSupport": true, "versionSupport": true });
        let document =
            json!({ "hover": { "contentFormat": ["markdown"] }, "publishDiagnostics": publishing });
        let params =
            json!({ "processId": null, "rootUri": null, "capabilities": { "textDocument": document } });
        let answer = editor.ask("initialize", &params);
        assert_eq!(answer["result"]["capabilities"]["hoverProvider"], true, "{answer}");
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-16", "{answer}");
        editor.tell("initialized", &json!({}));
        editor
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server listens");
    }

    fn message(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.message(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn hear(&mut self) -> Value {
        self.messages.recv_timeout(TIMEOUT).expect("a message in time")
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.message(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.hear();
            if message["id"] == id {
                return message;
            }
            self.published.push(message);
        }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.folder.path().join(name).display())
    }

    fn open(&mut self, name: &str, text: &str) {
        let document = json!({ "uri": self.uri(name), "languageId": "json", "version": 0, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    fn change(&mut self, name: &str, changes: &Value) {
        self.version += 1;
        let document = json!({ "uri": self.uri(name), "version": self.version });
        self.tell("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Waits for the diagnostics of a document.
    fn diagnostics(&mut self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        loop {
            let message = if self.published.is_empty() { self.hear() } else { self.published.remove(0) };
            assert_eq!(message["method"], "textDocument/publishDiagnostics", "{message}");
            if message["params"]["uri"] == uri {
                return message["params"]["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Asks about the position of a part of the text.
    fn ask_at(&mut self, method: &str, name: &str, text: &str, part: &str, skip: usize) -> Value {
        let offset = text.find(part).expect(part) + skip;
        let before = &text[..offset];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().expect("a line").encode_utf16().count();
        let params = json!({
            "textDocument": { "uri": self.uri(name) }, "position": { "line": line, "character": column },
        });
        self.ask(&format!("textDocument/{method}"), &params)["result"].clone()
    }

    fn labels(&mut self, name: &str, text: &str, part: &str, skip: usize) -> Vec<String> {
        let found = self.ask_at("completion", name, text, part, skip);
        let items = found["items"].as_array().expect("a list").clone();
        items.iter().map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
    }

    /// Waits until the server ends. Returns its status.
    fn wait(&mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if let Some(status) = self.server.try_wait().expect("a child") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("the server does not end");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Reads a message; `None` at the end of the output. Everything must be part of a message.
fn read(output: &mut impl std::io::BufRead) -> Option<Value> {
    let mut header = String::new();
    output.read_line(&mut header).ok().filter(|length| *length > 0)?;
    let length = header.trim().strip_prefix("Content-Length: ").expect("a header").parse().expect("a length");
    let mut blank = String::new();
    output.read_line(&mut blank).expect("a line");
    assert_eq!(blank, "\r\n");
    let mut body = vec![0; length];
    output.read_exact(&mut body).expect("a message");
    Some(serde_json::from_slice(&body).expect("JSON"))
}

#[test]
fn errors_appear_and_disappear_while_typing() {
    let mut editor = Editor::new();
    let wrong = DUEL.replace("\"board\"", "\"bord\"");
    editor.open("duel.json", &wrong);
    let found = editor.diagnostics("duel.json");
    let key = found.iter().find(|it| it["code"] == "unknown-key").expect("the misspelt key");
    assert_eq!(key["range"], range((3, 2), (3, 8)), "{key}");
    assert_eq!((&key["severity"], &key["source"]), (&json!(1), &json!("tabiya")));
    assert!(key["message"].as_str().is_some_and(|it| it.ends_with("\nhelp: did you mean `board`?")), "{key}");
    let link = key["codeDescription"]["href"].as_str().expect("a link");
    let explanation =
        fs::read_to_string(link.strip_prefix("file://").expect("a file")).expect("the explanation");
    assert!(explanation.starts_with("### unknown-key"), "{explanation}");
    // One character at a time, as an editor sends them.
    editor.change("duel.json", &json!([{ "range": range((3, 5), (3, 5)), "text": "a" }]));
    editor.change(
        "duel.json",
        &json!([{ "range": range((3, 5), (3, 6)), "text": "" },
        { "range": range((3, 4), (3, 6)), "text": "oar" }, { "range": range((3, 6), (3, 6)), "text": "" }]),
    );
    assert_eq!(editor.diagnostics("duel.json"), [] as [Value; 0]);
    editor.change("duel.json", &json!([{ "text": DUEL.replace("\"betza\": \"R\"", "\"betza\": \"RX\"") }]));
    let found = editor.diagnostics("duel.json");
    assert_eq!((found.len(), &found[0]["code"]), (1, &json!("bad-betza")));
    assert_eq!(found[0]["range"], range((7, 33), (7, 34)));
    let document = json!({ "textDocument": { "uri": editor.uri("duel.json") } });
    editor.tell("textDocument/didClose", &document);
    assert_eq!(editor.diagnostics("duel.json"), [] as [Value; 0], "closing clears");
}

#[test]
fn columns_count_units_of_utf16() {
    let mut editor = Editor::new();
    let text = "{ \"name\": \"Dü😀el\", \"bord\": 1, \"pieces\": [] }";
    editor.open("é 1.json", text);
    let document = json!({ "uri": editor.uri("é 1.json") });
    let found = editor.diagnostics("é 1.json");
    let key = found.iter().find(|it| it["code"] == "unknown-key").expect("the misspelt key");
    assert_eq!(key["range"], range((0, 20), (0, 26)), "{key}");
    // Replaces `bord` after the emoji.
    let changes = json!([{ "range": range((0, 21), (0, 25)), "text": "leader" }]);
    editor.change("é 1.json", &changes);
    let found = editor.diagnostics("é 1.json");
    assert!(found.iter().all(|it| it["code"] != "unknown-key"), "{found:?}");
    let params = json!({ "textDocument": document, "position": { "line": 0, "character": 23 } });
    let hover = editor.ask("textDocument/hover", &params);
    assert_eq!(hover["result"]["range"], range((0, 20), (0, 28)), "{hover}");
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    let at = |(line, character)| json!({ "line": line, "character": character });
    json!({ "start": at(start), "end": at(end) })
}

#[test]
fn words_are_completed() {
    let mut editor = Editor::new();
    let text = "{\n  \"extends\": \"chess\",\n  \"leader\": \"KI\",\n  \"pieces\": [{ \"code\": \"DUKE\", \"betza\": \"W\" }],\n  \"qu";
    editor.open("x.json", text);
    let keys = editor.labels("x.json", text, "\"qu", 3);
    assert!(keys.contains(&"quiet".into()) && !keys.contains(&"pieces".into()), "{keys:?}");
    let pieces = editor.labels("x.json", text, "KI\"", 2);
    assert!(pieces.contains(&"KING".into()) && pieces.contains(&"DUKE".into()), "{pieces:?}");
    let games = editor.labels("x.json", text, "chess", 2);
    assert!(games.contains(&"capablanca".into()), "{games:?}");
    let letters = editor.labels("x.json", text, "\"W\"", 1);
    assert!(letters.contains(&"N".into()), "{letters:?}");
    let found = editor.ask_at("completion", "x.json", text, "KI\"", 2);
    let king =
        found["items"].as_array().expect("a list").iter().find(|it| it["label"] == "KING").expect("KING");
    assert_eq!(king["textEdit"], json!({ "range": range((2, 12), (2, 16)), "newText": "\"KING\"" }));
    assert_eq!((&king["filterText"], &king["detail"]), (&json!("\"KING\""), &json!("piece")));
}

#[test]
fn codes_are_explained_and_found() {
    let mut editor = Editor::new();
    let base = DUEL.replace("Duel", "Base");
    fs::write(editor.folder.path().join("base.json"), &base).expect("a file");
    let text = "{ \"name\": \"Child\", \"extends\": \"base.json\", \"quiet\": { \"reset_by\": [\"ROOK\", \"NONE\"] } }";
    editor.open("child.json", text);
    let found = editor.diagnostics("child.json");
    assert_eq!((found.len(), &found[0]["code"]), (1, &json!("unknown-piece")), "{found:?}");
    let hover = editor.ask_at("hover", "child.json", text, "ROOK", 1);
    assert!(hover["contents"]["value"].as_str().is_some_and(|it| it.contains("**piece `ROOK`**")), "{hover}");
    let found = editor.ask_at("definition", "child.json", text, "ROOK", 1);
    assert_eq!(found, json!({ "uri": editor.uri("base.json"), "range": range((7, 14), (7, 20)) }));
    let found = editor.ask_at("definition", "child.json", text, "base.json", 1);
    assert_eq!(found["uri"], editor.uri("base.json"));
    fs::write(editor.folder.path().join("base.json"), base.replace("\"R\"", "\"X\"")).expect("a file");
    editor.tell("textDocument/didSave", &json!({ "textDocument": { "uri": editor.uri("base.json") } }));
    let found = editor.diagnostics("child.json");
    let wrong = found.iter().find(|it| it["code"] == "bad-betza").expect("the error of the parent");
    let related = &wrong["relatedInformation"][0]["location"];
    assert_eq!(*related, json!({ "uri": editor.uri("base.json"), "range": range((7, 0), (8, 0)) }));
    let text = "{ \"name\": \"Child\", \"extends\": \"chess\", \"leader\": \"KING\" }";
    editor.open("other.json", text);
    let found = editor.ask_at("definition", "other.json", text, "KING", 1);
    let path = found["uri"].as_str().and_then(|it| it.strip_prefix("file://")).expect("a file");
    let chess = fs::read_to_string(path).expect("a copy of chess");
    let line = chess.lines().nth(found["range"]["start"]["line"].as_u64().expect("a line") as usize);
    assert!(line.is_some_and(|line| line.contains("\"code\": \"KING\"")), "{found}");
    let hover = editor.ask_at("hover", "other.json", text, "KING", 1);
    let value = hover["contents"]["value"].as_str().expect("text");
    assert!(value.contains(". . . o o o . . .") && value.contains("castles with a ROOK"), "{value}");
    editor.open("duel.json", DUEL);
    let symbols = editor
        .ask("textDocument/documentSymbol", &json!({ "textDocument": { "uri": editor.uri("duel.json") } }));
    let names: Vec<&Value> =
        symbols["result"].as_array().expect("a list").iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["KING", "ROOK"]);
}

#[test]
fn documents_are_formatted_unless_they_have_errors() {
    let mut editor = Editor::new();
    let long = DUEL.replace("\"betza\": \"R\"", "\"like\":\n   \"KING\"");
    editor.open("duel.json", &long);
    let params = json!({ "textDocument": { "uri": editor.uri("duel.json") }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = editor.ask("textDocument/formatting", &params)["result"].clone();
    assert_eq!(edits[0]["range"]["start"], json!({ "line": 0, "character": 0 }), "{edits}");
    let new = edits[0]["newText"].as_str().expect("a text").to_owned();
    assert!(new.lines().count() < long.lines().count(), "{new}");
    editor.change("duel.json", &json!([{ "text": new }]));
    assert_eq!(editor.ask("textDocument/formatting", &params)["result"], json!([]), "it stays as it was");
    editor.change("duel.json", &json!([{ "text": "{ \"pieces\": [" }]));
    assert_eq!(editor.ask("textDocument/formatting", &params)["result"], Value::Null);
}

#[test]
fn other_files_are_left_alone() {
    let mut editor = Editor::new();
    let text = "{ \"name\": \"page\", \"version\": \"1.0.0\", \"dependencies\": {} }";
    editor.open("package.json", text);
    assert_eq!(editor.diagnostics("package.json"), [] as [Value; 0]);
    assert_eq!(editor.ask_at("completion", "package.json", text, "version", 1), Value::Null);
    editor.open("huge.json", &("{ \"pieces\": [".to_owned() + &" ".repeat(tabiya_spec::MAX_BYTES)));
    let found = editor.diagnostics("huge.json");
    assert_eq!((found.len(), &found[0]["code"]), (1, &json!("file-too-large")), "{found:?}");
}

#[test]
fn malformed_parameters_are_survived() {
    let mut editor = Editor::start();
    assert_eq!(
        editor.ask("textDocument/hover", &json!({}))["error"]["code"],
        -32_002,
        "before the handshake"
    );
    assert_eq!(editor.ask("initialize", &json!({ "capabilities": 5 }))["error"]["code"], -32_602);
    assert_eq!(editor.ask("initialize", &json!({ "capabilities": {} }))["error"], Value::Null);
    assert_eq!(editor.ask("initialize", &json!({ "capabilities": {} }))["error"]["code"], -32_600);
    editor.tell("textDocument/didChange", &json!({ "textDocument": { "uri": 5 } }));
    editor.tell("textDocument/didOpen", &json!(null));
    editor.tell("$/cancelRequest", &json!({ "id": 1 }));
    editor.message(&json!({ "jsonrpc": "2.0", "id": 5, "result": null }));
    editor.open("duel.json", DUEL);
    editor.change("duel.json", &json!([{ "range": range((0, 0), (1, 0)) }]));
    assert_eq!(editor.ask("workspace/unknown", &json!({}))["error"]["code"], -32_601);
    assert_eq!(editor.ask("textDocument/references", &json!({}))["error"]["code"], -32_601);
    assert_eq!(editor.ask("textDocument/hover", &json!({}))["error"]["code"], -32_602);
    let nowhere = json!({ "textDocument": { "uri": "file:///nowhere.json" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(editor.ask("textDocument/hover", &nowhere)["result"], Value::Null);
    let negative = json!({ "textDocument": { "uri": editor.uri("duel.json") }, "position": { "line": -1, "character": 0 } });
    assert_eq!(editor.ask("textDocument/hover", &negative)["error"]["code"], -32_602);
    assert_eq!(editor.labels("duel.json", DUEL, "\"KING\"", 2), ["KING", "ROOK"]);
}

#[test]
fn the_server_ends_at_a_malformed_message() {
    let long = format!("Content-Length: 10000\r\n\r\n{}", "x".repeat(10_000));
    for bytes in
        ["Content-Length: 9\r\n\r\nnot JSON!", "Content-Length: 2\r\n\r\n{}", "nothing\r\n\r\n", &long]
    {
        for mut editor in [Editor::start(), Editor::new()] {
            editor.raw(bytes.as_bytes());
            assert_eq!(editor.wait(), Some(1), "{bytes}");
            let mut error = String::new();
            editor.server.stderr.take().expect("a pipe").read_to_string(&mut error).expect("text");
            assert!(error.starts_with("error: ") && error.len() < 300, "{error}");
        }
    }
}

#[test]
fn the_server_ends_with_its_client() {
    let mut editor = Editor::new();
    assert_eq!(editor.ask("shutdown", &Value::Null)["result"], Value::Null);
    assert_eq!(editor.ask("textDocument/hover", &json!({}))["error"]["code"], -32_600);
    editor.tell("exit", &Value::Null);
    assert_eq!(editor.wait(), Some(0));
    for mut editor in [Editor::start(), Editor::new()] {
        editor.tell("exit", &Value::Null);
        assert_eq!(editor.wait(), Some(1), "without `shutdown`");
    }
    let mut editor = Editor::new();
    editor.open("duel.json", DUEL);
    drop(editor.input.take());
    assert_eq!(editor.wait(), Some(0));
}
