//! A running server and its clients, for tests.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpSocket;
use tungstenite::{Message, WebSocket};

/// The longest time to wait for anything.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// A running server. It is killed when dropped.
pub(crate) struct TestServer {
    child: Child,
    pub(crate) url: String,
    visitor: Visitor,
    folder: Option<TempDir>,
}

/// A client address from which a server is used. The server itself stands for 127.0.0.1.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) port: u16,
    address: Ipv4Addr,
}

impl Deref for TestServer {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// An HTTP response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.body))
    }

    /// Returns the room that was opened.
    pub(crate) fn opened_room(&self) -> OpenedRoom {
        assert_eq!(self.status, 201, "{}", self.body);
        let said = self.json();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let keys = said["seats"].as_array().expect("seats").iter().map(|seat| text(&seat["key"])).collect();
        OpenedRoom { id: text(&said["id"]), keys, watch: text(&said["watch"]) }
    }

    /// Returns the code of an error response.
    pub(crate) fn rule(&self) -> String {
        assert!(self.status >= 400, "{}", self.body);
        self.json()["rule"].as_str().expect("an error has a rule").to_owned()
    }
}

impl TestServer {
    /// Starts a server with a temporary database.
    pub(crate) fn start(words: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Self::start_on(&folder.path().join("games.db"), words);
        server.folder = Some(folder);
        server
    }

    /// Starts a server with an existing database.
    pub(crate) fn start_on(file: &Path, words: &[&str]) -> Self {
        Self::start_at(file, 0, words)
    }

    /// Starts a server with an existing database on a port.
    pub(crate) fn start_at(file: &Path, port: u16, words: &[&str]) -> Self {
        let mut command = Command::cargo_bin("tabiya").expect("the binary is built");
        command
            .args(["serve", "--port", &port.to_string(), "--no-open", "--format", "json", "--games"])
            .arg(file);
        command.args(words);
        Self::spawn(command)
    }

    /// Starts a server by a command that prints its address.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("it speaks");
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let url = said["url"].as_str().unwrap_or_else(|| panic!("no address: {line}")).to_owned();
        let port =
            url.split(':').nth(2).and_then(|rest| rest.split('/').next()).and_then(|port| port.parse().ok());
        let visitor = Visitor { port: port.expect("a port"), address: Ipv4Addr::LOCALHOST };
        TestServer { child, url, visitor, folder: None }
    }

    /// Returns a visitor with the address 127.0.0.`last`.
    pub(crate) fn visitor(&self, last: u8) -> Visitor {
        Visitor { port: self.port, address: Ipv4Addr::new(127, 0, 0, last) }
    }

    /// Returns the process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Stops the server with `SIGTERM` and waits for it.
    pub(crate) fn stop(&mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        assert!(self.child.wait().expect("it ends").success());
    }

    /// Kills the server, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Visitor {
    fn connect(&self) -> TcpStream {
        if self.address == Ipv4Addr::LOCALHOST {
            return TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("it listens");
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
        let connected = runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.bind((self.address, 0).into())?;
            socket.connect((Ipv4Addr::LOCALHOST, self.port).into()).await?.into_std()
        });
        let stream = connected.expect("it listens");
        stream.set_nonblocking(false).expect("a blocking stream");
        stream
    }

    /// Sends one request over a new connection.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut stream = self.connect();
        stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
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
        // The server may close the connection before it has read a long body.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
            unchunked(body)
        } else {
            body.to_owned()
        };
        Response { status, head: head.to_lowercase(), body }
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        self.request("POST", path, &[("content-type", "application/json")], &body.to_string())
    }

    /// Opens a room.
    pub(crate) fn open_room(&self, body: &Value) -> OpenedRoom {
        self.post("/api/tables", body).opened_room()
    }

    /// Opens a room for two people who play chess.
    pub(crate) fn open_chess(&self) -> OpenedRoom {
        self.open_room(&json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")] }))
    }

    /// Opens a socket without sending `hello`.
    pub(crate) fn socket(&self, id: &str) -> Client {
        let stream = self.connect();
        stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        let url = format!("ws://127.0.0.1:{}/api/tables/{id}/socket", self.port);
        let (socket, _) = tungstenite::client(url, stream).expect("a socket");
        Client(socket)
    }

    /// Joins a room. Returns the client and the state of the room.
    pub(crate) fn join(&self, id: &str, key: &str) -> (Client, Value) {
        let mut client = self.socket(id);
        client.send_json(&json!({ "hello": { "key": key } }));
        let room = client.receive("table");
        (client, room)
    }
}

/// Returns a human seat.
pub(crate) fn human(player: &str) -> Value {
    json!({ "players": [player], "who": "human" })
}

/// A room with its keys.
#[derive(Clone)]
pub(crate) struct OpenedRoom {
    pub(crate) id: String,
    pub(crate) keys: Vec<String>,
    pub(crate) watch: String,
}

/// The socket of a client.
pub(crate) struct Client(pub(crate) WebSocket<TcpStream>);

impl Client {
    pub(crate) fn send_json(&mut self, message: &Value) {
        self.send(&message.to_string());
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("it listens");
    }

    pub(crate) fn act(&mut self, text: &str, seen: u64) {
        self.send_json(&json!({ "act": { "text": text, "seen": seen } }));
    }

    /// Returns the next message; `None` once the socket is closed.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Returns the next message of a kind and skips those that other clients may cause at any time.
    pub(crate) fn receive(&mut self, kind: &str) -> Value {
        let until = Instant::now() + TIMEOUT;
        while Instant::now() < until {
            let message = self.next().unwrap_or_else(|| panic!("the socket closed before `{kind}`"));
            if let Some(content) = message.get(kind) {
                return content.clone();
            }
            let others = ["present", "asked", "done", "table", "offers"];
            let is_other = others.iter().any(|other| message.get(other).is_some());
            assert!(is_other, "waiting for {kind}: {message}");
        }
        panic!("no `{kind}` arrived");
    }

    /// Returns the code of the next error.
    pub(crate) fn rejection(&mut self) -> String {
        self.receive("refused")["rule"].as_str().expect("a rule").to_owned()
    }

    /// Takes an action and waits for its confirmation.
    pub(crate) fn play(&mut self, text: &str, seen: u64) -> Value {
        self.act(text, seen);
        loop {
            let done = self.receive("done");
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
