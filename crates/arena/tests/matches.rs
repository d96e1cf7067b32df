//! Matches between built-in players: records are correct, and interrupted matches resume with the same games.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::sync::Mutex;

use serde_json::Value;
use tabiya_arena::{MatchConfig, MatchError, MatchRunner, Openings, RecordReader, Resumed, Standings};
use tabiya_notation::pgn;
use tabiya_players::SplitMix;
use tabiya_referee::Laws;
use tabiya_referee::record::{Line, Replays, check_pgn};
use tabiya_spec::{Game, library};
use tempfile::TempDir;

fn game(name: &str) -> Game {
    library::load(name).expect("a library game")
}

fn config(name: &str, games: u32, agents: [&str; 2]) -> MatchConfig {
    let agents = agents.map(|address| address.parse().expect("an address"));
    MatchConfig { games, seed: 11, ..MatchConfig::new(name, game(name), agents) }
}

fn play(config: &MatchConfig, folder: &Path, concurrency: usize) -> (Resumed, Standings) {
    let runner = MatchRunner::open(config, Some(folder)).expect("it opens");
    let resumed = runner.resumed().clone();
    (resumed, runner.play(concurrency, &|_| {}).expect("it is played"))
}

/// Removes what depends on the speed of the machine.
fn timeless(standings: &Standings) -> Standings {
    let mut standings = standings.clone();
    for agent in &mut standings.agents {
        agent.time_us = 0;
    }
    standings
}

/// Returns every difference in a journal and its number of games.
fn verify(config: &MatchConfig, folder: &Path) -> (Vec<String>, usize) {
    let laws = Laws::new(&config.game.rules, &config.game.hash.to_string());
    let file = fs::File::open(folder.join("games.jsonl")).expect("the journal");
    let (mut replays, mut differences, mut games) = (Replays::new(), Vec::new(), 0);
    for line in RecordReader::new(BufReader::new(file)) {
        let line = line.expect("it can be read");
        let heard = replays.line(&line.line.expect("a line"), |_| Ok(laws.clone()));
        differences.extend(heard.differences.into_iter().map(|what| format!("{}: {what}", line.number)));
        games += usize::from(heard.closed.is_some());
    }
    differences.extend(replays.unfinished().iter().map(|open| format!("{} is open", open.header().id)));
    (differences, games)
}

/// Returns the moves of every game in the journal.
fn moves(folder: &Path) -> Vec<(u32, Vec<String>)> {
    let file = fs::File::open(folder.join("games.jsonl")).expect("the journal");
    let mut games: Vec<(u32, Vec<String>)> = Vec::new();
    for line in RecordReader::new(BufReader::new(file)) {
        match line.expect("it can be read").line.expect("a line") {
            Line::Start(header) => games.push((header.id, header.opening)),
            Line::Answer(answer) => {
                let game = games.iter_mut().rfind(|(id, _)| *id == answer.id).expect("it began");
                game.1.extend(answer.played);
            }
            Line::Throw(_) | Line::End(_) => {}
        }
    }
    games.sort();
    games
}

#[test]
fn the_record_of_forty_games_is_correct() {
    let folder = TempDir::new().expect("a folder");
    let config = config("chess", 40, ["player:random", "player:random"]);
    let watched = Mutex::new(Vec::new());
    let runner = MatchRunner::open(&config, Some(folder.path())).expect("it opens");
    let standings = runner
        .play(3, &|standings| watched.lock().expect("watched").push(standings.played))
        .expect("it is played");
    assert_eq!(watched.into_inner().expect("watched"), (1..=40).collect::<Vec<u32>>());
    let [a, b] = &standings.agents;
    assert_eq!((a.wins, a.draws, a.losses), (b.losses, b.draws, b.wins));
    assert_eq!((standings.played, standings.void, a.wins + a.draws + a.losses), (40, 0, 40));
    assert!(a.faults() + b.faults() == 0 && a.answers > 0 && b.answers > 0);
    assert_eq!(standings.reasons.values().sum::<u32>(), 40);

    assert_eq!(verify(&config, folder.path()), (Vec::new(), 40));
    let text = fs::read_to_string(folder.path().join("games.pgn")).expect("the games");
    let games: Vec<_> = pgn::games(&config.game.rules, &text).map(|game| game.expect("a game")).collect();
    assert_eq!(games.len(), 40);
    for game in &games {
        assert_eq!(check_pgn(&config.game.rules, game), Vec::<String>::new());
    }
    let mut rounds: Vec<u32> =
        games.iter().map(|game| game.tag("Round").expect("a round").parse().expect("a number")).collect();
    rounds.sort_unstable();
    assert_eq!(rounds, (1..=40).collect::<Vec<u32>>());
    let written: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("table.json")).expect("the standings"))
            .expect("JSON");
    assert_eq!(written, standings.to_json());

    // TurnRequest again, there is nothing left to play.
    let (resumed, again) = play(&config, folder.path(), 1);
    assert_eq!(resumed, Resumed { finished: 40, in_progress: 0, torn_line: None });
    assert_eq!(again, standings);
    assert!(
        fs::read_to_string(folder.path().join("games.pgn")).expect("the games") == text,
        "the same file again"
    );
}

#[test]
fn pairs_have_one_opening_and_both_seats() {
    let folder = TempDir::new().expect("a folder");
    let config = config("knightmate", 4, ["player:random", "player:greedy"]);
    play(&config, folder.path(), 2);
    let file = fs::File::open(folder.path().join("games.jsonl")).expect("the journal");
    let mut headers: Vec<_> = RecordReader::new(BufReader::new(file))
        .filter_map(|line| match line.expect("it can be read").line {
            Ok(Line::Start(header)) => Some(header),
            _ => None,
        })
        .collect();
    headers.sort_by_key(|header| header.id);
    for pair in headers.chunks_exact(2) {
        assert!((2..=4).contains(&pair[0].opening.len()));
        assert_eq!(pair[0].opening, pair[1].opening);
        assert_eq!(pair[0].seats[0].agent, pair[1].seats[1].agent);
        assert_eq!(pair[0].seats[0].agent, "player:random");
    }
    assert_ne!(headers[0].opening, headers[2].opening);
}

/// The match ends with the same games, wherever the journal is cut.
#[test]
fn a_match_resumes_from_any_byte_of_its_journal() {
    let whole = TempDir::new().expect("a folder");
    let config = MatchConfig { max_plies: 60, ..config("losalamos", 6, ["player:greedy", "player:random"]) };
    let (_, standings) = play(&config, whole.path(), 2);
    let bytes = fs::read(whole.path().join("games.jsonl")).expect("the journal");
    let settings = fs::read(whole.path().join("match.json")).expect("the settings");
    let expected = moves(whole.path());
    let mut dice = SplitMix::new(5);
    let mut torn = 0;
    for _ in 0..25 {
        let cut = dice.below(bytes.len() + 1);
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("match.json"), &settings).expect("written");
        fs::write(folder.path().join("games.jsonl"), &bytes[..cut]).expect("written");
        fs::write(folder.path().join("games.pgn"), "[Event \"torn").expect("written");
        let (resumed, again) = play(&config, folder.path(), 2);
        assert_eq!(timeless(&again), timeless(&standings), "{cut}: {resumed:?}");
        assert_eq!(moves(folder.path()), expected, "{cut}");
        assert_eq!(verify(&config, folder.path()), (Vec::new(), 6), "{cut}");
        let text = fs::read_to_string(folder.path().join("games.pgn")).expect("the games");
        assert_eq!(pgn::games(&config.game.rules, &text).flatten().count(), 6, "{cut}");
        torn += usize::from(resumed.torn_line.is_some());
    }
    assert!(torn > 20, "cuts fall into lines");
}

#[test]
fn other_settings_and_changed_journals_are_rejected() {
    let folder = TempDir::new().expect("a folder");
    let first = MatchConfig { max_plies: 20, ..config("gardner", 2, ["player:random", "player:random"]) };
    play(&first, folder.path(), 1);
    let other = MatchConfig { games: 4, seed: 12, openings: Openings::None, ..first.clone() };
    match MatchRunner::open(&other, Some(folder.path())) {
        Err(MatchError::Different(differences)) => {
            let shown = ["games is 2 there and 4 here", "seed is 11", "openings is \"book\""];
            assert_eq!(differences.len(), 3, "{differences:?}");
            assert!(shown.iter().zip(&differences).all(|(start, found)| found.starts_with(start)));
        }
        other => panic!("{other:?}"),
    }
    // A changed journal is rejected.
    let path = folder.path().join("games.jsonl");
    let good = fs::read_to_string(&path).expect("the journal");
    let bad = good.replacen("\"verdict\":\"move\"", "\"verdict\":\"resign\"", 1);
    for (text, line) in
        [(bad, 2), (good.replacen('\n', "\nnonsense\n", 1), 2), (good.replace("\"id\":2", "\"id\":9"), 0)]
    {
        fs::write(&path, &text).expect("written");
        match MatchRunner::open(&first, Some(folder.path())) {
            Err(MatchError::Journal { line: found, why }) => {
                assert!(line == 0 || found == line, "{found}: {why}");
            }
            other => panic!("{other:?}"),
        }
    }
    fs::write(&path, &good).expect("written");
    let held = MatchRunner::open(&first, Some(folder.path())).expect("it opens");
    assert!(matches!(MatchRunner::open(&first, Some(folder.path())), Err(MatchError::Busy)));
    drop(held);
    assert!(MatchRunner::open(&first, Some(folder.path())).is_ok());
}

#[test]
fn games_for_more_than_two_players() {
    let folder = TempDir::new().expect("a folder");
    for name in ["fourplayer", "trefoil"] {
        let config = MatchConfig { max_plies: 80, ..config(name, 2, ["player:random", "player:greedy"]) };
        let path = folder.path().join(name);
        let (_, standings) = play(&config, &path, 2);
        assert_eq!(standings.played, 2, "{name}");
        assert_eq!(verify(&config, &path), (Vec::new(), 2), "{name}");
    }
}

#[test]
fn stronger_players_score_more() {
    let config = config("chess", 6, ["player:search", "player:random"]);
    let standings =
        MatchRunner::open(&config, None).expect("it opens").play(2, &|_| {}).expect("it is played");
    assert!(standings.agents[0].score() > standings.agents[1].score(), "{standings:?}");
}

#[test]
fn invalid_configurations_are_rejected() {
    let bad =
        |agents| MatchRunner::open(&config("chess", 1, agents), None).expect_err("no match").to_string();
    assert!(bad(["player:random", "player:unknown"]).contains("there is no player `unknown`"));
    let four = config("fourplayer", 1, ["uci:stockfish", "player:random"]);
    assert!(
        MatchRunner::open(&four, None)
            .expect_err("no match")
            .to_string()
            .contains("plays games for two players")
    );
    let endless = MatchConfig { max_plies: 0, ..config("chess", 1, ["player:random", "player:random"]) };
    assert!(MatchRunner::open(&endless, None).is_err());
}
