//! The endings of a game, and which moves are loud.

use std::collections::BTreeSet;

use tabiya_engine::Kind;
use tabiya_engine::ending::{Census, Clause, EndingPlan, LoudPlan, Owner, Result, Trigger};

use super::Names;
use crate::model::{self, Clauses, GameSpec, QuietSpec};
use crate::place::At;

/// The endings, in their order.
pub(super) fn endings(spec: &GameSpec, names: &Names) -> Vec<EndingPlan> {
    let reader = Reader { spec, names };
    let endings = spec.endings.iter();
    endings
        .map(|ending| EndingPlan {
            code: ending.code.to_string(),
            by: match ending.by.as_deref() {
                Some(model::Trigger::Rule) | None => Trigger::Rule,
                Some(model::Trigger::Claim) => Trigger::Claim,
                Some(model::Trigger::Flag) => Trigger::Flag,
            },
            when: reader.list(&ending.when),
            result: match ending.result.as_deref() {
                Some(model::EndingResult::Draw) | None => Result::Draw,
                Some(model::EndingResult::Win) => Result::Win,
                Some(model::EndingResult::Loss) => Result::Loss,
            },
        })
        .collect()
}

/// What starts the count of quiet turns anew: captures, if the game does not say.
pub(super) fn loud(spec: &GameSpec, names: &Names) -> LoudPlan {
    let Some(quiet) = &spec.quiet else { return LoudPlan { captures: true, kinds: Vec::new() } };
    let is_capture = |word: &At<String>| word.as_str() == QuietSpec::CAPTURE;
    let kinds = quiet.reset_by.iter().filter(|word| !is_capture(word));
    LoudPlan {
        captures: quiet.reset_by.iter().any(is_capture),
        kinds: once_each(kinds.map(|code| names.kind(code))),
    }
}

/// A piece is counted once, however often a list names it.
fn once_each(kinds: impl Iterator<Item = Kind>) -> Vec<Kind> {
    let mut seen = BTreeSet::new();
    kinds.filter(|kind| seen.insert(*kind)).collect()
}

struct Reader<'g> {
    spec: &'g GameSpec,
    names: &'g Names,
}

impl Reader<'_> {
    fn list(&self, clauses: &Clauses) -> Vec<Clause> {
        clauses.iter().map(|clause| self.clause(clause)).collect()
    }

    fn clause(&self, clause: &model::Clause) -> Clause {
        match clause {
            model::Clause::Count { piece, owner, region, min, max } => Clause::Count(Census {
                kinds: piece.as_ref().map_or_else(|| self.all_but_the_leader(), |codes| self.kinds(codes)),
                owner: owner_of(owner.as_ref()),
                region: region.as_ref().map(|code| self.names.regions[code.as_str()]),
                min: min.as_ref().map_or(0, |min| **min as u32),
                max: max.as_ref().map(|max| **max as u32),
            }),
            model::Clause::Repetition { times } => Clause::Repetition(**times as u32),
            model::Clause::Quiet { turns } => Clause::Quiet(**turns as u32),
            model::Clause::CannotWin { owner } => Clause::CannotWin(owner_of(owner.as_ref())),
            model::Clause::Any { of } => Clause::Any(of.iter().map(|list| self.list(list)).collect()),
            model::Clause::Not { of } => Clause::Not(self.list(of)),
        }
    }

    fn kinds(&self, codes: &[At<String>]) -> Vec<Kind> {
        once_each(codes.iter().map(|code| self.names.kind(code)))
    }

    fn all_but_the_leader(&self) -> Vec<Kind> {
        let leader = self.spec.leader.as_ref().map(|code| self.names.kind(code));
        let kinds = self.spec.pieces.iter().map(|piece| self.names.kind(&piece.code));
        kinds.filter(|kind| Some(*kind) != leader).collect()
    }
}

fn owner_of(owner: Option<&At<model::Owner>>) -> Owner {
    match owner.map(|owner| **owner) {
        Some(model::Owner::Any) | None => Owner::Any,
        Some(model::Owner::Own) => Owner::Own,
        Some(model::Owner::Enemy) => Owner::Enemy,
    }
}
