//! `tabiya play`: games through standard input, as text and as JSON events.

use crate::common::{CliOutput, tabiya, tabiya_with_input};
use serde_json::Value;

fn play(words: &[&str], lines: &[&str]) -> CliOutput {
    let run = tabiya_with_input(&[&["play"], words].concat(), lines.join("\n"));
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    run
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
    let run = play(&["chess"], &["f2f3", "e7 e5", "[6,1] [6,3]", "d8h4", "e2e4", "undo", "state"]);
    assert!(run.stdout.contains("WHITE plays g2g4."), "{}", run.stdout);
    assert!(run.stdout.contains("Checkmate: BLACK wins."), "{}", run.stdout);
    assert!(run.stdout.contains("No: the game is over"), "{}", run.stdout);
    let state = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2";
    assert!(run.stdout.lines().any(|line| line == state), "{}", run.stdout);
}

#[test]
fn events_are_one_object_per_line() {
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
fn an_illegal_move_names_the_rule_and_asks_again() {
    let run = play(&["chess"], &["e2e5", "e7e5", "hello", "a1a9", "", "e2e4"]);
    assert_eq!(run.stdout.matches("No: ").count(), 4, "{}", run.stdout);
    assert!(run.stdout.contains("belongs to BLACK"), "{}", run.stdout);
    assert!(run.stdout.contains("WHITE plays e2e4."), "{}", run.stdout);
}

#[test]
fn a_square_shows_the_targets_of_its_piece() {
    let run = play(&["chess"], &["e2", "[1,0]", "e7", "e5", "a1"]);
    assert!(run.stdout.contains(">PAW<"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().filter(|line| line.contains(" * ")).count(), 3, "{}", run.stdout);
    assert!(run.stdout.contains("PAWN on e2: e2e3, e2e4"), "{}", run.stdout);
    assert!(run.stdout.contains("The PAWN on e7 is BLACK's."), "{}", run.stdout);
    assert!(run.stdout.contains("There is no piece on e5."), "{}", run.stdout);
    assert!(run.stdout.contains("The ROOK on a1 cannot move."), "{}", run.stdout);
    let capture = play(&["chess", "--state", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"], &["e4"]);
    assert!(capture.stdout.contains("[paw]"), "{}", capture.stdout);
}

#[test]
fn a_promotion_is_asked_for() {
    let start = ["chess", "--state", "8/P7/8/8/8/8/8/k1K5 w - - 0 1"];
    for answer in ["q", "QUEEN", " queen "] {
        let run = play(&start, &["a7a8", answer]);
        assert!(run.stdout.contains("QUEEN (q)"), "{}", run.stdout);
        assert!(run.stdout.contains("WHITE plays a7a8q."), "{answer}: {}", run.stdout);
    }
    assert!(play(&start, &["a7 a8 r"]).stdout.contains("WHITE plays a7a8r."));
    let refused = play(&start, &["a7a8", "k", "a7a8", "moves", "q", "a7a8", "", "c1c2"]);
    assert!(refused.stdout.contains("No: ") && refused.stdout.contains("WHITE has "), "{}", refused.stdout);
    assert!(refused.stdout.contains("WHITE plays c1c2."), "{}", refused.stdout);
    let asked = events(&start, &["a7a8", "n"]);
    assert_eq!(last(&asked, "promotion")["options"].as_array().map(Vec::len), Some(4));
    assert_eq!(last(&asked, "move")["promotion"], "KNIGHT");
}

#[test]
fn a_waiting_promotion_is_asked_again_or_dropped() {
    let start = ["chess", "--state", "8/P6k/8/8/8/8/7p/K7 w - -"];
    let run = play(&start, &["a7a8", "x", "q"]);
    assert!(
        run.stdout.contains("No: `x` is not one of QUEEN, ROOK, BISHOP, KNIGHT.\nPromote to QUEEN (q)"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("WHITE plays a7a8q."), "{}", run.stdout);
    for answer in ["q", "Q", "=q", "= Q", "queen", "=Queen"] {
        let run = play(&start, &["a7a8", "", "k", answer]);
        assert_eq!(run.stdout.matches("Promote to ").count(), 3, "{answer}: {}", run.stdout);
        assert!(run.stdout.contains("WHITE plays a7a8q."), "{answer}: {}", run.stdout);
    }
    for (line, event) in
        [("undo", "refused"), ("moves", "moves"), ("a1", "targets"), ("a1b1", "move"), ("quit", "quit")]
    {
        let events = events(&start, &["a7a8", line]);
        assert_eq!(names(&events)[2..5], ["promotion", "dropped", event], "{line}");
        assert_eq!(last(&events, "dropped")["move"], "a7a8");
    }
    assert!(play(&start, &["a7a8", "undo"]).stdout.contains("The move a7a8 is dropped."));
    assert_eq!(names(&events(&start, &["a7a8"]))[2..], ["promotion", "dropped", "quit"], "the input ends");
    let long = tabiya_with_input(
        &["play", start[0], start[1], start[2]],
        format!("a7a8\n{}\nq", "x".repeat(70_000)),
    );
    assert!(long.stdout.contains("WHITE plays a7a8q."), "{}", long.stdout);
}

#[test]
fn the_help_is_one_table() {
    let run = play(&["chess"], &["help"]);
    let help: Vec<&str> = run.stdout.lines().skip_while(|line| !line.contains("e2e4, e2 e4")).collect();
    assert_eq!(help.len(), 15, "{}", run.stdout);
    assert!(help.iter().all(|line| line.starts_with("  ") && !line.starts_with("   ")), "{}", run.stdout);
}

#[test]
fn the_seed_determines_games_of_programs() {
    let both = ["chess", "--seat", "WHITE=random", "--seat", "black=random"];
    let game = |seed| events(&[&both[..], &["--seed", seed]].concat(), &[]);
    assert_eq!(game("7"), game("7"));
    assert_ne!(game("7"), game("8"));
    let seven = game("7");
    let end = names(&seven).last().copied();
    assert!(matches!(end, Some("end" | "stopped")), "{end:?}");

    let short = events(&[&both[..], &["--max-plies", "5"]].concat(), &[]);
    assert_eq!(last(&short, "stopped")["turns"], 5);
    assert!(play(&[&both[..], &["--max-plies", "5"]].concat(), &[]).stdout.contains("Stopped after 5 turns"));
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
fn resignation_of_two_players() {
    let run = play(&["chess"], &["e2e4", "resign", "resign", "undo", "state"]);
    assert!(
        run.stdout.contains("BLACK resigns.") && run.stdout.contains("Resignation: WHITE wins."),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("1 turn taken back."), "{}", run.stdout);
}

#[test]
fn all_commands_answer() {
    let run = play(&["chess"], &["help", "moves", "board", "state", "rules", "quit", "e2e4"]);
    assert!(
        run.stdout.contains("take back") && run.stdout.contains("WHITE has 20 legal moves."),
        "{}",
        run.stdout
    );
    assert_eq!(run.stdout.matches("ROO  KNI  BIS").count(), 2, "{}", run.stdout);
    assert!(!run.stdout.contains("plays"), "nothing is read after quit: {}", run.stdout);
    let events = events(&["chess"], &["help", "moves", "e2", "board", "state", "rules", "save", "quit"]);
    let expected = ["start", "ask", "help", "moves", "targets", "state", "state", "rules", "refused", "quit"];
    assert_eq!(names(&events), expected);
}

#[test]
fn malformed_input_is_rejected() {
    let mut input = vec![b'x'; 70_000];
    input.extend(b"\n\xff\xfe\n[4,1\n[99999999999999,1]\n[[[[\n\x1b[31m\n\0\n\xf0\x9f\x90\xb4\ne2e4#\ne2e4#99999999999\ne2e4");
    let run = tabiya_with_input(&["play", "chess"], input);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("longer than 65536 bytes") && run.stdout.contains("not UTF-8"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains('\x1b') && !run.stdout.contains('\0'), "{}", run.stdout);
    assert!(run.stdout.contains("WHITE plays e2e4."), "{}", run.stdout);
}

#[test]
fn invalid_seats_are_usage_errors() {
    for (seat, hint) in [("BLAK=random", "BLACK"), ("BLACK=randm", "random"), ("BLACK", "NAME=PLAYER")] {
        let run = tabiya(&["play", "chess", "--seat", seat]);
        assert_eq!(run.status, 2, "{seat}");
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
    assert_eq!(tabiya(&["play", "chess", "--seat", "WHITE=human", "--seat", "WHITE=random"]).status, 2);
    assert_eq!(tabiya(&["play", "chess", "--max-plies", "0"]).status, 2);
    let seed = tabiya(&["play", "chess", "--seed", "-1"]);
    assert_eq!(seed.status, 2);
    assert!(seed.stderr.contains("a whole number from 0 to 18446744073709551615"), "{}", seed.stderr);
}

#[test]
fn programs_answer_draw_offers() {
    // BLACK is a rook up, or has only the king.
    let (better, worse) = ("4k2r/8/8/8/8/8/8/4K3 w k -", "4k3/8/8/8/8/8/8/R3K3 w - -");
    let run = |state: &str, program: &str| {
        let seat = format!("BLACK={program}");
        play(&["chess", "--state", state, "--seat", &seat], &["draw", "e1d2"]).stdout
    };
    assert!(run(worse, "search").contains("Agreement: the game is drawn."), "{}", run(worse, "search"));
    for (state, program) in [(better, "search"), (worse, "random"), (worse, "greedy")] {
        let run = run(state, program);
        assert!(run.contains("BLACK declines") && run.contains("BLACK plays "), "{run}");
    }
}

#[test]
fn every_player_takes_a_seat() {
    for player in tabiya_players::NAMES {
        let seat = format!("BLACK={player}");
        let words = ["play", "gardner", "--seat", &seat, "--format", "json"];
        let run = tabiya_with_input(&words, "a2a3\n");
        let lines = run.lines();
        assert_eq!(lines[0]["seats"]["BLACK"], player);
        let movers: Vec<_> =
            lines.iter().filter(|line| line["event"] == "move").map(|it| &it["player"]).collect();
        assert_eq!(movers, ["WHITE", "BLACK"], "{player}: {}", run.stdout);
    }
}

#[test]
fn the_seed_determines_games_of_different_players() {
    let words =
        |seed| ["play", "gardner", "--seat", "white=search", "--seat", "black=greedy", "--seed", seed];
    let game = |seed| tabiya(&[&words(seed)[..], &["--max-plies", "20", "--format", "json"]].concat()).stdout;
    assert_eq!(game("1"), game("1"));
    assert_ne!(game("1"), game("2"));
}

#[test]
fn an_unknown_player_is_rejected_with_the_list() {
    let run = tabiya(&["play", "chess", "--seat", "BLACK=serch"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean `search`?"), "{}", run.stderr);
    assert!(
        run.stderr.contains("There are: human, random, greedy, mcts, search, level1, "),
        "{}",
        run.stderr
    );
}
