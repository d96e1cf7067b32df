//! Endings, and the moves that reset the count of quiet turns.

use tabiya_engine::blueprint::Anchor;
use tabiya_engine::ending::{
    Area, Census, Clause, Comparison, EndingPlan, FacingLines, FacingPlan, Measure, Owner, PlayerResult,
    Stalemate, Trigger, ZeroingPlan,
};

use super::{Names, word_or};
use crate::model::{self, Clauses, GameSpec, QuietSpec};
use crate::place::At;

/// Compiles the endings in file order.
pub(super) fn endings(spec: &GameSpec, names: &Names) -> Vec<EndingPlan> {
    let endings = spec.endings.iter();
    endings
        .map(|ending| {
            let mut plan = EndingPlan::new(ending.code.to_string(), names.clauses(&ending.when, Owner::Any));
            plan.by = word_or(ending.by.as_ref(), Trigger::Rule);
            plan.anyone = ending.who.as_deref() == Some(&model::EndingWho::Anyone);
            plan.stops = ending.stops.as_ref().is_some_and(|stops| **stops);
            plan.result = word_or(ending.result.as_ref(), PlayerResult::Draw);
            plan
        })
        .collect()
}

/// Returns what stalemate means. If players without a move are skipped, there is none.
pub(super) fn stalemate(spec: &GameSpec) -> Stalemate {
    match spec.stuck.as_deref() {
        None | Some(model::Stuck::Ends | model::Stuck::Passes) => Stalemate::Ends,
        Some(model::Stuck::Loses) => Stalemate::Loses,
        Some(model::Stuck::Draws) => Stalemate::Draws,
        Some(model::Stuck::Wins) => Stalemate::Wins,
    }
}

/// Returns what resets the count of quiet turns: captures by default.
pub(super) fn zeroing(spec: &GameSpec, names: &Names) -> ZeroingPlan {
    let Some(quiet) = &spec.quiet else { return ZeroingPlan::new(true, Vec::new()) };
    let is_capture = |word: &At<String>| word.as_str() == QuietSpec::CAPTURE;
    let kinds = quiet.reset_by.iter().filter(|word| !is_capture(word));
    let kinds = names.kind_list(kinds);
    ZeroingPlan::new(quiet.reset_by.iter().any(is_capture), kinds)
}

impl Names {
    /// Compiles clauses. `counted` says whose pieces are counted by default.
    pub(super) fn clauses(&self, clauses: &Clauses, counted: Owner) -> Vec<Clause> {
        clauses.iter().map(|clause| self.clause(clause, counted)).collect()
    }

    pub(super) fn clause(&self, clause: &model::Clause, counted: Owner) -> Clause {
        match clause {
            model::Clause::Count { piece, owner, region, area, anchor, min, max, lost } => {
                let kinds = piece
                    .as_ref()
                    .map_or_else(|| self.followers.clone(), |codes| self.kind_list(codes.iter()));
                let mut census = Census::new(kinds, word_or(owner.as_ref(), counted));
                census.region = region.as_ref().map(|code| self.regions[code.as_str()]);
                census.min = min.as_ref().map_or(0, |min| **min as u32);
                census.max = max.as_ref().map(|max| **max as u32);
                census.lost = lost.as_ref().map_or(0, |lost| **lost as u32);
                let anchor = word_or(anchor.as_ref(), Anchor::Target);
                census.area = area.as_ref().map(|area| match **area {
                    model::Area::File => Area::File(anchor),
                    model::Area::Rank => Area::Rank(anchor),
                    model::Area::Adjacent => Area::Adjacent(anchor),
                    model::Area::Between => Area::Between,
                    model::Area::Hand => Area::Hand,
                });
                Clause::Count(census)
            }
            model::Clause::Compare { counter, values, owner, min, max, than, by } => {
                let of_pieces = || {
                    let values = values.iter().flat_map(|values| values.iter());
                    Measure::Values(values.map(|(code, value)| (self.kind(code), **value)).collect())
                };
                let of_counter = |code: &At<String>| Measure::Counter(self.counters[code.as_str()]);
                let measure = counter.as_ref().map_or_else(of_pieces, of_counter);
                let mut comparison = Comparison::new(measure, word_or(owner.as_ref(), Owner::Own));
                comparison.min = min.as_deref().copied();
                comparison.max = max.as_deref().copied();
                comparison.than = than.as_ref().map(|than| (**than).into());
                comparison.by = by.as_ref().map_or(1, |by| **by);
                Clause::Compare(comparison)
            }
            model::Clause::Facing { piece, owner, other, other_owner, along, min, max } => {
                let other = other.as_ref().unwrap_or(piece);
                let along = along.as_ref().map_or(model::Along::Straight, |along| **along);
                let lines = FacingLines {
                    files: matches!(along, model::Along::File | model::Along::Straight | model::Along::Any),
                    ranks: matches!(along, model::Along::Rank | model::Along::Straight | model::Along::Any),
                    diagonals: matches!(along, model::Along::Diagonal | model::Along::Any),
                };
                let one = (self.kind_list(piece.iter()), word_or(owner.as_ref(), Owner::Own));
                let other = (self.kind_list(other.iter()), word_or(other_owner.as_ref(), Owner::Enemy));
                let mut plan = FacingPlan::new(one, other, lines);
                plan.min = min.as_ref().map_or(0, |min| **min as u32);
                plan.max = max.as_ref().map_or(plan.min, |max| **max as u32);
                Clause::Facing(plan)
            }
            model::Clause::InCheck { owner } => Clause::InCheck(word_or(owner.as_ref(), Owner::Own)),
            model::Clause::Repetition { times, checks: None } => Clause::Repetition(**times as u32),
            model::Clause::Repetition { times, checks: Some(owner) } => {
                Clause::PerpetualCheck { times: **times as u32, owner: (**owner).into() }
            }
            model::Clause::Quiet { turns } => Clause::Quiet(**turns as u32),
            model::Clause::CannotWin { owner } => Clause::CannotWin(word_or(owner.as_ref(), Owner::Any)),
            model::Clause::Captive { owner } => Clause::Captive(word_or(owner.as_ref(), Owner::Own)),
            model::Clause::Controlled { owner } => Clause::Controlled(word_or(owner.as_ref(), Owner::Own)),
            model::Clause::Stuck { owner, attacked } => Clause::Stuck {
                owner: word_or(owner.as_ref(), Owner::Own),
                attacked: attacked.as_deref().copied(),
            },
            model::Clause::All { of } => Clause::Any(vec![self.clauses(of, counted)]),
            model::Clause::Any { of } => {
                Clause::Any(of.iter().map(|list| self.clauses(list, counted)).collect())
            }
            model::Clause::Not { of } => Clause::Not(self.clauses(of, counted)),
        }
    }
}
