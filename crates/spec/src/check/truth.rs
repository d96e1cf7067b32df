//! What can be said about the conditions of endings before anybody plays: some always hold, some never do.
//!
//! Only what is certain at a glance is found. Most conditions are open.

use crate::limits;
use crate::model::{Clause, Clauses, EndingResult, EndingSpec};
use crate::place::At;

use super::fates::may_freeze;
use super::view::View;

/// Whether a condition holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    /// In every position.
    Always,
    /// In no position.
    Never,
    /// Sometimes, or nobody knows.
    Open,
}

impl Truth {
    fn not(self) -> Truth {
        match self {
            Truth::Always => Truth::Never,
            Truth::Never => Truth::Always,
            Truth::Open => Truth::Open,
        }
    }
}

/// What the answers follow from.
pub(super) struct Sense<'g> {
    /// No count is larger than the board.
    squares: i32,
    /// Why nobody is ever proved unable to win.
    no_proof: Option<&'g str>,
    /// Whether a captured leader is captive.
    freezes: bool,
    /// Whether an army may come under somebody else's control.
    controls: bool,
}

impl<'g> Sense<'g> {
    pub(super) fn new(view: &View<'g>) -> Self {
        let squares = view.board.as_ref().map_or(limits::SQUARES, |board| board.squares().count());
        let other_win = view.spec.endings.iter().any(|ending| is_won(ending));
        let no_proof = match &view.spec.leader {
            None => Some("`CANNOT_WIN` is proved by the leaders, and this game has no `leader`"),
            Some(_) if other_win => {
                Some("`CANNOT_WIN` is proved only where no ending has the result `WIN` or `LOSS`")
            }
            Some(_) => None,
        };
        let controls = view.spec.control.is_some() || view.spec.withdrawal.is_some();
        Sense { squares: squares as i32, no_proof, freezes: may_freeze(view), controls }
    }

    /// All of a list must hold. One that is empty or was not read is a fault of its own.
    pub(super) fn list(&self, list: &At<Clauses>) -> Truth {
        let Some(clauses) = list.known().filter(|clauses| !clauses.is_empty()) else { return Truth::Open };
        let truths: Vec<Truth> = clauses.iter().map(|clause| self.clause(clause)).collect();
        every(&truths)
    }

    pub(super) fn clause(&self, clause: &Clause) -> Truth {
        match clause {
            Clause::Count { min, max, .. } => self.count(min.as_ref(), max.as_ref()),
            Clause::Repetition { times } if times.known() == Some(&1) => Truth::Always,
            Clause::CannotWin { .. } if self.no_proof.is_some() => Truth::Never,
            Clause::Captive { .. } if !self.freezes => Truth::Never,
            Clause::Controlled { .. } if !self.controls => Truth::Never,
            Clause::Repetition { .. }
            | Clause::Quiet { .. }
            | Clause::CannotWin { .. }
            | Clause::Captive { .. }
            | Clause::Controlled { .. }
            | Clause::Stuck { .. } => Truth::Open,
            Clause::Any { of } => self.any(of),
            Clause::Not { of } => self.list(of).not(),
        }
    }

    /// What could be done about a condition that never holds.
    pub(super) fn why_never(&self, clause: &Clause) -> &'g str {
        match (clause, self.no_proof) {
            (Clause::CannotWin { .. }, Some(reason)) => reason,
            (Clause::Captive { .. }, _) => {
                "leaders are captive with \"captured\": \"FREEZES\" under `leader`"
            }
            (Clause::Controlled { .. }, _) => "armies change hands with `control` or `withdrawal`",
            (Clause::Count { .. }, _) => "the board has fewer squares than that",
            _ => "ask for something that may hold",
        }
    }

    fn count(&self, min: Option<&At<i32>>, max: Option<&At<i32>>) -> Truth {
        let known = |bound: Option<&At<i32>>, absent| bound.map_or(Some(absent), |at| at.known().copied());
        match (known(min, 0), known(max, i32::MAX)) {
            (Some(min), Some(max)) if min > max || max < 0 || min < 0 => Truth::Open,
            (Some(min), Some(_)) if min > self.squares => Truth::Never,
            (Some(0), Some(max)) if max >= self.squares && (min.is_some() || max < i32::MAX) => Truth::Always,
            _ => Truth::Open,
        }
    }

    /// One of several lists must hold, so not all of them fail.
    fn any(&self, lists: &At<Vec<At<Clauses>>>) -> Truth {
        let Some(lists) = lists.known().filter(|lists| !lists.is_empty()) else { return Truth::Open };
        let failures: Vec<Truth> = lists.iter().map(|list| self.list(list).not()).collect();
        every(&failures).not()
    }
}

fn every(truths: &[Truth]) -> Truth {
    if truths.contains(&Truth::Never) {
        Truth::Never
    } else if truths.contains(&Truth::Open) {
        Truth::Open
    } else {
        Truth::Always
    }
}

/// Whether somebody wins by the ending.
fn is_won(ending: &EndingSpec) -> bool {
    ending.result.as_ref().and_then(At::known).is_some_and(|result| *result != EndingResult::Draw)
}
