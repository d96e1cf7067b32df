//! Levels for people: the first one overlooks mates, the last one leaves nothing hanging, and each is stronger than the
//! one two below it. `TABIYA_LEVELS` is how many games each pair plays and how many positions are looked at, for all
//! levels; without it, a small sample of the quick ones.
#![allow(clippy::print_stdout, reason = "the figure of a large run")]
#![allow(clippy::cast_precision_loss, reason = "few games are played")]

mod support;

use support::{game, play_within};
use tabiya_engine::{Outcome, Player, Position, Rules};
use tabiya_players::{Chooser, Limits, Score, Search, SplitMix, Thought, by_name};

fn size() -> Option<u64> {
    std::env::var("TABIYA_LEVELS").ok().map(|text| text.parse().expect("TABIYA_LEVELS is a number"))
}

fn player(level: u32, seed: u64) -> Box<dyn Chooser + Send> {
    by_name(&format!("level{level}"), seed).expect("a level")
}

/// A position after some moves at random.
fn opening(rules: &Rules, seed: u64) -> Position {
    let mut dice = SplitMix::new(seed);
    let mut position = rules.start();
    for _ in 0..6 {
        let moves = rules.legal_moves(&position);
        position = rules.play(&position, moves[dice.below(moves.len())]).expect("it is legal");
    }
    position
}

/// A game of two levels from a position; the points of the first.
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

/// Positions in which the next move gave mate, from games of quick players.
fn mates_in_one(rules: &Rules, many: usize) -> Vec<Position> {
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
        if found.len() >= many {
            found.truncate(many);
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
fn the_first_level_overlooks_mates_and_the_last_does_not() {
    let game = game("chess");
    let positions = mates_in_one(&game.rules, 20);
    let missed = |level: u32| {
        let overlooks = |(seed, position): &(u64, &Position)| {
            !mates(&game.rules, position, player(level, *seed).as_mut())
        };
        (0..).zip(&positions).filter(overlooks).count()
    };
    let (first, last) = (missed(1), missed(10));
    println!(
        "mates in one that level 1 misses: {first} of 20; level 10: {last}; positions from games, by chance"
    );
    assert!(first >= 3, "level 1 misses {first}");
    assert_eq!(last, 0, "level 10 misses {last}");
}

/// How the player to move stands, by a search that has nothing to do with levels.
fn standing(rules: &Rules, position: &Position, depth: u32) -> i32 {
    let last = std::cell::Cell::new(0);
    let watch = |thought: &Thought| {
        last.set(match thought.score {
            Score::Standing(score) => score,
            Score::Win(_) => 100_000,
            Score::Loss(_) => -100_000,
        });
    };
    let limits = Limits { depth: Some(depth), watch: Some(&watch), ..Limits::default() };
    Search::new(0).whims(1).choose_within(rules, position, &limits);
    last.get()
}

#[test]
fn the_last_level_leaves_nothing_hanging() {
    /// Less than a minor piece may come and go with the horizon.
    const A_PIECE: i32 = 200;
    let game = game("chess");
    let rules = &game.rules;
    let positions = size().map_or(8, |_| 50);
    let mut looked_at = 0;
    for seed in 0.. {
        if looked_at == positions {
            break;
        }
        // Weak players leave much to take, and much to leave.
        let mut seats = vec![player(4, seed), player(4, seed + 100)];
        let limits = Limits::default();
        let (moves, position) = play_within(rules, &mut seats, 20 + (seed % 20) as usize, &limits);
        if moves.len() < 20 || rules.outcome(&position).is_some() {
            continue;
        }
        looked_at += 1;
        let before = standing(rules, &position, 7);
        let played = player(10, seed).choose(rules, &position).expect("the game is not over");
        let after = -standing(rules, &rules.play(&position, played).expect("it is legal"), 6);
        assert!(after > before - A_PIECE, "seed {seed}: {before} before, {after} after");
    }
    println!(
        "positions in which level 10 leaves nothing hanging: {looked_at} of {positions}, from weak games, by chance"
    );
}
