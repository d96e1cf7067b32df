//! How fast canonical tensors are written, beside what memory can do in the same run: medians, as JSON, for
//! `cargo xtask bench tensor`.
#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measurement talks to whoever runs it"
)]

use std::hint::black_box;
use std::time::Instant;

use tabiya_engine::{Move, Position, SplitMix, Tally};
use tabiya_tensor::{Compact, Encoding, Sight, expand};

const LENGTH: usize = 1152;
const ROUNDS: usize = 15;

fn main() {
    let rules = tabiya_spec::library::load("chess").expect("a library game").rules;
    let encoding = Encoding::canonical18(&rules).expect("it is chess");
    let mut dice = SplitMix::new(1);
    let mut positions: Vec<(Position, Vec<Move>)> = Vec::new();
    let mut position = rules.start();
    // Far more than a branch predictor can learn by heart.
    while positions.len() < 16_384 {
        let moves = rules.legal_moves(&position);
        let next = match moves.len() {
            0 => rules.start(),
            _ if positions.len() % 200 == 199 => rules.start(),
            count => rules.play_unchecked(&position, moves[dice.below(count)]),
        };
        positions.push((std::mem::replace(&mut position, next), moves));
    }
    let sights: Vec<Sight<'_>> = positions
        .iter()
        .map(|(position, moves)| Sight { position, tally: Tally { repetitions: 1, quiet: 0 }, moves })
        .collect();
    let compact = |sight: &Sight<'_>| encoding.compact(sight, rules.mover(sight.position));
    let tensors: Vec<Compact> = sights.iter().filter_map(compact).collect();
    assert_eq!(tensors.len(), sights.len());
    let mut figures = Vec::new();
    for (place, room) in [("cache", 128), ("memory", positions.len())] {
        let mut out = vec![0f32; room * LENGTH];
        let other = vec![1f32; room * LENGTH];
        let mut times: [Vec<f64>; 4] = Default::default();
        for _ in 0..ROUNDS {
            times[0].push(time(room, |_| black_box(&mut out[..]).fill(0.0)));
            times[1].push(time(room, |_| black_box(&mut out[..]).copy_from_slice(black_box(&other))));
            times[2].push(time(room, |start| expand(&tensors[start..start + room], black_box(&mut out))));
            times[3].push(time(room, |start| {
                for (sight, out) in sights[start..start + room].iter().zip(out.chunks_mut(LENGTH)) {
                    encoding.write(&rules, sight, rules.mover(sight.position), out);
                }
                black_box(&mut out);
            }));
        }
        // What was written last is what it must be.
        let mut wanted = vec![0f32; room * LENGTH];
        expand(&tensors[positions.len() - room..], &mut wanted);
        assert!(out == wanted, "both ways write the same");
        let [fill, copy, sets, write] = times.map(median);
        figures.push(format!(
            "\"{place}\":{{\"fill_ns\":{fill:.1},\"copy_ns\":{copy:.1},\"sets_ns\":{sets:.1},\"positions_ns\":{write:.1}}}"
        ));
    }
    println!("{{{}}}", figures.join(","));
}

/// Nanoseconds for each tensor: the room is filled again and again, from other tensors each time.
fn time(room: usize, mut work: impl FnMut(usize)) -> f64 {
    let all = 16_384;
    let start = Instant::now();
    for first in (0..all).step_by(room) {
        work(first);
    }
    start.elapsed().as_nanos() as f64 / all as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
