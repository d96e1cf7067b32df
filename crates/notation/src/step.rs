//! Steps as text: moves as they are written anywhere, and in games that have more than moves `throw 4`, `exchange` and
//! `withdraw YELLOW`.

use tabiya_engine::{Position, Rules, Step};

use crate::letters::{self, clip};
use crate::moves::{MoveError, move_text, parse_move};

/// Writes a step so that it can be read back in this position.
pub fn step_text(rules: &Rules, position: &Position, step: Step) -> String {
    match step {
        Step::Move(played) => move_text(rules, position, played),
        Step::Throw(face) => format!("throw {face}"),
        Step::Exchange => "exchange".to_owned(),
        Step::Withdrawal(heir) => format!("withdraw {}", rules.player(heir).name),
    }
}

/// Reads a step that can be taken in the position.
pub fn parse_step(rules: &Rules, position: &Position, text: &str) -> Result<Step, MoveError> {
    let Some(step) = other_step(rules, text) else {
        return parse_move(rules, position, text).map(Step::Move);
    };
    let impossible = |why: &str| MoveError::Impossible(format!("`{}`: {why}", clip(text)));
    let why = match step.map_err(|()| impossible("the game has none such"))? {
        step if rules.play_step(position, step).is_ok() => return Ok(step),
        Step::Throw(_) => "no throw is awaited, or the die has no such face",
        Step::Exchange => "no exchange is possible",
        _ => "the army cannot be handed over to that player",
    };
    Err(impossible(why))
}

/// The step that a text means that is no move, if it is of such a form; an error, if it is but means nothing here.
pub(crate) fn other_step(rules: &Rules, text: &str) -> Option<Result<Step, ()>> {
    let (word, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    match word {
        "throw" => Some(rest.trim().parse().map(Step::Throw).map_err(|_| ())),
        "exchange" if rest.is_empty() => Some(Ok(Step::Exchange)),
        "withdraw" => Some(letters::parse_player(rules, rest.trim()).map(Step::Withdrawal).ok_or(())),
        _ => None,
    }
}
