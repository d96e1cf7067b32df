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
    /// The number of quiet turns before the position, where the rules count them; see [`Rules::is_zeroing`].
    ///
    /// [`Rules::is_zeroing`]: tabiya_engine::Rules::is_zeroing
    pub quiet: u32,
    /// Called with the result of every completed depth: once for each line.
    pub on_info: Option<&'a dyn Fn(&SearchInfo)>,
    /// Returns whether the result is good enough. Asked after every completed depth, once it was reported.
    pub enough: Option<&'a dyn Fn() -> bool>,
    /// The moves to choose from; all if empty. Moves that are not legal are ignored. Only [`Search`](crate::Search) and the
    /// levels obey it.
    pub moves: &'a [Move],
    /// The number of best moves to report; 0 means one. Only [`Search`](crate::Search) reports more than one.
    pub lines: usize,
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { depth, nodes, stop, on_info, earlier, enough, moves, lines, quiet } = self;
        f.debug_struct("Limits")
            .field("depth", depth)
            .field("nodes", nodes)
            .field("stop", &stop.is_some())
            .field("on_info", &on_info.is_some())
            .field("earlier", &earlier.len())
            .field("enough", &enough.is_some())
            .field("moves", moves)
            .field("lines", lines)
            .field("quiet", quiet)
            .finish()
    }
}

impl Limits<'_> {
    pub(crate) const UNLIMITED: Limits<'static> = Limits {
        depth: None,
        nodes: None,
        stop: None,
        earlier: &[],
        quiet: 0,
        on_info: None,
        enough: None,
        moves: &[],
        lines: 1,
    };

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
    /// The greatest distance from the start of the search, in plies.
    pub selective_depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The rank of the line, from 0 for the best one.
    pub rank: usize,
    /// How much of the transposition table this search has filled, in thousandths.
    pub table_permille: u32,
    /// The score for the player to move.
    pub score: Score,
    /// The principal variation. Its first move is the chosen one.
    pub line: Vec<Move>,
}

impl Score {
    /// The centipawns at which a side is expected to score three points of four.
    const THREE_TO_ONE: f64 = 400.0;
    /// How many centipawns a draw is wide.
    const DRAW_WIDTH: f64 = 90.0;

    /// Estimates how often the player to move wins, draws and loses from here, in thousandths. The estimate is the same for
    /// all games.
    pub fn win_draw_loss(self) -> [u32; 3] {
        let score = match self {
            Score::Win(_) => return [1000, 0, 0],
            Score::Loss(_) => return [0, 0, 1000],
            Score::Centipawns(score) => f64::from(score),
        };
        let share = |score: f64| {
            let odds = (-score * 3f64.ln() / Self::THREE_TO_ONE).exp();
            (1000.0 / (1.0 + odds)).round() as u32
        };
        let (won, lost) = (share(score - Self::DRAW_WIDTH), share(-score - Self::DRAW_WIDTH));
        [won, 1000 - won - lost, lost]
    }
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
