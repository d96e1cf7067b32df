//! Squares that flags mark. A piece marks the square at a fixed offset from where it stands, seen by its owner.

use tabiya_spec::model::{Coord, Effect, MoveSpec, Target};

use crate::sharing::can_be_captured;
use crate::{Oracle, Piece, Square, State};

impl Oracle<'_> {
    /// Returns the squares of the enemies of a player that carry a flag and mark a square.
    pub(crate) fn marking(&self, state: &State, player: &str, flag: &str, marked: Square) -> Vec<Square> {
        let Some(offset) = self.mark_of(flag) else { return Vec::new() };
        let marks = |(square, piece): &(&Square, &Piece)| {
            piece.flags.contains_key(flag)
                && self.target(Some(piece), player) == Target::Enemy
                && can_be_captured(state, piece)
                && !state.is_taken(**square)
                && self.exists(marked)
                && self.offset(**square, &piece.player, offset) == marked
        };
        state.pieces.iter().filter(marks).map(|(square, _)| *square).collect()
    }

    /// Returns the offset from a piece with the flag to the square that it marks.
    fn mark_of(&self, flag: &str) -> Option<Coord> {
        let mut definitions = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
        definitions.find_map(|definition| {
            definition.all_effects().find_map(|effect| match &**effect {
                Effect::SetState { state, square: Some(square), .. } if **state == flag => {
                    Some(from_landing(definition, **square))
                }
                _ => None,
            })
        })
    }
}

/// Turns an offset from the source of a move into one from its only landing square.
fn from_landing(definition: &MoveSpec, offset: Coord) -> Coord {
    let times =
        definition.repeat.as_ref().and_then(|repeat| repeat.times.as_ref()).map_or(1, |times| **times);
    let step = *definition.step;
    Coord { x: offset.x - times * step.x, y: offset.y - times * step.y, z: offset.z - times * step.z }
}
