//! The tree of Monte Carlo tree search: visit counts, priors and values. It stores no positions and no evaluator; the
//! caller plays the moves and supplies priors and values.
//!
//! ```
//! use tabiya_players::{Tree, TreePath};
//!
//! let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let start = rules.start();
//! let moves = rules.legal_moves(&start);
//! let (mut tree, mut path) = (Tree::default(), TreePath::default());
//! tree.expand(0, 0.5, moves.iter().map(|played| (*played, 0.0)));
//! for _ in 0..40 {
//!     let mut position = start.clone();
//!     tree.select(&mut path, 1, |tree, node, _| tree.select_puct(node, 1.4, None), |played| {
//!         position = rules.play_unchecked(&position, played);
//!         position.key()
//!     });
//!     // The value of the leaf for each side; here the first side wins two games of three.
//!     tree.backup(&path, &[0.67, 0.33]);
//! }
//! assert_eq!(tree.edges(0).iter().map(|edge| edge.visits()).sum::<u32>(), 40);
//! ```

#![allow(clippy::cast_precision_loss, reason = "values need few digits, and counts are far below 2^23")]

mod gumbel;

pub use gumbel::{ImprovedPolicy, SequentialHalving};

use tabiya_engine::Move;

/// A search tree. Node 0 is the root.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// An expanded position.
#[derive(Clone, Debug)]
struct Node {
    /// The side to move.
    side: u32,
    visits: u32,
    /// The value for the side to move, as evaluated on expansion.
    value: f32,
    /// Its moves among all edges.
    first: u32,
    count: u32,
}

/// A legal move of an expanded position.
#[derive(Clone, Debug)]
pub struct Edge {
    played: Move,
    logit: f32,
    prior: f32,
    visits: u32,
    /// The sum of all values for the side that moves.
    value_sum: f32,
    /// Child nodes by position key. With dice, one move has several children.
    children: Vec<(u64, u32)>,
}

/// A path through the tree from the root: pairs of node and edge.
#[derive(Clone, Debug, Default)]
pub struct TreePath(Vec<(u32, u32)>);

/// The end of a selected path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// An expanded node without moves, or at the depth limit.
    Known(usize),
    /// A position with this key that is not in the tree; see [`Tree::attach`].
    New(u64),
}

impl Edge {
    /// The move.
    pub fn played(&self) -> Move {
        self.played
    }

    /// The visit count.
    pub fn visits(&self) -> u32 {
        self.visits
    }

    /// Returns the mean value from 0 (lost) to 1 (won), or `None` before the first visit.
    pub fn mean_value(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.value_sum / self.visits as f32)
    }

    /// The prior probability.
    pub fn prior(&self) -> f32 {
        self.prior
    }

    /// Returns the child node, if there is exactly one.
    pub fn only_child(&self) -> Option<usize> {
        if let [(_, child)] = self.children[..] { Some(child as usize) } else { None }
    }
}

impl Tree {
    /// Whether the tree has no root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of nodes and edges.
    pub fn size(&self) -> usize {
        self.nodes.len() + self.edges.len()
    }

    /// Adds a node: the side to move, its value from 0 to 1, and its moves with their prior logits. Returns the node's
    /// number; the first node is the root.
    pub fn expand(&mut self, side: usize, value: f32, moves: impl IntoIterator<Item = (Move, f32)>) -> usize {
        let first = self.edges.len();
        self.edges.extend(moves.into_iter().map(|(played, logit)| Edge {
            played,
            logit,
            prior: 0.0,
            visits: 0,
            value_sum: 0.0,
            children: Vec::new(),
        }));
        let edges = &mut self.edges[first..];
        let most = edges.iter().map(|edge| edge.logit).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = edges.iter().map(|edge| (edge.logit - most).exp()).sum();
        for edge in edges.iter_mut() {
            edge.prior = (edge.logit - most).exp() / sum;
        }
        let count = edges.len() as u32;
        self.nodes.push(Node { side: side as u32, visits: 0, value, first: first as u32, count });
        self.nodes.len() - 1
    }

    /// Mixes noise into the priors of a node.
    pub fn mix_noise(&mut self, node: usize, fraction: f32, noise: &[f32]) {
        for (edge, noise) in self.edges_mut(node).iter_mut().zip(noise) {
            edge.prior = (1.0 - fraction) * edge.prior + fraction * noise;
        }
    }

    /// Returns the moves of a node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn edges(&self, node: usize) -> &[Edge] {
        let Node { first, count, .. } = self.nodes[node];
        &self.edges[first as usize..][..count as usize]
    }

    fn edges_mut(&mut self, node: usize) -> &mut [Edge] {
        let Node { first, count, .. } = self.nodes[node];
        &mut self.edges[first as usize..][..count as usize]
    }

    /// Returns the mean value of a node for the side to move, over its evaluation and all visits.
    pub fn value(&self, node: usize) -> f32 {
        let sum: f32 = self.edges(node).iter().map(|edge| edge.value_sum).sum();
        (self.nodes[node].value + sum) / (1.0 + self.nodes[node].visits as f32)
    }

    /// Selects a path from the root to a leaf, for [`Tree::backup`]. `choose` receives the tree, a node and its depth
    /// and returns the index of an edge; `play` makes the move and returns the key of the new position.
    pub fn select(
        &mut self,
        path: &mut TreePath,
        max_depth: usize,
        choose: impl Fn(&Tree, usize, usize) -> usize,
        mut play: impl FnMut(Move) -> u64,
    ) -> Leaf {
        path.0.clear();
        let mut node = 0;
        while path.0.len() < max_depth && self.nodes[node].count > 0 {
            let edge = choose(self, node, path.0.len());
            path.0.push((node as u32, edge as u32));
            let edge = &self.edges(node)[edge];
            let key = play(edge.played);
            match edge.children.iter().find(|(other, _)| *other == key) {
                Some((_, child)) => node = *child as usize,
                None => return Leaf::New(key),
            }
        }
        Leaf::Known(node)
    }

    /// Makes a node the child at the end of a path.
    pub fn attach(&mut self, path: &TreePath, key: u64, node: usize) {
        if let Some((from, edge)) = path.0.last() {
            self.edges_mut(*from as usize)[*edge as usize].children.push((key, node as u32));
        }
    }

    /// Adds a leaf's value, given for each side, to every edge of its path.
    pub fn backup(&mut self, path: &TreePath, values: &[f32]) {
        for (node, edge) in &path.0 {
            let node = *node as usize;
            let side = self.nodes[node].side as usize;
            self.nodes[node].visits += 1;
            let edge = &mut self.edges_mut(node)[*edge as usize];
            edge.visits += 1;
            edge.value_sum += values[side];
        }
    }

    /// Selects a move by the PUCT formula: the edge with the greatest `Q + c_puct * P * sqrt(N + 1) / (1 + n)`.
    /// An unvisited move has the value `unvisited`, or that of the node if it is `None`.
    pub fn select_puct(&self, node: usize, c_puct: f32, unvisited: Option<f32>) -> usize {
        let sqrt_visits = (self.nodes[node].visits as f32 + 1.0).sqrt();
        let unvisited = unvisited.unwrap_or_else(|| self.value(node));
        let puct = |edge: &Edge| {
            edge.mean_value().unwrap_or(unvisited)
                + c_puct * edge.prior * sqrt_visits / (1.0 + edge.visits as f32)
        };
        let scores = self.edges(node).iter().map(puct).enumerate();
        scores.max_by(|one, other| one.1.total_cmp(&other.1)).map_or(0, |(index, _)| index)
    }

    /// Returns the most visited move of a node; of several, the least in move order.
    pub fn most_visited(&self, node: usize) -> Option<usize> {
        let edges = self.edges(node).iter().enumerate();
        let best = edges.max_by_key(|(_, edge)| (edge.visits, std::cmp::Reverse(edge.played)));
        best.map(|(index, _)| index)
    }
}
