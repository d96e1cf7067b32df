//! The squares that a piece may reach in one move, and the pieces that it may meet there.

use crate::blueprint::{Occupancy, Until};
use crate::compile::pattern::{Action, Pattern};
use crate::dead::pieces::bit;
use crate::dead::reachability::{ProofStep, Reachability, Unproven};
use crate::piece::Kind;
use crate::square::Square;

/// The maximum number of promotions that are tracked.
const MAX_PROMOTIONS: usize = 256;

/// A landing of a piece's pattern.
#[derive(Clone, Copy)]
pub(super) struct Landing<'a> {
    pub(super) piece: usize,
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) steps: u32,
    pub(super) pattern: &'a Pattern,
}

impl<'a> Reachability<'a> {
    /// Adds every move of a piece from a square, as each kind that it may have.
    pub(super) fn walk_from(&mut self, piece: usize, from: Square) -> ProofStep {
        self.walk_as(piece, self.pieces.piece(piece).kind, from)?;
        // A kind that is added meanwhile is not missed: adding it requeues the piece.
        for index in 0..self.promotions.len() {
            let (other, kind) = self.promotions[index];
            if other == piece {
                self.walk_as(piece, kind, from)?;
            }
        }
        Ok(())
    }

    fn walk_as(&mut self, piece: usize, kind: Kind, from: Square) -> ProofStep {
        let rules = self.rules;
        let patterns = &rules.patterns[self.pieces.piece(piece).player.index()][kind.index()];
        let is_leader = self.pieces.is_leader(piece);
        self.spend(patterns.len())?;
        for pattern in patterns {
            if !is_leader && pattern.is_plain() {
                self.walk_plain(piece, from, pattern)?;
            } else if let Some(hurdles) = &pattern.hurdles {
                self.walk_over(piece, from, pattern, hurdles.count)?;
            } else {
                self.walk(piece, from, pattern)?;
            }
        }
        for plan in &rules.kind(kind).castles {
            self.castle_from(piece, from, plan)?;
        }
        Ok(())
    }

    /// Adds a move with conditions, or of a leader. Not inlined into the loop over plain moves.
    #[inline(never)]
    fn walk(&mut self, piece: usize, from: Square, pattern: &'a Pattern) -> ProofStep {
        let (mut at, mut steps) = (from, 0);
        while steps < pattern.max {
            let Some(to) = self.rules.jumps.to(pattern.jump, at) else { break };
            (at, steps) = (to, steps + 1);
            if steps >= pattern.min {
                self.land(&Landing { piece, from, to, steps, pattern })?;
            }
            if steps == pattern.max || self.surely_ends(piece, pattern.until, to) {
                break;
            }
            self.spend(1)?;
        }
        Ok(())
    }

    /// Like [`Reachability::walk`], for slides over hurdles. Any piece that may ever stand in the way may be a hurdle, and
    /// nothing is known to end the slide.
    #[inline(never)]
    fn walk_over(&mut self, piece: usize, from: Square, pattern: &'a Pattern, count: u32) -> ProofStep {
        let (mut at, mut steps, mut hurdles) = (from, 0, 0);
        while steps < pattern.max {
            let Some(to) = self.rules.jumps.to(pattern.jump, at) else { break };
            (at, steps) = (to, steps + 1);
            if hurdles >= count && steps >= pattern.min {
                self.land(&Landing { piece, from, to, steps, pattern })?;
            }
            if self.squares[to.index()].visitors & !bit(piece) == 0 {
                self.wait(piece, to);
            } else {
                hurdles += 1;
            }
            self.spend(1)?;
        }
        Ok(())
    }

    /// Like [`Reachability::walk`], for moves without conditions. Nearly all moves are of this kind, so this is the
    /// hot path.
    fn walk_plain(&mut self, piece: usize, from: Square, pattern: &'a Pattern) -> ProofStep {
        let (bit, enemies) = (bit(piece), !self.pieces.side_of(piece));
        let mut at = from;
        while let Some(to) = self.rules.jumps.to(pattern.jump, at) {
            let facts = &mut self.squares[to.index()];
            let is_blocked = facts.fixed.is_some();
            if is_blocked {
                facts.waiting |= bit;
            }
            facts.captors |= bit;
            let victims = facts.visitors & enemies;
            let comes = !is_blocked || victims & !self.pieces.leaders != 0;
            let is_news = comes && facts.visitors & bit == 0;
            if victims != 0 {
                self.capture(bit, victims)?;
            }
            if is_news {
                self.leave_line(piece, None);
                self.visit(piece, to)?;
            }
            if is_blocked || pattern.max == 1 {
                break;
            }
            at = to;
            self.spend(1)?;
        }
        Ok(())
    }

    /// Returns whether a slide can never continue beyond a square, as far as is known.
    fn surely_ends(&mut self, piece: usize, until: Until, at: Square) -> bool {
        let facts = self.squares[at.index()];
        let side = self.pieces.side_of(piece);
        let fixed = facts.fixed.map(|fixed| side & bit(usize::from(fixed)) != 0);
        let ends = match until {
            Until::Region(region) => {
                return self.rules.in_region(region, self.pieces.piece(piece).player, at);
            }
            Until::State(Occupancy::NotEmpty) => fixed.is_some(),
            Until::State(Occupancy::Ally) => fixed == Some(true),
            Until::State(Occupancy::Enemy) => fixed == Some(false),
            // Two players have no partners.
            Until::State(Occupancy::Team) => false,
            Until::State(Occupancy::Empty) => facts.visitors & !bit(piece) == 0,
        };
        if ends {
            self.wait(piece, at);
        }
        ends
    }

    fn land(&mut self, landing: &Landing<'a>) -> ProofStep {
        let Pattern { tests, on_empty, on_enemy, on_ally, .. } = landing.pattern;
        if !self.may_all_hold(tests, landing)? {
            return Ok(());
        }
        if let Some(action) = on_empty {
            self.enter(landing, action)?;
        }
        if let Some(action) = on_enemy {
            self.capture_enemy(landing, action)?;
        }
        if let Some(action) = on_ally {
            self.capture_ally(landing, action)?;
        }
        Ok(())
    }

    fn enter(&mut self, landing: &Landing<'a>, action: &'a Action) -> ProofStep {
        let is_allowed = !self.is_blocked(landing.piece, landing.to)
            && !self.is_opposed(landing, landing.to)
            && self.may_all_hold(&action.tests, landing)?
            && !self.is_guarded(landing, action);
        if is_allowed { self.arrive(landing, action) } else { Ok(()) }
    }

    fn capture_enemy(&mut self, landing: &Landing<'a>, action: &'a Action) -> ProofStep {
        let &Landing { piece, to, .. } = landing;
        // A leader gives check even on squares that it could not enter.
        let is_forbidden = !self.is_threat(piece) && self.is_guarded(landing, action);
        if is_forbidden || !self.may_all_hold(&action.tests, landing)? {
            return Ok(());
        }
        let facts = &mut self.squares[to.index()];
        facts.captors |= bit(piece);
        let victims = facts.visitors & !self.pieces.side_of(piece);
        self.capture(bit(piece), victims)?;
        if victims & !self.pieces.leaders == 0 { Ok(()) } else { self.arrive(landing, action) }
    }

    fn capture_ally(&mut self, landing: &Landing<'a>, action: &'a Action) -> ProofStep {
        let &Landing { piece, to, .. } = landing;
        self.wait(piece, to);
        let others = self.pieces.side_of(piece) & !bit(piece) & !self.pieces.leaders;
        let victims = self.squares[to.index()].visitors & others;
        if victims == 0 || !self.may_all_hold(&action.tests, landing)? || self.is_guarded(landing, action) {
            return Ok(());
        }
        self.capture(bit(piece), victims)?;
        self.arrive(landing, action)
    }

    /// Adds the move with all its effects.
    fn arrive(&mut self, landing: &Landing<'a>, action: &'a Action) -> ProofStep {
        self.leave_line(landing.piece, Some(landing.pattern));
        self.visit(landing.piece, landing.to)?;
        for change in &action.changes {
            self.spend(1)?;
            self.change(landing, action, change)?;
        }
        for modifier in &landing.pattern.modifiers {
            if self.may_all_hold(&modifier.tests, landing)? {
                self.promote(landing.piece, &modifier.options)?;
            }
        }
        Ok(())
    }

    /// Adds promotions. A new leader, or a leader that becomes another kind, is beyond the proof.
    fn promote(&mut self, piece: usize, options: &[Kind]) -> ProofStep {
        let own = self.pieces.piece(piece).kind;
        for &kind in options {
            self.spend(1)?;
            if self.pieces.is_leader(piece) || Some(kind) == self.rules.leader() {
                return Err(Unproven);
            }
            if kind != own && !self.promotions.contains(&(piece, kind)) {
                if self.promotions.len() == MAX_PROMOTIONS {
                    return Err(Unproven);
                }
                self.promotions.push((piece, kind));
                self.requeue(piece)?;
            }
        }
        self.leave_line(piece, None);
        if self.promoted & bit(piece) == 0 {
            self.promoted |= bit(piece);
            self.requeue(piece)?;
        }
        Ok(())
    }
}
