//! When two positions are the same for repetition: if the same can still happen in both.
//!
//! The board and the turn always count. That a piece has never moved counts only while some rule that asks for it
//! can still fire: once a king has moved, nobody asks any more whether its rook has. A flag counts only while
//! somebody can use it: an en-passant flag that no legal move uses makes no difference. What cannot be told cheaply
//! counts, so that different positions are never taken for the same.

use crate::blueprint::{Anchor, Condition, Effect, ModifierPlan, MovePlan, Occupancy};
use crate::piece::{Kind, Piece, Player};
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
            .filter(|(square, piece)| piece.unmoved && !self.unmoved_counts(&bare, *square, *piece))
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
        plans
            .flat_map(conditions)
            .any(|condition| matches!(condition, Condition::CheckState(flag, _) if *flag == mark.flag))
    }

    /// Whether some rule that can still fire asks if the piece on the square has moved.
    fn unmoved_counts(&self, position: &Position, square: Square, piece: Piece) -> bool {
        let asks = |(from, asker): (Square, Piece)| {
            !position.eliminated().contains(asker.player)
                && self.kind(asker.kind).moves.iter().any(|plan| {
                    (!is_rooted(plan) || self.may_fire(position, from, asker, plan))
                        && (from == square && conditions(plan).any(|it| *it == Condition::FirstMove)
                            || self.looks_at(plan, (from, asker.player), (square, piece)))
                })
        };
        position.pieces().any(asks) || self.promoted_may_ask(piece.kind)
    }

    /// Whether a condition of the move asks about the piece on the square. Of a rooted move the offsets from the
    /// source point at fixed squares; otherwise they may come to point anywhere.
    fn looks_at(
        &self,
        plan: &MovePlan,
        (from, player): (Square, Player),
        (square, piece): (Square, Piece),
    ) -> bool {
        conditions(plan).filter_map(Probe::of).any(|probe| {
            if is_rooted(plan) && probe.from_source {
                self.offset_square(from, player, probe.offset) == Some(square)
                    && probe.fits(piece.player, piece.kind, player)
            } else {
                probe.fits_kind(piece.kind)
            }
        })
    }

    /// Whether a piece that promotion may yet bring, anywhere, could ask about a piece of this kind.
    fn promoted_may_ask(&self, kind: Kind) -> bool {
        let options = self.modifiers().flat_map(|(_, modifier)| &modifier.options);
        options
            .flat_map(|option| &self.kind(*option).moves)
            .any(|plan| conditions(plan).filter_map(Probe::of).any(|probe| probe.fits_kind(kind)))
    }

    /// Whether a rooted move may still be made: the piece has never moved, nor has any that it wants unmoved, unless
    /// a fresh one may yet appear there.
    fn may_fire(&self, position: &Position, from: Square, asker: Piece, plan: &MovePlan) -> bool {
        let needed =
            plan.conditions.iter().filter_map(Probe::of).filter(|it| it.needs_unmoved && it.from_source);
        asker.unmoved
            && needed.into_iter().all(|probe| {
                self.offset_square(from, asker.player, probe.offset).is_some_and(|square| {
                    let stands = position.piece(square).is_some_and(|found| {
                        found.unmoved && probe.fits(found.player, found.kind, asker.player)
                    });
                    stands || self.may_appear(square, asker.player, &probe)
                })
            })
    }

    /// Whether a promotion could put a piece on the square that the probe of this player would fit.
    fn may_appear(&self, square: Square, asker: Player, probe: &Probe<'_>) -> bool {
        self.players().any(|player| {
            self.modifiers().any(|(plan, modifier)| {
                let fits = modifier.options.iter().any(|kind| probe.fits(player, *kind, asker));
                // An effect may carry the piece away from the landing that the conditions speak of.
                fits && (effects(plan).any(|effect| matches!(effect, Effect::Relocate { .. }))
                    || modifier.conditions.iter().all(|condition| match condition {
                        Condition::InRegion(region) => self.in_region(*region, player, square),
                        _ => true,
                    }))
            })
        })
    }

    fn modifiers(&self) -> impl Iterator<Item = (&MovePlan, &ModifierPlan)> {
        let plans = self.blueprint.kinds.iter().flat_map(|kind| &kind.moves);
        plans.flat_map(|plan| plan.modifiers.iter().map(move |modifier| (plan, modifier)))
    }

    fn offset_square(&self, source: Square, player: Player, offset: Offset) -> Option<Square> {
        self.board.step(source, self.player(player).orientation.turn(offset))
    }
}

/// A condition that asks whether the piece at an offset has moved.
struct Probe<'p> {
    offset: Offset,
    from_source: bool,
    /// It fails without an unmoved piece there.
    needs_unmoved: bool,
    state: Option<Occupancy>,
    kinds: Option<&'p [Kind]>,
}

impl<'p> Probe<'p> {
    fn of(condition: &'p Condition) -> Option<Self> {
        let plain = |offset: &Offset, needs_unmoved| Probe {
            offset: *offset,
            from_source: true,
            needs_unmoved,
            state: None,
            kinds: None,
        };
        match condition {
            Condition::PieceFirstMove(offset) => Some(plain(offset, true)),
            Condition::RookFirstMove(offset) => Some(plain(offset, false)),
            Condition::Square(test) => test.unmoved.map(|unmoved| Probe {
                offset: test.offset,
                from_source: test.anchor == Anchor::Source,
                needs_unmoved: unmoved,
                state: test.state,
                kinds: test.kinds.as_deref(),
            }),
            _ => None,
        }
    }

    fn fits_kind(&self, kind: Kind) -> bool {
        self.kinds.is_none_or(|kinds| kinds.contains(&kind))
    }

    /// Whether all else that it names is true of a piece, as the asker sees it.
    fn fits(&self, owner: Player, kind: Kind, asker: Player) -> bool {
        self.fits_kind(kind)
            && match self.state {
                None | Some(Occupancy::NotEmpty) => true,
                Some(Occupancy::Empty) => false,
                Some(Occupancy::Ally) => owner == asker,
                Some(Occupancy::Enemy) => owner != asker,
            }
    }
}

/// Whether only a piece that has never moved can make the move. Such a piece is still where it was put.
fn is_rooted(plan: &MovePlan) -> bool {
    plan.conditions.contains(&Condition::FirstMove)
}

/// The conditions of a move, of its actions and of its promotions.
fn conditions(plan: &MovePlan) -> impl Iterator<Item = &Condition> {
    let actions = plan.actions.iter().flat_map(|action| &action.conditions);
    let modifiers = plan.modifiers.iter().flat_map(|modifier| &modifier.conditions);
    plan.conditions.iter().chain(actions).chain(modifiers)
}

/// The effects of a move and of its actions.
fn effects(plan: &MovePlan) -> impl Iterator<Item = &Effect> {
    plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects))
}
