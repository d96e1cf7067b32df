//! The player who looks ahead: alpha-beta to a few moves, then captures until the board is calm; deeper and deeper while
//! the limits allow it.
//!
//! With more than two sides, whoever of the others has the best answer to a move answers it, and the rest of them let
//! their turns go by: that keeps the cut-offs of two sides, looks further than if everybody moved, and fears each of the
//! others without believing that they are all of one mind. With dice, all the others are taken to play together.

mod best;
mod memory;
mod order;
mod path;
mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tabiya_engine::{Move, Player, Position, Rules};

use crate::worth::Worth;
use crate::{Chooser, Limits, SplitMix, Thought, Values};
use memory::Memory;
use tree::{Company, Tree};

/// Chooses the move that leads furthest against the best replies.
#[derive(Clone, Debug)]
pub struct Search {
    dice: SplitMix,
    values: Option<Values>,
    /// By how many hundredths a whim may decide.
    whim: usize,
    threads: usize,
    megabytes: usize,
    memory: Option<Arc<Memory>>,
}

impl Search {
    /// No search looks further ahead.
    pub const MAX_PLIES: u32 = 64;

    /// By less than so many hundredths the seed prefers one move to another.
    const WHIM: usize = 10;
    /// What it remembers takes so much room, unless told otherwise.
    const MEGABYTES: usize = 8;

    /// The player of a seed. Where no limit says otherwise, it looks ahead as far as its patience lasts: some hundredths of a
    /// second, or a second in the largest games, without a clock.
    pub fn new(seed: u64) -> Self {
        Search {
            dice: SplitMix::new(seed),
            values: None,
            whim: Self::WHIM,
            threads: 1,
            megabytes: Self::MEGABYTES,
            memory: None,
        }
    }

    /// The same with so many threads, which share what they find out. With more than one, the same seed may not give the
    /// same move.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Search { threads: threads.clamp(1, Self::MAX_THREADS), ..self }
    }

    /// The same with so many megabytes to remember positions in.
    #[must_use]
    pub fn memory(self, megabytes: usize) -> Self {
        Search { megabytes: megabytes.clamp(1, 1 << 16), memory: None, ..self }
    }

    /// The same with these values, in the game that they are of.
    #[must_use]
    pub fn valuing(self, values: impl Into<Option<Values>>) -> Self {
        Search { values: values.into(), memory: None, ..self }
    }

    /// The same, for whom moves that differ by less than so many hundredths are as good as each other.
    #[must_use]
    pub fn whims(self, hundredths: usize) -> Self {
        Search { whim: hundredths.max(1), ..self }
    }

    /// More threads are not used.
    pub const MAX_THREADS: usize = 256;

    /// How far to look ahead: as was asked for, or until another limit ends it. Where there is no choice, there is
    /// nothing to think about.
    fn plies_within(choices: usize, limits: &Limits<'_>) -> u32 {
        let plies = limits.depth.unwrap_or(if choices == 1 { 1 } else { Self::MAX_PLIES });
        plies.clamp(1, Self::MAX_PLIES)
    }
}

impl Chooser for Search {
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        let moves = rules.legal_moves(position);
        let plies = Self::plies_within(moves.len(), limits);
        let mut whims: Vec<(Move, i32)> =
            moves.iter().map(|played| (*played, self.dice.below(self.whim) as i32)).collect();
        // Of moves that are equally good, the first is chosen.
        self.dice.shuffle(&mut whims);
        if whims.is_empty() {
            return None;
        }
        let me = rules.decider(position, rules.mover(position));
        let is_new_game = !self.values.as_ref().is_some_and(|values| values.are_of(rules));
        let memory = self.memory.take().filter(|_| !is_new_game);
        let memory = memory.unwrap_or_else(|| Arc::new(Memory::new(self.megabytes)));
        let worth = Values::known(&mut self.values, rules).worth();
        let thought = if self.threads > 1 {
            together(self.threads, rules, worth, me, position, &whims, plies, limits, &memory)
        } else {
            Tree::new(rules, worth, me, limits, Some(&memory)).think(position, &whims, 1..=plies)
        };
        self.memory = Some(memory);
        thought.line.first().copied()
    }
}

/// What positions come to once their captures are over, for those who look ahead in another way.
pub(crate) struct Calm<'a>(Tree<'a>);

impl<'a> Calm<'a> {
    pub(crate) fn new(rules: &'a Rules, worth: &'a Worth) -> Self {
        Calm(Tree::new(rules, worth, rules.turn_of(0), &Limits::OPEN, None))
    }

    /// How the player to move stands.
    pub(crate) fn score(&mut self, position: &Position) -> i32 {
        self.0.calm_score(position)
    }
}

/// Several threads look at the same moves to different depths and share what they find out; the first of them decides.
#[expect(clippy::too_many_arguments, reason = "what one thread needs, all of them do")]
fn together(
    threads: usize,
    rules: &Rules,
    worth: &Worth,
    me: Player,
    position: &Position,
    whims: &[(Move, i32)],
    plies: u32,
    limits: &Limits<'_>,
    memory: &Memory,
) -> Thought {
    let is_over = AtomicBool::new(false);
    let helped = AtomicU64::new(0);
    let (depth, earlier) = (limits.depth, limits.earlier);
    thread::scope(|scope| {
        for number in 1..threads {
            let (is_over, helped) = (&is_over, &helped);
            let help = move || {
                let stop = || is_over.load(Ordering::Relaxed);
                let limits = Limits { depth, nodes: None, stop: Some(&stop), watch: None, earlier };
                let first = 1 + (number % 2) as u32;
                let tree = Tree::new(rules, worth, me, &limits, Some(memory)).with(Company::Helps(helped));
                tree.think(position, whims, first..=plies + 1);
            };
            // Where the system gives no more threads, those that there are do it.
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let tree = Tree::new(rules, worth, me, limits, Some(memory)).with(Company::Leads(&helped));
        let thought = tree.think(position, whims, 1..=plies);
        is_over.store(true, Ordering::Relaxed);
        thought
    })
}
