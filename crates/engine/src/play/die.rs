//! The die: it is thrown before a move and restricts which pieces may move. The caller provides the face.

use crate::movegen::IllegalMove;
use crate::moves::Move;
use crate::piece::Kind;
use crate::play::NextTurn;
use crate::position::{Position, Register};
use crate::rules::Rules;

/// The state of the die in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Die {
    /// The die must be thrown, at most this many times.
    Awaited(u8),
    /// The die shows this face, counted from 1, and some allowed piece can move.
    Shows(u8),
}

const THROWS_SHIFT: u32 = 8;

impl Position {
    pub(crate) fn set_die(&mut self, die: Die) {
        let word = match die {
            Die::Awaited(throws) => u64::from(throws) << THROWS_SHIFT,
            Die::Shows(face) => u64::from(face),
        };
        self.set_register(Register::Die, word);
    }
}

impl Rules {
    /// Returns the state of the die, or `None` if the game has none or is over.
    pub fn die(&self, position: &Position) -> Option<Die> {
        let word = position.register(Register::Die);
        match (word as u8, (word >> THROWS_SHIFT) as u8) {
            (0, 0) => None,
            (0, throws) => Some(Die::Awaited(throws)),
            (face, _) => Some(Die::Shows(face)),
        }
    }

    /// Returns whether the die has been thrown this turn.
    pub(crate) fn has_thrown(&self, position: &Position) -> bool {
        let Some(chance) = &self.mechanics().chance else { return false };
        self.die(position) != Some(Die::Awaited(chance.throws as u8))
    }

    /// Returns the number of faces.
    pub fn faces(&self) -> Option<u8> {
        self.mechanics().chance.as_ref().map(|chance| chance.faces.len() as u8)
    }

    /// Returns the position after a throw, or `None` if no throw is due or the die does not have the face. If no
    /// allowed piece can move, the die is thrown again or the turn passes.
    pub fn throw(&self, position: &Position, face: u8) -> Option<Position> {
        let Some(Die::Awaited(throws)) = self.die(position) else { return None };
        let mut next = position.clone();
        if !(1..=self.faces()?).contains(&face) {
            return None;
        }
        if self.allowed(position, face).is_some() {
            next.set_die(Die::Shows(face));
        } else if throws > 1 {
            next.set_die(Die::Awaited(throws - 1));
        } else {
            next.count_down();
            self.end_turn(&mut next, false, NextTurn::Following);
            self.settle(&mut next);
        }
        Some(next)
    }

    /// Returns the kinds that a face allows to move: its first list with a piece that can move.
    pub(crate) fn allowed(&self, position: &Position, face: u8) -> Option<&[Kind]> {
        let lists = self.mechanics().chance.as_ref()?.faces.get(usize::from(face).checked_sub(1)?)?;
        let moves = self.general.moves(self, position);
        let can_move =
            |kinds: &Vec<Kind>| moves.iter().any(|it| kinds.contains(&self.moving_kind(position, *it)));
        lists.iter().find(|kinds| can_move(kinds)).map(Vec::as_slice)
    }

    /// Keeps only the moves that the die allows; none before it is thrown.
    pub(crate) fn retain_allowed_by_die(&self, position: &Position, moves: &mut Vec<Move>) {
        match self.die(position) {
            None => {}
            Some(Die::Awaited(_)) => moves.clear(),
            Some(Die::Shows(face)) => {
                let allowed = self.allowed(position, face).unwrap_or_default();
                moves.retain(|played| allowed.contains(&self.moving_kind(position, *played)));
            }
        }
    }

    pub(crate) fn illegal_by_die(&self, position: &Position, kind: Kind) -> Option<IllegalMove> {
        match self.die(position)? {
            Die::Awaited(_) => Some(IllegalMove::ThrowFirst),
            Die::Shows(face) => {
                let allowed = self.allowed(position, face).unwrap_or_default();
                (!allowed.contains(&kind)).then_some(IllegalMove::DieForbids)
            }
        }
    }

    pub(crate) fn reset_die(&self, position: &mut Position) {
        let throws = self.mechanics().chance.as_ref().map_or(0, |chance| chance.throws as u8);
        if position.ended().is_some() {
            position.set_register(Register::Die, 0);
        } else {
            position.set_die(Die::Awaited(throws));
        }
    }

    pub(crate) fn is_valid_die(&self, die: Die) -> bool {
        let Some(chance) = &self.mechanics().chance else { return false };
        match die {
            Die::Awaited(throws) => (1..=chance.throws).contains(&u32::from(throws)),
            Die::Shows(face) => (1..=chance.faces.len()).contains(&usize::from(face)),
        }
    }
}
