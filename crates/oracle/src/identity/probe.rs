//! The three conditions that ask whether a piece at an offset is unmoved, seen as one.

use tabiya_spec::model::{Anchor, Condition, Coord, Occupancy};
use tabiya_spec::place::At;

use crate::{Oracle, Piece};

/// A condition that asks about the first move of a piece at an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe<'a> {
    pub(super) offset: Coord,
    /// The offset counts from the source of the moving piece, not from its landing.
    pub(super) from_source: bool,
    /// It fails without an unmoved piece there. Some hold without a piece, or ask for one that has moved.
    pub(super) needs_unmoved: bool,
    state: Option<Occupancy>,
    kinds: Option<&'a [At<String>]>,
}

impl<'a> Probe<'a> {
    /// The condition as a probe, if it is one.
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

    /// Whether all else that the probe names is true of the piece, as the player sees it.
    pub(super) fn fits(&self, oracle: &Oracle<'_>, piece: &Piece, player: &str) -> bool {
        self.fits_kind(&piece.kind) && self.state.is_none_or(|state| oracle.is(Some(piece), player, state))
    }

    /// Whether the probe asks for pieces of this kind.
    pub(super) fn fits_kind(&self, kind: &str) -> bool {
        self.kinds.is_none_or(|kinds| kinds.iter().any(|wanted| **wanted == kind))
    }
}
