//! Endings, and the moves that reset the count of quiet turns.

use tabiya_engine::ending::{Census, Clause, EndingPlan, Owner, PlayerResult, Trigger, ZeroingPlan};

use super::Names;
use crate::model::{self, Clauses, GameSpec, QuietSpec};
use crate::place::At;

/// Compiles the endings in file order.
pub(super) fn endings(spec: &GameSpec, names: &Names) -> Vec<EndingPlan> {
    let reader = Reader { names };
    let endings = spec.endings.iter();
    endings
        .map(|ending| {
            let mut plan = EndingPlan::new(ending.code.to_string(), reader.list(&ending.when));
            plan.by = match ending.by.as_deref() {
                Some(model::Trigger::Rule) | None => Trigger::Rule,
                Some(model::Trigger::Claim) => Trigger::Claim,
                Some(model::Trigger::Flag) => Trigger::Flag,
            };
            plan.anyone = ending.who.as_deref() == Some(&model::EndingWho::Anyone);
            plan.stops = ending.stops.as_ref().is_some_and(|stops| **stops);
            plan.result = match ending.result.as_deref() {
                Some(model::EndingResult::Draw) | None => PlayerResult::Draw,
                Some(model::EndingResult::Win) => PlayerResult::Win,
                Some(model::EndingResult::Loss) => PlayerResult::Loss,
            };
            plan
        })
        .collect()
}

/// Returns what resets the count of quiet turns: captures by default.
pub(super) fn zeroing(spec: &GameSpec, names: &Names) -> ZeroingPlan {
    let Some(quiet) = &spec.quiet else { return ZeroingPlan::new(true, Vec::new()) };
    let is_capture = |word: &At<String>| word.as_str() == QuietSpec::CAPTURE;
    let kinds = quiet.reset_by.iter().filter(|word| !is_capture(word));
    let kinds = names.kind_list(kinds);
    ZeroingPlan::new(quiet.reset_by.iter().any(is_capture), kinds)
}

struct Reader<'g> {
    names: &'g Names,
}

impl Reader<'_> {
    fn list(&self, clauses: &Clauses) -> Vec<Clause> {
        clauses.iter().map(|clause| self.clause(clause)).collect()
    }

    fn clause(&self, clause: &model::Clause) -> Clause {
        match clause {
            model::Clause::Count { piece, owner, region, min, max } => {
                let kinds = piece
                    .as_ref()
                    .map_or_else(|| self.names.followers.clone(), |codes| self.names.kind_list(codes.iter()));
                let mut census = Census::new(kinds, owner_of(owner.as_ref(), Owner::Any));
                census.region = region.as_ref().map(|code| self.names.regions[code.as_str()]);
                census.min = min.as_ref().map_or(0, |min| **min as u32);
                census.max = max.as_ref().map(|max| **max as u32);
                Clause::Count(census)
            }
            model::Clause::Repetition { times } => Clause::Repetition(**times as u32),
            model::Clause::Quiet { turns } => Clause::Quiet(**turns as u32),
            model::Clause::CannotWin { owner } => Clause::CannotWin(owner_of(owner.as_ref(), Owner::Any)),
            model::Clause::Captive { owner } => Clause::Captive(owner_of(owner.as_ref(), Owner::Own)),
            model::Clause::Controlled { owner } => Clause::Controlled(owner_of(owner.as_ref(), Owner::Own)),
            model::Clause::Stuck { attacked } => Clause::Stuck(attacked.as_deref().copied()),
            model::Clause::Any { of } => Clause::Any(of.iter().map(|list| self.list(list)).collect()),
            model::Clause::Not { of } => Clause::Not(self.list(of)),
        }
    }
}

/// Converts an owner; the default differs between callers.
pub(super) fn owner_of(owner: Option<&At<model::Owner>>, otherwise: Owner) -> Owner {
    match owner.map(|owner| **owner) {
        None => otherwise,
        Some(model::Owner::Any) => Owner::Any,
        Some(model::Owner::Own) => Owner::Own,
        Some(model::Owner::Enemy) => Owner::Enemy,
        Some(model::Owner::Partner) => Owner::Partner,
        Some(model::Owner::Team) => Owner::Team,
    }
}
