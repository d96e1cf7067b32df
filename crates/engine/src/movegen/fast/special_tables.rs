//! Compiles the tables of a kind whose moves are not plain.

use crate::blueprint::{Anchor, Condition, ModifierPlan, MovePlan, Occupancy, SquareTest};
use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::lame::{LameLeap, LameTable};
use crate::movegen::fast::side::SideCompiler;
use crate::movegen::fast::special_forms::{
    Form, SlideGroup, fixed_condition, form, occupancy, opposites, slide_groups,
};
use crate::movegen::fast::specials::{Hop, Hurdle, LameLeaps, PromotionRule, Slide, Special};
use crate::square::{Offset, Square};

/// The leaps over squares that must be empty while they are collected, by source and by target.
struct LameLists<B> {
    occupancy: (bool, bool),
    to: Vec<Vec<LameLeap<B>>>,
    from: Vec<Vec<LameLeap<B>>>,
}

impl SideCompiler<'_> {
    /// Returns the tables of a kind, if its moves are supported.
    pub(super) fn special<B: Bits>(&self, kind: usize) -> Option<Special<B>> {
        let moves = &self.rules.blueprint().kinds[kind].moves;
        let all = self.rules.board().len();
        let empty = || -> Box<[B]> { vec![B::ZERO; all].into() };
        let mut special = Special {
            plane: self.atoms.columns[kind].trailing_zeros() as usize,
            quiet: empty(),
            captures: empty(),
            from: empty(),
            lame: Vec::new(),
            slides: Vec::new(),
            hurdles: Vec::new(),
            promotions: self.promotion_rules(moves)?,
            quiet_patterns: vec![u8::MAX; all * all].into(),
            capture_patterns: vec![u8::MAX; all * all].into(),
        };
        for group in slide_groups(self.rules, self.player, moves) {
            self.add_slides(&mut special, &group)?;
        }
        let mut lists: Vec<LameLists<B>> = Vec::new();
        for (index, plan) in moves.iter().enumerate() {
            self.add_move(&mut special, &mut lists, index as u8, plan)?;
        }
        for list in lists {
            let (quiet, captures) = (if_so(list.occupancy.0), if_so(list.occupancy.1));
            let (to, from) = (LameTable::new(list.to)?, LameTable::new(list.from)?);
            special.lame.push(LameLeaps { quiet, captures, to, from });
        }
        Some(special)
    }

    fn add_slides<B: Bits>(&self, special: &mut Special<B>, group: &SlideGroup) -> Option<()> {
        let class = |steps: &[Offset]| self.classes.iter().position(|it| it == steps);
        let (class, reverse) = (class(&group.steps)?, class(&opposites(&group.steps))?);
        let (quiet, captures) = group.occupancy?;
        let (quiet, captures) = (if_so(quiet), if_so(captures));
        match group.form {
            Form::Leap => return None,
            Form::Slide => special.slides.push(Slide { class, reverse, quiet, captures }),
            Form::Hurdle => special.hurdles.push(Hurdle { class, reverse, quiet, captures, hop: None }),
            Form::Hop => {
                let hop = Some(self.hop(&group.steps));
                special.hurdles.push(Hurdle { class, reverse, quiet, captures, hop });
            }
        }
        Some(())
    }

    /// Returns the tables of hops in some directions.
    fn hop<B: Bits>(&self, steps: &[Offset]) -> Hop<B> {
        let board = self.rules.board();
        let mut behind = vec![B::ZERO; board.len() * board.len()];
        let mut beside = vec![B::ZERO; board.len()];
        for step in steps {
            for source in board.squares() {
                let mut at = source;
                while let Some(hurdle) = board.step(at, *step) {
                    at = hurdle;
                    if let Some(target) = board.step(hurdle, *step) {
                        behind[source.index() * board.len() + hurdle.index()] |= B::bit(target.index());
                        beside[target.index()] |= B::bit(hurdle.index());
                    }
                }
            }
        }
        Hop { behind: behind.into(), beside: beside.into() }
    }

    /// Adds the leaps of a move and the index of the move for all its pairs of squares.
    fn add_move<B: Bits>(
        &self,
        special: &mut Special<B>,
        lists: &mut Vec<LameLists<B>>,
        index: u8,
        plan: &MovePlan,
    ) -> Option<()> {
        let board = self.rules.board();
        let (form, (quiet, captures)) = (form(plan)?, occupancy(plan)?);
        if form != Form::Leap && !plan.conditions.is_empty() {
            return None;
        }
        let step = self.turn(plan.step);
        for source in board.squares() {
            let (mut at, mut steps) = (source, 0);
            while let Some(target) = board.step(at, step) {
                (at, steps) = (target, steps + 1);
                // A hurdle stands between.
                if steps == 1 && matches!(form, Form::Hurdle | Form::Hop) {
                    continue;
                }
                let Some(way) = self.way(plan, source, target)? else { break };
                let pair = source.index() * board.len() + target.index();
                for (wanted, patterns) in
                    [(quiet, &mut special.quiet_patterns), (captures, &mut special.capture_patterns)]
                {
                    if wanted && patterns[pair] != u8::MAX {
                        return None;
                    }
                    if wanted {
                        patterns[pair] = index;
                    }
                }
                if form == Form::Leap {
                    add_leap(special, lists, (source, target), way, (quiet, captures));
                    break;
                }
            }
        }
        Some(())
    }

    /// Returns the squares that must be empty for a move between two squares. The outer `None` means that a condition is
    /// not supported, the inner one that the move is impossible.
    #[allow(clippy::option_option, reason = "the two levels have different meanings")]
    pub(super) fn way<B: Bits>(&self, plan: &MovePlan, source: Square, target: Square) -> Option<Option<B>> {
        let board = self.rules.board();
        let mut way = B::ZERO;
        for condition in &plan.conditions {
            match condition {
                Condition::PathEmpty => {
                    let (unit, units) = self.turn(plan.step).unit();
                    let inner = (1..units as i32)
                        .map(|it| board.step(source, Offset::new(unit.dx * it, unit.dy * it)));
                    for square in inner {
                        let Some(square) = square else { return Some(None) };
                        way |= B::bit(square.index());
                    }
                }
                Condition::Square(SquareTest {
                    offset,
                    anchor: Anchor::Source,
                    state: Some(Occupancy::Empty),
                    kinds: None,
                    unmoved: None,
                }) => {
                    let Some(square) = board.step(source, self.turn(*offset)) else { return Some(None) };
                    if square == target || square == source {
                        return None;
                    }
                    way |= B::bit(square.index());
                }
                other => {
                    if !fixed_condition(self.rules, self.player, other, source, target)? {
                        return Some(None);
                    }
                }
            }
        }
        Some(Some(way))
    }

    /// Returns the promotions of a kind, if all its moves have the same.
    fn promotion_rules<B: Bits>(&self, moves: &[MovePlan]) -> Option<Vec<PromotionRule<B>>> {
        let board = self.rules.board();
        let plans: &[ModifierPlan] = moves.first().map_or(&[], |plan| &plan.modifiers);
        if moves.iter().any(|plan| plan.modifiers != plans) {
            return None;
        }
        let rule = |plan: &ModifierPlan| PromotionRule {
            zones: vec![B::ZERO; board.len()].into(),
            options: plan.options.iter().map(|kind| (kind.0, self.atoms.columns[kind.index()])).collect(),
        };
        let mut rules: Vec<PromotionRule<B>> = plans.iter().map(rule).collect();
        for source in board.squares() {
            for target in board.squares() {
                for (plan, rule) in plans.iter().zip(&mut rules) {
                    let holds = |it| fixed_condition(self.rules, self.player, it, source, target);
                    let holds = plan.conditions.iter().map(holds).collect::<Option<Vec<bool>>>()?;
                    if !holds.contains(&false) {
                        rule.zones[source.index()] |= B::bit(target.index());
                        break;
                    }
                }
            }
        }
        Some(rules)
    }
}

/// Adds a leap to the tables, or to the lists if squares must be empty.
fn add_leap<B: Bits>(
    special: &mut Special<B>,
    lists: &mut Vec<LameLists<B>>,
    (source, target): (Square, Square),
    way: B,
    occupancy: (bool, bool),
) {
    let (source, target) = (source.index(), target.index());
    let (from, to) = (B::bit(source), B::bit(target));
    let (quiet, captures) = occupancy;
    if way == B::ZERO {
        special.quiet[source] |= if_so::<B>(quiet) & to;
        special.captures[source] |= if_so::<B>(captures) & to;
        special.from[target] |= if_so::<B>(captures) & from;
        return;
    }
    let index = lists.iter().position(|list| list.occupancy == occupancy).unwrap_or_else(|| {
        let none = vec![Vec::new(); special.quiet.len()];
        lists.push(LameLists { occupancy, to: none.clone(), from: none });
        lists.len() - 1
    });
    lists[index].to[source].push(LameLeap { way, end: to });
    lists[index].from[target].push(LameLeap { way, end: from });
}

fn if_so<B: Bits>(so: bool) -> B {
    if so { B::ALL } else { B::ZERO }
}
