//! Evaluation weights in centipawns. The defaults follow from the rules; [`tune`](crate::tune()) fits them to games.

use std::fmt;

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

/// Defines [`Params`]: each weight with its type, its default and its name in value files. Single weights come first.
macro_rules! params {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $default:expr, $word:literal;)*) => {
        /// The weights that apply to all pieces.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct Params {
            $($(#[$doc])* pub(crate) $field: $type,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Params { $($field: $default,)* }
            }
        }

        impl Params {
            /// Returns every weight with its name.
            fn named(&mut self) -> Vec<(Name, &mut i32)> {
                let mut all = Vec::new();
                $(all.extend(named(None, $word, self.$field.numbers()));)*
                all
            }
        }
    };
}

params! {
    /// For each move that targets an enemy leader or a square beside it, and for each pair of such moves.
    pressure: i32 = 6, "pressure";
    pressure_pairs: i32 = 2, "pressure_together";
    /// For each own piece beside the leader, up to four.
    shelter: i32 = 10, "shelter";
    /// Penalty for each empty square on a line from the leader.
    open_lines: i32 = 3, "open";
    /// The side to move.
    tempo: i32 = 8, "turn";
    /// Quarters of the promotion gain of a promotable piece.
    promotion: Pair = [4, 6], "hope";
    /// Further quarters if no enemy promotable piece can stop it: a passed pawn.
    passed: Pair = [2, 4], "free_way";
    /// An own promotable piece is ahead.
    doubled: Pair = [-8, -16], "doubled";
    /// No own promotable piece can ever protect it.
    isolated: Pair = [-10, -12], "alone";
    /// An own promotable piece protects it.
    supported: Pair = [6, 6], "guarded";
}

/// A single weight or a pair, as a list.
trait Numbers {
    fn numbers(&mut self) -> &mut [i32];
}

impl Numbers for i32 {
    fn numbers(&mut self) -> &mut [i32] {
        std::slice::from_mut(self)
    }
}

impl Numbers for Pair {
    fn numbers(&mut self) -> &mut [i32] {
        self
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
    pub(crate) fn of(features: &Features) -> Self {
        let strongest = features.values.iter().max().copied().unwrap_or(0);
        let kind = |(index, value): (usize, &i32)| {
            let mut weights = KindWeights { value: [*value; 2], mobility: 2, ..KindWeights::default() };
            let range = features.ranges[index] / REACH_DIVISOR;
            if features.is_leader[index] {
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
        let mut all = self.params.named();
        for (index, weights) in self.kinds.iter_mut().enumerate() {
            let KindWeights { value, reach, centrality, mobility } = weights;
            let kind = Some(index);
            all.extend(named(kind, "freedom", mobility.numbers()));
            for (word, pair) in [("value", value), ("reach", reach), ("room", centrality)] {
                all.extend(named(kind, word, pair));
            }
        }
        all
    }
}

/// Names the numbers of a weight: one, or an early and a late one.
fn named<'p>(
    kind: Option<usize>,
    word: &'static str,
    numbers: &'p mut [i32],
) -> impl Iterator<Item = (Name, &'p mut i32)> {
    numbers.iter_mut().enumerate().map(move |(index, number)| (Name { kind, word, late: index == 1 }, number))
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
