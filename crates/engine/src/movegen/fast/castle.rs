//! Castling: guarded moves of the leader that take another piece along, as masks by source square.

use crate::blueprint::{Anchor, CastlePlan, Condition, Effect, MovePlan, Occupancy};
use crate::movegen::castling::Castling;
use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::checks::Masks;
use crate::movegen::fast::side::SideCompiler;
use crate::movegen::fast::state::{Column, State, UNMOVED};
use crate::movegen::fast::tables::{is_facing, is_leap};
use crate::piece::Kind;
use crate::square::{Offset, Square};

/// A castling move from one square.
pub(crate) struct Castle<B> {
    pub(crate) pattern: u8,
    pub(crate) target: usize,
    /// Squares that must be unmoved, empty, and not attacked.
    pub(crate) unmoved: B,
    pub(crate) empty: B,
    pub(crate) safe: B,
    /// Own pieces of a kind that must stand on a square.
    pub(crate) partners: Vec<Partner>,
    /// The relocated piece: source and target.
    pub(crate) moved: (usize, usize),
    /// Whether the move must be tried, for example because it may open a line to the leader.
    pub(crate) needs_trial: bool,
}

/// A piece of exactly one kind. Planes alone are not enough: a queen also stands in the plane of rooks.
#[derive(Clone)]
pub(crate) struct Partner {
    pub(crate) kind: usize,
    pub(crate) square: usize,
    pub(crate) column: Column,
}

impl<B: Bits> Castle<B> {
    /// Returns whether the pieces are in place and the squares between them are empty.
    #[inline(always)]
    pub(crate) fn is_free<const P: usize>(&self, state: &State<B, P>, masks: &Masks<B>) -> bool {
        let missing = (self.unmoved & !state.planes[UNMOVED]) | (self.empty & masks.occupied);
        missing.is_empty() && self.has_partners(state)
    }

    /// Returns whether all partners are in place. Rarely needed, so not inlined.
    #[inline(never)]
    pub(crate) fn has_partners<const P: usize>(&self, state: &State<B, P>) -> bool {
        self.partners.iter().all(|partner| partner.stands(state, state.own()))
    }
}

impl Partner {
    /// Returns whether one of these pieces is the partner.
    pub(crate) fn stands<B: Bits, const P: usize>(&self, state: &State<B, P>, pieces: B) -> bool {
        !(pieces & B::bit(self.square)).is_empty() && state.column(self.square) == self.column
    }
}

impl SideCompiler<'_> {
    /// Returns the castling moves by square of the leader, or `None` if the leader has a move of another form.
    pub(super) fn castles<B: Bits>(&self) -> Option<Box<[Vec<Castle<B>>]>> {
        let board = self.rules.board();
        let mut castles: Box<[Vec<Castle<B>>]> = (0..board.len()).map(|_| Vec::new()).collect();
        let Some(castler) = self.castler() else { return Some(castles) };
        let kind = &self.rules.blueprint().kinds[castler];
        let plans = &kind.moves;
        for (index, plan) in kind.castles.iter().enumerate() {
            self.add_castles(castler, plan, (plans.len() + index) as u8, &mut castles)?;
        }
        if self.leader.is_none() {
            return Some(castles);
        }
        let is_other = |plan: &MovePlan| !is_leap(plan) && !is_facing(self.rules, plan);
        for (index, plan) in plans.iter().enumerate().filter(|(_, it)| is_other(it)) {
            if self.is_fixed_leap(plan) {
                continue;
            }
            for source in board.squares() {
                castles[source.index()].extend(self.castle(plan, source, index as u8)?);
            }
        }
        Some(castles)
    }

    /// Returns the kind that castles: the leader, or another one in a game without leaders.
    pub(super) fn castler(&self) -> Option<usize> {
        let castling = |kind: &Kind| !self.rules.kind(*kind).castles.is_empty();
        self.leader.or_else(|| self.rules.kinds().find(castling).map(Kind::index))
    }

    /// Adds a castling move for every pair of squares on which leader and partner can be unmoved. Positions with other
    /// pairs are not supported. Returns `None` if there is a move of another form.
    fn add_castles<B: Bits>(
        &self,
        castler: usize,
        plan: &CastlePlan,
        pattern: u8,
        castles: &mut [Vec<Castle<B>>],
    ) -> Option<()> {
        let (board, is_led) = (self.rules.board(), self.leader.is_some());
        let Some(targets) = plan.targets[self.player.index()] else { return Some(()) };
        for source in self.rules.unmoved_squares(self.player, Kind(castler as u8)) {
            let Some(side) = plan.side(board, source, targets) else { continue };
            for kind in plan.partners.iter().filter(|kind| self.atoms.columns[kind.index()] != 0) {
                if kind.index() == castler {
                    return None;
                }
                let column = self.atoms.columns[kind.index()];
                let stands = self.rules.unmoved_squares(self.player, *kind);
                let beside = std::iter::successors(board.step(source, side), |at| board.step(*at, side));
                for partner in beside.filter(|square| stands.contains(square)) {
                    let way = Castling { from: source, to: targets.0, partner, partner_to: targets.1 };
                    let empty: Vec<Square> = way.empty_squares(board).collect();
                    if !empty.iter().all(|square| board.has(*square)) {
                        continue;
                    }
                    let set = |squares: &mut dyn Iterator<Item = Square>| {
                        squares.fold(B::ZERO, |set, square| set | B::bit(square.index()))
                    };
                    castles[source.index()].push(Castle {
                        pattern,
                        target: way.to.index(),
                        unmoved: B::bit(source.index()) | B::bit(partner.index()),
                        empty: set(&mut empty.into_iter()),
                        safe: if is_led { set(&mut way.safe_squares(board)) } else { B::ZERO },
                        partners: vec![Partner { kind: kind.index(), square: partner.index(), column }],
                        moved: (partner.index(), way.partner_to.index()),
                        needs_trial: is_led && self.opens_line(way.to, partner),
                    });
                }
            }
        }
        Some(())
    }

    /// Returns the castling move from one square. The outer `None` means that the move has an unknown form, the inner
    /// one that it is not possible from the square.
    #[allow(clippy::option_option, reason = "the two levels have different meanings")]
    fn castle<B: Bits>(&self, plan: &MovePlan, source: Square, pattern: u8) -> Option<Option<Castle<B>>> {
        let [action] = plan.actions.as_slice() else { return None };
        let plain =
            action.on == Occupancy::Empty && action.conditions.is_empty() && plan.modifiers.is_empty();
        if !plain || plan.repeat.max != Some(1) {
            return None;
        }
        let board = self.rules.board();
        let at = |offset: Offset| board.step(source, self.turn(offset)).map(Square::index);
        let (unit, units) = plan.step.unit();
        let path = |units: std::ops::RangeInclusive<i32>| -> Option<B> {
            units
                .map(|it| at(Offset::new(unit.dx * it, unit.dy * it)))
                .try_fold(B::ZERO, |set, square| Some(set | B::bit(square?)))
        };
        let whole = path(0..=units as i32);
        let (Some(target), Some(whole)) = (at(plan.step), whole) else { return Some(None) };
        let mut castle = Castle {
            pattern,
            target,
            unmoved: B::ZERO,
            empty: B::bit(target),
            safe: B::ZERO,
            partners: Vec::new(),
            moved: (0, 0),
            needs_trial: false,
        };
        for condition in &plan.conditions {
            match condition {
                Condition::FirstMove => castle.unmoved |= B::bit(source.index()),
                Condition::PathEmpty => castle.empty |= whole & !B::bit(source.index()),
                Condition::NotAttacked => castle.safe |= B::bit(target),
                Condition::PathNotAttacked => castle.safe |= whole,
                Condition::Square(test) if test.anchor == Anchor::Source => {
                    let Some(square) = at(test.offset) else { return Some(None) };
                    match (test.state, test.kinds.as_deref(), test.unmoved) {
                        (Some(Occupancy::Empty), None, None) => castle.empty |= B::bit(square),
                        (Some(Occupancy::Ally), Some([kind]), unmoved) if unmoved != Some(false) => {
                            // A kind that cannot occur never stands there.
                            if self.atoms.columns[kind.index()] == 0 {
                                return Some(None);
                            }
                            let (kind, column) = (kind.index(), self.atoms.columns[kind.index()]);
                            castle.partners.push(Partner { kind, square, column });
                            if unmoved.is_some() {
                                castle.unmoved |= B::bit(square);
                            }
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        let effects: Vec<&Effect> = plan.effects.iter().chain(&action.effects).collect();
        let [Effect::Relocate { kind: Some(kind), from, to }] = effects.as_slice() else { return None };
        let (Some(from), Some(to)) = (at(*from), at(*to)) else { return Some(None) };
        // The piece must certainly stand there, and its target must certainly be empty.
        let stands = castle.partners.iter().any(|it| it.kind == kind.index() && it.square == from);
        let is_free = !(B::bit(to) & castle.empty).is_empty() && to != target || to == source.index();
        if !stands || !is_free || Some(kind.index()) == self.leader {
            return None;
        }
        castle.moved = (from, to);
        // If the rules do not require safety, the relocated piece may provide it; only a trial decides.
        castle.needs_trial = self.opens_line(Square(target as u16), Square(from as u16))
            || (castle.safe & B::bit(target)).is_empty();
        Some(Some(castle))
    }

    /// Returns whether a line of a slide runs from the target through the square and beyond.
    fn opens_line(&self, target: Square, square: Square) -> bool {
        let board = self.rules.board();
        self.directions.iter().any(|step| {
            let mut at = target;
            while let Some(next) = board.step(at, *step) {
                at = next;
                if at == square {
                    return board.step(at, *step).is_some();
                }
            }
            false
        })
    }
}
