//! Which move to try first: cut-offs come early if the best move does.

use tabiya_engine::Move;

use crate::worth::{Board, Worth};

/// What quiet moves were good for elsewhere in the tree, by side, piece and target; and the last two that were too good at
/// each distance from the root.
#[derive(Debug)]
pub(super) struct History {
    pieces: usize,
    squares: usize,
    merits: Vec<i32>,
    killers: Vec<[Option<Move>; 2]>,
}

/// No merit is greater.
const MOST_MERIT: i32 = 1 << 14;

/// Ranks: the hint, then good captures, killers, quiet moves, bad captures.
const HINT: i32 = i32::MAX;
const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD: i32 = -(1 << 24);

impl History {
    pub(super) fn new(worth: &Worth, longest: usize) -> Self {
        let (pieces, squares) = (worth.pieces(), worth.squares());
        History {
            pieces,
            squares,
            merits: vec![0; (pieces + 1) * squares],
            killers: vec![[None; 2]; longest],
        }
    }

    /// A quiet move was too good for the other side; those before it were not.
    pub(super) fn praise(&mut self, board: &Board, played: Move, ply: usize, depth: i32, before: &[Move]) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(played) {
            *killers = [Some(played), killers[0]];
        }
        let bonus = (depth * depth * 4).min(MOST_MERIT / 4);
        self.shift(board, played, bonus);
        for other in before {
            self.shift(board, *other, -bonus);
        }
    }

    /// The nearer to the limit, the smaller the step.
    fn shift(&mut self, board: &Board, played: Move, bonus: i32) {
        let index = self.index(board, played);
        let merit = &mut self.merits[index];
        *merit += bonus - *merit * bonus.abs() / MOST_MERIT;
    }

    pub(super) fn merit(&self, board: &Board, played: Move) -> i32 {
        self.merits[self.index(board, played)]
    }

    fn index(&self, board: &Board, played: Move) -> usize {
        debug_assert!(board.man(played) <= self.pieces);
        board.man(played) * self.squares + played.to.index()
    }
}

/// A move, and what it promises at first sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promising {
    pub(super) played: Move,
    /// 0 of a quiet move.
    pub(super) promise: i32,
    rank: i32,
}

/// Moves that come out the best first.
pub(super) struct Ordered {
    moves: Vec<Promising>,
    next: usize,
}

impl Ordered {
    /// All moves. `is_bad` tells of a capture whether it loses more than it takes.
    pub(super) fn all(
        worth: &Worth,
        history: &History,
        board: &Board,
        ply: usize,
        moves: &[Move],
        hint: Option<Move>,
        is_bad: impl Fn(Move, i32) -> bool,
    ) -> Self {
        let killers = history.killers[ply];
        let rank = |played: Move, promise: i32| {
            if Some(played) == hint {
                HINT
            } else if promise > 0 {
                let taken = 16 * promise.min(1 << 19) - worth.man(board.man(played)) / 16;
                taken + if is_bad(played, promise) { BAD } else { CAPTURE }
            } else if promise < 0 {
                BAD + promise.max(BAD / 2)
            } else if killers.contains(&Some(played)) {
                KILLER
            } else {
                history.merit(board, played)
            }
        };
        let promising = moves.iter().map(|played| {
            let promise = worth.promise(board, *played);
            Promising { played: *played, promise, rank: rank(*played, promise) }
        });
        Ordered { moves: promising.collect(), next: 0 }
    }

    /// The moves that promise something and are not bad.
    pub(super) fn captures(worth: &Worth, board: &Board, moves: &[Move]) -> Self {
        let promising = moves.iter().filter_map(|played| {
            let promise = worth.promise(board, *played);
            let rank = 16 * promise.min(1 << 19) - worth.man(board.man(*played)) / 16;
            (promise > 0).then_some(Promising { played: *played, promise, rank })
        });
        Ordered { moves: promising.collect(), next: 0 }
    }
}

impl Iterator for Ordered {
    type Item = Promising;

    /// Most nodes need few moves, so they are not all sorted. Of equals, the lesser comes first: the order in which
    /// moves are found is not the same on every machine.
    fn next(&mut self) -> Option<Promising> {
        let rest = self.moves.get_mut(self.next..).filter(|rest| !rest.is_empty())?;
        let mut best = 0;
        for (index, it) in rest.iter().enumerate() {
            let first = &rest[best];
            if it.rank > first.rank || it.rank == first.rank && it.played < first.played {
                best = index;
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
    }
}
