//! Matches with unreliable agents: every game ends in time, for the right reason, and no secret is recorded.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "the output of `cargo xtask prove`")]

mod common;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use common::{assert_gone, rogue};
use tabiya_arena::{AgentOptions, MatchConfig, MatchError, MatchRunner, Openings, Standings};
use tabiya_referee::TimeControl;
use tabiya_referee::record::{Answer, Finish, Line};
use tempfile::TempDir;

const LONG: Duration = Duration::from_secs(10);
/// For agents that run into the timeout.
const SHORT: Duration = Duration::from_millis(300);

/// Returns a match of one game without an opening, in which the first agent starts.
fn config(agents: [&str; 2], time: Duration) -> MatchConfig {
    let chess = tabiya_spec::library::load("chess").expect("a library game");
    let agents = agents.map(|address| address.parse().expect("an address"));
    let time = Some(TimeControl { per_move: Some(time), ..TimeControl::default() });
    let agent_options = AgentOptions { grace: Duration::from_millis(200), ..AgentOptions::default() };
    MatchConfig {
        games: 1,
        openings: Openings::None,
        time,
        agent_options,
        ..MatchConfig::new("chess", chess, agents)
    }
}

fn play(config: &MatchConfig, folder: &Path) -> Standings {
    MatchRunner::open(config, Some(folder)).expect("it opens").play(2, &|_| {}).expect("it is played")
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

/// A mode of the rogue, the possible reasons of its loss, its fault at the end of the game, and the time for a move.
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
    // These repeat their first move.
    ("crlf", &["illegal"], None, LONG),
    ("deaf", &["illegal"], Some("lingered"), LONG),
    ("child", &["illegal"], Some("left_children"), LONG),
    ("stderr", &["illegal"], None, LONG),
];

fn play_rogue((mode, reasons, departure, time): Kind) {
    let (command, tag) = rogue(mode);
    let folder = TempDir::new().expect("a folder");
    let config = config([&format!("process:{command}"), "player:random"], time);
    let standings = play(&config, folder.path());
    let end = finish(folder.path());
    assert!(reasons.contains(&end.reason.as_str()), "{mode}: {end:?}");
    assert_eq!((end.winners, end.by.as_deref()), (Some(vec!["BLACK".to_owned()]), Some("WHITE")), "{mode}");
    let rogue = &standings.agents[0];
    assert_eq!(
        (rogue.losses, rogue.faults(), rogue.lost_by.get(end.reason.as_str())),
        (1, 1, Some(&1)),
        "{mode}"
    );
    assert_eq!(rogue.departures.keys().next().copied(), departure, "{mode}");
    assert_eq!(standings.agents[1].wins, 1, "{mode}");
    assert_gone(&tag, mode);
    // TurnRequest again, the match is over, and the match can be restored from its journal.
    assert_eq!(play(&config, folder.path()), standings, "{mode}");
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
                    play_rogue(*kind);
                }
            });
        }
    });
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// Returns the number of games of each kind: `TABIYA_ROGUES`, or a few.
fn games_each() -> u32 {
    std::env::var("TABIYA_ROGUES").map_or(4, |text| text.parse().expect("TABIYA_ROGUES is a number"))
}

/// Each kind loses all games of a match, for one of its reasons.
#[test]
fn no_kind_of_rogue_blocks_a_match() {
    let (games, start) = (games_each(), Instant::now());
    for (mode, reasons, _, time) in KINDS {
        let (command, tag) = rogue(mode);
        let folder = TempDir::new().expect("a folder");
        let address = format!("process:{command}");
        let config = MatchConfig { games, ..config([&address, "player:random"], time) };
        let runner = MatchRunner::open(&config, Some(folder.path())).expect("it opens");
        let standings = runner.play(8, &|_| {}).expect("it is played");
        let rogue = &standings.agents[0];
        assert_eq!((standings.played, standings.void, rogue.losses), (games, 0, games), "{mode}");
        // A repeated move may be illegal for the first or the second player.
        let known = |reason: &&str| reasons.contains(reason) || *reason == "illegal";
        assert!(rogue.lost_by.keys().all(known), "{mode}: {:?}", rogue.lost_by);
        assert_eq!(rogue.faults(), games, "{mode}");
        assert_gone(&tag, mode);
        let most = Duration::from_secs(5) + (time + Duration::from_millis(500)) * games.div_ceil(8);
        assert!(start.elapsed() < most * KINDS.len() as u32, "{mode}: {:?}", start.elapsed());
    }
    let all = games as usize * KINDS.len();
    println!(
        "{} kinds of rogue, {all} games, all finished in {:.0} s",
        KINDS.len(),
        start.elapsed().as_secs_f64()
    );
}

/// Engines answer with the word after `bestmove`, which the referee interprets.
#[test]
fn an_engine_resigns_or_plays_no_move() {
    for (word, reason, verdict) in [
        ("resign", "resignation", "resign"),
        ("(none)", "illegal", "illegal"),
        ("0000", "illegal", "illegal"),
    ] {
        let (command, tag) = rogue(&format!("'uci-{word}'"));
        let folder = TempDir::new().expect("a folder");
        let config = config([&format!("uci:{command}"), "player:random"], LONG);
        let standings = play(&config, folder.path());
        assert_eq!((standings.agents[1].wins, standings.reasons.get(reason)), (1, Some(&1)), "{word}");
        let answers = answers(folder.path());
        let [answer] = &answers[..] else { panic!("{word}: {answers:?}") };
        assert_eq!((answer.output.as_deref(), answer.verdict.word()), (Some(word), verdict), "{word}");
        assert_gone(&tag, word);
    }
}

#[test]
fn rogues_play_rogues() {
    let (first, tag) = rogue("twice");
    let (second, other) = rogue("exits");
    let addresses = [&first, &second].map(|command| format!("process:{command}"));
    let config = MatchConfig { games: 8, ..config([&addresses[0], &addresses[1]], LONG) };
    let folder = TempDir::new().expect("a folder");
    let standings = play(&config, folder.path());
    assert_eq!(standings.played, 8);
    assert_eq!(standings.agents[0].lost_by.get("unsolicited"), Some(&4), "the first player fails first");
    assert_eq!(standings.agents[1].lost_by.get("exited"), Some(&4));
    assert_gone(&tag, "twice");
    assert_gone(&other, "exits");
}

/// Returns the address of an agent that is a shell script.
fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    format!("process:sh '{}'", path.display())
}

/// In a game for four players, each agent has two seats.
#[test]
fn a_fault_at_one_seat_loses_all_seats_of_the_agent() {
    let folder = TempDir::new().expect("a folder");
    let game = tabiya_spec::library::load("fourplayer").expect("a library game");
    for (name, text, reason) in [("resigns", RESIGN, "resignation"), ("leaves", "exit 1", "exited")] {
        let agent = script(folder.path(), name, &format!("read a; {text}; read b"));
        let config = MatchConfig {
            label: "fourplayer".to_owned(),
            game: game.clone(),
            ..config([&agent, "player:random"], LONG)
        };
        let path = folder.path().join(reason);
        let standings = play(&config, &path);
        assert_eq!(finish(&path).winners, Some(vec!["BLUE".to_owned(), "GREEN".to_owned()]), "{reason}");
        let pgn = fs::read_to_string(path.join("games.pgn")).expect("the games");
        assert!(pgn.contains("[Result \"0-1-0-1\"]"), "{pgn}");
        assert_eq!((standings.agents[0].losses, standings.agents[1].wins), (1, 1), "{reason}");
        assert_eq!(play(&config, &path), standings, "{reason}: the match can be restored from its journal");
    }
}

const RESIGN: &str = r#"echo '{"action":"resign"}'"#;

#[test]
fn a_retry_contains_the_reason() {
    let folder = TempDir::new().expect("a folder");
    let seen = folder.path().join("seen");
    let text = format!("read a; echo nonsense; read b; echo \"$b\" > '{}'; {RESIGN}; read c", seen.display());
    let agent = script(folder.path(), "agent", &text);
    let strict = config([&agent, "player:random"], LONG);
    let standings = play(&strict, &folder.path().join("strict"));
    assert_eq!(standings.agents[0].lost_by.get("malformed"), Some(&1));

    let forgiving = MatchConfig { retries: 1, ..strict };
    let standings = play(&forgiving, &folder.path().join("forgiving"));
    assert_eq!((standings.agents[0].forgiven, standings.agents[0].faults()), (1, 0));
    assert_eq!(standings.reasons.get("resignation"), Some(&1));
    let said = fs::read_to_string(seen).expect("a retry");
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
        let config = MatchConfig { retries: 1, ..config([&agent, "player:random"], LONG) };
        let path = folder.path().join(format!("match-{name}"));
        let standings = play(&config, &path);
        assert_eq!((standings.agents[0].forgiven, standings.agents[0].faults()), (1, 0), "{name}");
        assert_eq!(standings.reasons.get("resignation"), Some(&1), "{name}");
        let said = fs::read_to_string(&seen).expect("a retry");
        assert!(said.starts_with(r#"{"refused":{"rule":"malformed","why":"malformed: "#), "{said}");
        assert_eq!(play(&config, &path), standings, "{name}: the match can be restored from its journal");
    }
}

#[test]
fn a_model_without_content_is_asked_again() {
    for silence in [r#"{"choices":[{"message":{"content":null}}]}"#, r#"{"choices":[{"message":{}}]}"#, "{}"]
    {
        let folder = TempDir::new().expect("a folder");
        let model = format!("chat:{}#model", server(silence.to_owned()));
        let config = MatchConfig { retries: 2, ..config([&model, "player:random"], LONG) };
        let standings = play(&config, folder.path());
        assert_eq!(standings.agents[0].lost_by.get("malformed"), Some(&1), "{silence}");
        let forgiven: Vec<bool> = answers(folder.path()).iter().map(|answer| answer.forgiven).collect();
        assert_eq!(forgiven, [true, true, false], "{silence}");
        assert_eq!(
            play(&config, folder.path()),
            standings,
            "{silence}: the match can be restored from its journal"
        );
    }
}

/// Returns the `go` commands that an engine receives with a time control. It plays one move.
fn go_commands(folder: &Path, time: TimeControl) -> Vec<String> {
    let heard = folder.join("heard");
    let text = format!(
        "while read a; do echo \"$a\" >> '{}'; case $a in uci) echo uciok;; isready) echo readyok;; \
         go*) echo bestmove e2e4;; esac; done",
        heard.display()
    );
    let engine = script(folder, "engine", &text).replacen("process:", "uci:", 1);
    let config = MatchConfig { time: Some(time), max_plies: 1, ..config([&engine, "player:random"], LONG) };
    play(&config, &folder.join("match"));
    let heard = fs::read_to_string(heard).expect("it was asked");
    heard.lines().filter(|line| line.starts_with("go")).map(str::to_owned).collect()
}

#[test]
fn engines_receive_the_limit_of_a_move_and_their_clocks() {
    let times = [
        ("60+1", Some(500), "go wtime 5000 btime 5000 winc 250 binc 250 movetime 450"),
        ("2+0", Some(5000), "go wtime 2000 btime 2000 winc 0 binc 0 movetime 1900"),
        ("60+1", None, "go wtime 60000 btime 60000 winc 1000 binc 1000"),
    ];
    for (control, per_move, line) in times {
        let folder = TempDir::new().expect("a folder");
        let control: TimeControl = control.parse().expect("a time control");
        let time = TimeControl { per_move: per_move.map(Duration::from_millis), ..control };
        assert_eq!(go_commands(folder.path(), time), [line]);
    }
}

#[test]
fn prose_is_accepted_in_lenient_matches() {
    let folder = TempDir::new().expect("a folder");
    let text = r#"read a; echo 'I think {"from":"e2","to":"e4","promotion":null} is best.'; read b"#;
    let agent = script(folder.path(), "agent", &format!("{text}; {RESIGN}; read c"));
    let strict = config([&agent, "player:random"], LONG);
    let standings = play(&strict, &folder.path().join("strict"));
    assert_eq!(standings.reasons.get("malformed"), Some(&1));
    let lenient = MatchConfig { lenient: true, ..strict };
    let path = folder.path().join("lenient");
    let standings = play(&lenient, &path);
    assert_eq!(standings.reasons.get("resignation"), Some(&1));
    let answers = answers(&path);
    assert_eq!(
        (answers[0].played.as_deref(), answers[0].extracted),
        (Some("e2e4"), true),
        "the record notes it"
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
    let standings = play(&config([&offers, &accepts], LONG), &path);
    assert_eq!(standings.reasons.get("agreement"), Some(&1));
    assert_eq!((standings.agents[0].draws, standings.agents[1].draws), (1, 1));
    let words: Vec<&str> = answers(&path).iter().map(|answer| answer.verdict.word()).collect();
    assert_eq!(words, ["offer", "move", "accept"]);
}

#[test]
fn an_agent_that_never_starts_stops_the_match_and_a_later_failure_loses() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("never");
    let never = config(["player:random", "process:no-such-program-anywhere"], LONG);
    let error =
        MatchRunner::open(&never, Some(&path)).expect("it opens").play(1, &|_| {}).expect_err("no agent");
    assert!(matches!(error, MatchError::CouldNotStart { .. }), "{error}");
    assert!(
        error.to_string().starts_with("process:no-such-program-anywhere could not be started"),
        "{error}"
    );
    // No game was played, so the folder can be used for another match.
    play(&config(["player:random", "player:random"], LONG), &path);

    // The link to the program exists for the first game only.
    let link = folder.path().join("once");
    std::os::unix::fs::symlink("/bin/sh", &link).expect("a link");
    let text = format!("rm -- '{}'; read a; {RESIGN}; read b", link.display());
    let once = script(folder.path(), "agent", &text).replacen("sh ", &format!("'{}' ", link.display()), 1);
    let config = MatchConfig { games: 2, ..config([&once, "player:random"], LONG) };
    let runner = MatchRunner::open(&config, None).expect("it opens");
    let standings = runner.play(1, &|_| {}).expect("it is played");
    assert_eq!(standings.agents[0].lost_by.get("could_not_start"), Some(&1), "{standings:?}");
    assert_eq!(standings.reasons.get("resignation"), Some(&1));
}

#[test]
fn an_unreachable_agent_voids_the_game_after_three_attempts() {
    let folder = TempDir::new().expect("a folder");
    // The port is closed again.
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let address = format!("http:http://127.0.0.1:{port}/");
    let standings = play(&config([&address, "player:random"], SHORT), folder.path());
    assert_eq!((standings.played, standings.void, standings.agents[0].voids), (0, 1, 3));
    assert_eq!(standings.agents[1].wins, 0, "a void game has no winner");
    let attempts: Vec<u32> = lines(folder.path())
        .into_iter()
        .filter_map(|line| if let Line::Start(header) = line { Some(header.attempt) } else { None })
        .collect();
    assert_eq!(attempts, [1, 2, 3]);
    assert_eq!(finish(folder.path()).winners, None);
}

/// Serves replies that contain the key.
fn leaking_model(key: &str) -> String {
    let content = format!("my key is {key}");
    server(serde_json::json!({ "choices": [{ "message": { "content": content } }] }).to_string())
}

/// Answers every request with the same body.
fn server(reply: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // Read the whole request, whose content does not matter.
            let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
            let mut request = vec![0; 1 << 16];
            while stream.read(&mut request).is_ok_and(|count| count > 0) {}
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{reply}", reply.len());
        }
    });
    url
}

#[test]
fn no_secret_is_recorded() {
    // Cargo sets this variable for every test; here it is the key.
    const VARIABLE: &str = "CARGO_MANIFEST_DIR";
    let key = std::env::var(VARIABLE).expect("cargo sets it");
    let (command, _) = rogue("leaks");
    let in_command = format!("process:{command} --key={key}");
    let model = format!("chat:{}#model", leaking_model(&key));
    let folder = TempDir::new().expect("a folder");
    for (number, agent) in [in_command, model].iter().enumerate() {
        let mut config = config([agent, "player:random"], LONG);
        config.agent_options.environment = vec![VARIABLE.to_owned()];
        config.agent_options.key_variable = VARIABLE.to_owned();
        let path = folder.path().join(number.to_string());
        let standings = play(&config, &path);
        assert_eq!(standings.reasons.get("malformed"), Some(&1));
        let mut files = 0;
        for entry in fs::read_dir(&path).expect("a folder") {
            let entry = entry.expect("a file");
            let text = fs::read_to_string(entry.path()).expect("text");
            assert!(!text.contains(&key), "{:?} of {agent}", entry.file_name());
            files += 1;
        }
        assert_eq!(files, 4, "games.jsonl, games.pgn, table.json, match.json");
        let output = answers(&path)[0].output.clone().expect("an output");
        assert!(output.contains("[CARGO_MANIFEST_DIR]"), "{output}");
        // The match can be resumed.
        assert_eq!(play(&config, &path), standings);
    }
}
