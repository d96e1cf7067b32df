//! The player who tries moves out, again and again: Monte Carlo tree search, for any number of sides and with dice.
//!
//! Every side plays for itself. A position that is reached for the first time is judged once its captures are over; what
//! that says about each side's chances is remembered on the whole way to it. Moves that did well are tried more often, and
//! so are those that promise something or were hardly tried.

#![allow(clippy::cast_precision_loss, reason = "chances need few digits, and counts are far below 2^23")]

use tabiya_engine::{Die, Move, Position, Rules};

use crate::search::Calm;
use crate::structure::Recent;
use crate::tree::{Arrival, Edge, Tree, Way};
use crate::worth::{Board, Worth};
use crate::{Chooser, Limits, Score, Search, SplitMix, Thought, Values};

/// Chooses the move that it tried most often.
#[derive(Clone, Debug)]
pub struct Carlo {
    dice: SplitMix,
    values: Option<Values>,
}

/// Where no limit says otherwise, it tries so many lines.
const TRIES: u64 = 2_000;
/// How much it likes to try what it knows little about.
const CURIOSITY: f32 = 1.4;
/// A standing of so many hundredths makes a chance of three to one.
const CLEAR: f32 = 400.0;
/// What a move promises counts so much: more makes the first choice depend more on it.
const TEMPER: f32 = 250.0;
/// No line is longer.
const LONGEST: usize = 200;
/// It remembers no more moves than that: what is reached later is judged and forgotten.
const MOST_MOVES: usize = 2_000_000;

impl Carlo {
    /// The player of a seed.
    pub fn new(seed: u64) -> Self {
        Carlo { dice: SplitMix::new(seed), values: None }
    }

    /// The same with these values, in the game that they are of.
    #[must_use]
    pub fn valuing(self, values: impl Into<Option<Values>>) -> Self {
        Carlo { values: values.into(), ..self }
    }
}

impl Chooser for Carlo {
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        let worth = Values::known(&mut self.values, rules).worth();
        let calm = Calm::new(rules, worth);
        let mut trial = Trial {
            rules,
            worth,
            calm,
            board: Board::default(),
            tree: Tree::default(),
            way: Way::default(),
            dice: &mut self.dice,
        };
        trial.expand(position);
        if let [] | [_] = trial.tree.edges(0) {
            return trial.tree.edges(0).first().map(Edge::played);
        }
        let depth = limits.depth.map_or(LONGEST, |depth| depth as usize).clamp(1, LONGEST);
        // To look so far ahead takes so many lines, more or less.
        let tries = match (limits.nodes, limits.depth, limits.stop) {
            (Some(nodes), _, _) => nodes,
            (None, Some(depth), _) => TRIES.saturating_mul(u64::from(depth.min(Search::MAX_PLIES))),
            (None, None, Some(_)) => u64::MAX,
            (None, None, None) => TRIES,
        };
        for done in 0..tries.max(1) {
            trial.try_out(position, depth);
            if limits.say_stop() {
                break;
            }
            if let Some(watch) = limits.watch
                && (done + 1).is_power_of_two()
            {
                watch(&trial.thought(done + 1));
            }
        }
        trial.best().map(Edge::played)
    }
}

/// Everything that was tried in one turn.
struct Trial<'a> {
    rules: &'a Rules,
    worth: &'a Worth,
    calm: Calm<'a>,
    board: Board,
    tree: Tree,
    way: Way,
    dice: &'a mut SplitMix,
}

impl Trial<'_> {
    /// Goes down one line, and takes back what it comes to.
    fn try_out(&mut self, root: &Position, longest: usize) {
        let mut position = root.clone();
        // What was never tried is as good as an even game, or a little worse.
        let choose = |tree: &Tree, node: usize, _: usize| tree.promising(node, CURIOSITY, Some(0.4));
        let Self { rules, tree, way, dice, .. } = self;
        let arrival = tree.descend(way, longest, choose, |played| {
            position = rules.play_unchecked(&position, played);
            throw(rules, &mut position, dice);
            position.key()
        });
        if let Arrival::New(key) = arrival
            && let Some(next) = self.expand(&position)
        {
            self.tree.hang(&self.way, key, next);
        }
        let chances = self.chances(&position);
        self.tree.learn(&self.way, &chances);
    }

    /// Remembers a position with its moves, if there is room.
    fn expand(&mut self, position: &Position) -> Option<usize> {
        if self.tree.size() > MOST_MOVES {
            return None;
        }
        let over = position.ended().is_some();
        let mut moves = if over { Vec::new() } else { self.rules.unsorted_moves(position) };
        moves.sort_unstable();
        self.worth.look(position, &mut self.board, &mut Recent::default());
        let mover = self.rules.mover(position);
        let promise = |played: &Move| {
            let promise = self.worth.promise(&self.board, *played).min(2000) as f32;
            let risk = if self.rules.is_attacked(position, played.to, mover) {
                self.worth.man(self.board.man(*played)) as f32
            } else {
                0.0
            };
            (promise - risk).clamp(-1000.0, 1000.0) / TEMPER
        };
        // Chance decides between moves that promise the same, so that not every game is alike.
        let mut liked = || (0.9 + 0.2 * self.dice.below(1000) as f32 / 1000.0).ln();
        let promised: Vec<(Move, f32)> =
            moves.iter().map(|played| (*played, promise(played) + liked())).collect();
        Some(self.tree.grow(self.worth.side(mover), 0.5, promised))
    }

    /// By side: how likely it is to win, or how it has ended.
    fn chances(&mut self, position: &Position) -> Vec<f32> {
        let sides = self.worth.sides();
        if let Some(outcome) = self.rules.outcome(position) {
            let won: Vec<usize> = outcome.winners.iter().map(|player| self.worth.side(player)).collect();
            let share = |side: usize| match won.len() {
                0 => 1.0 / sides as f32,
                _ if won.contains(&side) => 1.0,
                _ => 0.0,
            };
            return (0..sides).map(share).collect();
        }
        let mover = self.rules.mover(position);
        let own = chance(self.calm.score(position) as f32);
        self.worth.look(position, &mut self.board, &mut Recent::default());
        let mut chances = vec![0.0f32; sides];
        for player in self.rules.alive(position).iter() {
            chances[self.worth.side(player)] = chance(self.worth.standing(&self.board, player) as f32);
        }
        let side = self.worth.side(mover);
        let others: f32 = chances.iter().enumerate().filter(|(other, _)| *other != side).map(|it| it.1).sum();
        // The others share what is left.
        for (other, chance) in chances.iter_mut().enumerate() {
            *chance = if other == side { own } else { *chance * (1.0 - own) / others.max(f32::MIN_POSITIVE) };
        }
        chances
    }

    fn best(&self) -> Option<&Edge> {
        self.tree.most_tried(0).map(|index| &self.tree.edges(0)[index])
    }

    fn thought(&self, nodes: u64) -> Thought {
        let mut line = Vec::new();
        let mut here = Some(0);
        while let Some(edge) =
            here.and_then(|node| self.tree.edges(node).iter().max_by_key(|edge| edge.visits()))
            && edge.visits() > 0
            && line.len() < LONGEST
        {
            line.push(edge.played());
            // With dice, nobody knows what comes next.
            here = edge.only_next();
        }
        let mean = self.best().and_then(Edge::mean).unwrap_or(0.5).clamp(0.001, 0.999);
        let standing = CLEAR / 3f32.ln() * (mean / (1.0 - mean)).ln();
        Thought { depth: line.len() as u32, nodes, score: Score::Standing(standing as i32), line }
    }
}

/// Throws the die until somebody can move.
fn throw(rules: &Rules, position: &mut Position, dice: &mut SplitMix) {
    // A face that allows nothing may be thrown again and again, but not for ever.
    for _ in 0..100 {
        let (Some(Die::Awaited(_)), Some(faces)) = (rules.die(position), rules.faces()) else {
            return;
        };
        let Some(next) = rules.throw(position, dice.throw(faces)) else { return };
        *position = next;
    }
}

/// The chance to win with a standing.
fn chance(standing: f32) -> f32 {
    1.0 / (1.0 + (-standing * 3f32.ln() / CLEAR).exp())
}
