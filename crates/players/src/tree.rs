//! The tree that Monte Carlo search grows: which moves were tried, how often, and what they came to for the side that made
//! them. It knows no positions and no judge: whoever uses it plays the moves, and brings what a new position promises.
//!
//! ```
//! use tabiya_players::{Tree, Way};
//!
//! let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let start = rules.start();
//! let moves = rules.legal_moves(&start);
//! let (mut tree, mut way) = (Tree::default(), Way::default());
//! tree.grow(0, 0.5, moves.iter().map(|played| (*played, 0.0)));
//! for _ in 0..40 {
//!     let mut position = start.clone();
//!     tree.descend(&mut way, 1, |tree, node, _| tree.promising(node, 1.4, None), |played| {
//!         position = rules.play_unchecked(&position, played);
//!         position.key()
//!     });
//!     // Whoever judges says it to every side; here the first has two chances in three.
//!     tree.learn(&way, &[0.67, 0.33]);
//! }
//! assert_eq!(tree.edges(0).iter().map(|edge| edge.visits()).sum::<u32>(), 40);
//! ```

#![allow(clippy::cast_precision_loss, reason = "chances need few digits, and counts are far below 2^23")]

mod gumbel;

pub use gumbel::{Halving, Seen};

use tabiya_engine::Move;

/// What was tried from one position.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// A position that was reached.
#[derive(Clone, Debug)]
struct Node {
    /// The side that chooses here.
    side: u32,
    visits: u32,
    /// The chance of that side, as it was judged when the position was reached first.
    chance: f32,
    /// Its moves among all edges.
    first: u32,
    count: u32,
}

/// A move that may be tried.
#[derive(Clone, Debug)]
pub struct Edge {
    played: Move,
    logit: f32,
    prior: f32,
    visits: u32,
    /// What it came to for the side that chooses, in all.
    sum: f32,
    /// Where it leads; with dice, that depends on the throws.
    next: Vec<(u64, u32)>,
}

/// A line through the tree, from the root on.
#[derive(Clone, Debug, Default)]
pub struct Way(Vec<(u32, u32)>);

/// Where a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// On a position that was reached before, by its number: nothing follows it, or the line is as long as it may be.
    Known(usize),
    /// On a new one, with this key: see [`Tree::hang`].
    New(u64),
}

impl Edge {
    /// The move.
    pub fn played(&self) -> Move {
        self.played
    }

    /// How often it was tried.
    pub fn visits(&self) -> u32 {
        self.visits
    }

    /// What it came to on average, from 0 for lost to 1 for won; nothing if it was never tried.
    pub fn mean(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.sum / self.visits as f32)
    }

    /// The share that it was promised.
    pub fn prior(&self) -> f32 {
        self.prior
    }

    /// Where it led, if that was always the same place.
    pub fn only_next(&self) -> Option<usize> {
        if let [(_, next)] = self.next[..] { Some(next as usize) } else { None }
    }
}

impl Way {
    /// How many moves it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Tree {
    /// Forgets everything; the memory is kept.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// Whether it has no root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How much it remembers: positions and moves.
    pub fn size(&self) -> usize {
        self.nodes.len() + self.edges.len()
    }

    /// Remembers a position: who chooses there, his chance from 0 to 1, and his moves, each with the logarithm of what it
    /// promises. The first one is the root.
    pub fn grow(&mut self, side: usize, chance: f32, moves: impl IntoIterator<Item = (Move, f32)>) -> usize {
        let first = self.edges.len();
        self.edges.extend(moves.into_iter().map(|(played, logit)| Edge {
            played,
            logit,
            prior: 0.0,
            visits: 0,
            sum: 0.0,
            next: Vec::new(),
        }));
        let edges = &mut self.edges[first..];
        let most = edges.iter().map(|edge| edge.logit).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = edges.iter().map(|edge| (edge.logit - most).exp()).sum();
        for edge in edges.iter_mut() {
            edge.prior = (edge.logit - most).exp() / sum;
        }
        let count = edges.len() as u32;
        self.nodes.push(Node { side: side as u32, visits: 0, chance, first: first as u32, count });
        self.nodes.len() - 1
    }

    /// Mixes something else into the shares that moves of a position were promised.
    pub fn mix(&mut self, node: usize, fraction: f32, others: &[f32]) {
        for (edge, other) in self.edges_mut(node).iter_mut().zip(others) {
            edge.prior = (1.0 - fraction) * edge.prior + fraction * other;
        }
    }

    /// The moves of a position.
    pub fn edges(&self, node: usize) -> &[Edge] {
        let Node { first, count, .. } = self.nodes[node];
        &self.edges[first as usize..][..count as usize]
    }

    fn edges_mut(&mut self, node: usize) -> &mut [Edge] {
        let Node { first, count, .. } = self.nodes[node];
        &mut self.edges[first as usize..][..count as usize]
    }

    /// The chance of whoever chooses in a position: as it was judged, and as its moves came out.
    pub fn chance(&self, node: usize) -> f32 {
        let sum: f32 = self.edges(node).iter().map(|edge| edge.sum).sum();
        (self.nodes[node].chance + sum) / (1.0 + self.nodes[node].visits as f32)
    }

    /// Goes down from the root. `choose` says which move to try, given the tree, the position's number and how far it is from
    /// the root; `go` makes it and gives the key of where it leads. The way is remembered for [`Tree::learn`].
    pub fn descend(
        &mut self,
        way: &mut Way,
        longest: usize,
        choose: impl Fn(&Tree, usize, usize) -> usize,
        mut go: impl FnMut(Move) -> u64,
    ) -> Arrival {
        way.0.clear();
        let mut node = 0;
        while way.len() < longest && self.nodes[node].count > 0 {
            let edge = choose(self, node, way.len());
            way.0.push((node as u32, edge as u32));
            let edge = &self.edges(node)[edge];
            let key = go(edge.played);
            match edge.next.iter().find(|(other, _)| *other == key) {
                Some((_, next)) => node = *next as usize,
                None => return Arrival::New(key),
            }
        }
        Arrival::Known(node)
    }

    /// Says which position it is that a way ends on.
    pub fn hang(&mut self, way: &Way, key: u64, node: usize) {
        if let Some((from, edge)) = way.0.last() {
            self.edges_mut(*from as usize)[*edge as usize].next.push((key, node as u32));
        }
    }

    /// Remembers on a whole way what it came to: the chance of each side.
    pub fn learn(&mut self, way: &Way, chances: &[f32]) {
        for (node, edge) in &way.0 {
            let node = *node as usize;
            let side = self.nodes[node].side as usize;
            self.nodes[node].visits += 1;
            let edge = &mut self.edges_mut(node)[*edge as usize];
            edge.visits += 1;
            edge.sum += chances[side];
        }
    }

    /// The move to try next: what it came to so far, and what it may come to. What was never tried counts as `untried`, or,
    /// without that, as much as the position itself.
    pub fn promising(&self, node: usize, curiosity: f32, untried: Option<f32>) -> usize {
        let root = (self.nodes[node].visits as f32 + 1.0).sqrt();
        let untried = untried.unwrap_or_else(|| self.chance(node));
        let hope = |edge: &Edge| {
            edge.mean().unwrap_or(untried) + curiosity * edge.prior * root / (1.0 + edge.visits as f32)
        };
        let hopes = self.edges(node).iter().map(hope).enumerate();
        hopes.max_by(|one, other| one.1.total_cmp(&other.1)).map_or(0, |(index, _)| index)
    }

    /// The move that was tried most often; of several, the first by name.
    pub fn most_tried(&self, node: usize) -> Option<usize> {
        let edges = self.edges(node).iter().enumerate();
        let best = edges.max_by_key(|(_, edge)| (edge.visits, std::cmp::Reverse(edge.played)));
        best.map(|(index, _)| index)
    }
}
