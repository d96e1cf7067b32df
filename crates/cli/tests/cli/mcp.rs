//! `tabiya mcp`: a client that writes JSON-RPC lines by hand. Every wait has a timeout.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::tabiya_with_input;
use serde_json::{Value, json};

/// A test that waits longer has failed.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A client and its server.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    asked: u64,
}

impl Client {
    /// Starts a server without a handshake.
    fn silent(words: &[&str]) -> Self {
        Client::listening(words, usize::MAX)
    }

    /// Starts a server and stops reading its output after `max_lines` lines.
    fn listening(words: &[&str], max_lines: usize) -> Self {
        let mut server = Command::new(assert_cmd::cargo::cargo_bin!("tabiya"))
            .arg("mcp")
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let (input, output) = (server.stdin.take(), server.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut read = BufReader::new(output).lines().take(max_lines).map_while(Result::ok);
            read.try_for_each(|line| sender.send(line))
        });
        Client { server, input, lines, asked: 0 }
    }

    /// Starts a server and performs the handshake.
    fn new(words: &[&str]) -> Self {
        let mut client = Client::silent(words);
        client.greet();
        client
    }

    fn greet(&mut self) -> Value {
        let about = json!({ "name": "a test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about });
        let answer = self.ask("initialize", &params);
        self.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer["result"].clone()
    }

    fn line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").expect("the server listens");
    }

    fn hear(&mut self) -> Value {
        let line = self.lines.recv_timeout(TIMEOUT).expect("an answer in time");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool and returns its result.
    fn result(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        assert!(answer["result"].is_object(), "{tool} {arguments}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool and returns its structured content.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
        assert!(!words(&result).is_empty());
        result["structuredContent"].clone()
    }

    /// Calls a tool that must fail and returns the message.
    fn error(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        let message = result["structuredContent"]["error"]["message"].as_str().expect("a message");
        assert!(words(&result).starts_with(message), "{result}");
        words(&result).to_owned()
    }

    fn new_game(&mut self, arguments: &Value) -> String {
        self.call("new_game", arguments)["id"].as_str().expect("an id").to_owned()
    }

    /// Plays legal chess moves and returns the last answer.
    fn play(&mut self, id: &str, moves: &[&str]) -> Value {
        let mut last = Value::Null;
        for text in moves {
            last = self.submit(id, &chess_move(text));
            assert_eq!(last["verdict"]["verdict"], "move", "{text}: {last}");
        }
        last
    }

    fn submit(&mut self, id: &str, output: &Value) -> Value {
        self.call("submit", &json!({ "id": id, "output": output }))
    }

    /// Closes the input and returns the exit status.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.wait()
    }

    fn wait(&mut self) -> Option<i32> {
        let since = Instant::now();
        while since.elapsed() < TIMEOUT {
            if let Some(status) = self.server.try_wait().expect("it can be asked") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn words(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("words")
}

/// Returns the output object of a move such as `e7e8Q`.
fn chess_move(text: &str) -> Value {
    let promotion = text.get(4..).filter(|letter| !letter.is_empty());
    json!({ "from": &text[..2], "to": &text[2..4], "promotion": promotion })
}

/// Returns a game of two kings and some rooks.
fn skirmish() -> Value {
    let step = |id: usize, step: [i32; 2], slides: bool| {
        let actions =
            json!([{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }]);
        let mut plan = json!({ "id": id, "step": step, "actions": actions });
        if slides {
            plan["repeat"] = json!({ "loop": true });
        }
        plan
    };
    let moves = |slides| -> Vec<Value> {
        [[0, 1], [0, -1], [1, 0], [-1, 0]]
            .into_iter()
            .enumerate()
            .map(|(id, to)| step(id, to, slides))
            .collect()
    };
    let men = |piece: &str, positions: Value| json!({ "piece": piece, "positions": positions });
    let army = |king: [i32; 2], rooks: [[i32; 2]; 2]| {
        let (king, rooks) = (men("KING", json!([king])), men("ROOK", json!(rooks)));
        json!([king, rooks])
    };
    json!({
        "name": "Skirmish",
        "leader": "KING",
        "board": { "dimensions": [4, 6] },
        "players": [
            { "name": "WHITE", "direction": "UP", "starting_positions": army([0, 0], [[1, 0], [2, 0]]) },
            { "name": "BLACK", "direction": "DOWN", "starting_positions": army([3, 5], [[1, 5], [2, 5]]) },
        ],
        "turns": { "order": ["WHITE", "BLACK"] },
        "pieces": [{ "code": "KING", "moves": moves(false) }, { "code": "ROOK", "moves": moves(true) }],
    })
}

#[test]
fn a_session_starts_with_a_handshake_and_ends_with_its_input() {
    let mut client = Client::silent(&[]);
    let about = client.greet();
    assert_eq!(about["serverInfo"]["name"], "tabiya");
    assert_eq!(about["protocolVersion"], "2025-06-18");
    assert!(about["capabilities"]["tools"].is_object());
    assert!(about["instructions"].as_str().is_some_and(|text| text.contains("new_game")), "{about}");
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
    assert_eq!(client.end(), Some(0));
    assert_eq!(Client::silent(&[]).end(), Some(0), "a server without requests");
}

#[test]
fn tools_are_listed_with_their_arguments() {
    let mut client = Client::new(&[]);
    let answer = client.ask("tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let expected = [
        "list_games",
        "rules",
        "new_game",
        "state",
        "legal_moves",
        "history",
        "submit",
        "offer_draw",
        "claim_draw",
        "resign",
        "play_reply",
    ];
    assert_eq!(names, expected);
    for tool in tools {
        assert!(tool["description"].as_str().is_some_and(|about| !about.is_empty()), "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
    }
}

#[test]
fn a_whole_game_is_played_with_submit() {
    let mut client = Client::new(&[]);
    let begun = client.call("new_game", &json!({ "game": "chess" }));
    assert_eq!(begun["state"]["turn"], "white");
    assert_eq!(begun["state"]["board"]["e1"], "K");
    assert_eq!(begun["state"]["position_history"], json!([]));
    assert_eq!((&begun["turn"], &begun["end"]), (&json!("WHITE"), &Value::Null));
    let id = begun["id"].as_str().expect("an id").to_owned();
    client.play(&id, &["f2f3", "e7e5", "g2g4"]);
    let mate = client.result("submit", &json!({ "id": id, "output": chess_move("d8h4") }));
    let verdict = &mate["structuredContent"]["verdict"];
    assert_eq!((&verdict["uci"], &verdict["result"]), (&json!("d8h4"), &json!("black")));
    assert_eq!(mate["structuredContent"]["end"], json!({ "winners": ["BLACK"], "reason": "checkmate" }));
    assert!(words(&mate).contains("BLACK plays d8h4 (Qh4#)"), "{mate}");

    let state = client.call("state", &json!({ "id": id }));
    assert_eq!(state["text"], "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert_eq!(state["state"]["position_history"].as_array().map(Vec::len), Some(4));
    assert!(state["board"].as_str().is_some_and(|board| board.contains("que")), "{state}");
    let history = client.call("history", &json!({ "id": id }));
    let sans: Vec<&str> =
        history["moves"].as_array().expect("a list").iter().filter_map(|turn| turn["san"].as_str()).collect();
    assert_eq!(sans, ["f3", "e5", "g4", "Qh4#"]);
    let pgn = history["pgn"].as_str().expect("a text");
    assert!(pgn.contains("[Result \"0-1\"]") && pgn.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{pgn}");
    assert_eq!(client.call("legal_moves", &json!({ "id": id }))["moves"], json!([]));
    let over = client.error("submit", &json!({ "id": id, "output": chess_move("e2e4") }));
    assert!(over.contains("`id`") && over.contains("checkmate"), "{over}");
}

#[test]
fn an_illegal_output_names_its_rule_and_loses() {
    let mut client = Client::new(&[]);
    let id = client.new_game(&json!({ "game": "chess" }));
    let answer = client.submit(&id, &chess_move("e2e5"));
    let verdict = &answer["verdict"];
    assert_eq!((&verdict["verdict"], &verdict["rule"]), (&json!("illegal"), &json!("pattern")));
    assert!(verdict["why"].as_str().is_some_and(|why| why.contains("e2") && why.contains("e5")), "{answer}");
    assert_eq!((&verdict["result"], &verdict["end_reason"]), (&json!("black"), &json!("illegal")));
    assert_eq!(answer["end"], json!({ "winners": ["BLACK"], "reason": "illegal" }));
}

#[test]
fn a_forgiven_output_changes_nothing() {
    let mut client = Client::new(&["--retries", "1"]);
    let outputs = [
        (json!("e2e4"), None),
        (json!("{\"from\":\"e2\",\"to\":\"e4\",\"promotion\":null} and so on"), None),
        (json!({ "from": "e2", "to": "e4" }), None),
        (json!({ "from": "e2", "to": "e9", "promotion": null }), None),
        (json!({ "from": "e2", "to": "e4", "promotion": null, "comment": "good" }), None),
        (json!({ "action": "castle" }), None),
        (chess_move("e7e5"), Some("own_piece")),
        (chess_move("a1a2"), Some("own_target")),
        (chess_move("a1a4"), Some("jump")),
        (chess_move("e2e4Q"), Some("promotion_not_allowed")),
        (json!({ "action": "accept_draw" }), Some("no_offer")),
    ];
    for (output, rule) in &outputs {
        let id = client.new_game(&json!({ "game": "chess" }));
        let answer = client.submit(&id, output);
        let verdict = &answer["verdict"];
        assert_eq!(
            verdict["verdict"],
            if rule.is_some() { "illegal" } else { "malformed" },
            "{output}: {answer}"
        );
        assert_eq!(verdict["rule"].as_str(), *rule, "{answer}");
        assert!(verdict["why"].as_str().is_some_and(|why| !why.is_empty()), "{answer}");
        assert_eq!((&verdict["result"], &answer["end"]), (&Value::Null, &Value::Null), "{answer}");
        assert_eq!((&answer["turn"], &answer["retries_left"]), (&json!("WHITE"), &json!(0)), "{answer}");
        let lost = client.submit(&id, output);
        assert_eq!(lost["end"]["winners"], json!(["BLACK"]), "{lost}");
    }
}

#[test]
fn retries_are_restored_with_every_move() {
    let mut client = Client::new(&["--retries", "1"]);
    let id = client.new_game(&json!({ "game": "chess" }));
    for (wrong, right) in [("e2e5", "e2e4"), ("e7e4", "e7e5"), ("g1g3", "g1f3")] {
        assert_eq!(client.submit(&id, &chess_move(wrong))["retries_left"], 0);
        assert_eq!(client.play(&id, &[right])["retries_left"], 1);
    }
}

#[test]
fn draws_can_be_offered_declined_and_accepted() {
    let mut client = Client::new(&["--retries", "1"]);
    let id = client.new_game(&json!({ "game": "chess" }));
    let offered = client.call("offer_draw", &json!({ "id": id }));
    assert_eq!((&offered["verdict"]["verdict"], &offered["turn"]), (&json!("offer"), &json!("WHITE")));
    let twice = client.call("offer_draw", &json!({ "id": id }));
    assert_eq!(twice["verdict"]["rule"], "second_offer", "{twice}");
    let moved = client.play(&id, &["e2e4"]);
    assert_eq!(moved["draw_offer"], "WHITE");
    let state = client.call("state", &json!({ "id": id }));
    assert_eq!((&state["draw_offer"], &state["state"]["draw_offer"]), (&json!("WHITE"), &json!("white")));
    let declined = client.submit(&id, &json!({ "action": "decline_draw" }));
    assert_eq!((&declined["verdict"]["verdict"], &declined["draw_offer"]), (&json!("decline"), &Value::Null));

    client.call("offer_draw", &json!({ "id": id }));
    client.play(&id, &["e7e5"]);
    let agreed = client.submit(&id, &json!({ "action": "accept_draw" }));
    assert_eq!(agreed["end"], json!({ "winners": [], "reason": "agreement" }));
}

#[test]
fn valid_draw_claims_end_the_game() {
    let mut client = Client::new(&["--retries", "1"]);
    let id = client.new_game(&json!({ "game": "chess" }));
    let claim = json!({ "id": id, "reason": "threefold_repetition" });
    assert_eq!(client.call("claim_draw", &claim)["verdict"]["rule"], "false_claim");
    client.play(&id, &["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]);
    assert_eq!(client.call("state", &json!({ "id": id }))["tally"], json!({ "repetitions": 2, "quiet": 7 }));
    let announced = json!({ "id": id, "reason": "threefold_repetition", "move": chess_move("f6g8") });
    let held = client.call("claim_draw", &announced);
    assert_eq!((&held["verdict"]["verdict"], &held["verdict"]["uci"]), (&json!("claim"), &json!("f6g8")));
    assert_eq!(held["end"], json!({ "winners": [], "reason": "threefold_repetition" }));

    let quiet = "4k3/8/8/8/8/8/8/R3K3 w Q - 100 80";
    let id = client.new_game(&json!({ "game": "chess", "state": quiet }));
    let unknown = client.error("claim_draw", &json!({ "id": id, "reason": "boredom" }));
    assert!(unknown.contains("`reason`") && unknown.contains("fifty_move_rule"), "{unknown}");
    let broken = client.error("claim_draw", &json!({ "id": id, "reason": "fifty_move_rule", "move": "Ra8" }));
    assert!(broken.contains("`move`"), "{broken}");
    let held = client.call("claim_draw", &json!({ "id": id, "reason": "fifty_move_rule" }));
    assert_eq!(held["end"]["reason"], "fifty_move_rule");
}

#[test]
fn resignation_loses() {
    let mut client = Client::new(&[]);
    let id = client.new_game(&json!({ "game": "chess" }));
    client.play(&id, &["e2e4"]);
    let resigned = client.call("resign", &json!({ "id": id }));
    assert_eq!(resigned["end"], json!({ "winners": ["WHITE"], "reason": "resignation" }));
}

#[test]
fn a_custom_game_can_be_played() {
    let mut client = Client::new(&[]);
    for spec in [skirmish(), json!(skirmish().to_string())] {
        let begun = client.call("new_game", &json!({ "spec": spec }));
        assert_eq!((&begun["game"], &begun["turn"]), (&json!("Skirmish"), &json!("WHITE")));
        let id = begun["id"].clone();
        let moves = client.call("legal_moves", &json!({ "id": id }));
        let output = moves["moves"][0]["output"].clone();
        assert_eq!(client.call("submit", &json!({ "id": id, "output": output }))["turn"], "BLACK");
        let pgn = client.call("history", &json!({ "id": id }))["pgn"].clone();
        assert!(pgn.as_str().is_some_and(|pgn| pgn.contains("[Variant \"Skirmish\"]")), "{pgn}");
        let rules = client.call("rules", &json!({ "id": id }));
        assert!(rules["text"].as_str().is_some_and(|text| text.contains("ROOK")), "{rules}");
    }
}

#[test]
fn all_diagnostics_of_a_custom_game_are_returned() {
    let mut client = Client::new(&[]);
    let mut spec = skirmish();
    spec["leader"] = json!("QUEEN");
    spec["pieces"][1]["moves"][0]["step"] = json!([0, 0]);
    for tool in ["new_game", "rules"] {
        let result = client.result(tool, &json!({ "spec": spec }));
        let error = &result["structuredContent"]["error"];
        assert_eq!((&result["isError"], &error["argument"]), (&json!(true), &json!("spec")), "{result}");
        let faults = error["diagnostics"].as_array().expect("a list");
        let pointers: Vec<&str> = faults.iter().filter_map(|fault| fault["pointer"].as_str()).collect();
        assert!(pointers.contains(&"/leader") && pointers.contains(&"/pieces/1/moves/0/step"), "{result}");
        assert!(words(&result).contains("/leader"), "{result}");
    }
    let text = client.result("new_game", &json!({ "spec": "{\"name\":" }));
    assert!(text["structuredContent"]["error"]["diagnostics"].is_array(), "{text}");

    let many: Vec<Value> = (0..1000).map(|_| json!({ "code": 7, "moves": "none" })).collect();
    spec["pieces"] = json!(many);
    let error = client.result("new_game", &json!({ "spec": spec }))["structuredContent"]["error"].clone();
    assert!(error["left_out"].as_u64().is_some_and(|left_out| left_out > 0), "{error}");
}

#[test]
fn other_games_use_the_general_state_format() {
    let mut client = Client::new(&["--retries", "1"]);
    let begun = client.call("new_game", &json!({ "game": "fourplayer", "seed": 7 }));
    let id = begun["id"].as_str().expect("an id").to_owned();
    assert_eq!((&begun["turn"], &begun["state"]["player"]), (&json!("RED"), &json!("RED")));
    for player in ["random", "greedy", "search"] {
        let reply = client.call("play_reply", &json!({ "id": id, "player": player, "nodes": 500 }));
        assert_eq!(reply["played"]["player"], player);
    }
    assert_eq!(client.call("state", &json!({ "id": id }))["turn"], "GREEN");
    let chess = client.submit(&id, &chess_move("e2e4"));
    assert_eq!(chess["verdict"]["verdict"], "malformed", "{chess}");
    let moves = client.call("legal_moves", &json!({ "id": id }));
    assert_eq!(moves["player"], "GREEN");
    let output = moves["moves"][0]["output"].clone();
    assert!(output["from"].is_array(), "{output}");
    assert_eq!(client.submit(&id, &output)["turn"], "RED");
    let resigned = client.call("resign", &json!({ "id": id }));
    assert_eq!(resigned["end"]["winners"], json!(["BLUE", "YELLOW", "GREEN"]));
}

#[test]
fn a_built_in_player_finds_the_mate() {
    let mut client = Client::new(&[]);
    let state = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    for player in ["greedy", "search"] {
        let id = client.new_game(&json!({ "game": "chess", "state": state }));
        let reply = client.call("play_reply", &json!({ "id": id, "player": player }));
        assert_eq!((&reply["played"]["san"], &reply["end"]["reason"]), (&json!("Ra8#"), &json!("checkmate")));
    }
    let game = |client: &mut Client, seed: u64| -> Vec<Value> {
        let id = client.new_game(&json!({ "game": "chess", "seed": seed }));
        (0..6)
            .map(|_| client.call("play_reply", &json!({ "id": id, "player": "random" }))["played"].clone())
            .collect()
    };
    assert_eq!(game(&mut client, 5), game(&mut client, 5), "the same seed gives the same game");
    assert_ne!(game(&mut client, 5), game(&mut client, 6));
}

#[test]
fn games_and_rules_are_listed() {
    let mut client = Client::new(&[]);
    let games = client.call("list_games", &json!({}))["games"].clone();
    let games = games.as_array().expect("a list");
    assert!(games.iter().any(|game| game["name"] == "chess"));
    assert!(games.iter().all(|game| game["about"].as_str().is_some_and(|about| !about.is_empty())));
    let text = client.call("rules", &json!({ "game": "gardner" }))["text"].clone();
    let explained = crate::common::tabiya(&["explain", "gardner", "--format", "json"]).json();
    assert_eq!(text, explained["text"]);
}

#[test]
fn invalid_arguments_are_named_with_their_rule() {
    let mut client = Client::new(&[]);
    let id = client.new_game(&json!({ "game": "chess" }));
    let two = json!({ "game": "chess", "spec": skirmish() });
    let cases = [
        ("state", json!({}), "`id` is missing"),
        ("state", json!({ "id": null }), "`id` is missing"),
        ("state", json!({ "id": 1 }), "`id` must be a text"),
        ("state", json!({ "id": "g99" }), "`id` names no game"),
        ("state", json!({ "id": "g01" }), "`id` names no game"),
        ("state", json!({ "id": "x".repeat(5000) }), "`id` must be a text of at most 1000 bytes"),
        ("state", json!({ "id": id, "ids": 1 }), "there is no argument `ids`; did you mean `id`?"),
        ("list_games", json!({ "all": true }), "there is no argument `all`"),
        ("new_game", json!({}), "`game` is missing"),
        ("new_game", json!({ "game": "ches" }), "did you mean `chess`?"),
        ("new_game", json!({ "game": "../games/chess.json" }), "`game` is not a game of the library"),
        ("new_game", json!({ "game": ["chess"] }), "`game` must be a text"),
        ("new_game", two, "`spec` cannot be combined with `game`"),
        ("new_game", json!({ "spec": [] }), "`spec` must be a JSON object"),
        ("new_game", json!({ "spec": " ".repeat(300_000) }), "`spec` has more than 262144 bytes"),
        (
            "new_game",
            json!({ "game": "chess", "state": "8/8/8/8/8/8/8/8 w - -" }),
            "`state` is not a reachable state",
        ),
        ("new_game", json!({ "game": "chess", "state": "@Cargo.toml" }), "`state` is not a reachable state"),
        ("new_game", json!({ "game": "chess", "seed": -1 }), "`seed` must be a whole number"),
        ("rules", json!({ "id": id, "game": "chess" }), "`id` cannot be combined with another game"),
        ("submit", json!({ "id": id }), "`output` is missing"),
        ("submit", json!({ "id": id, "output": 7 }), "`output` must be a JSON object"),
        ("submit", json!({ "id": id, "output": "x".repeat(70_000) }), "`output` has more than 65536 bytes"),
        ("claim_draw", json!({ "id": id }), "`reason` is missing"),
        ("play_reply", json!({ "id": id }), "`player` is missing"),
        (
            "play_reply",
            json!({ "id": id, "player": "deep" }),
            "`player` must be one of random, greedy, mcts, search, level1",
        ),
        (
            "play_reply",
            json!({ "id": id, "player": "search", "nodes": 0 }),
            "`nodes` must be a whole number from 1",
        ),
        (
            "play_reply",
            json!({ "id": id, "player": "search", "nodes": 1e9 }),
            "`nodes` must be a whole number from 1",
        ),
    ];
    for (tool, arguments, rule) in cases {
        let why = client.error(tool, &arguments);
        assert!(why.contains(rule), "{tool}: {why}");
    }
    let state = client.call("state", &json!({ "id": id }));
    assert_eq!((&state["moves_made"], &state["end"]), (&json!(0), &Value::Null), "nothing has changed");
}

#[test]
fn unknown_tools_and_methods_are_protocol_errors() {
    let mut client = Client::new(&[]);
    let cases = [
        ("tools/call", json!({ "name": "sumbit", "arguments": {} }), -32602, "did you mean `submit`?"),
        ("tools/call", json!({ "name": "submit", "arguments": [] }), -32602, "tools/call"),
        ("tools/call", json!({}), -32602, "tools/call"),
        ("chess/play", json!({}), -32601, "chess/play"),
    ];
    for (method, params, code, words) in cases {
        let error = client.ask(method, &params)["error"].clone();
        assert_eq!(error["code"], code, "{error}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(words)), "{error}");
    }
}

#[test]
fn new_games_replace_only_finished_ones() {
    let mut client = Client::new(&[]);
    let ids: Vec<String> = (0..64).map(|_| client.new_game(&json!({ "game": "losalamos" }))).collect();
    let full = client.error("new_game", &json!({ "game": "losalamos" }));
    assert!(full.contains("at most 64 games"), "{full}");
    for id in [&ids[9], &ids[5]] {
        client.call("resign", &json!({ "id": id }));
    }
    let next = client.new_game(&json!({ "game": "losalamos" }));
    assert!(!ids.contains(&next), "an id is never given twice");
    let gone = client.error("state", &json!({ "id": ids[5] }));
    assert!(gone.contains("was replaced"), "{gone}");
    client.call("state", &json!({ "id": ids[9] }));
    client.call("state", &json!({ "id": ids[0] }));
}

#[test]
fn custom_games_share_a_memory_limit() {
    let mut client = Client::new(&[]);
    let large = json!({ "spec": format!("{}{}", skirmish(), " ".repeat(250_000)) });
    let ids: Vec<String> = (0..8).map(|_| client.new_game(&large)).collect();
    let chess = client.new_game(&json!({ "game": "chess" }));
    client.call("resign", &json!({ "id": chess }));
    let full = client.error("new_game", &large);
    assert!(full.contains("2097152 bytes"), "{full}");
    client.call("history", &json!({ "id": chess }));
    client.call("resign", &json!({ "id": ids[3] }));
    client.new_game(&large);
}

#[test]
fn a_very_long_game_is_a_draw() {
    let mut spec = skirmish();
    spec.as_object_mut().expect("an object").shift_remove("leader");
    for piece in 0..2 {
        for step in 0..4 {
            spec["pieces"][piece]["moves"][step]["actions"] = json!([{ "state": "EMPTY", "action": "MOVE" }]);
        }
    }
    let mut client = Client::new(&[]);
    let id = client.new_game(&json!({ "spec": spec }));
    let reply = json!({ "id": id, "player": "random" });
    for _ in 0..1000 {
        client.call("play_reply", &reply);
    }
    for (tool, arguments) in [("play_reply", reply), ("resign", json!({ "id": id }))] {
        let why = client.error(tool, &arguments);
        assert!(why.contains("max plies"), "{why}");
    }
    assert_eq!(client.call("legal_moves", &json!({ "id": id }))["moves"], json!([]));
    let result = client.result("state", &json!({ "id": id }));
    assert!(words(&result).contains("max plies"), "{result}");
}

#[test]
fn the_server_ends_when_its_output_is_closed() {
    for most in 0..2 {
        let mut client = Client::listening(&[], most);
        if most > 0 {
            client.greet();
        }
        // The pipe may be closed only after some more answers.
        let greeting = r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#;
        let since = Instant::now();
        while writeln!(client.input.as_mut().expect("it is open"), "{greeting}").is_ok() {
            assert!(since.elapsed() < TIMEOUT, "it still listens");
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(client.wait(), Some(0));
    }
}

#[test]
fn garbage_does_not_stop_the_server() {
    let mut client = Client::silent(&[]);
    let deep = "[".repeat(100_000);
    // Lines that are not requests get no answer, before and after the handshake.
    let silent = [
        "",
        "garbage",
        "\u{1}\u{2}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
        &deep,
    ];
    // Invalid requests are answered with an error, with their id if they have one.
    let answered = [
        ("7", Value::Null),
        ("[]", Value::Null),
        ("{}", Value::Null),
        ("{\"id\":\"a\",\"method\":5}", json!("a")),
        ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", Value::Null),
    ];
    for round in 0..2 {
        for line in silent {
            client.line(line);
        }
        for (line, id) in &answered {
            client.line(line);
            let answer = client.hear();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (id, &json!(-32600)), "{line}: {answer}");
        }
        client.line(&format!("\"{}\"", "x".repeat(3 << 20)));
        let message = client.hear()["error"]["message"].clone();
        assert_eq!(message, "a message has at most 2097152 bytes");
        if round == 0 {
            client.greet();
        }
        client.ask("tools/list", &json!({}));
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn invalid_utf8_does_not_stop_the_server() {
    let mut client = Client::new(&[]);
    client.input.as_mut().expect("it is open").write_all(b"\xff\xfe{}\n\0\0\n").expect("the server listens");
    client.call("list_games", &json!({}));
}

#[test]
fn legal_moves_can_be_withheld() {
    let mut client = Client::silent(&["--no-legal-moves"]);
    let about = client.greet();
    assert!(
        about["instructions"].as_str().is_some_and(|text| text.contains("no list of legal moves")),
        "{about}"
    );
    let tools = client.ask("tools/list", &json!({}))["result"]["tools"].to_string();
    assert!(!tools.contains("\"legal_moves\""), "{tools}");
    let id = client.new_game(&json!({ "game": "chess" }));
    let answer = client.ask("tools/call", &json!({ "name": "legal_moves", "arguments": { "id": id } }));
    assert_eq!(answer["error"]["code"], -32602);
    assert!(answer["error"]["message"].as_str().is_some_and(|why| why.contains("is disabled")), "{answer}");
    let state = client.call("state", &json!({ "id": id })).to_string();
    assert!(!state.contains("legal"), "{state}");
}

#[test]
fn answers_are_in_order_and_complete_when_the_input_ends() {
    let ask = |id: usize, method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    let about = json!({ "name": "a test", "version": "1" });
    let mut lines = vec![
        ask(
            0,
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about }),
        ),
        ask(1, "tools/call", json!({ "name": "new_game", "arguments": { "game": "chess" } })),
    ];
    let reply = json!({ "name": "play_reply", "arguments": { "id": "g1", "player": "greedy" } });
    lines.extend((2..40).map(|id| ask(id, "tools/call", reply.clone())));
    lines.push(ask(40, "tools/call", json!({ "name": "history", "arguments": { "id": "g1" } })));
    // The last line has no line break.
    let run = tabiya_with_input(&["mcp"], lines.join("\n"));
    assert_eq!(run.status, 0, "{}", run.stderr);
    let answers = run.lines();
    let ids: Vec<Option<u64>> = answers.iter().map(|answer| answer["id"].as_u64()).collect();
    assert_eq!(ids, (0..=40).map(Some).collect::<Vec<_>>());
    let moves = &answers[40]["result"]["structuredContent"]["moves"];
    assert_eq!(moves.as_array().map(Vec::len), Some(38));
}

#[test]
fn the_docs_list_every_tool_and_argument() {
    let document = include_str!("../../../../docs/mcp.md");
    let mut client = Client::new(&[]);
    let answer = client.ask("tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().expect("a list");
    let (_, table) = document.split_once("\n## Tools\n").expect("a section on tools");
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| `")).take(tools.len()).collect();
    for (tool, row) in tools.iter().zip(rows) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let quoted = |cell: &'static str| cell.split('`').skip(1).step_by(2).collect::<Vec<_>>();
        let arguments = tool["inputSchema"]["properties"].as_object().expect("an object");
        assert_eq!(quoted(cells[1]), [tool["name"].as_str().expect("a name")]);
        assert_eq!(quoted(cells[2]), arguments.keys().map(String::as_str).collect::<Vec<_>>(), "{row}");
    }
}
