//! Conditions of moves, actions and promotions.
//!
//! All conditions look at the board before the move. Offsets are turned for the player and count from the source of the
//! moving piece, which itself stands at `[0, 0]`.

use tabiya_spec::model::{Anchor, Area, Clause, Condition, Coord, Owner, RegionOf};
use tabiya_spec::place::At;

use crate::pattern::Attempt;
use crate::{Moment, Oracle, Piece, Square};

impl Oracle<'_> {
    /// Returns whether the condition holds for an attempt that lands on `to`. A condition about attacks holds inside an
    /// attack, and a condition about the result holds before the move is made.
    pub(crate) fn holds(&self, attempt: &Attempt<'_>, to: Square, condition: &Condition) -> bool {
        is_about_result(condition)
            || !attempt.minds_attacks && is_about_attacks(condition)
            || self.holds_now(attempt, to, condition)
    }

    fn all_hold_for(&self, attempt: &Attempt<'_>, to: Square, list: &[At<Condition>]) -> bool {
        list.iter().all(|condition| self.holds_now(attempt, to, condition))
    }

    fn holds_now(&self, attempt: &Attempt<'_>, to: Square, condition: &Condition) -> bool {
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
            Condition::Marked { state } => {
                !self.marking(attempt.state, &attempt.piece.player, state, to).is_empty()
            }
            Condition::PathEmpty {} => {
                let path = self.between(attempt, to);
                let is_free =
                    |square: &Square| self.exists(*square) && !attempt.state.pieces.contains_key(square);
                // No square is passed twice. A dropped piece does not stand on its square yet.
                let is_new = |(index, square): (usize, &Square)| {
                    *square != attempt.from && !path[..index].contains(square)
                };
                path.iter().all(is_free) && path.iter().enumerate().all(is_new)
            }
            Condition::NotAttacked {} => !self.is_unsafe(attempt, to),
            Condition::PathNotAttacked {} => {
                let way = [vec![attempt.from], self.between(attempt, to), vec![to]].concat();
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
            Condition::Attacked { position, anchor, by } => {
                let place = Place { position: position.as_ref(), anchor: anchor.as_ref() };
                self.is_attacked_at(attempt, self.place(attempt, to, place), by.as_ref())
            }
            Condition::Defended { position, anchor, by } => {
                let place = Place { position: position.as_ref(), anchor: anchor.as_ref() };
                self.is_defended_at(attempt, self.place(attempt, to, place), by.as_ref())
            }
            // Conditions about the result are tested once the move is made.
            Condition::Event { .. } | Condition::After { .. } => true,
            Condition::All { of } => self.all_hold_for(attempt, to, of),
            Condition::Any { of } => of.iter().any(|list| self.all_hold_for(attempt, to, list)),
            Condition::Not { of } => !self.all_hold_for(attempt, to, of),
            Condition::Position(clause) => {
                let way = Some((attempt.from, to));
                let moment = Moment {
                    way,
                    counted: Owner::Own,
                    ..Moment::plain(attempt.state, &attempt.piece.player)
                };
                self.clause_holds(&moment, clause)
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
        attempt.minds_attacks && self.is_unsafe_on(attempt, square)
    }
}

impl Oracle<'_> {
    fn place(&self, attempt: &Attempt<'_>, to: Square, place: Place<'_>) -> Square {
        let origin = anchored(attempt, to, place.anchor.map_or(Anchor::Target, |anchor| **anchor));
        let offset = place.position.map_or(Coord::default(), |position| **position);
        self.offset(origin, &attempt.piece.player, offset)
    }
}

/// An offset from an anchor.
#[derive(Clone, Copy)]
struct Place<'a> {
    position: Option<&'a At<Coord>>,
    anchor: Option<&'a At<Anchor>>,
}

/// Returns whether a predicate holds for the condition or one nested in it.
fn mentions(condition: &Condition, wanted: fn(&Condition) -> bool) -> bool {
    let mut nested = condition.nested().iter().flat_map(|list| list.iter());
    wanted(condition) || nested.any(|inner| mentions(inner, wanted))
}

/// Returns whether the condition is about what the move does.
pub(crate) fn is_about_result(condition: &Condition) -> bool {
    mentions(condition, |it| matches!(it, Condition::Event { .. } | Condition::After { .. }))
}

/// Returns whether the condition looks at the position after the move.
pub(crate) fn looks_ahead(condition: &Condition) -> bool {
    mentions(condition, |it| matches!(it, Condition::After { .. }))
}

fn is_about_attacks(condition: &Condition) -> bool {
    mentions(condition, |it| match it {
        Condition::NotAttacked {}
        | Condition::PathNotAttacked {}
        | Condition::Attacked { .. }
        | Condition::Defended { .. } => true,
        Condition::Position(clause) => {
            let is_meant = |clause: &&Clause| match clause {
                Clause::InCheck { .. } => true,
                Clause::Count { area, .. } => area.as_ref().is_some_and(|area| **area == Area::Attacked),
                _ => false,
            };
            clause.with_nested().iter().any(is_meant)
        }
        _ => false,
    })
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
