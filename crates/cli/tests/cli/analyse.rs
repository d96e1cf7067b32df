//! `tabiya analyse`: text, JSON and HTML output.

use crate::common::{Folder, tabiya};

const SMALL: [&str; 7] = ["analyse", "losalamos", "--player", "greedy", "--games", "10", "--seed"];

#[test]
fn the_same_seed_gives_the_same_analysis() {
    let told = |more: &[&str]| {
        let run = tabiya(&[&SMALL, more, &["--format", "json"]].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "no progress bar without a terminal");
        run.stdout
    };
    assert_eq!(told(&["3"]), told(&["3", "--threads", "5"]));
    assert_ne!(told(&["3"]), told(&["4"]));
}

#[test]
fn the_report_has_all_sections() {
    let run = tabiya(&[&SMALL[..], &["3"]].concat()).stdout;
    for part in [
        "Who wins",
        "How games end",
        "Length of games",
        "forced moves",
        "turning point",
        "Use of pieces",
        "Does deeper search help?",
        "QUEEN",
        "█",
    ] {
        assert!(run.contains(part), "{part}: {run}");
    }
}

/// Checks that every tag is closed.
fn is_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in page.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("a tag is not closed: {part}"));
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).expect("a name");
        match tag {
            _ if tag.starts_with('!') || tag.ends_with('/') => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "{tag}"),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_html_page_is_self_contained() {
    let folder = Folder::new();
    let file = folder.path("report.html");
    let run = tabiya(&[&SMALL[..], &["3", "--html", &file]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let page = std::fs::read_to_string(file).expect("it is written");
    is_well_formed(&page);
    assert_eq!(page.matches("<svg ").count(), 7);
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("class=\"error\""), "{page}");
    for outside in ["<script", "http:", "https:", "@import", "src=", "NaN", "inf"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_game_that_never_ends_is_reported() {
    let folder = Folder::new();
    let walk = |id: u32, step: &str| {
        format!(r#"{{ "id": {id}, "step": {step}, "actions": [{{ "state": "EMPTY", "action": "MOVE" }}] }}"#)
    };
    let player = |name: &str, direction: &str, square: &str| {
        format!(
            r#"{{ "name": "{name}", "direction": "{direction}", "starting_positions": [{{ "piece": "PIECE", "positions": [{square}] }}] }}"#
        )
    };
    let spec = format!(
        r#"{{ "name": "Walk", "board": {{ "dimensions": [4, 4] }}, "players": [{}, {}],
            "turns": {{ "order": ["A", "B"] }}, "pieces": [{{ "code": "PIECE", "moves": [{}, {}] }}] }}"#,
        player("A", "UP", "[0,0]"),
        player("B", "DOWN", "[3,3]"),
        walk(0, "[1,0]"),
        walk(1, "[-1,0]"),
    );
    let (file, page) = (folder.write("walk.json", spec), folder.path("walk.html"));
    let run = tabiya(&["analyse", &file, "--player", "greedy", "--html", &page]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("It never ends: none of 10 games"), "{}", run.stdout);
    is_well_formed(&std::fs::read_to_string(page).expect("it is written"));
}

#[test]
fn two_games_are_compared() {
    let few = ["--player", "greedy", "--games", "4"];
    let run = tabiya(&[&["analyse", "losalamos", "gardner"], &few[..]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for part in [
        "A: losalamos: 4 games of greedy",
        "B: gardner: 4 games of greedy",
        "95 % interval",
        "WHITE wins",
        "state space",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let run = tabiya(&[&["analyse", "losalamos", "gardner", "--format", "json"], &few[..]].concat());
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&json["a"]["game"], &json["b"]["game"]), (&"losalamos".into(), &"gardner".into()));
    let space = json["differences"].as_array().expect("a list").last().expect("a figure");
    assert_eq!(
        (&space["figure"], &space["interval"]),
        (&"state space, log10".into(), &serde_json::Value::Null)
    );
    assert!(space["difference"].as_f64().is_some_and(|it| it < 0.0), "the second board is smaller: {space}");
}

#[test]
fn a_game_is_compared_with_other_choices() {
    let words = [
        "analyse",
        "enochian",
        "--rules-b",
        "zalewski",
        "--player",
        "random",
        "--games",
        "1",
        "--max-plies",
        "40",
    ];
    let run = tabiya(&words);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("B: enochian (zalewski): 1 game"), "{}", run.stdout);
}

#[test]
fn invalid_arguments_are_usage_errors() {
    let cases: [(&[&str], &str); 6] = [
        (&["chess", "nowhere"], "`nowhere` is neither a game"),
        (&["chess", "gardner", "--games", "1", "--html", "x.html"], "--html writes the page of one game"),
        (&["chess", "--player", "fast"], "there is no player `fast`; "),
        (&["chess", "--games", "0"], "1 to 100000"),
        (&["chess", "--state", "7k/5Q2/6K1/8/8/8/8/8 b - -"], "the game is over at its start"),
        (
            &["chess", "--player", "random", "--games", "1", "--html", "/nowhere/file.html"],
            "cannot be written",
        ),
    ];
    for (words, why) in cases {
        let run = tabiya(&[&["analyse"], words].concat());
        assert_eq!(run.status, 2, "{words:?}");
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
}
