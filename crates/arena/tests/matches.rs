//! Matches between our own players: what is written down is true, and goes on after any accident as if there had been none.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::sync::Mutex;

use serde_json::Value;
use tabiya_arena::{FileLines, Match, MatchError, Meeting, Openings, Resumed, Table};
use tabiya_notation::pgn;
use tabiya_players::SplitMix;
use tabiya_referee::record::{Laws, Line, Replays, check_score};
use tabiya_spec::{Game, library};
use tempfile::TempDir;

fn game(name: &str) -> Game {
    library::load(name).expect("a library game")
}

fn contest(name: &str, games: u32, agents: [&str; 2]) -> Match {
    let agents = agents.map(|address| address.parse().expect("an address"));
    Match { games, seed: 11, ..Match::new(name, game(name), agents) }
}

fn play(contest: &Match, folder: &Path, concurrency: usize) -> (Resumed, Table) {
    let meeting = Meeting::open(contest, Some(folder)).expect("it opens");
    let resumed = meeting.resumed().clone();
    (resumed, meeting.play(concurrency, &|_| {}).expect("it is played"))
}

/// What does not depend on how fast the machine is.
fn timeless(table: &Table) -> Table {
    let mut table = table.clone();
    for agent in &mut table.agents {
        agent.time_us = 0;
    }
    table
}

/// Every difference in a journal, and how many games it holds.
fn verify(contest: &Match, folder: &Path) -> (Vec<String>, usize) {
    let laws = Laws::new(&contest.game.rules, &contest.game.hash.to_string());
    let file = fs::File::open(folder.join("games.jsonl")).expect("the journal");
    let (mut replays, mut differences, mut games) = (Replays::new(), Vec::new(), 0);
    for line in FileLines::new(BufReader::new(file)) {
        let line = line.expect("it can be read");
        let heard = replays.line(&line.line.expect("a line"), |_| Ok(laws.clone()));
        differences.extend(heard.differences.into_iter().map(|what| format!("{}: {what}", line.number)));
        games += usize::from(heard.closed.is_some());
    }
    differences.extend(replays.unfinished().iter().map(|open| format!("{} is open", open.header().id)));
    (differences, games)
}

/// The moves of every game in the journal, by its number.
fn moves(folder: &Path) -> Vec<(u32, Vec<String>)> {
    let file = fs::File::open(folder.join("games.jsonl")).expect("the journal");
    let mut games: Vec<(u32, Vec<String>)> = Vec::new();
    for line in FileLines::new(BufReader::new(file)) {
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
fn forty_games_are_written_down_and_checked_again() {
    let folder = TempDir::new().expect("a folder");
    let contest = contest("chess", 40, ["player:random", "player:random"]);
    let told = Mutex::new(Vec::new());
    let meeting = Meeting::open(&contest, Some(folder.path())).expect("it opens");
    let table =
        meeting.play(3, &|table| told.lock().expect("told").push(table.played)).expect("it is played");
    assert_eq!(told.into_inner().expect("told"), (1..=40).collect::<Vec<u32>>());
    let [a, b] = &table.agents;
    assert_eq!((a.wins, a.draws, a.losses), (b.losses, b.draws, b.wins));
    assert_eq!((table.played, table.void, a.wins + a.draws + a.losses), (40, 0, 40));
    assert!(a.faults() + b.faults() == 0 && a.answers > 0 && b.answers > 0);
    assert_eq!(table.reasons.values().sum::<u32>(), 40);

    assert_eq!(verify(&contest, folder.path()), (Vec::new(), 40));
    let text = fs::read_to_string(folder.path().join("games.pgn")).expect("the games");
    let games: Vec<_> = pgn::games(&contest.game.rules, &text).map(|game| game.expect("a game")).collect();
    assert_eq!(games.len(), 40);
    for game in &games {
        assert_eq!(check_score(&contest.game.rules, game), Vec::<String>::new());
    }
    let mut rounds: Vec<u32> =
        games.iter().map(|game| game.tag("Round").expect("a round").parse().expect("a number")).collect();
    rounds.sort_unstable();
    assert_eq!(rounds, (1..=40).collect::<Vec<u32>>());
    let written: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("table.json")).expect("the table"))
            .expect("JSON");
    assert_eq!(written, table.to_json());

    // Asked again, there is nothing left to play.
    let (resumed, again) = play(&contest, folder.path(), 1);
    assert_eq!(resumed, Resumed { over: 40, under_way: 0, torn: None });
    assert_eq!(again, table);
    assert!(
        fs::read_to_string(folder.path().join("games.pgn")).expect("the games") == text,
        "written again the same"
    );
}

#[test]
fn pairs_have_one_opening_and_both_seats() {
    let folder = TempDir::new().expect("a folder");
    let contest = contest("knightmate", 4, ["player:random", "player:greedy"]);
    play(&contest, folder.path(), 2);
    let file = fs::File::open(folder.path().join("games.jsonl")).expect("the journal");
    let mut headers: Vec<_> = FileLines::new(BufReader::new(file))
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

/// Wherever the journal is cut, the match ends with the same games.
#[test]
fn a_match_goes_on_from_any_byte_of_its_journal() {
    let whole = TempDir::new().expect("a folder");
    let contest = Match { max_plies: 60, ..contest("losalamos", 6, ["player:greedy", "player:random"]) };
    let (_, table) = play(&contest, whole.path(), 2);
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
        let (resumed, again) = play(&contest, folder.path(), 2);
        assert_eq!(timeless(&again), timeless(&table), "{cut}: {resumed:?}");
        assert_eq!(moves(folder.path()), expected, "{cut}");
        assert_eq!(verify(&contest, folder.path()), (Vec::new(), 6), "{cut}");
        let text = fs::read_to_string(folder.path().join("games.pgn")).expect("the games");
        assert_eq!(pgn::games(&contest.game.rules, &text).flatten().count(), 6, "{cut}");
        torn += usize::from(resumed.torn.is_some());
    }
    assert!(torn > 20, "cuts fall into lines");
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let first = Match { max_plies: 20, ..contest("gardner", 2, ["player:random", "player:random"]) };
    play(&first, folder.path(), 1);
    let other = Match { games: 4, seed: 12, openings: Openings::None, ..first.clone() };
    match Meeting::open(&other, Some(folder.path())) {
        Err(MatchError::Different(differences)) => {
            let shown = ["games is 2 there and 4 here", "seed is 11", "openings is \"book\""];
            assert_eq!(differences.len(), 3, "{differences:?}");
            assert!(shown.iter().zip(&differences).all(|(start, found)| found.starts_with(start)));
        }
        other => panic!("{other:?}"),
    }
    // A journal that somebody has changed is not believed.
    let path = folder.path().join("games.jsonl");
    let good = fs::read_to_string(&path).expect("the journal");
    let bad = good.replacen("\"verdict\":\"move\"", "\"verdict\":\"resign\"", 1);
    for (text, line) in
        [(bad, 2), (good.replacen('\n', "\nnonsense\n", 1), 2), (good.replace("\"id\":2", "\"id\":9"), 0)]
    {
        fs::write(&path, &text).expect("written");
        match Meeting::open(&first, Some(folder.path())) {
            Err(MatchError::Journal { line: found, why }) => {
                assert!(line == 0 || found == line, "{found}: {why}");
            }
            other => panic!("{other:?}"),
        }
    }
    fs::write(&path, &good).expect("written");
    let held = Meeting::open(&first, Some(folder.path())).expect("it opens");
    assert!(matches!(Meeting::open(&first, Some(folder.path())), Err(MatchError::Busy)));
    drop(held);
    assert!(Meeting::open(&first, Some(folder.path())).is_ok());
}

#[test]
fn more_than_two_may_play() {
    let folder = TempDir::new().expect("a folder");
    for name in ["fourplayer", "trefoil"] {
        let contest = Match { max_plies: 80, ..contest(name, 2, ["player:random", "player:greedy"]) };
        let path = folder.path().join(name);
        let (_, table) = play(&contest, &path, 2);
        assert_eq!(table.played, 2, "{name}");
        assert_eq!(verify(&contest, &path), (Vec::new(), 2), "{name}");
    }
}

#[test]
fn stronger_players_score_more() {
    let contest = contest("chess", 6, ["player:search", "player:random"]);
    let table = Meeting::open(&contest, None).expect("it opens").play(2, &|_| {}).expect("it is played");
    assert!(table.agents[0].score() > table.agents[1].score(), "{table:?}");
}

#[test]
fn what_makes_no_match_is_refused() {
    let bad = |agents| Meeting::open(&contest("chess", 1, agents), None).expect_err("no match").to_string();
    assert!(bad(["player:random", "player:nobody"]).contains("there is no player `nobody`"));
    let four = contest("fourplayer", 1, ["uci:stockfish", "player:random"]);
    assert!(Meeting::open(&four, None).expect_err("no match").to_string().contains("plays games for two"));
    let endless = Match { max_plies: 0, ..contest("chess", 1, ["player:random", "player:random"]) };
    assert!(Meeting::open(&endless, None).is_err());
}
