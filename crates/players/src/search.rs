//! The player who looks ahead: alpha-beta to a few moves, then captures until the board is calm; deeper and deeper while
//! the limits allow it.
//!
//! With more than two players it is suspicious: all the others are taken to play against it together. That keeps the
//! cut-offs of two sides, and it is right about what nobody can prevent.

mod best;
mod memory;
mod order;
mod tree;

use tabiya_engine::{Move, Position, Rules};

use crate::worth::Known;
use crate::{Chooser, Limits, SplitMix};
use tree::Tree;

/// Chooses the move that leads furthest against the best replies.
#[derive(Clone, Debug)]
pub struct Search {
    dice: SplitMix,
    plies: Option<u32>,
    known: Known,
}

impl Search {
    /// No search looks further ahead.
    pub const MAX_PLIES: u32 = 64;

    /// By less than so many hundredths the seed prefers one move to another.
    const WHIM: usize = 10;

    /// The player of a seed. Where no limit says otherwise, it looks ahead until everybody has moved once (two moves,
    /// between two players), as far as its patience lasts.
    pub fn new(seed: u64) -> Self {
        Search { dice: SplitMix::new(seed), plies: None, known: Known::default() }
    }

    /// The player of a seed who looks so many moves ahead where no limit says otherwise, as far as its patience lasts.
    pub fn with_plies(seed: u64, plies: u32) -> Self {
        Search { plies: Some(plies), ..Search::new(seed) }
    }

    /// How far to look ahead: as was asked for, or until another limit ends it. Where there is no choice, there is
    /// nothing to think about.
    fn plies_within(&self, rules: &Rules, position: &Position, choices: usize, limits: &Limits<'_>) -> u32 {
        let once_each = || rules.alive(position).len().max(2) as u32;
        let plies = match limits.depth {
            Some(depth) => depth,
            None if choices == 1 => 1,
            None if limits.are_open() => self.plies.unwrap_or_else(once_each),
            None => Self::MAX_PLIES,
        };
        plies.clamp(1, Self::MAX_PLIES)
    }
}

impl Chooser for Search {
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        let moves = rules.legal_moves(position);
        let plies = self.plies_within(rules, position, moves.len(), limits);
        let mut whims: Vec<(Move, i32)> =
            moves.iter().map(|played| (*played, self.dice.below(Self::WHIM) as i32)).collect();
        // Of moves that are equally good, the first is chosen.
        self.dice.shuffle(&mut whims);
        if whims.is_empty() {
            return None;
        }
        let worth = self.known.of(rules);
        let thought = Tree::new(rules, worth, rules.mover(position), limits).think(position, &whims, plies);
        thought.line.first().copied()
    }
}
