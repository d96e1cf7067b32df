//! Enumerates all legal moves of a position, kind by kind: as bitboards where possible, one by one where a move must
//! be made to decide its legality.

use std::ops::ControlFlow;

use crate::blueprint::mechanics::{Exposure, Leadership};
use crate::blueprint::{CastlePlan, Occupancy};
use crate::compile::pattern::{Action, Modifier, Pattern};
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::drops::DropBatch;
use crate::movegen::general::generator::Generator;
use crate::movegen::general::kind_moves::{KindMoves, PlainMoves};
use crate::movegen::general::visitors::AnyMove;
use crate::movegen::walker::Walker;
use crate::moves::Move;
use crate::piece::Kind;
use crate::play::results::{Legality, MoveClass, Results};
use crate::position::Position;
use crate::square::Square;

/// A visitor of legal moves. Each is visited once; `Break` stops.
pub(crate) trait MoveVisitor<const W: usize> {
    /// Visits plain moves of one piece.
    fn plain(
        &mut self,
        group: &PieceGroup<'_, W>,
        plain: &PlainMoves,
        from: Square,
        targets: Bitboard<W>,
    ) -> ControlFlow<()>;

    /// Visits guarded moves of several pieces.
    fn guarded(&mut self, group: &PieceGroup<'_, W>, batch: &MoveBatch<'_, W>) -> ControlFlow<()>;

    /// Visits drops of one kind.
    fn drops(&mut self, generator: &Generator<'_, W>, batch: &DropBatch<'_, W>) -> ControlFlow<()>;

    /// Visits a move that was made to decide its legality, with the resulting position.
    fn tried(&mut self, played: Move, next: Position) -> ControlFlow<()>;
}

/// Pieces of one kind, or of several kinds that move alike.
pub(crate) struct PieceGroup<'a, const W: usize> {
    pub(crate) generator: &'a Generator<'a, W>,
    pub(crate) kind: Kind,
    /// The other kinds, if there are several. Then no piece is a guest.
    pub(crate) merged: &'a [Kind],
    pub(crate) pieces: Bitboard<W>,
    pub(crate) patterns: &'a [Pattern],
    pub(crate) is_leader: bool,
    /// What decides whether a move is legal.
    pub(crate) legality: Legality<'a>,
    /// The only piece, if its moves depend on each other.
    walker: Option<&'a Walker<'a>>,
}

/// Landings of several pieces after the same number of steps.
pub(crate) struct MoveBatch<'a, const W: usize> {
    pub(crate) pattern: u8,
    pub(crate) action: &'a Action,
    pub(crate) landings: Bitboard<W>,
    /// The difference from source to landing index.
    pub(crate) by: i32,
    /// The promotion, if the pieces must promote.
    pub(crate) modifier: Option<&'a Modifier>,
}

impl<const W: usize> MoveBatch<'_, W> {
    /// Returns the source of a landing.
    pub(crate) fn source(&self, landing: Square) -> Square {
        Square((i32::from(landing.0) - self.by) as u16)
    }
}

impl<const W: usize> Generator<'_, W> {
    /// Visits every legal move.
    pub(crate) fn visit(&self, visitor: &mut impl MoveVisitor<W>) -> ControlFlow<()> {
        if self.position.ended().is_some() {
            return ControlFlow::Continue(());
        }
        // The safety of leaders is judged when a turn of several parts is complete.
        let exposure = if self.rules.has_parts { Exposure::Allowed } else { Exposure::Illegal };
        let legality = Legality::tested(exposure);
        if self.rules.priority.is_empty() {
            return self.visit_class(legality, visitor);
        }
        for class in &self.rules.priority[self.player.index()] {
            let is_captures = class.is_captures;
            let class = if is_captures { MoveClass::Captures } else { MoveClass::Meeting(&class.tests) };
            let legality = Legality { class, ..legality };
            if self.visit_class(legality, &mut AnyMove).is_break() {
                return self.visit_class(legality, visitor);
            }
        }
        self.visit_class(legality, visitor)
    }

    /// Returns whether there is a legal move, if conditions that look ahead count as met.
    pub(crate) fn can_move_disregarding_results(&self) -> bool {
        let legality =
            Legality { results: Results::TestedExceptAhead, ..Legality::tested(Exposure::Illegal) };
        self.position.ended().is_none() && self.visit_class(legality, &mut AnyMove).is_break()
    }

    /// Visits every legal move of a class. The exposure is that of the game.
    fn visit_class(&self, legality: Legality<'_>, visitor: &mut impl MoveVisitor<W>) -> ControlFlow<()> {
        if self.rules.is_plain || self.rules.mechanics().leadership == Leadership::default() {
            return self.visit_by(legality, false, visitor);
        }
        self.visit_with_leadership(legality, visitor)
    }

    /// Visits every legal move in a game with rules for attacked leaders. Whether a leader must move, and whether there is
    /// a safe move, does not depend on the class.
    fn visit_with_leadership(
        &self,
        legality: Legality<'_>,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        let leadership = self.rules.mechanics().leadership;
        let is_attacked = self.is_in_check();
        let exposure = match leadership.exposure {
            Exposure::AllowedInCheck if is_attacked => Exposure::Allowed,
            exposure => exposure,
        };
        let (legality, any) =
            (Legality { exposure, ..legality }, Legality { class: MoveClass::All, ..legality });
        if is_attacked {
            let must_move = leadership.must_move
                && self.visit_by(Legality { exposure, ..any }, true, &mut AnyMove).is_break();
            return self.visit_by(legality, must_move, visitor);
        }
        if leadership.needs_safe_move
            && self.own.meets(self.planes.kinds(self.rules.leaders_of(self.player)))
            && !self.has_plain_safe_move()
            && self
                .visit_by(Legality { exposure: Exposure::Illegal, ..any }, false, &mut AnyMove)
                .is_continue()
        {
            return ControlFlow::Continue(());
        }
        self.visit_by(legality, false, visitor)
    }

    /// Visits the moves of all pieces, or of leaders only.
    fn visit_by(
        &self,
        legality: Legality<'_>,
        leaders_only: bool,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        for kind_moves in self.tables.kind_moves(self.player) {
            let is_leader = kind_moves.is_leader;
            if leaders_only && !is_leader {
                continue;
            }
            let (mut pieces, mut merged) = (self.pieces_of(kind_moves.kind), &*kind_moves.merged);
            if !merged.is_empty() {
                if self.has_guests_like(kind_moves) {
                    for kind in std::mem::take(&mut merged) {
                        self.group(*kind, self.pieces_of(*kind), legality).visit(kind_moves, visitor)?;
                    }
                }
                pieces |= self.own & self.planes.kinds(merged);
            }
            if !pieces.is_empty() {
                let group = PieceGroup { merged, is_leader, ..self.group(kind_moves.kind, pieces, legality) };
                group.visit(kind_moves, visitor)?;
            }
        }
        if !self.rules.is_plain && !leaders_only && self.rules.mechanics().hands.is_some() {
            return self.visit_drops(legality, visitor);
        }
        ControlFlow::Continue(())
    }

    /// Returns whether some of the pieces are guests. Only the kind determines where guests stand.
    fn has_guests_like(&self, kind_moves: &KindMoves) -> bool {
        let like = |kinds: &[Kind]| self.own_guests.meets(self.planes.all_guests(kinds));
        self.has_own_guests && (like(&[kind_moves.kind]) || like(&kind_moves.merged))
    }

    /// Returns the group of pieces of one kind that is not the leader's.
    #[inline]
    fn group<'g>(&'g self, kind: Kind, pieces: Bitboard<W>, legality: Legality<'g>) -> PieceGroup<'g, W> {
        let patterns = &self.rules.patterns[self.player.index()][kind.index()];
        PieceGroup {
            generator: self,
            kind,
            merged: &[],
            pieces,
            patterns,
            is_leader: false,
            legality,
            walker: None,
        }
    }

    /// Returns whether a leader is attacked.
    fn is_in_check(&self) -> bool {
        if self.is_checked_by_all {
            return self.rules.in_check(self.position, self.player);
        }
        let guardedly = || self.leaders.into_iter().any(|leader| self.attack_info.is_attacked(leader));
        // A plain attack restricts the evasions.
        self.check_info.evasions != Bitboard::FULL || self.attack_info.has_guarded() && guardedly()
    }

    /// Returns whether a move that leaves no leader attacked is found quickly: a plain move of an unpinned piece to
    /// an empty square. A negative answer proves nothing.
    fn has_plain_safe_move(&self) -> bool {
        let figures = &self.rules.mechanics().figures;
        let check_info = &self.check_info;
        if check_info.evasions != Bitboard::FULL
            || !check_info.sensitive.is_empty()
            || self.tries_all
            || !self.rules.jumps.is_flat
        {
            return false;
        }
        let empty = !self.occupied;
        self.tables.kind_moves(self.player).iter().any(|kind_moves| {
            let kind = kind_moves.kind;
            let is_included =
                !self.rules.is_leader(kind) && !figures.iter().any(|figure| figure.kind == kind);
            is_included
                && !kind_moves.plain.is_empty()
                && self.pieces_of(kind).without(check_info.pinned).into_iter().any(|from| {
                    let ray_tables = &self.tables.rays;
                    let leads_on = |plain: &PlainMoves| {
                        let leaps = plain.leaps.map_or(Bitboard::EMPTY, |leaps| ray_tables.from(leaps, from));
                        let mut slides = plain.slides.iter();
                        plain.on.empty
                            && (leaps.meets(empty)
                                || slides
                                    .any(|slide| slide.reach(ray_tables, from, self.occupied).meets(empty)))
                    };
                    kind_moves.plain.iter().any(leads_on)
                })
        })
    }

    /// Returns whether an attacked leader can move, and therefore must.
    pub(crate) fn leader_must_move(&self) -> bool {
        let legality = Legality::tested(self.rules.mechanics().leadership.exposure);
        self.is_in_check() && self.visit_by(legality, true, &mut AnyMove).is_break()
    }
}

impl<const W: usize> PieceGroup<'_, W> {
    fn visit(&self, kind_moves: &KindMoves, visitor: &mut impl MoveVisitor<W>) -> ControlFlow<()> {
        if !self.generator.rules.jumps.is_flat || kind_moves.is_composite {
            self.visit_walks(visitor)?;
            return if kind_moves.castles { self.visit_castles(visitor) } else { ControlFlow::Continue(()) };
        }
        for plain in &kind_moves.plain {
            self.visit_plain(plain, visitor)?;
        }
        if kind_moves.castles {
            self.visit_castles(visitor)?;
        }
        for index in &kind_moves.stays {
            self.visit_stays(*index, visitor)?;
        }
        if kind_moves.guarded.is_empty() && kind_moves.coinciding.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.generator.rules.kind_traits[self.kind.index()].depended_on.is_empty() {
            return self.visit_guarded(kind_moves, visitor);
        }
        let Generator { rules, position, player, .. } = *self.generator;
        self.pieces.into_iter().try_for_each(|from| {
            let walker = Walker::new(rules, position, player, self.kind, from);
            PieceGroup { pieces: Bitboard::one(from), walker: Some(&walker), ..*self }
                .visit_guarded(kind_moves, visitor)
        })
    }

    /// Visits the moves of a pattern that leaves the pieces where they are.
    fn visit_stays(&self, index: u8, visitor: &mut impl MoveVisitor<W>) -> ControlFlow<()> {
        let Generator { rules, position, player, .. } = *self.generator;
        let pattern = &self.patterns[usize::from(index)];
        for from in self.pieces {
            let walker = Walker::new(rules, position, player, self.kind, from);
            let Some(action) = walker.action_on(pattern, from, 0) else { continue };
            let modifier = walker.promotion_for(pattern, from);
            let options = modifier.map_or(&[][..], |modifier| &modifier.options);
            let mut try_stay = |promotion: Option<Kind>| {
                let choice = modifier.zip(promotion).map(|(modifier, kind)| modifier.choice(kind));
                match walker.finish((pattern, action), from, choice, self.legality) {
                    Some(next) => visitor.tried(self.played(from, from, index, promotion), next),
                    None => ControlFlow::Continue(()),
                }
            };
            if options.is_empty() {
                try_stay(None)?;
            } else {
                options.iter().try_for_each(|option| try_stay(Some(*option)))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the castling moves of unmoved pieces.
    fn visit_castles(&self, visitor: &mut impl MoveVisitor<W>) -> ControlFlow<()> {
        let kind = self.generator.rules.kind(self.kind);
        for from in self.pieces & self.generator.planes.unmoved() {
            for (index, plan) in kind.castles.iter().enumerate() {
                if self.is_blocked_beside(plan, from) {
                    continue;
                }
                let walker = self.walker_on(from);
                let castling = walker.try_castling(plan).ok().flatten();
                let Some(castling) = castling else { continue };
                if let Some(next) = walker.finish_castling(plan, castling, self.legality) {
                    let pattern = (kind.moves.len() + index) as u8;
                    visitor.tried(self.played(from, castling.to, pattern, None), next)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns whether the square beside a piece shows that it cannot castle: the piece there has moved or is not a
    /// partner.
    fn is_blocked_beside(&self, plan: &CastlePlan, from: Square) -> bool {
        let (planes, board) = (self.generator.planes, self.generator.rules.board());
        let targets = plan.targets[self.generator.player.index()];
        let side = targets.and_then(|targets| plan.side(board, from, targets));
        side.and_then(|side| board.within(from, side)).is_none_or(|beside| {
            let is_partner = || planes.unmoved().has(beside) && planes.kinds(&plan.partners).has(beside);
            planes.occupied().has(beside) && !is_partner()
        })
    }

    /// Visits guarded moves. Those that may coincide are compared piece by piece.
    fn visit_guarded(&self, kind_moves: &KindMoves, visitor: &mut impl MoveVisitor<W>) -> ControlFlow<()> {
        let guarded = &kind_moves.guarded;
        guarded.iter().try_for_each(|guarded| self.visit_guarded_move(guarded, self.pieces, visitor))?;
        let ready = kind_moves.coinciding.iter().map(|guarded| self.ready(guarded, self.pieces));
        for from in ready.fold(Bitboard::EMPTY, |all, sources| all | sources) {
            let mut found = Coinciding::default();
            let each = |guarded| self.visit_guarded_move(guarded, Bitboard::one(from), &mut found);
            kind_moves.coinciding.iter().try_for_each(each)?;
            found.distinct().try_for_each(|(played, next)| visitor.tried(played, next))?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the kind of one of the pieces.
    pub(crate) fn kind_on(&self, from: Square) -> Kind {
        let planes = self.generator.planes;
        self.merged.iter().copied().find(|kind| planes.kind(*kind).has(from)).unwrap_or(self.kind)
    }

    /// Splits the group by kind.
    pub(crate) fn split(&self) -> impl Iterator<Item = PieceGroup<'_, W>> {
        [self.kind].into_iter().chain(self.merged.iter().copied()).map(|kind| {
            let pieces = self.pieces & self.generator.planes.kind(kind);
            self.generator.group(kind, pieces, self.legality)
        })
    }

    /// Returns a move of one of the pieces.
    pub(crate) fn played(&self, from: Square, to: Square, pattern: u8, promotion: Option<Kind>) -> Move {
        let may_share = self.generator.rules.mechanics().sharing.is_some();
        let guest = may_share && !self.generator.position.is_kind(self.kind_on(from), from);
        Move { from, to, pattern, guest, promotion, then: 0 }
    }

    /// Returns the squares in a state on which the pieces may land. Some pieces may join a leader, and some cannot
    /// capture every kind.
    pub(crate) fn landable(&self, on: Occupancy, action: &Action) -> Bitboard<W> {
        let landable = self.generator.landable(on);
        if on == Occupancy::Empty {
            return if self.is_leader { landable } else { landable | self.generator.joinable };
        }
        // A leader that may be joined is not captured.
        let landable = if self.is_leader { landable } else { landable.without(self.generator.joinable) };
        let Some(kinds) = &action.victims else { return landable };
        let planes = self.generator.planes;
        let shared = landable & self.generator.attack_info.shared;
        let alone = landable & planes.kinds(kinds).without(shared);
        let Some(piece) = self.pieces.lowest() else { return alone };
        // If two share a square, one suffices.
        let walker = self.walker_on(piece);
        shared.into_iter().filter(|square| walker.can_capture(action, *square)).collect::<Bitboard<W>>()
            | alone
    }

    /// Returns a walker for the piece on a square whose landing is known.
    pub(crate) fn walker_on(&self, from: Square) -> Walker<'_> {
        Walker::for_landing(
            self.generator.rules,
            self.generator.position,
            self.generator.player,
            self.kind_on(from),
            from,
        )
    }

    /// Calls `question` with a walker for the piece on a square.
    pub(crate) fn ask<A>(&self, from: Square, question: impl FnOnce(&Walker<'_>) -> A) -> A {
        match self.walker {
            Some(walker) => question(walker),
            None => question(&self.walker_on(from)),
        }
    }
}

/// Moves of one piece that may coincide, with their positions.
#[derive(Default)]
pub(crate) struct Coinciding(pub(crate) Vec<(Move, Position)>);

impl Coinciding {
    /// Merges moves to the same square that lead to the same position. The first in the kind's list is kept.
    pub(crate) fn distinct(mut self) -> impl Iterator<Item = (Move, Position)> {
        let choice = |played: &Move| (played.to, played.promotion);
        self.0.sort_by_key(|(played, _)| (choice(played), played.pattern));
        let mut kept: Vec<(Move, Position)> = Vec::with_capacity(self.0.len());
        for (played, next) in self.0 {
            let merged = kept.iter().rev().take_while(|(other, _)| choice(other) == choice(&played));
            if !merged.into_iter().any(|(_, position)| position.key() == next.key() && *position == next) {
                kept.push((played, next));
            }
        }
        kept.into_iter()
    }
}

impl<const W: usize> MoveVisitor<W> for Coinciding {
    fn plain(&mut self, _: &PieceGroup<'_, W>, _: &PlainMoves, _: Square, _: Bitboard<W>) -> ControlFlow<()> {
        unreachable!("plain moves are merged as sets")
    }

    fn guarded(&mut self, _: &PieceGroup<'_, W>, _: &MoveBatch<'_, W>) -> ControlFlow<()> {
        unreachable!("what may coincide is tried out")
    }

    fn drops(&mut self, _: &Generator<'_, W>, _: &DropBatch<'_, W>) -> ControlFlow<()> {
        unreachable!("drops do not coincide")
    }

    fn tried(&mut self, played: Move, next: Position) -> ControlFlow<()> {
        self.0.push((played, next));
        ControlFlow::Continue(())
    }
}
