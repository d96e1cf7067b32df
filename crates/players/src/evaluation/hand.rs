//! The value of pieces in hand.

use tabiya_engine::mechanics::HandOf;
use tabiya_engine::{Kind, Rules};

/// What pieces in hand are worth in one game.
#[derive(Clone, Debug)]
pub(crate) struct Hands {
    /// By kind: the value of a piece in hand; 0 if it can never be dropped.
    pub(crate) values: Vec<i32>,
    /// By kind: what the player who captures one gets for it, in addition to what the other loses.
    gains: Vec<i32>,
    /// Whether captured pieces stay in the game.
    pub(crate) keep_material: bool,
}

impl Hands {
    /// The bonus in percent of a piece in hand on a board of one square. A bonus shrinks with the board.
    const BONUS: usize = 640;
    /// The greatest bonus, in percent.
    const MAX_BONUS: usize = 25;
    /// The value in percent of a piece in hand that was not captured from an opponent.
    const UNDEVELOPED: i32 = 80;

    /// Derives the values from those of pieces on the board.
    ///
    /// A piece that can be dropped anywhere is worth a little more than one on the board: it chooses its square. On a small
    /// board this counts more, because every square is near the enemy leader. If pieces do not change sides, those in hand are
    /// reserves that still cost a move, and worth less.
    pub(crate) fn of(rules: &Rules, values: &[i32]) -> Option<Self> {
        let plan = rules.mechanics().hands.as_ref()?;
        let squares = rules.board().squares().count().max(1);
        let percent = match plan.captured_to {
            Some(HandOf::Captor) => 100 + (Self::BONUS / squares).min(Self::MAX_BONUS) as i32,
            Some(HandOf::Owner) | None => Self::UNDEVELOPED,
        };
        let value = |kind: Kind| {
            let drops = plan.drops.iter().filter(|drop| drop.kinds.contains(&kind));
            let forms = drops.flat_map(|drop| {
                let promotions = drop.modifiers.iter().flat_map(|modifier| &modifier.options);
                promotions.copied().chain([kind])
            });
            forms.map(|form| values[form.index()]).max().unwrap_or(0) * percent / 100
        };
        let in_hand: Vec<i32> = rules.kinds().map(value).collect();
        let gain = |kind: Kind| {
            let value = in_hand[rules.kind(kind).reverts_to.unwrap_or(kind).index()];
            match plan.captured_to {
                Some(HandOf::Captor) => value,
                // The owner gets the piece back.
                Some(HandOf::Owner) => -value,
                None => 0,
            }
        };
        Some(Hands {
            gains: rules.kinds().map(gain).collect(),
            values: in_hand,
            keep_material: plan.captured_to.is_some(),
        })
    }

    /// Returns what the capture of a piece changes in the hands, for the player who captures it.
    pub(crate) fn gain_of_capture(&self, kind: usize) -> i32 {
        self.gains[kind]
    }
}
