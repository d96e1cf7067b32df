//! The history of a position: how often it has occurred, how long nothing has happened, and who gave check all the
//! time.

use crate::piece::{Player, PlayerSet};
use crate::position::Identity;
use crate::rules::Rules;

/// The history of a position, as far as endings need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many times the position has occurred, including now.
    pub repetitions: u32,
    /// Turns since the last zeroing move.
    pub quiet: u32,
    /// Who has given check all the time while the position was repeated.
    pub checks: PerpetualChecks,
}

impl Tally {
    /// Returns the tally of a position with these numbers of occurrences and quiet turns, without perpetual check.
    pub const fn new(repetitions: u32, quiet: u32) -> Self {
        Tally { repetitions, quiet, checks: PerpetualChecks::NONE }
    }
}

/// By player: over how many of the latest occurrences of a position, including now, each of the player's turns gave
/// check. 0 for a player who has not moved since the last occurrence, or gave check less often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerpetualChecks([u8; PlayerSet::MAX_PLAYERS]);

/// A turn of the game, for perpetual check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastTurn {
    /// The player whose turn it was.
    pub by: Player,
    /// Whether an enemy was in check after it.
    pub gave_check: bool,
}

impl PerpetualChecks {
    /// No player.
    pub const NONE: PerpetualChecks = PerpetualChecks([0; PlayerSet::MAX_PLAYERS]);

    /// Returns over how many occurrences all turns of the player gave check.
    pub fn occurrences(&self, player: Player) -> u32 {
        u32::from(self.0[player.index()])
    }

    /// Returns the same, with another number for a player.
    #[must_use]
    pub fn with(mut self, player: Player, occurrences: u8) -> Self {
        self.0[player.index()] = occurrences;
        self
    }

    /// Finds perpetual check in the turns before a position, latest first. With each turn comes whether the position
    /// before it is the same as the one now.
    pub fn find(turns: impl Iterator<Item = (PastTurn, bool)>) -> Self {
        let mut found = Self::NONE;
        let mut occurrences: u8 = 1;
        let (mut checking, mut others) = (PlayerSet::EMPTY, PlayerSet::EMPTY);
        for (turn, is_same) in turns {
            if !turn.gave_check {
                others = others.with(turn.by);
            } else if occurrences == 1 {
                checking = checking.with(turn.by);
            }
            checking = checking.without(others);
            if is_same {
                occurrences = occurrences.saturating_add(1);
                checking.iter().for_each(|player| found = found.with(player, occurrences));
                if checking.is_empty() {
                    break;
                }
            }
        }
        found
    }
}

impl Rules {
    /// Returns the tally of a position after these earlier ones, oldest first.
    pub fn tally<'p>(
        &self,
        earlier: impl DoubleEndedIterator<Item = &'p Identity> + Clone,
        present: &'p Identity,
        quiet: u32,
    ) -> Tally {
        let is_same = |other: &Identity| other.key() == present.key() && other == present;
        let repetitions = 1 + earlier.clone().filter(|other| is_same(other)).count() as u32;
        let mut tally = Tally::new(repetitions, quiet);
        if repetitions > 1 && self.asks_for_perpetual_check() {
            let mut after = present;
            let turns = earlier.rev().map(|before| {
                let by = self.mover(before.position());
                let gave_check = self.gives_check(after.position(), by);
                after = before;
                (PastTurn { by, gave_check }, is_same(before))
            });
            tally.checks = PerpetualChecks::find(turns);
        }
        tally
    }

    /// Returns whether an ending asks who has given check all the time.
    pub fn asks_for_perpetual_check(&self) -> bool {
        self.asks_for_perpetual_check
    }
}
