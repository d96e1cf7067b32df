//! Many concurrent games: the latency from a move to the other seat, and the memory of an idle game.
//!
//! `cargo xtask prove serve` runs it at full size. By default it is small and its bounds are wide.

#[path = "../serve/test_server.rs"]
mod test_server;

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tungstenite::Message;

use test_server::{OpenedRoom, TestServer};

/// Returns the number of rooms in `TABIYA_LOAD`.
fn size() -> Option<usize> {
    std::env::var("TABIYA_LOAD").ok().map(|text| text.parse().expect("TABIYA_LOAD is a number"))
}

type Socket = WebSocketStream<TcpStream>;

/// A room with both of its sockets.
struct Pair {
    sockets: [Socket; 2],
    state: Value,
}

async fn connect(port: u16, opened: &OpenedRoom, seat: usize) -> (Socket, Value) {
    let stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the server listens");
    stream.set_nodelay(true).expect("no delay");
    let url = format!("ws://127.0.0.1:{port}/api/tables/{}/socket", opened.id);
    let (mut socket, _) = tokio_tungstenite::client_async(url, stream).await.expect("a socket");
    let hello = json!({ "hello": { "key": opened.keys[seat] } }).to_string();
    socket.send(Message::text(hello)).await.expect("the server listens");
    let room = receive(&mut socket, "table").await;
    (socket, room["state"].clone())
}

async fn receive(socket: &mut Socket, kind: &str) -> Value {
    loop {
        let frame = socket.next().await.expect("an open socket").expect("a message");
        let Message::Text(text) = frame else { continue };
        let mut message: Value = serde_json::from_str(&text).expect("JSON");
        if let Some(content) = message.get_mut(kind) {
            return content.take();
        }
        assert!(message.get("present").or(message.get("table")).is_some(), "waiting for {kind}: {message}");
    }
}

impl Pair {
    /// Plays a move. Returns the time until the other seat received it.
    async fn play(&mut self, choice: usize) -> Option<Duration> {
        let mover = self.state["actor"].as_u64().expect("an actor") as usize;
        let moves = self.state["moves"].as_array().expect("moves");
        let text = moves.get(choice % moves.len().max(1))?["text"].as_str().expect("a text").to_owned();
        let act = json!({ "act": { "text": text, "seen": self.state["seen"] } }).to_string();
        let start = Instant::now();
        self.sockets[mover].send(Message::text(act)).await.expect("the server listens");
        let seen = receive(&mut self.sockets[1 - mover], "done").await;
        let taken = start.elapsed();
        receive(&mut self.sockets[mover], "done").await;
        self.state = seen["state"].clone();
        self.state["end"].is_null().then_some(taken)
    }
}

/// Returns the resident memory of a process in bytes.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().expect("a number") << 10
}

#[test]
#[allow(clippy::print_stdout, reason = "figures for docs/measurements.md")]
fn many_concurrent_games() {
    let full = size();
    let (rooms, seconds) = (full.unwrap_or(40), if full.is_some() { 20 } else { 3 });
    let many = "1000000";
    let server = TestServer::start(&[
        "--max-connections",
        many,
        "--max-connections-each",
        many,
        "--max-games-each",
        many,
        "--max-games",
        many,
        "--max-requests-each",
        "100000",
    ]);
    // Allocate what all rooms share before measuring.
    let first = server.open_chess();
    drop(server.join(&first.id, &first.keys[0]));
    let before = resident(server.pid());
    let opened: Vec<OpenedRoom> = (0..rooms).map(|_| server.open_chess()).collect();
    let alone = resident(server.pid());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (port, pid) = (server.port, server.pid());
    let (mut times, with_sockets) = runtime.block_on(async move {
        let mut pairs = Vec::new();
        for room in &opened {
            let (white, state) = connect(port, room, 0).await;
            let (black, _) = connect(port, room, 1).await;
            pairs.push(Pair { sockets: [white, black], state });
        }
        let with_sockets = resident(pid);
        // Each room plays one move per second.
        let start = Instant::now() + Duration::from_millis(200);
        let playing = pairs.into_iter().enumerate().map(|(number, mut pair)| {
            tokio::spawn(async move {
                let mut times = Vec::new();
                let offset = Duration::from_secs(1) * number as u32 / rooms as u32;
                for turn in 0..seconds {
                    let due = start + offset + Duration::from_secs(turn);
                    tokio::time::sleep_until(due.into()).await;
                    let Some(taken) = pair.play(number * 7 + turn as usize * 13).await else { break };
                    times.push(taken);
                }
                times
            })
        });
        let playing: Vec<_> = playing.collect();
        let mut times = Vec::new();
        for played in playing {
            times.extend(played.await.expect("a game"));
        }
        (times, with_sockets)
    });
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    let each = |later: u64| later.saturating_sub(before) / rooms as u64 / 1024;
    println!(
        "{rooms} games, {} moves in {seconds} s over {} sockets: from move sent to move seen by the other seat {:.1} ms in \
         the median, {:.1} ms at 99 %, {:.1} ms at most; an idle game takes {} KB, with both sockets {} KB",
        times.len(),
        rooms * 2,
        at(50).as_secs_f64() * 1e3,
        at(99).as_secs_f64() * 1e3,
        at(100).as_secs_f64() * 1e3,
        each(alone),
        each(with_sockets),
    );
    // Few games end early.
    assert!(times.len() >= rooms * seconds as usize * 9 / 10, "{} moves", times.len());
    let (bound, kilobytes) = if full.is_some() { (50, 50) } else { (500, 400) };
    assert!(at(99) < Duration::from_millis(bound), "{:?}", at(99));
    assert!(each(alone) < kilobytes, "{} KB", each(alone));
}
