//! A server that is killed comes back with every game as it was.

use serde_json::{Value, json};

use crate::house::{House, Line, Opened, human};

#[test]
fn fifty_games_outlive_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let mut house = House::on(&file, &[]);
    // Two people, one against a program, one alone; with a clock and without; and a game that was sent along.
    let spec = house.get("/api/games/gardner").json()["spec"].clone();
    let kinds = [
        json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")] }),
        json!({ "game": "chess", "seats": [human("WHITE"), { "players": ["BLACK"], "who": "player:random" }] }),
        json!({ "game": "enochian", "clock": { "seconds": 600, "increment": 5 } }),
        json!({ "spec": spec }),
        json!({ "game": "capablanca", "seats": [human("WHITE"), human("BLACK")] }),
    ];
    let tables: Vec<Opened> = (0..50).map(|n| house.table(&kinds[n % kinds.len()])).collect();
    let mut lines: Vec<Vec<(Line, Value)>> = tables
        .iter()
        .map(|table| table.keys.iter().map(|key| house.guest(&table.id, key)).collect())
        .collect();
    // What each table was last told to be.
    let mut acknowledged: Vec<Value> = lines.iter().map(|seats| seats[0].1["state"].clone()).collect();
    for turn in 0..8 {
        for (seats, last) in lines.iter_mut().zip(&mut acknowledged) {
            let seen = last["seen"].as_u64().unwrap();
            let asked = last["actor"].as_u64().unwrap() as usize;
            let seat = if seats.len() > 1 { asked } else { 0 };
            let (line, state) = &mut seats[seat];
            let moves = state_moves(state);
            let text = moves[(turn * 7 + 3) % moves.len()].clone();
            let done = line.plays(&text, seen);
            *last = done["state"].clone();
            *state = done.clone();
            // The others hear it, too: the opponent, or the answer of the program.
            if seats.len() > 1 {
                let (other, state) = &mut seats[1 - seat];
                *state = other.hear("done");
            } else if last["actor"] == 1
                && last["moves"].as_array().unwrap().is_empty()
                && last["end"].is_null()
            {
                let done = seats[0].0.hear("done");
                *last = done["state"].clone();
                seats[0].1 = done;
            }
        }
    }
    // Half of the tables have a move on its way when the end comes: it is there or not, and nothing in between.
    for (seats, last) in lines.iter_mut().zip(&acknowledged).step_by(2) {
        let asked = last["actor"].as_u64().unwrap() as usize;
        let seat = if seats.len() > 1 { asked } else { 0 };
        let (line, state) = &mut seats[seat];
        if let Some(text) = state_moves(state).first() {
            line.act(text, last["seen"].as_u64().unwrap());
        }
    }
    house.kill();
    drop(lines);

    let house = House::on(&file, &[]);
    for (table, last) in tables.iter().zip(&acknowledged) {
        for key in &table.keys {
            let (_, seen) = house.guest(&table.id, key);
            let acts = seen["acts"].as_array().unwrap().len() as u64;
            let known = last["seen"].as_u64().unwrap();
            assert!(acts >= known && acts <= known + 2, "{acts} acts, {known} were acknowledged");
            if acts == known {
                assert_eq!((&seen["state"]["text"], &seen["state"]["men"]), (&last["text"], &last["men"]));
            }
        }
        house.guest(&table.id, &table.watch);
    }
    // And they go on.
    let (mut line, table) = house.guest(&tables[3].id, &tables[3].keys[0]);
    let text = table["state"]["moves"][0]["text"].as_str().unwrap().to_owned();
    line.plays(&text, table["state"]["seen"].as_u64().unwrap());
}

/// The moves in a message: the whole table, or what was done.
fn state_moves(message: &Value) -> Vec<String> {
    let moves = message["state"]["moves"].as_array().expect("moves");
    moves.iter().map(|it| it["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_program_that_was_thinking_thinks_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let mut house = House::on(&file, &["--pause", "2"]);
    let seats = json!([{ "players": ["WHITE"], "who": "player:random" }, { "players": ["BLACK"], "who": "player:random" }]);
    let opened = house.table(&json!({ "game": "gardner", "seats": seats }));
    house.kill();
    let house = House::on(&file, &["--pause", "0"]);
    let (mut watcher, _) = house.guest(&opened.id, &opened.watch);
    while watcher.hear("done")["state"]["end"].is_null() {}
}

#[test]
fn a_server_that_ends_leaves_no_agent_and_no_defeat_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    // A number that is nobody else's.
    let seconds = format!("99{}", std::process::id());
    let agent = format!("slow=process:sh -c 'sleep {seconds}; echo'");
    let mut house = House::on(&file, &["--agent", &agent]);
    let body =
        json!({ "game": "chess", "seats": [{ "players": ["WHITE"], "who": "agent:slow" }, human("BLACK")] });
    let opened = house.table(&body);
    let sleeps = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        lines.filter(|line| line.starts_with(format!("sleep\0{seconds}").as_bytes())).count()
    };
    let until = std::time::Instant::now() + crate::house::PATIENCE;
    while sleeps() == 0 && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(sleeps(), 1, "the agent has come");
    house.stop();
    assert_eq!(sleeps(), 0);
    let mut house = House::on(&file, &["--agent", &agent]);
    let (_, table) = house.guest(&opened.id, &opened.keys[0]);
    assert_eq!((&table["state"]["end"], &table["acts"]), (&Value::Null, &json!([])), "the game goes on");
    house.stop();
    assert_eq!(sleeps(), 0);
}

#[test]
fn one_file_is_for_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let _house = House::on(&file, &[]);
    let words = ["serve", "--port", "0", "--no-open", "--games", file.to_str().unwrap()];
    let said = assert_cmd::Command::cargo_bin("tabiya").unwrap().args(words).output().unwrap();
    assert_eq!(said.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&said.stderr).contains("another server"), "{said:?}");
}
