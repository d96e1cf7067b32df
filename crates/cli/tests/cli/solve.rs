//! `tabiya solve`: answers, exit status and usage errors.

use crate::common::tabiya;

const BUCKLE: &str = "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 0 1";

#[test]
fn a_forced_mate_is_reported() {
    let run = tabiya(&["solve", "chess", "--mate", "3", "--state", BUCKLE]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "no progress bar without a terminal");
    assert!(run.stdout.starts_with("WHITE wins in 2 moves.\n\n  1. Nf6+ gxf6 2. Bxf7#\n"), "{}", run.stdout);
    let json =
        tabiya(&["solve", "chess", "--mate", "2", "--all", "--state", BUCKLE, "--format", "json"]).json();
    assert_eq!(json["answer"], "yes");
    assert_eq!(json["keys"], serde_json::json!([{ "move": "d5f6", "moves": 2 }]));
    assert_eq!(json["line"], serde_json::json!(["d5f6", "g7f6", "c4f7"]));
    assert!(json["refutations"].as_array().is_some_and(|list| list.len() > 30), "{json}");
}

#[test]
fn refuted_and_undecided_have_status_1() {
    let no = tabiya(&["solve", "chess", "--mate", "1", "--state", BUCKLE]);
    assert_eq!(no.status, 1);
    assert!(no.stdout.starts_with("WHITE cannot force a win in 1 move.\n"), "{}", no.stdout);
    let open = tabiya(&["solve", "chess", "--mate", "4", "--nodes", "500", "--format", "json"]);
    assert_eq!((open.status, &open.json()["answer"]), (1, &"open".into()));
}

#[test]
fn unsolvable_questions_are_usage_errors() {
    let over = "7k/5Q2/6K1/8/8/8/8/8 b - -";
    let cases: [(&[&str], &str); 5] = [
        (&["chess", "--mate", "2", "--state", over], "the game is over"),
        (&["enochian", "--mate", "1", "--option", "DIVINATION=true"], "a game with a die"),
        (&["chess", "--mate", "0"], "1 to 64"),
        (&["chess"], "--mate <N>"),
        (&["chess", "--mate", "2", "--nodes", "0"], "1 to 1000000000000"),
    ];
    for (words, why) in cases {
        let run = tabiya(&[&["solve"], words].concat());
        assert_eq!(run.status, 2, "{words:?}");
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
}
