//! A server that was killed continues every game.

use serde_json::{Value, json};

use crate::test_server::{Client, OpenedRoom, TestServer, human};

#[test]
fn fifty_games_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let mut server = TestServer::start_on(&file, &[]);
    // Two people, a person and a program, one person for all; with and without a clock; a library game and a spec.
    let spec = server.get("/api/games/gardner").json()["spec"].clone();
    let kinds = [
        json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")] }),
        json!({ "game": "chess", "seats": [human("WHITE"), { "players": ["BLACK"], "who": "player:random" }] }),
        json!({ "game": "enochian", "clock": { "seconds": 600, "increment": 5 } }),
        json!({ "spec": spec }),
        json!({ "game": "capablanca", "seats": [human("WHITE"), human("BLACK")] }),
    ];
    let rooms: Vec<OpenedRoom> = (0..50).map(|n| server.open_room(&kinds[n % kinds.len()])).collect();
    let mut clients: Vec<Vec<(Client, Value)>> =
        rooms.iter().map(|room| room.keys.iter().map(|key| server.join(&room.id, key)).collect()).collect();
    // The last confirmed state of each room.
    let mut acknowledged: Vec<Value> = clients.iter().map(|seats| seats[0].1["state"].clone()).collect();
    for turn in 0..8 {
        for (seats, last) in clients.iter_mut().zip(&mut acknowledged) {
            let seen = last["seen"].as_u64().unwrap();
            let asked = last["actor"].as_u64().unwrap() as usize;
            let seat = if seats.len() > 1 { asked } else { 0 };
            let (client, state) = &mut seats[seat];
            let moves = state_moves(state);
            let text = moves[(turn * 7 + 3) % moves.len()].clone();
            let done = client.play(&text, seen);
            *last = done["state"].clone();
            *state = done.clone();
            // The opponent receives it, or the program answers.
            if seats.len() > 1 {
                let (other, state) = &mut seats[1 - seat];
                *state = other.receive("done");
            } else if last["actor"] == 1
                && last["moves"].as_array().unwrap().is_empty()
                && last["end"].is_null()
            {
                let done = seats[0].0.receive("done");
                *last = done["state"].clone();
                seats[0].1 = done;
            }
        }
    }
    // Half of the rooms have a move in flight when the server is killed: it is saved completely or not.
    for (seats, last) in clients.iter_mut().zip(&acknowledged).step_by(2) {
        let asked = last["actor"].as_u64().unwrap() as usize;
        let seat = if seats.len() > 1 { asked } else { 0 };
        let (client, state) = &mut seats[seat];
        if let Some(text) = state_moves(state).first() {
            client.act(text, last["seen"].as_u64().unwrap());
        }
    }
    server.kill();
    drop(clients);

    let server = TestServer::start_on(&file, &[]);
    for (room, last) in rooms.iter().zip(&acknowledged) {
        for key in &room.keys {
            let (_, seen) = server.join(&room.id, key);
            let acts = seen["acts"].as_array().unwrap().len() as u64;
            let known = last["seen"].as_u64().unwrap();
            assert!(acts >= known && acts <= known + 2, "{acts} actions, {known} were confirmed");
            if acts == known {
                assert_eq!((&seen["state"]["text"], &seen["state"]["men"]), (&last["text"], &last["men"]));
            }
        }
        server.join(&room.id, &room.watch);
    }
    // The games continue.
    let (mut client, room) = server.join(&rooms[3].id, &rooms[3].keys[0]);
    let text = room["state"]["moves"][0]["text"].as_str().unwrap().to_owned();
    client.play(&text, room["state"]["seen"].as_u64().unwrap());
}

/// Returns the legal moves in a `table` or `done` message.
fn state_moves(message: &Value) -> Vec<String> {
    let moves = message["state"]["moves"].as_array().expect("moves");
    moves.iter().map(|it| it["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_program_is_asked_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let mut server = TestServer::start_on(&file, &["--pause", "2"]);
    let seats = json!([{ "players": ["WHITE"], "who": "player:random" }, { "players": ["BLACK"], "who": "player:random" }]);
    let opened = server.open_room(&json!({ "game": "gardner", "seats": seats }));
    server.kill();
    let server = TestServer::start_on(&file, &["--pause", "0.01"]);
    let (mut spectator, _) = server.join(&opened.id, &opened.watch);
    while spectator.receive("done")["state"]["end"].is_null() {}
}

#[test]
fn a_stopped_server_ends_its_agents_without_a_loss() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    // A unique duration identifies our process.
    let seconds = format!("99{}", std::process::id());
    let agent = format!("slow=process:sh -c 'sleep {seconds}; echo'");
    let mut server = TestServer::start_on(&file, &["--agent", &agent]);
    let body =
        json!({ "game": "chess", "seats": [{ "players": ["WHITE"], "who": "agent:slow" }, human("BLACK")] });
    let opened = server.open_room(&body);
    let sleeps = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        lines.filter(|line| line.starts_with(format!("sleep\0{seconds}").as_bytes())).count()
    };
    let until = std::time::Instant::now() + crate::test_server::TIMEOUT;
    while sleeps() == 0 && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(sleeps(), 1, "the agent has started");
    server.stop();
    assert_eq!(sleeps(), 0);
    let mut server = TestServer::start_on(&file, &["--agent", &agent]);
    let (_, room) = server.join(&opened.id, &opened.keys[0]);
    assert_eq!((&room["state"]["end"], &room["acts"]), (&Value::Null, &json!([])), "the game continues");
    server.stop();
    assert_eq!(sleeps(), 0);
}

#[test]
fn a_second_server_cannot_use_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let _server = TestServer::start_on(&file, &[]);
    let words = ["serve", "--port", "0", "--no-open", "--games", file.to_str().unwrap()];
    let said = assert_cmd::Command::cargo_bin("tabiya").unwrap().args(words).output().unwrap();
    assert_eq!(said.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&said.stderr).contains("another server"), "{said:?}");
}
