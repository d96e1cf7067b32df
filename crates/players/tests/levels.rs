//! The strength of the levels: the first one misses mates, the last one leaves no piece hanging, and each one beats the
//! level two below it. `TABIYA_LEVELS` sets the number of games of each pair and enables all levels; without it, the test
//! plays a small sample of the fast ones.
#![allow(clippy::print_stdout, reason = "reports the result of a large run")]
#![allow(clippy::cast_precision_loss, reason = "the numbers of games are small")]

mod support;

use support::{game, play_within};
use tabiya_engine::{Outcome, Player, Position, Rules};
use tabiya_players::{Chooser, Limits, Score, Search, SearchInfo, SplitMix, by_name};

fn size() -> Option<u64> {
    std::env::var("TABIYA_LEVELS").ok().map(|text| text.parse().expect("TABIYA_LEVELS is a number"))
}

fn player(level: u32, seed: u64) -> Box<dyn Chooser + Send> {
    by_name(&format!("level{level}"), seed).expect("a level")
}

/// Returns a position after some random moves.
fn opening(rules: &Rules, seed: u64) -> Position {
    let mut rng = SplitMix::new(seed);
    let mut position = rules.start();
    for _ in 0..6 {
        let moves = rules.legal_moves(&position);
        position = rules.play(&position, moves[rng.below(moves.len())]).expect("it is legal");
    }
    position
}

/// Plays a game of two levels and returns the points of the first.
fn points(rules: &Rules, start: &Position, levels: [u32; 2], seed: u64) -> f64 {
    let mut seats = levels.map(|level| player(level, seed));
    let mut position = start.clone();
    let mut earlier = Vec::new();
    for _ in 0..300 {
        let limits = Limits { earlier: &earlier, ..Limits::default() };
        let seat = &mut seats[rules.mover(&position).index()];
        let Some(played) = seat.choose_within(rules, &position, &limits) else { break };
        let key = position.key();
        position = rules.play(&position, played).expect("players choose legal moves");
        earlier.push(key);
        if earlier.iter().filter(|other| **other == position.key()).count() >= 3 {
            break;
        }
    }
    match rules.outcome(&position) {
        Some(Outcome { winners, .. }) if winners.contains(Player(0)) => 1.0,
        Some(Outcome { winners, .. }) if !winners.is_empty() => 0.0,
        _ => 0.5,
    }
}

#[test]
fn each_level_beats_the_one_two_below_it() {
    let game = game("chess");
    let (games, strongest) = size().map_or((12, 6), |games| (games, 10));
    for level in 3..=strongest {
        let mut score = 0.0;
        for number in 0..games {
            let start = opening(&game.rules, number / 2);
            let result = |levels| points(&game.rules, &start, levels, number);
            score +=
                if number % 2 == 0 { result([level, level - 2]) } else { 1.0 - result([level - 2, level]) };
        }
        println!(
            "level {level} against level {}: {score} of {games} games, from openings at random",
            level - 2
        );
        assert!(score > games as f64 / 2.0, "level {level}: {score} of {games}");
    }
}

/// Returns positions from games in which the next move gave mate.
fn mates_in_one(rules: &Rules, count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    for seed in 0.. {
        let mut position = opening(rules, seed);
        let mut seats = [player(5, seed), player(5, seed + 1)];
        for _ in 0..200 {
            let seat = &mut seats[rules.mover(&position).index()];
            let Some(played) = seat.choose(rules, &position) else { break };
            let next = rules.play(&position, played).expect("players choose legal moves");
            if rules.outcome(&next).is_some_and(|outcome| !outcome.winners.is_empty()) {
                found.push(position.clone());
            }
            position = next;
        }
        if found.len() >= count {
            found.truncate(count);
            return found;
        }
    }
    found
}

fn mates(rules: &Rules, position: &Position, player: &mut dyn Chooser) -> bool {
    let played = player.choose(rules, position).expect("there is a mate");
    let next = rules.play(position, played).expect("players choose legal moves");
    rules.outcome(&next).is_some_and(|outcome| !outcome.winners.is_empty())
}

#[test]
fn the_first_level_misses_mates_and_the_last_does_not() {
    let game = game("chess");
    let positions = mates_in_one(&game.rules, 20);
    let missed = |level: u32| {
        let misses = |(seed, position): &(u64, &Position)| {
            !mates(&game.rules, position, player(level, *seed).as_mut())
        };
        (0..).zip(&positions).filter(misses).count()
    };
    let (first, last) = (missed(1), missed(10));
    println!(
        "mates in one that level 1 misses: {first} of 20; level 10: {last}; positions from games, by chance"
    );
    assert!(first >= 3, "level 1 misses {first}");
    assert_eq!(last, 0, "level 10 misses {last}");
}

/// Evaluates a position by an independent search.
fn evaluate(rules: &Rules, position: &Position, depth: u32) -> i32 {
    let last = std::cell::Cell::new(0);
    let on_info = |info: &SearchInfo| {
        last.set(match info.score {
            Score::Centipawns(score) => score,
            Score::Win(_) => 100_000,
            Score::Loss(_) => -100_000,
        });
    };
    let limits = Limits { depth: Some(depth), on_info: Some(&on_info), ..Limits::default() };
    Search::new(0).noise(1).choose_within(rules, position, &limits);
    last.get()
}

#[test]
fn the_last_level_leaves_nothing_hanging() {
    /// Reductions make smaller depths unreliable.
    const DEPTH: u32 = 11;
    /// Smaller differences may be horizon effects.
    const A_PIECE: i32 = 200;
    let game = game("chess");
    let rules = &game.rules;
    let positions = size().map_or(8, |_| 50);
    let mut tested = 0;
    for seed in 0.. {
        if tested == positions {
            break;
        }
        // Games of weak players have many hanging pieces.
        let mut seats = vec![player(4, seed), player(4, seed + 100)];
        let limits = Limits::default();
        let (moves, position) = play_within(rules, &mut seats, 20 + (seed % 20) as usize, &limits);
        if moves.len() < 20 || rules.outcome(&position).is_some() {
            continue;
        }
        let before = evaluate(rules, &position, DEPTH);
        // Where a game is decided, little depends on one piece.
        if before.abs() > 1000 {
            continue;
        }
        tested += 1;
        let played = player(10, seed).choose(rules, &position).expect("the game is not over");
        let after = -evaluate(rules, &rules.play(&position, played).expect("it is legal"), DEPTH - 1);
        assert!(after > before - A_PIECE, "seed {seed}: {before} before, {after} after");
    }
    println!(
        "positions in which level 10 leaves nothing hanging: {tested} of {positions}, from weak games, by chance"
    );
}
