//! Evaluation weights in centipawns. The defaults follow from the rules; [`tune`](crate::tune()) fits them to games.

use std::fmt;

use tabiya_engine::Rules;

use super::features::Features;

/// An early-game and a late-game weight. The evaluation interpolates between them by game phase.
pub(crate) type Pair = [i32; 2];

/// All weights of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    pub(crate) params: Params,
    /// By kind.
    pub(crate) kinds: Vec<KindWeights>,
}

/// The weights of one kind of piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KindWeights {
    /// The material value.
    pub(crate) value: Pair,
    /// The difference between the squares with the fewest and the most target squares.
    pub(crate) reach: Pair,
    /// The difference between the most remote and the most central squares.
    pub(crate) centrality: Pair,
    /// For each legal move.
    pub(crate) mobility: i32,
}

/// The weights that apply to all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Params {
    /// For each move that targets an enemy leader or a square beside it, and for each pair of such moves.
    pub(crate) pressure: i32,
    pub(crate) pressure_pairs: i32,
    /// For each own piece beside the leader, up to four.
    pub(crate) shelter: i32,
    /// Penalty for each empty square on a line from the leader.
    pub(crate) open_lines: i32,
    /// Quarters of the promotion gain of a promotable piece.
    pub(crate) promotion: Pair,
    /// Further quarters if no enemy promotable piece can stop it: a passed pawn.
    pub(crate) passed: Pair,
    /// An own promotable piece is ahead.
    pub(crate) doubled: Pair,
    /// No own promotable piece can ever protect it.
    pub(crate) isolated: Pair,
    /// An own promotable piece protects it.
    pub(crate) supported: Pair,
    /// The side to move.
    pub(crate) tempo: i32,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            pressure: 6,
            pressure_pairs: 2,
            shelter: 10,
            open_lines: 3,
            promotion: [4, 6],
            passed: [2, 4],
            doubled: [-8, -16],
            isolated: [-10, -12],
            supported: [6, 6],
            tempo: 8,
        }
    }
}

/// The divisor from the value range of a kind to its `reach` weight.
const REACH_DIVISOR: i32 = 7;
/// The penalty for a leader in the centre of a full board.
const LEADER_EXPOSURE: i32 = 120;
/// The bonus for a promotable piece in the centre.
const CENTRE_BONUS: i32 = 45;

impl Weights {
    /// Derives weights from the rules.
    pub(crate) fn of(rules: &Rules, features: &Features) -> Self {
        let strongest = features.values.iter().max().copied().unwrap_or(0);
        let kind = |(index, value): (usize, &i32)| {
            let mut weights = KindWeights { value: [*value; 2], mobility: 2, ..KindWeights::default() };
            let range = features.ranges[index] / REACH_DIVISOR;
            if rules.leader().is_some_and(|leader| leader.index() == index) {
                weights.centrality = [-LEADER_EXPOSURE, 0];
                weights.reach = [0, range / 2];
                weights.mobility = 0;
            } else if !features.counts_for_phase[index] {
                // Promotable pieces should control the centre.
                weights.centrality = [CENTRE_BONUS, 0];
            } else if *value == strongest {
                // The strongest piece would be chased if it came out early.
                weights.reach = [range / 4, range];
            } else {
                weights.reach = [range; 2];
                weights.mobility = 4;
            }
            weights
        };
        let kinds = features.values.iter().enumerate().map(kind).collect();
        Weights { params: Params::default(), kinds }
    }

    /// Returns every weight with its name in value files.
    pub(crate) fn named(&mut self) -> Vec<(Name, &mut i32)> {
        let Params {
            pressure,
            pressure_pairs,
            shelter,
            open_lines,
            promotion,
            passed,
            doubled,
            isolated,
            supported,
            tempo,
        } = &mut self.params;
        let single = |word, number| (Name { kind: None, word, late: false }, number);
        let mut all = vec![
            single("pressure", pressure),
            single("pressure_together", pressure_pairs),
            single("shelter", shelter),
            single("open", open_lines),
            single("turn", tempo),
        ];
        let pairs = [
            ("hope", promotion),
            ("free_way", passed),
            ("doubled", doubled),
            ("alone", isolated),
            ("guarded", supported),
        ];
        for (word, pair) in pairs {
            all.extend(named_pair(None, word, pair));
        }
        for (index, weights) in self.kinds.iter_mut().enumerate() {
            let KindWeights { value, reach, centrality, mobility } = weights;
            let kind = Some(index);
            all.push((Name { kind, word: "freedom", late: false }, mobility));
            for (word, pair) in [("value", value), ("reach", reach), ("room", centrality)] {
                all.extend(named_pair(kind, word, pair));
            }
        }
        all
    }
}

fn named_pair<'p>(
    kind: Option<usize>,
    word: &'static str,
    pair: &'p mut Pair,
) -> impl Iterator<Item = (Name, &'p mut i32)> {
    pair.iter_mut().enumerate().map(move |(index, number)| (Name { kind, word, late: index == 1 }, number))
}

/// The name of a weight in value files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// The kind that the weight belongs to, if any.
    pub(crate) kind: Option<usize>,
    word: &'static str,
    /// Whether it is the late-game weight of a pair.
    late: bool,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.word, if self.late { "_late" } else { "" })
    }
}
