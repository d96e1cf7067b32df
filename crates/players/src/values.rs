//! The evaluation as a public value: read it, replace its weights, evaluate positions.

use std::sync::Arc;

use tabiya_engine::{Blueprint, Kind, Player, Position, Rules};

use crate::evaluation::weights::Name;
use crate::evaluation::{EvalBoard, Evaluation, StructureCache};

/// The evaluation weights of one game, in centipawns: a chess pawn is near 100. Cloning is cheap.
///
/// # Examples
/// ```
/// use tabiya_players::Values;
///
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let values = Values::of(&game.rules);
/// let start = game.rules.start();
/// assert_eq!(values.evaluate(&start, game.rules.mover(&start)), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Values {
    evaluation: Arc<Evaluation>,
    game: Arc<Blueprint>,
}

/// One weight of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// The kind of piece that it belongs to, if any.
    pub kind: Option<Kind>,
    /// Its name in value files.
    pub name: String,
    /// The weight in centipawns.
    pub value: i32,
}

impl Values {
    /// The greatest absolute value of a weight.
    pub const MAX: i32 = 60_000;

    /// Derives the weights from the rules. This takes a while.
    pub fn of(rules: &Rules) -> Self {
        Values { evaluation: Arc::new(Evaluation::of(rules)), game: Arc::new(rules.blueprint().clone()) }
    }

    /// Whether the weights belong to this game.
    pub fn belong_to(&self, rules: &Rules) -> bool {
        *self.game == *rules.blueprint()
    }

    /// Returns the material value of a kind. A leader is worth 0 because it cannot be exchanged.
    pub fn kind(&self, kind: Kind) -> i32 {
        self.evaluation.kind_value(kind)
    }

    /// Evaluates a position for a player's side against the mean of the other sides, without mobility.
    pub fn evaluate(&self, position: &Position, player: Player) -> i32 {
        let mut board = EvalBoard::default();
        self.evaluation.scan(position, &mut board, &mut StructureCache::default());
        self.evaluation.evaluate(&board, player)
    }

    /// Returns all weights, always in the same order.
    pub fn weights(&self) -> Vec<Weight> {
        let mut weights = self.evaluation.weights.clone();
        let weight = |(name, value): (Name, &mut i32)| Weight {
            kind: name.kind.map(|kind| Kind(kind as u8)),
            name: name.to_string(),
            value: *value,
        };
        weights.named().into_iter().map(weight).collect()
    }

    /// Replaces weights, in the order of [`Values::weights`]. Weights beyond the end of `numbers` stay unchanged, and
    /// all are clamped to [`Values::MAX`].
    #[must_use]
    pub fn with_weights(&self, rules: &Rules, numbers: &[i32]) -> Self {
        let mut weights = self.evaluation.weights.clone();
        for ((_, weight), number) in weights.named().into_iter().zip(numbers) {
            *weight = (*number).clamp(-Self::MAX, Self::MAX);
        }
        self.with(self.evaluation.with_weights(rules, weights))
    }

    /// Returns the values in `slot` if they belong to this game; otherwise derives them and stores them there.
    pub(crate) fn cached<'v>(slot: &'v mut Option<Values>, rules: &Rules) -> &'v Values {
        let known = slot.take().filter(|values| values.belong_to(rules));
        slot.insert(known.unwrap_or_else(|| Values::of(rules)))
    }

    pub(crate) fn with(&self, evaluation: Evaluation) -> Self {
        Values { evaluation: Arc::new(evaluation), game: self.game.clone() }
    }

    pub(crate) fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }
}
