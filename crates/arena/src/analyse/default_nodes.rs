//! The default search effort, which grows with the number of legal moves: equal numbers of positions would mean a deep search
//! in a small game and a blind one in a large game.

use tabiya_engine::SplitMix;

use super::Study;
use crate::self_play::SelfPlay;

/// The number of positions for each legal move.
const NODES_PER_MOVE: f64 = 100.0;
/// The least and the most positions.
const RANGE: (f64, f64) = (300.0, 20_000.0);
/// The number and the length of random games that measure the number of legal moves.
const SAMPLES: u32 = 8;
const SAMPLE_PLIES: u32 = 60;

/// Returns a hundred times the mean number of legal moves in random games, rounded to two digits.
pub(super) fn default_nodes(study: &Study) -> u64 {
    let sample = SelfPlay {
        rules: &study.rules,
        start: &study.start,
        random_plies: SAMPLE_PLIES as usize,
        max_plies: SAMPLE_PLIES,
    };
    let (mut moves, mut turns) = (0.0, 0.0_f64);
    let mut dice = SplitMix::new(study.seed);
    for _ in 0..SAMPLES {
        let mut game = sample.game(&mut dice);
        sample.play(
            &mut game,
            &mut dice,
            |_| None,
            |ply, _| {
                moves += ply.legal_moves as f64;
                turns += 1.0;
            },
        );
    }
    let nodes = (NODES_PER_MOVE * moves / turns.max(1.0)).clamp(RANGE.0, RANGE.1);
    let digits = 10_f64.powf(nodes.log10().floor() - 1.0);
    ((nodes / digits).round() * digits) as u64
}
