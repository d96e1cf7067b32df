//! Forced wins: problems that are known to be right, and positions of many games in which a prover that is plain enough to
//! be believed says the same.

mod support;

use std::env;

use support::{game, position};
use tabiya_engine::{Kind, Move, Piece, Player, PlayerSet, Position, Rules, Setup, SplitMix, Square};
use tabiya_notation::move_text;
use tabiya_players::{Answer, Task, Unprovable, by_name, prove};
use tabiya_spec::Choices;

/// State, number of moves, the one first move that solves it, and where it is from.
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
        assert_eq!(move_text(rules, &position, keys[0].first), key, "{source}: {state}");
        assert_eq!(line.len() as u32, 2 * expected - 1, "{source}: the longest defence of {state}");
        let end = line.iter().try_fold(position, |position, played| rules.play(&position, *played));
        let outcome = end.map(|end| rules.outcome(&end).expect("the line ends with mate"));
        assert!(outcome.is_ok_and(|outcome| !outcome.winners.is_empty()), "{source}: {state}");
    }
}

#[test]
fn problems_of_two_moves_have_one_key_and_each_other_move_its_refutation() {
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
fn nothing_is_claimed_that_is_not_there() {
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
fn dice_force_nothing() {
    let entry = tabiya_spec::library::find("enochian").expect("it is in the library");
    let options = vec![("DIVINATION".to_owned(), "true".to_owned())];
    let loaded = entry.load_with(&Choices { options, ..Choices::default() });
    let rules = loaded.game.expect("it has no faults").rules;
    assert_eq!(prove(&rules, &rules.start(), &Task::new(1)), Err(Unprovable::Chance));
}

/// Who is out plays no part.
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
    assert_eq!(move_text(rules, &position, keys[0].first), "d4a4");
}

/// A prover that remembers nothing and orders nothing.
struct Plain<'r> {
    rules: &'r Rules,
    side: PlayerSet,
}

impl Plain<'_> {
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

/// Games of all kinds: large and small, with another leader, with four players, with partners whose kings are captured.
const GAMES: [&str; 6] = ["chess", "capablanca", "knightmate", "losalamos", "fourplayer", "enochian"];

/// Positions of games between some who take what they can and others who move at random: most of them shortly before
/// the end, where wins are near.
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
    let mut dice = SplitMix::new(seed);
    let back = match seed % 4 {
        0 | 1 => 2,
        2 => 4,
        _ => 2 + dice.below(positions.len().max(3) - 2),
    };
    let position = positions.len().checked_sub(back).map(|place| positions[place].clone())?;
    rules.outcome(&position).is_none().then_some(position)
}

#[test]
#[allow(clippy::print_stdout, reason = "the figure of a measurement")]
fn a_plain_prover_says_the_same() {
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
        let plain = Plain { rules, side };
        for moves in [1, 2] {
            let proof = prove(rules, &position, &Task::new(moves)).expect("it can be proved");
            let expected = plain.wins(&position, moves, 0);
            assert_eq!(matches!(proof.answer, Answer::Won { .. }), expected, "{name} {seed} in {moves}");
            won[turn] += usize::from(expected);
        }
    }
    let total: usize = won.iter().sum();
    println!("{compared} positions of {} games, in 1 and 2 moves, {total} wins: {won:?}", GAMES.len());
    assert!(total > size / 10 && total < 2 * size, "both answers occur: {won:?}");
}

/// One leader of the other side is captured, the other one walks alone among a few pieces of both partners.
fn hunt(rules: &Rules, seed: u64) -> Option<Position> {
    let player = |name: &str| rules.players().find(|player| rules.player(*player).name == name).expect(name);
    let kind = |code: &str| rules.kinds().find(|kind| rules.kind(*kind).code == code).expect(code);
    let (blue, red, black, yellow) = (player("BLUE"), player("RED"), player("BLACK"), player("YELLOW"));
    let mut squares: Vec<Square> = rules.board().squares().collect();
    SplitMix::new(seed).shuffle(&mut squares);
    let men: [(Player, Kind); 7] = [
        (blue, kind("KING")),
        (black, kind("KING")),
        (yellow, kind("KING")),
        (blue, kind("ROOK")),
        (black, kind("ROOK")),
        (blue, kind("KNIGHT")),
        (black, kind("KNIGHT")),
    ];
    let men = men.map(|(player, kind)| Piece { player, kind, unmoved: false });
    let slot = rules.order().iter().position(|next| *next == blue).expect("a turn") as u16;
    let setup = Setup {
        pieces: squares.into_iter().zip(men).collect(),
        captives: vec![(red, blue)],
        frozen: PlayerSet::EMPTY.with(red),
        slot,
        ..Setup::default()
    };
    rules.position(&setup).ok().filter(|position| rules.outcome(position).is_none())
}

#[test]
fn leaders_that_are_captured_are_won_by_either_partner() {
    let game = game("enochian");
    let rules = &game.rules;
    let mut won = [0; 2];
    let positions: Vec<Position> = (0..40).filter_map(|seed| hunt(rules, seed)).collect();
    assert!(positions.len() > 20, "{}", positions.len());
    for position in &positions {
        let plain = Plain { rules, side: rules.team(rules.mover(position)) };
        for moves in [1, 2] {
            let proof = prove(rules, position, &Task::new(moves)).expect("it can be proved");
            let expected = plain.wins(position, moves, 0);
            assert_eq!(matches!(proof.answer, Answer::Won { .. }), expected, "{position:?} in {moves}");
            won[moves as usize - 1] += usize::from(expected);
        }
    }
    assert!(won[0] > 0 && won[1] > won[0] && won[1] < positions.len(), "both answers occur: {won:?}");
}
