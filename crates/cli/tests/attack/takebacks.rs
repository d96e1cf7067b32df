//! Two seats of one address that agree again and again to take back the last move of a long game, before many spectators.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::bystander::Bystander;
use crate::journals::{PER_SOCKET, endless_chess};
use crate::test_server::{Client, OpenedRoom, TestServer, human};
use crate::{alone, bound, is_full, report, resident};

/// Opens a game of people and plays it up to a length.
pub(crate) fn long_game(server: &TestServer, plies: usize) -> OpenedRoom {
    let seats = [human("WHITE"), human("BLACK")];
    let room = server.open_room(&json!({ "spec": endless_chess(server), "seats": seats }));
    for start in (0..plies).step_by(PER_SOCKET) {
        let mut clients = [0, 1].map(|seat| server.join(&room.id, &room.keys[seat]).0);
        for ply in start..plies.min(start + PER_SOCKET) {
            clients[ply % 2].play(text(ply), ply as u64);
        }
    }
    room
}

fn text(ply: usize) -> &'static str {
    ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4]
}

/// Moves, proposes to take the move back, and agrees. Returns the time from the agreement to the earlier position; `None` if the
/// server refuses.
fn take_back([white, black]: &mut [Client; 2], plies: usize) -> Option<Duration> {
    let seen = plies as u64;
    white.play(text(plies), seen);
    white.send_json(&json!({ "undo": { "seen": seen + 1 } }));
    while black.receive("offers")["undo"].is_null() {}
    let start = Instant::now();
    black.send_json(&json!({ "undo": { "seen": seen + 1 } }));
    loop {
        let message = black.next()?;
        if message.get("refused").is_some() {
            return None;
        }
        if message["table"]["state"]["seen"] == seen {
            break;
        }
    }
    while white.receive("table")["state"]["seen"] != seen {}
    Some(start.elapsed())
}

#[test]
fn agreed_takebacks_cost_little() {
    let _alone = alone();
    let (plies, undos, spectators) = if is_full() { (2000, 200, 20) } else { (200, 20, 4) };
    let server = TestServer::start(&[]);
    let room = long_game(&server, plies);
    for _ in 0..spectators {
        let (mut client, _) = server.join(&room.id, &room.watch);
        // It reads until the server ends, without parsing: that would cost more than the server's work.
        std::thread::spawn(move || while client.0.read().is_ok() {});
    }
    let before = resident(server.pid());
    let bystander = Bystander::start(&server);
    let (mut done, mut longest, mut most) = (0, Duration::ZERO, 0);
    while done < undos {
        let mut clients = [0, 1].map(|seat| server.join(&room.id, &room.keys[seat]).0);
        // A round has two messages of White.
        for _ in 0..PER_SOCKET / 2 {
            let Some(taken) = take_back(&mut clients, plies) else { break };
            longest = longest.max(taken);
            most = most.max(resident(server.pid()).saturating_sub(before));
            done += 1;
        }
    }
    let (p99, slowest) = bystander.stop();
    report(&format!(
        "{done} takebacks on which two seats agree in a game of {plies} moves with {spectators} spectators: {longest:.1?} at \
         most for one; memory grows by {most} MB; other users' moves and requests {p99:.1?} at 99 %, {slowest:.1?} at most"
    ));
    assert!(most < 300, "{most} MB");
    assert!(p99 < bound(0.05), "{p99:?}");
}
