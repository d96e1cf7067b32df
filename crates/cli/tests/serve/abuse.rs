//! Malformed and hostile clients: each gets a named error, and the other clients are not affected.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_engine::SplitMix;
use tungstenite::Message;

use crate::test_server::TestServer;

#[test]
fn garbage_is_rejected_and_finally_disconnects() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    for text in [
        "",
        "{",
        "null",
        "[]",
        "42",
        "\"hello\"",
        r#"{"act":{}}"#,
        r#"{"act":{"text":"e2e4"}}"#,
        r#"{"act":{"text":"e2e4","seen":-1}}"#,
        r#"{"act":{"text":"e2e4","seen":0},"undo":{"seen":0}}"#,
        r#"{"fly":{}}"#,
        r#"{"undo":{"seen":0,"more":1}}"#,
    ] {
        black.send(text);
        assert_eq!(black.rejection(), "malformed", "{text}");
    }
    black.0.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(black.rejection(), "malformed");
    for _ in 0..10 {
        black.send("}");
    }
    while black.next().is_some() {}
    // A client that reconnects finds the game; the other client was not affected.
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    white.play("e2e4", 0);
    assert_eq!(black.receive("done")["act"]["text"], "e2e4");
}

#[test]
fn large_frames_wrong_keys_and_floods_are_rejected() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);

    let (mut large, _) = server.join(&opened.id, &opened.keys[1]);
    let _ = large.0.send(Message::text("x".repeat(1 << 20)));
    let mut last = None;
    while let Some(message) = large.next() {
        last = Some(message);
    }
    assert!(last.is_none_or(|last| last["refused"]["rule"] == "bad_frame" || last.get("present").is_some()));

    for key in ["", "x", "' OR 1=1 --"] {
        let mut stranger = server.socket(&opened.id);
        stranger.send_json(&json!({ "hello": { "key": key } }));
        assert_eq!(stranger.rejection(), "not_found");
        assert!(stranger.next().is_none(), "the socket is closed");
    }
    let mut nowhere = server.socket("0123456789");
    nowhere.send_json(&json!({ "hello": { "key": opened.keys[0] } }));
    assert_eq!(nowhere.rejection(), "not_found");
    let mut rude = server.socket(&opened.id);
    rude.act("e2e4", 0);
    assert_eq!(rude.rejection(), "no_hello");

    let (mut hasty, _) = server.join(&opened.id, &opened.watch);
    for nonce in 0..200 {
        if hasty.0.send(Message::text(json!({ "ping": { "nonce": nonce } }).to_string())).is_err() {
            break;
        }
    }
    let mut rules = Vec::new();
    while let Some(message) = hasty.next() {
        rules.extend(message["refused"]["rule"].as_str().map(str::to_owned));
    }
    assert_eq!(rules, ["too_fast"]);
    white.play("e2e4", 0);
}

#[test]
fn thousands_of_connections_do_not_affect_others() {
    let server = TestServer::start(&["--max-connections-each", "40"]);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let (mut black, _) = server.join(&opened.id, &opened.keys[1]);
    let (mut refused, mut idle) = (0, Vec::new());
    for _ in 0..10 {
        // Each sends half a request and waits. Some hold a connection, the others are rejected.
        let wave: Vec<TcpStream> = (0..200)
            .filter_map(|_| {
                let mut stream = TcpStream::connect(("127.0.0.1", server.port)).ok()?;
                stream.set_read_timeout(Some(Duration::from_millis(20))).ok()?;
                let _ = stream.write_all(b"GET / HTTP/1.1\r\nHo");
                Some(stream)
            })
            .collect();
        for mut stream in wave {
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer);
            if answer.starts_with("HTTP/1.1 503") {
                assert!(answer.contains("too_many_connections"), "{answer}");
                refused += 1;
            } else {
                idle.push(stream);
            }
        }
    }
    assert!(refused > 1000, "{refused} got an error response");
    let start = Instant::now();
    white.play("e2e4", 0);
    black.receive("done");
    assert!(start.elapsed() < Duration::from_secs(1), "other clients are not delayed");
    drop(idle);
}

#[test]
fn rooms_and_requests_are_limited() {
    let server = TestServer::start(&["--max-games-each", "3", "--max-requests-each", "5"]);
    for _ in 0..3 {
        server.open_chess();
    }
    let fourth = server.post("/api/tables", &json!({ "game": "chess" }));
    assert_eq!((fourth.status, fourth.rule().as_str()), (429, "too_many_games"));
    let rules: Vec<u16> = (0..80).map(|_| server.get("/api/version").status).collect();
    assert!(rules.contains(&429) && rules[0] == 200, "{rules:?}");
}

#[test]
fn an_ipv6_network_has_one_limit() {
    let server = TestServer::start(&["--behind-proxy", "--max-games-each", "2"]);
    let open = |address: &str| {
        let headers = [("X-Forwarded-For", address)];
        server.request("POST", "/api/tables", &headers, r#"{"game":"chess"}"#).status
    };
    assert_eq!(
        [open("2001:db8:0:1::1"), open("2001:db8:0:1::2"), open("2001:db8:0:1:ffff::3")],
        [201, 201, 429]
    );
    assert_eq!([open("2001:db8:0:2::1"), open("192.0.2.1"), open("::ffff:192.0.2.1")], [201, 201, 201]);
    assert_eq!(open("192.0.2.1"), 429, "an IPv4 address in both forms is one address");
}

/// A small spec with thousands of moves is rejected before they are generated.
#[test]
fn a_heavy_game_is_rejected() {
    let server = TestServer::start(&[]);
    let actions = json!([{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]);
    let steps = (-3..=3).flat_map(|x| (-3..=3).map(move |y| (x, y))).filter(|step| *step != (0, 0));
    let moves: Vec<Value> = (0..)
        .zip(steps)
        .map(|(id, (x, y))| json!({ "id": id, "step": [x, y], "repeat": { "loop": true }, "actions": actions }))
        .collect();
    let places = |rank: i32| -> Vec<[i32; 2]> { (0..200).map(|n| [n % 32, rank + n / 32 * 2]).collect() };
    let player = |name: &str, direction: &str, rank: i32| {
        let starting = json!([{ "piece": "RIDER", "positions": places(rank) }]);
        json!({ "name": name, "direction": direction, "starting_positions": starting })
    };
    let spec = json!({ "name": "Heavy", "board": { "dimensions": [32, 32] },
        "players": [player("WHITE", "UP", 0), player("BLACK", "DOWN", 17)],
        "turns": { "order": ["WHITE", "BLACK"] }, "pieces": [{ "code": "RIDER", "moves": moves }] });
    for path in ["/api/tables", "/api/check"] {
        let start = Instant::now();
        let response = server.post(path, &json!({ "spec": spec.to_string() }));
        assert_eq!(response.rule(), "too_complex", "{}", response.body);
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    }
}

/// Damages every kind of message: the server survives, the game continues, and no error reveals a path of the host.
#[test]
fn damaged_messages_are_rejected() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let (mut white, _) = server.join(&opened.id, &opened.keys[0]);
    let mut chance = SplitMix::new(8);
    let seeds: Vec<String> = [
        json!({ "hello": { "key": opened.watch } }),
        json!({ "act": { "text": "e2e5", "seen": 0 } }),
        json!({ "act": { "text": "claim threefold_repetition g1f3", "seen": 0 } }),
        json!({ "act": { "text": "withdraw BLACK", "seen": 0 } }),
        json!({ "undo": { "seen": 0 } }),
        json!({ "ping": { "nonce": 1 } }),
    ]
    .iter()
    .map(Value::to_string)
    .collect();
    let mut asked = 0;
    for _ in 0..60 {
        // A new socket each time, because sockets are rate-limited.
        let mut client = server.socket(&opened.id);
        client.send_json(&json!({ "hello": { "key": opened.keys[1] } }));
        for _ in 0..20 {
            let seed = &seeds[chance.below(seeds.len())];
            let text = damaged(&mut chance, seed);
            let sent = match chance.below(8) {
                0 => client.0.send(Message::binary(text.into_bytes())),
                _ => client.0.send(Message::text(text)),
            };
            asked += u32::from(sent.is_ok());
        }
        let _ = client.0.close(None);
        while let Some(message) = client.next() {
            let text = message.to_string();
            assert!(!text.contains(env!("CARGO_MANIFEST_DIR")) && !text.contains(".rs:"), "{text}");
        }
    }
    assert!(asked > 600, "{asked}");
    let bodies = [
        json!({ "game": "chess", "seats": [{ "players": ["WHITE", "BLACK"], "who": "human" }], "seed": 1 }),
        json!({ "spec": "{}", "choice": { "layout": "x", "preset": null, "options": [["A", "B"]] } }),
        json!({ "game": "enochian", "clock": { "seconds": 1, "increment": 0 }, "start": "x" }),
    ];
    for number in 0..150 {
        let path = if number % 2 == 0 { "/api/tables" } else { "/api/check" };
        let body = damaged(&mut chance, &bodies[number % bodies.len()].to_string());
        let response = server.request("POST", path, &[], &body);
        assert!(response.status < 500, "{body}: {}", response.body);
        assert!(!response.body.contains(env!("CARGO_MANIFEST_DIR")), "{}", response.body);
    }
    white.play("e2e4", 0);
}

/// Changes, doubles, drops or truncates a few characters.
fn damaged(chance: &mut SplitMix, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..chance.below(4) {
        let at = chance.below(letters.len().max(1));
        match chance.below(5) {
            0 if at < letters.len() => drop(letters.remove(at)),
            1 => letters.insert(at, ['"', '{', '}', '\\', '\u{0}', '9', 'é', '-'][chance.below(8)]),
            2 => letters.truncate(at),
            3 => letters.extend(letters.clone()),
            _ if at < letters.len() => letters[at] = char::from(32 + chance.below(95) as u8),
            _ => {}
        }
    }
    letters.into_iter().collect()
}
