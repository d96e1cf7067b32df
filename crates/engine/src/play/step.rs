//! Steps of a game: moves and, in some games, throws of a die, exchanges of captured leaders and withdrawals. The
//! record of a game is its initial position and its steps.

use crate::movegen::IllegalMove;
use crate::moves::Move;
use crate::piece::Player;
use crate::position::Position;
use crate::rules::Rules;

/// A step from one position to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A move.
    Move(Move),
    /// A throw of the die, with its face.
    Throw(u8),
    /// The exchange of captured leaders that could be proposed, after agreement.
    Exchange,
    /// The player to move hands the army over to a partner.
    Withdrawal(Player),
}

impl Rules {
    /// Returns the position after a step.
    ///
    /// # Errors
    ///
    /// Returns the reason if the step is not possible.
    pub fn play_step(&self, position: &Position, step: Step) -> Result<Position, IllegalMove> {
        let next = match step {
            Step::Move(played) => return self.play(position, played),
            Step::Throw(face) => self.throw(position, face),
            Step::Exchange => self.play_exchange(position),
            Step::Withdrawal(heir) => self.play_withdrawal(position, heir),
        };
        next.ok_or(IllegalMove::NotAvailable)
    }
}
