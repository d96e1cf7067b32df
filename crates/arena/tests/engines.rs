//! UCI engines: rogues, and real ones where they are installed.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{SLACK, assert_gone, rogue, timed};
use tabiya_arena::{Agent, AgentFault, AgentOptions, Question, UciAgent, UciSearch, UciSettings, UciTime};
use tabiya_players::SplitMix;
use tabiya_referee::AnswerFormat;
use tempfile::TempDir;

const GRACE: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(150);
const TIME: UciTime = UciTime::MoveTime(Duration::from_millis(20));

fn options(variant: Option<&str>, options: &[(&str, &str)], handshake: Duration) -> AgentOptions {
    let options = options.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let uci = UciSettings { variant: variant.map(Into::into), options, handshake };
    AgentOptions { grace: GRACE, uci, ..AgentOptions::default() }
}

fn start(mode: &str, handshake: Duration) -> (Result<UciAgent, AgentFault>, String) {
    let (command, tag) = rogue(&format!("uci-{mode}"));
    let (agent, took) = timed(|| UciAgent::start(&command, &options(None, &[], handshake)));
    // A failed start includes killing the process.
    assert!(took <= handshake + SLACK + SLACK, "{mode}: {took:?}");
    (agent, tag)
}

/// Expects an engine to start and to fail with this question.
fn loses(mode: &str, word: &str, question: usize, time: Duration) {
    let (agent, tag) = start(mode, LONG);
    let mut agent = agent.expect(mode);
    let search = UciSearch { start: None, moves: &[], time: TIME };
    for _ in 1..question {
        assert_eq!(agent.best_move(&search, Instant::now() + LONG).expect(mode), "e2e4");
    }
    let (answer, took) = timed(|| agent.best_move(&search, Instant::now() + time));
    assert_eq!(answer.expect_err(mode).word(), word, "{mode}");
    assert!(took <= time + SLACK, "{mode}: {took:?}");
    let report = agent.finish();
    // After a malformed answer it may be asked again and exits normally.
    let expected = Some(word).filter(|word| *word != "malformed");
    assert_eq!(report.fault.as_ref().map(AgentFault::word), expected, "{mode}");
    assert_gone(&tag, mode);
}

#[test]
fn rogues_fail_to_start() {
    for (mode, word) in [("mute", "timeout"), ("unready", "timeout")] {
        let (agent, tag) = start(mode, SHORT);
        assert_eq!(agent.expect_err(mode).word(), word, "{mode}");
        assert_gone(&tag, mode);
    }
    let (agent, tag) = start("endless", LONG);
    assert_eq!(agent.expect_err("endless").word(), "too_long");
    assert_gone(&tag, "endless");
    let (command, tag) = rogue("uci-good");
    let missing = options(None, &[("No Such Option", "1")], LONG);
    assert_eq!(UciAgent::start(&command, &missing).unwrap_err().word(), "could_not_start");
    assert_gone(&tag, "an option is missing");
}

#[test]
fn rogues_lose() {
    loses("silent", "timeout", 1, SHORT);
    loses("floods", "too_long", 1, LONG);
    loses("exits", "exited", 1, LONG);
    loses("wordless", "malformed", 1, LONG);
    loses("not-utf8", "malformed", 1, LONG);
    loses("twice", "unsolicited", 2, LONG);
}

#[test]
fn an_engine_that_does_not_quit_is_killed() {
    let (agent, tag) = start("deaf", LONG);
    assert_eq!(agent.unwrap().finish().fault, Some(AgentFault::Lingered));
    assert_gone(&tag, "deaf");
}

#[test]
fn other_output_is_not_a_fault() {
    let (agent, _) = start("chatty", LONG);
    let mut agent = agent.unwrap();
    assert_eq!(agent.format(), AnswerFormat::Text);
    for _ in 0..3 {
        let search = Some(UciSearch { start: None, moves: &[], time: TIME });
        let question = Question { search, ..Question::new("{}", Instant::now() + LONG) };
        assert_eq!(agent.ask(&question).unwrap(), "e2e4");
    }
    let without = agent.ask(&Question::new("{}", Instant::now() + LONG));
    assert_eq!(without.unwrap_err().word(), "could_not_start");
    assert_eq!(agent.finish().fault, None);
}

/// An engine that writes a line of a file before each of its answers.
const BABBLER: &str = "\
while read -r word rest; do
    case $word in uci|isready|go) IFS= read -r line <&3; printf '%s\\n' \"$line\";; esac
    case $word in uci) echo uciok;; isready) echo readyok;; go) echo bestmove e2e4;; quit) exit;; esac
done 3< \"$1\"
";

/// Returns a damaged line of an engine.
fn babble(dice: &mut SplitMix) -> Vec<u8> {
    const GOOD: [&str; 6] = [
        "bestmove e2e4 ponder e7e5",
        "info depth 1 seldepth 2 score cp 13 nodes 20 nps 20000 time 1 pv e2e4 e7e5",
        "info string bestmove e2e4",
        "option name UCI_Variant type combo default chess var chess var atomic",
        "readyok",
        "id name Babbler",
    ];
    let mut line = GOOD[dice.below(GOOD.len())].as_bytes().to_vec();
    for _ in 0..dice.below(3) {
        let at = dice.below(line.len());
        match dice.below(5) {
            0 => line[at] = dice.next_u64() as u8,
            1 => drop(line.drain(..at)),
            2 => line.truncate(at + 1),
            3 => line.splice(at..at, b"  var bestmove ".repeat(1 + dice.below(3) * 5000)).for_each(drop),
            _ => line.insert(at, b' '),
        }
    }
    line.push(b'\n');
    line
}

#[test]
fn damaged_output_gives_an_answer_or_a_named_fault() {
    let folder = TempDir::new().expect("a folder");
    let [script, lines] = ["engine.sh", "lines"].map(|name| folder.path().join(name));
    fs::write(&script, BABBLER).expect("written");
    let command = format!("sh '{}' '{}'", script.display(), lines.display());
    let named = |fault: &AgentFault| ["malformed", "unsolicited", "too_long"].contains(&fault.word());
    let search = UciSearch { start: None, moves: &[], time: TIME };
    let mut dice = SplitMix::new(31);
    let (mut answers, mut faults) = (0, 0);
    for round in 0..40 {
        let said: Vec<u8> = (0..12).flat_map(|_| babble(&mut dice)).collect();
        fs::write(&lines, &said).expect("written");
        let shown = String::from_utf8_lossy(&said);
        let mut agent = match UciAgent::start(&command, &options(Some("chess"), &[], LONG)) {
            Ok(agent) => agent,
            Err(fault) => {
                assert!(named(&fault) || fault.word() == "could_not_start", "{round}: {fault}\n{shown}");
                continue;
            }
        };
        for _ in 0..10 {
            match agent.best_move(&search, Instant::now() + LONG) {
                Ok(text) => {
                    assert!(!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()), "{text}");
                    answers += 1;
                }
                Err(fault) => {
                    assert!(named(&fault), "{round}: {fault}\n{shown}");
                    // A malformed answer may be forgiven, so it is not final.
                    let lasting = Some(fault).filter(|fault| fault.word() != "malformed");
                    assert_eq!(agent.finish().fault, lasting, "{round}");
                    faults += 1;
                    break;
                }
            }
        }
    }
    assert!(answers > 40 && faults > 2, "{answers} answers, {faults} faults");
}

/// Starts a real engine, or reports on standard error that it is not installed.
fn engine(path: &str, options: AgentOptions) -> Option<UciAgent> {
    if Path::new(path).exists() {
        let options = AgentOptions { grace: Duration::from_secs(2), ..options };
        return Some(UciAgent::start(path, &options).expect(path));
    }
    let _ =
        std::io::Write::write_all(&mut std::io::stderr(), format!("{path} is not installed\n").as_bytes());
    None
}

#[test]
fn real_engines_play() {
    for path in ["/usr/games/stockfish", "/usr/games/fairy-stockfish"] {
        let Some(mut agent) = engine(path, options(Some("chess"), &[("Hash", "16")], LONG)) else {
            continue;
        };
        let mate = UciSearch { start: Some("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), moves: &[], time: TIME };
        assert_eq!(agent.best_move(&mate, Instant::now() + LONG).unwrap(), "a1a8", "{path}");
        let moves = ["f2f3", "e7e5", "g2g4"].map(String::from);
        let clock = UciTime::Clock {
            remaining: [Duration::from_secs(1); 2],
            increment: [Duration::ZERO; 2],
            moves_to_go: None,
            move_time: None,
        };
        let fool = UciSearch { start: None, moves: &moves, time: clock };
        assert_eq!(agent.best_move(&fool, Instant::now() + LONG).unwrap(), "d8h4", "{path}");
        let report = agent.finish();
        assert_eq!((report.fault, report.exit.as_deref()), (None, Some("exit status: 0")), "{path}");
    }
}

#[test]
fn a_real_engine_plays_another_game() {
    let path = "/usr/games/fairy-stockfish";
    let Some(mut agent) = engine(path, options(Some("knightmate"), &[], LONG)) else { return };
    let search = UciSearch { start: None, moves: &[], time: TIME };
    let played = agent.best_move(&search, Instant::now() + LONG).unwrap();
    assert!((4..=5).contains(&played.len()), "{played}");
    assert_eq!(agent.finish().fault, None);
    let unknown = options(Some("no-such-game"), &[], LONG);
    let fault = UciAgent::start(path, &unknown).unwrap_err();
    assert_eq!(fault.word(), "could_not_start");
}
