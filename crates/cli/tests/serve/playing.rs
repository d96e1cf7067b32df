//! Games over sockets: people, programs, clocks, draw offers and undo.

use std::process::Command;

use assert_cmd::cargo::CommandCargoExt as _;
use serde_json::{Value, json};

use crate::test_server::{TestServer, human};

#[test]
fn two_people_play_to_checkmate_with_a_spectator() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let (mut white, room) = server.join(&opened.id, &opened.keys[0]);
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    let (mut spectator, _) = server.join(&opened.id, &opened.watch);
    assert_eq!(room["state"]["moves"].as_array().unwrap().len(), 20);

    for (seen, text) in (0..).zip(["f2f3", "e7e5", "g2g4"]) {
        let (mover, other) = if seen % 2 == 0 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        mover.act(text, seen);
        let own = mover.receive("done");
        let seen_there = other.receive("done");
        let watched = spectator.receive("done");
        assert_eq!(own["state"]["moves"], json!([]), "the player that moved sees no moves");
        assert!(!seen_there["state"]["moves"].as_array().unwrap().is_empty(), "the player to move does");
        assert_eq!(watched["state"]["moves"], json!([]));
        assert_eq!(own["act"], seen_there["act"]);
    }
    black.act("d8h4", 3);
    for client in [&mut white, &mut black, &mut spectator] {
        let done = client.receive("done");
        assert_eq!(done["act"]["san"], "Qh4#");
        assert_eq!(done["state"]["end"], json!({ "winners": [1], "reason": "checkmate" }));
        assert_eq!(done["act"]["check"], json!([0]));
    }
    white.act("a2a3", 4);
    assert_eq!(white.rejection(), "game_over");
}

#[test]
fn illegal_actions_get_a_named_error_and_have_no_effect() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    let (mut spectator, _) = server.join(&opened.id, &opened.watch);
    for (text, rule) in [
        ("e2e5", "illegal"),
        ("e7e5", "illegal"),
        ("hello", "illegal"),
        ("", "illegal"),
        ("accept", "no_offer"),
        ("claim threefold_repetition", "false_claim"),
        ("claim nothing", "illegal"),
        ("throw", "die"),
        ("flag", "illegal"),
        ("exchange", "no_exchange"),
        ("withdraw BLACK", "no_withdrawal"),
    ] {
        white.act(text, 0);
        assert_eq!(white.rejection(), rule, "{text}");
    }
    white.act(&"x".repeat(1000), 0);
    assert_eq!(white.rejection(), "too_long");
    black.act("e7e5", 0);
    assert_eq!(black.rejection(), "not_your_turn");
    spectator.act("e2e4", 0);
    assert_eq!(spectator.rejection(), "only_watching");
    white.act("e2e4", 1);
    assert_eq!(white.rejection(), "stale");
    white.send_json(&json!({ "undo": { "seen": 0 } }));
    assert_eq!(white.rejection(), "no_undo");
    white.send_json(&json!({ "hello": { "key": opened.keys[1] } }));
    assert_eq!(white.rejection(), "second_hello");
    white.send_json(&json!({ "ping": { "nonce": 7 } }));
    assert_eq!(white.receive("pong")["nonce"], 7);
    white.play("e2e4", 0);
    assert_eq!(black.receive("done")["act"]["n"], 0, "rejected actions have no effect");
}

#[test]
fn draws_are_agreed_and_players_can_resign_out_of_turn() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    white.play("draw", 0);
    white.play("e2e4", 1);
    black.receive("done");
    assert_eq!(black.receive("done")["state"]["offer"], 0);
    let done = black.play("accept", 2);
    assert_eq!(done["state"]["end"]["reason"], "agreement");

    let opened = server.open_chess();
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    let done = black.play("resign", 0);
    assert_eq!(done["state"]["end"], json!({ "winners": [0], "reason": "resignation" }), "out of turn");
}

#[test]
fn after_a_resignation_the_other_players_continue() {
    let server = TestServer::start(&[]);
    let names = ["RED", "BLUE", "YELLOW", "GREEN"];
    let seats: Vec<Value> = names.iter().map(|name| human(name)).collect();
    let opened = server.open_room(&json!({ "game": "fourplayer", "seats": seats }));
    let mut clients: Vec<_> = opened.keys.iter().map(|key| server.join(&opened.id, key)).collect();
    let actor = clients[0].1["state"]["actor"].as_u64().unwrap() as usize;
    let done = clients[(actor + 1) % 4].0.play("resign", 0);
    assert_eq!((&done["state"]["end"], &done["state"]["out"]), (&Value::Null, &json!([(actor + 1) % 4])));
    clients[(actor + 2) % 4].0.play("resign", 1);
    let done = clients[(actor + 3) % 4].0.play("resign", 2);
    assert_eq!(done["state"]["end"], json!({ "winners": [actor], "reason": "resignation" }));
}

#[test]
fn a_seat_resigns_for_the_player_to_act_or_for_the_one_it_names() {
    let server = TestServer::start(&[]);
    let opened = server.open_room(&json!({ "game": "chess" }));
    let (mut both, _) = server.join(&opened.id, &opened.keys[0]);
    both.play("e2e4", 0);
    let done = both.play("resign", 1);
    assert_eq!(done["act"]["player"], 1, "Black is to move");
    assert_eq!(done["state"]["end"], json!({ "winners": [0], "reason": "resignation" }));

    let two = |one: &str, other: &str| json!({ "players": [one, other], "who": "human" });
    let seats = json!([two("RED", "YELLOW"), two("BLUE", "GREEN")]);
    let opened = server.open_room(&json!({ "game": "fourplayer", "seats": seats }));
    let (mut second, room) = server.join(&opened.id, &opened.keys[1]);
    assert_eq!(room["state"]["actor"], 0, "Red is to move");
    second.act("resign", 0);
    assert_eq!(second.rejection(), "which_player");
    let resign = |player: u64| json!({ "act": { "text": "resign", "seen": 0, "player": player } });
    second.send_json(&resign(0));
    assert_eq!(second.rejection(), "not_your_player");
    second.send_json(&resign(3));
    let done = second.receive("done");
    assert_eq!((&done["state"]["out"], &done["state"]["end"]), (&json!([3]), &Value::Null));
    second.send_json(&resign(3));
    assert_eq!(second.rejection(), "second_offer", "Green is out and cannot end the game");
    // The other army of the seat is the only one left, so it need not be named.
    let done = second.play("resign", 1);
    assert_eq!((&done["act"]["player"], &done["state"]["out"]), (&json!(1), &json!([1, 3])));
}

#[test]
fn moves_against_a_program_can_be_undone() {
    let server = TestServer::start(&[]);
    let seats = json!([human("WHITE"), { "players": ["BLACK"], "who": "player:greedy" }]);
    let opened = server.open_room(&json!({ "game": "chess", "seats": seats }));
    let (mut white, room) = server.join(&opened.id, &opened.keys[0]);
    assert_eq!(room["may_undo"], true);
    white.play("e2e4", 0);
    let answer = white.receive("done");
    assert_eq!(answer["act"]["player"], 1);
    assert!(!answer["state"]["moves"].as_array().unwrap().is_empty());
    white.send_json(&json!({ "undo": { "seen": 2 } }));
    let room = white.receive("table");
    assert_eq!(room["acts"], json!([]));
    assert_eq!(room["state"]["moves"].as_array().unwrap().len(), 20);
    white.play("d2d4", 0);
    assert_eq!(white.receive("done")["act"]["n"], 1);
    white.send_json(&json!({ "undo": { "seen": 0 } }));
    assert_eq!(white.rejection(), "stale");
}

#[test]
fn a_flag_falls_without_a_message() {
    let server = TestServer::start(&[]);
    let body = json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")],
        "clock": { "seconds": 0.4, "increment": 0.2 } });
    let opened = server.open_room(&body);
    let (mut white, room) = server.join(&opened.id, &opened.keys[0]);
    assert_eq!((&room["state"]["clocks"], &room["state"]["running"]), (&json!([400, 400]), &json!(false)));
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    let done = white.play("e2e4", 0);
    let clocks = &done["state"]["clocks"];
    let left = [0, 1].map(|player| clocks[player].as_u64().unwrap());
    assert!((450..=600).contains(&left[0]) && left[1] > 300, "{clocks}");
    black.receive("done");
    let done = black.receive("done");
    assert_eq!((&done["act"]["text"], &done["state"]["end"]["reason"]), (&json!("flag"), &json!("timeout")));
    assert_eq!(done["state"]["clocks"][1], 0);
}

#[test]
fn one_person_plays_all_sides() {
    let server = TestServer::start(&[]);
    let opened = server.open_room(
        &json!({ "game": "enochian", "choice": { "preset": "zalewski", "layout": "Fire of Fire" } }),
    );
    assert_eq!(opened.keys.len(), 1);
    let (mut client, mut room) = server.join(&opened.id, &opened.keys[0]);
    assert_eq!(room["you"], json!([0, 1, 2, 3]));
    assert_eq!(room["game"]["regions"][0]["squares"].as_array().unwrap().len(), 4, "a throne in each corner");
    for seen in 0..12 {
        let moves = room["state"]["moves"].as_array().unwrap();
        let text = moves[moves.len() / 2]["text"].as_str().expect("a move").to_owned();
        let done = client.play(&text, seen);
        room = json!({ "state": done["state"] });
    }
}

#[test]
fn spectators_see_the_answers_of_programs() {
    let binary = Command::cargo_bin("tabiya").unwrap().get_program().to_string_lossy().into_owned();
    let good = format!("good=process:{binary} agent --player random");
    let server = TestServer::start(&[
        "--agent",
        &good,
        "--agent",
        "echo=process:cat",
        "--agent",
        "gone=process:/no/such/program",
        "--pause",
        "0",
    ]);
    let agents = |one: &str, other: &str| {
        let seats = json!([{ "players": ["WHITE"], "who": one }, { "players": ["BLACK"], "who": other }]);
        server.open_room(&json!({ "game": "chess", "seats": seats }))
    };
    // A late spectator still sees the last answers.
    let whole = |opened: &crate::test_server::OpenedRoom| -> Value {
        let until = std::time::Instant::now() + crate::test_server::TIMEOUT;
        loop {
            let room = server.get(&format!("/api/tables/{}?key={}", opened.id, opened.watch)).json();
            if room["state"]["end"] != Value::Null || std::time::Instant::now() > until {
                return room;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    let room = whole(&agents("agent:good", "agent:echo"));
    assert_eq!(room["state"]["end"], json!({ "winners": [0], "reason": "malformed" }));
    let asked = room["asked"].as_array().unwrap();
    assert_eq!(
        asked.iter().map(|it| it["verdict"].as_str().unwrap()).collect::<Vec<_>>(),
        ["move", "malformed", "malformed", "malformed"]
    );
    assert_eq!(asked[0]["state"]["board"]["e1"], "K");
    assert!(asked[1]["answer"].as_str().unwrap().contains("board") && asked[1]["why"].is_string());

    let gone = whole(&agents("agent:gone", "agent:good"));
    assert_eq!(gone["state"]["end"]["reason"], "could_not_start");
    assert!(!gone.to_string().contains("/no/such"), "no path of the host: {gone}");

    let seats = json!([{ "players": ["WHITE"], "who": "player:random" }, { "players": ["BLACK"], "who": "player:random" }]);
    let random = whole(&server.open_room(&json!({ "game": "gardner", "seats": seats, "seed": 3 })));
    assert!(random["state"]["end"]["reason"].is_string() && random["acts"].as_array().unwrap().len() > 4);
}

#[test]
fn play_web_opens_a_room() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("tabiya").unwrap();
    let words = ["play", "chess", "--seat", "BLACK=random", "--seed", "3", "--web", "--format", "json"];
    command.args(words).env("TABIYA_GAMES", folder.path().join("g.db"));
    let server = TestServer::spawn(command);
    let (id, key) =
        server.url.split_once("/play#").and_then(|(_, link)| link.split_once('.')).expect("a link");
    let (mut white, room) = server.join(id, key);
    assert_eq!((&room["you"], &room["seats"][1]["name"]), (&json!([0]), &json!("random")));
    white.play("e2e4", 0);
    white.receive("done");
}
