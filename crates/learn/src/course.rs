//! One game as learning needs it: where it stands, what was there before, and how it ends; no record, no offers, no clock.
//! How it ends is asked of the referee.

use tabiya_engine::{Die, Move, PlayerSet, Position, Rules, SplitMix, Tally, Termination};
use tabiya_notation::State;
use tabiya_referee::{End, Known, claim_of, end_of, end_of_known};
use tabiya_tensor::Sight;

/// If so many turns in a row pass because the die allows nothing, it never will.
const MOST_PASSES: u32 = 1000;

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub struct Course {
    position: Position,
    quiet: u32,
    repetitions: u32,
    /// What all earlier positions were for repetition, since men were lost: before that there were more of them.
    before: Vec<u64>,
    /// The same of the present one.
    present: u64,
    men: u32,
    moves: Vec<Move>,
    end: Option<End>,
    /// Whether an ending that may be claimed is.
    claims: bool,
    /// Whether somebody could still win when that was looked at last, and only moves that can be undone were made since.
    is_open: bool,
}

impl Course {
    /// A game from a state on. A die is thrown at once.
    pub fn new(rules: &Rules, state: &State, claims: bool, dice: &mut SplitMix) -> Self {
        let position = state.position.clone();
        let mut course = Course {
            quiet: state.quiet,
            repetitions: 1,
            before: Vec::new(),
            present: rules.identity_key(&position),
            men: position.piece_count(),
            moves: Vec::new(),
            end: None,
            claims,
            is_open: false,
            position,
        };
        course.roll(rules, dice);
        course.settle(rules);
        course
    }

    /// The same game in the memory of another.
    pub(crate) fn copy_from(&mut self, other: &Course) {
        let Course { position, quiet, repetitions, before, present, men, moves, end, claims, is_open } =
            other;
        self.position.clone_from(position);
        self.before.clone_from(before);
        self.moves.clone_from(moves);
        self.end.clone_from(end);
        (self.quiet, self.repetitions, self.present) = (*quiet, *repetitions, *present);
        (self.men, self.claims, self.is_open) = (*men, *claims, *is_open);
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How often it has been there, and how long it has been quiet.
    pub fn tally(&self) -> Tally {
        Tally { repetitions: self.repetitions, quiet: self.quiet }
    }

    /// Its legal moves, in any order; none if the game is over.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How it ended.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// What players see.
    pub fn sight(&self) -> Sight<'_> {
        Sight { position: &self.position, tally: self.tally(), moves: &self.moves }
    }

    /// Makes one of the legal moves, and whatever the die does before the next one.
    pub fn play(&mut self, rules: &Rules, played: Move, dice: &mut SplitMix) {
        self.advance(rules, played, dice);
        self.settle(rules);
    }

    /// The same, but nobody asks for the moves or the end.
    pub(crate) fn advance(&mut self, rules: &Rules, played: Move, dice: &mut SplitMix) {
        let next = rules.play_unchecked(&self.position, played);
        let kind = rules.moving_kind(&self.position, played);
        let is_loud = rules.is_zeroing(&self.position, kind, &next);
        self.is_open &= rules.is_reversible(&self.position, played);
        self.arrive(rules, next, if is_loud { 0 } else { self.quiet.saturating_add(1) });
        self.roll(rules, dice);
    }

    fn arrive(&mut self, rules: &Rules, next: Position, quiet: u32) {
        self.quiet = quiet;
        self.before.push(self.present);
        self.position = next;
        self.present = rules.identity_key(&self.position);
        let men = self.position.piece_count();
        if men < self.men {
            self.before.clear();
        }
        self.men = men;
        let same = self.before.iter().filter(|key| **key == self.present).count();
        self.repetitions = 1 + same as u32;
    }

    /// Throws the die, if one is awaited, until it allows a move.
    fn roll(&mut self, rules: &Rules, dice: &mut SplitMix) {
        let Some(faces) = rules.faces() else { return };
        for _ in 0..MOST_PASSES {
            let Some(Die::Awaited(throws)) = rules.die(&self.position) else { return };
            if end_of(rules, &self.position, self.tally()).is_some() {
                return;
            }
            let Some(next) = rules.throw(&self.position, dice.throw(faces)) else { return };
            if throws == 1 && !matches!(rules.die(&next), Some(Die::Shows(_))) {
                self.arrive(rules, next, self.quiet.saturating_add(1));
            } else {
                self.position = next;
            }
        }
        self.end =
            Some(End { winners: PlayerSet::EMPTY, reason: Termination::NobodyCanMove.as_str().to_owned() });
    }

    /// Lists the moves, and looks for the end.
    pub(crate) fn settle(&mut self, rules: &Rules) {
        self.moves.clear();
        if self.end.is_some() {
            return;
        }
        if self.position.ended().is_none() {
            rules.moves_into(&self.position, &mut self.moves);
        }
        let known = Known { can_move: !self.moves.is_empty(), is_open: self.is_still_open(rules) };
        let by_rule = end_of_known(rules, &self.position, self.tally(), known);
        let by_claim = || self.claims.then(|| claim_of(rules, &self.position, self.tally())).flatten();
        self.end = by_rule.or_else(by_claim);
        self.is_open = true;
        if self.end.is_some() {
            self.moves.clear();
        }
    }

    /// Whether somebody can surely still win: he could before, and since then only moves were made that can be undone. As long
    /// as whoever moves has such a move too, the position from before can come back, and what was possible in it. After every
    /// other move it is proved anew.
    fn is_still_open(&self, rules: &Rules) -> bool {
        self.is_open && self.moves.iter().any(|played| rules.is_reversible(&self.position, *played))
    }
}
