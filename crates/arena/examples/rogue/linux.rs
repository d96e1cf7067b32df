//! The modes of misbehaviour.
#![allow(unsafe_code, reason = "misbehaving takes more than the standard library allows")]
#![allow(clippy::exit, reason = "exiting at once is one of the modes")]
#![allow(clippy::zombie_processes, reason = "leaving children behind is one of the modes")]

use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, kill_process, set_child_subreaper, setsid};

const ANSWER: &str = r#"{"from":"e2","to":"e4","promotion":null}"#;
const MINUTE: Duration = Duration::from_secs(60);

pub(crate) fn main() {
    let mode = env::args().nth(1).unwrap_or_default();
    match mode.split_once('-') {
        Some(("uci", rest)) => engine(rest),
        Some(("child", rest)) => child(rest),
        _ => agent(&mode),
    }
}

fn agent(mode: &str) {
    match mode {
        "unasked" => say(ANSWER),
        "unasked-shell" => {
            let script = format!("echo '{ANSWER}'; while read line; do echo '{ANSWER}'; done");
            let _ = Command::new("sh").arg("-c").arg(script).status();
            return;
        }
        "half-asked" => {
            let _ = read_byte();
            say(ANSWER);
            sleep(Duration::from_millis(100));
        }
        "reads-bytes" => {
            while let Some(byte) = read_byte() {
                if byte == b'\n' {
                    say(ANSWER);
                }
            }
            return;
        }
        "reads-object" => {
            while let Some(byte) = read_byte() {
                if byte == b'{' {
                    read_object();
                    say(ANSWER);
                }
            }
            return;
        }
        "exits" => exit(3),
        "orphans" => {
            spawn("daemon", true);
            exit(0);
        }
        "deserter" => {
            // Its orphans are adopted by the test at once, not by the agent.
            set_child_subreaper(None).expect("a process may stop being a subreaper");
            spawn("daemon", true);
        }
        "stops" => kill_process(getpid(), Signal::STOP).expect("a process may stop itself"),
        "closes-output" => close(1),
        "closes-input" => {
            close(0);
            sleep(MINUTE);
        }
        "never-reads" => sleep(MINUTE),
        "deaf" => ignore(libc::SIGTERM),
        "runner" => {
            run_away();
            return;
        }
        "stays" => {
            // The child holds all three pipes.
            spawn("sleep", false);
            sleep(Duration::from_millis(20));
            exit(0);
        }
        _ => {}
    }
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        answer(mode, &line);
    }
    match mode {
        "deaf" => sleep(MINUTE),
        // Started in the last moment.
        "late-child" => spawn("sleep", false),
        _ => {}
    }
}

/// Answers one question as the mode demands.
fn answer(mode: &str, line: &str) {
    match mode {
        "silent" => {}
        "late" => {
            sleep(Duration::from_millis(400));
            say(ANSWER);
        }
        "echo" => say(line),
        "exits-asked" => exit(0),
        "exits-after" => {
            say(ANSWER);
            exit(0);
        }
        "crashes" => std::process::abort(),
        "faults" => kill_process(getpid(), Signal::ILL).expect("a process may signal itself"),
        "floods" => loop {
            write(&[b'x'; 4096]);
        },
        "floods-lines" => loop {
            write(b"{}\n{}\n{}\n{}\n");
        },
        "too-long" => say(&"x".repeat((1 << 20) + 1)),
        "long" => say(&"x".repeat(1 << 20)),
        "not-utf8" => write(b"{\"from\":\"\xff\xfe\"}\n"),
        "nul" => write(b"{\"from\":\"\0\"}\n"),
        "empty" => say(""),
        "crlf" => write(format!("{ANSWER}\r\n").as_bytes()),
        "half" => write(&ANSWER.as_bytes()[..10]),
        "half-exits" => {
            write(&ANSWER.as_bytes()[..10]);
            exit(0);
        }
        "drips" => {
            for byte in ANSWER.bytes() {
                write(&[byte]);
                sleep(Duration::from_millis(40));
            }
        }
        "twice" => write(format!("{ANSWER}\n{ANSWER}\n").as_bytes()),
        "unended" => write(ANSWER.as_bytes()),
        "fence" => say(&format!("I play:\n```json\n{{\n{}\n```", &ANSWER[1..])),
        "fence-slowly" => {
            for part in ["I play:", "```json", "{", &ANSWER[1..], "```"] {
                say(part);
                sleep(Duration::from_millis(10));
            }
        }
        "twice-later" => {
            say(ANSWER);
            sleep(Duration::from_millis(30));
            say(ANSWER);
        }
        "child" => play_beside("sleep", false),
        "session" => play_beside("session", false),
        "daemon" => play_beside("daemon", false),
        "hidden" => play_beside("daemon", true),
        "forks" => {
            for _ in 0..60 {
                spawn("sleep", false);
            }
            say(ANSWER);
        }
        "memory" => hoard(),
        "spins" => {
            let start = Instant::now();
            while start.elapsed() < MINUTE {
                std::hint::spin_loop();
            }
        }
        "opens" => {
            let files: Vec<File> = (0..100_000).map_while(|_| File::open("/dev/null").ok()).collect();
            say(&files.len().to_string());
        }
        "stderr" => {
            let flood = "e".repeat(1 << 20);
            for _ in 0..8 {
                eprint(&flood);
            }
            eprint("the end\n");
            say(ANSWER);
        }
        "environment" => {
            let mut names: Vec<String> = env::vars().map(|(name, _)| name).collect();
            names.sort();
            say(&names.join(" "));
        }
        "leaks" => {
            let key = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
            eprint(&format!("my key is {key}\n"));
            say(&key);
        }
        "descriptors" => say(&descriptors()),
        _ => say(ANSWER),
    }
}

/// Reads one byte without a buffer.
fn read_byte() -> Option<u8> {
    let mut byte = [0];
    let count = rustix::io::read(io::stdin(), &mut byte).unwrap_or(0);
    (count == 1).then_some(byte[0])
}

/// Reads the rest of an object and nothing after it.
fn read_object() {
    let mut depth = 1;
    while depth > 0 {
        match read_byte() {
            Some(b'{') => depth += 1,
            Some(b'}') => depth -= 1,
            Some(_) => {}
            None => return,
        }
    }
}

/// Returns the open descriptors, except the one for this list.
fn descriptors() -> String {
    let open = fs::read_dir("/proc/self/fd").expect("there is /proc");
    let mut shown: Vec<String> = open
        .filter_map(Result::ok)
        .filter(|entry| fs::read_link(entry.path()).is_ok_and(|target| !target.ends_with("fd")))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    shown.sort();
    shown.join(" ")
}

fn play_beside(child: &str, hidden: bool) {
    spawn(child, hidden);
    say(ANSWER);
}

/// Starts a child that stays. A hidden one shares only the tag with its parent.
fn spawn(kind: &str, hidden: bool) {
    let mut command = Command::new(env::current_exe().expect("we run from a file"));
    command.arg(format!("child-{kind}")).arg(env::args().nth(2).unwrap_or_default());
    if hidden {
        command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    }
    command.spawn().expect("a child can be started");
}

fn child(kind: &str) {
    match kind {
        "session" => drop(setsid()),
        "daemon" => {
            let _ = setsid();
            spawn("session", true);
            return;
        }
        _ => {}
    }
    sleep(MINUTE);
}

/// Forks and exits repeatedly, faster than a list of processes can be read.
fn run_away() {
    let start = Instant::now();
    say(ANSWER);
    while start.elapsed() < Duration::from_secs(20) {
        // SAFETY: this process has one thread, so the child may run any code.
        if unsafe { libc::fork() } != 0 {
            exit(0);
        }
        let _ = setsid();
    }
}

/// Allocates and uses memory, up to a harmless amount.
fn hoard() {
    let mut hoard = Vec::new();
    for _ in 0..1024 {
        hoard.push(vec![1_u8; 4 << 20]);
    }
    say(&hoard.len().to_string());
}

/// Misbehaving engines.
fn engine(mode: &str) {
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match (line.split(' ').next().unwrap_or_default(), mode) {
            ("uci", "mute") | ("isready", "unready") | ("go", "silent") => {}
            ("uci", "endless") => loop {
                say("option name Nothing type string");
            },
            ("uci", _) => say("id name Rogue\noption name Hash type spin default 1 min 1 max 9\nuciok"),
            ("isready", _) => say("readyok"),
            ("go", "floods") => loop {
                say("info string nothing");
            },
            ("go", "exits") => exit(1),
            ("go", "wordless") => say("bestmove"),
            ("go", "resign" | "(none)" | "0000") => say(&format!("bestmove {mode}")),
            ("go", "not-utf8") => write(b"info \xff\xff\nbestmove \xff\xfe\n"),
            ("go", "twice") => say("bestmove e2e4\nbestmove e2e4"),
            ("go", "chatty") => say("info depth 1\nbestmove e2e4 ponder e7e5\ninfo string that was easy\n"),
            ("go", _) => say("bestmove e2e4"),
            ("quit", "deaf") => {
                ignore(libc::SIGTERM);
                sleep(MINUTE);
            }
            ("quit", _) => return,
            _ => {}
        }
    }
}

fn say(text: &str) {
    write(format!("{text}\n").as_bytes());
}

fn write(bytes: &[u8]) {
    let mut stdout = io::stdout().lock();
    if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
        exit(0);
    }
}

fn eprint(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn close(descriptor: i32) {
    // SAFETY: the descriptor is not used afterwards, except to find it closed.
    unsafe { libc::close(descriptor) };
}

fn ignore(signal: i32) {
    // SAFETY: ignoring a signal runs none of our code.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}
