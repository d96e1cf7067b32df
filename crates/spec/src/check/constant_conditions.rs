//! Conditions of endings that hold always or never.
//!
//! Only simple cases are recognised. Most conditions are unknown.

use crate::model::{Clause, Clauses, EndingResult, EndingSpec};

use super::armies::may_freeze;
use super::prelude::*;

/// Whether a condition holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    /// In every position.
    Always,
    /// In no position.
    Never,
    /// It depends on the position, or the answer is unknown.
    Unknown,
}

impl Truth {
    fn not(self) -> Truth {
        match self {
            Truth::Always => Truth::Never,
            Truth::Never => Truth::Always,
            Truth::Unknown => Truth::Unknown,
        }
    }
}

/// The facts about a game that decide conditions.
pub(super) struct ConstantConditions<'g> {
    /// The largest possible count.
    squares: i32,
    /// Why it is never proved that a player cannot win.
    no_proof: Option<&'g str>,
    /// Whether captured leaders become captives.
    freezes: bool,
    /// Whether an army can be controlled by another player.
    controls: bool,
}

impl<'g> ConstantConditions<'g> {
    pub(super) fn new(view: &View<'g>) -> Self {
        let squares = view.board.as_ref().map_or(limits::SQUARES, |board| board.squares().count());
        let other_win = view.spec.endings.iter().any(|ending| is_won(ending));
        let no_proof = match &view.spec.leader {
            None => Some("`CANNOT_WIN` needs leaders, and this game has no `leader`"),
            Some(_) if other_win => {
                Some("`CANNOT_WIN` never holds if an ending has the result `WIN` or `LOSS`")
            }
            Some(_) => None,
        };
        let controls = view.spec.control.is_some() || view.spec.withdrawal.is_some();
        ConstantConditions { squares: squares as i32, no_proof, freezes: may_freeze(view), controls }
    }

    /// Evaluates a list of conditions that must all hold. Empty and unreadable lists are reported elsewhere.
    pub(super) fn list(&self, list: &At<Clauses>) -> Truth {
        let Some(clauses) = list.known().filter(|clauses| !clauses.is_empty()) else { return Truth::Unknown };
        let truths: Vec<Truth> = clauses.iter().map(|clause| self.clause(clause)).collect();
        every(&truths)
    }

    pub(super) fn clause(&self, clause: &Clause) -> Truth {
        match clause {
            Clause::Count { min, max, .. } => self.count(min.as_ref(), max.as_ref()),
            Clause::Repetition { times, checks: None } if times.known() == Some(&1) => Truth::Always,
            Clause::CannotWin { .. } if self.no_proof.is_some() => Truth::Never,
            Clause::Captive { .. } if !self.freezes => Truth::Never,
            Clause::Controlled { .. } if !self.controls => Truth::Never,
            Clause::Compare { .. }
            | Clause::Facing { .. }
            | Clause::InCheck { .. }
            | Clause::Repetition { .. }
            | Clause::Quiet { .. }
            | Clause::CannotWin { .. }
            | Clause::Captive { .. }
            | Clause::Controlled { .. }
            | Clause::Stuck { .. } => Truth::Unknown,
            Clause::Any { of } => self.any(of),
            Clause::All { of } => self.list(of),
            Clause::Not { of } => self.list(of).not(),
        }
    }

    /// Explains why a condition never holds, or how to fix it.
    pub(super) fn why_never(&self, clause: &Clause) -> &'g str {
        match (clause, self.no_proof) {
            (Clause::CannotWin { .. }, Some(reason)) => reason,
            (Clause::Captive { .. }, _) => {
                "leaders become captives with \"captured\": \"FREEZES\" under `leader`"
            }
            (Clause::Controlled { .. }, _) => "armies change hands with `control` or `withdrawal`",
            (Clause::Count { .. }, _) => "the board has fewer squares",
            _ => "write a condition that can hold",
        }
    }

    fn count(&self, min: Option<&At<i32>>, max: Option<&At<i32>>) -> Truth {
        let known = |bound: Option<&At<i32>>, absent| bound.map_or(Some(absent), |at| at.known().copied());
        match (known(min, 0), known(max, i32::MAX)) {
            (Some(min), Some(max)) if min > max || max < 0 || min < 0 => Truth::Unknown,
            (Some(min), Some(_)) if min > self.squares => Truth::Never,
            (Some(0), Some(max)) if max >= self.squares && (min.is_some() || max < i32::MAX) => Truth::Always,
            _ => Truth::Unknown,
        }
    }

    /// Evaluates a list of alternatives.
    fn any(&self, lists: &At<Vec<At<Clauses>>>) -> Truth {
        let Some(lists) = lists.known().filter(|lists| !lists.is_empty()) else { return Truth::Unknown };
        let failures: Vec<Truth> = lists.iter().map(|list| self.list(list).not()).collect();
        every(&failures).not()
    }
}

fn every(truths: &[Truth]) -> Truth {
    if truths.contains(&Truth::Never) {
        Truth::Never
    } else if truths.contains(&Truth::Unknown) {
        Truth::Unknown
    } else {
        Truth::Always
    }
}

/// Whether the ending has a winner.
fn is_won(ending: &EndingSpec) -> bool {
    ending.result.as_ref().and_then(At::known).is_some_and(|result| *result != EndingResult::Draw)
}
