//! `tabiya uci`: conversations with the engine, as chess programs have them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use tabiya_notation::{parse_state, parse_uci, uci};
use tabiya_players::SplitMix;
use tabiya_spec::{Game, library};

/// A test that waits longer has failed.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A running engine and its output.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Self {
        Self::with(&[])
    }

    fn with(arguments: &[&str]) -> Self {
        let mut child = Command::new(cargo_bin("tabiya"))
            .arg("uci")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("it runs");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Engine { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, text: &str) {
        self.say_bytes(format!("{text}\n").as_bytes());
    }

    fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("it listens");
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(TIMEOUT).expect("it answers")
    }

    /// Reads up to the first line with this start.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines.last().is_some_and(|line| line.starts_with(start)) {
            lines.push(self.line());
        }
        lines
    }

    /// Returns the rest of the next line with this start.
    fn after(&self, start: &str) -> String {
        self.until(start)
            .pop()
            .and_then(|line| line.strip_prefix(start).map(str::to_owned))
            .expect("it is there")
    }

    /// Returns the board text.
    fn board(&mut self) -> String {
        self.say("d");
        self.after("Fen: ")
    }

    fn best(&mut self, go: &str) -> String {
        self.say(go);
        self.after("bestmove ")
    }

    /// Closes the input, waits for the end, and returns the last lines.
    fn end(mut self) -> Vec<String> {
        self.input = None;
        let rest = self.lines.iter().collect();
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
        rest
    }
}

fn game(name: &str) -> Game {
    library::load(name).expect("a library game")
}

#[test]
fn uci_lists_name_and_options() {
    let mut engine = Engine::start();
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Tabiya "), "{lines:?}");
    assert_eq!(lines[1], "id author The Tabiya authors");
    assert!(lines[2].starts_with("option name UCI_Variant type combo default chess var almost"), "{lines:?}");
    assert!(lines[2].contains(" var chess var ") && !lines[2].contains("fourplayer"), "{}", lines[2]);
    let players =
        "option name Player type combo default search var random var greedy var mcts var search var level1";
    assert!(lines[3].starts_with(players), "{}", lines[3]);
    assert_eq!(lines[4], "option name Seed type spin default 0 min 0 max 2147483647");
    assert!(lines[5].starts_with("option name Threads type spin default 1 min 1 max "), "{}", lines[5]);
    assert_eq!(lines[6], "option name Hash type spin default 16 min 1 max 4096");
    assert_eq!(lines[7], "option name EvalFile type string default <empty>");
    assert_eq!(lines[8], "option name MultiPV type spin default 1 min 1 max 256");
    assert_eq!(lines[9], "option name Move Overhead type spin default 50 min 0 max 5000");
    assert_eq!(
        lines[10..12],
        ["Ponder", "UCI_ShowWDL"].map(|it| format!("option name {it} type check default false"))
    );
    assert_eq!(lines.len(), 13);
    engine.say("isready");
    assert_eq!(engine.line(), "readyok");
    assert_eq!(engine.end(), [""; 0]);
}

#[test]
fn the_engine_plays_legal_moves() {
    for (name, player) in
        [("chess", "search"), ("gardner", "greedy"), ("capablanca", "search"), ("chess", "random")]
    {
        let game = game(name);
        let rules = &game.rules;
        let mut engine = Engine::start();
        engine.say(&format!(
            "setoption name uci_variant value {name}\nsetoption name Player value {player}\nucinewgame"
        ));
        let mut position = rules.start();
        let mut moves = String::new();
        for _ in 0..12 {
            engine.say(&format!("position startpos moves{moves}"));
            let best = engine.best("go nodes 300");
            if rules.legal_moves(&position).is_empty() {
                assert_eq!(best, "0000");
                break;
            }
            let played = parse_uci(rules, &position, &best).expect("it plays by the rules");
            assert_eq!(uci(rules, &position, played), best);
            position = rules.play_unchecked(&position, played);
            moves = format!("{moves} {best}");
        }
        assert_eq!(engine.end(), [""; 0]);
    }
}

#[test]
fn search_reports_depth_score_and_line() {
    let mut engine = Engine::start();
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo depth 3");
    let lines = engine.until("bestmove");
    assert!(lines[0].starts_with("info depth 1 score mate 1 nodes "), "{lines:?}");
    assert!(lines[0].ends_with(" pv a1a8"), "{lines:?}");
    assert_eq!(lines[1..], ["bestmove a1a8"]);
    engine.say("position startpos\ngo depth 3");
    let lines = engine.until("bestmove");
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[2].starts_with("info depth 3 score cp "), "{lines:?}");
    // The game is over.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 moves a1a8");
    assert_eq!(engine.best("go depth 3"), "0000");
    // For `mcts`, a depth limits the number of simulations.
    engine.say("setoption name Player value mcts\nposition fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    assert_eq!(engine.best("go depth 2"), "a1a8");
}

#[test]
fn a_search_can_be_stopped_and_other_commands_wait() {
    let mut engine = Engine::start();
    engine.say("position startpos moves e2e4\ngo infinite\nisready");
    assert!(engine.until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    // Other commands wait for the end of the search.
    engine.say("position startpos moves d2d4\nd\nisready");
    assert!(engine.until("readyok").iter().all(|line| line.starts_with("info ") || line == "readyok"));
    engine.say("stop");
    let best = engine.after("bestmove ");
    let game = game("chess");
    let asked = parse_state(&game.rules, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert!(parse_uci(&game.rules, &asked.expect("a state").position, &best).is_ok(), "{best}");
    assert_eq!(engine.after("Fen: "), "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1");
    // An infinite search that has found a mate still waits for `stop`.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo infinite");
    assert!(engine.line().starts_with("info depth 1 score mate 1 "));
    engine.say("isready");
    assert_eq!(engine.line(), "readyok");
    assert_eq!(engine.best("stop"), "a1a8");
    engine.say("stop\nisready");
    assert_eq!(engine.line(), "readyok", "no search is running");
}

#[test]
fn a_search_that_is_stopped_at_once_looks_at_every_move() {
    let mut engine = Engine::start();
    for limit in ["infinite\nstop", "wtime 10 btime 10"] {
        engine.say("position startpos moves e2e4 e7e5 d1h5 e8e7");
        engine.say(&format!("go {limit}"));
        let lines = engine.until("bestmove");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove h5e5"), "mate in one: {lines:?}");
        assert!(lines.iter().any(|line| line.contains("score mate 1 ")), "{lines:?}");
    }
}

#[test]
fn the_best_move_is_that_of_the_last_line_shown() {
    let mut engine = Engine::start();
    for lines in ["1", "4"] {
        engine.say(&format!("setoption name MultiPV value {lines}\nposition startpos moves e2e4 e7e5 g1f3"));
        for nodes in [500, 2000, 5000] {
            engine.say(&format!("go nodes {nodes}"));
            let lines = engine.until("bestmove");
            let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
            let is_first = |line: &&String| !line.contains(" multipv ") || line.contains(" multipv 1 ");
            let shown = lines.iter().rev().skip(1).find(is_first).expect("a line");
            assert!(shown.contains(&format!(" pv {best}")), "{best}: {lines:?}");
        }
    }
}

#[test]
fn several_lines_are_reported() {
    let mut engine = Engine::start();
    engine.say("setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true");
    engine.say("position startpos\ngo depth 4 searchmoves e2e4 d2d4 a2a3 h7h8");
    let lines = engine.until("bestmove");
    assert!(lines[0].starts_with("info string `h7h8` is not considered"), "{}", lines[0]);
    let reports: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth 4 ")).collect();
    assert_eq!(reports.len(), 3, "{lines:?}");
    let word_after = |line: &str, name: &str| {
        let mut words = line.split(' ').skip_while(|word| *word != name);
        words.nth(1).expect("it is there").to_owned()
    };
    let mut first_moves: Vec<String> = reports.iter().map(|line| word_after(line, "pv")).collect();
    let ranks: Vec<String> = reports.iter().map(|line| word_after(line, "multipv")).collect();
    assert_eq!(ranks, ["1", "2", "3"]);
    assert_eq!(lines.last(), Some(&format!("bestmove {}", first_moves[0])));
    first_moves.sort_unstable();
    assert_eq!(first_moves, ["a2a3", "d2d4", "e2e4"]);
    for line in reports {
        let shares: u32 = line
            .split(' ')
            .skip_while(|word| *word != "wdl")
            .skip(1)
            .take(3)
            .map(|it| it.parse::<u32>().expect("a number"))
            .sum();
        assert_eq!(shares, 1000, "{line}");
        assert!(line.contains(" seldepth ") && line.contains(" hashfull "), "{line}");
    }
}

#[test]
fn pondering_waits_for_the_clock() {
    let mut engine = Engine::start();
    engine.say("setoption name Ponder value true\nposition startpos\ngo ponder movetime 30\nisready");
    let before = engine.until("readyok");
    assert!(before.iter().all(|line| !line.starts_with("bestmove")));
    // Once it has a line of several moves, it can expect an answer.
    let is_deep = |line: &String| line.starts_with("info depth 3 ");
    if !before.iter().any(is_deep) {
        while !is_deep(&engine.line()) {}
    }
    // A decided search also waits.
    let best = engine.best("ponderhit");
    assert!(best.contains(" ponder "), "{best}");
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo ponder movetime 30");
    assert!(engine.line().starts_with("info depth 1 score mate 1 "));
    engine.say("isready");
    assert_eq!(engine.line(), "readyok");
    assert_eq!(engine.best("ponderhit"), "a1a8");
    engine.say("ponderhit\nisready");
    assert_eq!(engine.line(), "readyok", "no search is running");
}

#[test]
fn the_engine_ends_with_quit_or_its_input() {
    for last in ["quit\n", ""] {
        let mut engine = Engine::start();
        engine.say("go infinite");
        engine.say_bytes(last.as_bytes());
        let lines = engine.end();
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    }
}

#[test]
fn a_limited_search_is_finished_after_the_end_of_the_input() {
    let limits = ["depth 4", "nodes 3000", "movetime 200", "wtime 6000 btime 6000", "mate 2"];
    for limit in limits {
        let mut engine = Engine::start();
        let before = format!("position startpos moves e2e4\ngo {limit}\n");
        engine.say_bytes(before.as_bytes());
        let lines = engine.end();
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{limit}: {lines:?}");
    }
    // Waiting commands are executed as well.
    let mut engine = Engine::start();
    engine.say_bytes(b"go depth 4\nposition startpos moves e2e4\nd\ngo depth 3\ngo infinite");
    let lines = engine.end();
    let deepest = |depth: u32| lines.iter().any(|line| line.starts_with(&format!("info depth {depth} ")));
    assert!(deepest(4), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 3, "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Fen: ")), "{lines:?}");
}

#[test]
fn any_file_can_be_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mygame.json");
    std::fs::write(&file, library::find("gardner").expect("a game").json).expect("written");
    let mut engine = Engine::with(&[file.to_str().expect("text")]);
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines.iter().any(|line| line.starts_with("option name UCI_Variant type combo default mygame var mygame var ")), "{lines:?}");
    engine.say("position startpos");
    let start = engine.board();
    assert!(start.starts_with("rnbqk/"), "{start}");
    assert_ne!(engine.best("go nodes 100"), "0000");
    engine.say("setoption name UCI_Variant value chess");
    assert!(engine.board().starts_with("rnbqkbnr/"));
    engine.say("setoption name UCI_Variant value mygame");
    assert_eq!(engine.board(), start);
}

#[test]
fn time_limits_are_kept() {
    let mut engine = Engine::start();
    for go in [
        "go",
        "go movetime 50",
        "go wtime 300 btime 300",
        "go wtime 100 btime 9000 winc 10 binc 0 movestogo 2",
    ] {
        engine.say("position startpos");
        assert_ne!(engine.best(go), "0000", "{go}");
    }
}

#[test]
fn invalid_input_is_reported_and_changes_nothing() {
    let mut engine = Engine::start();
    let before = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    engine.say("position startpos moves e2e4");
    for (line, why) in [
        ("position startpos moves e2e5", "`e2e5` cannot be played: "),
        ("position startpos moves e2e4 x", "`x` cannot be played: "),
        ("position fen nonsense", ""),
        ("position fen 8/8/8/8/8/8/8/8/8 w - -", ""),
        ("position elsewhere", "write `position startpos moves …`"),
        ("setoption name Ponders value true", "there is no option `Ponders`"),
        ("setoption name Ponder value yes", "`yes` is not one of true, false"),
        ("setoption name MultiPV value 0", "MultiPV must be a number from 1 to 256"),
        ("setoption name Hash value 0", "Hash must be a number from 1 to 4096"),
        ("setoption name Threads value many", "Threads must be a number from 1 to "),
        ("setoption name EvalFile value /nowhere/file.json", "`/nowhere/file.json"),
        ("setoption name Player value serch", "`serch` is not one of random, greedy, mcts, search, level1"),
        ("setoption name UCI_Variant value fourplayer", "`fourplayer` is not one of "),
        ("setoption name Threads value 0", "Threads must be a number from 1 to "),
        ("setoption name Seed value -1", "Seed must be a number from 0 to 2147483647"),
        ("setoption Player", "write `setoption name NAME value VALUE`"),
        ("xyzzy \u{1b}[31m", "there is no command `xyzzy`"),
        (&"x".repeat(70_000), "the line is longer than 65536 bytes"),
    ] {
        engine.say(line);
        let answer = engine.line();
        assert!(answer.starts_with(&format!("info string {why}")), "{answer}");
        assert!(!answer.contains(char::is_control), "{answer}");
        assert_eq!(engine.board(), before, "{why}");
    }
    engine.say_bytes(b"\xff\xfe\n\n  \n");
    assert_eq!(engine.line(), "info string the line is not UTF-8");
    // `go` always gets a move, even with invalid arguments.
    engine.say("go depth two searchmoves e7e5 nodes 50");
    assert_eq!(engine.line(), "info string `depth` needs a number");
    assert_ne!(engine.after("bestmove "), "0000");
}

#[test]
fn castling_is_the_move_of_the_king() {
    let mut engine = Engine::start();
    engine.say("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8");
    assert_eq!(engine.board(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
}

#[test]
fn the_same_seed_gives_the_same_moves() {
    let moves = |seed: u32| {
        let mut engine = Engine::start();
        engine.say(&format!(
            "setoption name Player value random\nsetoption name Seed value {seed}\nposition startpos"
        ));
        (0..8).map(|_| engine.best("go")).collect::<Vec<String>>()
    };
    assert_eq!(moves(5), moves(5));
    assert_ne!(moves(5), moves(6));
}

/// Valid lines.
const VALID: &[&str] = &[
    "uci",
    "ucinewgame",
    "debug on",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 4294967295 4294967295 moves a1a8",
    "setoption name UCI_Variant value gardner",
    "setoption name UCI_Variant value chess",
    "setoption name Player value greedy",
    "setoption name Player value search",
    "setoption name Seed value 7",
    "d",
    "ponderhit",
];

/// Valid `go` lines. The node limit keeps the search short.
const GO: &[&str] = &[
    "go wtime 9 btime 9 winc 0 binc 0 movestogo 1 nodes 20",
    "go depth 64 mate 3 nodes 20",
    "go movetime 5 nodes 20",
    "go infinite nodes 20",
];

/// Returns a valid line with some words and bytes changed, or random words of the protocol, or a very long line.
fn random_line(dice: &mut SplitMix, good: &[&str]) -> Vec<u8> {
    let words: Vec<&str> = VALID.iter().chain(GO).flat_map(|line| line.split(' ')).collect();
    let any = |dice: &mut SplitMix| match dice.below(6) {
        0 => ["-1", "99999999999999999999", "\0", "é", "\u{1b}[31m", "0000"][dice.below(6)],
        _ => words[dice.below(words.len())],
    };
    let mut line: Vec<&str> = good[dice.below(good.len())].split(' ').collect();
    for _ in 0..dice.below(3) {
        let at = dice.below(line.len());
        match dice.below(3) {
            0 => line[at] = any(dice),
            1 => line.truncate(at + 1),
            _ => line.insert(at, any(dice)),
        }
    }
    if dice.below(5) == 0 {
        line = (0..dice.below(12)).map(|_| any(dice)).collect();
    }
    let mut bytes = line.join(" ").into_bytes();
    match dice.below(40) {
        0 => bytes = bytes.repeat(3000),
        1..6 if !bytes.is_empty() => {
            let at = dice.below(bytes.len());
            bytes[at] = dice.next_u64() as u8;
        }
        _ => {}
    }
    bytes.push(b'\n');
    bytes
}

#[test]
fn random_input_does_not_crash_the_engine() {
    let mut dice = SplitMix::new(41);
    let mut engine = Engine::start();
    for _ in 0..100 {
        // Commands, a search, `stop`, and more commands during the search.
        for (good, lines) in [(VALID, 30), (GO, 1), (&["stop"][..], 1), (VALID, 10)] {
            (0..lines).for_each(|_| engine.say_bytes(&random_line(&mut dice, good)));
        }
        engine.say("stop\nisready");
        engine.until("readyok");
    }
    engine.say("stop\nucinewgame\nisready");
    engine.until("readyok");
    engine.end();
}

#[test]
fn every_accepted_position_gets_a_move() {
    let mut dice = SplitMix::new(42);
    let mut engine = Engine::start();
    let positions: Vec<&str> = VALID.iter().copied().filter(|line| line.starts_with("position")).collect();
    for _ in 0..300 {
        engine.say_bytes(&random_line(&mut dice, &positions));
        engine.say("stop\ngo depth 3 nodes 40");
        engine.until("bestmove ");
    }
    engine.end();
}

/// Plays some moves with the engine, and prints their number, whether they are valid, and the mate that it finds.
const SCRIPT: &str = "\
import sys, chess, chess.engine
with chess.engine.SimpleEngine.popen_uci([sys.argv[1], 'uci'], timeout=120) as engine:
    board = chess.Board()
    for limit in [chess.engine.Limit(nodes=500), chess.engine.Limit(depth=2), chess.engine.Limit(time=0.05),
                  chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1)] * 2:
        board.push(engine.play(board, limit).move)
    info = engine.analyse(chess.Board('6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1'), chess.engine.Limit(depth=2))
    castled = chess.Board('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1')
    castled.push_uci('e1g1')
    print(board.ply(), board.is_valid(), info['score'], info['pv'][0], engine.play(castled, chess.engine.Limit(nodes=9)).move in castled.legal_moves)
";

#[test]
fn python_chess_plays_with_the_engine() {
    let Some(python) = crate::common::python() else { return };
    let output =
        Command::new(python).args(["-c", SCRIPT]).arg(cargo_bin("tabiya")).stdin(Stdio::null()).output();
    let run = String::from_utf8(output.expect("python starts").stdout).expect("text");
    assert_eq!(run, "8 True PovScore(Mate(+1), WHITE) a1a8 True\n");
}
