//! People who come late, never come or leave; takebacks and rematches between people; the record of a game.

use std::time::Duration;

use serde_json::{Value, json};

use crate::test_server::{Client, OpenedRoom, TestServer, human};

fn open_with_clock(server: &TestServer, seconds: f64) -> OpenedRoom {
    let clock = json!({ "seconds": seconds, "increment": 0 });
    server.open_room(&json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")], "clock": clock }))
}

fn present_until(client: &mut Client, is_right: impl Fn(&Value) -> bool) -> Value {
    loop {
        let present = client.receive("present");
        if is_right(&present) {
            return present;
        }
    }
}

#[test]
fn the_clocks_start_when_everyone_has_come() {
    let server = TestServer::start(&[]);
    let opened = open_with_clock(&server, 0.5);
    let (mut white, room) = server.join(&opened.id, &opened.keys[0]);
    assert_eq!((&room["state"]["running"], &room["people"]["missing"]), (&json!(false), &json!([1])));
    let done = white.play("e2e4", 0);
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(done["state"]["clocks"], json!([500, 500]), "Black has not come");
    let (_black, room) = server.join(&opened.id, &opened.keys[1]);
    assert_eq!((&room["state"]["end"], &room["state"]["running"]), (&Value::Null, &json!(true)));
    let room = white.receive("table");
    assert_eq!((&room["state"]["running"], &room["people"]["missing"]), (&json!(true), &json!([])));
    let done = white.receive("done");
    assert_eq!((&done["act"]["text"], &done["state"]["end"]["winners"]), (&json!("flag"), &json!([0])));
}

#[test]
fn a_game_whose_opponent_never_came_is_aborted() {
    let server = TestServer::start(&["--join-time", "0.5"]);
    let opened = open_with_clock(&server, 60.0);
    let (mut white, room) = server.join(&opened.id, &opened.keys[0]);
    assert!(room["people"]["abort_in"].as_u64().unwrap() <= 500, "{room}");
    let done = white.receive("done");
    let end = json!({ "winners": [], "reason": "no_opponent" });
    assert_eq!((&done["act"]["text"], &done["state"]["end"]), (&json!("no_opponent"), &end));
    let pgn = server.get(&format!("/api/tables/{}/record?key={}&format=pgn", opened.id, opened.watch)).body;
    assert!(pgn.contains("[Result \"*\"]") && pgn.contains("[Termination \"abandoned\"]"), "{pgn}");

    // Without a clock the game waits, and the person who waits can abort it.
    let opened = server.open_chess();
    let (mut black, room) = server.join(&opened.id, &opened.keys[1]);
    assert_eq!(room["people"]["abort_in"], Value::Null);
    black.send_json(&json!({ "abort": {} }));
    assert_eq!(black.receive("done")["state"]["end"], end);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let _black = server.join(&opened.id, &opened.keys[1]);
    white.send_json(&json!({ "abort": {} }));
    assert_eq!(white.rejection(), "no_abort", "everyone has come");
}

#[test]
fn the_other_side_may_claim_the_game_of_a_person_who_left() {
    let server = TestServer::start(&["--leave-time", "0.4"]);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let (black, _) = server.join(&opened.id, &opened.keys[1]);
    let claim = |player: u64| json!({ "claim_left": { "player": player } });
    white.send_json(&claim(1));
    assert_eq!(white.rejection(), "no_claim", "Black is there");
    drop(black);
    let left = present_until(&mut white, |present| present["people"]["away"] != json!([]));
    assert_eq!((&left["people"]["away"][0]["players"], &left["players"]), (&json!([1]), &json!([0])));
    white.send_json(&claim(1));
    assert_eq!(white.rejection(), "no_claim", "it is too early");
    std::thread::sleep(Duration::from_millis(500));
    for player in [0, 9] {
        white.send_json(&claim(player));
        assert_eq!(white.rejection(), "no_claim");
    }
    white.send_json(&claim(1));
    let done = white.receive("done");
    assert_eq!(done["state"]["end"], json!({ "winners": [0], "reason": "left" }));

    // Who returns in time is not away any more.
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    drop(server.join(&opened.id, &opened.keys[1]));
    present_until(&mut white, |present| present["people"]["away"] != json!([]));
    let _black = server.join(&opened.id, &opened.keys[1]);
    present_until(&mut white, |present| present["people"]["away"] == json!([]));
    std::thread::sleep(Duration::from_millis(500));
    white.send_json(&claim(1));
    assert_eq!(white.rejection(), "no_claim");
}

#[test]
fn nobody_waits_for_a_person_who_is_out() {
    let server = TestServer::start(&["--leave-time", "0.1"]);
    let seats = ["RED", "BLUE", "YELLOW", "GREEN"].map(human);
    let opened = server.open_room(&json!({ "game": "fourplayer", "seats": seats }));
    let (mut red, _) = server.join(&opened.id, &opened.keys[0]);
    let mut others: Vec<Client> = (1..4).map(|seat| server.join(&opened.id, &opened.keys[seat]).0).collect();
    others[2].play("resign", 0);
    drop(others.pop());
    let left = present_until(&mut red, |present| present["players"] == json!([0, 1, 2]));
    assert_eq!(left["people"]["away"], json!([]));
    std::thread::sleep(Duration::from_millis(200));
    red.send_json(&json!({ "claim_left": { "player": 3 } }));
    assert_eq!(red.rejection(), "no_claim");
}

#[test]
fn a_new_name_gives_no_time() {
    let server = TestServer::start(&[]);
    let opened = open_with_clock(&server, 60.0);
    let (_white, _) = server.join(&opened.id, &opened.keys[0]);
    let (_black, _) = server.join(&opened.id, &opened.keys[1]);
    std::thread::sleep(Duration::from_millis(300));
    let mut again = server.socket(&opened.id);
    again.send_json(&json!({ "hello": { "key": opened.keys[0], "name": "Ada" } }));
    let room = again.receive("table");
    assert_eq!(room["seats"][0]["name"], "Ada");
    assert!(room["state"]["clocks"][0].as_u64().unwrap() <= 59_700, "{}", room["state"]["clocks"]);
    // After some names, a seat keeps the last one.
    for name in 0..20 {
        let mut again = server.socket(&opened.id);
        again.send_json(&json!({ "hello": { "key": opened.keys[0], "name": format!("Ada {name}") } }));
        again.receive("table");
    }
    let (_, room) = server.join(&opened.id, &opened.watch);
    assert_eq!(room["seats"][0]["name"], "Ada 7");
}

#[test]
fn a_takeback_needs_the_agreement_of_the_opponent() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    let undo = |seen: u64| json!({ "undo": { "seen": seen } });
    white.send_json(&undo(0));
    assert_eq!(white.rejection(), "no_undo", "there is nothing to take back");
    white.play("e2e4", 0);
    black.play("e7e5", 1);
    white.send_json(&undo(2));
    assert_eq!(black.receive("offers")["undo"], json!({ "by": [0], "agreed": [0] }));
    black.send_json(&json!({ "decline_undo": {} }));
    while white.receive("offers")["undo"] != Value::Null {}
    white.send_json(&undo(2));
    assert_eq!(white.rejection(), "no_undo", "it was declined here");
    white.play("g1f3", 2);
    white.send_json(&undo(3));
    while black.receive("offers")["undo"] == Value::Null {}
    black.send_json(&undo(3));
    let room = black.receive("table");
    assert_eq!((room["acts"].as_array().unwrap().len(), &room["state"]["actor"]), (2, &json!(0)));
    // Black takes back its own move, and with it White's.
    white.play("d2d4", 2);
    black.send_json(&undo(3));
    while white.receive("offers")["undo"] == Value::Null {}
    white.send_json(&undo(3));
    while white.receive("table")["acts"].as_array().unwrap().len() != 1 {}
}

#[test]
fn people_play_again_with_the_other_color() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let mut server = TestServer::start_on(&file, &[]);
    let opened = open_with_clock(&server, 60.0);
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    white.send_json(&json!({ "rematch": {} }));
    assert_eq!(white.rejection(), "no_rematch", "the game is not over");
    white.play("resign", 0);
    white.send_json(&json!({ "rematch": {} }));
    while black.receive("offers")["rematch"] == Value::Null {}
    black.send_json(&json!({ "rematch": {} }));
    let (of_white, of_black) = (white.receive("next"), black.receive("next"));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(of_white["id"], of_black["id"]);
    let (_, room) = server.join(&text(&of_white["id"]), &text(&of_white["key"]));
    assert_eq!((&room["you"], &room["clock"]["seconds"]), (&json!([1]), &json!(60.0)), "the sides change");
    // The way to the next game survives a restart.
    server.kill();
    let server = TestServer::start_on(&file, &[]);
    let (_, room) = server.join(&opened.id, &opened.keys[1]);
    assert_eq!(room["next"], of_black);
    let (_, room) = server.join(&text(&of_black["id"]), &text(&of_black["key"]));
    assert_eq!(room["you"], json!([0]));
}

#[test]
fn a_person_alone_plays_again_at_once() {
    let server = TestServer::start(&[]);
    let seats = json!([human("WHITE"), { "players": ["BLACK"], "who": "player:random" }]);
    let opened = server.open_room(&json!({ "game": "chess", "seats": seats }));
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    white.play("resign", 0);
    white.send_json(&json!({ "rematch": {} }));
    let next = white.receive("next");
    let (_, room) = server.join(next["id"].as_str().unwrap(), next["key"].as_str().unwrap());
    assert_eq!((&room["you"], &room["seats"][0]["name"]), (&json!([1]), &json!("random")));
}

#[test]
fn a_record_has_names_date_time_control_and_termination() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let mut server = TestServer::start_on(&file, &[]);
    let opened = open_with_clock(&server, 60.0);
    let mut white = server.socket(&opened.id);
    white.send_json(&json!({ "hello": { "key": opened.keys[0], "name": " Ada\n\"Countess\" " } }));
    white.receive("table");
    let (mut black, room) = server.join(&opened.id, &opened.keys[1]);
    assert_eq!(room["seats"][0]["name"], "Ada\"Countess\"", "control characters are dropped");
    white.play("e2e4", 0);
    black.play("resign", 1);
    server.kill();
    let server = TestServer::start_on(&file, &[]);
    let pgn = server.get(&format!("/api/tables/{}/record?key={}&format=pgn", opened.id, opened.watch)).body;
    let tags = [
        "[Event \"Chess on Tabiya\"]",
        "[Round \"-\"]",
        "[White \"Ada\\\"Countess\\\"\"]",
        "[Black \"Anonymous\"]",
        "[Result \"1-0\"]",
        "[Termination \"normal\"]",
        "[TimeControl \"60\"]",
    ];
    for tag in tags {
        assert!(pgn.contains(tag), "{tag}: {pgn}");
    }
    let date = pgn.split("[Date \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(
        date.starts_with("20") && date.len() == 10 && pgn.contains(&format!("[UTCDate \"{date}\"]")),
        "{pgn}"
    );
    assert!(pgn.contains("1. e4 {resignation} 1-0"), "{pgn}");
}

#[test]
fn the_rules_of_a_room_have_diagrams_and_values() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let rules = server.get(&format!("/api/tables/{}/rules?key={}", opened.id, opened.watch)).json();
    assert!(rules["english"].as_str().unwrap().contains("8 files"), "{rules}");
    assert_eq!(rules["diagrams"].as_array().unwrap().len(), 6);
    let values = rules["values"].as_array().unwrap();
    assert!(values.contains(&json!(0)), "the king: {values:?}");
    assert_eq!(server.get(&format!("/api/tables/{}/rules?key=wrong", opened.id)).rule(), "not_found");
    assert_eq!(server.get("/api/addresses").json(), json!([]), "only this machine can reach the server");
}
