//! The HTTP API: responses and errors.

use serde_json::{Value, json};

use crate::test_server::{TestServer, human};

#[test]
fn the_library_and_the_api_description_are_served() {
    let server = TestServer::start(&[]);
    let games = server.get("/api/games").json();
    let named =
        |name: &str| games.as_array().unwrap().iter().find(|game| game["name"] == name).cloned().unwrap();
    assert_eq!(named("chess")["players"][1]["turn"], 2);
    assert!(named("enochian")["offer"]["layouts"].as_array().unwrap().len() > 10);
    assert_eq!(server.get("/api/games/chess/board").json()["men"].as_array().unwrap().len(), 32);
    assert_eq!(server.get("/api/games/..%2fx/board").rule(), "unknown_game");
    let text = server.get("/api/games/chess").json();
    assert!(text["spec"].as_str().unwrap().contains("\"KING\""));
    assert_eq!(server.get("/api/games/..%2f..%2fCargo").rule(), "not_found");
    let who: Vec<Value> = server.get("/api/opponents").json().as_array().unwrap().clone();
    assert!(who.iter().any(|it| it["who"] == "player:level3") && !who.iter().any(|it| it["kind"] == "agent"));

    let described = server.get("/api/openapi.json").json();
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.len() >= 9, "{paths:?}");
    for path in paths.keys() {
        let path = path.replace("{name}", "chess").replace("{id}", "0123456789");
        let response = server.get(&path);
        assert!(
            response.status != 404
                || response.rule() == "not_found" && !response.body.contains("no such address"),
            "{path}"
        );
    }
    for schema in ["FromClient", "FromServer", "RoomView", "ErrorBody"] {
        assert!(described["components"]["schemas"].get(schema).is_some(), "{schema}");
    }
}

#[test]
fn pages_are_served_with_a_strict_policy() {
    let server = TestServer::start(&[]);
    for path in ["/", "/play", "/watch", "/workshop", "/web/style.css", "/web/board.js", "/favicon.ico"] {
        let response = server.get(path);
        assert_eq!(response.status, 200, "{path}");
        assert!(
            response.head.contains("content-security-policy: default-src 'none'; script-src 'self';"),
            "{}",
            response.head
        );
        assert!(response.head.contains("x-content-type-options: nosniff"), "{path}");
        let tag =
            response.head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag").to_owned();
        assert_eq!(server.request("GET", path, &[("If-None-Match", &tag)], "").status, 304, "{path}");
    }
    for path in [
        "/web/../Cargo.toml",
        "/web/..%2fCargo.toml",
        "/web/%2e%2e%2fsrc%2flib.rs",
        "/web/tsconfig.json",
        "/x",
    ] {
        assert_eq!(server.get(path).rule(), "not_found", "{path}");
    }
    assert_eq!(server.request("DELETE", "/api/games", &[], "").rule(), "wrong_method");
}

#[test]
fn foreign_hosts_and_origins_are_rejected() {
    let server = TestServer::start(&["--host", "chess.example"]);
    let rule = |headers: &[(&str, &str)]| server.request("GET", "/api/games", headers, "").rule();
    assert_eq!(rule(&[("Host", "evil.example")]), "unknown_host");
    assert_eq!(rule(&[("Origin", "http://evil.example")]), "foreign_origin");
    assert_eq!(server.request("GET", "/api/games", &[("Host", "chess.example")], "").status, 200);
    let own = format!("http://127.0.0.1:{}", server.port);
    assert_eq!(server.request("POST", "/api/tables", &[("Origin", &own)], r#"{"game":"chess"}"#).status, 201);
    let upgrade = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("Origin", "http://evil.example"),
    ];
    assert_eq!(server.request("GET", "/api/tables/0123456789/socket", &upgrade, "").rule(), "foreign_origin");
}

#[test]
fn a_spec_is_checked() {
    let server = TestServer::start(&[]);
    let spec = server.get("/api/games/gardner").json()["spec"].as_str().unwrap().to_owned();
    let good = server.post("/api/check", &json!({ "spec": spec })).json();
    assert_eq!(good["diagnostics"], json!([]));
    assert_eq!(good["game"]["men"].as_array().unwrap().len(), 20);
    assert!(good["game"]["english"].as_str().unwrap().contains("5 files"));
    assert_eq!(good["game"]["diagrams"].as_array().unwrap().len(), 6);

    let bad = spec.replacen("\"chess\"", "\"ches\"", 1);
    let checked = server.post("/api/check", &json!({ "spec": bad })).json();
    assert_eq!(checked["game"], Value::Null);
    let first = &checked["diagnostics"][0];
    assert!(
        first["line"].as_u64().unwrap() > 1 && first["end_column"].as_u64() > first["column"].as_u64(),
        "{first}"
    );

    let huge = " ".repeat(300 << 10);
    assert_eq!(server.post("/api/check", &json!({ "spec": huge })).rule(), "spec_too_large");
    assert_eq!(server.post("/api/check", &json!({ "spec": "x".repeat(2 << 20) })).rule(), "too_large");
    assert_eq!(server.request("POST", "/api/check", &[], "{").rule(), "malformed");
    assert_eq!(
        server.post("/api/check", &json!({ "spec": "{}", "path": "/etc/passwd" })).rule(),
        "malformed"
    );
}

#[test]
fn an_invalid_room_gets_a_named_error() {
    let server = TestServer::start(&["--agent", "one=process:cat"]);
    let rule = |body: Value| server.post("/api/tables", &body).rule();
    assert_eq!(rule(json!({})), "one_game");
    assert_eq!(rule(json!({ "game": "chess", "spec": "{}" })), "one_game");
    for name in ["/etc/passwd", "../games/chess.json", "games/chess.json", "./chess"] {
        assert_eq!(rule(json!({ "game": name })), "unknown_game", "{name}");
    }
    assert_eq!(rule(json!({ "spec": "/etc/passwd" })), "faulty_game");
    assert_eq!(rule(json!({ "game": "chess", "choice": { "layout": "none" } })), "faulty_game");
    let seats = |seats: Value| rule(json!({ "game": "chess", "seats": seats }));
    assert_eq!(seats(json!([human("WHITE")])), "nobody_sits");
    assert_eq!(seats(json!([human("WHITE"), human("WHITE")])), "seat_taken");
    assert_eq!(seats(json!([human("GREEN")])), "unknown_player");
    assert_eq!(seats(json!([{ "players": [], "who": "human" }])), "empty_seat");
    for who in [
        "process:cat",
        "player:../x",
        "player:unknown",
        "agent:two",
        "agent:process:cat",
        "uci:stockfish",
        "",
    ] {
        let seat = json!([{ "players": ["WHITE"], "who": who }, human("BLACK")]);
        assert_eq!(seats(seat), "unknown_opponent", "{who}");
    }
    assert_eq!(rule(json!({ "game": "chess", "clock": { "seconds": 0 } })), "bad_clock");
    assert_eq!(rule(json!({ "game": "chess", "clock": { "seconds": 1e300 } })), "bad_clock");
    assert_eq!(rule(json!({ "game": "chess", "start": "nonsense" })), "bad_start");
    assert_eq!(rule(json!({ "game": "chess", "seed": -1 })), "malformed");
}

#[test]
fn a_room_needs_one_of_its_keys() {
    let server = TestServer::start(&[]);
    let opened = server.open_chess();
    let other = server.open_chess();
    let path = |key: &str| format!("/api/tables/{}?key={key}", opened.id);
    assert_eq!(server.get(&path(&opened.keys[0])).json()["you"], json!([0]));
    assert_eq!(server.get(&path(&opened.watch)).json()["you"], json!([]));
    for key in [other.keys[0].as_str(), other.watch.as_str(), "", "x"] {
        assert_eq!(server.get(&path(key)).rule(), "not_found");
    }
    assert_eq!(server.get(&format!("/api/tables/{}", opened.id)).rule(), "no_key");
    // A spectator's view must not contain the key of a seat.
    let seen = server.get(&path(&opened.watch)).body;
    assert!(opened.keys.iter().all(|key| !seen.contains(key)), "{seen}");
    let pgn = server.get(&format!("/api/tables/{}/record?key={}&format=pgn", opened.id, opened.watch));
    assert!(
        pgn.body.starts_with("[Event \"Chess on Tabiya\"]") && pgn.head.contains("attachment"),
        "{}",
        pgn.body
    );
}
