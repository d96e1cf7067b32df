//! `tabiya analyse`: the report, the object and the page.

mod common;

use common::tabiya;

const SMALL: [&str; 5] = ["analyse", "losalamos", "--games", "10", "--seed"];

#[test]
fn the_same_seed_gives_the_same_object() {
    let told = |more: &[&str]| {
        let said = tabiya(&[&SMALL, more, &["--format", "json"]].concat());
        assert_eq!((said.status, said.err.as_str()), (0, ""), "no progress where nobody looks");
        said.out
    };
    assert_eq!(told(&["3"]), told(&["3", "--threads", "5"]));
    assert_ne!(told(&["3"]), told(&["4"]));
}

#[test]
fn the_report_has_its_parts() {
    let said = tabiya(&[&SMALL[..], &["3"]].concat()).out;
    for part in ["Who wins", "How games end", "Length of games", "Does deeper search help?", "QUEEN", "█"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// Every tag is closed by its own kind.
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
fn the_page_needs_nothing_beside_it_and_has_its_plots() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.html");
    let said = tabiya(&[&SMALL[..], &["3", "--html", file.to_str().expect("a plain name")]].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    let page = std::fs::read_to_string(file).expect("it is written");
    is_well_formed(&page);
    assert_eq!(page.matches("<svg ").count(), 6);
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("class=\"error\""), "{page}");
    for outside in ["<script", "http:", "https:", "@import", "src=", "NaN", "inf"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// Names of a file are shown as they are, and are no markup.
#[test]
fn a_game_that_never_ends_is_told_to_be_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("walk.json");
    let walk = |id: u32, step: &str| {
        format!(r#"{{ "id": {id}, "step": {step}, "actions": [{{ "state": "EMPTY", "action": "MOVE" }}] }}"#)
    };
    let man = |name: &str, direction: &str, square: &str| {
        format!(
            r#"{{ "name": "{name}", "direction": "{direction}", "starting_positions": [{{ "piece": "MAN", "positions": [{square}] }}] }}"#
        )
    };
    let spec = format!(
        r#"{{ "name": "Walk", "board": {{ "dimensions": [4, 4] }}, "players": [{}, {}],
            "turns": {{ "order": ["A", "B"] }}, "pieces": [{{ "code": "MAN", "moves": [{}, {}] }}] }}"#,
        man("A", "UP", "[0,0]"),
        man("B", "DOWN", "[3,3]"),
        walk(0, "[1,0]"),
        walk(1, "[-1,0]"),
    );
    std::fs::write(&file, spec).expect("written");
    let page = folder.path().join("walk.html");
    let (file, page) = (file.to_str().expect("a plain name"), page.to_str().expect("a plain name"));
    let said = tabiya(&["analyse", file, "--html", page]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("It never ends: none of 10 games"), "{}", said.out);
    is_well_formed(&std::fs::read_to_string(page).expect("it is written"));
}

#[test]
fn wrong_questions_are_refused() {
    let cases: [(&[&str], &str); 4] = [
        (
            &["chess", "--player", "nobody"],
            "there is no player `nobody`; there are random, greedy, mcts, search, level1",
        ),
        (&["chess", "--games", "0"], "1 to 100000"),
        (&["chess", "--state", "7k/5Q2/6K1/8/8/8/8/8 b - -"], "the game is over before it starts"),
        (&["chess", "--games", "1", "--html", "/nowhere/at/all.html"], "cannot be written"),
    ];
    for (words, why) in cases {
        let said = tabiya(&[&["analyse"], words].concat());
        assert_eq!(said.status, 2, "{words:?}");
        assert!(said.err.contains(why), "{}", said.err);
    }
}
