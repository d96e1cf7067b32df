//! Visitors of legal moves: they count them, stop at the first, list them or make them.

use std::ops::ControlFlow;

use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::drops::DropBatch;
use crate::movegen::general::generator::Generator;
use crate::movegen::general::kind_moves::PlainMoves;
use crate::movegen::general::visit::{MoveBatch, MoveVisitor, PieceGroup};
use crate::moves::Move;
use crate::play::Trial;
use crate::position::Position;
use crate::square::Square;

const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

/// Counts moves without making them.
#[derive(Default)]
pub(crate) struct CountMoves {
    pub(crate) moves: u64,
}

impl<const W: usize> MoveVisitor<W> for CountMoves {
    fn plain(
        &mut self,
        _: &PieceGroup<'_, W>,
        _: &PlainMoves,
        _: Square,
        targets: Bitboard<W>,
    ) -> ControlFlow<()> {
        self.moves += u64::from(targets.count());
        GO_ON
    }

    fn guarded(&mut self, _: &PieceGroup<'_, W>, batch: &MoveBatch<'_, W>) -> ControlFlow<()> {
        let options = batch.modifier.map_or(1, |modifier| modifier.options.len()) as u64;
        self.moves += u64::from(batch.landings.count()) * options;
        GO_ON
    }

    fn drops(&mut self, _: &Generator<'_, W>, batch: &DropBatch<'_, W>) -> ControlFlow<()> {
        let options = batch.modifier.map_or(1, |modifier| modifier.options.len()) as u64;
        self.moves += u64::from(batch.landings.count()) * options;
        GO_ON
    }

    fn tried(&mut self, _: Move, _: Position) -> ControlFlow<()> {
        self.moves += 1;
        GO_ON
    }
}

/// Stops at the first move.
pub(crate) struct AnyMove;

impl<const W: usize> MoveVisitor<W> for AnyMove {
    fn plain(&mut self, _: &PieceGroup<'_, W>, _: &PlainMoves, _: Square, _: Bitboard<W>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn guarded(&mut self, _: &PieceGroup<'_, W>, batch: &MoveBatch<'_, W>) -> ControlFlow<()> {
        if batch.modifier.is_some_and(|it| it.options.is_empty()) { GO_ON } else { ControlFlow::Break(()) }
    }

    fn drops(&mut self, _: &Generator<'_, W>, batch: &DropBatch<'_, W>) -> ControlFlow<()> {
        if batch.modifier.is_some_and(|it| it.options.is_empty()) { GO_ON } else { ControlFlow::Break(()) }
    }

    fn tried(&mut self, _: Move, _: Position) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Lists moves in an unspecified order.
pub(crate) struct ListMoves<'m> {
    pub(crate) moves: &'m mut Vec<Move>,
}

impl<const W: usize> MoveVisitor<W> for ListMoves<'_> {
    /// If two plain moves coincide, the first in the kind's list counts.
    fn plain(
        &mut self,
        group: &PieceGroup<'_, W>,
        plain: &PlainMoves,
        from: Square,
        mut targets: Bitboard<W>,
    ) -> ControlFlow<()> {
        for (pattern, plain_move) in &plain.moves {
            let found = targets & group.targets_of(*plain_move, from);
            targets = targets.without(found);
            let moves = found.into_iter().map(|to| group.played(from, to, *pattern, None));
            self.moves.extend(moves);
        }
        GO_ON
    }

    fn guarded(&mut self, group: &PieceGroup<'_, W>, batch: &MoveBatch<'_, W>) -> ControlFlow<()> {
        for to in batch.landings {
            let played = group.played(batch.source(to), to, batch.pattern, None);
            match batch.modifier {
                Some(modifier) => {
                    let each = modifier.options.iter().map(|kind| Move { promotion: Some(*kind), ..played });
                    self.moves.extend(each);
                }
                None => self.moves.push(played),
            }
        }
        GO_ON
    }

    fn drops(&mut self, _: &Generator<'_, W>, batch: &DropBatch<'_, W>) -> ControlFlow<()> {
        for to in batch.landings {
            let played = Move::drop(batch.kind, to, batch.pattern);
            match batch.modifier {
                Some(modifier) => {
                    let each = modifier.options.iter().map(|kind| Move { promotion: Some(*kind), ..played });
                    self.moves.extend(each);
                }
                None => self.moves.push(played),
            }
        }
        GO_ON
    }

    fn tried(&mut self, played: Move, _: Position) -> ControlFlow<()> {
        self.moves.push(played);
        GO_ON
    }
}

/// Makes each move and calls `show` with the position, before the next turn is settled.
pub(crate) struct MakeMoves<F> {
    trial: Trial,
    show: F,
}

impl<F: FnMut(&Position)> MakeMoves<F> {
    pub(crate) fn new(position: &Position, show: F) -> Self {
        MakeMoves { trial: Trial::new(position), show }
    }
}

impl<const W: usize, F: FnMut(&Position)> MoveVisitor<W> for MakeMoves<F> {
    fn plain(
        &mut self,
        group: &PieceGroup<'_, W>,
        plain: &PlainMoves,
        from: Square,
        targets: Bitboard<W>,
    ) -> ControlFlow<()> {
        let walker = group.walker_on(from);
        // All plain moves of a group have the same action on a square in the same state.
        let Some((pattern, _)) = plain.moves.first() else { return GO_ON };
        let pattern = &group.patterns[usize::from(*pattern)];
        for to in targets {
            if let Some(action) = walker.action_for(pattern, to) {
                (self.show)(walker.make(&mut self.trial, (pattern, action), to, None));
            }
        }
        GO_ON
    }

    fn guarded(&mut self, group: &PieceGroup<'_, W>, batch: &MoveBatch<'_, W>) -> ControlFlow<()> {
        for to in batch.landings {
            let walker = group.walker_on(batch.source(to));
            let by = (&group.patterns[usize::from(batch.pattern)], batch.action);
            let mut make = |becomes| (self.show)(walker.make(&mut self.trial, by, to, becomes));
            match batch.modifier {
                Some(modifier) => modifier.choices().for_each(|choice| make(Some(choice))),
                None => make(None),
            }
        }
        GO_ON
    }

    fn drops(&mut self, generator: &Generator<'_, W>, batch: &DropBatch<'_, W>) -> ControlFlow<()> {
        let pattern = &generator.rules.drops[generator.player.index()][usize::from(batch.pattern)];
        for to in batch.landings {
            let walker = generator.dropper(batch.kind, to);
            let mut make = |becomes| (self.show)(walker.make_drop(&mut self.trial, pattern, to, becomes));
            match batch.modifier {
                Some(modifier) => modifier.options.iter().for_each(|kind| make(Some(*kind))),
                None => make(None),
            }
        }
        GO_ON
    }

    fn tried(&mut self, _: Move, next: Position) -> ControlFlow<()> {
        (self.show)(&next);
        GO_ON
    }
}
