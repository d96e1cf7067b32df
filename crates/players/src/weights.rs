//! How much each thing counts that makes a position good, in hundredths: a pawn of chess is near 100. They start from what
//! the rules say about each kind of piece, and can be learned from games.

use std::fmt;

use tabiya_engine::Rules;

use crate::grounds::Grounds;

/// A pair counts on a full and on an empty board; what is between is mixed.
pub(crate) type Pair = [i32; 2];

/// All weights of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    pub(crate) taste: Taste,
    /// By kind.
    pub(crate) kinds: Vec<KindWeights>,
}

/// What a kind of piece is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KindWeights {
    /// Anywhere.
    pub(crate) value: Pair,
    /// Between the squares from which it can go to the fewest and the most others.
    pub(crate) reach: Pair,
    /// Between the squares with the least and the most room around them.
    pub(crate) room: Pair,
    /// For each move that it has.
    pub(crate) freedom: i32,
}

/// What counts alike for all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taste {
    /// A move that lands beside a leader of the others, or on it; and each pair of such moves.
    pub(crate) pressure: i32,
    pub(crate) pressure_together: i32,
    /// A man beside its leader; no more than four count.
    pub(crate) shelter: i32,
    /// A free square that is seen from the leader, along a line.
    pub(crate) open: i32,
    /// What a man may hope to become, in quarters.
    pub(crate) hope: Pair,
    /// The same more, if nobody of its like can stop it any more.
    pub(crate) free_way: Pair,
    /// It has one of its own in its way.
    pub(crate) doubled: Pair,
    /// None of its own can ever guard it.
    pub(crate) alone: Pair,
    /// One of its own guards it.
    pub(crate) guarded: Pair,
    /// It is one's turn.
    pub(crate) turn: i32,
}

impl Default for Taste {
    fn default() -> Self {
        Taste {
            pressure: 6,
            pressure_together: 2,
            shelter: 10,
            open: 3,
            hope: [4, 6],
            free_way: [2, 4],
            doubled: [-8, -16],
            alone: [-10, -12],
            guarded: [6, 6],
            turn: 8,
        }
    }
}

/// The parts of what a piece can do that its square adds to its worth.
const SHARE: i32 = 7;
/// What a leader has to lose between the squares with the least and the most room around them.
const EXPOSURE: i32 = 120;
/// What those who hope to become others win there.
const CENTRE: i32 = 45;

impl Weights {
    /// What the rules alone say.
    pub(crate) fn of(rules: &Rules, grounds: &Grounds) -> Self {
        let strongest = grounds.values.iter().max().copied().unwrap_or(0);
        let kind = |(index, value): (usize, &i32)| {
            let mut weights = KindWeights { value: [*value; 2], freedom: 2, ..KindWeights::default() };
            let range = grounds.ranges[index] / SHARE;
            if rules.leader().is_some_and(|leader| leader.index() == index) {
                weights.room = [-EXPOSURE, 0];
                weights.reach = [0, range / 2];
                weights.freedom = 0;
            } else if !grounds.is_force[index] {
                // What hopes to become more fights for the squares that matter to the others.
                weights.room = [CENTRE, 0];
            } else if *value == strongest {
                // The strongest piece does not come out early: everybody would chase it.
                weights.reach = [range / 4, range];
            } else {
                weights.reach = [range; 2];
                weights.freedom = 4;
            }
            weights
        };
        let kinds = grounds.values.iter().enumerate().map(kind).collect();
        Weights { taste: Taste::default(), kinds }
    }

    /// Every number of them.
    pub(crate) fn numbers(&mut self) -> Vec<(Name, &mut i32)> {
        let Taste {
            pressure,
            pressure_together,
            shelter,
            open,
            hope,
            free_way,
            doubled,
            alone,
            guarded,
            turn,
        } = &mut self.taste;
        let mut all = Vec::new();
        let single = |about, number| (Name { kind: None, about, late: false }, number);
        all.push(single("pressure", pressure));
        all.push(single("pressure_together", pressure_together));
        all.push(single("shelter", shelter));
        all.push(single("open", open));
        all.push(single("turn", turn));
        let pairs = [
            ("hope", hope),
            ("free_way", free_way),
            ("doubled", doubled),
            ("alone", alone),
            ("guarded", guarded),
        ];
        for (name, pair) in pairs {
            all.extend(pair_of(None, name, pair));
        }
        for (index, weights) in self.kinds.iter_mut().enumerate() {
            let KindWeights { value, reach, room, freedom } = weights;
            let kind = Some(index);
            all.push((Name { kind, about: "freedom", late: false }, freedom));
            for (name, pair) in [("value", value), ("reach", reach), ("room", room)] {
                all.extend(pair_of(kind, name, pair));
            }
        }
        all
    }
}

fn pair_of<'p>(
    kind: Option<usize>,
    about: &'static str,
    pair: &'p mut Pair,
) -> impl Iterator<Item = (Name, &'p mut i32)> {
    pair.iter_mut().enumerate().map(move |(place, number)| (Name { kind, about, late: place == 1 }, number))
}

/// What one number is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// The kind, if it is about one.
    pub(crate) kind: Option<usize>,
    about: &'static str,
    /// Whether it is the second of a pair.
    late: bool,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.about, if self.late { "_late" } else { "" })
    }
}
