//! Agents that misbehave in every way we know lose for the right reason, in time, and leave nothing behind.
#![cfg(target_os = "linux")]

mod common;

use std::time::{Duration, Instant};

use common::{SLACK, assert_gone, living, rogue, timed};
use tabiya_arena::{Agent, Farewell, Fault, Launch, Limits, ProcessAgent, Question};

const STATE: &str = r#"{"board":{"e1":"K","e8":"k"},"turn":"white"}"#;
const GRACE: Duration = Duration::from_millis(300);
/// For those who answer or fail by themselves; a busy machine may need a while to start them.
const LONG: Duration = Duration::from_secs(5);
/// For those who have to be waited for.
const SHORT: Duration = Duration::from_millis(150);

/// A rogue at the board.
struct Game {
    mode: String,
    agent: ProcessAgent,
    tag: String,
}

impl Game {
    fn new(mode: &str) -> Self {
        Self::with(mode, |_| {})
    }

    fn with(mode: &str, change: impl FnOnce(&mut Launch)) -> Self {
        let (mut launch, tag) = rogue(mode);
        change(&mut launch);
        let agent = ProcessAgent::start(&launch, GRACE).expect("the rogue starts");
        Self { mode: mode.into(), agent, tag }
    }

    /// Asks, and sees to it that the answer comes in time.
    fn ask(&mut self, time: Duration) -> Result<String, Fault> {
        self.ask_line(STATE, time)
    }

    fn ask_line(&mut self, line: &str, time: Duration) -> Result<String, Fault> {
        let question = Question::new(line, Instant::now() + time);
        let (answer, took) = timed(|| self.agent.ask(&question));
        assert!(took <= time + SLACK, "{}: the fault was told after {took:?}", self.mode);
        answer
    }

    fn word(&mut self, time: Duration) -> &'static str {
        self.ask(time).expect_err(&self.mode).word()
    }

    fn finish(mut self) -> Farewell {
        let farewell = self.agent.finish();
        assert!(farewell.gone, "{}", self.mode);
        assert_gone(&self.tag, &self.mode);
        assert_eq!(self.agent.finish(), farewell, "{}: twice", self.mode);
        farewell
    }
}

/// Plays until the fault, which must be this one, in the question of this number.
fn loses(mode: &str, word: &str, question: usize, time: Duration) -> Farewell {
    let mut game = Game::new(mode);
    for _ in 1..question {
        game.ask(LONG).expect(mode);
        // Who misbehaves after an answer needs a moment for it.
        std::thread::sleep(Duration::from_millis(80));
    }
    assert_eq!(game.word(time), word, "{mode}");
    assert_eq!(game.word(time), word, "{mode}: done for is done for");
    let farewell = game.finish();
    assert_eq!(farewell.fault.as_ref().map(Fault::word), Some(word), "{mode}");
    farewell
}

/// Plays on, and is found guilty only when it leaves.
fn leaves(mode: &str, word: Option<&str>) -> Farewell {
    let mut game = Game::new(mode);
    game.ask(LONG).expect(mode);
    // Children that hide need a moment for it.
    std::thread::sleep(Duration::from_millis(80));
    let farewell = game.finish();
    assert_eq!(farewell.fault.as_ref().map(Fault::word), word, "{mode}");
    farewell
}

#[test]
fn silent() {
    loses("silent", "timeout", 1, SHORT);
}

#[test]
fn late() {
    let mut game = Game::new("late");
    assert_eq!(game.word(SHORT), "timeout");
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(game.word(LONG), "timeout", "a late answer is never taken for the next turn");
    game.finish();
}

#[test]
fn exits_at_once() {
    let farewell = loses("exits", "exited", 1, LONG);
    assert_eq!(farewell.exit.as_deref(), Some("exit status: 3"));
}

#[test]
fn exits_when_asked() {
    loses("exits-asked", "exited", 1, LONG);
}

#[test]
fn exits_after_a_move() {
    loses("exits-after", "exited", 2, LONG);
}

#[test]
fn exits_after_its_last_move() {
    leaves("exits-after", None);
}

#[test]
fn crashes() {
    let farewell = loses("crashes", "exited", 1, LONG);
    assert!(farewell.exit.unwrap().contains("SIGABRT"));
    let farewell = loses("faults", "exited", 1, LONG);
    assert!(farewell.exit.unwrap().contains("SIGILL"));
}

#[test]
fn closes_its_output() {
    loses("closes-output", "closed", 1, LONG);
}

#[test]
fn closes_its_input() {
    let mut game = Game::new("closes-input");
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(game.word(LONG), "closed");
    game.finish();
}

#[test]
fn exits_but_its_child_holds_the_pipes() {
    loses("stays", "exited", 1, LONG);
    let mut game = Game::new("stays");
    let fault = game.ask_line(&"x".repeat(1 << 20), LONG).unwrap_err();
    assert_eq!(fault.word(), "exited", "more than a pipe holds");
    game.finish();
}

#[test]
fn floods() {
    loses("floods", "too_long", 1, LONG);
    loses("too-long", "too_long", 1, LONG);
}

#[test]
fn floods_with_lines() {
    loses("floods-lines", "unsolicited", 1, LONG);
}

#[test]
fn as_long_as_allowed() {
    let mut game = Game::new("long");
    assert_eq!(game.ask(LONG).unwrap().len(), 1 << 20);
    assert_eq!(game.finish().fault, None);
}

#[test]
fn what_is_no_text() {
    for mode in ["not-utf8", "nul", "empty"] {
        let mut game = Game::new(mode);
        // It may be asked again, and leaves like others.
        assert_eq!((game.word(LONG), game.word(LONG)), ("malformed", "malformed"), "{mode}");
        assert_eq!(game.finish().fault, None, "{mode}");
    }
}

#[test]
fn answers_twice() {
    loses("twice", "unsolicited", 1, LONG);
    loses("twice-later", "unsolicited", 2, LONG);
}

#[test]
fn answers_twice_at_the_end() {
    let mut game = Game::new("twice-later");
    game.ask(LONG).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(game.finish().fault, Some(Fault::Unsolicited));
}

#[test]
fn answers_unasked() {
    let mut game = Game::new("unasked");
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(game.word(LONG), "unsolicited");
    game.finish();
}

#[test]
fn half_a_line() {
    loses("half", "timeout", 1, SHORT);
    loses("half-exits", "exited", 1, LONG);
}

#[test]
fn byte_by_byte() {
    loses("drips", "timeout", 1, SHORT);
}

#[test]
fn line_ends_of_the_other_kind_are_fine() {
    let mut game = Game::new("crlf");
    assert!(game.ask(LONG).unwrap().ends_with('}'));
    assert!(game.ask(LONG).unwrap().ends_with('}'));
    assert_eq!(game.finish().fault, None);
}

#[test]
fn stops_itself() {
    loses("stops", "timeout", 1, SHORT);
}

#[test]
fn never_reads() {
    loses("never-reads", "timeout", 1, SHORT);
    let mut game = Game::new("never-reads");
    let long = "x".repeat(1 << 20);
    assert_eq!(game.ask_line(&long, SHORT).unwrap_err(), Fault::Timeout, "more than a pipe holds");
    game.finish();
}

#[test]
fn long_questions_pass_in_both_directions() {
    let mut game = Game::new("echo");
    let long = "x".repeat(1 << 20);
    assert_eq!(game.ask_line(&long, LONG).unwrap(), long);
    assert_eq!(game.ask_line("two\r\nlines", LONG).unwrap(), "two  lines");
    assert_eq!(game.finish().fault, None);
}

#[test]
fn ignores_termination() {
    leaves("deaf", Some("lingered"));
}

#[test]
fn leaves_children_behind() {
    leaves("child", Some("left_children"));
    leaves("late-child", Some("left_children"));
    assert_eq!(leaves("forks", Some("left_children")).fault, Some(Fault::LeftChildren(60)));
}

#[test]
fn leaves_children_in_sessions_of_their_own() {
    leaves("session", Some("left_children"));
    leaves("daemon", Some("left_children"));
    leaves("hidden", Some("left_children"));
}

#[test]
fn leaves_orphans_and_dies() {
    loses("orphans", "exited", 1, LONG);
}

#[test]
fn sends_its_orphans_away() {
    let mut game = Game::new("deserter");
    game.ask(LONG).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    game.finish();
}

#[test]
fn runs_from_process_to_process() {
    let mut game = Game::new("runner");
    let _ = game.ask(LONG);
    std::thread::sleep(Duration::from_millis(50));
    game.finish();
}

#[test]
fn hoards_memory() {
    let limits = Limits { memory: 256 << 20, ..Limits::default() };
    let mut game = Game::with("memory", |launch| launch.limits = limits);
    assert_eq!(game.word(LONG), "exited");
    game.finish();
}

#[test]
fn spins() {
    loses("spins", "timeout", 1, SHORT);
    let limits = Limits { cpu_seconds: 1, ..Limits::default() };
    let mut game = Game::with("spins", |launch| launch.limits = limits);
    assert_eq!(game.word(Duration::from_secs(20)), "exited");
    assert!(game.finish().exit.unwrap().contains("SIGXCPU"));
}

#[test]
fn opens_everything() {
    let mut game = Game::new("opens");
    let open: u64 = game.ask(LONG).unwrap().parse().unwrap();
    assert!(open <= Limits::default().open_files, "{open}");
    game.finish();
}

#[test]
fn floods_standard_error() {
    let farewell = leaves("stderr", None);
    assert!(farewell.stderr.ends_with("eeethe end\n"));
    assert_eq!(farewell.stderr.len(), 8 << 10);
}

#[test]
fn sees_the_named_environment_only() {
    let mut game = Game::with("environment", |launch| launch.environment = vec!["CARGO_PKG_NAME".into()]);
    let names = game.ask(LONG).unwrap();
    for name in names.split(' ') {
        assert!(["PATH", "HOME", "LANG", "TMPDIR", "CARGO_PKG_NAME"].contains(&name), "{name}");
    }
    assert!(names.contains("PATH") && std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    game.finish();
}

#[test]
fn inherits_no_descriptor() {
    // One that does not close by itself.
    let inherited = rustix::io::dup(std::io::stderr()).unwrap();
    let mut game = Game::new("descriptors");
    assert_eq!(game.ask(LONG).unwrap(), "0 1 2");
    game.finish();
    drop(inherited);
}

#[test]
fn keys_do_not_come_out_again() {
    // A variable that cargo sets for every test, in the part of a key.
    let key = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let mut game = Game::with("leaks", |launch| launch.environment = vec!["CARGO_MANIFEST_DIR".into()]);
    let answer = game.ask(LONG);
    assert!(!format!("{answer:?}").contains(&key));
    let farewell = game.finish();
    assert!(!farewell.stderr.contains(&key), "{}", farewell.stderr);
}

#[test]
fn what_cannot_start_says_so() {
    for command in ["no-such-program-anywhere", "'half a quote", "/", ""] {
        let fault = ProcessAgent::start(&Launch::new(command), GRACE).unwrap_err();
        assert_eq!(fault.word(), "could_not_start", "{command}");
    }
}

#[test]
fn dropped_in_the_middle_of_the_game() {
    let mut game = Game::new("hidden");
    game.ask(LONG).unwrap();
    let Game { agent, tag, .. } = game;
    drop(agent);
    assert_gone(&tag, "dropped");
}

#[test]
fn an_agent_outlives_the_thread_that_started_it() {
    let mut game = std::thread::spawn(|| Game::new("echo")).join().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    game.ask(LONG).unwrap();
    assert_eq!(game.finish().fault, None);
}

#[test]
fn others_are_left_alone() {
    // A child of another agent, in a session of its own; and a child of ours that is no agent's.
    let mut other = Game::new("hidden");
    other.ask(LONG).unwrap();
    let (launch, tag) = rogue("child-session");
    let words = shlex::split(&launch.command).unwrap();
    let mut child = std::process::Command::new(&words[0]).args(&words[1..]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    loses("orphans", "exited", 1, LONG);
    assert_eq!((living(&other.tag).len(), living(&tag).len()), (2, 1));
    assert!(other.ask(LONG).is_ok());
    other.finish();
    assert_eq!(living(&tag).len(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_hundred_games_in_bounded_time() {
    const MODES: [&str; 10] = [
        "silent",
        "exits",
        "crashes",
        "closes-output",
        "floods",
        "twice",
        "half",
        "hidden",
        "orphans",
        "deaf",
    ];
    let ((), took) = timed(|| {
        std::thread::scope(|scope| {
            for worker in 0..4 {
                scope.spawn(move || {
                    for mode in (0..25).map(|game| MODES[(worker + game) % MODES.len()]) {
                        let mut game = Game::new(mode);
                        let _ = game.ask(Duration::from_millis(40));
                        game.finish();
                    }
                });
            }
        });
    });
    assert!(took < Duration::from_secs(60), "{took:?}");
}
