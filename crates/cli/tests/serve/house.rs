//! A server that runs, and clients that talk to it, for tests.

#![allow(dead_code, reason = "each file of tests uses its part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Nothing that is waited for takes longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A server, which ends with its test.
pub(crate) struct House {
    child: Child,
    pub(crate) url: String,
    pub(crate) port: u16,
    folder: Option<TempDir>,
}

impl Drop for House {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a client hears over HTTP.
pub(crate) struct Heard {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Heard {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.body))
    }

    /// The word of a refusal.
    pub(crate) fn rule(&self) -> String {
        assert!(self.status >= 400, "{}", self.body);
        self.json()["rule"].as_str().expect("a refusal has a rule").to_owned()
    }
}

impl House {
    /// A server with a file of its own.
    pub(crate) fn open(words: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut house = Self::on(&folder.path().join("games.db"), words);
        house.folder = Some(folder);
        house
    }

    /// A server on a file that is there already.
    pub(crate) fn on(file: &Path, words: &[&str]) -> Self {
        Self::at(file, 0, words)
    }

    /// The same at a port.
    pub(crate) fn at(file: &Path, port: u16, words: &[&str]) -> Self {
        let mut command = Command::cargo_bin("tabiya").expect("the binary is built");
        command
            .args(["serve", "--port", &port.to_string(), "--no-open", "--format", "json", "--games"])
            .arg(file);
        command.args(words);
        Self::run(command)
    }

    /// A server by any command that prints where it listens.
    pub(crate) fn run(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("it speaks");
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let url = said["url"].as_str().unwrap_or_else(|| panic!("no address: {line}")).to_owned();
        let port =
            url.split(':').nth(2).and_then(|rest| rest.split('/').next()).and_then(|port| port.parse().ok());
        House { child, url, port: port.expect("a port"), folder: None }
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn stop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        assert!(self.child.wait().expect("it ends").success());
    }

    /// Ends it without a warning, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// One request over a connection of its own.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Heard {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        // Whoever refuses a long body may hang up before it has read all of it.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
            unchunked(body)
        } else {
            body.to_owned()
        };
        Heard { status, head: head.to_lowercase(), body }
    }

    pub(crate) fn get(&self, path: &str) -> Heard {
        self.request("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Heard {
        self.request("POST", path, &[("content-type", "application/json")], &body.to_string())
    }

    /// Opens a table.
    pub(crate) fn table(&self, body: &Value) -> Opened {
        let heard = self.post("/api/tables", body);
        assert_eq!(heard.status, 201, "{}", heard.body);
        let said = heard.json();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let keys = said["seats"].as_array().expect("seats").iter().map(|seat| text(&seat["key"])).collect();
        Opened { id: text(&said["id"]), keys, watch: text(&said["watch"]) }
    }

    /// A table of chess for two people.
    pub(crate) fn chess(&self) -> Opened {
        self.table(&json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")] }))
    }

    /// A socket, before anything is said.
    pub(crate) fn socket(&self, id: &str) -> Line {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        let url = format!("ws://127.0.0.1:{}/api/tables/{id}/socket", self.port);
        let (socket, _) = tungstenite::client(url, stream).expect("a socket");
        Line(socket)
    }

    /// Somebody who has said hello, and how the table stood.
    pub(crate) fn guest(&self, id: &str, key: &str) -> (Line, Value) {
        let mut line = self.socket(id);
        line.say(&json!({ "hello": { "key": key } }));
        let table = line.hear("table");
        (line, table)
    }
}

/// A person at a seat.
pub(crate) fn human(player: &str) -> Value {
    json!({ "players": [player], "who": "human" })
}

/// A table with its keys.
#[derive(Clone)]
pub(crate) struct Opened {
    pub(crate) id: String,
    pub(crate) keys: Vec<String>,
    pub(crate) watch: String,
}

/// A socket.
pub(crate) struct Line(pub(crate) WebSocket<TcpStream>);

impl Line {
    pub(crate) fn say(&mut self, message: &Value) {
        self.send(&message.to_string());
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("it listens");
    }

    pub(crate) fn act(&mut self, text: &str, seen: u64) {
        self.say(&json!({ "act": { "text": text, "seen": seen } }));
    }

    /// The next message of any kind; `None` once the line is closed.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of one kind; `present` is passed over, and so is what others do not wait for.
    pub(crate) fn hear(&mut self, kind: &str) -> Value {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            let message = self.next().unwrap_or_else(|| panic!("the line was closed before `{kind}` came"));
            if let Some(content) = message.get(kind) {
                return content.clone();
            }
            let is_other = ["present", "asked", "done"].iter().any(|other| message.get(other).is_some());
            assert!(is_other, "waiting for {kind}: {message}");
        }
        panic!("no `{kind}` came");
    }

    /// The word of the next refusal.
    pub(crate) fn refused(&mut self) -> String {
        self.hear("refused")["rule"].as_str().expect("a rule").to_owned()
    }

    /// Makes a move, and waits until it is told.
    pub(crate) fn plays(&mut self, text: &str, seen: u64) -> Value {
        self.act(text, seen);
        loop {
            let done = self.hear("done");
            if done["act"]["n"] == seen {
                assert_eq!(done["act"]["text"], text);
                return done;
            }
        }
    }
}

fn unchunked(body: &str) -> String {
    let mut rest = body;
    let mut whole = String::new();
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16).unwrap_or(0);
        if length == 0 {
            break;
        }
        whole += &after[..length];
        rest = after[length..].trim_start_matches("\r\n");
    }
    whole
}
