//! All legal moves of a position, kind by kind: as sets where sets tell all, and one by one where a move has to be
//! tried out.

use std::ops::ControlFlow;

use crate::blueprint::Occupancy;
use crate::general::repertoire::{Reach, Repertoire};
use crate::general::scene::Scene;
use crate::general::set::Set;
use crate::general::visitors::Any;
use crate::landing::Walker;
use crate::mechanics::{Exposure, Leadership};
use crate::moves::Move;
use crate::pattern::Modifier;
use crate::piece::Kind;
use crate::position::Position;
use crate::rules::{Act, Pattern};
use crate::square::Square;

/// Somebody who is shown legal moves, each once; `Break` ends the show.
pub(crate) trait Visitor<const W: usize> {
    /// Plain moves of one piece.
    fn reach(&mut self, band: &Band<'_, W>, reach: &Reach, from: Square, targets: Set<W>) -> ControlFlow<()>;

    /// The same deed of several pieces.
    fn deed(&mut self, band: &Band<'_, W>, done: &Done<'_, W>) -> ControlFlow<()>;

    /// A move that was tried out, with the position that it leads to.
    fn tried(&mut self, played: Move, next: Position) -> ControlFlow<()>;
}

/// Some pieces of one kind, or of several that move alike, about to move.
pub(crate) struct Band<'a, const W: usize> {
    pub(crate) scene: &'a Scene<'a, W>,
    pub(crate) kind: Kind,
    /// The other kinds, if there are several. Then nobody is a guest.
    pub(crate) alike: &'a [Kind],
    pub(crate) army: Set<W>,
    pub(crate) patterns: &'a [Pattern],
    pub(crate) is_leader: bool,
    /// Whether leaders may be left attacked.
    pub(crate) exposure: Exposure,
    /// The only piece, if its moves depend on each other.
    walker: Option<&'a Walker<'a>>,
}

/// What several pieces do, all after the same number of steps.
pub(crate) struct Done<'a, const W: usize> {
    pub(crate) pattern: u8,
    pub(crate) act: &'a Act,
    pub(crate) landings: Set<W>,
    /// From the number of a source to that of its landing.
    pub(crate) by: i32,
    /// What each may become, if it must become something else.
    pub(crate) modifier: Option<&'a Modifier>,
}

impl<const W: usize> Done<'_, W> {
    /// From where the piece comes that lands there.
    pub(crate) fn source(&self, landing: Square) -> Square {
        Square((i32::from(landing.0) - self.by) as u16)
    }
}

impl<const W: usize> Scene<'_, W> {
    /// Shows every legal move.
    pub(crate) fn visit(&self, visitor: &mut impl Visitor<W>) -> ControlFlow<()> {
        if self.position.ended().is_some() {
            return ControlFlow::Continue(());
        }
        if self.rules.is_plain || self.rules.mechanics().leadership == Leadership::default() {
            return self.visit_under(Exposure::Illegal, false, visitor);
        }
        self.visit_led(visitor)
    }

    /// The same where leaders may be attacked.
    fn visit_led(&self, visitor: &mut impl Visitor<W>) -> ControlFlow<()> {
        let leadership = self.rules.mechanics().leadership;
        let is_attacked = self.is_in_check();
        let exposure = match leadership.exposure {
            Exposure::AllowedInCheck if is_attacked => Exposure::Allowed,
            exposure => exposure,
        };
        if is_attacked {
            let must_move = leadership.must_move && self.visit_under(exposure, true, &mut Any).is_break();
            return self.visit_under(exposure, must_move, visitor);
        }
        if leadership.needs_safe_move
            && !self.leaders.is_empty()
            && !self.has_plain_safe_move()
            && self.visit_under(Exposure::Illegal, false, &mut Any).is_continue()
        {
            return ControlFlow::Continue(());
        }
        self.visit_under(exposure, false, visitor)
    }

    /// Shows the moves of all pieces, or of leaders only.
    fn visit_under(
        &self,
        exposure: Exposure,
        leaders_only: bool,
        visitor: &mut impl Visitor<W>,
    ) -> ControlFlow<()> {
        for repertoire in self.tables.repertoires(self.player) {
            let is_leader = self.rules.leader() == Some(repertoire.kind);
            if leaders_only && !is_leader {
                continue;
            }
            let (mut army, mut alike) = (self.army(repertoire.kind), &*repertoire.alike);
            if !alike.is_empty() {
                if self.has_guests_like(repertoire) {
                    for kind in std::mem::take(&mut alike) {
                        self.band(*kind, self.army(*kind), exposure).visit(repertoire, visitor)?;
                    }
                }
                army |= self.own & self.planes.kinds(alike);
            }
            if !army.is_empty() {
                let band = Band { alike, is_leader, ..self.band(repertoire.kind, army, exposure) };
                band.visit(repertoire, visitor)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether some of the pieces are guests: only the kind tells where those stand.
    fn has_guests_like(&self, repertoire: &Repertoire) -> bool {
        let like = |kinds: &[Kind]| self.own_guests.meets(self.planes.all_guests(kinds));
        self.has_own_guests && (like(&[repertoire.kind]) || like(&repertoire.alike))
    }

    /// Pieces of one kind that is not that of a leader.
    #[inline]
    fn band(&self, kind: Kind, army: Set<W>, exposure: Exposure) -> Band<'_, W> {
        let patterns = &self.rules.patterns[self.player.index()][kind.index()];
        Band { scene: self, kind, alike: &[], army, patterns, is_leader: false, exposure, walker: None }
    }

    /// Whether a leader is attacked.
    fn is_in_check(&self) -> bool {
        let guardedly = || self.leaders.into_iter().any(|leader| self.lookout.attacks(leader));
        // A plain attack wants an answer.
        self.danger.answers != Set::FULL || self.lookout.has_guarded() && guardedly()
    }

    /// Whether a move is soon found that leaves no leader attacked: a plain one to a square where nothing else happens, of
    /// a piece that is not pinned. That there is none is not said.
    fn has_plain_safe_move(&self) -> bool {
        let figures = &self.rules.mechanics().figures;
        let danger = &self.danger;
        if danger.answers != Set::FULL || !danger.watched.is_empty() {
            return false;
        }
        let empty = !self.occupied;
        self.tables.repertoires(self.player).iter().any(|repertoire| {
            let kind = repertoire.kind;
            let is_meant =
                self.rules.leader() != Some(kind) && !figures.iter().any(|figure| figure.kind == kind);
            is_meant
                && !repertoire.reaches.is_empty()
                && self.army(kind).without(danger.pinned).into_iter().any(|from| {
                    let fans = &self.tables.fans;
                    let leads_on = |reach: &Reach| {
                        let leaps = reach.leaps.map_or(Set::EMPTY, |leaps| fans.from(leaps, from));
                        let mut slides = reach.slides.iter();
                        reach.on.empty
                            && (leaps.meets(empty)
                                || slides.any(|slide| slide.reach(fans, from, self.occupied).meets(empty)))
                    };
                    repertoire.reaches.iter().any(leads_on)
                })
        })
    }

    /// Whether an attacked leader can move, and so must.
    pub(crate) fn leader_must_move(&self) -> bool {
        self.is_in_check()
            && self.visit_under(self.rules.mechanics().leadership.exposure, true, &mut Any).is_break()
    }
}

impl<const W: usize> Band<'_, W> {
    fn visit(&self, repertoire: &Repertoire, visitor: &mut impl Visitor<W>) -> ControlFlow<()> {
        for reach in &repertoire.reaches {
            self.visit_reach(reach, visitor)?;
        }
        if repertoire.deeds.is_empty() && repertoire.coinciding.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.scene.rules.traits[self.kind.index()].depended_on.is_empty() {
            return self.visit_deeds(repertoire, visitor);
        }
        let Scene { rules, position, player, .. } = *self.scene;
        self.army.into_iter().try_for_each(|from| {
            let walker = Walker::new(rules, position, player, self.kind, from, true);
            Band { army: Set::one(from), walker: Some(&walker), ..*self }.visit_deeds(repertoire, visitor)
        })
    }

    /// Deeds that may coincide are compared, piece by piece.
    fn visit_deeds(&self, repertoire: &Repertoire, visitor: &mut impl Visitor<W>) -> ControlFlow<()> {
        let deeds = &repertoire.deeds;
        deeds.iter().try_for_each(|deed| self.visit_deed(deed, self.army, visitor))?;
        let ready = repertoire.coinciding.iter().map(|deed| self.ready(deed, self.army));
        for from in ready.fold(Set::EMPTY, |all, sources| all | sources) {
            let mut found = Found::default();
            let each = |deed| self.visit_deed(deed, Set::one(from), &mut found);
            repertoire.coinciding.iter().try_for_each(each)?;
            found.distinct().try_for_each(|(played, next)| visitor.tried(played, next))?;
        }
        ControlFlow::Continue(())
    }

    /// The kind of one of the pieces.
    pub(crate) fn kind_on(&self, from: Square) -> Kind {
        let planes = self.scene.planes;
        self.alike.iter().copied().find(|kind| planes.kind(*kind).has(from)).unwrap_or(self.kind)
    }

    /// The band of each kind by itself.
    pub(crate) fn split(&self) -> impl Iterator<Item = Band<'_, W>> {
        [self.kind].into_iter().chain(self.alike.iter().copied()).map(|kind| {
            let army = self.army & self.scene.planes.kind(kind);
            self.scene.band(kind, army, self.exposure)
        })
    }

    /// A move of one of the pieces.
    pub(crate) fn played(&self, from: Square, to: Square, pattern: u8, promotion: Option<Kind>) -> Move {
        let may_share = self.scene.rules.mechanics().sharing.is_some();
        let guest = may_share && !self.scene.position.is_kind(self.kind_on(from), from);
        Move { from, to, pattern, guest, promotion }
    }

    /// The squares in a state on which the pieces may land: some may join a leader, and some cannot take every kind.
    pub(crate) fn ground(&self, on: Occupancy, act: &Act) -> Set<W> {
        let ground = self.scene.ground(on);
        if on == Occupancy::Empty {
            return if self.is_leader { ground } else { ground | self.scene.joinable };
        }
        // Whoever may be joined is not captured.
        let ground = if self.is_leader { ground } else { ground.without(self.scene.joinable) };
        let Some(kinds) = &act.victims else { return ground };
        let planes = self.scene.planes;
        let shared = ground & self.scene.lookout.shared;
        let alone = ground & planes.kinds(kinds).without(shared);
        let Some(piece) = self.army.lowest() else { return alone };
        // Of two, one is enough.
        let walker = self.committed(piece);
        shared.into_iter().filter(|square| walker.may_take(act, *square)).collect::<Set<W>>() | alone
    }

    /// The piece on a square, whose landing is settled.
    pub(crate) fn committed(&self, from: Square) -> Walker<'_> {
        Walker::committed(self.scene.rules, self.scene.position, self.scene.player, self.kind_on(from), from)
    }

    /// Asks the piece on a square anything.
    pub(crate) fn ask<A>(&self, from: Square, question: impl FnOnce(&Walker<'_>) -> A) -> A {
        match self.walker {
            Some(walker) => question(walker),
            None => question(&self.committed(from)),
        }
    }
}

/// Moves of one piece that may coincide, with the positions that they lead to.
#[derive(Default)]
struct Found(Vec<(Move, Position)>);

impl Found {
    /// Moves to the same square that lead to the same position are one, the first in the kind's list.
    fn distinct(mut self) -> impl Iterator<Item = (Move, Position)> {
        let choice = |played: &Move| (played.to, played.promotion);
        self.0.sort_by_key(|(played, _)| (choice(played), played.pattern));
        let mut kept: Vec<(Move, Position)> = Vec::with_capacity(self.0.len());
        for (played, next) in self.0 {
            let alike = kept.iter().rev().take_while(|(other, _)| choice(other) == choice(&played));
            if !alike.into_iter().any(|(_, position)| position.key() == next.key() && *position == next) {
                kept.push((played, next));
            }
        }
        kept.into_iter()
    }
}

impl<const W: usize> Visitor<W> for Found {
    fn reach(&mut self, _: &Band<'_, W>, _: &Reach, _: Square, _: Set<W>) -> ControlFlow<()> {
        unreachable!("plain moves are merged as sets")
    }

    fn deed(&mut self, _: &Band<'_, W>, _: &Done<'_, W>) -> ControlFlow<()> {
        unreachable!("what may coincide is tried out")
    }

    fn tried(&mut self, played: Move, next: Position) -> ControlFlow<()> {
        self.0.push((played, next));
        ControlFlow::Continue(())
    }
}
