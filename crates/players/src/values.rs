//! What our players think that pieces and armies are worth: for those who measure games, and for those who change it.

use std::sync::Arc;

use tabiya_engine::{Blueprint, Kind, Player, Position, Rules};

use crate::structure::Recent;
use crate::worth::{Board, Worth};

/// The values of one game, in hundredths: a pawn of chess is near 100. To copy them costs nothing.
#[derive(Clone, Debug)]
pub struct Values {
    worth: Arc<Worth>,
    game: Arc<Blueprint>,
}

/// One number of the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The kind of piece that it is about, if it is about one.
    pub kind: Option<Kind>,
    /// What it says.
    pub name: String,
    /// How much that counts.
    pub value: i32,
}

impl Values {
    /// Finds them out from the rules; that takes a while.
    pub fn of(rules: &Rules) -> Self {
        Values { worth: Arc::new(Worth::of(rules)), game: Arc::new(rules.blueprint().clone()) }
    }

    /// Whether they are those of this game.
    pub fn are_of(&self, rules: &Rules) -> bool {
        *self.game == *rules.blueprint()
    }

    /// What a piece of the kind is worth. A leader is worth nothing: it is not for exchange.
    pub fn kind(&self, kind: Kind) -> i32 {
        self.worth.kind(kind)
    }

    /// How a player and his partners stand: their armies against the mean army of the others.
    pub fn standing(&self, position: &Position, player: Player) -> i32 {
        let mut board = Board::default();
        self.worth.look(position, &mut board, &mut Recent::default());
        self.worth.standing(&board, player)
    }

    /// All numbers, always in the same order.
    pub fn numbers(&self) -> Vec<Number> {
        let mut weights = self.worth.weights.clone();
        let number = |(name, value): (crate::weights::Name, &mut i32)| Number {
            kind: name.kind.map(|kind| Kind(kind as u8)),
            name: name.to_string(),
            value: *value,
        };
        weights.numbers().into_iter().map(number).collect()
    }

    /// The same game with other numbers, in the order of [`Values::numbers`]; further ones stay as they are.
    #[must_use]
    pub fn with_numbers(&self, rules: &Rules, numbers: &[i32]) -> Self {
        let mut weights = self.worth.weights.clone();
        for ((_, number), other) in weights.numbers().into_iter().zip(numbers) {
            *number = (*other).clamp(-Self::MOST, Self::MOST);
        }
        self.with(self.worth.with(rules, weights))
    }

    /// No number is greater: sums of them must stay small.
    pub const MOST: i32 = 60_000;

    /// Those of the last game that was played, if it is this one; else this one's from now on.
    pub(crate) fn known<'v>(last: &'v mut Option<Values>, rules: &Rules) -> &'v Values {
        let known = last.take().filter(|values| values.are_of(rules));
        last.insert(known.unwrap_or_else(|| Values::of(rules)))
    }

    pub(crate) fn with(&self, worth: Worth) -> Self {
        Values { worth: Arc::new(worth), game: self.game.clone() }
    }

    pub(crate) fn worth(&self) -> &Worth {
        &self.worth
    }
}
