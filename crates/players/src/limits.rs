//! Search limits and search reports. This crate has no clock: time enters as the `stop` callback, so that a seed and a
//! node limit reproduce a game.

use std::fmt;

use tabiya_engine::Move;

/// The limits of a search. The first one reached ends it. Without any limit, the player bounds its own effort.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// The search depth in plies; at least one.
    pub depth: Option<u32>,
    /// The number of positions to search.
    pub nodes: Option<u64>,
    /// Returns whether to stop. It is called often and must be cheap.
    pub stop: Option<&'a dyn Fn() -> bool>,
    /// The keys of earlier positions of the game, oldest first, for repetition detection.
    pub earlier: &'a [u64],
    /// Called with the result of every completed depth.
    pub on_info: Option<&'a dyn Fn(&SearchInfo)>,
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { depth, nodes, stop, on_info, earlier } = self;
        f.debug_struct("Limits")
            .field("depth", depth)
            .field("nodes", nodes)
            .field("stop", &stop.is_some())
            .field("on_info", &on_info.is_some())
            .field("earlier", &earlier.len())
            .finish()
    }
}

impl Limits<'_> {
    pub(crate) const UNLIMITED: Limits<'static> =
        Limits { depth: None, nodes: None, stop: None, earlier: &[], on_info: None };

    pub(crate) fn is_unlimited(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.stop.is_none()
    }

    pub(crate) fn should_stop(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

/// The result of a search so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// The completed depth in plies.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The score for the player to move.
    pub score: Score,
    /// The principal variation. Its first move is the chosen one.
    pub line: Vec<Move>,
}

/// A score for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// An evaluation. A chess pawn is near 100; in general a piece is worth 60 for each square that it can move to on
    /// average.
    Centipawns(i32),
    /// A forced win in this many plies.
    Win(u32),
    /// A forced loss in this many plies.
    Loss(u32),
}
