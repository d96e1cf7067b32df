//! When two positions are the same for repetition: if the same can still happen in both.
//!
//! The board and the turn always count. That a piece has never moved counts only while some rule that asks for it
//! can still fire: once a king has moved, nobody asks any more whether its rook has. A flag counts only while
//! somebody can use it: an en-passant flag that no legal move uses makes no difference. What cannot be told cheaply
//! counts, so that different positions are never taken for the same.

use crate::blueprint::{Anchor, Condition, MovePlan, Occupancy};
use crate::piece::{Kind, Player};
use crate::position::{Mark, Position};
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// What a position is for repetition: equal if and only if the positions count as the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity(Position);

impl Identity {
    /// A key for tables.
    pub fn key(&self) -> u64 {
        self.0.key()
    }

    /// The position with everything forgotten that makes no difference.
    pub fn position(&self) -> &Position {
        &self.0
    }
}

impl Rules {
    /// The identity for repetition.
    pub fn identity(&self, position: &Position) -> Identity {
        let mut bare = position.clone();
        self.forget_flags(&mut bare);
        let irrelevant: Vec<Square> = bare
            .pieces()
            .filter(|(square, piece)| piece.unmoved && !self.unmoved_counts(&bare, *square))
            .map(|(square, _)| square)
            .collect();
        for square in irrelevant {
            bare.forget_unmoved(square);
        }
        Identity(bare)
    }

    /// Drops the flags that no rule asks for, and those that go with this turn without having been of use.
    fn forget_flags(&self, position: &mut Position) {
        let mut marks: Vec<Mark> = position.marks().to_vec();
        marks.sort_by_key(|mark| (mark.square, self.flag(mark.flag)));
        for mark in marks {
            let mut without = position.clone();
            without.retain_marks(|other| *other != mark);
            let slot = position.slot();
            let last_turn = mark.countdown.is_some_and(|it| it.remaining == 1 && it.slot != slot);
            let useless = !self.is_tested(&mark)
                || last_turn && self.legal_moves(position) == self.legal_moves(&without);
            if useless {
                *position = without;
            }
        }
    }

    fn is_tested(&self, mark: &Mark) -> bool {
        let plans = self.blueprint.kinds.iter().flat_map(|kind| &kind.moves);
        plans.flat_map(conditions).any(|condition| {
            matches!(condition, Condition::CheckState(flag, _) if *flag == mark.flag)
        })
    }

    /// Whether some rule that can still fire asks if the piece on the square has moved.
    fn unmoved_counts(&self, position: &Position, square: Square) -> bool {
        let living = |player: Player| !position.eliminated().contains(player);
        position.pieces().filter(|(_, piece)| living(piece.player)).any(|(source, piece)| {
            self.kind(piece.kind).moves.iter().any(|plan| {
                self.asks_for(position, plan, (source, piece.player, piece.kind), square)
            })
        })
    }

    /// Whether a move of the piece on `source` can still be made and asks if the piece on `square` has moved.
    fn asks_for(
        &self,
        position: &Position,
        plan: &MovePlan,
        (source, player, kind): (Square, Player, Kind),
        square: Square,
    ) -> bool {
        let needs_first_move = plan.conditions.contains(&Condition::FirstMove);
        // A piece that must never have moved is still where it was put; so its offsets point at fixed squares. A
        // kind that promotion can bring anew may yet appear elsewhere.
        let is_fixed = needs_first_move && !self.can_arise(kind);
        if is_fixed && !self.can_still_fire(position, plan, source, player) {
            return false;
        }
        conditions(plan).any(|condition| match condition {
            Condition::FirstMove => source == square,
            Condition::PieceFirstMove(offset) | Condition::RookFirstMove(offset) => {
                !is_fixed || self.offset_square(source, player, *offset) == Some(square)
            }
            Condition::Square(test) if test.unmoved.is_some() => {
                let fits = test.kinds.iter().flatten().any(|kind| position.is_kind(*kind, square));
                (test.kinds.is_none() || fits)
                    && (!is_fixed
                        || test.anchor == Anchor::Target
                        || self.offset_square(source, player, test.offset) == Some(square))
            }
            _ => false,
        })
    }

    /// Whether everything that the move wants never to have moved is still there, or may yet be put there.
    fn can_still_fire(&self, position: &Position, plan: &MovePlan, source: Square, player: Player) -> bool {
        let unmoved_at = |square: Square| position.unmoved(square);
        plan.conditions.iter().all(|condition| match condition {
            Condition::FirstMove => unmoved_at(source),
            Condition::PieceFirstMove(offset) => {
                self.offset_square(source, player, *offset).is_some_and(|square| {
                    unmoved_at(square) || self.may_arise_on(square, None, |_| true)
                })
            }
            Condition::Square(test) if test.unmoved == Some(true) && test.anchor == Anchor::Source => {
                let owner = |other: Player| match test.state {
                    Some(Occupancy::Ally) => other == player,
                    Some(Occupancy::Enemy) => other != player,
                    _ => true,
                };
                let kinds = test.kinds.as_deref();
                self.offset_square(source, player, test.offset).is_some_and(|square| {
                    let stands = position.piece(square).is_some_and(|piece| {
                        piece.unmoved
                            && owner(piece.player)
                            && kinds.is_none_or(|kinds| kinds.contains(&piece.kind))
                    });
                    stands || self.may_arise_on(square, kinds, owner)
                })
            }
            _ => true,
        })
    }

    fn offset_square(&self, source: Square, player: Player, offset: Offset) -> Option<Square> {
        self.board.step(source, self.player(player).orientation.turn(offset))
    }

    /// Whether promotion can bring the kind.
    fn can_arise(&self, kind: Kind) -> bool {
        let plans = self.blueprint.kinds.iter().flat_map(|kind| &kind.moves);
        plans.flat_map(|plan| &plan.modifiers).any(|modifier| modifier.options.contains(&kind))
    }

    /// Whether a promotion of such a player may put a fresh piece of such a kind on the square.
    fn may_arise_on(&self, square: Square, kinds: Option<&[Kind]>, owner: impl Fn(Player) -> bool) -> bool {
        let plans = self.blueprint.kinds.iter().flat_map(|kind| &kind.moves);
        plans.flat_map(|plan| &plan.modifiers).any(|modifier| {
            let right_kind =
                kinds.is_none_or(|kinds| modifier.options.iter().any(|option| kinds.contains(option)));
            right_kind
                && self.players().filter(|player| owner(*player)).any(|player| {
                    modifier.conditions.iter().all(|condition| match condition {
                        Condition::InRegion(region) => self.in_region(*region, player, square),
                        _ => true,
                    })
                })
        })
    }
}

/// The conditions of a move, of its actions and of its promotions.
fn conditions(plan: &MovePlan) -> impl Iterator<Item = &Condition> {
    let actions = plan.actions.iter().flat_map(|action| &action.conditions);
    let modifiers = plan.modifiers.iter().flat_map(|modifier| &modifier.conditions);
    plan.conditions.iter().chain(actions).chain(modifiers)
}
