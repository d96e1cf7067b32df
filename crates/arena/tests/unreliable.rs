//! Matches with agents that cannot be relied upon: every game ends in time, for the right reason, and nothing secret is
//! written down.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "the figure of `cargo xtask prove`")]

mod common;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use common::{assert_gone, rogue};
use tabiya_arena::{Match, MatchError, Meeting, Openings, Table, Terms};
use tabiya_referee::TimeControl;
use tabiya_referee::record::{Answer, Finish, Line};
use tempfile::TempDir;

const LONG: Duration = Duration::from_secs(10);
/// For those who have to be waited for.
const SHORT: Duration = Duration::from_millis(300);

/// A match of one game without an opening, in which the first agent begins.
fn contest(agents: [&str; 2], time: Duration) -> Match {
    let chess = tabiya_spec::library::load("chess").expect("a library game");
    let agents = agents.map(|address| address.parse().expect("an address"));
    let time = Some(TimeControl { per_move: Some(time), ..TimeControl::default() });
    let terms = Terms { grace: Duration::from_millis(200), ..Terms::default() };
    Match { games: 1, openings: Openings::None, time, terms, ..Match::new("chess", chess, agents) }
}

fn play(contest: &Match, folder: &Path) -> Table {
    Meeting::open(contest, Some(folder)).expect("it opens").play(2, &|_| {}).expect("it is played")
}

fn lines(folder: &Path) -> Vec<Line> {
    let text = fs::read_to_string(folder.join("games.jsonl")).expect("the journal");
    text.lines().map(|line| Line::parse(line).expect(line)).collect()
}

fn answers(folder: &Path) -> Vec<Answer> {
    let answer = |line| if let Line::Answer(answer) = line { Some(answer) } else { None };
    lines(folder).into_iter().filter_map(answer).collect()
}

fn finish(folder: &Path) -> Finish {
    let finish = |line| if let Line::End(finish) = line { Some(finish) } else { None };
    lines(folder).into_iter().find_map(finish).expect("an end")
}

/// A way to misbehave, the reasons for which it may lose, what is said about its leaving, and how long it is waited for.
type Kind = (&'static str, &'static [&'static str], Option<&'static str>, Duration);

const KINDS: [Kind; 29] = [
    ("silent", &["timeout"], None, SHORT),
    ("late", &["timeout"], None, SHORT),
    ("exits", &["exited"], None, LONG),
    ("exits-asked", &["exited"], None, LONG),
    ("exits-after", &["exited"], None, LONG),
    ("crashes", &["exited"], None, LONG),
    ("faults", &["exited"], None, LONG),
    ("orphans", &["exited"], None, LONG),
    ("half-exits", &["exited"], None, LONG),
    ("floods", &["too_long"], None, LONG),
    ("long", &["malformed"], None, LONG),
    ("too-long", &["too_long"], None, LONG),
    ("floods-lines", &["unsolicited"], None, LONG),
    ("twice", &["unsolicited"], None, LONG),
    ("unasked", &["unsolicited", "illegal"], None, LONG),
    ("not-utf8", &["malformed"], None, LONG),
    ("nul", &["malformed"], None, LONG),
    ("empty", &["malformed"], None, LONG),
    ("echo", &["malformed"], None, LONG),
    ("closes-output", &["closed"], None, LONG),
    ("stops", &["timeout"], None, SHORT),
    ("half", &["timeout"], None, SHORT),
    ("drips", &["timeout"], None, SHORT),
    ("spins", &["timeout"], None, SHORT),
    ("never-reads", &["timeout"], None, SHORT),
    // These play well once and then repeat themselves.
    ("crlf", &["illegal"], None, LONG),
    ("deaf", &["illegal"], Some("lingered"), LONG),
    ("child", &["illegal"], Some("left_children"), LONG),
    ("stderr", &["illegal"], None, LONG),
];

fn meets_a_rogue((mode, reasons, departure, time): Kind) {
    let (launch, tag) = rogue(mode);
    let folder = TempDir::new().expect("a folder");
    let contest = contest([&format!("process:{}", launch.command), "player:random"], time);
    let table = play(&contest, folder.path());
    let end = finish(folder.path());
    assert!(reasons.contains(&end.reason.as_str()), "{mode}: {end:?}");
    assert_eq!((end.winners, end.by.as_deref()), (Some(vec!["BLACK".to_owned()]), Some("WHITE")), "{mode}");
    let rogue = &table.agents[0];
    assert_eq!(
        (rogue.losses, rogue.faults(), rogue.lost_by.get(end.reason.as_str())),
        (1, 1, Some(&1)),
        "{mode}"
    );
    assert_eq!(rogue.departures.keys().next().copied(), departure, "{mode}");
    assert_eq!(table.agents[1].wins, 1, "{mode}");
    assert_gone(&tag, mode);
    // Asked again, the match is over, and what was written is believed.
    assert_eq!(play(&contest, folder.path()), table, "{mode}");
}

#[test]
fn every_kind_of_rogue_loses_in_time() {
    let start = Instant::now();
    let kinds = Mutex::new(KINDS.iter());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let next = kinds.lock().expect("kinds").next();
                    let Some(kind) = next else { return };
                    meets_a_rogue(*kind);
                }
            });
        }
    });
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// How many games each kind plays in a match: `TABIYA_ROGUES`, or a few.
fn games_each() -> u32 {
    std::env::var("TABIYA_ROGUES").map_or(4, |text| text.parse().expect("TABIYA_ROGUES is a number"))
}

/// A whole match against each kind, some games at once: all are lost by it, for a reason that it may have.
#[test]
fn no_kind_of_rogue_hangs_a_match() {
    let (games, start) = (games_each(), Instant::now());
    for (mode, reasons, _, time) in KINDS {
        let (launch, tag) = rogue(mode);
        let folder = TempDir::new().expect("a folder");
        let address = format!("process:{}", launch.command);
        let contest = Match { games, ..contest([&address, "player:random"], time) };
        let meeting = Meeting::open(&contest, Some(folder.path())).expect("it opens");
        let table = meeting.play(8, &|_| {}).expect("it is played");
        let rogue = &table.agents[0];
        assert_eq!((table.played, table.void, rogue.losses), (games, 0, games), "{mode}");
        // Of those who repeat one and the same move, one is illegal as the second player, and another as the first.
        let known = |reason: &&str| reasons.contains(reason) || *reason == "illegal";
        assert!(rogue.lost_by.keys().all(known), "{mode}: {:?}", rogue.lost_by);
        assert_eq!(rogue.faults(), games, "{mode}");
        assert_gone(&tag, mode);
        let most = Duration::from_secs(5) + (time + Duration::from_millis(500)) * games.div_ceil(8);
        assert!(start.elapsed() < most * KINDS.len() as u32, "{mode}: {:?}", start.elapsed());
    }
    let all = games as usize * KINDS.len();
    println!(
        "{} kinds of rogue, {all} games, every one over, after {:.0} s",
        KINDS.len(),
        start.elapsed().as_secs_f64()
    );
}

#[test]
fn rogues_meet_rogues() {
    let (first, tag) = rogue("twice");
    let (second, other) = rogue("exits");
    let addresses = [&first, &second].map(|launch| format!("process:{}", launch.command));
    let contest = Match { games: 8, ..contest([&addresses[0], &addresses[1]], LONG) };
    let folder = TempDir::new().expect("a folder");
    let table = play(&contest, folder.path());
    assert_eq!(table.played, 8);
    assert_eq!(table.agents[0].lost_by.get("unsolicited"), Some(&4), "whoever begins, fails first");
    assert_eq!(table.agents[1].lost_by.get("exited"), Some(&4));
    assert_gone(&tag, "twice");
    assert_gone(&other, "exits");
}

/// An agent that is a few lines of shell.
fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    format!("process:sh '{}'", path.display())
}

/// In a game for four, the first agent has two seats.
#[test]
fn who_fails_at_one_seat_has_lost_at_all_of_them() {
    let folder = TempDir::new().expect("a folder");
    let game = tabiya_spec::library::load("fourplayer").expect("a library game");
    for (name, text, reason) in [("resigns", RESIGN, "resignation"), ("leaves", "exit 1", "exited")] {
        let agent = script(folder.path(), name, &format!("read a; {text}; read b"));
        let contest = Match {
            label: "fourplayer".to_owned(),
            game: game.clone(),
            ..contest([&agent, "player:random"], LONG)
        };
        let path = folder.path().join(reason);
        let table = play(&contest, &path);
        assert_eq!(finish(&path).winners, Some(vec!["BLUE".to_owned(), "GREEN".to_owned()]), "{reason}");
        let sheet = fs::read_to_string(path.join("games.pgn")).expect("the games");
        assert!(sheet.contains("[Result \"0-1-0-1\"]"), "{sheet}");
        assert_eq!((table.agents[0].losses, table.agents[1].wins), (1, 1), "{reason}");
        assert_eq!(play(&contest, &path), table, "{reason}: what was written is believed");
    }
}

const RESIGN: &str = r#"echo '{"action":"resign"}'"#;

#[test]
fn a_second_chance_comes_with_the_reason() {
    let folder = TempDir::new().expect("a folder");
    let seen = folder.path().join("seen");
    let text = format!("read a; echo nonsense; read b; echo \"$b\" > '{}'; {RESIGN}; read c", seen.display());
    let agent = script(folder.path(), "agent", &text);
    let strict = contest([&agent, "player:random"], LONG);
    let table = play(&strict, &folder.path().join("strict"));
    assert_eq!(table.agents[0].lost_by.get("malformed"), Some(&1));

    let forgiving = Match { retries: 1, ..strict };
    let table = play(&forgiving, &folder.path().join("forgiving"));
    assert_eq!((table.agents[0].forgiven, table.agents[0].faults()), (1, 0));
    assert_eq!(table.reasons.get("resignation"), Some(&1));
    let said = fs::read_to_string(seen).expect("it was asked again");
    assert!(said.starts_with(r#"{"refused":{"rule":"malformed","why":""#), "{said}");
    let answers = answers(&folder.path().join("forgiving"));
    assert_eq!(answers.iter().map(|answer| answer.forgiven).collect::<Vec<_>>(), [true, false]);
    assert_eq!(answers.iter().map(|answer| answer.ply).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn every_malformed_answer_is_forgiven_alike() {
    let folder = TempDir::new().expect("a folder");
    let seen = folder.path().join("seen");
    for (name, bytes) in
        [("binary", r"\377\376\n"), ("nul", r"{\000}\n"), ("empty", r"\n"), ("text", r"e4\n")]
    {
        let text =
            format!("read a; printf '{bytes}'; read b; echo \"$b\" > '{}'; {RESIGN}; read c", seen.display());
        let agent = script(folder.path(), name, &text);
        let contest = Match { retries: 1, ..contest([&agent, "player:random"], LONG) };
        let path = folder.path().join(format!("match-{name}"));
        let table = play(&contest, &path);
        assert_eq!((table.agents[0].forgiven, table.agents[0].faults()), (1, 0), "{name}");
        assert_eq!(table.reasons.get("resignation"), Some(&1), "{name}");
        let said = fs::read_to_string(&seen).expect("it was asked again");
        assert!(said.starts_with(r#"{"refused":{"rule":"malformed","why":"malformed: "#), "{said}");
        assert_eq!(play(&contest, &path), table, "{name}: what was written is believed");
    }
}

#[test]
fn a_model_that_says_nothing_is_asked_again() {
    for silence in [r#"{"choices":[{"message":{"content":null}}]}"#, r#"{"choices":[{"message":{}}]}"#, "{}"]
    {
        let folder = TempDir::new().expect("a folder");
        let model = format!("chat:{}#model", server(silence.to_owned()));
        let contest = Match { retries: 2, ..contest([&model, "player:random"], LONG) };
        let table = play(&contest, folder.path());
        assert_eq!(table.agents[0].lost_by.get("malformed"), Some(&1), "{silence}");
        let forgiven: Vec<bool> = answers(folder.path()).iter().map(|answer| answer.forgiven).collect();
        assert_eq!(forgiven, [true, true, false], "{silence}");
        assert_eq!(play(&contest, folder.path()), table, "{silence}: what was written is believed");
    }
}

/// What an engine is told with these clocks, in lines that begin with `go`. It plays one move.
fn told(folder: &Path, time: TimeControl) -> Vec<String> {
    let heard = folder.join("heard");
    let text = format!(
        "while read a; do echo \"$a\" >> '{}'; case $a in uci) echo uciok;; isready) echo readyok;; \
         go*) echo bestmove e2e4;; esac; done",
        heard.display()
    );
    let engine = script(folder, "engine", &text).replacen("process:", "uci:", 1);
    let contest = Match { time: Some(time), max_plies: 1, ..contest([&engine, "player:random"], LONG) };
    play(&contest, &folder.join("match"));
    let heard = fs::read_to_string(heard).expect("it was asked");
    heard.lines().filter(|line| line.starts_with("go")).map(str::to_owned).collect()
}

#[test]
fn an_engine_is_told_the_limit_of_a_move_beside_its_clocks() {
    let times = [
        ("60+1", Some(500), "go wtime 5000 btime 5000 winc 250 binc 250 movetime 450"),
        ("2+0", Some(5000), "go wtime 2000 btime 2000 winc 0 binc 0 movetime 1900"),
        ("60+1", None, "go wtime 60000 btime 60000 winc 1000 binc 1000"),
    ];
    for (control, per_move, line) in times {
        let folder = TempDir::new().expect("a folder");
        let control: TimeControl = control.parse().expect("a time control");
        let time = TimeControl { per_move: per_move.map(Duration::from_millis), ..control };
        assert_eq!(told(folder.path(), time), [line]);
    }
}

#[test]
fn prose_is_forgiven_where_that_was_agreed() {
    let folder = TempDir::new().expect("a folder");
    let text = r#"read a; echo 'I think {"from":"e2","to":"e4","promotion":null} is best.'; read b"#;
    let agent = script(folder.path(), "agent", &format!("{text}; {RESIGN}; read c"));
    let strict = contest([&agent, "player:random"], LONG);
    let table = play(&strict, &folder.path().join("strict"));
    assert_eq!(table.reasons.get("malformed"), Some(&1));
    let lenient = Match { lenient: true, ..strict };
    let path = folder.path().join("lenient");
    let table = play(&lenient, &path);
    assert_eq!(table.reasons.get("resignation"), Some(&1));
    let answers = answers(&path);
    assert_eq!(
        (answers[0].played.as_deref(), answers[0].extracted),
        (Some("e2e4"), true),
        "the record says so"
    );
    assert!(!answers[1].extracted);
}

#[test]
fn draws_are_agreed_on() {
    let folder = TempDir::new().expect("a folder");
    let offers = r#"read a; echo '{"action":"offer_draw"}'; read b; echo '{"from":"e2","to":"e4","promotion":null}'; read c"#;
    let accepts = r#"read a; echo '{"action":"accept_draw"}'; read b"#;
    let offers = script(folder.path(), "offers", offers);
    let accepts = script(folder.path(), "accepts", accepts);
    let path = folder.path().join("match");
    let table = play(&contest([&offers, &accepts], LONG), &path);
    assert_eq!(table.reasons.get("agreement"), Some(&1));
    assert_eq!((table.agents[0].draws, table.agents[1].draws), (1, 1));
    let words: Vec<&str> = answers(&path).iter().map(|answer| answer.verdict.word()).collect();
    assert_eq!(words, ["offer", "move", "accept"]);
}

#[test]
fn who_never_comes_breaks_the_match_off_and_who_stays_away_later_loses() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("never");
    let never = contest(["player:random", "process:no-such-program-anywhere"], LONG);
    let error =
        Meeting::open(&never, Some(&path)).expect("it opens").play(1, &|_| {}).expect_err("nobody comes");
    assert!(matches!(error, MatchError::CouldNotStart { .. }), "{error}");
    assert!(
        error.to_string().starts_with("process:no-such-program-anywhere could not be started"),
        "{error}"
    );
    // Nothing was played, so another command may be given in the same folder.
    play(&contest(["player:random", "player:random"], LONG), &path);

    // The way to the program is there for the first game only.
    let way = folder.path().join("once");
    std::os::unix::fs::symlink("/bin/sh", &way).expect("a link");
    let text = format!("rm -- '{}'; read a; {RESIGN}; read b", way.display());
    let once = script(folder.path(), "agent", &text).replacen("sh ", &format!("'{}' ", way.display()), 1);
    let contest = Match { games: 2, ..contest([&once, "player:random"], LONG) };
    let meeting = Meeting::open(&contest, None).expect("it opens");
    let table = meeting.play(1, &|_| {}).expect("it is played");
    assert_eq!(table.agents[0].lost_by.get("could_not_start"), Some(&1), "{table:?}");
    assert_eq!(table.reasons.get("resignation"), Some(&1));
}

#[test]
fn a_game_without_transport_is_played_again_and_then_void() {
    let folder = TempDir::new().expect("a folder");
    // Nobody listens there any more.
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let address = format!("http:http://127.0.0.1:{port}/");
    let table = play(&contest([&address, "player:random"], SHORT), folder.path());
    assert_eq!((table.played, table.void, table.agents[0].voids), (0, 1, 3));
    assert_eq!(table.agents[1].wins, 0, "transport is not chess");
    let attempts: Vec<u32> = lines(folder.path())
        .into_iter()
        .filter_map(|line| if let Line::Start(header) = line { Some(header.attempt) } else { None })
        .collect();
    assert_eq!(attempts, [1, 2, 3]);
    assert_eq!(finish(folder.path()).winners, None);
}

/// Answers every request with a reply that holds the key.
fn indiscreet_model(key: &str) -> String {
    let content = format!("my key is {key}");
    server(serde_json::json!({ "choices": [{ "message": { "content": content } }] }).to_string())
}

/// Answers every request with this body.
fn server(reply: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // The head and the body come in one piece or two; what they say does not matter.
            let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
            let mut request = vec![0; 1 << 16];
            while stream.read(&mut request).is_ok_and(|count| count > 0) {}
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{reply}", reply.len());
        }
    });
    url
}

#[test]
fn no_secret_is_written_down() {
    // A variable that cargo sets for every test, in the part of a key.
    const VARIABLE: &str = "CARGO_MANIFEST_DIR";
    let key = std::env::var(VARIABLE).expect("cargo sets it");
    let (launch, _) = rogue("leaks");
    let in_command = format!("process:{} --key={key}", launch.command);
    let model = format!("chat:{}#model", indiscreet_model(&key));
    let folder = TempDir::new().expect("a folder");
    for (number, agent) in [in_command, model].iter().enumerate() {
        let mut contest = contest([agent, "player:random"], LONG);
        contest.terms.environment = vec![VARIABLE.to_owned()];
        contest.terms.key_variable = VARIABLE.to_owned();
        let path = folder.path().join(number.to_string());
        let table = play(&contest, &path);
        assert_eq!(table.reasons.get("malformed"), Some(&1));
        let mut files = 0;
        for entry in fs::read_dir(&path).expect("a folder") {
            let entry = entry.expect("a file");
            let text = fs::read_to_string(entry.path()).expect("text");
            assert!(!text.contains(&key), "{:?} of {agent}", entry.file_name());
            files += 1;
        }
        assert_eq!(files, 4, "journal, games, table, settings");
        let output = answers(&path)[0].output.clone().expect("an output");
        assert!(output.contains("[CARGO_MANIFEST_DIR]"), "{output}");
        // The same match can go on.
        assert_eq!(play(&contest, &path), table);
    }
}
