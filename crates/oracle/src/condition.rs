//! Conditions of moves, actions and promotions.
//!
//! All conditions look at the board before the move. Offsets are turned for the player and count from the source of the
//! moving piece, which itself stands at `[0, 0]`.

use tabiya_spec::model::{Anchor, Condition, Owner, RegionOf};
use tabiya_spec::place::At;

use crate::geometry::between;
use crate::pattern::Attempt;
use crate::piece_count::PieceFilter;
use crate::{Oracle, Piece, Square};

impl Oracle<'_> {
    /// Returns whether the condition holds for an attempt that lands on `to`.
    pub(crate) fn holds(&self, attempt: &Attempt<'_>, to: Square, condition: &Condition) -> bool {
        // `None` also if the square does not exist.
        let piece_at =
            |offset| attempt.state.pieces.get(&self.offset(attempt.from, &attempt.piece.player, offset));
        match condition {
            Condition::FirstMove {} => !attempt.piece.moved,
            Condition::DependsOn { move_id } => self.has_landing(attempt, **move_id),
            Condition::PieceFirstMove { position } => piece_at(**position).is_some_and(|piece| !piece.moved),
            Condition::RookFirstMove { position } => piece_at(**position).is_none_or(|piece| !piece.moved),
            Condition::CheckState { state, position } => {
                piece_at(**position).is_some_and(|piece| piece.flags.contains_key(state.as_str()))
            }
            Condition::PathEmpty {} => between(attempt.from, to)
                .into_iter()
                .all(|square| self.exists(square) && !attempt.state.pieces.contains_key(&square)),
            Condition::NotAttacked {} => !self.is_unsafe(attempt, to),
            Condition::PathNotAttacked {} => {
                let way = [vec![attempt.from], between(attempt.from, to), vec![to]].concat();
                !way.into_iter().any(|square| self.is_unsafe(attempt, square))
            }
            Condition::Square { position, anchor, state, piece, unmoved } => {
                let origin = anchored(attempt, to, anchor.as_ref().map_or(Anchor::Source, |anchor| **anchor));
                let square = self.offset(origin, &attempt.piece.player, **position);
                let found = attempt.state.pieces.get(&square);
                self.exists(square)
                    && state.as_ref().is_none_or(|state| self.is(found, &attempt.piece.player, **state))
                    && piece.as_ref().is_none_or(|kinds| is_one_of(found, kinds))
                    && unmoved.as_ref().is_none_or(|unmoved| is_unmoved(found, **unmoved))
            }
            Condition::InRegion { region, of, anchor } => {
                let square = anchored(attempt, to, anchor.as_ref().map_or(Anchor::Target, |anchor| **anchor));
                let of = of.as_ref().map_or(RegionOf::Own, |of| **of);
                self.lists_for(region, &attempt.piece.player, of, square)
            }
            Condition::Count { piece, owner, region, min, max, lost } => {
                let owner = owner.as_ref().map_or(Owner::Own, |owner| **owner);
                let filter = PieceFilter { kinds: piece.as_ref(), owner, region: region.as_ref() };
                let own = &attempt.piece.player;
                let count = self.count(attempt.state, own, filter);
                min.as_ref().is_none_or(|min| count >= **min)
                    && max.as_ref().is_none_or(|max| count <= **max)
                    && lost.as_ref().is_none_or(|lost| self.lost(attempt.state, own, filter) >= **lost)
            }
            Condition::Code(code) => self.lists(code, &attempt.piece.player, to),
        }
    }

    /// Returns whether another move of the same piece has a landing now, ignoring attacks on the leader.
    fn has_landing(&self, attempt: &Attempt<'_>, id: i32) -> bool {
        let mut others = self.definitions(&attempt.piece.kind).iter().filter(|other| *other.id == id);
        others.any(|other| !self.landings(&Attempt { definition: other, ..*attempt }).is_empty())
    }

    /// Returns whether the piece would be attacked on the square, if attacks matter for the attempt.
    fn is_unsafe(&self, attempt: &Attempt<'_>, square: Square) -> bool {
        attempt.minds_attacks && self.threatened(attempt.state, attempt.spot(), square)
    }
}

/// Returns the square from which an offset counts.
fn anchored(attempt: &Attempt<'_>, to: Square, anchor: Anchor) -> Square {
    match anchor {
        Anchor::Source => attempt.from,
        Anchor::Target => to,
    }
}

fn is_one_of(occupant: Option<&Piece>, kinds: &[At<String>]) -> bool {
    occupant.is_some_and(|piece| kinds.iter().any(|kind| **kind == piece.kind))
}

/// Returns whether there is a piece whose unmoved state is the given one.
fn is_unmoved(occupant: Option<&Piece>, unmoved: bool) -> bool {
    occupant.is_some_and(|piece| piece.moved != unmoved)
}
