//! Whatever takes a game from one position to the next: moves, and in some games throws of a die, exchanges of captured
//! leaders and armies that are handed over. A record of a game is where it started and its steps.

use crate::moves::Move;
use crate::piece::Player;
use crate::position::Position;
use crate::refusal::Refusal;
use crate::rules::Rules;

/// What leads from one position to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A move.
    Move(Move),
    /// A throw of the die, by its face.
    Throw(u8),
    /// The exchange of captured leaders that may be proposed; it was agreed to.
    Exchange,
    /// Who is to move hands the army over to a partner.
    Withdrawal(Player),
}

impl Rules {
    /// The position after a step, or why it cannot be taken.
    pub fn after(&self, position: &Position, step: Step) -> Result<Position, Refusal> {
        let next = match step {
            Step::Move(played) => return self.play(position, played),
            Step::Throw(face) => self.throw(position, face),
            Step::Exchange => self.exchanged(position),
            Step::Withdrawal(heir) => self.withdrawn(position, heir),
        };
        next.ok_or(Refusal::NoOccasion)
    }
}
