//! The solver for forced wins: known chess problems, and agreement with a brute-force solver in positions of many games.

mod support;

use std::env;

use support::{game, position};
use tabiya_engine::{Kind, Move, Piece, Player, PlayerSet, Position, Rules, Setup, SplitMix, Square};
use tabiya_notation::uci;
use tabiya_players::{Answer, Task, Unprovable, by_name, prove};
use tabiya_spec::Choices;

/// State, number of moves, key move, and source.
const MATES: &str = include_str!("mates.tsv");

#[test]
fn known_problems_are_solved() {
    let chess = game("chess");
    let rules = &chess.rules;
    let rows: Vec<Vec<&str>> = MATES.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() >= 50);
    for row in rows {
        let [state, moves, key, source] = row[..] else { panic!("not a row: {row:?}") };
        let position = position(rules, state);
        let expected: u32 = moves.parse().expect(moves);
        let proof = prove(rules, &position, &Task::new(expected)).expect(state);
        let Answer::Won { moves, keys, line, .. } = proof.answer else { panic!("{source}: {state}") };
        assert_eq!(moves, expected, "{source}: {state}");
        assert_eq!(uci(rules, &position, keys[0].first), key, "{source}: {state}");
        assert_eq!(line.len() as u32, 2 * expected - 1, "{source}: the longest defence of {state}");
        let end = line.iter().try_fold(position, |position, played| rules.play(&position, *played));
        let outcome = end.map(|end| rules.outcome(&end).expect("the line ends with mate"));
        assert!(outcome.is_ok_and(|outcome| !outcome.winners.is_empty()), "{source}: {state}");
    }
}

#[test]
fn two_move_problems_have_one_key_and_refutations() {
    let chess = game("chess");
    let rules = &chess.rules;
    for row in MATES.lines().skip(1).filter(|row| row.contains("\t2\t")) {
        let state = row.split('\t').next().expect("a state");
        let position = position(rules, state);
        let task = Task { all: true, ..Task::new(2) };
        let Answer::Won { keys, refutations, .. } = prove(rules, &position, &task).expect(state).answer
        else {
            panic!("{state}")
        };
        assert_eq!(keys.len(), 1, "{state}");
        assert_eq!(keys.len() + refutations.len(), rules.legal_moves(&position).len(), "{state}");
        for it in refutations {
            let next = rules.play_unchecked(&position, it.first);
            let Some(reply) = it.reply else {
                assert!(rules.outcome(&next).is_some_and(|outcome| outcome.winners.is_empty()), "{state}");
                continue;
            };
            let after = rules.play(&next, reply).expect("a refutation is legal");
            let wins = prove(rules, &after, &Task::new(1)).map(|proof| proof.answer);
            assert!(!matches!(wins, Ok(Answer::Won { .. })), "{state}: {reply:?}");
        }
    }
}

#[test]
fn stalemates_and_node_limits_are_not_wins() {
    let chess = game("chess");
    let rules = &chess.rules;
    let proof = |state: &str, task: &Task<'_>| prove(rules, &position(rules, state), task);
    // The queen on f7 would be stalemate.
    let Ok(found) = proof("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", &Task { all: true, ..Task::new(1) }) else {
        panic!("it can be proved")
    };
    assert!(matches!(found.answer, Answer::Won { keys, .. } if keys.len() == 1));
    let short = Task { nodes: 100, ..Task::new(3) };
    let found = proof("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", &short);
    assert!(
        found.is_ok_and(|proof| proof.nodes <= 100 && matches!(proof.answer, Answer::Open { moves: 2 | 3 }))
    );
    let over = proof("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &Task::new(1));
    assert_eq!(over, Err(Unprovable::GameOver));
}

#[test]
fn games_with_rng_are_unprovable() {
    let entry = tabiya_spec::library::find("enochian").expect("it is in the library");
    let options = vec![("DIVINATION".to_owned(), "true".to_owned())];
    let loaded = entry.load_with(&Choices { options, ..Choices::default() });
    let rules = loaded.game.expect("it has no faults").rules;
    assert_eq!(prove(&rules, &rules.start(), &Task::new(1)), Err(Unprovable::Chance));
}

/// Eliminated players are ignored.
#[test]
fn the_last_of_three_opponents_is_mated() {
    let four = game("fourplayer");
    let rules = &four.rules;
    let state = "***8***/***8***/***8***/k13/14/14/14/14/14/1R12/3R10/***8***/***8***/***4K3*** r - - 0 1";
    let mut setup = rules.setup(&position(rules, state));
    let found = prove(rules, &position(rules, state), &Task::new(1)).expect(state).answer;
    assert!(matches!(found, Answer::Refuted(_)), "two others are still in the game");
    setup.eliminated = rules.players().skip(2).collect();
    let position = rules.position(&setup).expect("a sound position");
    let Answer::Won { keys, .. } = prove(rules, &position, &Task::new(1)).expect(state).answer else {
        panic!("{state}")
    };
    assert_eq!(uci(rules, &position, keys[0].first), "d4a4");
}

/// A brute-force solver.
struct BruteForce<'r> {
    rules: &'r Rules,
    side: PlayerSet,
}

impl BruteForce<'_> {
    fn wins(&self, position: &Position, left: u32, replies: usize) -> bool {
        let rules = self.rules;
        if let Some(outcome) = rules.outcome(position) {
            return !outcome.winners.intersection(self.side).is_empty();
        }
        let moves = rules.legal_moves(position);
        let after = |played: &Move| rules.play(position, *played).expect("it is legal");
        if self.side.contains(rules.decider(position, rules.mover(position))) {
            left > 0 && moves.iter().any(|played| self.wins(&after(played), left - 1, 0))
        } else {
            let round = rules.order().len();
            replies < round && moves.iter().all(|played| self.wins(&after(played), left, replies + 1))
        }
    }
}

/// Large and small games, with different leaders, with four players, and with capturable leaders of partners.
const GAMES: [&str; 6] = ["chess", "capablanca", "knightmate", "losalamos", "fourplayer", "enochian"];

/// Returns a position from a game of greedy against random players, most often shortly before the end.
fn sample(rules: &Rules, seed: u64) -> Option<Position> {
    let seats =
        rules.players().map(|seat| (seat, if seat.0.is_multiple_of(2) { "greedy" } else { "random" }));
    let mut seats: Vec<_> =
        seats.map(|(seat, name)| by_name(name, 10 * seed + u64::from(seat.0)).expect("a player")).collect();
    let mut positions = vec![rules.start()];
    while let Some(played) = positions.last().filter(|_| positions.len() < 400).and_then(|position| {
        let seat = &mut seats[rules.decider(position, rules.mover(position)).index()];
        seat.choose(rules, position)
    }) {
        let next = rules.play(positions.last()?, played).expect("players choose legal moves");
        positions.push(next);
    }
    let mut rng = SplitMix::new(seed);
    let back = match seed % 4 {
        0 | 1 => 2,
        2 => 4,
        _ => 2 + rng.below(positions.len().max(3) - 2),
    };
    let position = positions.len().checked_sub(back).map(|place| positions[place].clone())?;
    rules.outcome(&position).is_none().then_some(position)
}

#[test]
#[allow(clippy::print_stdout, reason = "reports the result of a measurement")]
fn brute_force_agrees() {
    let size: usize = env::var("TABIYA_SOLVE").ok().and_then(|size| size.parse().ok()).unwrap_or(30);
    let games: Vec<_> = GAMES.iter().map(|name| (*name, game(name))).collect();
    let (mut compared, mut won) = (0, [0; GAMES.len()]);
    let mut seed = 0;
    while compared < size {
        let turn = seed as usize % games.len();
        let (name, game) = &games[turn];
        let rules = &game.rules;
        let sampled = sample(rules, seed / games.len() as u64);
        seed += 1;
        let Some(position) = sampled else { continue };
        compared += 1;
        let side = rules.team(rules.decider(&position, rules.mover(&position)));
        let brute_force = BruteForce { rules, side };
        for moves in [1, 2] {
            let proof = prove(rules, &position, &Task::new(moves)).expect("it can be proved");
            let expected = brute_force.wins(&position, moves, 0);
            assert_eq!(matches!(proof.answer, Answer::Won { .. }), expected, "{name} {seed} in {moves}");
            won[turn] += usize::from(expected);
        }
    }
    let total: usize = won.iter().sum();
    println!("{compared} positions of {} games, in 1 and 2 moves, {total} wins: {won:?}", GAMES.len());
    assert!(total > size / 10 && total < 2 * size, "both answers occur: {won:?}");
}

/// Returns a position in which one enemy leader is captured and the other is alone among a few pieces.
fn hunt(rules: &Rules, seed: u64) -> Option<Position> {
    let player = |name: &str| rules.players().find(|player| rules.player(*player).name == name).expect(name);
    let kind = |code: &str| rules.kinds().find(|kind| rules.kind(*kind).code == code).expect(code);
    let (blue, red, black, yellow) = (player("BLUE"), player("RED"), player("BLACK"), player("YELLOW"));
    let mut squares: Vec<Square> = rules.board().squares().collect();
    SplitMix::new(seed).shuffle(&mut squares);
    let pieces: [(Player, Kind); 7] = [
        (blue, kind("KING")),
        (black, kind("KING")),
        (yellow, kind("KING")),
        (blue, kind("ROOK")),
        (black, kind("ROOK")),
        (blue, kind("KNIGHT")),
        (black, kind("KNIGHT")),
    ];
    let pieces = pieces.map(|(player, kind)| Piece { player, kind, unmoved: false });
    let slot = rules.order().iter().position(|next| *next == blue).expect("a turn") as u16;
    let setup = Setup {
        pieces: squares.into_iter().zip(pieces).collect(),
        captives: vec![(red, blue)],
        frozen: PlayerSet::EMPTY.with(red),
        slot,
        ..Setup::default()
    };
    rules.position(&setup).ok().filter(|position| rules.outcome(position).is_none())
}

#[test]
fn either_partner_can_capture_the_leader() {
    let game = game("enochian");
    let rules = &game.rules;
    let mut won = [0; 2];
    let positions: Vec<Position> = (0..40).filter_map(|seed| hunt(rules, seed)).collect();
    assert!(positions.len() > 20, "{}", positions.len());
    for position in &positions {
        let brute_force = BruteForce { rules, side: rules.team(rules.mover(position)) };
        for moves in [1, 2] {
            let proof = prove(rules, position, &Task::new(moves)).expect("it can be proved");
            let expected = brute_force.wins(position, moves, 0);
            assert_eq!(matches!(proof.answer, Answer::Won { .. }), expected, "{position:?} in {moves}");
            won[moves as usize - 1] += usize::from(expected);
        }
    }
    assert!(won[0] > 0 && won[1] > won[0] && won[1] < positions.len(), "both answers occur: {won:?}");
}
