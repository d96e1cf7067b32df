//! Rules and positions that need much time and memory.

use std::time::Duration;

use serde_json::{Value, json};

use crate::bystander::Bystander;
use crate::test_server::TestServer;
use crate::{alone, bound, is_full, report, resident, timed};

/// A spec of about 40 KB: a piece on each side, a rider that slides in 32 directions and becomes one of a hundred pieces after
/// every move, and a trigger whose move turns every seed into a rider. Only the number makes it another game.
fn riders(number: usize) -> String {
    let actions = json!([{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]);
    let steps = |most: i32| {
        (-most..=most).flat_map(move |x| (-most..=most).map(move |y| (x, y))).filter(|step| *step != (0, 0))
    };
    let codes: Vec<String> = (0..100).map(|code| format!("P{code}")).collect();
    let becomes = json!([{ "action": "TRANSFORM", "options": codes }]);
    let king: Vec<Value> = steps(1)
        .enumerate()
        .map(|(id, (x, y))| json!({ "id": id, "step": [x, y], "actions": actions }))
        .collect();
    let rider: Vec<Value> = steps(3)
        .enumerate()
        .map(|(id, (x, y))| {
            json!({ "id": id, "step": [x, y], "repeat": { "loop": true }, "actions": actions, "modifiers": becomes })
        })
        .collect();
    let grow = json!([{ "action": "TRANSFORM", "options": ["SEED"], "replaces": { "SEED": "RIDER" } }]);
    let trigger = json!([{ "id": 0, "step": [1, 0], "actions": actions, "modifiers": grow }]);
    let player = |name: &str, direction: &str, rank: i32| {
        let starting = json!([{ "piece": "KING", "positions": [[0, rank]] }]);
        json!({ "name": name, "direction": direction, "starting_positions": starting })
    };
    let mut pieces = vec![
        json!({ "code": "KING", "letter": "K", "moves": king }),
        json!({ "code": "RIDER", "letter": "R", "moves": rider }),
        json!({ "code": "TRIGGER", "letter": "T", "moves": trigger }),
        json!({ "code": "SEED", "letter": "S", "moves": [] }),
    ];
    pieces.extend(codes.iter().map(|code| json!({ "code": code, "moves": [] })));
    json!({ "name": format!("Riders {number}"), "board": { "dimensions": [32, 32] },
        "players": [player("WHITE", "UP", 0), player("BLACK", "DOWN", 31)],
        "turns": { "order": ["WHITE", "BLACK"] }, "pieces": pieces })
    .to_string()
}

/// A position with a hundred pieces of a kind, four on each of 25 ranks, and a trigger on b1.
fn crowded(letter: &str) -> String {
    let ranks = (0..25).map(|rank| format!("{}R7R7R7R{}", 1 + rank % 6, 6 - rank % 6)).collect::<Vec<_>>();
    format!("k31/32/32/{}/32/32/32/KT30 w - - 0 1", ranks.join("/").replace('R', letter))
}

#[test]
fn heavy_starting_positions_are_rejected_early() {
    let _alone = alone();
    let tables = if is_full() { 12 } else { 3 };
    let server = TestServer::start(&[]);
    let bystander = Bystander::start(&server);
    server.open_chess();
    let before = resident(server.pid());
    let (mut longest, mut answers) = (Duration::ZERO, Vec::new());
    for number in 0..tables {
        let body = json!({ "spec": riders(number), "start": crowded("R") });
        let (response, taken) = timed(|| server.post("/api/tables", &body));
        longest = longest.max(taken);
        if response.status != 201 {
            answers.push(response.rule());
            continue;
        }
        let room = response.opened_room();
        let (view, taken) = timed(|| server.get(&format!("/api/tables/{}?key={}", room.id, room.keys[0])));
        longest = longest.max(taken);
        answers.push(format!("a view of {} MB", view.body.len() >> 20));
    }
    let grown = resident(server.pid()).saturating_sub(before);
    let other = server.visitor(2).post("/api/tables", &json!({ "game": "chess" }));
    let (p99, most) = bystander.stop();
    answers.sort_unstable();
    answers.dedup();
    report(&format!(
        "{tables} games with a spec of {} KB and a hundred riders in `start`: {} after {longest:.1?} at most; memory grows by \
         {grown} MB; other users' moves and requests {p99:.1?} at 99 %, {most:.1?} at most",
        riders(0).len() >> 10,
        answers.join(", ")
    ));
    assert!(longest < bound(0.3), "{longest:?}");
    assert!(grown < 300, "{grown} MB");
    assert!(p99 < bound(0.05), "{p99:?}");
    assert_eq!(other.status, 201, "{}", other.body);
}

/// The starting position is small; one move makes it large.
#[test]
fn heavy_positions_reached_by_play_end_the_game() {
    let _alone = alone();
    let tables = if is_full() { 12 } else { 3 };
    let server = TestServer::start(&[]);
    let bystander = Bystander::start(&server);
    server.open_chess();
    let before = resident(server.pid());
    let mut longest = Duration::ZERO;
    for number in 0..tables {
        let room = server.open_room(&json!({ "spec": riders(number), "start": crowded("S") }));
        let (mut client, seen) = server.join(&room.id, &room.keys[0]);
        let moves = seen["state"]["moves"].as_array().unwrap();
        let text =
            moves.iter().find_map(|it| it["text"].as_str().filter(|text| text.starts_with("b1c1"))).unwrap();
        let (done, taken) = timed(|| client.play(text, 0));
        longest = longest.max(taken);
        assert_eq!(done["state"]["moves"], json!([]), "no moves are generated");
        assert_eq!(client.receive("done")["state"]["end"]["reason"], "too_complex");
    }
    let grown = resident(server.pid()).saturating_sub(before);
    let (p99, most) = bystander.stop();
    report(&format!(
        "{tables} games in which a move makes a hundred riders: aborted after {longest:.1?} at most; memory grows by {grown} MB; \
         other users' moves and requests {p99:.1?} at 99 %, {most:.1?} at most"
    ));
    assert!(longest < bound(0.3), "{longest:?}");
    assert!(grown < 300, "{grown} MB");
    assert!(p99 < bound(0.05), "{p99:?}");
}
