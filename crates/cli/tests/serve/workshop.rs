//! What the workshop asks: other forms of a spec, completions, and the moves of Betza words, also from hostile clients.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::test_server::{Response, TestServer};

/// The longest time of one answer while other tests run.
const TIMEOUT: Duration = Duration::from_secs(5);

const PATHS: [&str; 3] = ["/api/specs/expand", "/api/specs/format", "/api/specs/complete"];

/// Sends a spec to one of the addresses.
fn send(server: &TestServer, path: &str, spec: &str) -> Response {
    let mut body = json!({ "spec": spec });
    if path.ends_with("complete") {
        body["offset"] = json!(spec.len() / 2);
    }
    let start = Instant::now();
    let response = server.post(path, &body);
    assert!(start.elapsed() < TIMEOUT, "{path}: {:?}", start.elapsed());
    assert!(response.status < 500, "{path}: {}", response.body);
    response
}

fn library_text(server: &TestServer, name: &str) -> Value {
    server.get(&format!("/api/games/{name}")).json()
}

#[test]
fn a_spec_is_written_out_and_shortened() {
    let server = TestServer::start(&[]);
    let spec = library_text(&server, "gardner")["spec"].as_str().unwrap().to_owned();
    let long = server.post("/api/specs/expand", &json!({ "spec": spec })).json()["spec"].clone();
    let long = long.as_str().unwrap();
    assert!(long.contains("starting_positions") && !long.contains("betza"), "{long}");
    let short = server.post("/api/specs/format", &json!({ "spec": long })).json()["spec"].clone();
    let short = short.as_str().unwrap();
    assert!(short.contains("\"betza\": \"fmWfcF\"") && short.len() * 3 < long.len(), "{short}");
    // Choices are resolved.
    let enochian = library_text(&server, "enochian")["spec"].clone();
    let layout = json!({ "spec": enochian, "choice": { "layout": "Fire of Fire" } });
    let resolved = server.post("/api/specs/expand", &layout).json()["spec"].as_str().unwrap().to_owned();
    assert!(!resolved.contains("\"layouts\""));
    // A faulty text has its problems.
    for path in ["/api/specs/expand", "/api/specs/format"] {
        let faulty = server.post(path, &json!({ "spec": spec.replace("\"chess\"", "\"ches\"") }));
        assert_eq!((faulty.status, faulty.rule().as_str()), (422, "faulty_game"));
        assert!(faulty.json()["diagnostics"][0]["line"].as_u64().unwrap() > 1);
    }
    // A variant of every game can be played at once.
    for game in server.get("/api/games").json().as_array().unwrap() {
        let text = library_text(&server, game["name"].as_str().unwrap());
        let checked = server.post("/api/check", &json!({ "spec": text["variant"] })).json();
        assert!(checked["game"].is_object(), "{}: {}", game["name"], checked["diagnostics"]);
    }
}

#[test]
fn only_library_games_are_extended() {
    let server = TestServer::start(&[]);
    for name in
        ["/etc/passwd", "./games/chess.json", "../games/chess.json", "games/chess.json", "file:///etc/passwd"]
    {
        let spec = json!({ "name": "X", "extends": name }).to_string();
        for path in ["/api/specs/expand", "/api/specs/format", "/api/check"] {
            let response = server.post(path, &json!({ "spec": spec }));
            assert!(!response.body.contains("root:") && !response.body.contains("FIDE"), "{}", response.body);
            let codes = response.json()["diagnostics"].as_array().unwrap().clone();
            assert!(!codes.is_empty(), "{path} {name}: {}", response.body);
        }
        let offset = spec.len() - 2;
        let response = server.post("/api/specs/complete", &json!({ "spec": spec, "offset": offset }));
        assert!(response.status == 200 && !response.body.contains("root:"), "{}", response.body);
    }
}

#[test]
fn completions_and_words() {
    let server = TestServer::start(&[]);
    let spec = "{ \"name\": \"🐴\", \"extends\": \"chess\", \"leader\": \"KI";
    let offset = spec.encode_utf16().count();
    let found = server.post("/api/specs/complete", &json!({ "spec": spec, "offset": offset })).json();
    let king =
        found["completions"].as_array().unwrap().iter().find(|it| it["label"] == "KING").unwrap().clone();
    assert_eq!((&king["insert"], &king["kind"]), (&json!("\"KING\""), &json!("piece")));
    assert_eq!((&king["start"], &king["end"]), (&json!(offset - 3), &json!(offset)));
    for offset in [0, 1, 17, 1_u64 << 40] {
        assert_eq!(
            server.post("/api/specs/complete", &json!({ "spec": spec, "offset": offset })).status,
            200
        );
    }
    assert_eq!(
        server.post("/api/specs/complete", &json!({ "spec": spec, "offset": -1 })).rule(),
        "malformed"
    );

    let word = |word: &str| server.post("/api/specs/betza", &json!({ "word": word })).json();
    let knight = word("N");
    assert_eq!(knight["moves"]["diagram"]["goes"].as_array().unwrap().len(), 8);
    assert!(knight["moves"]["english"].as_str().unwrap().contains("leaps") && knight["error"].is_null());
    let wrong = word("Nx");
    assert_eq!(
        (&wrong["error"]["start"], &wrong["error"]["end"], &wrong["moves"]),
        (&json!(1), &json!(2), &Value::Null)
    );
    for text in
        ["", "é", "\u{0}", "W999999999999999999999", "fffff", &"W".repeat(100_000), &"fWbWlWrW".repeat(25)]
    {
        let start = Instant::now();
        assert!(word(text).is_object());
        assert!(start.elapsed() < TIMEOUT, "{text:.20}: {:?}", start.elapsed());
    }
}

/// Texts that are large, deep, or stand for much more than they say: each answer is bounded in time and size.
#[test]
fn hostile_specs_are_bounded() {
    let server = TestServer::start(&[]);
    for path in PATHS {
        assert_eq!(send(&server, path, &" ".repeat(300 << 10)).rule(), "spec_too_large", "{path}");
        assert_eq!(send(&server, path, &"x".repeat(2 << 20)).rule(), "too_large", "{path}");
        assert_eq!(send(&server, path, &"x".repeat(15 << 20)).rule(), "too_large", "{path}");
        assert_eq!(server.request("POST", path, &[], "{").rule(), "malformed");
    }
    assert_eq!(server.post("/api/specs/betza", &json!({ "word": "W".repeat(2 << 20) })).rule(), "too_large");
    let server = TestServer::start(&["--max-requests-each", "1000"]);
    let names: Vec<String> = (0..12_000).map(|number| format!("N{number}")).collect();
    let many = |value: &str| format!("{{ \"name\": \"X\", \"pieces\": [{}] }}", vec![value; 3000].join(","));
    let texts = [
        ("deep lists", "[".repeat(250_000)),
        ("deep objects", "{\"a\":".repeat(50_000)),
        ("quotes", "\"".repeat(250_000)),
        ("backslashes", format!("{{\"{}", "\\".repeat(250_000))),
        ("commas", ",".repeat(250_000)),
        (
            "keys",
            format!(
                "{{ {} }}",
                names.iter().map(|name| format!("\"{name}\": 1")).collect::<Vec<_>>().join(",")
            ),
        ),
        ("pieces", many("{ \"code\": \"A\", \"betza\": \"QNN\" }")),
        ("unlike", many("{ \"code\": \"A\", \"like\": [\"A\", \"B\"] }")),
        ("lines", "\n".repeat(250_000)),
        ("wide", "🐴".repeat(60_000)),
    ];
    for (name, text) in &texts {
        for path in PATHS {
            let start = Instant::now();
            let response = send(&server, path, text);
            assert!(path.ends_with("complete") || response.status == 422, "{name}: {}", response.status);
            assert!(start.elapsed() < TIMEOUT, "{name} {path}: {:?}", start.elapsed());
            assert!(response.body.len() < 1 << 20, "{name}: {}", response.body.len());
        }
    }
}

#[test]
fn formatting_stops_in_time_and_is_paid_for() {
    // A tenth of a core for each address, so that the time is spent on a busy machine, too.
    let server = TestServer::start(&["--max-requests-each", "10"]);
    let enochian = library_text(&server, "enochian")["spec"].as_str().unwrap().to_owned();
    let slow = send(&server, "/api/specs/format", &enochian);
    assert_eq!((slow.status, slow.rule().as_str()), (422, "spec_too_slow"));
    assert!(slow.json()["why"].as_str().unwrap().contains("tabiya fmt"));
    // One address pays for what it asks: soon its requests are rejected, and another one is served.
    let statuses: Vec<u16> = (0..40).map(|_| send(&server, "/api/specs/format", &enochian).status).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    let other = server.visitor(2);
    let start = Instant::now();
    assert_eq!(
        other
            .post(
                "/api/specs/format",
                &json!({ "spec": library_text(&TestServer::start(&[]), "almost")["spec"] })
            )
            .status,
        200
    );
    assert!(start.elapsed() < TIMEOUT);
}
