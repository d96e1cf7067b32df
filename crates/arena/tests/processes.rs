//! Misbehaving agents fail for the right reason, in time, and leave nothing behind.
#![cfg(target_os = "linux")]

mod common;

use std::time::{Duration, Instant};

use common::{SLACK, assert_gone, living, rogue, timed};
use tabiya_arena::{Agent, AgentFault, AgentOptions, ExitReport, ProcessAgent, ProcessLimits, Question};
use tabiya_referee::protocol::Strictness;

const STATE: &str = r#"{"board":{"e1":"K","e8":"k"},"turn":"white"}"#;
const GRACE: Duration = Duration::from_millis(300);
/// For agents that answer or fail without a timeout. Starting them may take a while on a busy machine.
const LONG: Duration = Duration::from_secs(5);
/// For agents that run into the timeout.
const SHORT: Duration = Duration::from_millis(150);

const ANSWER: &str = r#"{"from":"e2","to":"e4","promotion":null}"#;

fn unsolicited(output: &str) -> AgentFault {
    AgentFault::Unsolicited { output: Some(output.to_owned()) }
}

fn options() -> AgentOptions {
    AgentOptions { grace: GRACE, ..AgentOptions::default() }
}

/// A rogue in a game.
struct Game {
    mode: String,
    agent: ProcessAgent,
    tag: String,
}

impl Game {
    fn new(mode: &str) -> Self {
        Self::with(mode, |_| {})
    }

    fn with(mode: &str, change: impl FnOnce(&mut AgentOptions)) -> Self {
        let (command, tag) = rogue(mode);
        let mut options = options();
        change(&mut options);
        let agent = ProcessAgent::start(&command, &options).expect("the rogue starts");
        Self { mode: mode.into(), agent, tag }
    }

    /// Asks and checks that the result comes in time.
    fn ask(&mut self, time: Duration) -> Result<String, AgentFault> {
        self.ask_line(STATE, time)
    }

    fn ask_line(&mut self, line: &str, time: Duration) -> Result<String, AgentFault> {
        let question = Question::new(line, Instant::now() + time);
        let (answer, took) = timed(|| self.agent.ask(&question));
        assert!(took <= time + SLACK, "{}: the result came after {took:?}", self.mode);
        answer
    }

    fn word(&mut self, time: Duration) -> &'static str {
        self.ask(time).expect_err(&self.mode).word()
    }

    fn finish(mut self) -> ExitReport {
        let report = self.agent.finish();
        assert!(report.gone, "{}", self.mode);
        assert_gone(&self.tag, &self.mode);
        assert_eq!(self.agent.finish(), report, "{}: twice", self.mode);
        report
    }
}

/// Asks until the fault, which must have this word and come with this question.
fn loses(mode: &str, word: &str, question: usize, time: Duration) -> ExitReport {
    let mut game = Game::new(mode);
    for _ in 1..question {
        game.ask(LONG).expect(mode);
        // Misbehaving after an answer takes a moment.
        std::thread::sleep(Duration::from_millis(80));
    }
    assert_eq!(game.word(time), word, "{mode}");
    assert_eq!(game.word(time), word, "{mode}: a final fault is repeated");
    let report = game.finish();
    assert_eq!(report.fault.as_ref().map(AgentFault::word), Some(word), "{mode}");
    report
}

/// Asks once and expects a fault at the end of the game only.
fn leaves(mode: &str, word: Option<&str>) -> ExitReport {
    let mut game = Game::new(mode);
    game.ask(LONG).expect(mode);
    // Hiding children takes a moment.
    std::thread::sleep(Duration::from_millis(80));
    let report = game.finish();
    assert_eq!(report.fault.as_ref().map(AgentFault::word), word, "{mode}");
    report
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
    assert_eq!(game.word(LONG), "timeout", "a late answer is never used for the next question");
    game.finish();
}

#[test]
fn exits_at_once() {
    let report = loses("exits", "exited", 1, LONG);
    assert_eq!(report.exit.as_deref(), Some("exit status: 3"));
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
    let report = loses("crashes", "exited", 1, LONG);
    assert!(report.exit.unwrap().contains("SIGABRT"));
    let report = loses("faults", "exited", 1, LONG);
    assert!(report.exit.unwrap().contains("SIGILL"));
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
    assert_eq!(fault.word(), "exited", "more than the capacity of a pipe");
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
fn answers_that_are_not_text() {
    for mode in ["not-utf8", "nul", "empty"] {
        let mut game = Game::new(mode);
        // It may be asked again and exits normally.
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
    assert_eq!(game.finish().fault, Some(unsolicited(&format!("{ANSWER}\n"))));
}

#[test]
fn answers_unasked() {
    let mut game = Game::new("unasked");
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(game.ask(LONG), Err(unsolicited(&format!("{ANSWER}\n"))));
    game.finish();
}

/// The process is asked while it starts, so it writes while the question lies in its input, and may read it at once.
#[test]
fn answers_before_it_reads() {
    for mode in ["unasked", "unasked-shell", "half-asked"] {
        for _ in 0..10 {
            let mut game = Game::new(mode);
            match game.ask(LONG) {
                // It may have answered again by then.
                Err(AgentFault::Unsolicited { output: Some(text) }) if text.starts_with(ANSWER) => {}
                other => panic!("{mode}: {other:?}"),
            }
            game.finish();
        }
    }
}

#[test]
fn answers_after_reading_are_accepted() {
    // These agents read everything at once, byte by byte, or only up to the end of the object.
    for (mode, count) in [("plays", 1000), ("reads-bytes", 50), ("reads-object", 50)] {
        let mut game = Game::new(mode);
        for _ in 0..count {
            assert_eq!(game.ask(LONG).as_deref(), Ok(ANSWER), "{mode}");
        }
        assert_eq!(game.finish().fault, None, "{mode}");
    }
    let mut game = Game::new("reads-bytes");
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(200_000));
    assert_eq!(game.ask_line(&long, LONG).as_deref(), Ok(ANSWER), "more than the capacity of a pipe");
    game.finish();
}

#[test]
fn lenient_answers_have_several_lines() {
    let ask = |game: &mut Game| {
        let deadline = Instant::now() + LONG;
        game.agent.ask(&Question { strictness: Strictness::Lenient, ..Question::new(STATE, deadline) })
    };
    let fence = format!("I play:\n```json\n{{\n{}\n```", &ANSWER[1..]);
    for mode in ["fence", "fence-slowly"] {
        let mut game = Game::new(mode);
        for _ in 0..3 {
            let answer = ask(&mut game).expect(mode);
            assert!(fence.starts_with(&answer) && answer.ends_with(['}', '`']), "{answer}");
        }
        assert_eq!(game.finish().fault, None, "{mode}");
    }
    let mut game = Game::new("twice-later");
    assert_eq!(ask(&mut game).as_deref(), Ok(ANSWER));
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(
        ask(&mut game),
        Err(unsolicited(&format!("{ANSWER}\n"))),
        "another object is not the rest of one"
    );
    game.finish();
    let mut game = Game::new("fence");
    assert_eq!(game.ask(LONG).as_deref(), Ok("I play:"), "a strict answer has one line");
    assert_eq!(game.word(LONG), "unsolicited", "the rest does not answer the next question");
    game.finish();
}

#[test]
fn a_lenient_answer_needs_no_line_break() {
    let mut game = Game::new("unended");
    let deadline = Instant::now() + LONG;
    let question = Question { strictness: Strictness::Lenient, ..Question::new(STATE, deadline) };
    assert_eq!(game.agent.ask(&question).as_deref(), Ok(ANSWER));
    game.finish();
    // A strict one does. What there is of it is kept.
    let mut game = Game::new("unended");
    assert_eq!(game.ask(SHORT), Err(AgentFault::Unfinished { output: ANSWER.to_owned() }));
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
fn crlf_line_ends_are_accepted() {
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
    assert_eq!(
        game.ask_line(&long, SHORT).unwrap_err(),
        AgentFault::Timeout,
        "more than the capacity of a pipe"
    );
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
    assert_eq!(leaves("forks", Some("left_children")).fault, Some(AgentFault::LeftChildren(60)));
}

#[test]
fn leaves_children_in_new_sessions() {
    leaves("session", Some("left_children"));
    leaves("daemon", Some("left_children"));
    leaves("hidden", Some("left_children"));
}

#[test]
fn leaves_orphans_and_dies() {
    loses("orphans", "exited", 1, LONG);
}

#[test]
fn passes_its_orphans_on() {
    let mut game = Game::new("deserter");
    game.ask(LONG).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    game.finish();
}

#[test]
fn forks_and_exits_repeatedly() {
    let mut game = Game::new("runner");
    let _ = game.ask(LONG);
    std::thread::sleep(Duration::from_millis(50));
    game.finish();
}

#[test]
fn allocates_too_much_memory() {
    let limits = ProcessLimits { memory: 256 << 20, ..ProcessLimits::default() };
    let mut game = Game::with("memory", |options| options.limits = limits);
    assert_eq!(game.word(LONG), "exited");
    game.finish();
}

#[test]
fn spins() {
    loses("spins", "timeout", 1, SHORT);
    let limits = ProcessLimits { cpu_seconds: 1, ..ProcessLimits::default() };
    let mut game = Game::with("spins", |options| options.limits = limits);
    assert_eq!(game.word(Duration::from_secs(20)), "exited");
    assert!(game.finish().exit.unwrap().contains("SIGXCPU"));
}

#[test]
fn opens_too_many_files() {
    let mut game = Game::new("opens");
    let open: u64 = game.ask(LONG).unwrap().parse().unwrap();
    assert!(open <= ProcessLimits::default().open_files, "{open}");
    game.finish();
}

#[test]
fn floods_standard_error() {
    let report = leaves("stderr", None);
    assert!(report.stderr.ends_with("eeethe end\n"));
    assert_eq!(report.stderr.len(), 8 << 10);
}

#[test]
fn sees_the_named_environment_only() {
    let mut game = Game::with("environment", |options| options.environment = vec!["CARGO_PKG_NAME".into()]);
    let names = game.ask(LONG).unwrap();
    for name in names.split(' ') {
        assert!(["PATH", "HOME", "LANG", "TMPDIR", "CARGO_PKG_NAME"].contains(&name), "{name}");
    }
    assert!(names.contains("PATH") && std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    game.finish();
}

#[test]
fn inherits_no_descriptor() {
    // A descriptor without close-on-exec.
    let inherited = rustix::io::dup(std::io::stderr()).unwrap();
    let mut game = Game::new("descriptors");
    assert_eq!(game.ask(LONG).unwrap(), "0 1 2");
    game.finish();
    drop(inherited);
}

#[test]
fn keys_are_hidden() {
    // Cargo sets this variable for every test; here it is the key.
    let key = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let mut game = Game::with("leaks", |options| options.environment = vec!["CARGO_MANIFEST_DIR".into()]);
    let answer = game.ask(LONG);
    assert!(!format!("{answer:?}").contains(&key));
    let report = game.finish();
    assert!(!report.stderr.contains(&key), "{}", report.stderr);
}

#[test]
fn commands_that_cannot_start() {
    for command in ["no-such-program-anywhere", "'half a quote", "/", ""] {
        let fault = ProcessAgent::start(command, &options()).unwrap_err();
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
fn other_processes_are_not_killed() {
    // A child of another agent in a new session, and a child of ours that belongs to no agent.
    let mut other = Game::new("hidden");
    other.ask(LONG).unwrap();
    let (command, tag) = rogue("child-session");
    let words = shlex::split(&command).unwrap();
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
fn a_hundred_games_take_bounded_time() {
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
