//! Steps as text: moves in UCI notation and, in games that have them, `throw 4`, `exchange` and `withdraw YELLOW`.

use tabiya_engine::{Position, Rules, Step};

use crate::symbols::{self, clip};
use crate::uci::{MoveError, parse_uci, uci};

/// Writes a step. [`parse_step`] reads it back in the same position.
pub fn step_text(rules: &Rules, position: &Position, step: Step) -> String {
    match step {
        Step::Move(played) => uci(rules, position, played),
        Step::Throw(face) => format!("throw {face}"),
        Step::Exchange => "exchange".to_owned(),
        Step::Withdrawal(heir) => format!("withdraw {}", rules.player(heir).name),
    }
}

/// Parses a step that can be taken in the position.
///
/// # Errors
///
/// Returns why the text is not a legal move, or why the step is impossible here.
pub fn parse_step(rules: &Rules, position: &Position, text: &str) -> Result<Step, MoveError> {
    let Some(step) = parse_non_move(rules, text) else {
        return parse_uci(rules, position, text).map(Step::Move);
    };
    let impossible = |why: &str| MoveError::Impossible(format!("`{}`: {why}", clip(text)));
    let why = match step.map_err(|()| impossible("this game does not have such a step"))? {
        step if rules.play_step(position, step).is_ok() => return Ok(step),
        Step::Throw(_) => "no throw is due, or the die has no such face",
        Step::Exchange => "no exchange is possible",
        _ => "the army cannot be handed over to that player",
    };
    Err(impossible(why))
}

/// Parses a step that is not a move.
///
/// Returns `None` if the text does not have the form of one, and an error if it does but is meaningless in this game.
pub(crate) fn parse_non_move(rules: &Rules, text: &str) -> Option<Result<Step, ()>> {
    let (word, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    match word {
        "throw" => Some(rest.trim().parse().map(Step::Throw).map_err(|_| ())),
        "exchange" if rest.is_empty() => Some(Ok(Step::Exchange)),
        "withdraw" => Some(symbols::parse_player(rules, rest.trim()).map(Step::Withdrawal).ok_or(())),
        _ => None,
    }
}
