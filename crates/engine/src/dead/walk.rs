//! Where a man may come in one move from a square that he may stand on, and whom he may meet there.

use crate::blueprint::{Occupancy, Until};
use crate::dead::future::{Doubt, Future, Sure};
use crate::dead::men::bit;
use crate::piece::Kind;
use crate::rules::{Act, Pattern};
use crate::square::Square;

/// The most promotions that are told apart.
const MOST_FORMS: usize = 256;

/// A landing of a man's pattern that is being looked at.
#[derive(Clone, Copy)]
pub(super) struct Landing<'a> {
    pub(super) man: usize,
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) steps: u32,
    pub(super) pattern: &'a Pattern,
}

impl<'a> Future<'a> {
    /// Draws every move of a man from a square, as each kind that he may be of.
    pub(super) fn walk_from(&mut self, man: usize, from: Square) -> Sure {
        self.walk_as(man, self.men.man(man).kind, from)?;
        // A kind that is added meanwhile is not missed: it brings the man back.
        for index in 0..self.forms.len() {
            let (other, kind) = self.forms[index];
            if other == man {
                self.walk_as(man, kind, from)?;
            }
        }
        Ok(())
    }

    fn walk_as(&mut self, man: usize, kind: Kind, from: Square) -> Sure {
        let rules = self.rules;
        let patterns = &rules.patterns[self.men.man(man).player.index()][kind.index()];
        let is_leader = self.men.is_leader(man);
        self.spend(patterns.len())?;
        for pattern in patterns {
            if !is_leader && pattern.is_officers() {
                self.walk_plainly(man, from, pattern)?;
            } else {
                self.walk(man, from, pattern)?;
            }
        }
        Ok(())
    }

    /// Draws a move that may have conditions, or that a leader makes. Kept out of the quick loop over the others.
    #[inline(never)]
    fn walk(&mut self, man: usize, from: Square, pattern: &'a Pattern) -> Sure {
        let (mut at, mut steps) = (from, 0);
        while steps < pattern.max {
            let Some(to) = self.rules.jumps.to(pattern.jump, at) else { break };
            (at, steps) = (to, steps + 1);
            if steps >= pattern.min {
                self.land(&Landing { man, from, to, steps, pattern })?;
            }
            if steps == pattern.max || self.surely_ends(man, pattern.until, to) {
                break;
            }
            self.spend(1)?;
        }
        Ok(())
    }

    /// As [`Future::walk`], for moves that ask for nothing. These are nearly all, so they shall be quick.
    fn walk_plainly(&mut self, man: usize, from: Square, pattern: &'a Pattern) -> Sure {
        let (bit, enemies) = (bit(man), !self.men.side_of(man));
        let mut at = from;
        while let Some(to) = self.rules.jumps.to(pattern.jump, at) {
            let field = &mut self.fields[to.index()];
            let is_blocked = field.fixture.is_some();
            if is_blocked {
                field.waiting |= bit;
            }
            field.captors |= bit;
            let victims = field.visitors & enemies;
            let comes = !is_blocked || victims & !self.men.leaders != 0;
            let is_news = comes && field.visitors & bit == 0;
            if victims != 0 {
                self.strike(bit, victims)?;
            }
            if is_news {
                self.visit(man, to)?;
            }
            if is_blocked || pattern.max == 1 {
                break;
            }
            at = to;
            self.spend(1)?;
        }
        Ok(())
    }

    /// Whether a slide can never go on from a square, as far as is known.
    fn surely_ends(&mut self, man: usize, until: Until, at: Square) -> bool {
        let field = self.fields[at.index()];
        let side = self.men.side_of(man);
        let fixture = field.fixture.map(|fixture| side & bit(usize::from(fixture)) != 0);
        let ends = match until {
            Until::Region(region) => return self.rules.in_region(region, self.men.man(man).player, at),
            Until::State(Occupancy::NotEmpty) => fixture.is_some(),
            Until::State(Occupancy::Ally) => fixture == Some(true),
            Until::State(Occupancy::Enemy) => fixture == Some(false),
            // Two players have no partners.
            Until::State(Occupancy::Team) => false,
            Until::State(Occupancy::Empty) => field.visitors & !bit(man) == 0,
        };
        if ends {
            self.wait(man, at);
        }
        ends
    }

    fn land(&mut self, landing: &Landing<'a>) -> Sure {
        let Pattern { tests, on_empty, on_enemy, on_ally, .. } = landing.pattern;
        if !self.may_all_hold(tests, landing)? {
            return Ok(());
        }
        if let Some(act) = on_empty {
            self.enter(landing, act)?;
        }
        if let Some(act) = on_enemy {
            self.capture_enemy(landing, act)?;
        }
        if let Some(act) = on_ally {
            self.capture_ally(landing, act)?;
        }
        Ok(())
    }

    fn enter(&mut self, landing: &Landing<'a>, act: &'a Act) -> Sure {
        let is_allowed = !self.is_blocked(landing.man, landing.to)
            && self.may_all_hold(&act.tests, landing)?
            && !self.is_guarded(landing, act);
        if is_allowed { self.arrive(landing, act) } else { Ok(()) }
    }

    fn capture_enemy(&mut self, landing: &Landing<'a>, act: &'a Act) -> Sure {
        let &Landing { man, to, .. } = landing;
        // A leader gives check also where it could not go itself.
        let is_forbidden = !self.is_killer(man) && self.is_guarded(landing, act);
        if is_forbidden || !self.may_all_hold(&act.tests, landing)? {
            return Ok(());
        }
        let field = &mut self.fields[to.index()];
        field.captors |= bit(man);
        let victims = field.visitors & !self.men.side_of(man);
        self.strike(bit(man), victims)?;
        if victims & !self.men.leaders == 0 { Ok(()) } else { self.arrive(landing, act) }
    }

    fn capture_ally(&mut self, landing: &Landing<'a>, act: &'a Act) -> Sure {
        let &Landing { man, to, .. } = landing;
        self.wait(man, to);
        let others = self.men.side_of(man) & !bit(man) & !self.men.leaders;
        let victims = self.fields[to.index()].visitors & others;
        if victims == 0 || !self.may_all_hold(&act.tests, landing)? || self.is_guarded(landing, act) {
            return Ok(());
        }
        self.strike(bit(man), victims)?;
        self.arrive(landing, act)
    }

    /// The move may be made, with all that belongs to it.
    fn arrive(&mut self, landing: &Landing<'a>, act: &'a Act) -> Sure {
        self.visit(landing.man, landing.to)?;
        for change in &act.changes {
            self.spend(1)?;
            self.change(landing, act, change)?;
        }
        for modifier in &landing.pattern.modifiers {
            if self.may_all_hold(&modifier.tests, landing)? {
                self.promote(landing.man, &modifier.options)?;
            }
        }
        Ok(())
    }

    /// The man may become another. A new leader, or a leader that stops being one, is beyond the proof.
    fn promote(&mut self, man: usize, options: &[Kind]) -> Sure {
        let own = self.men.man(man).kind;
        for &kind in options {
            self.spend(1)?;
            if self.men.is_leader(man) || Some(kind) == self.rules.leader() {
                return Err(Doubt);
            }
            if kind != own && !self.forms.contains(&(man, kind)) {
                if self.forms.len() == MOST_FORMS {
                    return Err(Doubt);
                }
                self.forms.push((man, kind));
                self.alter(man)?;
            }
        }
        if self.fresh & bit(man) == 0 {
            self.fresh |= bit(man);
            self.alter(man)?;
        }
        Ok(())
    }
}
