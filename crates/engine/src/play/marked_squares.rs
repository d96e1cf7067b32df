//! The squares that flags mark: where a piece has just passed, and where it can still be captured.
//!
//! A flag belongs to a piece and marks one square beside it, so that the square needs no state besides the flag.

use crate::piece::{Flag, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// Iterates over the squares that enemy pieces with a flag mark, each with the square of the piece. Frozen pieces, which
    /// cannot be captured, mark nothing.
    fn marks_of_enemies(
        &self,
        position: &Position,
        flag: Flag,
        player: Player,
    ) -> impl Iterator<Item = (Square, Square)> {
        let team = self.team(player);
        let carriers = position.marks().iter().filter(move |mark| mark.flag == flag);
        carriers.filter_map(move |mark| {
            let owner = position.piece(mark.square)?.player;
            let is_enemy = !team.contains(owner) && !position.frozen().contains(owner);
            let jump = (*self.flag_marks[owner.index()].get(flag.index())?)?;
            let marked = self.jumps.to(jump, mark.square).filter(|_| is_enemy)?;
            Some((marked, mark.square))
        })
    }

    /// Iterates over the squares that enemies of a player mark with a flag.
    pub(crate) fn marked_squares(
        &self,
        position: &Position,
        flag: Flag,
        player: Player,
    ) -> impl Iterator<Item = Square> {
        self.marks_of_enemies(position, flag, player).map(|(marked, _)| marked)
    }

    /// Iterates over the squares of the enemy pieces that mark a square with a flag.
    pub(crate) fn pieces_that_mark(
        &self,
        position: &Position,
        flag: Flag,
        player: Player,
        target: Square,
    ) -> impl Iterator<Item = Square> {
        let marks = self.marks_of_enemies(position, flag, player);
        let carriers = marks.filter(move |(marked, _)| *marked == target).map(|(_, carrier)| carrier);
        carriers.filter(|carrier| !self.is_taken(position, *carrier))
    }
}
