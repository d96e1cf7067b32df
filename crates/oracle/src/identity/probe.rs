//! A common view of the three conditions that ask whether a piece at an offset is unmoved.

use tabiya_spec::model::{Anchor, Condition, Coord, Occupancy};
use tabiya_spec::place::At;

use crate::{Oracle, Piece};

/// A condition that asks whether a piece at an offset is unmoved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe<'a> {
    pub(super) offset: Coord,
    /// Whether the offset counts from the source of the moving piece, not from its landing.
    pub(super) from_source: bool,
    /// Whether an unmoved piece is required. Some conditions also hold without a piece, or ask for a moved one.
    pub(super) needs_unmoved: bool,
    state: Option<Occupancy>,
    kinds: Option<&'a [At<String>]>,
}

impl<'a> Probe<'a> {
    /// Converts a condition, if it is such a condition.
    pub(super) fn of(condition: &'a Condition) -> Option<Self> {
        let plain = |offset: &At<Coord>, needs_unmoved| Probe {
            offset: **offset,
            from_source: true,
            needs_unmoved,
            state: None,
            kinds: None,
        };
        match condition {
            Condition::PieceFirstMove { position } => Some(plain(position, true)),
            Condition::RookFirstMove { position } => Some(plain(position, false)),
            Condition::Square { position, anchor, state, piece, unmoved: Some(unmoved) } => Some(Probe {
                offset: **position,
                from_source: anchor.as_ref().is_none_or(|anchor| **anchor == Anchor::Source),
                needs_unmoved: **unmoved,
                state: state.as_ref().map(|state| **state),
                kinds: piece.as_ref().map(|kinds| kinds.as_slice()),
            }),
            _ => None,
        }
    }

    /// Returns whether the piece fits the probe apart from being unmoved, as the player sees it.
    pub(super) fn fits(&self, oracle: &Oracle<'_>, piece: &Piece, player: &str) -> bool {
        self.fits_kind(&piece.kind) && self.state.is_none_or(|state| oracle.is(Some(piece), player, state))
    }

    /// Returns whether the probe asks for pieces of this kind.
    pub(super) fn fits_kind(&self, kind: &str) -> bool {
        self.kinds.is_none_or(|kinds| kinds.iter().any(|wanted| **wanted == kind))
    }
}
