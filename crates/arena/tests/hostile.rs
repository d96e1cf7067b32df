//! Damaged journals: reading one reports the damage or finds the original games. It never panics and never accepts
//! another result.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_arena::{MatchConfig, MatchError, MatchRunner, RecordReader, Standings};
use tabiya_notation::pgn;
use tabiya_players::SplitMix;
use tabiya_referee::record::{Control, Finish, Header, Line, Recorder, Replays, check_pgn};
use tabiya_referee::{AnswerFormat, Laws, Reply, Verdict};
use tabiya_spec::{Game, library};
use tempfile::TempDir;

fn chess() -> Game {
    library::load("chess").expect("a library game")
}

fn laws() -> Laws {
    let chess = chess();
    Laws::new(&chess.rules, &chess.hash.to_string())
}

/// The replies of a game and a change of its header.
type Script<'s> = (&'s [Reply<'s>], fn(&mut Header));

/// Returns interleaved games with every kind of answer and end.
fn record(laws: &Laws) -> String {
    use Reply::{Fault, Output};
    let objects =
        |header: &mut Header| header.seats.iter_mut().for_each(|seat| seat.answers = AnswerFormat::Object);
    let scripts: [Script<'_>; 6] = [
        (&[Output("g2g5"), Output("g2g4"), Output("d8h4")], |header| {
            header.opening = vec!["f2f3".to_owned(), "e7e5".to_owned()];
            header.clock = Control {
                game_us: Some(60_000_000),
                increment_us: 5,
                move_us: Some(5_000_000),
                margin_us: 0,
            };
            header.retries = 1;
        }),
        (&[Output("e2e4"), Fault(Verdict::Timeout, "late")], |header| header.clock.move_us = Some(1000)),
        (&[Output("e2e4"), Fault(Verdict::Exited, "exit status: 1")], |_| {}),
        (
            &[Output(r#"{"action":"offer_draw"}"#), Output(OBJECT), Output(r#"{"action":"accept_draw"}"#)],
            objects,
        ),
        (&[Output("so: "), Output(OBJECT), Output(r#"{"action":"resign"}"#)], |header| {
            header.seats.iter_mut().for_each(|seat| seat.answers = AnswerFormat::Object);
            (header.retries, header.lenient) = (2, true);
        }),
        (&[Output("a2a3"), Output("a7a6"), Output("b2b3")], |header| header.max_plies = 3),
    ];
    let mut games: Vec<Vec<Line>> = Vec::new();
    for (id, (replies, change)) in (1..).zip(scripts) {
        let mut header = Header::new(id, laws, "chess");
        change(&mut header);
        games.push(lines(laws, header, replies));
    }
    // The first attempt at the last game is void.
    let void = Header::new(7, laws, "chess");
    let mut last = lines(laws, void.clone(), &[Fault(Verdict::Unreachable, "no way")]);
    last.extend(lines(laws, Header { attempt: 2, ..void }, &[Output("e2e5")]));
    games.push(last);
    let longest = games.iter().map(Vec::len).max().unwrap_or_default();
    let turns = (0..longest).flat_map(|turn| games.iter().filter_map(move |game| game.get(turn)));
    turns.map(Line::to_string).collect()
}

const OBJECT: &str = r#"{"from":"e2","to":"e4","promotion":null}"#;

fn lines(laws: &Laws, header: Header, replies: &[Reply<'_>]) -> Vec<Line> {
    let mut recorder = Recorder::new(laws, &header).expect("a game");
    let mut lines = vec![Line::Start(header)];
    lines.extend(replies.iter().map(|reply| Line::Answer(recorder.hear(*reply, Duration::from_millis(1)))));
    lines.push(Line::End(recorder.finish(Vec::new()).expect("the game is over")));
    lines
}

/// The content of a journal.
#[derive(Default)]
struct Found {
    /// The moves and the end of each finished game as text.
    games: Vec<String>,
    differences: Vec<String>,
}

/// Reads a journal as `tabiya verify` does.
fn read(laws: &Laws, bytes: &[u8]) -> Found {
    let mut found = Found::default();
    let mut replays = Replays::new();
    for line in RecordReader::new(bytes) {
        let content = match line.expect("memory can be read").line {
            Ok(content) => content,
            Err(why) => {
                found.differences.push(why);
                continue;
            }
        };
        let heard = replays.line(&content, |_| Ok(laws.clone()));
        found.differences.extend(heard.differences);
        if let (Some(replay), Line::End(finish)) = (heard.closed, content) {
            let moves = replay.recorder().map(|recorder| recorder.session().moves().join(" "));
            let finish = Finish { departures: Vec::new(), ..finish };
            found.games.push(format!("{} {moves:?} {finish:?}", replay.header().attempt));
        }
    }
    assert!(found.differences.iter().all(|what| !what.is_empty() && what.len() < 2000));
    found
}

/// Damages a journal as disks, editors and cheats do.
fn damaged(good: &str, dice: &mut SplitMix) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = good.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).collect();
    for _ in 0..=dice.below(2) {
        let (at, other) = (dice.below(lines.len()), dice.below(lines.len()));
        let byte = dice.below(lines[at].len().max(1));
        match dice.below(9) {
            0 if byte < lines[at].len() => lines[at][byte] = dice.next_u64() as u8,
            1 => lines[at].truncate(byte),
            2 if lines.len() > 1 => drop(lines.remove(at)),
            3 => lines.insert(other, lines[at].clone()),
            4 => lines.swap(at, other),
            5 => lines.truncate(at + 1),
            _ => {
                if let Ok(mut value) = serde_json::from_slice(&lines[at]) {
                    change(&mut value, dice);
                    lines[at] = format!("{value}\n").into_bytes();
                }
            }
        }
    }
    lines.concat()
}

/// Changes a value or a key of a line.
fn change(value: &mut Value, dice: &mut SplitMix) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let key = map.keys().nth(dice.below(map.len())).expect("a key").clone();
            match dice.below(12) {
                0 => drop(map.remove(&key)),
                1 => drop(map.insert(format!("{key}\u{1b}"), Value::Null)),
                _ => change(&mut map[&key], dice),
            }
        }
        Value::Array(list) if !list.is_empty() && dice.below(3) > 0 => {
            let at = dice.below(list.len());
            change(&mut list[at], dice);
        }
        _ => {
            let verdicts: Vec<Verdict> = Verdict::all().collect();
            let verdict = verdicts[dice.below(verdicts.len())].word();
            let mut others = vec![
                json!(null),
                json!(true),
                json!(false),
                json!(0),
                json!(dice.below(9)),
                json!(-1),
                json!(u32::MAX),
                json!(u64::MAX),
                json!(1e300),
                json!(""),
                json!("WHITE"),
                json!("BLACK"),
                json!("e2e4"),
                json!(OBJECT),
                json!("8/8/8/8/8/k7/8/K7 w - - 4294967295 4294967295"),
                json!("x".repeat(5000)),
                json!(verdict),
                json!([]),
                json!([""]),
                json!(["WHITE"]),
                json!(["WHITE", "BLACK"]),
                json!({}),
            ];
            *value = others.swap_remove(dice.below(others.len()));
        }
    }
}

#[test]
fn a_damaged_record_is_rejected_or_contains_the_same_games() {
    let laws = laws();
    let good = record(&laws);
    let played = read(&laws, good.as_bytes());
    assert_eq!((played.differences.as_slice(), played.games.len()), (&[][..], 8));
    let mut dice = SplitMix::new(21);
    let mut refused = 0;
    for round in 0..3000 {
        let bytes = damaged(&good, &mut dice);
        let found = read(&laws, &bytes);
        refused += usize::from(!found.differences.is_empty());
        let is_same = found.games.iter().all(|game| played.games.contains(game));
        assert!(is_same || !found.differences.is_empty(), "{round}: {}", String::from_utf8_lossy(&bytes));
    }
    assert!(refused > 1500, "{refused}");
    for end in (0..good.len()).step_by(5) {
        let found = read(&laws, &good.as_bytes()[..end]);
        assert!(found.differences.len() <= 1, "{end}");
        assert!(found.games.iter().all(|game| played.games.contains(game)), "{end}");
    }
}

/// Every change of a verdict or an end in a single line is detected.
#[test]
fn every_changed_verdict_and_end_is_detected() {
    let laws = laws();
    let good = record(&laws);
    let lines: Vec<&str> = good.lines().collect();
    let others = |key: &str| -> Vec<Value> {
        match key {
            "verdict" | "reason" => Verdict::all().map(|verdict| json!(verdict.word())).collect(),
            "winners" => vec![
                json!(null),
                json!([]),
                json!([""]),
                json!(["WHITE"]),
                json!(["BLACK"]),
                json!(["BLACK", "WHITE"]),
            ],
            _ => vec![json!(null), json!(""), json!("WHITE"), json!("BLACK")],
        }
    };
    for (number, line) in lines.iter().enumerate() {
        let line: Value = serde_json::from_str(line).expect("a line");
        for key in ["verdict", "winners", "reason", "by"].into_iter().filter(|key| line.get(key).is_some()) {
            for other in others(key).into_iter().filter(|other| *other != line[key]) {
                let mut bad = line.clone();
                bad[key] = other;
                let bad = bad.to_string();
                let mut lines = lines.clone();
                lines[number] = &bad;
                let found = read(&laws, lines.join("\n").as_bytes());
                assert!(!found.differences.is_empty(), "{bad}");
            }
        }
    }
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let laws = laws();
    let start = |attempt| Line::Start(Header { attempt, ..Header::new(1, &laws, "chess") });
    let void =
        lines(&laws, Header::new(1, &laws, "chess"), &[Reply::Fault(Verdict::Unreachable, "unreachable")]);
    let file = [start(u32::MAX), void[1].clone(), void[2].clone(), start(0), start(u32::MAX)];
    let text: String = file.iter().map(Line::to_string).collect();
    assert_eq!(read(&laws, text.as_bytes()).differences.len(), 3);
}

/// Returns a match of four short games.
fn config() -> MatchConfig {
    let agents = ["player:random", "player:random"].map(|address| address.parse().expect("an address"));
    MatchConfig { games: 4, seed: 3, max_plies: 24, ..MatchConfig::new("chess", chess(), agents) }
}

/// Removes what depends on time.
fn timeless(standings: &Standings) -> Standings {
    let mut standings = standings.clone();
    standings.agents.iter_mut().for_each(|agent| agent.time_us = 0);
    standings
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    fs::write(folder.join(name), bytes).expect("written");
}

#[test]
fn a_damaged_folder_is_rejected_or_resumes_to_the_same_end() {
    let config = config();
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let open = || MatchRunner::open(&config, Some(path));
    let standings = open().expect("it opens").play(2, &|_| {}).expect("it is played");
    let good = fs::read_to_string(path.join("games.jsonl")).expect("the journal");
    let settings = fs::read_to_string(path.join("match.json")).expect("the settings");
    let mut dice = SplitMix::new(22);
    for round in 0..60 {
        let bytes = damaged(&good, &mut dice);
        write(path, "games.jsonl", &bytes);
        write(path, "table.json", &bytes);
        write(path, "games.pgn", &bytes);
        match open() {
            Ok(runner) => {
                let again = runner.play(2, &|_| {}).expect("it is played");
                assert_eq!(timeless(&again), timeless(&standings), "{round}");
            }
            Err(MatchError::Journal { line, why }) => {
                assert!(line > 0 && !why.is_empty());
                assert!(fs::read(path.join("games.jsonl")).expect("the journal") == bytes, "{round}");
            }
            Err(other) => panic!("{round}: {other}"),
        }
    }
    write(path, "games.jsonl", &good);
    for round in 0..60 {
        write(path, "match.json", damaged(&settings, &mut dice));
        match open() {
            Ok(runner) => assert_eq!(timeless(runner.standings()), timeless(&standings), "{round}"),
            Err(MatchError::File { .. } | MatchError::Different(_)) => {}
            Err(other) => panic!("{round}: {other}"),
        }
    }
    assert!(fs::read_to_string(path.join("games.jsonl")).expect("the journal") == good);
}

/// Games whose loser took longer than any clock can show.
#[test]
fn the_time_of_answers_saturates() {
    let config = config();
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let runner = MatchRunner::open(&config, Some(path)).expect("it opens");
    runner.play(1, &|_| {}).expect("it is played");
    let laws = laws();
    let text = fs::read_to_string(path.join("games.jsonl")).expect("the journal");
    let mut late = String::new();
    for line in RecordReader::new(text.as_bytes()) {
        if let Ok(Line::Start(header)) = line.expect("it can be read").line {
            let mut recorder = Recorder::new(&laws, &header).expect("a game");
            let answer = recorder.hear(Reply::Fault(Verdict::Timeout, "late"), Duration::MAX);
            let end = recorder.finish(Vec::new()).expect("the game is over");
            late.extend(
                [Line::Start(header), Line::Answer(answer), Line::End(end)].map(|line| line.to_string()),
            );
        }
    }
    write(path, "games.jsonl", late);
    let runner = MatchRunner::open(&config, Some(path)).expect("it opens");
    assert_eq!(runner.standings().played, 4);
    assert_eq!(runner.standings().agents[0].time_us, u64::MAX);
}

/// Long lines and many unfinished games are read quickly and not kept.
#[test]
fn large_files_are_read_quickly() {
    let laws = laws();
    let start = Instant::now();
    let header = |id| Line::Start(Header::new(id, &laws, "chess")).to_string();
    let many: String = (1..=10_000).map(header).collect();
    assert!(read(&laws, many.as_bytes()).differences.len() > 5000);
    let deep = format!("{{\"line\":{}", "[".repeat(1 << 20));
    let lines =
        [deep, "x".repeat(20 << 20), format!("\"{}\"", "\\u0000".repeat(1 << 20)), "\0".repeat(1 << 20)];
    assert_eq!(read(&laws, lines.join("\n").as_bytes()).differences.len(), lines.len());
    let long = Header { opening: vec!["e2e4".to_owned(); 1 << 20], ..Header::new(1, &laws, "chess") };
    assert_eq!(read(&laws, Line::Start(long).to_string().as_bytes()).differences.len(), 1);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// A damaged PGN file gives errors with their place, wrong results, or games.
#[test]
fn damaged_pgn_is_checked() {
    let chess = chess();
    let games = "[Result \"0-1\"]\n[Termination \"checkmate\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
        [Result \"1/2-1/2\"]\n[Termination \"threefold_repetition\"]\n\n\
        1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 {so be it} Ng8 1/2-1/2\n\n\
        [SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/8/R7 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. Ra8# 1-0\n\n\
        [Result \"1/2-1/2\"]\n[Termination \"agreement\"]\n\n1. e4 (1. d4 d5) e5 $1 1/2-1/2\n";
    let wrong = |text: &str| {
        let judge = |game| check_pgn(&chess.rules, &game).len();
        pgn::games(&chess.rules, text).map(|game| game.map_or(1, judge)).sum::<usize>()
    };
    assert_eq!(wrong(games), 0);
    let mut dice = SplitMix::new(23);
    for _ in 0..1500 {
        wrong(&String::from_utf8_lossy(&damaged(games, &mut dice)));
    }
    // Another result, in both of its places.
    for (game, own) in games.split("\n\n[").zip(["0-1", "1/2-1/2", "1-0", "1/2-1/2"]) {
        let game = format!("[{}\n", game.trim_start_matches('['));
        assert_eq!(wrong(&game), 0, "{game}");
        for other in ["1-0", "0-1", "1/2-1/2", "*"].into_iter().filter(|other| *other != own) {
            assert_eq!(wrong(&game.replace(own, other)), 1, "{game} {other}");
        }
    }
}
