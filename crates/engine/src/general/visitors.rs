//! Those who are shown legal moves: who counts them, who asks for any, who lists them, who makes them.

use std::ops::ControlFlow;

use crate::general::repertoire::Reach;
use crate::general::set::Set;
use crate::general::visit::{Band, Done, Visitor};
use crate::moves::Move;
use crate::play::Trial;
use crate::position::Position;
use crate::square::Square;

const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

/// Counts without making.
#[derive(Default)]
pub(crate) struct Count {
    pub(crate) moves: u64,
}

impl<const W: usize> Visitor<W> for Count {
    fn reach(&mut self, _: &Band<'_, W>, _: &Reach, _: Square, targets: Set<W>) -> ControlFlow<()> {
        self.moves += u64::from(targets.count());
        GO_ON
    }

    fn deed(&mut self, _: &Band<'_, W>, done: &Done<'_, W>) -> ControlFlow<()> {
        let options = done.modifier.map_or(1, |modifier| modifier.options.len()) as u64;
        self.moves += u64::from(done.landings.count()) * options;
        GO_ON
    }

    fn tried(&mut self, _: Move, _: Position) -> ControlFlow<()> {
        self.moves += 1;
        GO_ON
    }
}

/// Wants to see one, and no more.
pub(crate) struct Any;

impl<const W: usize> Visitor<W> for Any {
    fn reach(&mut self, _: &Band<'_, W>, _: &Reach, _: Square, _: Set<W>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn deed(&mut self, _: &Band<'_, W>, done: &Done<'_, W>) -> ControlFlow<()> {
        if done.modifier.is_some_and(|it| it.options.is_empty()) { GO_ON } else { ControlFlow::Break(()) }
    }

    fn tried(&mut self, _: Move, _: Position) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Writes them down, in any order.
pub(crate) struct List<'m> {
    pub(crate) moves: &'m mut Vec<Move>,
}

impl<const W: usize> Visitor<W> for List<'_> {
    /// Where two plain moves meet, the first in the kind's list counts.
    fn reach(
        &mut self,
        band: &Band<'_, W>,
        reach: &Reach,
        from: Square,
        mut targets: Set<W>,
    ) -> ControlFlow<()> {
        for (pattern, course) in &reach.courses {
            let found = targets & band.course(*course, from);
            targets = targets.without(found);
            let moves = found.into_iter().map(|to| band.played(from, to, *pattern, None));
            self.moves.extend(moves);
        }
        GO_ON
    }

    fn deed(&mut self, band: &Band<'_, W>, done: &Done<'_, W>) -> ControlFlow<()> {
        for to in done.landings {
            let played = band.played(done.source(to), to, done.pattern, None);
            match done.modifier {
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

/// Makes each on a board of its own and shows the position, not yet settled.
pub(crate) struct Each<F> {
    trial: Trial,
    show: F,
}

impl<F: FnMut(&Position)> Each<F> {
    pub(crate) fn new(position: &Position, show: F) -> Self {
        Each { trial: Trial::new(position), show }
    }
}

impl<const W: usize, F: FnMut(&Position)> Visitor<W> for Each<F> {
    fn reach(&mut self, band: &Band<'_, W>, reach: &Reach, from: Square, targets: Set<W>) -> ControlFlow<()> {
        let walker = band.committed(from);
        // All moves of a reach do the same on a square in the same state.
        let Some((pattern, _)) = reach.courses.first() else { return GO_ON };
        let pattern = &band.patterns[usize::from(*pattern)];
        for to in targets {
            if let Some(act) = walker.act_for(pattern, to) {
                (self.show)(walker.make(&mut self.trial, act, to, None));
            }
        }
        GO_ON
    }

    fn deed(&mut self, band: &Band<'_, W>, done: &Done<'_, W>) -> ControlFlow<()> {
        for to in done.landings {
            let walker = band.committed(done.source(to));
            let mut make = |becomes| (self.show)(walker.make(&mut self.trial, done.act, to, becomes));
            match done.modifier {
                Some(modifier) => modifier.choices().for_each(|choice| make(Some(choice))),
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
