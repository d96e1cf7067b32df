//! Gumbel search (Danihelka et al., 2022, "Policy improvement by planning with Gumbel").
//!
//! At the root, sequential halving divides the simulations among a few sampled moves. Below the root, moves are selected
//! so that visit counts follow the improved policy. It improves on the priors even with few simulations.

#![allow(clippy::cast_precision_loss, reason = "values need few digits, and counts are far below 2^23")]

use super::Tree;

/// The paper's `c_visit`: values count more against logits as visits grow.
const C_VISIT: f32 = 50.0;

/// The schedule of root visits.
#[derive(Clone, Debug)]
pub struct SequentialHalving {
    /// By simulation: the visit count of the moves that are candidates for it.
    considered_visits: Vec<u32>,
}

/// The improved policy of a node.
#[derive(Clone, Debug, Default)]
pub struct ImprovedPolicy {
    /// By move: the prior logit plus the scaled value.
    pub logits: Vec<f32>,
    /// The softmax of the logits.
    pub probabilities: Vec<f32>,
}

impl SequentialHalving {
    /// Plans the simulations for a root with `moves` moves, of which at most `considered` are candidates.
    pub fn new(simulations: u32, moves: usize, considered: usize) -> Self {
        let most = moves.min(considered).max(1);
        if most == 1 {
            return SequentialHalving { considered_visits: (0..simulations).collect() };
        }
        let phases = usize::BITS - (most - 1).leading_zeros();
        let mut considered_visits = Vec::new();
        let mut visits = vec![0; most];
        let mut left = most;
        while considered_visits.len() < simulations as usize {
            let times = (simulations as usize / (phases as usize * left)).max(1);
            for _ in 0..times {
                considered_visits.extend_from_slice(&visits[..left]);
                visits[..left].iter_mut().for_each(|count| *count += 1);
            }
            left = (left / 2).max(2);
        }
        considered_visits.truncate(simulations as usize);
        SequentialHalving { considered_visits }
    }

    /// Selects the root move of a simulation. `gumbel` has one sample for each move.
    pub fn select(&self, tree: &Tree, simulation: usize, gumbel: &[f32]) -> usize {
        let visits = self.considered_visits.get(simulation).copied().unwrap_or(0);
        best_with_visits(tree, visits, gumbel).unwrap_or_else(|| Self::best(tree, gumbel).unwrap_or(0))
    }

    /// Returns the move to play: the best of the most visited ones.
    pub fn best(tree: &Tree, gumbel: &[f32]) -> Option<usize> {
        best_with_visits(tree, tree.edges(0).iter().map(|edge| edge.visits).max()?, gumbel)
    }
}

/// Returns the root move with the greatest logit plus Gumbel sample, among those with this visit count.
fn best_with_visits(tree: &Tree, visits: u32, gumbel: &[f32]) -> Option<usize> {
    let policy = tree.improved_policy(0);
    let score = |index: usize| policy.logits[index] + gumbel.get(index).copied().unwrap_or(0.0);
    let candidates = tree.edges(0).iter().enumerate().filter(|(_, edge)| edge.visits == visits);
    candidates.map(|(index, _)| index).max_by(|one, other| score(*one).total_cmp(&score(*other)))
}

impl Tree {
    /// Computes the improved policy of a node. Unvisited moves get the mixed value of the node.
    pub fn improved_policy(&self, node: usize) -> ImprovedPolicy {
        let edges = self.edges(node);
        let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
        let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let visited = edges.iter().filter(|edge| edge.visits > 0);
        let (weight, sum) = visited.fold((0.0, 0.0), |(weight, sum), edge| {
            let prior = edge.prior.max(f32::MIN_POSITIVE);
            (weight + prior, sum + prior * edge.mean_value().unwrap_or(0.0))
        });
        let evaluated = self.nodes[node].value;
        let mixed = match visits {
            0 => evaluated,
            _ => (evaluated + visits as f32 * sum / weight) / (1.0 + visits as f32),
        };
        let scale = C_VISIT + most as f32;
        let logits: Vec<f32> =
            edges.iter().map(|edge| edge.logit + scale * edge.mean_value().unwrap_or(mixed)).collect();
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let weights: Vec<f32> = logits.iter().map(|logit| (logit - top).exp()).collect();
        let sum: f32 = weights.iter().sum();
        ImprovedPolicy { probabilities: weights.into_iter().map(|weight| weight / sum).collect(), logits }
    }

    /// Selects a move below the root: the one whose visit count lags furthest behind the improved policy.
    pub fn select_gumbel(&self, node: usize) -> usize {
        let all: u32 = self.edges(node).iter().map(|edge| edge.visits).sum();
        let ImprovedPolicy { probabilities, .. } = self.improved_policy(node);
        let lag =
            |index: usize| probabilities[index] - self.edges(node)[index].visits as f32 / (1.0 + all as f32);
        (0..probabilities.len()).max_by(|one, other| lag(*one).total_cmp(&lag(*other))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_halving_spends_all_simulations_and_favours_the_better_half() {
        for (simulations, moves, considered) in
            [(1, 1, 16), (16, 4, 16), (64, 30, 16), (7, 218, 16), (3, 2, 1)]
        {
            let halving = SequentialHalving::new(simulations, moves, considered);
            assert_eq!(halving.considered_visits.len(), simulations as usize);
            // A move can be visited for the k-th time only after k - 1 visits.
            let mut visits = vec![0; moves.min(considered).max(1)];
            for wanted in &halving.considered_visits {
                let next = visits.iter().position(|count| count == wanted).expect("a move with this count");
                visits[next] += 1;
            }
        }
        assert_eq!(
            SequentialHalving::new(16, 4, 16).considered_visits,
            [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
        );
    }
}
