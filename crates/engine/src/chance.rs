//! The die: it is thrown before a move, and allows only some pieces to move. Whoever throws brings the face; chance itself
//! is nobody's business here.

use crate::moves::Move;
use crate::piece::Kind;
use crate::position::{Position, Register};
use crate::refusal::Refusal;
use crate::rules::Rules;

/// Where the die of a turn stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Die {
    /// It is to be thrown, and at most so often.
    Awaited(u8),
    /// It shows this face, from 1 on, and pieces that it allows can move.
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
    /// Where the die stands; `None` in a game without one, or that is over.
    pub fn die(&self, position: &Position) -> Option<Die> {
        let word = position.register(Register::Die);
        match (word as u8, (word >> THROWS_SHIFT) as u8) {
            (0, 0) => None,
            (0, throws) => Some(Die::Awaited(throws)),
            (face, _) => Some(Die::Shows(face)),
        }
    }

    /// Whether the die has been thrown in this turn.
    pub(crate) fn has_thrown(&self, position: &Position) -> bool {
        let Some(chance) = &self.mechanics().chance else { return false };
        self.die(position) != Some(Die::Awaited(chance.throws as u8))
    }

    /// How many faces the die has.
    pub fn faces(&self) -> Option<u8> {
        self.mechanics().chance.as_ref().map(|chance| chance.faces.len() as u8)
    }

    /// The position after a throw, if one is awaited and the die has the face. If no piece that it allows can move, it is
    /// thrown again, or the turn passes.
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
            self.end_turn(&mut next, false);
            self.settle(&mut next);
        }
        Some(next)
    }

    /// The pieces that a face allows to move: the first of its lists of which one can.
    pub(crate) fn allowed(&self, position: &Position, face: u8) -> Option<&[Kind]> {
        let lists = self.mechanics().chance.as_ref()?.faces.get(usize::from(face).checked_sub(1)?)?;
        let moves = self.general.moves(self, position);
        let can_move =
            |kinds: &Vec<Kind>| moves.iter().any(|it| kinds.contains(&self.moving_kind(position, *it)));
        lists.iter().find(|kinds| can_move(kinds)).map(Vec::as_slice)
    }

    /// Of all moves, those that the die allows: none before it is thrown.
    pub(crate) fn heed_die(&self, position: &Position, moves: &mut Vec<Move>) {
        match self.die(position) {
            None => {}
            Some(Die::Awaited(_)) => moves.clear(),
            Some(Die::Shows(face)) => {
                let allowed = self.allowed(position, face).unwrap_or_default();
                moves.retain(|played| allowed.contains(&self.moving_kind(position, *played)));
            }
        }
    }

    pub(crate) fn refusal_by_die(&self, position: &Position, kind: Kind) -> Option<Refusal> {
        match self.die(position)? {
            Die::Awaited(_) => Some(Refusal::ThrowFirst),
            Die::Shows(face) => {
                let allowed = self.allowed(position, face).unwrap_or_default();
                (!allowed.contains(&kind)).then_some(Refusal::OtherPieces)
            }
        }
    }

    pub(crate) fn await_throw(&self, position: &mut Position) {
        let throws = self.mechanics().chance.as_ref().map_or(0, |chance| chance.throws as u8);
        if position.ended().is_some() {
            position.set_register(Register::Die, 0);
        } else {
            position.set_die(Die::Awaited(throws));
        }
    }

    pub(crate) fn is_good_die(&self, die: Die) -> bool {
        let Some(chance) = &self.mechanics().chance else { return false };
        match die {
            Die::Awaited(throws) => (1..=chance.throws).contains(&u32::from(throws)),
            Die::Shows(face) => (1..=chance.faces.len()).contains(&usize::from(face)),
        }
    }
}
