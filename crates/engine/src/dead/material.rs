//! The material of a position as a hash: its pieces and the squares to which each is bound. A bishop is bound to the
//! squares of one colour, so bishops of different colours count as different material.

use crate::compile::pattern::Pattern;
use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// What the material of a position is computed from.
pub(super) struct Material {
    /// By player, kind and square: a hash of the piece and of the squares that it could ever reach from there on an empty
    /// board.
    hashes: Vec<Vec<Vec<u64>>>,
    /// By player and kind: whether it may promote.
    promotes: Vec<Vec<bool>>,
}

impl Material {
    pub(super) fn new(rules: &Rules) -> Self {
        let moves = || rules.players().map(|player| (player, &rules.patterns[player.index()]));
        let hashes = moves().map(|(player, kinds)| {
            let of_kind = |(kind, moves): (usize, &[Pattern])| {
                let piece = (player.index() << 8 | kind) as u64;
                let bound = components(rules, moves).into_iter();
                bound.map(|component| mix(piece << 16 | u64::from(component))).collect()
            };
            kinds.iter().map(AsRef::as_ref).enumerate().map(of_kind).collect()
        });
        let promotes = moves().map(|(_, kinds)| {
            kinds.iter().map(|moves| moves.iter().any(|pattern| !pattern.modifiers.is_empty())).collect()
        });
        Material { hashes: hashes.collect(), promotes: promotes.collect() }
    }

    /// Returns the hash of a position's material.
    pub(super) fn key(&self, position: &Position) -> u64 {
        self.pieces(position).fold(0, |key, (player, kind, square)| {
            key.wrapping_add(self.hashes[player][kind][square.index()])
        })
    }

    /// Returns whether the position has a piece that may promote.
    pub(super) fn may_promote(&self, position: &Position) -> bool {
        self.pieces(position).any(|(player, kind, _)| self.promotes[player][kind])
    }

    fn pieces<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = (usize, usize, Square)> + 'a {
        let kinds = |player: usize| (0..self.hashes[player].len()).map(move |kind| (player, kind));
        (0..self.hashes.len()).flat_map(kinds).flat_map(move |(player, kind)| {
            let squares = position.squares_of(Player(player as u8), Kind(kind as u8));
            squares.map(move |square| (player, kind, square))
        })
    }
}

/// Returns by square the first square of those that moves connect with it.
fn components(rules: &Rules, moves: &[Pattern]) -> Vec<u16> {
    let mut component = vec![u16::MAX; rules.board.len()];
    let mut open = Vec::new();
    for start in 0..component.len() {
        if component[start] != u16::MAX {
            continue;
        }
        component[start] = start as u16;
        open.push(Square(start as u16));
        while let Some(at) = open.pop() {
            for jump in moves.iter().flat_map(|pattern| [pattern.jump, pattern.back]) {
                let to = rules.jumps.to(jump, at).filter(|to| component[to.index()] == u16::MAX);
                if let Some(to) = to {
                    component[to.index()] = start as u16;
                    open.push(to);
                }
            }
        }
    }
    component
}

/// Spreads the bits of a number.
pub(super) fn mix(number: u64) -> u64 {
    let spread = (number ^ number >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (spread ^ spread >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}
