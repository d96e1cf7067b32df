//! The result of a game, in the movetext and in its tag: a score for each player, `1-0`, `0-1`, `1/2-1/2`, and for more
//! players `0-1-0-0`; `*` for an unfinished game.

use tabiya_engine::{Player, PlayerSet, Rules};

/// Writes a result: `1-0`, `0-1`, `1/2-1/2`, for more players `0-1-0-0`, or `*` for an unfinished game.
///
/// # Examples
///
/// ```
/// use tabiya_engine::{Player, PlayerSet};
/// use tabiya_notation::pgn::result_text;
///
/// let chess = tabiya_spec::library::load("chess").unwrap();
/// assert_eq!(result_text(&chess.rules, Some([Player(1)].into_iter().collect())), "0-1");
/// assert_eq!(result_text(&chess.rules, Some(PlayerSet::EMPTY)), "1/2-1/2");
/// assert_eq!(result_text(&chess.rules, None), "*");
/// ```
pub fn result_text(rules: &Rules, winners: Option<PlayerSet>) -> String {
    let Some(winners) = winners else { return "*".into() };
    let score = |player: usize| match winners {
        PlayerSet::EMPTY => "1/2",
        _ if winners.contains(Player(player as u8)) => "1",
        _ => "0",
    };
    (0..players(rules)).map(score).collect::<Vec<_>>().join("-")
}

/// Returns the number of scores. A game for one player has two.
fn players(rules: &Rules) -> usize {
    rules.players().len().max(2)
}

/// Returns whether a word is a result of some game. A word without a winner (`0-0`) is a move.
pub(super) fn is_result(word: &str) -> bool {
    let scores = || word.split('-');
    let is_draw = || scores().all(|score| score == "1/2");
    let is_won = || scores().all(|score| matches!(score, "0" | "1")) && scores().any(|score| score == "1");
    word == "*" || scores().nth(1).is_some() && (is_draw() || is_won())
}

/// Parses a result of this game.
pub(super) fn parse(rules: &Rules, word: &str) -> Result<Option<PlayerSet>, String> {
    let count = players(rules);
    let named = rules.players().len();
    let scores: Vec<&str> = word.split('-').take(count + 1).collect();
    let won = |place: &usize| scores[*place] == "1";
    match word {
        "*" => Ok(None),
        _ if is_result(word) && scores.len() == count && !(named..count).any(|place| won(&place)) => {
            Ok(Some((0..named).filter(won).map(|place| Player(place as u8)).collect()))
        }
        _ => {
            let shown = crate::symbols::clip(word);
            Err(format!(
                "`{shown}` is not a result of this game: write a score for each of {count} players, or *"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_distinguished_from_moves() {
        for result in ["*", "1-0", "0-1", "1/2-1/2", "0-0-1", "1-1-0-0", "1/2-1/2-1/2"] {
            assert!(is_result(result), "{result}");
        }
        for other in ["0-0", "0-0-0", "1", "1/2", "", "-", "1-", "1-2", "1/2-0", "e4", "O-O"] {
            assert!(!is_result(other), "{other}");
        }
    }
}
