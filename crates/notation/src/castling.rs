//! The castling field of board text, for every game that has castling.
//!
//! Castling, in general: a move of a leader that has never moved, which moves another piece of its player along. The
//! right to it is that both have never moved. `K` is the side of the partner on the higher file (on the same file:
//! the higher rank), `Q` the other.

use tabiya_engine::blueprint::{Condition, Effect, MovePlan, Occupancy};
use tabiya_engine::{Kind, Move, Player, Position, Rules, Square};

use crate::letters::cased;

/// A right to castle: a leader and a partner on their starting squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Right {
    /// Whose it is.
    pub player: Player,
    /// Where the leader stands.
    pub leader: Square,
    /// Where the piece stands that it takes along.
    pub partner: Square,
    letter: &'static str,
}

impl Right {
    /// Whether it is written `K`: the partner stands on the higher file.
    pub fn is_kingside(&self) -> bool {
        self.letter == "K"
    }

    pub(crate) fn text(&self) -> String {
        cased(self.letter, self.player)
    }

    /// Whether leader and partner stand on their squares, moved or not.
    pub(crate) fn stands(
        &self,
        rules: &Rules,
        piece: impl Fn(Square) -> Option<tabiya_engine::Piece>,
    ) -> bool {
        let start = rules.blueprint().start();
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
pub fn rights(rules: &Rules) -> Vec<Right> {
    let start = rules.blueprint().start();
    let mut rights: Vec<Right> = Vec::new();
    for placed in start.iter().filter(|placed| Some(placed.kind) == rules.leader()) {
        for plan in plans(rules) {
            for (partner, kind) in partners(rules, plan, |_| true, (placed.square, placed.player)) {
                let stands = start.iter().any(|other| {
                    (other.square, other.player) == (partner, placed.player)
                        && kind.is_none_or(|kind| kind == other.kind)
                });
                let right = Right {
                    player: placed.player,
                    leader: placed.square,
                    partner,
                    letter: side(rules, placed.square, partner),
                };
                if stands && !rights.contains(&right) {
                    rights.push(right);
                }
            }
        }
    }
    rights.sort_by_key(|right| (right.player, right.letter, right.leader, right.partner));
    rights
}

/// The moves of a leader that has never moved.
fn plans(rules: &Rules) -> impl Iterator<Item = &MovePlan> {
    let moves = rules.leader().into_iter().flat_map(|leader| &rules.kind(leader).moves);
    moves.filter(|plan| plan.conditions.contains(&Condition::FirstMove))
}

/// The squares from which a move of the leader takes a piece along, and of which kind it must be.
fn partners(
    rules: &Rules,
    plan: &MovePlan,
    happens: impl Fn(Occupancy) -> bool,
    (leader, player): (Square, Player),
) -> Vec<(Square, Option<Kind>)> {
    let orientation = rules.player(player).orientation;
    let actions = plan.actions.iter().filter(|action| happens(action.on)).flat_map(|action| &action.effects);
    let sources = plan.effects.iter().chain(actions).filter_map(|effect| match effect {
        Effect::Relocate { kind, from, .. } => {
            Some((rules.board().step(leader, orientation.turn(*from))?, *kind))
        }
        _ => None,
    });
    sources.filter(|(partner, _)| *partner != leader).collect()
}

/// The side to which a legal move castles, `K` or `Q`, if it does: with a partner that is really there.
pub(crate) fn side_of(rules: &Rules, position: &Position, played: Move) -> Option<&'static str> {
    let leader = position.piece(played.from).filter(|piece| Some(piece.kind) == rules.leader())?;
    let plan = rules.kind(leader.kind).moves.get(usize::from(played.pattern))?;
    if !plan.conditions.contains(&Condition::FirstMove) {
        return None;
    }
    let landing = match position.piece(played.to) {
        None => Occupancy::Empty,
        Some(piece) if piece.player == leader.player => Occupancy::Ally,
        Some(_) => Occupancy::Enemy,
    };
    let taken_along = |(square, kind): &(Square, Option<Kind>)| {
        position
            .piece(*square)
            .is_some_and(|piece| piece.player == leader.player && kind.is_none_or(|kind| kind == piece.kind))
    };
    partners(rules, plan, |on| on == landing, (played.from, leader.player))
        .into_iter()
        .find(taken_along)
        .map(|(partner, _)| side(rules, played.from, partner))
}

/// Where the leaders of the player to move would go from and to, if they castled to that side.
pub(crate) fn attempts(rules: &Rules, position: &Position, letter: &str) -> Vec<(Square, Square)> {
    let player = rules.mover(position);
    let step_on =
        |plan: &MovePlan, at| rules.board().step(at, rules.player(player).orientation.turn(plan.step));
    let leaders = position
        .pieces()
        .filter(|(_, piece)| piece.player == player && Some(piece.kind) == rules.leader())
        .map(|(square, _)| square);
    let mut attempts = Vec::new();
    for leader in leaders {
        for plan in plans(rules) {
            let mut sides = partners(rules, plan, |_| true, (leader, player))
                .into_iter()
                .map(|(partner, _)| side(rules, leader, partner));
            let landing = (0..plan.repeat.min).try_fold(leader, |at, _| step_on(plan, at));
            if let (true, Some(landing)) = (sides.any(|side| side == letter), landing) {
                attempts.push((leader, landing));
            }
        }
    }
    attempts
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
