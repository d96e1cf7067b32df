//! How long a player may think, and what it tells of its thoughts. Time comes in as a question: there is no clock in this
//! room, so that the same seed gives the same game.

use std::fmt;

use tabiya_engine::Move;

/// What bounds a player's thoughts. The first limit that is reached ends them. Without any, the player decides by
/// itself, and its effort is bounded.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// Look so many moves ahead; at least one.
    pub depth: Option<u32>,
    /// Look at so many positions.
    pub nodes: Option<u64>,
    /// Whether it is time to stop. Asked often; each answer is taken to cost next to nothing.
    pub stop: Option<&'a dyn Fn() -> bool>,
    /// The keys of earlier positions of the game, oldest first: one that comes again may be a draw.
    pub earlier: &'a [u64],
    /// Told what a player thinks, whenever it has thought it through to some depth.
    pub watch: Option<&'a dyn Fn(&Thought)>,
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { depth, nodes, stop, watch, earlier } = self;
        f.debug_struct("Limits")
            .field("depth", depth)
            .field("nodes", nodes)
            .field("stop", &stop.is_some())
            .field("watch", &watch.is_some())
            .field("earlier", &earlier.len())
            .finish()
    }
}

impl Limits<'_> {
    /// No limits.
    pub(crate) const OPEN: Limits<'static> =
        Limits { depth: None, nodes: None, stop: None, earlier: &[], watch: None };

    /// Whether nothing is limited.
    pub(crate) fn are_open(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.stop.is_none()
    }

    /// Whether it is time to stop.
    pub(crate) fn say_stop(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

/// What a player thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// So many moves ahead.
    pub depth: u32,
    /// After looking at so many positions.
    pub nodes: u64,
    /// How the player to move stands.
    pub score: Score,
    /// How the game should go on; its first move is the choice.
    pub line: Vec<Move>,
}

/// How a player stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Better or worse, if positive or negative. A piece counts 60 for each square that it can go to, in the mean; a
    /// pawn of chess is near 100.
    Standing(i32),
    /// It wins, after so many moves of all players.
    Win(u32),
    /// It loses, after so many moves of all players.
    Loss(u32),
}
