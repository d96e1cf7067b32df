//! One game for learning: the position, its history and its end, without a record, offers or a clock. The referee decides
//! how it ends.

use tabiya_engine::{
    DeadCheck, Die, Move, PastTurn, PerpetualChecks, PlayerSet, Position, Rules, SplitMix, Tally, Termination,
};
use tabiya_notation::State;
use tabiya_referee::{End, KnownFacts, end_by_claim, end_by_rule, end_by_rule_knowing};
use tabiya_tensor::PositionView;

/// After this many passed turns in a row, the die is assumed never to allow a move.
const MAX_PASSES: u32 = 1000;

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub struct Episode {
    position: Position,
    quiet: u32,
    repetitions: u32,
    /// Repetition keys of the earlier positions that can recur: those since the last capture, or all if there are hands.
    earlier: Vec<u64>,
    /// The turns after these positions, if the rules ask who gives check all the time.
    turns: Vec<PastTurn>,
    checks: PerpetualChecks,
    /// The repetition key of the current position.
    key: u64,
    piece_count: u32,
    moves: Vec<Move>,
    end: Option<End>,
    /// Whether claimable endings are claimed at once.
    claims: bool,
    /// Whether a win was possible at the last check and all moves since then were reversible.
    is_open: bool,
}

impl Episode {
    /// Starts a game from a state. A pending die is thrown at once.
    pub fn new(rules: &Rules, state: &State, claims: bool, rng: &mut SplitMix) -> Self {
        let position = state.position.clone();
        let mut episode = Episode {
            quiet: state.quiet,
            repetitions: 1,
            earlier: Vec::new(),
            turns: Vec::new(),
            checks: PerpetualChecks::NONE,
            key: rules.identity_key(&position),
            piece_count: position.piece_count(),
            moves: Vec::new(),
            end: None,
            claims,
            is_open: false,
            position,
        };
        episode.throw_die(rules, rng);
        episode.update(rules);
        episode
    }

    /// Copies another game and reuses the allocations.
    pub(crate) fn copy_from(&mut self, other: &Episode) {
        let Episode { position, quiet, repetitions, earlier, turns, checks, .. } = other;
        let Episode { key, piece_count, moves, end, claims, is_open, .. } = other;
        self.position.clone_from(position);
        self.earlier.clone_from(earlier);
        self.turns.clone_from(turns);
        self.checks = *checks;
        self.moves.clone_from(moves);
        self.end.clone_from(end);
        (self.quiet, self.repetitions, self.key) = (*quiet, *repetitions, *key);
        (self.piece_count, self.claims, self.is_open) = (*piece_count, *claims, *is_open);
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The repetition and quiet-turn counters.
    pub fn tally(&self) -> Tally {
        Tally { repetitions: self.repetitions, quiet: self.quiet, checks: self.checks }
    }

    /// The legal moves in any order; none if the game is over.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How the game ended, if it has.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The input of an encoding.
    pub fn view(&self) -> PositionView<'_> {
        PositionView { position: &self.position, tally: self.tally(), moves: &self.moves }
    }

    /// Plays a legal move, and throws the die for the next one.
    pub fn play(&mut self, rules: &Rules, played: Move, rng: &mut SplitMix) {
        self.advance(rules, played, rng);
        self.update(rules);
    }

    /// Plays a legal move without listing the next moves or looking for the end.
    pub(crate) fn advance(&mut self, rules: &Rules, played: Move, rng: &mut SplitMix) {
        let next = rules.play_unchecked(&self.position, played);
        let kind = rules.moving_kind(&self.position, played);
        let is_zeroing = rules.is_zeroing(&self.position, kind, &next);
        self.is_open &= rules.is_reversible(&self.position, played);
        self.arrive(rules, next, if is_zeroing { 0 } else { self.quiet.saturating_add(1) });
        self.throw_die(rules, rng);
    }

    fn arrive(&mut self, rules: &Rules, next: Position, quiet: u32) {
        self.quiet = quiet;
        self.earlier.push(self.key);
        if rules.asks_for_perpetual_check() {
            let by = rules.mover(&self.position);
            self.turns.push(PastTurn { by, gave_check: rules.gives_check(&next, by) });
        }
        self.position = next;
        self.key = rules.identity_key(&self.position);
        let piece_count = self.position.piece_count();
        // A captured piece that goes to a hand may return.
        if piece_count < self.piece_count && !rules.has_hands() {
            self.earlier.clear();
            self.turns.clear();
        }
        self.piece_count = piece_count;
        let same = self.earlier.iter().filter(|key| **key == self.key).count();
        self.repetitions = 1 + same as u32;
        if rules.asks_for_perpetual_check() {
            self.checks = self.find_perpetual_checks();
        }
    }

    fn find_perpetual_checks(&self) -> PerpetualChecks {
        if self.repetitions == 1 {
            return PerpetualChecks::NONE;
        }
        let turns = self.turns.iter().zip(&self.earlier).rev();
        PerpetualChecks::find(turns.map(|(turn, key)| (*turn, *key == self.key)))
    }

    /// Throws a pending die until it allows a move.
    fn throw_die(&mut self, rules: &Rules, rng: &mut SplitMix) {
        let Some(faces) = rules.faces() else { return };
        for _ in 0..MAX_PASSES {
            let Some(Die::Awaited(throws)) = rules.die(&self.position) else { return };
            if end_by_rule(rules, &self.position, self.tally()).is_some() {
                return;
            }
            let Some(next) = rules.throw(&self.position, rng.throw(faces)) else { return };
            if throws == 1 && !matches!(rules.die(&next), Some(Die::Shows(_))) {
                self.arrive(rules, next, self.quiet.saturating_add(1));
            } else {
                self.position = next;
            }
        }
        self.end =
            Some(End { winners: PlayerSet::EMPTY, reason: Termination::NobodyCanMove.as_str().to_owned() });
    }

    /// Lists the legal moves and looks for the end.
    pub(crate) fn update(&mut self, rules: &Rules) {
        self.moves.clear();
        if self.end.is_some() {
            return;
        }
        if self.position.ended().is_none() {
            rules.moves_into(&self.position, &mut self.moves);
        }
        let is_open = self.is_still_open(rules);
        let dead_check = if is_open { DeadCheck::Skip } else { DeadCheck::WithoutSearch };
        let known = KnownFacts { can_move: !self.moves.is_empty(), dead_check };
        let by_rule = end_by_rule_knowing(rules, &self.position, self.tally(), known);
        let by_claim = || self.claims.then(|| end_by_claim(rules, &self.position, self.tally())).flatten();
        self.end = by_rule.or_else(by_claim);
        self.is_open = true;
        if self.end.is_some() {
            self.moves.clear();
        }
    }

    /// Whether a win is certainly still possible, so that the dead-position check can be skipped: it was possible before,
    /// and all moves since then are reversible. As long as the player to move has a reversible move too, the earlier
    /// position can return.
    fn is_still_open(&self, rules: &Rules) -> bool {
        self.is_open && self.moves.iter().any(|played| rules.is_reversible(&self.position, *played))
    }
}
