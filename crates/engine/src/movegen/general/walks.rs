//! Moves on boards that wrap or have links: each piece walks along its slides, and every move is made to decide its
//! legality.
//!
//! There a slide may come back from the other side, two slides may lead to the same square, and a link may turn a slide.
//! Neither the order of squares nor a shift of all pieces says where a slide ends, so the other generators do not apply.

use std::ops::ControlFlow;

use crate::movegen::general::visit::{Coinciding, MoveVisitor, PieceGroup};
use crate::movegen::walker::Walker;
use crate::play::PromotionChoice;
use crate::square::Square;

impl<const W: usize> PieceGroup<'_, W> {
    /// Visits the legal moves of all pieces, except castling.
    pub(crate) fn visit_walks(&self, visitor: &mut impl MoveVisitor<W>) -> ControlFlow<()> {
        for from in self.pieces {
            let found = self.walks_of(from);
            found.distinct().try_for_each(|(played, next)| visitor.tried(played, next))?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the legal moves of one piece.
    fn walks_of(&self, from: Square) -> Coinciding {
        let generator = self.generator;
        let (rules, kind) = (generator.rules, self.kind_on(from));
        let walker = Walker::new(rules, generator.position, generator.player, kind, from);
        let mut found = Coinciding::default();
        for (index, pattern) in (0u8..=u8::MAX).zip(walker.patterns()) {
            let _ = walker.landings(pattern, &mut |to, action| {
                let mut try_move = |choice: Option<PromotionChoice<'_>>| {
                    let next = walker.finish((pattern, action), to, choice, self.legality);
                    let played = self.played(from, to, index, choice.map(PromotionChoice::kind));
                    found.0.extend(next.map(|next| (played, next)));
                };
                match walker.promotion_for(pattern, to) {
                    Some(modifier) => modifier.choices().for_each(|choice| try_move(Some(choice))),
                    None => try_move(None),
                }
                ControlFlow::Continue(())
            });
        }
        found
    }
}
