//! All legal moves of a position, and the questions that follow from them.

use std::ops::ControlFlow;

use crate::landing::Walker;
use crate::moves::Move;
use crate::outcome::{Outcome, Termination};
use crate::path::Path;
use crate::piece::{Kind, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// All legal moves, in order of source, then of the piece's list of moves, then of distance.
    pub fn legal_moves(&self, position: &Position) -> Vec<Move> {
        let fast = self.fast.as_ref().and_then(|fast| fast.legal_moves(self, position));
        fast.unwrap_or_else(|| self.legal_moves_on(Path::General, position).expect("every position takes it"))
    }

    /// All legal moves as one path finds them, in the same order; `None` if the position does not take that path.
    pub fn legal_moves_on(&self, path: Path, position: &Position) -> Option<Vec<Move>> {
        match path {
            Path::General => Some(self.general_moves(position)),
            Path::Scalar => self.fast.as_ref()?.legal_moves(self, position),
            Path::Vector | Path::Batch => None,
        }
    }

    fn general_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        let _ = self.visit_legal(position, &mut |played, _| {
            moves.push(played);
            ControlFlow::Continue(())
        });
        moves.sort_by_key(|played| played.from);
        moves
    }

    /// Whether the player to move has a legal move.
    pub(crate) fn can_move(&self, position: &Position) -> bool {
        self.visit_legal(position, &mut |_, _| ControlFlow::Break(())).is_break()
    }

    /// How the game ended, if it has.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        let alive = self.alive(position);
        if let Some(reason) = position.ended() {
            return Some(Outcome { winners: alive, reason });
        }
        if self.can_move(position) {
            return None;
        }
        let player = self.mover(position);
        let reason = self.reason_for_no_move(position, player);
        let winners = match reason {
            Termination::Checkmate => alive.without([player].into_iter().collect()),
            _ => PlayerSet::EMPTY,
        };
        Some(Outcome { winners, reason })
    }

    /// Visits every legal move with the position it leads to (not yet settled), piece by piece.
    pub(crate) fn visit_legal(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Move, &Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if position.ended().is_some() {
            return ControlFlow::Continue(());
        }
        let player = self.mover(position);
        for kind in self.kinds() {
            for source in position.army(player, kind) {
                let walker = Walker::new(self, position, player, kind, source, true);
                if self.traits[kind.index()].overlaps {
                    walker.visit_merged(visit)?;
                } else {
                    walker.visit_moves(&mut |played, next| visit(played, &next))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Walker<'_> {
    /// Every legal move of the piece with the position it leads to.
    fn visit_moves(&self, visit: &mut impl FnMut(Move, Position) -> ControlFlow<()>) -> ControlFlow<()> {
        for (index, pattern) in self.patterns().iter().enumerate() {
            self.landings(pattern, &mut |to, act| {
                let mut offer = |to: Square, promotion: Option<Kind>| match self.finish(act, to, promotion) {
                    Some(next) => {
                        let played = Move { from: self.source, to, pattern: index as u16, promotion };
                        visit(played, next)
                    }
                    None => ControlFlow::Continue(()),
                };
                match self.promotion(pattern, to) {
                    Some(options) => options.iter().try_for_each(|kind| offer(to, Some(*kind))),
                    None => offer(to, None),
                }
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Two moves of a piece with the same source, target and promotion are one if they lead to the same position.
    fn visit_merged(&self, visit: &mut dyn FnMut(Move, &Position) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut found: Vec<(Move, Position)> = Vec::new();
        let _ = self.visit_moves(&mut |played, next| {
            let same = |(other, position): &(Move, Position)| {
                (other.to, other.promotion) == (played.to, played.promotion) && *position == next
            };
            if !found.iter().any(same) {
                found.push((played, next));
            }
            ControlFlow::Continue(())
        });
        found.iter().try_for_each(|(played, next)| visit(*played, next))
    }
}
