//! The greedy player: looks one move ahead.

use tabiya_engine::{Move, Position, Rules};

use crate::evaluation::{EvalBoard, Evaluation, StructureCache};
use crate::values::Values;
use crate::{Chooser, Limits, SplitMix};

/// A player that chooses the move with the best immediate result, with some noise.
#[derive(Clone, Debug)]
pub struct Greedy {
    rng: SplitMix,
    values: Option<Values>,
}

impl Greedy {
    /// Creates a player from a seed.
    pub fn new(seed: u64) -> Self {
        Greedy { rng: SplitMix::new(seed), values: None }
    }

    /// Sets the evaluation weights. They apply only to the game that they belong to.
    #[must_use]
    pub fn with_values(self, values: impl Into<Option<Values>>) -> Self {
        Greedy { values: values.into(), ..self }
    }
}

/// The random bonus of a move is below this many centipawns.
const NOISE: usize = 60;

/// Greater than any material balance.
const WIN: i32 = 1 << 30;

impl Chooser for Greedy {
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        let mut moves = rules.legal_moves(position);
        // The first of equally good moves is chosen.
        self.rng.shuffle(&mut moves);
        let evaluation = Values::cached(&mut self.values, rules).evaluation();
        let nodes = limits.nodes.map_or(usize::MAX, |nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
        let mut best: Option<(i32, Move)> = None;
        for played in moves.into_iter().take(nodes.max(1)) {
            let score = score_after(rules, evaluation, position, played);
            // The noise outweighs piece placement, but not captures.
            let noisy = score.saturating_add(self.rng.below(NOISE) as i32);
            if best.is_none_or(|(most, _)| noisy > most) {
                best = Some((noisy, played));
            }
            if score == WIN || limits.should_stop() {
                break;
            }
        }
        best.map(|(_, played)| played)
    }
}

/// Evaluates a move, assuming that the moved piece is captured if it is attacked.
fn score_after(rules: &Rules, evaluation: &Evaluation, position: &Position, played: Move) -> i32 {
    let player = rules.mover(position);
    let next = rules.play_unchecked(position, played);
    if let Some(outcome) = rules.outcome(&next) {
        // A draw is better than a loss and worse than playing on.
        return match outcome.winners {
            winners if winners.contains(player) => WIN,
            winners if winners.is_empty() => -WIN / 2,
            _ => -WIN,
        };
    }
    let moved = next.piece(played.to).filter(|piece| piece.player == player);
    let at_risk = moved.filter(|_| rules.is_attacked(&next, played.to, player));
    let mut board = EvalBoard::default();
    evaluation.scan(&next, &mut board, &mut StructureCache::default());
    let risk = at_risk.map_or(0, |piece| evaluation.square_value(played.to, piece));
    evaluation.evaluate(&board, player) - risk
}
