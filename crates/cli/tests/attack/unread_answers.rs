//! One address asks for large answers over many connections and does not read them.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpSocket;

use crate::bystander::Bystander;
use crate::takebacks::long_game;
use crate::test_server::TestServer;
use crate::{alone, bound, is_full, report, resident};

/// Sends a request and reads only the first bytes of the answer. A small buffer leaves the rest to the server.
fn ask(port: u16, path: &str) -> (TcpStream, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
    let connected = runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(2048)?;
        socket.connect((Ipv4Addr::LOCALHOST, port).into()).await?.into_std()
    });
    let mut stream = connected.expect("it listens");
    stream.set_nonblocking(false).expect("a blocking stream");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("it reads");
    let mut first = [0; 12];
    stream.read_exact(&mut first).expect("an answer");
    (stream, String::from_utf8_lossy(&first).into_owned())
}

#[test]
fn unread_answers_do_not_fill_memory() {
    let _alone = alone();
    let (plies, connections) = if is_full() { (2000, 180) } else { (300, 60) };
    let server = TestServer::start(&[]);
    let room = long_game(&server, plies);
    let path = format!("/api/tables/{}?key={}", room.id, room.keys[0]);
    let size = server.get(&path).body.len();
    let before = resident(server.pid());
    let bystander = Bystander::start(&server);
    let mut open = Vec::new();
    for _ in 0..connections {
        open.push(ask(server.port, &path));
    }
    let answered = open.iter().filter(|(_, first)| first == "HTTP/1.1 200").count();
    let grown = resident(server.pid()).saturating_sub(before);
    let other = server.visitor(2).post("/api/tables", &json!({ "game": "chess" }));
    let (p99, most) = bystander.stop();
    report(&format!(
        "{connections} requests for an answer of {} KB that is not read: {answered} are answered; memory grows by {grown} MB; \
         other users' moves and requests {p99:.1?} at 99 %, {most:.1?} at most",
        size >> 10
    ));
    assert!(grown < 100, "{grown} MB");
    assert!(p99 < bound(0.05), "{p99:?}");
    assert_eq!(other.status, 201, "{}", other.body);
    // Who has read is answered again.
    drop(open);
    let (_stream, first) = ask(server.port, &path);
    assert_eq!(first, "HTTP/1.1 200");
}
