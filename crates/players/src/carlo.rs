//! The player who tries moves out, again and again: Monte Carlo tree search, for any number of sides and with dice.
//!
//! Every side plays for itself. A position that is reached for the first time is judged once its captures are over; what
//! that says about each side's chances is remembered on the whole way to it. Moves that did well are tried more often, and
//! so are those that promise something or were hardly tried.

#![allow(clippy::cast_precision_loss, reason = "chances need few digits, and counts are far below 2^23")]

use tabiya_engine::{Die, Move, Position, Rules};

use crate::search::Calm;
use crate::structure::Recent;
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

/// A position that was reached.
#[derive(Debug)]
struct Node {
    /// The side that chooses here.
    side: usize,
    visits: u32,
    edges: Vec<Edge>,
}

/// A move that may be tried.
#[derive(Debug)]
struct Edge {
    played: Move,
    prior: f32,
    visits: u32,
    /// What it came to for the side that chooses, in all.
    sum: f32,
    /// Where it leads; with dice, that depends on the throws.
    next: Vec<(u64, u32)>,
}

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
        let mut tree = Tree {
            rules,
            worth,
            calm,
            board: Board::default(),
            nodes: Vec::new(),
            moves: 0,
            dice: &mut self.dice,
        };
        tree.expand(position);
        let only = tree.nodes.first().filter(|root| root.edges.len() <= 1);
        if let Some(root) = only {
            return root.edges.first().map(|edge| edge.played);
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
            tree.try_out(position, depth);
            if limits.say_stop() {
                break;
            }
            if let Some(watch) = limits.watch
                && (done + 1).is_power_of_two()
            {
                watch(&tree.thought(done + 1));
            }
        }
        tree.best().map(|edge| edge.played)
    }
}

/// Everything that was tried in one turn.
struct Tree<'a> {
    rules: &'a Rules,
    worth: &'a Worth,
    calm: Calm<'a>,
    board: Board,
    nodes: Vec<Node>,
    moves: usize,
    dice: &'a mut SplitMix,
}

impl Tree<'_> {
    /// Goes down one line, and takes back what it comes to.
    fn try_out(&mut self, root: &Position, longest: usize) {
        let mut position = root.clone();
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut here = Some(0);
        while let Some(node) = here.filter(|node| way.len() < longest && !self.nodes[*node].edges.is_empty())
        {
            let edge = self.promising(node);
            way.push((node, edge));
            position = self.rules.play_unchecked(&position, self.nodes[node].edges[edge].played);
            self.throw(&mut position);
            let known = self.nodes[node].edges[edge].next.iter().find(|(key, _)| *key == position.key());
            here = known.map(|(_, next)| *next as usize);
            if here.is_none() {
                if let Some(next) = self.expand(&position) {
                    self.nodes[node].edges[edge].next.push((position.key(), next as u32));
                }
                break;
            }
        }
        let chances = self.chances(&position);
        for (node, edge) in way {
            let node = &mut self.nodes[node];
            node.visits += 1;
            let edge = &mut node.edges[edge];
            edge.visits += 1;
            edge.sum += chances[node.side];
        }
    }

    /// Throws the die until somebody can move.
    fn throw(&mut self, position: &mut Position) {
        // A face that allows nothing may be thrown again and again, but not for ever.
        for _ in 0..100 {
            let (Some(Die::Awaited(_)), Some(faces)) = (self.rules.die(position), self.rules.faces()) else {
                return;
            };
            let Some(next) = self.rules.throw(position, self.dice.throw(faces)) else { return };
            *position = next;
        }
    }

    /// Remembers a position with its moves, if there is room.
    fn expand(&mut self, position: &Position) -> Option<usize> {
        if self.moves > MOST_MOVES {
            return None;
        }
        let over = position.ended().is_some();
        let mut moves = if over { Vec::new() } else { self.rules.unsorted_moves(position) };
        moves.sort_unstable();
        self.moves += moves.len() + 1;
        self.worth.look(position, &mut self.board, &mut Recent::default());
        let mover = self.rules.mover(position);
        let prior = |played: &Move| {
            let promise = self.worth.promise(&self.board, *played).min(2000) as f32;
            let risk = if self.rules.is_attacked(position, played.to, mover) {
                self.worth.man(self.board.man(*played)) as f32
            } else {
                0.0
            };
            ((promise - risk).clamp(-1000.0, 1000.0) / TEMPER).exp()
        };
        // Chance decides between moves that promise the same, so that not every game is alike.
        let mut liked = || 0.9 + 0.2 * self.dice.below(1000) as f32 / 1000.0;
        let priors: Vec<f32> = moves.iter().map(|played| prior(played) * liked()).collect();
        let sum: f32 = priors.iter().sum();
        let edges = moves.into_iter().zip(priors).map(|(played, prior)| Edge {
            played,
            prior: prior / sum.max(f32::MIN_POSITIVE),
            visits: 0,
            sum: 0.0,
            next: Vec::new(),
        });
        self.nodes.push(Node { side: self.worth.side(mover), visits: 0, edges: edges.collect() });
        Some(self.nodes.len() - 1)
    }

    /// The move to try next: what it came to so far, and what it may come to.
    fn promising(&self, node: usize) -> usize {
        let node = &self.nodes[node];
        let root = (node.visits as f32 + 1.0).sqrt();
        let hope = |edge: &Edge| {
            // What was never tried is as good as an even game, or a little worse.
            let mean = if edge.visits == 0 { 0.4 } else { edge.sum / edge.visits as f32 };
            mean + CURIOSITY * edge.prior * root / (1.0 + edge.visits as f32)
        };
        let hopes = node.edges.iter().map(hope).enumerate();
        hopes.max_by(|one, other| one.1.total_cmp(&other.1)).map_or(0, |(index, _)| index)
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
        let edges = &self.nodes.first()?.edges;
        edges.iter().max_by_key(|edge| (edge.visits, std::cmp::Reverse(edge.played)))
    }

    fn thought(&self, nodes: u64) -> Thought {
        let mut line = Vec::new();
        let mut here = self.nodes.first();
        while let Some(edge) = here.and_then(|node| node.edges.iter().max_by_key(|edge| edge.visits))
            && edge.visits > 0
            && line.len() < LONGEST
        {
            line.push(edge.played);
            // With dice, nobody knows what comes next.
            here = if edge.next.len() == 1 { self.nodes.get(edge.next[0].1 as usize) } else { None };
        }
        let mean = self.best().map_or(0.5, |edge| edge.sum / edge.visits.max(1) as f32).clamp(0.001, 0.999);
        let standing = CLEAR / 3f32.ln() * (mean / (1.0 - mean)).ln();
        Thought { depth: line.len() as u32, nodes, score: Score::Standing(standing as i32), line }
    }
}

/// The chance to win with a standing.
fn chance(standing: f32) -> f32 {
    1.0 / (1.0 + (-standing * 3f32.ln() / CLEAR).exp())
}
