//! Which move to try first: cut-offs come early if the best move does.

use tabiya_engine::{Move, Position, Rules};

use crate::worth::Worth;

/// What quiet moves were good for elsewhere in the tree, by side, kind and target.
#[derive(Debug)]
pub(super) struct History {
    kinds: usize,
    squares: usize,
    merits: Vec<i32>,
}

/// Below what any promise is worth, so that quiet moves come last.
const MOST_MERIT: i32 = 1 << 16;

impl History {
    pub(super) fn new(rules: &Rules) -> Self {
        let (kinds, squares) = (rules.kinds().count(), rules.board().len());
        History { kinds, squares, merits: vec![0; 2 * kinds * squares] }
    }

    /// A quiet move was too good for the other side.
    pub(super) fn praise(&mut self, mine: bool, position: &Position, played: Move, depth: i32) {
        if let Some(index) = self.index(mine, position, played) {
            let merit = &mut self.merits[index];
            *merit = (*merit + depth * depth).min(MOST_MERIT);
        }
    }

    fn merit(&self, mine: bool, position: &Position, played: Move) -> i32 {
        self.index(mine, position, played).map_or(0, |index| self.merits[index])
    }

    fn index(&self, mine: bool, position: &Position, played: Move) -> Option<usize> {
        let kind = position.piece_at(played.spot())?.kind.index();
        Some((usize::from(mine) * self.kinds + kind) * self.squares + played.to.index())
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

/// All moves, the best at first sight first.
pub(super) fn ordered(
    rules: &Rules,
    worth: &Worth,
    history: &History,
    position: &Position,
    mine: bool,
    moves: &[Move],
    hint: Option<Move>,
) -> Vec<Promising> {
    let rank = |played: Move, promise: i32| match promise {
        _ if Some(played) == hint => i32::MAX,
        0 => history.merit(mine, position, played),
        promise => by_victim(worth, position, played, promise),
    };
    sorted(moves.iter().map(|played| {
        let promise = worth.promise(rules, position, *played);
        Promising { played: *played, promise, rank: rank(*played, promise) }
    }))
}

/// The moves that promise something, the best first.
pub(super) fn captures(rules: &Rules, worth: &Worth, position: &Position, moves: &[Move]) -> Vec<Promising> {
    sorted(moves.iter().filter_map(|played| {
        let promise = worth.promise(rules, position, *played);
        let rank = by_victim(worth, position, *played, promise);
        (promise > 0).then_some(Promising { played: *played, promise, rank })
    }))
}

/// The most valuable victim first, and among takers of the same victim the cheapest first.
fn by_victim(worth: &Worth, position: &Position, played: Move, promise: i32) -> i32 {
    let taker = position.piece_at(played.spot()).map_or(0, |piece| worth.kind(piece.kind));
    if promise > 0 { MOST_MERIT + 16 * promise - taker / 16 } else { promise }
}

fn sorted(moves: impl Iterator<Item = Promising>) -> Vec<Promising> {
    let mut moves: Vec<Promising> = moves.collect();
    // Stable: of equals, the first in the list of the rules comes first, on every machine.
    moves.sort_by_key(|it| std::cmp::Reverse(it.rank));
    moves
}
