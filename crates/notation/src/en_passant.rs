//! The en-passant field of FEN, for every game that has such a rule.
//!
//! A passing move has a fixed length of at least two units and leaves a flag on the piece for some turns. The field
//! names the last square that the piece passed over. It stands for the flag, just set by the previous turn.

use tabiya_engine::blueprint::{Condition, Effect, MovePlan};
use tabiya_engine::{Countdown, Flag, Kind, Mark, Offset, Piece, Player, PlayerSet, Position, Rules, Square};

use crate::symbols::clip;

/// A move that passes over squares and leaves a flag, such as the double step of a pawn.
pub(crate) struct PassingMove {
    pub(crate) player: Player,
    pub(crate) kind: Kind,
    pub(crate) flag: Flag,
    duration: u32,
    unit: Offset,
    units: u32,
    /// Whether the piece must be unmoved.
    pub(crate) is_first: bool,
    /// Whether the squares between source and target are empty before and after the move.
    pub(crate) is_clear: bool,
}

impl PassingMove {
    /// Returns the last square passed over, if the piece on `landing` may just have made this move.
    fn passed(&self, rules: &Rules, is_empty: impl Fn(Square) -> bool, landing: Square) -> Option<Square> {
        self.path_back(rules, is_empty, landing).and_then(|path| path.first().copied())
    }

    /// Returns the squares from the landing back to the source, if all of them exist and are empty.
    pub(crate) fn path_back(
        &self,
        rules: &Rules,
        is_empty: impl Fn(Square) -> bool,
        landing: Square,
    ) -> Option<Vec<Square>> {
        let back = self.unit.reversed();
        let square = |units| rules.board().step(landing, back.times(units));
        (1..=self.units as i32).map(|units| square(units).filter(|square| is_empty(*square))).collect()
    }
}

/// Returns every passing move of the game.
pub(crate) fn passing_moves(rules: &Rules) -> Vec<PassingMove> {
    let mut found = Vec::new();
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
                found.extend(effects(plan).filter_map(|effect| match effect {
                    Effect::SetFlag { flag, duration: Some(duration) } => {
                        let (flag, duration) = (*flag, *duration);
                        Some(PassingMove { player, kind, flag, duration, unit, units, is_first, is_clear })
                    }
                    _ => None,
                }));
            }
        }
    }
    found
}

/// Returns the effects of a move and of its actions.
pub(crate) fn effects(plan: &MovePlan) -> impl Iterator<Item = &Effect> {
    plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects))
}

/// Returns how often the step of a move is repeated, if the number is fixed.
fn fixed_steps(plan: &MovePlan) -> Option<u32> {
    plan.repeat.max.filter(|max| *max == plan.repeat.min)
}

/// Returns the slot of the previous turn.
pub(crate) fn previous_slot(rules: &Rules, slot: u16, eliminated: PlayerSet) -> u16 {
    let order = rules.order().len();
    (1..=order)
        .map(|back| ((usize::from(slot) + order - back) % order) as u16)
        .find(|slot| !eliminated.contains(rules.turn_of(*slot)))
        .unwrap_or(slot)
}

/// Writes the en-passant field of a position: the square passed over in the previous turn, or `-`.
pub(crate) fn write(rules: &Rules, position: &Position) -> String {
    let previous = previous_slot(rules, position.slot(), position.eliminated());
    let moves = passing_moves(rules);
    let is_empty = |square| position.piece(square).is_none();
    let square = position.marks().iter().find_map(|mark| {
        let piece = position.piece(mark.square).filter(|piece| rules.turn_of(previous) == piece.player)?;
        moves
            .iter()
            .filter(|it| (it.player, it.kind, it.flag) == (piece.player, piece.kind, mark.flag))
            .filter(|it| mark.countdown == Some(Countdown { slot: previous, remaining: it.duration }))
            .find_map(|it| it.passed(rules, is_empty, mark.square))
    });
    square.map_or_else(|| "-".into(), |square| rules.board().name(square))
}

/// Parses an en-passant field and returns the flag that it stands for. Problems are added to `reasons`.
pub(crate) fn parse(
    rules: &Rules,
    field: &str,
    (slot, out): (u16, PlayerSet),
    pieces: &[(Square, Piece)],
    reasons: &mut Vec<String>,
) -> Option<Mark> {
    let Some(named) = squares(rules, field) else {
        reasons.push(format!("the en-passant field `{}` is not a square of this board", clip(field)));
        return None;
    };
    let previous = previous_slot(rules, slot, out);
    let is_empty = |square: Square| pieces.iter().all(|(other, _)| *other != square);
    let moves = passing_moves(rules);
    let mut marks: Vec<Mark> = Vec::new();
    for (square, piece) in pieces.iter().filter(|(_, piece)| piece.player == rules.turn_of(previous)) {
        for it in moves.iter().filter(|it| (it.player, it.kind) == (piece.player, piece.kind)) {
            let passed = it.passed(rules, is_empty, *square);
            let is_named = |other: &Square| Some(*other) == passed || named.len() == 2 && other == square;
            if passed.is_some_and(|passed| named.contains(&passed)) && named.iter().all(is_named) {
                let countdown = Some(Countdown { slot: previous, remaining: it.duration });
                let mark = Mark { square: *square, flag: it.flag, countdown };
                if !marks.contains(&mark) {
                    marks.push(mark);
                }
            }
        }
    }
    let reason = match marks.as_slice() {
        [mark] => return Some(*mark),
        [] => format!("no piece can just have passed over the en-passant square {field}"),
        _ => format!("several pieces may have passed over {field}: name the flag with flags="),
    };
    reasons.push(reason);
    None
}

/// Parses the squares of an en-passant field: the one that was passed over, or that and the square of the piece, in any
/// order, as Fairy-Stockfish writes them where the first alone would be ambiguous.
fn squares(rules: &Rules, field: &str) -> Option<Vec<Square>> {
    let bytes = field.as_bytes();
    let second =
        (1..bytes.len()).find(|at| bytes[*at].is_ascii_alphabetic() && bytes[at - 1].is_ascii_digit());
    let parts = match second {
        Some(at) => vec![&field[..at], &field[at..]],
        None => vec![field],
    };
    parts.into_iter().map(|part| rules.board().parse(part)).collect()
}
