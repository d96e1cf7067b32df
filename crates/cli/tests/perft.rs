//! `tabiya perft`: the same number by every way of counting.

mod common;

use common::tabiya;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn every_way_of_counting_gives_the_same_number() {
    for more in
        [&[][..], &["--threads", "3"], &["--hash", "1"], &["--threads", "2", "--hash", "2"], &["--divide"]]
    {
        let words = [&["perft", "chess", "3", "--state", KIWIPETE, "--format", "json"], more].concat();
        let said = tabiya(&words);
        assert_eq!(said.json()["nodes"], 97_862, "{more:?}");
        assert_eq!(said.json()["depth"], 3);
        assert_eq!(said.json()["game"], "chess");
        assert!(said.json()["seconds"].is_f64());
        assert_eq!(said.err, "", "no progress where nobody looks");
    }
}

#[test]
fn depths_from_the_smallest() {
    for (depth, nodes) in [("0", 1), ("1", 20), ("2", 400), ("3", 8_902)] {
        assert_eq!(tabiya(&["perft", "chess", depth, "--format", "json"]).json()["nodes"], nodes);
        let divided = tabiya(&["perft", "chess", depth, "--divide", "--format", "json"]).json();
        assert_eq!(divided["nodes"], nodes, "{depth}");
    }
}

#[test]
fn the_count_below_each_move() {
    let divided = tabiya(&["perft", "chess", "3", "--divide", "--format", "json"]).json();
    let parts = divided["divide"].as_array().expect("a list");
    assert_eq!(parts.len(), 20);
    let e4 = parts.iter().find(|part| part["move"] == "e2e4").expect("e2e4");
    assert_eq!(e4["nodes"], 600);
    let text = tabiya(&["perft", "chess", "3", "--divide"]).out;
    assert!(text.contains("e2e4: 600\n") && text.contains("depth 3: 8,902 nodes in "), "{text}");
}

#[test]
fn a_finished_game_has_no_ways_on() {
    let mate = "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(tabiya(&["perft", "chess", "5", "--state", mate, "--format", "json"]).json()["nodes"], 0);
    assert_eq!(tabiya(&["perft", "chess", "64", "--state", mate, "--hash", "1"]).status, 0);
}

/// Two kings alone on a small board: with memory their deepest tree is counted at once, and it is too large.
#[test]
fn a_count_that_is_too_large_is_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kings.json");
    std::fs::write(&file, KINGS).expect("written");
    let file = file.to_str().expect("a plain name");
    let deep = tabiya(&["perft", file, "30", "--hash", "1", "--format", "json"]).json();
    assert!(deep["nodes"].as_u64() > Some(1 << 30), "{deep}");
    let said = tabiya(&["perft", file, "64", "--hash", "1", "--threads", "2"]);
    assert_eq!(said.status, 1, "{}", said.out);
    assert!(said.err.contains("18,446,744,073,709,551,615"), "{}", said.err);
}

const KINGS: &str = r#"{
  "name": "Two men", "board": { "dimensions": [3, 3] },
  "players": [
    { "name": "A", "direction": [[1,0],[0,1]], "starting_positions": [{ "piece": "MAN", "positions": [[0,0]] }] },
    { "name": "B", "direction": [[1,0],[0,-1]], "starting_positions": [{ "piece": "MAN", "positions": [[2,2]] }] }
  ],
  "turns": { "order": ["A", "B"] },
  "pieces": [{ "code": "MAN", "moves": [
    { "id": 0, "step": [0,1], "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
    { "id": 1, "step": [1,0], "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
    { "id": 2, "step": [0,-1], "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
    { "id": 3, "step": [-1,0], "actions": [{ "state": "EMPTY", "action": "MOVE" }] }
  ] }]
}"#;

#[test]
fn limits_are_kept() {
    let cases: [(&[&str], &str); 6] = [
        (&["65"], "0 to 64"),
        (&["-1"], "0 to 64"),
        (&["x"], "0 to 64"),
        (&["2", "--threads", "0"], "1 to 1024"),
        (&["2", "--threads", "-1"], "1 to 1024"),
        (&["2", "--hash", "99999999"], "0 to 65536"),
    ];
    for (words, range) in cases {
        let said = tabiya(&[&["perft", "chess"], words].concat());
        assert_eq!(said.status, 2, "{words:?}");
        assert!(said.err.contains(&format!("it must be a whole number from {range}")), "{}", said.err);
    }
}

#[test]
fn a_rate_is_told_only_where_the_time_tells_one() {
    let said = tabiya(&["perft", "chess", "0"]);
    let (_, time) = said.out.split_once(" nodes in ").expect("a time");
    let seconds: f64 = time.split(' ').next().expect("seconds").parse().expect("a number");
    // On a machine with much else to do even nothing takes long.
    assert_eq!(said.out.contains(" per second)"), seconds > 0.0095, "{}", said.out);
    assert!(!said.out.contains("18,446,744,073,709,551,615"), "{}", said.out);
}

/// Where there is not enough memory for a thousand threads, fewer count the same.
#[cfg(target_os = "linux")]
#[test]
fn a_system_that_gives_few_threads_still_counts() {
    for kilobytes in ["300000", "1000000"] {
        let output = std::process::Command::new("sh")
            .args(["-c", "ulimit -v $1; exec $0 perft chess 3 --threads 1024 --format json"])
            .args([assert_cmd::cargo::cargo_bin("tabiya").as_os_str(), kilobytes.as_ref()])
            .output()
            .expect("it runs");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!((output.status.code(), &*err), (Some(0), ""), "{kilobytes}");
        assert!(out.contains("\"nodes\":8902"), "{out}");
    }
}
