//! A long game with many moves taken back, a restart, and requests with wrong keys.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bystander::Bystander;
use crate::test_server::{Client, OpenedRoom, TestServer};
use crate::{alone, bound, is_full, report, timed};

/// Messages sent over one socket before its rate limit.
pub(crate) const PER_SOCKET: usize = 50;

/// Chess without draws, so that a game can be long.
pub(crate) fn endless_chess(server: &TestServer) -> Value {
    let text = server.get("/api/games/chess").json()["spec"].as_str().unwrap().to_owned();
    let mut spec: Value = serde_json::from_str(&text).unwrap();
    spec.as_object_mut().unwrap().remove("endings");
    Value::String(spec.to_string())
}

/// Sends messages over new sockets until `count` are done. Returns the longest time that one took.
fn flood(
    server: &TestServer,
    room: &OpenedRoom,
    count: usize,
    mut step: impl FnMut(&mut Client, usize) -> bool,
) -> Duration {
    let (mut sent, mut longest) = (0, Duration::ZERO);
    while sent < count {
        let (mut client, _) = server.join(&room.id, &room.keys[0]);
        for _ in 0..PER_SOCKET.min(count - sent) {
            let start = Instant::now();
            if !step(&mut client, sent) {
                return longest;
            }
            longest = longest.max(start.elapsed());
            sent += 1;
        }
    }
    longest
}

#[test]
fn undone_moves_and_wrong_keys_cost_little() {
    let _alone = alone();
    let (plies, undos) = if is_full() { (2000, 633) } else { (300, 60) };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let mut server = TestServer::start_on(&file, &[]);
    let room = server.open_room(&json!({ "spec": endless_chess(&server) }));
    let moves = |ply: usize| ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4];
    flood(&server, &room, plies, |client, ply| {
        client.play(moves(ply), ply as u64);
        true
    });
    let bystander = Bystander::start(&server);
    // Undo and move again.
    let mut done = 0;
    let longest = flood(&server, &room, 2 * undos, |client, step| {
        if step % 2 == 0 {
            client.send_json(&json!({ "undo": { "seen": plies } }));
            loop {
                let message = client.next().expect("an open socket");
                if message.get("refused").is_some() {
                    return false;
                }
                if message.get("table").is_some() {
                    done += 1;
                    return true;
                }
            }
        }
        client.play(moves(plies - 1), plies as u64 - 1);
        true
    });
    let (p99, most) = bystander.stop();
    server.kill();

    let (mut server, restart) = timed(|| TestServer::start_on(&file, &[]));
    let ((mut client, seen), right_key) = timed(|| server.join(&room.id, &room.keys[0]));
    assert_eq!(seen["acts"].as_array().unwrap().len(), plies);
    client.act("resign", plies as u64);
    client.receive("done");
    server.stop();
    let server = TestServer::start_on(&file, &[]);
    let ((), wrong_keys) = timed(|| {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let path = format!("/api/tables/{}?key=AAAAAAAAAAAAAAAAAAAAAA", room.id);
                let server = &server;
                scope.spawn(move || assert_eq!(server.get(&path).rule(), "not_found"));
            }
        });
    });
    let tables = server.get("/api/version").json()["tables"].clone();
    report(&format!(
        "{done} moves taken back in a game of {plies}: {longest:.1?} at most for one; other users' moves and requests \
         {p99:.1?} at 99 %, {most:.1?} at most; restart {restart:.1?}; eight wrong keys {wrong_keys:.1?}; the right key \
         {right_key:.1?}"
    ));
    assert!(longest < bound(0.3), "{longest:?}");
    assert!(p99 < bound(0.05), "{p99:?}");
    assert!(restart < bound(2.0), "{restart:?}");
    assert!(wrong_keys < bound(1.0), "{wrong_keys:?}");
    assert_eq!(tables, 0, "wrong keys restore nothing");
    assert!(right_key < bound(0.3), "{right_key:?}");
}

#[test]
fn a_restart_does_not_wait_for_the_games() {
    let _alone = alone();
    let rooms = if is_full() { 2000 } else { 60 };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let many = ["--max-games-each", "100000", "--max-requests-each", "100000"];
    let mut server = TestServer::start_on(&file, &many);
    let opened: Vec<OpenedRoom> = (0..rooms).map(|_| server.open_chess()).collect();
    for room in &opened {
        let (mut white, _) = server.join(&room.id, &room.keys[0]);
        white.play("e2e4", 0);
    }
    server.kill();
    let (server, restart) = timed(|| TestServer::start_on(&file, &many));
    assert_eq!(server.get("/api/version").json()["tables"], 0, "games are restored when they are asked for");
    let times = opened.iter().map(|room| timed(|| server.join(&room.id, &room.keys[1])).1);
    let longest = times.max().unwrap();
    report(&format!(
        "restart with {rooms} unfinished games, {restart:.1?}; to return to one {longest:.1?} at most"
    ));
    assert!(restart < bound(2.0), "{restart:?}");
    assert!(longest < bound(0.3), "{longest:?}");
}
