//! The en-passant field of board text, for every game that has such a rule.
//!
//! In general: a move of a fixed length over other squares, which leaves a flag on the piece for a while. The field
//! names the last square that the piece passed over; it stands for the flag, just set by the turn before.

use tabiya_engine::blueprint::{Condition, Effect, MovePlan};
use tabiya_engine::{Countdown, Flag, Kind, Mark, Offset, Player, Position, Rules, Square};

/// A move that passes over squares and leaves a flag.
pub(crate) struct Passing {
    pub(crate) player: Player,
    pub(crate) kind: Kind,
    pub(crate) flag: Flag,
    duration: u32,
    unit: Offset,
    units: u32,
    /// Whether only a piece that has never moved can make it.
    pub(crate) is_first: bool,
    /// Whether its way is empty, before and after.
    pub(crate) is_clear: bool,
}

impl Passing {
    /// The square passed over last, if the piece that stands on `landing` may just have made this move: the squares
    /// that it left and passed are there and empty.
    fn passed(&self, rules: &Rules, is_empty: impl Fn(Square) -> bool, landing: Square) -> Option<Square> {
        self.way_back(rules, is_empty, landing).and_then(|way| way.first().copied())
    }

    /// The squares from the landing back to where the piece came from, if they are there and empty.
    pub(crate) fn way_back(
        &self,
        rules: &Rules,
        is_empty: impl Fn(Square) -> bool,
        landing: Square,
    ) -> Option<Vec<Square>> {
        let back = self.unit.reversed();
        let square = |units| rules.board().step(landing, Offset::new(back.dx * units, back.dy * units));
        (1..=self.units as i32).map(|units| square(units).filter(|square| is_empty(*square))).collect()
    }
}

/// Every such move of the game.
pub(crate) fn all(rules: &Rules) -> Vec<Passing> {
    let mut all = Vec::new();
    for player in rules.players() {
        let orientation = rules.player(player).orientation;
        for kind in rules.kinds() {
            for plan in &rules.kind(kind).moves {
                let (unit, units) = orientation.turn(plan.step).unit();
                let Some(units) = fixed_steps(plan).and_then(|steps| steps.checked_mul(units)) else {
                    continue;
                };
                if !(2..1024).contains(&units) {
                    continue;
                }
                let is_first = plan.conditions.contains(&Condition::FirstMove);
                let is_clear = plan.conditions.contains(&Condition::PathEmpty)
                    && !effects(plan).any(|effect| matches!(effect, Effect::Relocate { .. }));
                all.extend(effects(plan).filter_map(|effect| match effect {
                    Effect::SetFlag { flag, duration: Some(duration) } => {
                        let (flag, duration) = (*flag, *duration);
                        Some(Passing { player, kind, flag, duration, unit, units, is_first, is_clear })
                    }
                    _ => None,
                }));
            }
        }
    }
    all
}

/// The effects of a move and of its actions.
pub(crate) fn effects(plan: &MovePlan) -> impl Iterator<Item = &Effect> {
    plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects))
}

/// How often the step of a move is made, if there is only one answer.
fn fixed_steps(plan: &MovePlan) -> Option<u32> {
    plan.repeat.max.filter(|max| *max == plan.repeat.min)
}

/// The slot whose turn was before.
pub(crate) fn slot_before(rules: &Rules, slot: u16, eliminated: tabiya_engine::PlayerSet) -> u16 {
    let order = rules.order().len();
    (1..=order)
        .map(|back| ((usize::from(slot) + order - back) % order) as u16)
        .find(|slot| !eliminated.contains(rules.turn_of(*slot)))
        .unwrap_or(slot)
}

/// The field for a position: the square that the last turn's piece passed over, or `-`.
pub(crate) fn write(rules: &Rules, position: &Position) -> String {
    let before = slot_before(rules, position.slot(), position.eliminated());
    let all = all(rules);
    let square = position.marks().iter().find_map(|mark| {
        let piece = position.piece(mark.square)?;
        all.iter()
            .filter(|passing| {
                (passing.player, passing.kind, passing.flag) == (piece.player, piece.kind, mark.flag)
            })
            .filter(|passing| {
                mark.countdown == Some(Countdown { slot: before, remaining: passing.duration })
                    && rules.turn_of(before) == piece.player
            })
            .find_map(|passing| passing.passed(rules, |square| position.piece(square).is_none(), mark.square))
    });
    square.map_or_else(|| "-".into(), |square| rules.board().name(square))
}

/// The flag that a field stands for.
pub(crate) fn parse(
    rules: &Rules,
    field: &str,
    (slot, out): (u16, tabiya_engine::PlayerSet),
    pieces: &[(Square, tabiya_engine::Piece)],
    reasons: &mut Vec<String>,
) -> Option<Mark> {
    let Some(passed) = rules.board().parse(field) else {
        reasons.push(format!(
            "the en-passant field `{}` is no square of this board",
            crate::letters::clip(field)
        ));
        return None;
    };
    let before = slot_before(rules, slot, out);
    let is_empty = |square: Square| pieces.iter().all(|(other, _)| *other != square);
    let all = all(rules);
    let mut marks: Vec<Mark> = Vec::new();
    for (square, piece) in pieces.iter().filter(|(_, piece)| piece.player == rules.turn_of(before)) {
        for passing in all.iter().filter(|it| (it.player, it.kind) == (piece.player, piece.kind)) {
            if passing.passed(rules, is_empty, *square) == Some(passed) {
                let countdown = Some(Countdown { slot: before, remaining: passing.duration });
                let mark = Mark { square: *square, flag: passing.flag, countdown };
                if !marks.contains(&mark) {
                    marks.push(mark);
                }
            }
        }
    }
    match marks.as_slice() {
        [mark] => Some(*mark),
        [] => {
            reasons.push(format!("no piece can just have passed over the en-passant square {field}"));
            None
        }
        _ => {
            reasons.push(format!("several pieces may have passed over {field}: name the flag with flags="));
            None
        }
    }
}
