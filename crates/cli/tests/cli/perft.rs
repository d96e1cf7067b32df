//! `tabiya perft`: counts, options and limits.

use serde_json::{Value, json};

use crate::common::{Folder, tabiya};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn threads_table_and_divide_do_not_change_the_count() {
    for more in
        [&[][..], &["--threads", "3"], &["--hash", "1"], &["--threads", "2", "--hash", "2"], &["--divide"]]
    {
        let words = [&["perft", "chess", "3", "--state", KIWIPETE, "--format", "json"], more].concat();
        let run = tabiya(&words);
        assert_eq!(run.json()["nodes"], 97_862, "{more:?}");
        assert_eq!(run.json()["depth"], 3);
        assert_eq!(run.json()["game"], "chess");
        assert!(run.json()["seconds"].is_f64());
        assert_eq!(run.stderr, "", "no progress bar without a terminal");
    }
}

#[test]
fn small_depths_are_counted() {
    for (depth, nodes) in [("0", 1), ("1", 20), ("2", 400), ("3", 8_902)] {
        assert_eq!(tabiya(&["perft", "chess", depth, "--format", "json"]).json()["nodes"], nodes);
        let divided = tabiya(&["perft", "chess", depth, "--divide", "--format", "json"]).json();
        assert_eq!(divided["nodes"], nodes, "{depth}");
    }
}

#[test]
fn divide_counts_below_each_move() {
    let divided = tabiya(&["perft", "chess", "3", "--divide", "--format", "json"]).json();
    let parts = divided["divide"].as_array().expect("a list");
    assert_eq!(parts.len(), 20);
    let e4 = parts.iter().find(|part| part["move"] == "e2e4").expect("e2e4");
    assert_eq!(e4["nodes"], 600);
    let text = tabiya(&["perft", "chess", "3", "--divide"]).stdout;
    assert!(text.contains("e2e4: 600\n") && text.contains("depth 3: 8,902 nodes in "), "{text}");
}

#[test]
fn a_finished_game_has_no_paths() {
    let mate = "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(tabiya(&["perft", "chess", "5", "--state", mate, "--format", "json"]).json()["nodes"], 0);
    assert_eq!(tabiya(&["perft", "chess", "64", "--state", mate, "--hash", "1"]).status, 0);
}

/// Two pieces on a small board: with a table, even the deepest tree is counted at once, and its count overflows.
#[test]
fn a_count_beyond_64_bits_is_an_error() {
    let folder = Folder::new();
    let one_move =
        |(id, step)| json!({ "id": id, "step": step, "actions": [{ "state": "EMPTY", "action": "MOVE" }] });
    let moves: Vec<Value> = (0..).zip([[0, 1], [1, 0], [0, -1], [-1, 0]]).map(one_move).collect();
    let player = |name: &str, up: i32, square: [i32; 2]| {
        let start = json!([{ "piece": "PIECE", "positions": [square] }]);
        json!({ "name": name, "direction": [[1, 0], [0, up]], "starting_positions": start })
    };
    let game = json!({
        "name": "Two pieces", "board": { "dimensions": [3, 3] }, "turns": { "order": ["A", "B"] },
        "players": [player("A", 1, [0, 0]), player("B", -1, [2, 2])],
        "pieces": [{ "code": "PIECE", "moves": moves }],
    });
    let file = &folder.write("two.json", game.to_string());
    let deep = tabiya(&["perft", file, "30", "--hash", "1", "--format", "json"]).json();
    assert!(deep["nodes"].as_u64() > Some(1 << 30), "{deep}");
    let run = tabiya(&["perft", file, "64", "--hash", "1", "--threads", "2"]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stderr.contains("18,446,744,073,709,551,615"), "{}", run.stderr);
}

#[test]
fn numbers_out_of_range_are_usage_errors() {
    let cases: [(&[&str], &str); 6] = [
        (&["65"], "0 to 64"),
        (&["-1"], "0 to 64"),
        (&["x"], "0 to 64"),
        (&["2", "--threads", "0"], "1 to 1024"),
        (&["2", "--threads", "-1"], "1 to 1024"),
        (&["2", "--hash", "99999999"], "0 to 65536"),
    ];
    for (words, range) in cases {
        let run = tabiya(&[&["perft", "chess"], words].concat());
        assert_eq!(run.status, 2, "{words:?}");
        assert!(run.stderr.contains(&format!("it must be a whole number from {range}")), "{}", run.stderr);
    }
}

#[test]
fn a_rate_is_printed_only_for_measurable_times() {
    let run = tabiya(&["perft", "chess", "0"]);
    let (_, time) = run.stdout.split_once(" nodes in ").expect("a time");
    let seconds: f64 = time.split(' ').next().expect("seconds").parse().expect("a number");
    // On a busy machine even an empty count takes a while.
    assert_eq!(run.stdout.contains(" per second)"), seconds > 0.0095, "{}", run.stdout);
    assert!(!run.stdout.contains("18,446,744,073,709,551,615"), "{}", run.stdout);
}

/// If memory does not suffice for a thousand threads, fewer are used.
#[cfg(target_os = "linux")]
#[test]
fn perft_works_with_few_threads() {
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
