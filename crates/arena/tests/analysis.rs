//! Studies: they are deterministic, plausible for chess, and stop early if a game never ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tabiya_arena::{Comparison, PieceStats, Stage, Study, StudyError, StudyProgress};
use tabiya_engine::Rules;

fn rules(name: &str) -> Arc<Rules> {
    tabiya_spec::library::load(name).expect("a library game").rules
}

fn study(name: &str, games: u32) -> Study {
    Study { games, player: "greedy".to_owned(), nodes: Some(200), ..Study::new(name, rules(name)) }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    for (name, max_plies) in [("losalamos", 1000), ("trefoil", 60)] {
        let study = Study { max_plies, ..study(name, 12) };
        let json = |threads: usize| study.run(threads, &|_| {}).expect("a study").to_json().to_string();
        assert_eq!(json(1), json(3), "{name}");
        let other = Study { seed: 1, ..study.clone() };
        assert_ne!(json(2), other.run(2, &|_| {}).expect("a study").to_json().to_string(), "{name}");
    }
}

#[test]
fn partners_are_one_side() {
    let study = Study { player: "random".to_owned(), max_plies: 30, ..study("enochian", 1) };
    let analysis = study.run(1, &|_| {}).expect("a study");
    let sides: Vec<String> = analysis.sides.iter().map(|side| side.players.join("+")).collect();
    assert_eq!(sides, ["BLUE+BLACK", "RED+YELLOW"]);
}

#[test]
fn figures_of_chess_are_plausible() {
    let analysis = study("chess", 40).run(2, &|_| {}).expect("a study");
    assert_eq!((analysis.games, analysis.sides.len()), (40, 2));
    assert_eq!(analysis.draws.count + analysis.decisive.count + analysis.unfinished.count, 40);
    assert!(analysis.unfinished.count == 0 && analysis.decisive.share > 0.3, "{analysis:?}");
    for side in &analysis.sides {
        assert!((0.1..0.8).contains(&side.wins.share) && side.wins.low < side.wins.share, "{side:?}");
    }
    assert!((30.0..400.0).contains(&analysis.plies.mean), "{:?}", analysis.plies);
    assert!((15.0..45.0).contains(&analysis.branching.mean), "{:?}", analysis.branching);
    assert!((3.0..31.0).contains(&analysis.captures.mean), "{:?}", analysis.captures);
    assert_eq!(analysis.lengths.bins.iter().map(|bin| bin.count).sum::<u32>(), 40);
    assert!(analysis.reasons.iter().any(|(reason, _)| reason == "checkmate"), "{:?}", analysis.reasons);
    assert_eq!(analysis.skill.len(), 2);
    assert!(analysis.skill[0].wins.share > 0.7, "greedy beats random: {:?}", analysis.skill);
    let best: Vec<&str> = analysis.values.iter().take(2).map(|(piece, _)| piece.as_str()).collect();
    assert_eq!(best, ["QUEEN", "ROOK"]);
}

#[test]
fn pieces_and_squares_are_counted() {
    let analysis = study("chess", 10).run(2, &|_| {}).expect("a study");
    let sum = |figure: fn(&PieceStats) -> f64| analysis.pieces.iter().map(figure).sum::<f64>();
    assert!((sum(|it| it.moves) - 1.0).abs() < 1e-9, "{:?}", analysis.pieces);
    assert!((sum(|it| it.captured) - analysis.captures.mean).abs() < 1e-9, "every capture has a victim");
    assert!((sum(|it| it.captures) - analysis.captures.mean).abs() < 1e-9, "and a captor");
    assert!((sum(|it| it.promoted) - analysis.promotions.mean).abs() < 1e-9);
    let piece = |code: &str| analysis.pieces.iter().find(|it| it.piece == code).expect("a piece");
    assert_eq!((piece("PAWN").start, piece("KING").start, piece("KING").captured), (16, 2, 0.0));
    assert_eq!(piece("KING").survival, Some(1.0));
    assert!((0.05..0.95).contains(&piece("PAWN").survival.expect("there are pawns")));
    assert!((0.3..=1.0).contains(&analysis.board.coverage.mean), "{:?}", analysis.board);
    assert!((0.0..=1.0).contains(&analysis.turning_points.mean), "{:?}", analysis.turning_points);
    assert_eq!(analysis.turning_points.count, analysis.decisive.count);
    assert!(analysis.forced_moves.of > 300 && analysis.forced_moves.share < 0.5);
    let opening = analysis.opening.expect("two sides and no die");
    assert!(opening.moves == 20 && (1..=20).contains(&opening.good), "{opening:?}");
    assert!((40.0..400.0).contains(&analysis.game_tree.log10), "{:?}", analysis.game_tree);
}

#[test]
fn the_default_effort_grows_with_the_number_of_legal_moves() {
    let nodes = |name: &str| {
        let study = Study { nodes: None, player: "random".to_owned(), max_plies: 1, ..study(name, 1) };
        study.run(1, &|_| {}).expect("a study").nodes
    };
    let [small, chess] = ["gardner", "chess"].map(nodes);
    assert!((2000..4000).contains(&chess) && (300..2000).contains(&small), "{small} and {chess}");
}

#[test]
fn games_are_compared() {
    let [a, b] = ["losalamos", "chess"].map(|name| study(name, 6).run(2, &|_| {}).expect("a study"));
    let comparison = Comparison::new(a, b);
    let moves =
        comparison.differences.iter().find(|it| it.figure == "legal moves per turn").expect("a figure");
    assert!(moves.differs && moves.difference > 0.0, "{moves:?}");
    assert_eq!(comparison.to_json()["b"]["game"], "chess");
}

/// Two kings that cannot capture: no player can win, and nothing ends the game.
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
fn a_game_without_end_is_reported() {
    let game = tabiya_spec::load(ENDLESS.as_bytes()).game.expect("it can be played");
    let seen = AtomicU32::new(0);
    let watch = |progress: &StudyProgress| {
        seen.fetch_max(progress.done, Ordering::Relaxed);
    };
    let analysis = Study { games: 100_000, player: "greedy".to_owned(), ..Study::new("endless", game.rules) }
        .run(2, &watch)
        .expect("a study");
    assert_eq!((analysis.games, analysis.unfinished.count, seen.into_inner()), (10, 10, 10));
    assert!(analysis.remarks[0].starts_with("It never ends"), "{:?}", analysis.remarks);
    assert!(analysis.skill.is_empty());
    assert_eq!(analysis.to_json()["never_ends"], true);
}

#[test]
fn progress_is_reported_for_every_game() {
    let seen = AtomicU32::new(0);
    let watch = |progress: &StudyProgress| {
        assert!(progress.done <= progress.of);
        if progress.stage == Stage::Games {
            seen.fetch_add(1, Ordering::Relaxed);
        }
    };
    study("losalamos", 15).run(2, &watch).expect("a study");
    assert_eq!(seen.into_inner(), 15);
}

#[test]
fn unknown_players_are_rejected() {
    let study = Study { player: "unknown".to_owned(), ..study("chess", 1) };
    assert_eq!(study.run(1, &|_| {}).unwrap_err(), StudyError::NoSuchPlayer("unknown".to_owned()));
}
