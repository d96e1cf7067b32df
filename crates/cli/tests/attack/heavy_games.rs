//! Rules and positions that need much time and memory.

use std::time::Duration;

use serde_json::{Value, json};

use crate::bystander::Bystander;
use crate::test_server::{TestServer, human};
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

/// A spec of a few hundred bytes whose short forms stand for ninety pieces that slide in all directions of a Betza word.
fn short_riders() -> String {
    let rank = "R".repeat(30);
    let setup = format!("k29/{}/{rank}/{rank}/{rank}/K29", ["30"; 25].join("/"));
    json!({ "name": "Short riders", "board": { "dimensions": [30, 30] }, "setup": setup, "pieces": [
        { "code": "KING", "betza": "K" }, { "code": "RIDER", "letter": "R", "betza": "QNNCCZZAADD" }] })
    .to_string()
}

/// The starting positions are small; the rules are not.
#[test]
fn heavy_rules_are_checked_and_explained_in_time() {
    let _alone = alone();
    let server = TestServer::start(&[]);
    server.open_chess();
    let body = json!({ "spec": riders(0) });
    let (checked, check) = timed(|| server.post("/api/check", &body));
    assert!(checked.json()["game"].is_object(), "{}", checked.body);
    let room = server.open_room(&body);
    let (rules, explain) =
        timed(|| server.get(&format!("/api/tables/{}/rules?key={}", room.id, room.keys[0])));
    assert_eq!(rules.status, 200, "{}", rules.body);
    let program = json!({ "players": ["BLACK"], "who": "player:level1" });
    let against = json!({ "spec": riders(0), "seats": [human("WHITE"), program] });
    let rule = server.post("/api/tables", &against).rule();
    assert_eq!(rule, "too_complex", "a program would have to value the pieces");
    let short = json!({ "spec": short_riders() });
    let (rejected, short_form) = timed(|| server.post("/api/check", &short));
    assert_eq!(rejected.rule(), "too_complex", "{}", rejected.body);
    assert_eq!(server.post("/api/tables", &short).rule(), "too_complex");
    report(&format!(
        "a spec of {} KB with a rider: checked after {check:.1?}, explained after {explain:.1?}; {} bytes of short forms for \
         ninety riders: rejected after {short_form:.1?}",
        riders(0).len() >> 10,
        short_riders().len()
    ));
    assert!(check.max(explain).max(short_form) < bound(0.3), "{check:?} {explain:?} {short_form:?}");
}

/// The server was killed after the move was saved and before the end of the game was.
#[test]
fn a_heavy_position_in_an_interrupted_journal_ends_the_game() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let mut server = TestServer::start_on(&file, &[]);
    let room = server.open_room(&json!({ "spec": riders(0), "start": crowded("S") }));
    let (mut client, seen) = server.join(&room.id, &room.keys[0]);
    let moves = seen["state"]["moves"].as_array().unwrap();
    let text =
        moves.iter().find_map(|it| it["text"].as_str().filter(|text| text.starts_with("b1c1"))).unwrap();
    client.play(text, 0);
    client.receive("done");
    server.kill();
    let database = rusqlite::Connection::open(&file).unwrap();
    let deleted = database.execute("DELETE FROM journal WHERE body LIKE '%too_complex%'", []).unwrap();
    assert_eq!(deleted, 1);
    drop(database);
    let server = TestServer::start_on(&file, &[]);
    let ((_, seen), taken) = timed(|| server.join(&room.id, &room.keys[0]));
    assert_eq!(seen["state"]["end"]["reason"], "too_complex", "{}", seen["state"]);
    assert!(taken < bound(0.3), "{taken:?}");
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
