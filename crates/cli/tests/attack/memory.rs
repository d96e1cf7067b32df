//! One address fills memory with the history of games on a large board with many pieces.

use serde_json::{Value, json};

use crate::bystander::Bystander;
use crate::test_server::{Client, TestServer};
use crate::{alone, bound, is_full, report, resident};

/// A game whose positions are large: 1,024 squares and 250 kinds of pieces.
fn large_positions() -> String {
    let actions = json!([{ "state": "EMPTY", "action": "MOVE" }]);
    let steps = json!([{ "id": 0, "step": [0, 1], "actions": actions }, { "id": 1, "step": [0, -1], "actions": actions }]);
    let mut pieces = vec![json!({ "code": "WALKER", "moves": steps })];
    pieces.extend((1..250).map(|kind| json!({ "code": format!("P{kind}"), "moves": [] })));
    let player = |name: &str, file: i32| {
        let starting = json!([{ "piece": "WALKER", "positions": [[file, 5]] }]);
        json!({ "name": name, "direction": "UP", "starting_positions": starting })
    };
    json!({ "name": "Large", "board": { "dimensions": [32, 32] }, "players": [player("WHITE", 0), player("BLACK", 1)],
        "turns": { "order": ["WHITE", "BLACK"] }, "pieces": pieces })
    .to_string()
}

/// Plays up to 50 moves as fast as possible. Returns how many were accepted.
fn play(client: &mut Client, seen: usize) -> usize {
    for ply in seen..seen + 50 {
        client.act(["a6a7", "b6b7", "a7a6", "b7b6"][ply % 4], ply as u64);
    }
    let mut accepted = 0;
    for _ in 0..50 {
        loop {
            let message = client.next().expect("an open socket");
            if message.get("refused").is_some() {
                return accepted;
            }
            if let Some(done) = message.get("done") {
                if !done["state"]["end"].is_null() {
                    return accepted;
                }
                break accepted += 1;
            }
        }
    }
    accepted
}

#[test]
fn histories_of_games_do_not_fill_memory() {
    let _alone = alone();
    let (rooms, plies) = if is_full() { (40, 400) } else { (8, 100) };
    let server = TestServer::start(&[]);
    let bystander = Bystander::start(&server);
    server.open_chess();
    let before = resident(server.pid());
    let (mut accepted, mut opened, mut most) = (0, Vec::new(), 0);
    let spec = Value::String(large_positions());
    for _ in 0..rooms {
        let response = server.post("/api/tables", &json!({ "spec": spec }));
        if response.status != 201 {
            assert_eq!(response.rule(), "too_many_games");
            break;
        }
        let room = response.opened_room();
        for seen in (0..plies).step_by(50) {
            let (mut client, _) = server.join(&room.id, &room.keys[0]);
            let played = play(&mut client, seen);
            accepted += played;
            if played < 50 {
                break;
            }
        }
        // The sockets keep the rooms in memory.
        opened.push(server.join(&room.id, &room.keys[0]).0);
        most = most.max(resident(server.pid()).saturating_sub(before));
    }
    let (p99, longest) = bystander.stop();
    report(&format!(
        "{accepted} moves of {} in games with large positions are accepted; memory grows by {most} MB; other users' moves and \
         requests {p99:.1?} at 99 %, {longest:.1?} at most",
        rooms * plies
    ));
    assert!(most < 300, "{most} MB");
    assert!(p99 < bound(0.05), "{p99:?}");
}
