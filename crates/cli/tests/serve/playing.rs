//! Games over sockets: people, programs, clocks, offers, acts that are taken back.

use std::process::Command;

use assert_cmd::cargo::CommandCargoExt as _;
use serde_json::{Value, json};

use crate::house::{House, human};

#[test]
fn two_people_play_to_the_mate_and_a_third_one_watches() {
    let house = House::open(&[]);
    let opened = house.chess();
    let (mut white, table) = house.guest(&opened.id, &opened.keys[0]);
    let (mut black, _) = house.guest(&opened.id, &opened.keys[1]);
    let (mut watcher, _) = house.guest(&opened.id, &opened.watch);
    assert_eq!(table["state"]["moves"].as_array().unwrap().len(), 20);

    for (seen, text) in (0..).zip(["f2f3", "e7e5", "g2g4"]) {
        let (mover, other) = if seen % 2 == 0 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        mover.act(text, seen);
        let own = mover.hear("done");
        let seen_there = other.hear("done");
        let watched = watcher.hear("done");
        assert_eq!(own["state"]["moves"], json!([]), "who has moved sees no moves");
        assert!(!seen_there["state"]["moves"].as_array().unwrap().is_empty(), "who is asked does");
        assert_eq!(watched["state"]["moves"], json!([]));
        assert_eq!(own["act"], seen_there["act"]);
    }
    black.act("d8h4", 3);
    for line in [&mut white, &mut black, &mut watcher] {
        let done = line.hear("done");
        assert_eq!(done["act"]["san"], "Qh4#");
        assert_eq!(done["state"]["end"], json!({ "winners": [1], "reason": "checkmate" }));
        assert_eq!(done["act"]["check"], json!([0]));
    }
    white.act("a2a3", 4);
    assert_eq!(white.refused(), "game_over");
}

#[test]
fn what_is_against_the_rules_is_refused_by_name_and_nothing_happens() {
    let house = House::open(&[]);
    let opened = house.chess();
    let (mut white, _) = house.guest(&opened.id, &opened.keys[0]);
    let (mut black, _) = house.guest(&opened.id, &opened.keys[1]);
    let (mut watcher, _) = house.guest(&opened.id, &opened.watch);
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
        assert_eq!(white.refused(), rule, "{text}");
    }
    white.act(&"x".repeat(1000), 0);
    assert_eq!(white.refused(), "too_long");
    black.act("e7e5", 0);
    assert_eq!(black.refused(), "not_your_turn");
    watcher.act("e2e4", 0);
    assert_eq!(watcher.refused(), "only_watching");
    white.act("e2e4", 1);
    assert_eq!(white.refused(), "stale");
    white.say(&json!({ "undo": { "seen": 0 } }));
    assert_eq!(white.refused(), "no_undo");
    white.say(&json!({ "hello": { "key": opened.keys[1] } }));
    assert_eq!(white.refused(), "second_hello");
    white.say(&json!({ "ping": { "nonce": 7 } }));
    assert_eq!(white.hear("pong")["nonce"], 7);
    white.plays("e2e4", 0);
    assert_eq!(black.hear("done")["act"]["n"], 0, "nothing happened before");
}

#[test]
fn draws_are_offered_and_agreed_on_and_one_may_always_resign() {
    let house = House::open(&[]);
    let opened = house.chess();
    let (mut white, _) = house.guest(&opened.id, &opened.keys[0]);
    let (mut black, _) = house.guest(&opened.id, &opened.keys[1]);
    white.plays("draw", 0);
    white.plays("e2e4", 1);
    black.hear("done");
    assert_eq!(black.hear("done")["state"]["offer"], 0);
    let done = black.plays("accept", 2);
    assert_eq!(done["state"]["end"]["reason"], "agreement");

    let opened = house.chess();
    let (mut black, _) = house.guest(&opened.id, &opened.keys[1]);
    let done = black.plays("resign", 0);
    assert_eq!(done["state"]["end"], json!({ "winners": [0], "reason": "resignation" }), "out of turn");
}

#[test]
fn among_four_the_others_play_on() {
    let house = House::open(&[]);
    let names = ["RED", "BLUE", "YELLOW", "GREEN"];
    let seats: Vec<Value> = names.iter().map(|name| human(name)).collect();
    let opened = house.table(&json!({ "game": "fourplayer", "seats": seats }));
    let mut lines: Vec<_> = opened.keys.iter().map(|key| house.guest(&opened.id, key)).collect();
    let actor = lines[0].1["state"]["actor"].as_u64().unwrap() as usize;
    let done = lines[(actor + 1) % 4].0.plays("resign", 0);
    assert_eq!((&done["state"]["end"], &done["state"]["out"]), (&Value::Null, &json!([(actor + 1) % 4])));
    lines[(actor + 2) % 4].0.plays("resign", 1);
    let done = lines[(actor + 3) % 4].0.plays("resign", 2);
    assert_eq!(done["state"]["end"], json!({ "winners": [actor], "reason": "resignation" }));
}

#[test]
fn against_a_program_moves_are_taken_back() {
    let house = House::open(&[]);
    let seats = json!([human("WHITE"), { "players": ["BLACK"], "who": "player:greedy" }]);
    let opened = house.table(&json!({ "game": "chess", "seats": seats }));
    let (mut white, table) = house.guest(&opened.id, &opened.keys[0]);
    assert_eq!(table["may_undo"], true);
    white.plays("e2e4", 0);
    let answer = white.hear("done");
    assert_eq!(answer["act"]["player"], 1);
    assert!(!answer["state"]["moves"].as_array().unwrap().is_empty());
    white.say(&json!({ "undo": { "seen": 2 } }));
    let table = white.hear("table");
    assert_eq!(table["acts"], json!([]));
    assert_eq!(table["state"]["moves"].as_array().unwrap().len(), 20);
    white.plays("d2d4", 0);
    assert_eq!(white.hear("done")["act"]["n"], 1);
    white.say(&json!({ "undo": { "seen": 0 } }));
    assert_eq!(white.refused(), "stale");
}

#[test]
fn the_flag_falls_by_itself() {
    let house = House::open(&[]);
    let body = json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")],
        "clock": { "seconds": 0.4, "increment": 0.2 } });
    let opened = house.table(&body);
    let (mut white, table) = house.guest(&opened.id, &opened.keys[0]);
    assert_eq!((&table["state"]["clocks"], &table["state"]["running"]), (&json!([400, 400]), &json!(false)));
    let (mut black, _) = house.guest(&opened.id, &opened.keys[1]);
    let done = white.plays("e2e4", 0);
    let clocks = &done["state"]["clocks"];
    assert!(
        clocks[0] == 600 && clocks[1].as_u64().unwrap() > 300,
        "nobody pays for the first move: {clocks}"
    );
    black.hear("done");
    let done = black.hear("done");
    assert_eq!((&done["act"]["text"], &done["state"]["end"]["reason"]), (&json!("flag"), &json!("timeout")));
    assert_eq!(done["state"]["clocks"][1], 0);
}

#[test]
fn one_person_plays_for_everybody() {
    let house = House::open(&[]);
    let opened = house
        .table(&json!({ "game": "enochian", "choice": { "preset": "zalewski", "layout": "Fire of Fire" } }));
    assert_eq!(opened.keys.len(), 1);
    let (mut line, mut table) = house.guest(&opened.id, &opened.keys[0]);
    assert_eq!(table["you"], json!([0, 1, 2, 3]));
    assert_eq!(
        table["game"]["regions"][0]["squares"].as_array().unwrap().len(),
        4,
        "a throne in each corner"
    );
    for seen in 0..12 {
        let moves = table["state"]["moves"].as_array().unwrap();
        let text = moves[moves.len() / 2]["text"].as_str().expect("a move").to_owned();
        let done = line.plays(&text, seen);
        table = json!({ "state": done["state"] });
    }
}

#[test]
fn programs_play_among_themselves_and_what_they_say_is_shown() {
    let binary = Command::cargo_bin("tabiya").unwrap().get_program().to_string_lossy().into_owned();
    let good = format!("good=process:{binary} agent --player random");
    let house = House::open(&[
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
        house.table(&json!({ "game": "chess", "seats": seats }))
    };
    // Whoever sees only the end of it sees the last exchanges.
    let whole = |opened: &crate::house::Opened| -> Value {
        let until = std::time::Instant::now() + crate::house::PATIENCE;
        loop {
            let table = house.get(&format!("/api/tables/{}?key={}", opened.id, opened.watch)).json();
            if table["state"]["end"] != Value::Null || std::time::Instant::now() > until {
                return table;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    let table = whole(&agents("agent:good", "agent:echo"));
    assert_eq!(table["state"]["end"], json!({ "winners": [0], "reason": "malformed" }));
    let asked = table["asked"].as_array().unwrap();
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
    let random = whole(&house.table(&json!({ "game": "gardner", "seats": seats, "seed": 3 })));
    assert!(random["state"]["end"]["reason"].is_string() && random["acts"].as_array().unwrap().len() > 4);
}

#[test]
fn a_local_game_is_opened_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("tabiya").unwrap();
    let words = ["play", "chess", "--seat", "BLACK=random", "--seed", "3", "--web", "--format", "json"];
    command.args(words).env("TABIYA_GAMES", folder.path().join("g.db"));
    let house = House::run(command);
    let (id, key) =
        house.url.split_once("/play#").and_then(|(_, link)| link.split_once('.')).expect("a link");
    let (mut white, table) = house.guest(id, key);
    assert_eq!((&table["you"], &table["seats"][1]["name"]), (&json!([0]), &json!("random")));
    white.plays("e2e4", 0);
    white.hear("done");
}
