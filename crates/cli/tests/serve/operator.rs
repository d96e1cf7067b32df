//! Messages for the operator: a damaged database, and too few open files.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::test_server::{OpenedRoom, TestServer};

/// Starts a server through a shell, with the commands before it. Its messages go to a file.
fn start_after(commands: &str, games: &Path, messages: &Path) -> TestServer {
    let program = assert_cmd::cargo::cargo_bin("tabiya");
    let text = format!(
        "{commands} exec {} serve --port 0 --no-open --format json --games \"$0\"",
        program.display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &text]).arg(games).stderr(File::create(messages).unwrap());
    TestServer::spawn(command)
}

#[test]
fn a_damaged_database_is_repaired_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (games, messages) = (folder.path().join("games.db"), folder.path().join("messages"));
    let mut server = TestServer::start_on(&games, &["--max-requests-each", "10000"]);
    let rooms: Vec<OpenedRoom> = (0..60).map(|_| server.open_chess()).collect();
    for room in &rooms {
        let (mut white, _) = server.join(&room.id, &room.keys[0]);
        white.play("e2e4", 0);
    }
    server.stop();
    let size = std::fs::metadata(&games).unwrap().len();
    let mut file = File::options().write(true).open(&games).unwrap();
    file.seek(SeekFrom::Start(size / 4096 / 2 * 4096)).unwrap();
    file.write_all(&[0x5a; 4096]).unwrap();
    drop(file);

    let mut server = start_after("", &games, &messages);
    let found = rooms.iter().filter(|room| {
        let response = server.get(&format!("/api/tables/{}?key={}", room.id, room.keys[0]));
        response.status == 200
    });
    let found = found.count();
    assert!(found >= 30, "{found} games are left");
    server.open_room(&json!({ "game": "chess" }));
    server.stop();
    let text = std::fs::read_to_string(&messages).unwrap();
    assert!(text.contains(&format!("is damaged: {found} games were recovered")), "{text}");
    assert!(text.contains("games.db.damaged"), "{text}");
    assert!(found == rooms.len() || text.contains("lost") || text.contains("cannot be read"), "{text}");
    // The repaired file is sound.
    start_after("", &games, &messages).stop();
    assert_eq!(std::fs::read_to_string(&messages).unwrap(), "");
}

#[test]
fn the_limit_of_open_files_is_raised_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let (games, messages) = (folder.path().join("games.db"), folder.path().join("messages"));
    let open_files = |server: &TestServer| -> u64 {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).unwrap();
        let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
        line.split_whitespace().nth(3).unwrap().parse().unwrap()
    };
    let mut server = start_after("ulimit -S -n 200;", &games, &messages);
    let raised = open_files(&server);
    assert!(raised > 200, "{raised}");
    server.stop();
    let mut server = start_after("ulimit -n 200;", &games, &messages);
    assert_eq!(server.get("/api/version").status, 200);
    server.stop();
    let text = std::fs::read_to_string(&messages).unwrap();
    assert!(text.contains("allows 100 connections, not 10000"), "{text}");
}
