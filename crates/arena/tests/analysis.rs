//! What a study tells about a game: the same each time, sane for chess, and quickly that a game never ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tabiya_arena::{Interim, Stage, Study, Unfit};
use tabiya_engine::Rules;

fn rules(name: &str) -> Arc<Rules> {
    tabiya_spec::library::load(name).expect("a library game").rules
}

fn study(name: &str, games: u32) -> Study {
    Study { games, ..Study::new(name, rules(name)) }
}

#[test]
fn the_same_seed_tells_the_same_on_any_number_of_threads() {
    for (name, max_plies) in [("losalamos", 1000), ("trefoil", 60)] {
        let study = Study { max_plies, ..study(name, 12) };
        let told = |threads: usize| study.run(threads, &|_| {}).expect("it is played").to_json().to_string();
        assert_eq!(told(1), told(3), "{name}");
        let other = Study { seed: 1, ..study.clone() };
        assert_ne!(told(2), other.run(2, &|_| {}).expect("it is played").to_json().to_string(), "{name}");
    }
}

#[test]
fn partners_are_one_side() {
    let study = Study { player: "random".to_owned(), max_plies: 30, ..study("enochian", 1) };
    let told = study.run(1, &|_| {}).expect("it is played");
    let sides: Vec<String> = told.sides.iter().map(|side| side.players.join("+")).collect();
    assert_eq!(sides, ["BLUE+BLACK", "RED+YELLOW"]);
}

#[test]
fn chess_is_a_good_game() {
    let told = study("chess", 40).run(2, &|_| {}).expect("it is played");
    assert_eq!((told.games, told.sides.len()), (40, 2));
    assert_eq!(told.draws.count + told.decisive.count + told.unfinished.count, 40);
    assert!(told.unfinished.count == 0 && told.decisive.share > 0.3, "{told:?}");
    for side in &told.sides {
        assert!((0.1..0.8).contains(&side.wins.share) && side.wins.low < side.wins.share, "{side:?}");
    }
    assert!((30.0..400.0).contains(&told.plies.mean), "{:?}", told.plies);
    assert!((15.0..45.0).contains(&told.branching.mean), "{:?}", told.branching);
    assert!((3.0..31.0).contains(&told.captures.mean), "{:?}", told.captures);
    assert_eq!(told.lengths.bins.iter().map(|bin| bin.count).sum::<u32>(), 40);
    assert!(told.reasons.iter().any(|(reason, _)| reason == "checkmate"), "{:?}", told.reasons);
    assert_eq!(told.skill.len(), 2);
    assert!(told.skill[0].wins.share > 0.7, "greed beats chance: {:?}", told.skill);
    let best: Vec<&str> = told.values.iter().take(2).map(|(piece, _)| piece.as_str()).collect();
    assert_eq!(best, ["QUEEN", "ROOK"]);
}

/// Two men who only walk: nobody can win and nothing ends it.
const ENDLESS: &str = r#"{
  "name": "Two kings", "leader": "KING", "board": { "dimensions": [6, 6] },
  "players": [
    { "name": "A", "direction": "UP", "starting_positions": [{ "piece": "KING", "positions": [[0,0]] }] },
    { "name": "B", "direction": "DOWN", "starting_positions": [{ "piece": "KING", "positions": [[5,5]] }] }
  ],
  "turns": { "order": ["A", "B"] },
  "pieces": [{ "code": "KING", "moves": [
    { "id": 0, "step": [0,1], "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
    { "id": 1, "step": [1,0], "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
    { "id": 2, "step": [0,-1], "actions": [{ "state": "EMPTY", "action": "MOVE" }] },
    { "id": 3, "step": [-1,0], "actions": [{ "state": "EMPTY", "action": "MOVE" }] }
  ] }]
}"#;

#[test]
fn a_game_without_end_is_told_to_be_one() {
    let game = tabiya_spec::load(ENDLESS.as_bytes()).game.expect("it can be played");
    let heard = AtomicU32::new(0);
    let watch = |interim: &Interim| {
        heard.fetch_max(interim.done, Ordering::Relaxed);
    };
    let told =
        Study { games: 100_000, ..Study::new("endless", game.rules) }.run(2, &watch).expect("it is played");
    assert_eq!((told.games, told.unfinished.count, heard.into_inner()), (10, 10, 10));
    assert!(told.remarks[0].starts_with("It never ends"), "{:?}", told.remarks);
    assert!(told.skill.is_empty());
    assert_eq!(told.to_json()["never_ends"], true);
}

#[test]
fn whoever_watches_hears_of_every_game() {
    let heard = AtomicU32::new(0);
    let watch = |interim: &Interim| {
        assert!(interim.done <= interim.of);
        if interim.stage == Stage::Games {
            heard.fetch_add(1, Ordering::Relaxed);
        }
    };
    study("losalamos", 15).run(2, &watch).expect("it is played");
    assert_eq!(heard.into_inner(), 15);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let study = Study { player: "Nobody".to_owned(), ..study("chess", 1) };
    assert_eq!(study.run(1, &|_| {}).unwrap_err(), Unfit::NoSuchPlayer("Nobody".to_owned()));
}
