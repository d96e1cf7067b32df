//! The throws of a die follow from a secret that is committed to before the game and revealed after it.

use serde_json::{Value, json};
use tabiya_referee::DiceSecret;

use crate::test_server::{OpenedRoom, TestServer};

/// Opens a game with a die, plays a few moves and resigns for all. Returns all throws and the room before and after.
fn play(server: &TestServer, room: &OpenedRoom) -> (Vec<u8>, Value, Value) {
    let (mut client, before) = server.join(&room.id, &room.keys[0]);
    let mut state = before["state"].clone();
    let faces = |throws: &Value| -> Vec<u8> {
        throws.as_array().into_iter().flatten().map(|it| it.as_u64().unwrap() as u8).collect()
    };
    // The first throws precede the first action.
    let mut throws = faces(&before["throws"]);
    for turn in 0..40 {
        let moves = state["moves"].as_array().unwrap();
        let Some(text) = moves.get(turn * 5 % moves.len().max(1)) else { break };
        let done = client.play(text["text"].as_str().unwrap(), turn as u64);
        throws.extend(faces(&done["act"]["throws"]));
        state = done["state"].clone();
        if !state["end"].is_null() {
            break;
        }
    }
    let open = server.get(&format!("/api/tables/{}?key={}", room.id, room.watch)).json();
    assert!(
        open["dice"]["secret"].is_null() || !open["state"]["end"].is_null(),
        "it is secret during the game"
    );
    let seen = state["seen"].as_u64().unwrap();
    for more in 0..4 {
        client.act("resign", seen + more);
        let said = client.next().unwrap_or_default();
        let done = &said["done"];
        let is_over = !done["state"]["end"].is_null();
        assert_eq!(done["dice"]["secret"].is_string(), is_over, "the last action reveals it: {said}");
    }
    let after = server.get(&format!("/api/tables/{}/record?key={}", room.id, room.watch)).json();
    (throws, before, after)
}

#[test]
fn the_throws_can_be_checked_after_the_game() {
    let server = TestServer::start(&[]);
    // The opener's seed does not determine the throws.
    let body = json!({ "game": "chaturaji", "seed": 1 });
    let games = [(); 2].map(|()| play(&server, &server.open_room(&body)));
    for (throws, before, after) in &games {
        assert!(throws.len() > 10, "{throws:?}");
        assert!(!after["state"]["end"].is_null(), "{}", after["state"]);
        let secret: DiceSecret = after["dice"]["secret"].as_str().unwrap().parse().unwrap();
        assert_eq!(before["dice"]["commitment"], secret.commitment());
        let all: Vec<u8> = (0..throws.len() as u64).map(|number| secret.throw(number, 6)).collect();
        assert_eq!(throws, &all);
    }
    assert_ne!(games[0].2["dice"], games[1].2["dice"]);
    let chess = server.open_chess();
    assert_eq!(server.join(&chess.id, &chess.watch).1["dice"], Value::Null);
}
