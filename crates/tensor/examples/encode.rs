//! Measures how fast canonical tensors are written, compared with plain memory writes in the same run. Prints medians as
//! JSON for `cargo xtask bench tensor`.
#![allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "a benchmark prints its result")]

use std::hint::black_box;
use std::time::Instant;

use tabiya_engine::{Move, Position, SplitMix, Tally};
use tabiya_tensor::{Compact, Encoding, PositionView, expand};

const LENGTH: usize = 1152;
const ROUNDS: usize = 15;

fn main() {
    let rules = tabiya_spec::library::load("chess").expect("a library game").rules;
    let encoding = Encoding::canonical18(&rules).expect("it is chess");
    let mut rng = SplitMix::new(1);
    let mut positions: Vec<(Position, Vec<Move>)> = Vec::new();
    let mut position = rules.start();
    // Far more than a branch predictor can memorise.
    while positions.len() < 16_384 {
        let moves = rules.legal_moves(&position);
        let next = match moves.len() {
            0 => rules.start(),
            _ if positions.len() % 200 == 199 => rules.start(),
            count => rules.play_unchecked(&position, moves[rng.below(count)]),
        };
        positions.push((std::mem::replace(&mut position, next), moves));
    }
    let views: Vec<PositionView<'_>> = positions
        .iter()
        .map(|(position, moves)| PositionView { position, tally: Tally::new(1, 0), moves })
        .collect();
    let compact = |view: &PositionView<'_>| encoding.compact(view, rules.mover(view.position));
    let tensors: Vec<Compact> = views.iter().filter_map(compact).collect();
    assert_eq!(tensors.len(), views.len());
    let mut figures = Vec::new();
    for (place, batch) in [("cache", 128), ("memory", positions.len())] {
        let mut out = vec![0f32; batch * LENGTH];
        let other = vec![1f32; batch * LENGTH];
        let mut times: [Vec<f64>; 4] = Default::default();
        for _ in 0..ROUNDS {
            times[0].push(time(batch, |_| black_box(&mut out[..]).fill(0.0)));
            times[1].push(time(batch, |_| black_box(&mut out[..]).copy_from_slice(black_box(&other))));
            times[2].push(time(batch, |start| expand(&tensors[start..start + batch], black_box(&mut out))));
            times[3].push(time(batch, |start| {
                for (view, out) in views[start..start + batch].iter().zip(out.chunks_mut(LENGTH)) {
                    encoding.write(&rules, view, rules.mover(view.position), out);
                }
                black_box(&mut out);
            }));
        }
        // Check the last output.
        let mut wanted = vec![0f32; batch * LENGTH];
        expand(&tensors[positions.len() - batch..], &mut wanted);
        assert!(out == wanted, "both methods write the same");
        let [fill, copy, sets, write] = times.map(median);
        figures.push(format!(
            "\"{place}\":{{\"fill_ns\":{fill:.1},\"copy_ns\":{copy:.1},\"sets_ns\":{sets:.1},\"positions_ns\":{write:.1}}}"
        ));
    }
    println!("{{{}}}", figures.join(","));
}

/// Returns nanoseconds per tensor, writing different tensors into the same memory.
fn time(batch: usize, mut work: impl FnMut(usize)) -> f64 {
    let all = 16_384;
    let start = Instant::now();
    for first in (0..all).step_by(batch) {
        work(first);
    }
    start.elapsed().as_nanos() as f64 / all as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
