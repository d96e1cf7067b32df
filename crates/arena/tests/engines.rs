//! Engines that speak UCI: real ones where they are installed, and rogues.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{SLACK, assert_gone, rogue, timed};
use tabiya_arena::{Agent, Answers, Fault, Launch, Question, Search, Think, UciAgent, UciSettings};
use tabiya_players::SplitMix;
use tempfile::TempDir;

const GRACE: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(150);
const THINK: Think = Think::MoveTime(Duration::from_millis(20));

fn settings(variant: Option<&str>, options: &[(&str, &str)], handshake: Duration) -> UciSettings {
    let options = options.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    UciSettings { variant: variant.map(Into::into), options, handshake }
}

fn start(mode: &str, handshake: Duration) -> (Result<UciAgent, Fault>, String) {
    let (launch, tag) = rogue(&format!("uci-{mode}"));
    let (agent, took) = timed(|| UciAgent::start(&launch, &settings(None, &[], handshake), GRACE));
    // Beside the fault itself, what was started is cleared away.
    assert!(took <= handshake + SLACK + SLACK, "{mode}: {took:?}");
    (agent, tag)
}

/// The engine starts well and fails in the question of this number.
fn loses(mode: &str, word: &str, question: usize, time: Duration) {
    let (agent, tag) = start(mode, LONG);
    let mut agent = agent.expect(mode);
    let search = Search { start: None, moves: &[], think: THINK };
    for _ in 1..question {
        assert_eq!(agent.best_move(&search, Instant::now() + LONG).expect(mode), "e2e4");
    }
    let (answer, took) = timed(|| agent.best_move(&search, Instant::now() + time));
    assert_eq!(answer.expect_err(mode).word(), word, "{mode}");
    assert!(took <= time + SLACK, "{mode}: {took:?}");
    let farewell = agent.finish();
    // Who gave an answer that cannot be read might have been asked again, and leaves like others.
    let expected = Some(word).filter(|word| *word != "malformed");
    assert_eq!(farewell.fault.as_ref().map(Fault::word), expected, "{mode}");
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
    let (launch, tag) = rogue("uci-good");
    let missing = settings(None, &[("No Such Option", "1")], LONG);
    assert_eq!(UciAgent::start(&launch, &missing, GRACE).unwrap_err().word(), "could_not_start");
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
fn a_rogue_does_not_quit() {
    let (agent, tag) = start("deaf", LONG);
    assert_eq!(agent.unwrap().finish().fault, Some(Fault::Lingered));
    assert_gone(&tag, "deaf");
}

#[test]
fn talk_is_no_fault() {
    let (agent, _) = start("chatty", LONG);
    let mut agent = agent.unwrap();
    assert_eq!(agent.answers(), Answers::MoveText);
    for _ in 0..3 {
        let search = Some(Search { start: None, moves: &[], think: THINK });
        let question = Question { search, ..Question::new("{}", Instant::now() + LONG) };
        assert_eq!(agent.ask(&question).unwrap(), "e2e4");
    }
    let without = agent.ask(&Question::new("{}", Instant::now() + LONG));
    assert_eq!(without.unwrap_err().word(), "could_not_start");
    assert_eq!(agent.finish().fault, None);
}

/// An engine that says a line of a file before each thing that it has to say.
const BABBLER: &str = "\
while read -r word rest; do
    case $word in uci|isready|go) IFS= read -r line <&3; printf '%s\\n' \"$line\";; esac
    case $word in uci) echo uciok;; isready) echo readyok;; go) echo bestmove e2e4;; quit) exit;; esac
done 3< \"$1\"
";

/// Something that an engine could say, damaged.
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
fn whatever_an_engine_says_is_an_answer_or_a_fault_by_name() {
    let folder = TempDir::new().expect("a folder");
    let [script, lines] = ["engine.sh", "lines"].map(|name| folder.path().join(name));
    fs::write(&script, BABBLER).expect("written");
    let launch = Launch::new(format!("sh '{}' '{}'", script.display(), lines.display()));
    let named = |fault: &Fault| ["malformed", "unsolicited", "too_long"].contains(&fault.word());
    let search = Search { start: None, moves: &[], think: THINK };
    let mut dice = SplitMix::new(31);
    let (mut answers, mut faults) = (0, 0);
    for round in 0..40 {
        let said: Vec<u8> = (0..12).flat_map(|_| babble(&mut dice)).collect();
        fs::write(&lines, &said).expect("written");
        let shown = String::from_utf8_lossy(&said);
        let mut agent = match UciAgent::start(&launch, &settings(Some("chess"), &[], LONG), GRACE) {
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
                    // What is malformed may be forgiven, so it is not the end of the agent.
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

/// A real engine, or a word on standard error that the test did not run.
fn engine(path: &str, settings: &UciSettings) -> Option<UciAgent> {
    if Path::new(path).exists() {
        return Some(UciAgent::start(&Launch::new(path), settings, Duration::from_secs(2)).expect(path));
    }
    let _ =
        std::io::Write::write_all(&mut std::io::stderr(), format!("{path} is not installed\n").as_bytes());
    None
}

#[test]
fn real_engines_play() {
    for path in ["/usr/games/stockfish", "/usr/games/fairy-stockfish"] {
        let Some(mut agent) = engine(path, &settings(Some("chess"), &[("Hash", "16")], LONG)) else {
            continue;
        };
        let mate = Search { start: Some("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), moves: &[], think: THINK };
        assert_eq!(agent.best_move(&mate, Instant::now() + LONG).unwrap(), "a1a8", "{path}");
        let moves = ["f2f3", "e7e5", "g2g4"].map(String::from);
        let clock = Think::Clock {
            remaining: [Duration::from_secs(1); 2],
            increment: [Duration::ZERO; 2],
            moves_to_go: None,
            move_time: None,
        };
        let fool = Search { start: None, moves: &moves, think: clock };
        assert_eq!(agent.best_move(&fool, Instant::now() + LONG).unwrap(), "d8h4", "{path}");
        let farewell = agent.finish();
        assert_eq!((farewell.fault, farewell.exit.as_deref()), (None, Some("exit status: 0")), "{path}");
    }
}

#[test]
fn a_real_engine_plays_another_game() {
    let path = "/usr/games/fairy-stockfish";
    let Some(mut agent) = engine(path, &settings(Some("knightmate"), &[], LONG)) else { return };
    let search = Search { start: None, moves: &[], think: THINK };
    let played = agent.best_move(&search, Instant::now() + LONG).unwrap();
    assert!((4..=5).contains(&played.len()), "{played}");
    assert_eq!(agent.finish().fault, None);
    let unknown = settings(Some("no-such-game"), &[], LONG);
    let fault = UciAgent::start(&Launch::new(path), &unknown, GRACE).unwrap_err();
    assert_eq!(fault.word(), "could_not_start");
}
