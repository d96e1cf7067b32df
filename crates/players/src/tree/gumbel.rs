//! Gumbel search (Danihelka and others, 2022): at the root a few moves are drawn by chance, and the better half of them is
//! looked at again and again; below it moves are tried so that their shares come near to what is known of them. It improves
//! on the priors even if only a few lines are tried.

#![allow(clippy::cast_precision_loss, reason = "chances need few digits, and counts are far below 2^23")]

use super::Tree;

/// How strongly what came out counts against what was promised: more where more was tried.
const TRIED: f32 = 50.0;

/// Which moves of the root are still looked at, by how often each has been tried.
#[derive(Clone, Debug)]
pub struct Halving {
    /// By line: how often a move must have been tried to be tried now.
    rounds: Vec<u32>,
}

/// What is known of the moves of a position.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// By move: what it was promised and what it came to, together; the higher, the better.
    pub merits: Vec<f32>,
    /// The shares that follow from that: an improved policy.
    pub shares: Vec<f32>,
}

impl Halving {
    /// Tries so many lines from a position with so many moves, of which at most `considered` are looked at.
    pub fn new(lines: u32, moves: usize, considered: usize) -> Self {
        let most = moves.min(considered).max(1);
        if most == 1 {
            return Halving { rounds: (0..lines).collect() };
        }
        let rounds_of_halving = usize::BITS - (most - 1).leading_zeros();
        let mut rounds = Vec::new();
        let mut visits = vec![0; most];
        let mut left = most;
        while rounds.len() < lines as usize {
            let times = (lines as usize / (rounds_of_halving as usize * left)).max(1);
            for _ in 0..times {
                rounds.extend_from_slice(&visits[..left]);
                visits[..left].iter_mut().for_each(|count| *count += 1);
            }
            left = (left / 2).max(2);
        }
        rounds.truncate(lines as usize);
        Halving { rounds }
    }

    /// The move of the root to try in a line. `luck` is what chance gave each of them.
    pub fn choose(&self, tree: &Tree, line: usize, luck: &[f32]) -> usize {
        let seen = tree.seen(0);
        let wanted = self.rounds.get(line).copied().unwrap_or(0);
        let merit = |index: usize| seen.merits[index] + luck.get(index).copied().unwrap_or(0.0);
        let fitting = tree.edges(0).iter().enumerate().filter(|(_, edge)| edge.visits == wanted);
        let best = fitting.map(|(index, _)| index).max_by(|one, other| merit(*one).total_cmp(&merit(*other)));
        best.unwrap_or_else(|| Halving::best(tree, luck).unwrap_or(0))
    }

    /// The move that is played in the end: of those that were tried most often, the best.
    pub fn best(tree: &Tree, luck: &[f32]) -> Option<usize> {
        let seen = tree.seen(0);
        let most = tree.edges(0).iter().map(|edge| edge.visits).max()?;
        let merit = |index: usize| seen.merits[index] + luck.get(index).copied().unwrap_or(0.0);
        let fitting = tree.edges(0).iter().enumerate().filter(|(_, edge)| edge.visits == most);
        fitting.map(|(index, _)| index).max_by(|one, other| merit(*one).total_cmp(&merit(*other)))
    }
}

impl Tree {
    /// What is known of the moves of a position. A move that was never tried counts as much as the position does.
    pub fn seen(&self, node: usize) -> Seen {
        let edges = self.edges(node);
        let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
        let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let tried = edges.iter().filter(|edge| edge.visits > 0);
        let (weight, sum) = tried.fold((0.0, 0.0), |(weight, sum), edge| {
            let prior = edge.prior.max(f32::MIN_POSITIVE);
            (weight + prior, sum + prior * edge.mean().unwrap_or(0.0))
        });
        let judged = self.nodes[node].chance;
        let mixed = match visits {
            0 => judged,
            _ => (judged + visits as f32 * sum / weight) / (1.0 + visits as f32),
        };
        let scale = TRIED + most as f32;
        let merits: Vec<f32> =
            edges.iter().map(|edge| edge.logit + scale * edge.mean().unwrap_or(mixed)).collect();
        let top = merits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let shares: Vec<f32> = merits.iter().map(|merit| (merit - top).exp()).collect();
        let sum: f32 = shares.iter().sum();
        Seen { shares: shares.into_iter().map(|share| share / sum).collect(), merits }
    }

    /// The move to try next below the root: the one that was tried least for the share that it should have.
    pub fn lagging(&self, node: usize) -> usize {
        let all: u32 = self.edges(node).iter().map(|edge| edge.visits).sum();
        let Seen { shares, .. } = self.seen(node);
        let lag = |index: usize| shares[index] - self.edges(node)[index].visits as f32 / (1.0 + all as f32);
        (0..shares.len()).max_by(|one, other| lag(*one).total_cmp(&lag(*other))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_tries_as_many_lines_as_it_may_and_the_better_half_more_often() {
        for (lines, moves, considered) in [(1, 1, 16), (16, 4, 16), (64, 30, 16), (7, 218, 16), (3, 2, 1)] {
            let halving = Halving::new(lines, moves, considered);
            assert_eq!(halving.rounds.len(), lines as usize);
            // A move can be tried for the k-th time only after it was tried k - 1 times.
            let mut tried = vec![0; moves.min(considered).max(1)];
            for wanted in &halving.rounds {
                let next =
                    tried.iter().position(|count| count == wanted).expect("somebody was tried so often");
                tried[next] += 1;
            }
        }
        assert_eq!(Halving::new(16, 4, 16).rounds, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    }
}
