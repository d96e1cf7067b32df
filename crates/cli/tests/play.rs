//! `tabiya play`: whole games through standard input, as people and as programs play them.

mod common;

use common::{Said, tabiya, tabiya_reading};
use serde_json::Value;

fn play(words: &[&str], lines: &[&str]) -> Said {
    let said = tabiya_reading(&[&["play"], words].concat(), lines.join("\n"));
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    said
}

fn events(words: &[&str], lines: &[&str]) -> Vec<Value> {
    play(&[words, &["--format", "json"]].concat(), lines).lines()
}

fn names(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().expect("a name")).collect()
}

fn last<'e>(events: &'e [Value], name: &str) -> &'e Value {
    events.iter().rfind(|event| event["event"] == name).unwrap_or_else(|| panic!("no {name} in {events:?}"))
}

#[test]
fn a_game_to_its_end() {
    let said = play(&["chess"], &["f2f3", "e7 e5", "[6,1] [6,3]", "d8h4", "e2e4", "undo", "state"]);
    assert!(said.out.contains("WHITE plays g2g4."), "{}", said.out);
    assert!(said.out.contains("Checkmate: BLACK wins."), "{}", said.out);
    assert!(said.out.contains("No: the game is over"), "{}", said.out);
    let state = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2";
    assert!(said.out.lines().any(|line| line == state), "{}", said.out);
}

#[test]
fn events_are_one_object_a_line() {
    let events = events(&["chess"], &["f2f3", "e7e5", "g2g4", "d8h4"]);
    let expected = ["start", "ask", "move", "ask", "move", "ask", "move", "ask", "move", "end", "quit"];
    assert_eq!(names(&events), expected);
    assert_eq!(events[0]["seats"]["WHITE"], "human");
    assert!(events[0]["spec"].as_str().is_some_and(|hash| hash.starts_with("sha256:")));
    assert_eq!(last(&events, "move")["text"], "d8h4");
    assert_eq!(last(&events, "move")["turn"], 4);
    let end = last(&events, "end");
    assert_eq!((&end["winners"], &end["reason"]), (&serde_json::json!(["BLACK"]), &"checkmate".into()));
}

#[test]
fn a_refusal_names_the_rule_and_asks_again() {
    let said = play(&["chess"], &["e2e5", "e7e5", "hello", "a1a9", "", "e2e4"]);
    assert_eq!(said.out.matches("No: ").count(), 4, "{}", said.out);
    assert!(said.out.contains("belongs to BLACK"), "{}", said.out);
    assert!(said.out.contains("WHITE plays e2e4."), "{}", said.out);
}

#[test]
fn a_square_shows_where_its_piece_can_go() {
    let said = play(&["chess"], &["e2", "[1,0]", "e7", "e5", "a1"]);
    assert!(said.out.contains(">PAW<"), "{}", said.out);
    assert_eq!(said.out.lines().filter(|line| line.contains(" * ")).count(), 3, "{}", said.out);
    assert!(said.out.contains("PAWN on e2: e2e3, e2e4"), "{}", said.out);
    assert!(said.out.contains("The PAWN on e7 is BLACK's."), "{}", said.out);
    assert!(said.out.contains("No piece stands on e5."), "{}", said.out);
    assert!(said.out.contains("The ROOK on a1 cannot move."), "{}", said.out);
    let capture = play(&["chess", "--state", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"], &["e4"]);
    assert!(capture.out.contains("[paw]"), "{}", capture.out);
}

#[test]
fn a_promotion_is_asked_for() {
    let start = ["chess", "--state", "8/P7/8/8/8/8/8/k1K5 w - - 0 1"];
    for answer in ["q", "QUEEN", " queen "] {
        let said = play(&start, &["a7a8", answer]);
        assert!(said.out.contains("QUEEN (q)"), "{}", said.out);
        assert!(said.out.contains("WHITE plays a7a8q."), "{answer}: {}", said.out);
    }
    assert!(play(&start, &["a7 a8 r"]).out.contains("WHITE plays a7a8r."));
    let refused = play(&start, &["a7a8", "k", "a7a8", "moves", "q", "a7a8", "", "c1c2"]);
    assert!(refused.out.contains("No: ") && refused.out.contains("WHITE has "), "{}", refused.out);
    assert!(refused.out.contains("WHITE plays c1c2."), "{}", refused.out);
    let asked = events(&start, &["a7a8", "n"]);
    assert_eq!(last(&asked, "promotion")["options"].as_array().map(Vec::len), Some(4));
    assert_eq!(last(&asked, "move")["promotion"], "KNIGHT");
}

#[test]
fn a_promotion_that_waits_is_never_forgotten_in_silence() {
    let start = ["chess", "--state", "8/P6k/8/8/8/8/7p/K7 w - -"];
    let said = play(&start, &["a7a8", "x", "q"]);
    assert!(
        said.out.contains("No: `x` is none of QUEEN, ROOK, BISHOP, KNIGHT.\nIt becomes QUEEN (q)"),
        "{}",
        said.out
    );
    assert!(said.out.contains("WHITE plays a7a8q."), "{}", said.out);
    for answer in ["q", "Q", "=q", "= Q", "queen", "=Queen"] {
        let said = play(&start, &["a7a8", "", "k", answer]);
        assert_eq!(said.out.matches("Which?").count(), 3, "{answer}: {}", said.out);
        assert!(said.out.contains("WHITE plays a7a8q."), "{answer}: {}", said.out);
    }
    for (line, event) in
        [("undo", "refused"), ("moves", "moves"), ("a1", "targets"), ("a1b1", "move"), ("quit", "quit")]
    {
        let events = events(&start, &["a7a8", line]);
        assert_eq!(names(&events)[2..5], ["promotion", "dropped", event], "{line}");
        assert_eq!(last(&events, "dropped")["move"], "a7a8");
    }
    assert!(play(&start, &["a7a8", "undo"]).out.contains("The move a7a8 is dropped."));
    assert_eq!(names(&events(&start, &["a7a8"]))[2..], ["promotion", "dropped", "quit"], "the input ends");
    let long =
        tabiya_reading(&["play", start[0], start[1], start[2]], format!("a7a8\n{}\nq", "x".repeat(70_000)));
    assert!(long.out.contains("WHITE plays a7a8q."), "{}", long.out);
}

#[test]
fn the_help_is_one_table() {
    let said = play(&["chess"], &["help"]);
    let help: Vec<&str> = said.out.lines().skip_while(|line| !line.contains("e2e4, e2 e4")).collect();
    assert_eq!(help.len(), 14, "{}", said.out);
    assert!(help.iter().all(|line| line.starts_with("  ") && !line.starts_with("   ")), "{}", said.out);
}

#[test]
fn programs_play_by_themselves_and_the_seed_decides() {
    let both = ["chess", "--seat", "WHITE=random", "--seat", "black=random"];
    let game = |seed| events(&[&both[..], &["--seed", seed]].concat(), &[]);
    assert_eq!(game("7"), game("7"));
    assert_ne!(game("7"), game("8"));
    let seven = game("7");
    let end = names(&seven).last().copied();
    assert!(matches!(end, Some("end" | "stopped")), "{end:?}");

    let short = events(&[&both[..], &["--max-plies", "5"]].concat(), &[]);
    assert_eq!(last(&short, "stopped")["turns"], 5);
    assert!(play(&[&both[..], &["--max-plies", "5"]].concat(), &[]).out.contains("Stopped after 5 turns"));
}

#[test]
fn a_program_answers_and_undo_goes_back_to_the_last_decision() {
    let events = events(&["chess", "--seat", "BLACK=random"], &["e2e4", "undo", "undo", "d2d4"]);
    let expected =
        ["start", "ask", "move", "move", "ask", "undo", "ask", "refused", "move", "move", "ask", "quit"];
    assert_eq!(names(&events), expected);
    assert_eq!(last(&events, "undo")["turns"], 2);
    assert_eq!(last(&events, "refused")["why"], "there is nothing to take back");
}

#[test]
fn all_four_players_of_a_larger_game() {
    let seats = ["--seat", "BLUE=random", "--seat", "YELLOW=random", "--seat", "GREEN=random"];
    let events = events(&[&["fourplayer"], &seats[..]].concat(), &["moves", "d2d4", "resign"]);
    let players: Vec<&str> = events
        .iter()
        .filter(|event| event["event"] == "move")
        .take(4)
        .filter_map(|it| it["player"].as_str())
        .collect();
    assert_eq!(players, ["RED", "BLUE", "YELLOW", "GREEN"]);
    let resigned = names(&events).iter().position(|name| *name == "resign").expect("RED resigns");
    assert_eq!(events[resigned + 1]["player"], "BLUE", "the others play on");
}

#[test]
fn of_two_players_the_other_wins() {
    let said = play(&["chess"], &["e2e4", "resign", "resign", "undo", "state"]);
    assert!(
        said.out.contains("BLACK resigns.") && said.out.contains("Resignation: WHITE wins."),
        "{}",
        said.out
    );
    assert!(said.out.contains("1 turn taken back."), "{}", said.out);
}

#[test]
fn all_commands_answer() {
    let said = play(&["chess"], &["help", "moves", "board", "state", "rules", "quit", "e2e4"]);
    assert!(said.out.contains("take back") && said.out.contains("WHITE has 20 legal moves."), "{}", said.out);
    assert_eq!(said.out.matches("ROO  KNI  BIS").count(), 2, "{}", said.out);
    assert!(!said.out.contains("plays"), "nothing is read after quit: {}", said.out);
    let events = events(&["chess"], &["help", "moves", "e2", "board", "state", "rules", "save", "quit"]);
    let expected = ["start", "ask", "help", "moves", "targets", "state", "state", "rules", "refused", "quit"];
    assert_eq!(names(&events), expected);
}

#[test]
fn input_may_be_anything() {
    let mut input = vec![b'x'; 70_000];
    input.extend(b"\n\xff\xfe\n[4,1\n[99999999999999,1]\n[[[[\n\x1b[31m\n\0\n\xf0\x9f\x90\xb4\ne2e4#\ne2e4#99999999999\ne2e4");
    let said = tabiya_reading(&["play", "chess"], input);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("longer than 65536 bytes") && said.out.contains("not UTF-8"), "{}", said.out);
    assert!(!said.out.contains('\x1b') && !said.out.contains('\0'), "{}", said.out);
    assert!(said.out.contains("WHITE plays e2e4."), "{}", said.out);
}

#[test]
fn wrong_seats_are_wrong_usage() {
    for (seat, hint) in [("BLAK=random", "BLACK"), ("BLACK=randm", "random"), ("BLACK", "NAME=PLAYER")] {
        let said = tabiya(&["play", "chess", "--seat", seat]);
        assert_eq!(said.status, 2, "{seat}");
        assert!(said.err.contains(hint), "{}", said.err);
    }
    assert_eq!(tabiya(&["play", "chess", "--seat", "WHITE=human", "--seat", "WHITE=random"]).status, 2);
    assert_eq!(tabiya(&["play", "chess", "--max-plies", "0"]).status, 2);
    let seed = tabiya(&["play", "chess", "--seed", "-1"]);
    assert_eq!(seed.status, 2);
    assert!(seed.err.contains("a whole number from 0 to 18446744073709551615"), "{}", seed.err);
}

#[test]
fn programs_answer_offers_of_a_draw() {
    // BLACK has a rook more, or nothing but its king.
    let (better, worse) = ("4k2r/8/8/8/8/8/8/4K3 w k -", "4k3/8/8/8/8/8/8/R3K3 w - -");
    let said = |state: &str, program: &str| {
        let seat = format!("BLACK={program}");
        play(&["chess", "--state", state, "--seat", &seat], &["draw", "e1d2"]).out
    };
    assert!(said(worse, "search").contains("Agreement: the game is drawn."), "{}", said(worse, "search"));
    for (state, program) in [(better, "search"), (worse, "random"), (worse, "greedy")] {
        let said = said(state, program);
        assert!(said.contains("BLACK declines") && said.contains("BLACK plays "), "{said}");
    }
}
