//! The castling field of board text, for every game that has castling.
//!
//! Castling, in general: a move of a leader that has never moved, which moves another piece of its player along. The
//! right to it is that both have never moved. `K` is the side of the partner on the higher file (on the same file:
//! the higher rank), `Q` the other.

use tabiya_engine::blueprint::{Condition, Effect};
use tabiya_engine::{Player, Position, Rules, Square};

use crate::letters::cased;

/// A right to castle: a leader and a partner on their starting squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Right {
    pub(crate) player: Player,
    pub(crate) leader: Square,
    pub(crate) partner: Square,
    letter: &'static str,
}

impl Right {
    pub(crate) fn text(&self) -> String {
        cased(self.letter, self.player)
    }

    /// Whether leader and partner stand on their squares, moved or not.
    pub(crate) fn stands(
        &self,
        rules: &Rules,
        piece: impl Fn(Square) -> Option<tabiya_engine::Piece>,
    ) -> bool {
        let start = &rules.blueprint().start;
        [self.leader, self.partner].into_iter().all(|square| {
            start.iter().any(|placed| {
                placed.square == square
                    && piece(square).is_some_and(|it| (it.player, it.kind) == (placed.player, placed.kind))
            })
        })
    }

    pub(crate) fn holds(&self, rules: &Rules, position: &Position) -> bool {
        let piece = |square| position.piece(square).filter(|piece| piece.unmoved);
        self.stands(rules, piece)
    }
}

/// Every right that the game can start with, by player, `K` before `Q`.
pub(crate) fn rights(rules: &Rules) -> Vec<Right> {
    let Some(leader) = rules.leader() else { return Vec::new() };
    let start = &rules.blueprint().start;
    let moves = &rules.kind(leader).moves;
    let mut rights: Vec<Right> = Vec::new();
    for placed in start.iter().filter(|placed| placed.kind == leader) {
        let orientation = rules.player(placed.player).orientation;
        for plan in moves.iter().filter(|plan| plan.conditions.contains(&Condition::FirstMove)) {
            let effects = plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects));
            for effect in effects {
                let Effect::Relocate { kind, from, .. } = effect else { continue };
                let partner = rules.board().step(placed.square, orientation.turn(*from)).filter(|square| {
                    start.iter().any(|other| {
                        other.square == *square
                            && other.player == placed.player
                            && kind.is_none_or(|kind| kind == other.kind)
                    })
                });
                if let Some(partner) = partner {
                    let right = Right {
                        player: placed.player,
                        leader: placed.square,
                        partner,
                        letter: side(rules, placed.square, partner),
                    };
                    if !rights.contains(&right) {
                        rights.push(right);
                    }
                }
            }
        }
    }
    rights.sort_by_key(|right| (right.player, right.letter, right.leader, right.partner));
    rights
}

fn side(rules: &Rules, leader: Square, partner: Square) -> &'static str {
    if rules.board().coords(partner) > rules.board().coords(leader) { "K" } else { "Q" }
}

/// The field for a position.
pub(crate) fn write(rules: &Rules, position: &Position) -> String {
    let mut texts: Vec<String> =
        rights(rules).iter().filter(|right| right.holds(rules, position)).map(Right::text).collect();
    texts.dedup();
    if texts.is_empty() { "-".into() } else { texts.concat() }
}

/// The rights that a field grants; what is wrong with it goes into `reasons`.
pub(crate) fn parse(
    rules: &Rules,
    field: &str,
    piece: impl Fn(Square) -> Option<tabiya_engine::Piece>,
    reasons: &mut Vec<String>,
) -> Vec<Right> {
    let rights = rights(rules);
    let mut granted: Vec<Right> = Vec::new();
    if field == "-" {
        return granted;
    }
    for text in field.split_inclusive(|c| c != '.') {
        let named: Vec<&Right> = rights.iter().filter(|right| right.text() == text).collect();
        if named.is_empty() {
            reasons.push(format!("the castling right `{text}` does not exist in this game"));
        } else if named.iter().any(|right| granted.contains(right)) {
            reasons.push(format!("the castling right `{text}` is named twice"));
        } else {
            let standing: Vec<Right> =
                named.iter().copied().copied().filter(|right| right.stands(rules, &piece)).collect();
            if standing.is_empty() {
                let right = named[0];
                let (leader, partner) = (rules.board().name(right.leader), rules.board().name(right.partner));
                reasons.push(format!(
                    "the castling right `{text}` needs its pieces on their starting squares {leader} and {partner}"
                ));
            }
            granted.extend(standing);
        }
    }
    granted
}
